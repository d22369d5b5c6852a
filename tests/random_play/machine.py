"""One machine that plays every game at random, as unruly people at a table would.

It answers what is asked (urgent questions first, by and large), corrects numbers, insists, says
"it happened", undoes, redoes, strikes out and puts right steps of the past, throws dice into the
tray, taps cards, and pulls the plug. After each deed it looks whether the table still holds
together (DESIGN 5, "Invariants").
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec

from companion.table import (
    Missing,
    MovedOn,
    Outcome,
    Refused,
    Rewrite,
    Stopped,
    Table,
    Taken,
)
from companion.terms import (
    Answer,
    CardOf,
    CardReading,
    Count,
    DiceReading,
    Faces,
    Question,
    SeenDie,
    say,
)
from tests.vikingjarl.at_random import answer_of

Holds = Callable[[Any], None]
"""Raises where a state of this game does not hold together."""


class Machine:
    """Somebody at the table, with chance for a mind.

    `reopen` closes the table and opens it again, as after the power cord; `holds` knows the
    game's own invariants; `begin` lays a new game out.
    """

    def __init__(
        self,
        reopen: Callable[[], Table],
        begin: Callable[[Table], None],
        holds: Holds,
        chance: random.Random,
    ) -> None:
        self._reopen, self._begin, self._holds, self._chance = reopen, begin, holds, chance
        self._settled = 0
        self.table = reopen()
        self.done: dict[str, int] = {}
        self._deeds: list[tuple[float, Callable[[], Outcome | None]]] = [
            (60, self._answer),
            (8, self._correct_a_number),
            (6, self._undo),
            (3, self._redo),
            (1, self._go_back),
            (4, self._strike_out),
            (5, self._put_right),
            (6, self._throw),
            (2, self._tap_a_card),
            (3, self._settle_a_proposal),
            (0.4, self._pull_the_plug),
        ]

    def step(self) -> Outcome | None:
        """Do one thing, and see that all holds together; return what the table said."""
        look = self.table.look()
        if look.game is None or (look.view and look.view.result is not None and self._odds(0.2)):
            self._begin(self.table)
        weights = [weight for weight, _ in self._deeds]
        (_, deed) = self._chance.choices(self._deeds, weights)[0]
        name = deed.__name__.strip("_")
        outcome = deed()
        told = f"{name}: {type(outcome).__name__}"
        self.done[told] = self.done.get(told, 0) + 1
        self.look_around()
        return outcome

    def look_around(self) -> None:
        """See that the table holds together."""
        now = self.table._now  # the invariants speak of the log itself
        assert now is not None
        session = now.session
        assert session.fold() == session.state, "the state is the fold of the log"
        if any(step.mark == "kept" for step in session.live()):
            self._look_for_disputes()  # what was kept as it happened may not add up
        else:
            self._holds(session.state)
        keys = [question.key for question in now.questions]
        assert len(keys) == len(set(keys)), f"asked twice: {keys}"
        look = self.table.look()
        assert look.view is not None
        assert keys or look.view.result is not None, "neither a question nor a result"
        if self._odds(0.05):
            self._look_at_a_trail()

    # ---- deeds

    def _answer(self) -> Outcome | None:
        questions = self._now.questions
        urgent = [q for q in questions if q.urgency == "now"]
        if not questions:
            return None
        asked = self._chance.choice(urgent if urgent and self._odds(0.7) else questions)
        return self._say(answer_of(asked, self._chance))

    def _correct_a_number(self) -> Outcome | None:
        seat = self._chance.choice([None, *(s.id for s in self._now.seats)])
        view = self.table.look(seat).view
        facts = [f for f in view.facts if f.set_by is not None] if view else []
        if not facts:
            return None
        fact = self._chance.choice(facts)
        asked = Question(f"fact:{fact.key}", (), fact.label, fact.set_by, done=False)
        return self._say(msgspec.structs.replace(answer_of(asked, self._chance), seat=seat))

    def _undo(self) -> Outcome:
        return self.table.undo(person="Signe")

    def _redo(self) -> Outcome:
        return self.table.redo(person="Signe")

    def _go_back(self) -> Outcome:
        live = self._live()
        return self.table.undo(to=self._chance.choice(live[-6:]) if live else 1)

    def _strike_out(self) -> Outcome | None:
        live = self._live()
        return self._rewrite(Rewrite(self._chance.choice(live[-15:]))) if live else None

    def _put_right(self) -> Outcome | None:
        live = self._live()
        if not live:
            return None
        number = self._chance.choice(live[-15:])
        said = self.table.said_at(number, self._chance.choice([s.id for s in self._now.seats]))
        if said is None:
            return None
        asked = said.question
        if said.fact is not None and said.fact.set_by is not None:
            asked = Question(said.answer.key, (), said.fact.label, said.fact.set_by, done=False)
        if asked is None:
            return None
        answer = answer_of(asked, self._chance)
        return self._rewrite(
            Rewrite(number, msgspec.structs.replace(answer, insist=self._odds(0.5)))
        )

    def _rewrite(self, plan: Rewrite) -> Outcome:
        """Change the past; where deciding stops, go one of the three ways on."""
        tries = 0
        while True:
            tries += 1
            forward = self.table.preview_rewrite(plan)
            outcome = self.table.rewrite(plan, "Maike", rev=forward.rev)
            assert isinstance(outcome, MovedOn) is False, "the preview was of this very position"
            assert isinstance(outcome, Stopped) == bool(forward.stop or forward.needs)
            if not isinstance(outcome, Stopped):
                return outcome
            stop = outcome.stop
            if stop.needs:
                self._tell_the_box(stop.needs)
                continue
            ways = ["keep", "back", "out", "missing", "missing"]
            way = self._chance.choice(ways if tries < 12 else ["keep", "back"])
            if way in ("keep", "back"):
                plan = msgspec.structs.replace(plan, way=way)
                continue
            asked = [q for q in stop.questions if q.urgency == "now"] or list(stop.questions)
            answer = None
            if way == "missing" and asked:
                answer = answer_of(self._chance.choice(asked), self._chance)
                answer = msgspec.structs.replace(answer, insist=True)
            if stop.step not in self._live():
                return outcome
            given = Missing(stop.step, answer)
            plan = msgspec.structs.replace(plan, missing=(*plan.missing, given))

    def _tell_the_box(self, key: str) -> None:
        printed = next(v for v in self.table.printed_values() if v.key == key)
        told = Question(f"box:{key}", (), say("box"), printed.wants, done=False)
        outcome = self.table.answer(answer_of(told, self._chance))
        assert isinstance(outcome, Taken)

    def _throw(self) -> Outcome | None:
        """Let the camera see dice: those that are asked for, or any."""
        faces = [q.wants for q in self._now.questions if isinstance(q.wants, Faces)]
        counts = dict(self._chance.choice(faces).counts) if faces else {"black": 2}
        if self._odds(0.3):
            counts["white"] = counts.get("white", 0) + 1
        self._settled += 1
        dice = tuple(
            SeenDie(
                colour,
                self._chance.choice(("helmet", "shield")) if self._odds(0.9) else None,
                self._chance.choice((0.99, 0.6)),
                10.0,
                10.0,
            )
            for colour, number in counts.items()
            for _ in range(number)
        )
        self.table.read(DiceReading("tray_camera", "battle", dice, self._settled, 0.0), now=0.0)
        self.table.tick(self._chance.choice((1.0, 100.0)))
        return None

    def _tap_a_card(self) -> Outcome | None:
        uid = f"04{self._chance.randrange(5):010x}80"
        self.table.read(CardReading("card_reader", uid, "arrived", 0.0))
        titles = self.table.card_titles()
        for card in self.table.look().cards:
            if not card.card and titles:
                return self.table.name_card(card.id, self._chance.choice(titles))
        return None

    def _settle_a_proposal(self) -> Outcome | None:
        look = self.table.look()
        if look.proposals:
            proposal = self._chance.choice(look.proposals)
            index = self._chance.randrange(len(proposal.dice)) if proposal.dice else 0
            if self._odds(0.2):
                return self.table.dismiss(proposal.id)
            if self._odds(0.3):
                return self.table.correct(proposal.id, index, used=self._odds(0.5), person="Tom")
            if proposal.faces and self._odds(0.6):
                face = self._chance.choice(proposal.faces)
                return self.table.correct(proposal.id, index, face=face, person="Tom")
            return self.table.accept(proposal.id, person="Tom", insist=self._odds(0.3))
        if look.cards:
            card = self._chance.choice(look.cards)
            wanting = [q.key for q in look.questions if isinstance(q.wants, CardOf)]
            if card.card and wanting and self._odds(0.6):
                return self.table.play_card(
                    card.id, self._chance.choice(wanting), insist=self._odds(0.5)
                )
            return self.table.dismiss(card.id)
        return None

    def _pull_the_plug(self) -> Outcome | None:
        seats = (None, *(s.id for s in self._now.seats))
        before = [(self.table.look(s).view, self.table.story(s, limit=200)) for s in seats]
        self.table = self._reopen()
        after = [(self.table.look(s).view, self.table.story(s, limit=200)) for s in seats]
        assert after == before, "the table came back otherwise than it was left"
        return None

    # ---- private

    @property
    def _now(self) -> Any:
        now = self.table._now
        assert now is not None
        return now

    def _odds(self, part: float) -> bool:
        return self._chance.random() < part

    def _live(self) -> list[int]:
        return [step.row.number for step in self._now.session.live()]

    def _say(self, answer: Answer) -> Outcome:
        entries = self._now.session.next_number
        outcome = self.table.answer(answer, rev=self.table.rev)
        if isinstance(outcome, Refused):
            assert self._now.session.next_number == entries, "refused, and yet logged"
            if self._odds(0.3):
                outcome = self.table.answer(msgspec.structs.replace(answer, insist=True))
        if isinstance(outcome, Taken) and outcome.pending:
            assert self.table.look().pending, "an answer waits, and nobody can see it"
        return outcome

    def _look_for_disputes(self) -> None:
        """A number that arithmetic made impossible is shown as disputed, and can be set."""
        for seat in (None, *(s.id for s in self._now.seats)):
            view = self.table.look(seat).view
            for fact in view.facts if view else ():
                if isinstance(fact.value, int) and isinstance(fact.set_by, Count):
                    assert fact.disputed or fact.value >= fact.set_by.low, fact.key

    def _look_at_a_trail(self) -> None:
        """The changes along a number's trail join up, and end at what is shown."""
        view = self.table.look().view
        assert view is not None
        fact = self._chance.choice(view.facts)
        trail = self.table.trail(fact.key)
        if trail:
            assert trail[0].changes[0].after == fact.value
        for later, earlier in pairwise(trail):
            assert later.changes[0].before == earlier.changes[0].after
