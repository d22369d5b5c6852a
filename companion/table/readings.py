"""The whole table: what its devices bring, and what happens when nobody answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

import msgspec

from companion.store import NotKept, Store
from companion.table.records import Look, Outcome, Taken
from companion.table.throwing import Corrected, TableWithThrows
from companion.terms import (
    Answer,
    CardOf,
    CardReading,
    DiceReading,
    Done,
    Game,
    Reading,
    Source,
)

log = logging.getLogger(__name__)
_PROBE = 5.0  # seconds between looks whether a store in trouble writes again
_MOST_LEFT = 10
"""Questions that one card may leave to the table; more than any card asks."""


class Table(TableWithThrows):
    """The whole table: answers, the past, phones, and what the devices bring.

    `grace` and `corrected` as in `TableWithThrows`; `patience` is how long (seconds) a patient
    question waits for its default, 0: for ever.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        wall: Callable[[], float | None] = time.time,
        grace: float = 4.0,
        patience: float = 30.0,
        corrected: Corrected | None = None,
    ) -> None:
        self._patience = patience
        self._patient_since: dict[str, float] = {}
        self._probe_at = 0.0
        super().__init__(store, games, wall, grace, corrected)

    def look(self, seat: str | None = None) -> Look:
        """Return all that this seat may see, at one revision."""
        with self._lock:
            return msgspec.structs.replace(
                super().look(seat), proposals=tuple(self._throws), cards=tuple(self._cards)
            )

    def answer(self, answer: Answer, rev: int | None = None, id: str | None = None) -> Outcome:
        """Take an answer; what a scorekeeper's card would ask is left to the table."""
        with self._lock:
            asked = self._question(answer.key)
            offered = (
                self._scorekeeper
                and asked is not None
                and asked.urgency == "offer"
                and isinstance(asked.wants, CardOf)
            )
            before = {q.key for q in self._now.questions} if self._now and offered else set[str]()
            outcome = super().answer(answer, rev, id)
            if offered and isinstance(outcome, Taken):
                self._leave_to_the_table(before)
            return outcome

    # ---- what devices bring

    def read(self, reading: Reading, now: float | None = None) -> None:
        """Take in what a device saw. `now` is the monotonic second."""
        with self._lock:
            moment = time.monotonic() if now is None else now
            match reading:
                case DiceReading():
                    self._read_dice(reading, moment)
                case CardReading(kind="arrived"):
                    self._read_card(reading)
                case _:
                    return
            self._tell()

    def tick(self, now: float) -> None:
        """Let time pass: take a certain roll whose grace is over, and answer what waited long."""
        with self._lock:
            if self._store.trouble is not None and now >= self._probe_at:
                self._probe_at = now + _PROBE
                self._store.probe()
            try:
                self._take_what_waited(now)
            except NotKept as error:
                log.warning("%s", error)  # the Table page shows it; people go on by tap

    def set_scorekeeper(self, on: bool) -> None:
        """Switch the level of help; the scorekeeper takes no throw by itself."""
        with self._lock:
            if on:
                self.touch()
            super().set_scorekeeper(on)

    # ---- private

    def _position_changed(self) -> None:
        if self._now is None:
            return
        open_keys = {q.key for q in self._now.questions}
        self._patient_since = {k: t for k, t in self._patient_since.items() if k in open_keys}
        super()._position_changed()

    def _leave_to_the_table(self, before: set[str]) -> None:
        """Answer "it happened at the table" to what was not asked before."""
        for _ in range(_MOST_LEFT):
            questions = self._now.questions if self._now else ()
            opened = [q for q in questions if q.urgency == "now" and q.done]
            asked = next((q for q in opened if q.key not in before), None)
            if asked is None or asked.key.startswith("box:"):
                return
            seat = asked.seats[0] if asked.seats else None
            super().answer(Answer(asked.key, Done(), seat, source=Source("table")))

    def _take_what_waited(self, now: float) -> None:
        for proposal in list(self._throws):
            if proposal.grace_until is not None and now >= proposal.grace_until:
                self._put(msgspec.structs.replace(proposal, grace_until=None))
                self.accept(proposal.id, source="table")
        if self._now is None or not self._patience or self._scorekeeper:
            return
        for question in self._now.questions:
            if question.patient and question.default and question.key not in self._only_by_tap:
                since = self._patient_since.setdefault(question.key, now)
                if now - since >= self._patience:
                    self._patient_since[question.key] = now
                    self.go_on(question.key)
                    return
