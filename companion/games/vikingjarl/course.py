"""What an answer leads to: events told one after the other, each true before the next is decided.

A rule that needs to see what came of the events before it reads `now`: a copy, made only then.
The state that the table holds is never touched (DESIGN 4).
"""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.applying import apply
from companion.games.vikingjarl.frames import Frame
from companion.games.vikingjarl.state import State, clone
from companion.terms import Box


class Course:
    """The events of one decision, and the state as they leave it."""

    __slots__ = ("_copy", "_true", "before", "box", "events")

    def __init__(self, state: State, box: Box) -> None:
        self.before, self.box = state, box
        self.events: list[Any] = []
        self._copy: State | None = None
        self._true = 0

    @property
    def now(self) -> State:
        """The state after all events so far; only to be read."""
        if self._true == len(self.events):
            return self._copy or self.before
        if self._copy is None:
            self._copy = clone(self.before)
        for event in self.events[self._true :]:
            apply(self._copy, event)
        self._true = len(self.events)
        return self._copy

    def tell(self, *events: Any) -> None:
        """Let these events happen next."""
        self.events += events

    def begin(self, frame: Frame) -> None:
        """Lay something on the stack of what is being resolved."""
        self.events.append(e.Began(frame))

    def become(self, frame: Frame) -> None:
        """Let the top of the stack go on as this."""
        self.events.append(e.Became(frame))

    def resolve(self) -> None:
        """Take the top off the stack."""
        self.events.append(e.Resolved())

    # ---- what comes from the bank and the supply, and what goes back (specification 1, R29)

    def gain_silver(self, jarl: str, number: int, why: str) -> None:
        """Pay silver from the bank, as far as it reaches."""
        paid = payable(self.now, number)
        if paid > 0:
            self.tell(e.SilverChanged(jarl, paid, why))

    def lose_silver(self, jarl: str, number: int, why: str) -> None:
        """Take silver to the bank, as far as the Jarl has it."""
        state = self.now
        taken = min(number, state.silver(state.jarl(jarl)))
        if taken > 0:
            self.tell(e.SilverChanged(jarl, -taken, why))

    def gain_vikings(self, jarl: str, number: int, store: str) -> int:
        """Place Vikings of the own supply, as far as it reaches; return how many."""
        placed = min(number, max(0, self.now.jarl(jarl).supply))
        if placed > 0:
            self.tell(e.VikingsCame(jarl, placed, store))
        return max(0, placed)

    def lose_vikings(self, jarl: str, number: int, store: str) -> int:
        """Return Vikings of a store to the supply, as far as there are any; return how many."""
        lost = min(number, self.now.jarl(jarl).in_store(store, "v"))
        if lost > 0:
            self.tell(e.VikingsLost(jarl, lost, store))
        return max(0, lost)

    def change_victory(self, jarl: str, number: int, why: str) -> int:
        """Change victory points; they never drop below 0 unless the house plays so (R19).

        The track is the record: tokens that ran out never bar a gain (R31).
        """
        if number < 0 and self.before.switches["vp_floor"] == "0":
            number = max(number, -max(0, self.now.jarl(jarl).vp))
        if number:
            self.tell(e.VictoryChanged(jarl, number, why))
        return number


def payable(state: State, number: int) -> int:
    """Return what the bank can pay of some silver (R29)."""
    if state.switches["silver_shortage"] == "unlimited":
        return number
    return max(0, min(number, state.bank))
