"""What people would change in the past, and what that leads to (DESIGN 5)."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.terms import (
    Answer,
    Change,
    Fact,
    Objection,
    Question,
    Say,
)


class Missing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was missing at a step that no longer fitted.

    An answer to that step's own question takes its place, one to another question comes before
    it; None leaves the step out.
    """

    step: int
    answer: Answer | None = None


class Rewrite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people want to change in the past: the answer of a step, or None: it never happened.

    `missing` are the answers given where later steps no longer fitted; `way` how to go on at the
    first that still does not: `keep` leaves the rest as it happened, `back` goes back to there.
    `box` is the key of a printed value that was wrong: then nothing else is changed, and every
    step from `step` on that read it is decided again with the present value.
    """

    step: int
    answer: Answer | None = None
    missing: tuple[Missing, ...] = ()
    way: Literal["", "keep", "back"] = ""
    box: str = ""

    @property
    def changes(self) -> bool:
        """True where the step itself is changed (not only decided again)."""
        return not self.box


class Said(msgspec.Struct, frozen=True):
    """What was asked and said at a live step.

    `question` is None where it was a correction (then `fact` is the fact as it was before), or
    where it was answered though nobody asked.
    """

    step: int
    answer: Answer
    question: Question | None = None
    fact: Fact | None = None


class Stop(msgspec.Struct, frozen=True):
    """The first later step that no longer fits: why, and what is asked there instead.

    `needs` is the key of a printed value that nobody told, "" where none is wanted.
    """

    step: int
    key: str
    why: Say
    questions: tuple[Question, ...] = ()
    needs: str = ""


class StepAgain(msgspec.Struct, frozen=True):
    """A later step as it would stand: told anew, with its mark and what the rules say now."""

    number: int
    told: tuple[Say, ...]
    mark: Literal["", "amended", "again", "kept", "left_out"]
    objections: tuple[Objection, ...] = ()


class Forward(msgspec.Struct, frozen=True):
    """What a void or an amend leads to, tried on a copy.

    `changes` are the facts that come out otherwise, `steps` the steps that do. With a `stop`,
    `keep` and `back` tell the facts that these two ways would change; `refused` is what the rules
    say against the new answer itself, `needs` a printed value that it waits for.
    """

    rev: int
    changes: tuple[Change, ...] = ()
    steps: tuple[StepAgain, ...] = ()
    stop: Stop | None = None
    keep: tuple[Change, ...] = ()
    back: tuple[Change, ...] = ()
    refused: tuple[Objection, ...] = ()
    needs: str = ""
