"""What the table shows to pages and programs, and what it answers to them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.terms import (
    Answer,
    Change,
    DeviceState,
    Fact,
    Objection,
    Question,
    Say,
    Seat,
    SeenDie,
    Source,
    View,
    Wants,
)

# ------------------------------------------------------------------------------------- proposals


class ProposedDie(msgspec.Struct, frozen=True):
    """One die of a proposal: what was seen, and what it counts as.

    `face` is None while nobody knows; `by_hand` says that a person chose it. `side` is `attack`
    or `defence` (or whatever sides the question knows), "" where it does not matter, None while
    it is open whose die it is. `used` is False for a die that does not count.
    """

    seen: SeenDie
    face: str | None
    side: str | None = ""
    by_hand: bool = False
    used: bool = True

    @property
    def unsure(self) -> bool:
        """True while this die needs a tap before it can count."""
        return self.used and (self.face is None or self.side is None)


class Proposal(msgspec.Struct, frozen=True):
    """A throw that waits to be taken, matched to the question it seems to answer.

    `question` is "" while it is not used ("9 dice, 5 wanted: tap the ones that count");
    `fitting` are the keys of all questions it could answer. `wanted` counts dice by colour.
    `grace_until` is the monotonic second at which the table takes it by itself, None: only a tap
    takes it. `faces` are the faces a die of this set may show.
    """

    id: int
    reading: int
    question: str
    fitting: tuple[str, ...]
    dice: tuple[ProposedDie, ...]
    wanted: dict[str, int] = {}
    faces: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    frame: str = ""
    warnings: tuple[Say, ...] = ()
    grace_until: float | None = None
    grace_seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """True where the count is exact and every die is known: it may be taken."""
        return self.question != "" and not self.missing and all(not d.unsure for d in self.dice)

    @property
    def missing(self) -> dict[str, int]:
        """Colours of which more (positive) or fewer (negative) dice are wanted than are used."""
        have: dict[str, int] = {}
        for die in self.dice:
            if die.used:
                have[die.seen.colour] = have.get(die.seen.colour, 0) + 1
        colours = sorted({*have, *self.wanted})
        gaps = {c: self.wanted.get(c, 0) - have.get(c, 0) for c in colours}
        return {c: gap for c, gap in gaps.items() if gap}


class CardProposal(msgspec.Struct, frozen=True):
    """A tapped card that needs a word: unknown (`card` is ""), whose it is, or not now.

    `choices` are the keys of the questions it could answer; `objections` say why not now.
    `key` is the question whose answer met the objections.
    """

    id: int
    reading: int
    uid: str
    card: str
    choices: tuple[str, ...] = ()
    key: str = ""
    objections: tuple[Objection, ...] = ()


# ------------------------------------------------------------------------------------------ looks


class Pending(msgspec.Struct, frozen=True):
    """An answer that waits for a printed value: its number, its sentence, the box key it needs."""

    id: int
    key: str
    needs: str


class Look(msgspec.Struct, frozen=True):
    """All that one seat (None: the shared screen) may see at one revision.

    `taken_seats` counts the devices that hold each seat, `sitting` are the names given on them.
    """

    rev: int
    game: str | None
    game_id: int
    step: int
    seats: tuple[Seat, ...]
    seat: str | None
    view: View | None
    questions: tuple[Question, ...]
    proposals: tuple[Proposal, ...]
    cards: tuple[CardProposal, ...]
    devices: tuple[DeviceState, ...]
    pending: tuple[Pending, ...] = ()
    undoable: int | None = None
    redoable: int | None = None
    resumed: Say | None = None
    scorekeeper: bool = False
    sources: dict[str, Source] = {}
    taken_seats: dict[str, int] = {}
    sitting: dict[str, tuple[str, ...]] = {}

    @property
    def facts_by_key(self) -> dict[str, Any]:
        """The values of all facts this seat may see, by key."""
        return {fact.key: fact.value for fact in self.view.facts} if self.view else {}

    def fact(self, key: str) -> Fact | None:
        """Return the fact with this key, None where this seat has none such."""
        if self.view is None:
            return None
        return next((fact for fact in self.view.facts if fact.key == key), None)


Standing = Literal["live", "undone", "voided", "amended", "again", "kept"]
"""Live as logged; taken back; voided; live with another answer, other results, or as it happened
although it no longer fits."""


class Step(msgspec.Struct, frozen=True):
    """One line of the story. `told` are its sentences; `pictures` are sha256 of crops or frame."""

    number: int
    kind: Literal["start", "answer", "undo", "redo", "void", "amend", "box"]
    key: str
    told: tuple[Say, ...]
    seat: str | None
    person: str
    source: Source
    standing: Standing
    target: int | None = None
    at: float | None = None
    objections: tuple[Objection, ...] = ()
    insisted: bool = False
    pictures: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class Preview(msgspec.Struct, frozen=True):
    """What an answer would lead to: its events told, facts changed, objections, what it needs."""

    told: tuple[Say, ...] = ()
    changes: tuple[Change, ...] = ()
    objections: tuple[Objection, ...] = ()
    needs: str = ""


# ------------------------------------------------------------------------------ void and amend


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


class PrintedValue(msgspec.Struct, frozen=True):
    """A value that is printed on a component: what it may be, and how it is known.

    `told` by the owners, or `second_hand` from hobby pages. `otherwise` is the first live step
    that was decided with another value than the present one.
    """

    key: str
    value: int | str | None
    wants: Wants
    told: bool = False
    second_hand: bool = False
    otherwise: int | None = None


# --------------------------------------------------------------------------------------- outcomes


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """It counts and is on disk. `pending`: it waits for a printed value. `step` is its number."""

    rev: int
    step: int | None = None
    pending: bool = False


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The rules dislike it; the same with `insist` is taken."""

    rev: int
    objections: tuple[Objection, ...]


class MovedOn(msgspec.Struct, frozen=True, tag="moved_on"):
    """The position changed since the phone last looked; nothing was done."""

    rev: int
    seen: Say


class Stopped(msgspec.Struct, frozen=True, tag="stopped"):
    """A void or an amend came to a step that no longer fits, and waits to be told how to go on."""

    rev: int
    stop: Stop


Outcome = Taken | Refused | MovedOn | Stopped


class GameLine(msgspec.Struct, frozen=True):
    """One kept game in the list: when it started (wall time, seconds) and how long its log is."""

    id: int
    game: str
    started: float
    rows: int
    current: bool


class Phone(msgspec.Struct, frozen=True):
    """What a phone told about itself: the seats it holds, the one it shows, who holds it."""

    seats: tuple[str, ...] = ()
    seat: str | None = None
    person: str = ""
    language: str = ""
