"""One game as a log: what was said, what followed, and the state that is the fold of it.

The log only grows. Undo and redo are rows of their own: they move along the line of versions that
answers, voids and amends made, and a new one of these ends what could be redone. The state never
comes from `decide` again: it is the fold of the stored events of the live steps, and a void or an
amend stores the events of every step that it decided again (DESIGN 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

import msgspec

from companion.terms import Answer, Change, Game, Objection, Seat, Source

Kind = Literal["start", "answer", "undo", "redo", "void", "amend", "box"]
Way = Literal["", "keep", "back"]
"""Leave the rest as it happened, or go back to the first step that no longer fits."""
Mark = Literal["", "amended", "again", "kept"]
"""How a live step came to stand as it does: as it was logged, with another answer, decided again
with other results, or kept as it happened although it no longer fits."""


class Redone(msgspec.Struct, frozen=True):
    """One step as a void or an amend left it.

    `number` is the row it stands for; the control's own row where an answer was missing before.
    `answer` is None where the words of that row stay. `events` are the game's, in msgpack.
    """

    number: int
    events: bytes
    mark: Mark = ""
    answer: Answer | None = None
    objections: tuple[Objection, ...] = ()
    known: dict[str, int | str] = {}
    changes: tuple[Change, ...] | None = None


class Row(msgspec.Struct, frozen=True):
    """One line of the log.

    `events` are the game's events in msgpack. `target` is, for undo and redo, the row whose
    version stands afterwards; for void and amend the first step that is changed, and `again` is
    every step from there on as it then stands. `way` tells how a void or amend went on where a
    later step no longer fitted. `changes` are the facts that came out otherwise, kept so that a
    long evening need not be looked through again when it is resumed. `known` are the box values
    that the decision read; `at` is wall time in seconds where the clock was trusted.
    """

    number: int
    kind: Kind
    answer: Answer | None = None
    events: bytes = b""
    objections: tuple[Objection, ...] = ()
    known: dict[str, int | str] = {}
    target: int | None = None
    person: str = ""
    source: Source = Source()
    at: float | None = None
    game: str = ""
    seats: tuple[Seat, ...] = ()
    choices: dict[str, Any] = {}
    again: tuple[Redone, ...] = ()
    way: Way = ""
    changes: tuple[Change, ...] | None = None


class LiveStep:
    """One live step behind the one before it; versions share their common past.

    `row` is the step's row as it stands now: after an amend with the other answer and events.
    """

    __slots__ = ("before", "events", "mark", "row")

    def __init__(
        self, before: LiveStep | None, row: Row, events: tuple[Any, ...], mark: Mark = ""
    ) -> None:
        self.before, self.row, self.events = before, row, events
        self.mark: Mark = mark


class _Version(msgspec.Struct):
    """The row that made a version, its last live step, and the steps that are voided in it."""

    made: int
    head: LiveStep | None
    voided: frozenset[int]


class Session:
    """The log of one game and its state. Not locked: the table holds the lock."""

    def __init__(self, game: Game, rows: Sequence[Row]) -> None:
        if not rows or rows[0].kind != "start":
            raise ValueError("a game's log begins with its start row")
        self.game = game
        self.rows: list[Row] = []
        self.state: Any = None
        self._events: msgspec.msgpack.Decoder[tuple[Any, ...]] = msgspec.msgpack.Decoder(
            _tuple_of(game.EVENTS)
        )
        self._versions = [_Version(0, None, frozenset())]
        self._cursor = 0
        for row in rows:
            self._place(row)
        self.state = self.fold()

    @property
    def start(self) -> Row:
        """The row that holds game, seats and choices."""
        return self.rows[0]

    @property
    def next_number(self) -> int:
        """The number of the row to come."""
        return len(self.rows)

    @property
    def last_live(self) -> int:
        """The row that made the present position (0: the start)."""
        return self._versions[self._cursor].made

    @property
    def undoable(self) -> int | None:
        """The row that an undo would take back, None at the start."""
        return self.last_live if self._cursor else None

    @property
    def redoable(self) -> int | None:
        """The row that a redo would bring back."""
        further = self._cursor + 1
        return self._versions[further].made if further < len(self._versions) else None

    @property
    def voided(self) -> frozenset[int]:
        """The steps that a void (or an amend that left them out) took from the present line."""
        return self._versions[self._cursor].voided

    def live(self) -> list[LiveStep]:
        """Return the live steps in order."""
        return list(_chain(self._versions[self._cursor].head))

    def fold(self, before: int | None = None) -> Any:
        """Return the state as the fold of the live events, as it was before a live step's row.

        Raises `KeyError` where no live step has this number.
        """
        state = self.game.setup(self.start.seats, self.start.choices)
        for step in self.live():
            if step.row.number == before:
                return state
            for event in step.events:
                self.game.apply(state, event)
        if before is not None:
            raise KeyError(before)
        return state

    def copy(self) -> Any:
        """Return a copy of the state to try something on (a msgpack round trip)."""
        kind = cast("type[Any]", type(self.state))
        return msgspec.msgpack.decode(msgspec.msgpack.encode(self.state), type=kind)

    def before(self, number: int) -> int | None:
        """Return the row whose version stood just before row `number` was made.

        None where row `number` made no version of the present line, or where what lies before it
        was changed since: then only a void can go back there.
        """
        for index in range(self._cursor, 0, -1):
            version = self._versions[index]
            if version.made == number:
                earlier = self._versions[index - 1]
                steps = _chain(self._versions[self._cursor].head)
                mine = version.head
                kept = index == self._cursor or mine is None or any(s is mine for s in steps)
                return earlier.made if kept else None
        return None

    def row_for(self, kind: Kind, **fields: Any) -> tuple[Row, tuple[Any, ...]]:
        """Return the row to be stored next; its events are encoded from `events`."""
        events = tuple(fields.pop("events", ()))
        encoded = msgspec.msgpack.encode(events) if kind == "answer" else b""
        return Row(self.next_number, kind, events=encoded, **fields), events

    def add(self, row: Row, state: Any = None) -> None:
        """Take a stored row into the log. `state` is the state after an answer's events."""
        self._place(row)
        if row.kind == "answer" and state is not None:
            self.state = state
        elif row.kind != "box":
            self.state = self.fold()

    def events_of(self, row: Row) -> tuple[Any, ...]:
        """Return the events of a row, decoded strictly."""
        return self._events.decode(row.events) if row.events else ()

    def _place(self, row: Row) -> None:
        if row.number != len(self.rows):
            raise ValueError(f"log row {row.number} where {len(self.rows)} was expected")
        self.rows.append(row)
        head, voided = self._versions[self._cursor].head, self.voided
        match row.kind:
            case "answer":
                self._branch(_Version(row.number, self._live(head, row), voided))
            case "void" | "amend":
                self._branch(self._rewritten(row))
            case "undo" | "redo":
                self._cursor = next(
                    index for index, v in enumerate(self._versions) if v.made == row.target
                )
            case _:
                pass

    def _branch(self, version: _Version) -> None:
        del self._versions[self._cursor + 1 :]
        self._versions.append(version)
        self._cursor += 1

    def _live(self, before: LiveStep | None, row: Row, mark: Mark = "") -> LiveStep:
        return LiveStep(before, row, self.events_of(row), mark)

    def _rewritten(self, control: Row) -> _Version:
        """Return the version that a void or an amend makes: its steps behind the untouched past."""
        steps = self.live()
        first = next(
            (n for n, step in enumerate(steps) if step.row.number == control.target), len(steps)
        )
        head = steps[first - 1] if first else None
        changed = {step.row.number: step.row for step in steps[first:]}
        for redone in control.again:
            row = changed.get(redone.number, Row(redone.number, "answer"))
            said = redone.answer
            if said is not None:
                row = msgspec.structs.replace(
                    row, answer=said, person=said.person, source=said.source, at=control.at
                )
            row = msgspec.structs.replace(
                row,
                events=redone.events,
                objections=redone.objections,
                known=redone.known,
                changes=redone.changes,
            )
            head = self._live(head, row, redone.mark)
        left = {redone.number for redone in control.again}
        return _Version(control.number, head, (self.voided | changed.keys()) - left)


def _chain(head: LiveStep | None) -> Iterator[LiveStep]:
    steps: list[LiveStep] = []
    while head is not None:
        steps.append(head)
        head = head.before
    return reversed(steps)


def _tuple_of(events: Any) -> Any:
    """The type `tuple[events, ...]`; which events there are is known only at run time."""
    return tuple[events, ...]
