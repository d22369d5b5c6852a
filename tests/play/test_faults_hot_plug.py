"""All three devices are pulled and put in again, in any order, and the evening goes on by hand."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import pytest

from companion.demo import Demo, uid_of
from companion.table import Taken
from companion.terms import (
    Answer,
    Cards,
    Dice,
    Die,
    Done,
    Filled,
    Number,
    Picked,
    Placed,
)
from tests.play.plugs import DEVICES, SEATS, Plugs, Throws, until

pytestmark = pytest.mark.slow
ORDERS = list(permutations(DEVICES))
ROLL = [("black", "helmet"), ("black", "shield"), ("black", "shield"), ("white", "shield")]


class Evening:
    """Harald stands before Lindisfarne, has cards in his hand, and may roll or play one."""

    def __init__(self, demo: Demo) -> None:
        self._demo, self._table = demo, demo.service.table
        self._table.start("vikingjarl", SEATS, {})
        for answer in (
            Answer("setup.draft", Done()),
            Answer("turn.draw", Done(), "harald"),
            Answer("harald.ship.move", Placed("lindisfarne"), "harald"),
            Answer("harald.ship.act", Picked(("attack:lindisfarne",)), "harald"),
            Answer("battle.commit", Filled({"ship": 4}), "harald"),
            Answer("fact:harald.hand", Number(5)),
        ):
            assert isinstance(self._table.answer(answer), Taken)
        self._silver = 0

    def goes_on_by_hand(self) -> None:
        """A number is set, a roll and a card are told by hand, and the two are taken back."""
        self._silver = (self._silver + 1) % 10
        self._answered(Answer("fact:harald.silver", Number(self._silver), person="Signe"))
        assert self._table.look(None).facts_by_key["harald.silver"] == self._silver
        self._answered(Answer("harald.saga", Cards(("valhalla",)), "harald", "Signe"))
        self._taken_back()
        dice = Dice(tuple(Die(colour, face) for colour, face in ROLL))
        self._answered(Answer("battle.roll", dice, "harald", "Signe"))
        self._taken_back()

    def a_throw_counts(self) -> None:
        """Throw the dice into the tray until the roll is taken from there; take it back."""
        before, table = self._table.look(None).step, self._table
        throws = Throws(self._demo, ROLL)

        def taken() -> bool:
            for throw in table.look(None).proposals:
                if throw.question != "battle.roll" or throw.missing:
                    table.dismiss(throw.id)  # two dice that nobody can tell apart
                    throws.again()
                for number, die in enumerate(throw.dice):
                    if die.unsure:
                        table.correct(throw.id, number, face="shield", person="Signe")
                table.accept(throw.id, "Signe")
            throws.again_if_unseen()
            return self._last() == ("battle.roll", "throw") and table.look(None).step > before

        until(taken, lambda: (table.look(None).proposals, table.look(None).devices))
        self._taken_back()
        for throw in table.look(None).proposals:
            table.dismiss(throw.id)

    def a_card_counts(self) -> None:
        """Lay a card on the reader: it is played, and taken back."""
        before = self._table.look(None).step
        self._demo.tap(uid_of("valhalla"))
        until(lambda: self._table.look(None).step > before, lambda: self._table.look(None).cards)
        assert self._last() == ("harald.saga", "card")
        self._demo.reader.take_away()
        self._taken_back()

    def _answered(self, answer: Answer) -> None:
        assert isinstance(self._table.answer(answer), Taken)

    def _last(self) -> tuple[str, str]:
        step = self._table.story()[0]
        return step.key, step.source.kind

    def _taken_back(self) -> None:
        assert isinstance(self._table.undo(person="Signe"), Taken)
        look = self._table.look("harald")
        assert "battle.roll" in {question.key for question in look.questions}
        assert look.facts_by_key["harald.hand"] == 5


def test_the_evening_goes_on_whatever_is_pulled_and_put_in(tmp_path: Path, soak: bool) -> None:
    demo = Demo(tmp_path / "demo", "127.0.0.1", 0, seed=7)
    demo.start()
    try:
        plugs, evening = Plugs(demo), Evening(demo)
        plugs.until_all_ready()
        every = list(product(ORDERS, ORDERS))
        some = list(zip(ORDERS, ORDERS[3:] + ORDERS[:3], strict=True))
        for pulled, put in every if soak else some:
            for device in pulled:
                plugs.pull(device)
                plugs.until_away(device)
                evening.goes_on_by_hand()
            for device in put:
                plugs.put(device)
                evening.goes_on_by_hand()
            plugs.until_all_ready()
            evening.a_throw_counts()
            evening.a_card_counts()
    finally:
        demo.stop()
