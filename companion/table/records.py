"""What the table shows to pages and programs, and what it answers to them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.table.past import Stop
from companion.table.proposals import CardProposal, Proposal
from companion.terms import (
    Change,
    DeviceState,
    Fact,
    Objection,
    Question,
    Say,
    Seat,
    Source,
    View,
    Wants,
)

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
