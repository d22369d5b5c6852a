"""The end of a lesson: the set is learnt and kept, and people hear how good it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.eye.comparing import Comparing
from companion.own_sets import keep_set
from companion.terms import Say, say
from vision.dice_set import DiceSet, DiceSetError, find_set
from vision.learn import ShotError
from vision.proof import Proof, prove


def finish(comparing: Comparing, sets: Path, configured: str) -> tuple[DiceSet, tuple[Say, ...]]:
    """Learn the set of a lesson, keep it, and return it with what people should know of it.

    sets: the folder of the owner's sets. configured: the set that `table.toml` names.
    Raises `DiceSetError` where it cannot be learnt (`FacesAlike` as one of it), `OSError` where it
    cannot be written; nothing is changed then.
    """
    lesson = comparing.lesson
    shots = [*lesson.empties, *(s for pair in lesson.wanted for s in lesson.of(*pair))]
    learnt = comparing.enrol(shots)
    proof = prove(learnt)
    unknown = _no_longer_known(learnt, sets)
    keep_set(learnt, sets / learnt.name)
    marks = [say("teach.learnt", name=learnt.name, n=len(learnt.faces)), *_proved(proof)]
    if unknown:
        marks.append(say("teach.unknown_now", colours=unknown, folder=str(sets / learnt.name)))
    if learnt.name != configured:
        marks.append(say("teach.configure", name=learnt.name))
    return learnt, tuple(marks)


def why_not(error: DiceSetError | OSError) -> Say:
    """Tell why a set could not be finished, and what would help."""
    if isinstance(error, OSError):
        return say("teach.not_kept", why=error.strerror or str(error))
    face = useless_face(error)
    if face is not None:
        return say("teach.failed_die", colour=face[0], face=face[1])
    return say("teach.failed")


def useless_face(error: DiceSetError | OSError) -> tuple[str, str] | None:
    """Return the colour and face of a shot that nothing was learnt from."""
    if isinstance(error, ShotError) and error.shot.kind == "die":
        return str(error.shot.colour), str(error.shot.face)
    return None


def _proved(proof: Proof) -> Iterator[Say]:
    yield say("teach.proved", right=proof.right, total=proof.total)
    # One of a few pictures may be a poor one; two speak of the dice or of the light.
    mixed_up = proof.mixed_up[:2] if proof.total - proof.right > 1 else ()
    for colour, face, other_colour, other in mixed_up:
        yield say(
            "teach.mixed_up", colour=colour, face=face, other_colour=other_colour, other=other
        )


def _no_longer_known(learnt: DiceSet, sets: Path) -> list[str]:
    """Return the colours that a shipped set of this name knows, and this one does not."""
    try:
        shipped = find_set(learnt.name, sets / ".none")
    except DiceSetError:
        return []
    return [colour for colour in shipped.colour_names if colour not in learnt.colour_names]
