"""Throws at the table: what was seen becomes a proposal; people correct, take or dismiss it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from companion.session import Row
from companion.store import Store
from companion.table.cards import TableWithCards
from companion.table.proposals import Proposal
from companion.table.records import Outcome, Taken
from companion.table.throws import fits_still, propose, value_of
from companion.terms import (
    Answer,
    DiceReading,
    Faces,
    Game,
    NoSuchKey,
    Question,
    SeenDie,
    Source,
    say,
)

Corrected = Callable[[str, SeenDie, str, bytes], None]
"""Told each die that a person corrected in a throw that was taken: its set, the die as seen, the
face it shows, and its picture as JPEG."""


class TableWithThrows(TableWithCards):
    """The table and the throws that lie in its tray.

    `grace` is how long (seconds) a certain roll that was asked for waits before the table takes
    it by itself, 0: never. `corrected` is told of every die that a person corrected.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        wall: Callable[[], float | None],
        grace: float,
        corrected: Corrected | None,
    ) -> None:
        self._grace, self._corrected = grace, corrected
        self._settled: dict[str, int] = {}
        self._only_by_tap: set[str] = set()
        super().__init__(store, games, wall)

    def correct(
        self,
        proposal: int,
        die: int,
        face: str | None = None,
        side: str | None = None,
        used: bool | None = None,
        person: str = "",
        seat: str | None = None,
        rev: int | None = None,
        id: str | None = None,
    ) -> Outcome:
        """Say what a die shows, whose it is, or whether it counts.

        When this settles the last doubt of an exact throw, the throw is taken. `rev` is not
        looked at: a proposal has its own number.
        """
        with self._lock:
            return self._once(
                id, lambda: self._correct(proposal, die, face, side, used, person, seat, id)
            )

    def accept(
        self,
        proposal: int,
        person: str = "",
        seat: str | None = None,
        question: str | None = None,
        insist: bool = False,
        rev: int | None = None,
        id: str | None = None,
        source: Literal["throw", "table"] = "throw",
    ) -> Outcome:
        """Take a throw as the answer to its question (or to another that it fits)."""
        with self._lock:
            found = self._throw(proposal)
            if found is None:
                return self._once(id, self._moved_on)
            if question is not None and question != found.question:
                asked = self._question(question)
                if asked is None or question not in found.fitting:
                    return self._moved_on()
                found = self._matched(found, [asked])
            if not found.complete:
                return self._moved_on()
            asked = self._question(found.question)
            seats = asked.seats if asked else ()
            corrected = any(die.by_hand for die in found.dice)
            outcome = self.answer(
                Answer(
                    found.question,
                    value_of(found),
                    seat if seat in seats or not seats else seats[0],
                    person,
                    insist,
                    Source("throw", found.reading, "tray_camera", corrected),
                ),
                id=id,
            )
            if isinstance(outcome, Taken):
                self._throws = [p for p in self._throws if p.id != proposal]
                self._tell_corrected(found)
                self._tell()
            elif source == "table":
                self._put(msgspec.structs.replace(found, grace_until=None))
            return outcome

    def dismiss(self, proposal: int, person: str = "", id: str | None = None) -> Outcome:
        """Put a throw or a card aside: thrown again, or seen and not used."""
        with self._lock:
            before = len(self._throws) + len(self._cards)
            self._throws = [p for p in self._throws if p.id != proposal]
            self._cards = [p for p in self._cards if p.id != proposal]
            if before == len(self._throws) + len(self._cards):
                return self._moved_on()
            self._tell()
            return Taken(self._rev)

    def touch(self) -> None:
        """Stop every grace time: somebody is looking at it."""
        with self._lock:
            stopped = [msgspec.structs.replace(p, grace_until=None) for p in self._throws]
            if stopped != self._throws:
                self._throws = stopped
                self._tell()

    # ---- what the core tells this part

    def _position_changed(self) -> None:
        if self._now is None:
            return
        questions = self._now.questions
        self._throws = [
            p
            if not p.question or fits_still(p, questions)
            else msgspec.structs.replace(p, question="", fitting=(), grace_until=None)
            for p in self._throws
        ][-3:]
        if self._throws and not self._throws[-1].question:
            again = self._matched(self._throws[-1], questions)
            if again.question or again.fitting:
                self._throws[-1] = again

    def _undone(self, row: Row) -> None:
        """What grace or patience took and somebody undid comes back, and only a tap takes it."""
        if row.answer is None:
            return
        if not row.person:
            self._only_by_tap.add(row.answer.key)
        body = self._store.reading(row.source.reading) if row.source.reading else None
        if row.source.kind == "throw" and body and row.source.reading:
            reading = msgspec.msgpack.decode(body, type=DiceReading)
            self._propose(reading, row.source.reading, None)
            self._tell()

    # ---- private

    def _read_dice(self, reading: DiceReading, now: float) -> None:
        if self._settled.get(reading.device) == reading.settle:
            return
        bare = msgspec.structs.replace(reading, pictures={})
        number = self._store.add_reading(
            msgspec.msgpack.encode(bare), reading.pictures, self._game_id()
        )
        self._settled[reading.device] = reading.settle
        if not reading.dice and not reading.warnings:
            return
        self._propose(reading, number, now)

    def _propose(self, reading: DiceReading, number: int, now: float | None) -> None:
        questions = self._now.questions if self._now else ()
        self._counter += 1
        earlier = next((p for p in reversed(self._throws) if p.question and p.missing), None)
        proposal = propose(self._counter, reading, number, questions, earlier)
        asked = next((q for q in questions if q.key == proposal.question), None)
        by_itself = (
            self._grace > 0
            and not self._scorekeeper
            and now is not None
            and proposal.complete
            and asked is not None
            and asked.urgency == "now"
            and asked.key not in self._only_by_tap
            and not reading.warnings
        )
        if by_itself and now is not None:
            proposal = msgspec.structs.replace(
                proposal, grace_until=now + self._grace, grace_seconds=self._grace
            )
        same = [p for p in self._throws if p.question and p.question == proposal.question]
        self._throws = [*[p for p in self._throws if p not in same][-2:], proposal]

    def _matched(
        self, proposal: Proposal, questions: list[Question] | tuple[Question, ...]
    ) -> Proposal:
        """Match a stored throw again; what people said of its dice stays said."""
        body = self._store.reading(proposal.reading)
        if body is None:
            return proposal
        reading = msgspec.msgpack.decode(body, type=DiceReading)
        again = propose(proposal.id, reading, proposal.reading, questions)
        if len(again.dice) != len(proposal.dice):
            return proposal
        dice = tuple(
            msgspec.structs.replace(new, face=old.face, by_hand=True) if old.by_hand else new
            for new, old in zip(again.dice, proposal.dice, strict=True)
        )
        return msgspec.structs.replace(again, dice=dice)

    def _tell_corrected(self, taken: Proposal) -> None:
        """Hand on the dice that a person corrected, so that the reader can learn from them."""
        body = self._store.reading(taken.reading)
        if self._corrected is None or body is None:
            return
        dice_set = msgspec.msgpack.decode(body, type=DiceReading).set
        for die in taken.dice:
            jpeg = self._store.picture(die.seen.crop) if die.seen.crop else None
            if die.by_hand and die.used and die.face and jpeg:
                self._corrected(dice_set, die.seen, die.face, jpeg)

    def _correct(
        self,
        number: int,
        index: int,
        face: str | None,
        side: str | None,
        used: bool | None,
        person: str,
        seat: str | None,
        id: str | None,
    ) -> Outcome:
        proposal = self._throw(number)
        if proposal is None or not 0 <= index < len(proposal.dice):
            return self._moved_on()
        die = proposal.dice[index]
        faces = proposal.faces or self._all_faces()
        if face is not None and face not in faces:
            raise NoSuchKey(face, say("expected.one_of", known=list(faces)))
        if side is not None and side not in proposal.sides:
            raise NoSuchKey(side, say("expected.one_of", known=list(proposal.sides)))
        doubtful = not proposal.complete
        changed = msgspec.structs.replace(
            die,
            face=face or die.face,
            side=side or die.side,
            used=die.used if used is None else used,
            by_hand=die.by_hand or face is not None,
        )
        dice = (*proposal.dice[:index], changed, *proposal.dice[index + 1 :])
        proposal = msgspec.structs.replace(proposal, dice=dice, grace_until=None)
        with self._or_as_before():
            self._put(proposal)
            self._tell()
            if doubtful and proposal.complete:
                return self.accept(number, person, seat, id=id)
        return Taken(self._rev)

    def _throw(self, number: int) -> Proposal | None:
        return next((p for p in self._throws if p.id == number), None)

    def _put(self, proposal: Proposal) -> None:
        self._throws = [proposal if p.id == proposal.id else p for p in self._throws]

    def _all_faces(self) -> tuple[str, ...]:
        questions = self._now.questions if self._now else ()
        faces = [f for q in questions if isinstance(q.wants, Faces) for f in q.wants.faces]
        return tuple(dict.fromkeys(faces))
