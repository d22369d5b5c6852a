"""Cards at the table: a tag is named once, and a known card given to the question that wants it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

import msgspec

from companion.store import NotKept, Store
from companion.table.phones import TableWithPhones
from companion.table.proposals import CardProposal, Proposal
from companion.table.records import Outcome, Refused, Taken
from companion.terms import (
    Answer,
    CardOf,
    CardReading,
    Cards,
    Game,
    NoSuchKey,
    Question,
    Source,
    Unknown,
    say,
)


class TableWithCards(TableWithPhones):
    """The table and the cards that were tapped."""

    def __init__(
        self, store: Store, games: Mapping[str, Game], wall: Callable[[], float | None]
    ) -> None:
        self._throws: list[Proposal] = []
        self._cards: list[CardProposal] = []
        self._counter = 0
        super().__init__(store, games, wall)

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
                raise NoSuchKey(card, say("expected.one_of", known=list(titles)))
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

    # ---- private

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
        # Whoever's turn it is comes first: an objection should speak of their card. Of each seat
        # only the first question: a card that may not be played now must not silently answer a
        # later one, such as throwing it away for silver.
        turn = self._now.view(None).turn
        wanting.sort(key=lambda q: (q.urgency != "now", turn not in q.seats))
        of_seat: dict[tuple[str, ...], Question] = {}
        for question in wanting:
            of_seat.setdefault(question.seats, question)
        wanting = list(of_seat.values())
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
