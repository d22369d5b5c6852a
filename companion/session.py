"""One game as a log: what was said, what followed, and the state that is the fold of it.

The log only grows. Undo and redo are rows of their own: they move along the line of versions that
the answers made, and a new answer ends what could be redone. The state never comes from `decide`
again: it is the fold of the stored events of the live steps (DESIGN 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

import msgspec

from companion.terms import Answer, Game, Objection, Seat, Source

Kind = Literal["start", "answer", "undo", "redo", "void", "amend", "box"]


class Row(msgspec.Struct, frozen=True):
    """One line of the log.

    `events` are the game's events in msgpack. `target` is, for undo and redo, the row whose
    version stands afterwards; `known` are the box values that the decision read; `at` is wall
    time in seconds where the clock was trusted.
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


class _Node:
    """One live step behind the one before it; versions share their common past."""

    __slots__ = ("before", "events", "row")

    def __init__(self, before: _Node | None, row: Row, events: tuple[Any, ...]) -> None:
        self.before, self.row, self.events = before, row, events


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
        self._versions: list[tuple[int, _Node | None]] = [(0, None)]
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
        return self._versions[self._cursor][0]

    @property
    def undoable(self) -> int | None:
        """The row that an undo would take back, None at the start."""
        return self.last_live if self._cursor else None

    @property
    def redoable(self) -> int | None:
        """The row that a redo would bring back."""
        further = self._cursor + 1
        return self._versions[further][0] if further < len(self._versions) else None

    def live(self) -> list[tuple[Row, tuple[Any, ...]]]:
        """Return the live steps in order, each with its events."""
        return [(node.row, node.events) for node in self._chain(self._versions[self._cursor][1])]

    def live_numbers(self) -> set[int]:
        """Return the numbers of the live steps."""
        return {row.number for row, _ in self.live()}

    def fold(self, until: int | None = None) -> Any:
        """Return the state as the fold of the live events, up to and with row `until`."""
        state = self.game.setup(self.start.seats, self.start.choices)
        for row, events in self.live():
            if until is not None and row.number > until:
                break
            for event in events:
                self.game.apply(state, event)
        return state

    def copy(self) -> Any:
        """Return a copy of the state to try something on (a msgpack round trip)."""
        kind = cast("type[Any]", type(self.state))
        return msgspec.msgpack.decode(msgspec.msgpack.encode(self.state), type=kind)

    def before(self, number: int) -> int | None:
        """Return the row whose version stood just before row `number` was made.

        None where row `number` is not on the present line.
        """
        for index in range(self._cursor, 0, -1):
            if self._versions[index][0] == number:
                return self._versions[index - 1][0]
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
        if row.kind == "answer":
            del self._versions[self._cursor + 1 :]
            head = self._versions[self._cursor][1]
            self._versions.append((row.number, _Node(head, row, self.events_of(row))))
            self._cursor += 1
        elif row.kind in {"undo", "redo"}:
            self._cursor = next(
                index for index, (made, _) in enumerate(self._versions) if made == row.target
            )

    @staticmethod
    def _chain(head: _Node | None) -> Iterator[_Node]:
        nodes: list[_Node] = []
        while head is not None:
            nodes.append(head)
            head = head.before
        return reversed(nodes)


def _tuple_of(events: Any) -> Any:
    """The type `tuple[events, ...]`; which events there are is known only at run time."""
    return tuple[events, ...]
