"""Dice and cards at the table: what the devices saw becomes proposals, and proposals answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Literal

import msgspec

from companion.session import Row
from companion.store import NotKept, Store
from companion.table.phones import TableWithPhones
from companion.table.records import (
    CardProposal,
    Look,
    MovedOn,
    Outcome,
    Proposal,
    Refused,
    Taken,
)
from companion.table.throws import fits_still, propose, value_of
from companion.terms import (
    Answer,
    CardOf,
    CardReading,
    Cards,
    DiceReading,
    Done,
    Faces,
    Game,
    NoSuchKey,
    Question,
    Reading,
    Source,
    Unknown,
)

log = logging.getLogger(__name__)
_PROBE = 5.0  # seconds between looks whether a store in trouble writes again
_MOST_LEFT = 10
"""Questions that one card may leave to the table; more than any card asks."""


class Table(TableWithPhones):
    """The whole table: answers, the past, phones, and what the devices bring.

    `grace` is how long (seconds) a certain roll that was asked for waits before the table takes
    it by itself; `patience` how long a patient question waits for its default. 0 turns either off.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        wall: Callable[[], float | None] = time.time,
        grace: float = 4.0,
        patience: float = 30.0,
    ) -> None:
        self._grace, self._patience = grace, patience
        self._throws: list[Proposal] = []
        self._cards: list[CardProposal] = []
        self._counter = 0
        self._settled: dict[str, int] = {}
        self._only_by_tap: set[str] = set()
        self._patient_since: dict[str, float] = {}
        self._probe_at = 0.0
        super().__init__(store, games, wall)

    def look(self, seat: str | None = None) -> Look:
        """Return all that this seat may see, at one revision."""
        with self._lock:
            return msgspec.structs.replace(
                super().look(seat), proposals=tuple(self._throws), cards=tuple(self._cards)
            )

    def answer(self, answer: Answer, rev: int | None = None, id: str | None = None) -> Outcome:
        """Take an answer, see `TableCore`. What a scorekeeper's card would ask is done by hand."""
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

    def touch(self) -> None:
        """Stop every grace time: somebody is looking at it."""
        with self._lock:
            stopped = [msgspec.structs.replace(p, grace_until=None) for p in self._throws]
            if stopped != self._throws:
                self._throws = stopped
                self._tell()

    def set_scorekeeper(self, on: bool) -> None:
        """Switch the level of help; the scorekeeper takes no throw by itself."""
        with self._lock:
            if on:
                self.touch()
            super().set_scorekeeper(on)

    # ---- throws

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

    # ---- cards

    def name_card(
        self, proposal: int, card: str, person: str = "", id: str | None = None
    ) -> Outcome:
        """Say which card a tag is; remembered for every later game. Raises `NoSuchKey`."""
        with self._lock:
            found = next((c for c in self._cards if c.id == proposal), None)
            if found is None or self._now is None:
                return self._moved_on()
            titles = self.card_titles()
            if card not in titles:
                raise NoSuchKey(card, f"a card title: {', '.join(titles)}")
            self._store.remember("tags", self._now.session.game.NAME, found.uid, card)
            with self._or_as_before():
                self._cards = [c for c in self._cards if c.id != proposal]
                self._play(found.reading, found.uid, card)
            self._tell()
            return Taken(self._rev)

    def play_card(
        self,
        proposal: int,
        key: str,
        insist: bool = False,
        person: str = "",
        seat: str | None = None,
        id: str | None = None,
    ) -> Outcome:
        """Say whose tapped card it is, or that it was played anyway."""
        with self._lock:
            found = next((c for c in self._cards if c.id == proposal), None)
            asked = self._question(key)
            if found is None or asked is None:
                return self._moved_on()
            insist = insist or self._scorekeeper  # whoever only keeps the score hears no rules
            outcome = self.answer(self._card_answer(asked, found, person, insist), id=id)
            if isinstance(outcome, Taken):
                self._cards = [c for c in self._cards if c.id != proposal]
                self._tell()
            elif isinstance(outcome, Refused):
                self._cards = [
                    msgspec.structs.replace(c, key=key, objections=outcome.objections)
                    if c.id == proposal
                    else c
                    for c in self._cards
                ]
                self._tell()
            return outcome

    def card_titles(self) -> tuple[str, ...]:
        """Return the card ids that the open questions know, in their order."""
        with self._lock:
            questions = self._now.questions if self._now else ()
            wants = [q.wants for q in questions if isinstance(q.wants, CardOf)]
            return tuple(dict.fromkeys(option.id for want in wants for option in want.options))

    # ---- what the core tells this part

    def _position_changed(self) -> None:
        if self._now is None:
            return
        questions = self._now.questions
        open_keys = {q.key for q in questions}
        self._patient_since = {k: t for k, t in self._patient_since.items() if k in open_keys}
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
        if face is not None and face not in (proposal.faces or self._all_faces()):
            raise NoSuchKey(face, f"one of {', '.join(proposal.faces or self._all_faces())}")
        if side is not None and side not in proposal.sides:
            raise NoSuchKey(side, f"one of {', '.join(proposal.sides)}")
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

    def _read_card(self, reading: CardReading) -> None:
        body = msgspec.msgpack.encode(reading)
        number = self._store.add_reading(body, {}, self._game_id())
        game = self._now.session.game.NAME if self._now else ""
        known = self._store.recall("tags", game=game, uid=reading.uid)
        with self._or_as_before():
            self._cards = [c for c in self._cards if c.uid != reading.uid]
            if not known:
                self._counter += 1
                self._cards.append(CardProposal(self._counter, number, reading.uid, ""))
                return
            self._play(number, reading.uid, str(known[0][2]))

    def _play(self, reading: int, uid: str, card: str) -> None:
        """Give a card to the question that wants it; ask whose it is, or say why not now."""
        assert self._now is not None
        self._counter += 1
        proposal = CardProposal(self._counter, reading, uid, card)
        wanting = [
            q
            for q in self._now.questions
            if isinstance(q.wants, CardOf) and any(o.id == card for o in q.wants.options)
        ]
        # of each seat only the first question: a card that may not be played now must not
        # silently answer a later one, such as throwing it away for silver
        wanting.sort(key=lambda q: q.urgency != "now")
        wanting = list({q.seats: q for q in reversed(wanting)}.values())[::-1]
        fitting: list[Question] = []
        refused: list[tuple[Question, Refused]] = []
        session, box = self._now.session, self._now.box
        for question in wanting:
            answer = self._card_answer(question, proposal, "", insist=False)
            try:
                objections = session.game.check(session.state, answer, box.pinned())
            except Unknown:  # answering it asks for the printed value
                objections = ()
            if objections:
                refused.append((question, Refused(self._rev, objections)))
            else:
                fitting.append(question)
        if self._scorekeeper:  # it only shows the card, and asks whose it was
            keys = tuple(q.key for q in wanting)
            self._cards.append(msgspec.structs.replace(proposal, choices=keys))
            return
        urgent = [q for q in fitting if q.urgency == "now"] or fitting
        if len(urgent) == 1:
            self.answer(self._card_answer(urgent[0], proposal, "", insist=False))
            return
        if urgent:
            self._cards.append(
                msgspec.structs.replace(proposal, choices=tuple(q.key for q in urgent))
            )
            return
        self._cards.append(
            msgspec.structs.replace(
                proposal,
                choices=tuple(q.key for q, _ in refused),
                key=refused[0][0].key if refused else "",
                objections=refused[0][1].objections if refused else (),
            )
        )

    def _card_answer(
        self, question: Question, card: CardProposal, person: str, insist: bool
    ) -> Answer:
        seat = question.seats[0] if len(question.seats) == 1 else None
        source = Source("card", card.reading, "card_reader")
        return Answer(question.key, Cards((card.card,)), seat, person, insist, source)

    @contextmanager
    def _or_as_before(self) -> Generator[None]:
        """Leave throws and cards as they were where what follows from them cannot be kept."""
        before = self._throws, list(self._cards)
        try:
            yield
        except NotKept:
            self._throws, self._cards = before
            raise

    def _game_id(self) -> int:
        return self._now.id if self._now else 0

    def _throw(self, number: int) -> Proposal | None:
        return next((p for p in self._throws if p.id == number), None)

    def _put(self, proposal: Proposal) -> None:
        self._throws = [proposal if p.id == proposal.id else p for p in self._throws]

    def _all_faces(self) -> tuple[str, ...]:
        questions = self._now.questions if self._now else ()
        faces = [f for q in questions if isinstance(q.wants, Faces) for f in q.wants.faces]
        return tuple(dict.fromkeys(faces))


__all__ = ["MovedOn", "Table"]
