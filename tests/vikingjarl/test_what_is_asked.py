"""At every step of every case: what is asked can be answered, and secrets stay secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec
import pytest

from companion import terms
from tests.vikingjarl import contract
from tests.vikingjarl.cases import Case, shipped_cases
from tests.vikingjarl.playing import (
    JARLS,
    InProcess,
    NoSuchKey,
    Outcome,
    Playing,
    Refused,
    Taken,
    start_in_process,
)
from tests.vikingjarl.running_a_case import all_facts, run_case

CASES = shipped_cases("*.toml")


class Watched(InProcess):
    """Looks at every question that is open after each answer."""

    def answer(
        self, key: str, value: Mapping[str, Any], seat: str | None = None, insist: bool = False
    ) -> Outcome:
        outcome = super().answer(key, value, seat, insist)
        if isinstance(outcome, Taken) and not key.startswith(("fact:", "box:")):
            self.look_around()
        return outcome

    def look_around(self) -> None:
        for question in self.game.questions(self.state, self.box):
            seat = question.seats[0] if question.seats else None
            if question.default is not None:
                said = terms.Answer(question.key, question.default, seat)
                against = self.game.check(self.state, said, self.box)
                assert against == (), f"the default of {question.key} meets {against}"
            if question.done:
                said = terms.Answer(question.key, terms.Done(), seat, insist=True)
                decided_or_unknown(self, said)
            assert question.rule, f"{question.key} names no rule"
        stored = msgspec.msgpack.encode(self.state)
        assert msgspec.msgpack.decode(stored, type=type(self.state)) == self.state
        self.look_for_secrets()

    def look_for_secrets(self) -> None:
        shared = self.facts(None)
        for jarl in JARLS:
            assert not shared.get(f"{jarl}.hand.titles"), f"the wall shows {jarl}'s hand"


def decided_or_unknown(playing: InProcess, said: terms.Answer) -> None:
    """Decide an answer although rules may object; only a printed value may be missing."""
    try:
        playing.game.check(playing.state, said, playing.box)
        playing.game.decide(playing.state, said, playing.box)
    except terms.Unknown:
        pass


def watched(choices: Mapping[str, Any]) -> Playing:
    plain = cast(InProcess, start_in_process(choices))
    return Watched(plain.game, plain.state, plain.box)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_whatever_is_asked_can_be_answered(case: Case) -> None:
    run_case(case, watched)


def test_every_fact_of_the_contract_takes_its_blank_value() -> None:
    """Each settable fact may be set to what it is in the blank position, and then shows that."""
    playing = start_in_process({})
    playing.answer("fact:harald.settlements.man.damaged", {"type": "picked", "ids": ["false"]})
    wrong: list[str] = []
    # the cargo of a Settlement before the Settlement goes
    for key in sorted(all_facts(playing), key=lambda key: (key.endswith(".damaged"), key)):
        if not contract.settable(key) or key.startswith("switch.") or key == "turn.jarl":
            continue
        outcome = playing.answer(f"fact:{key}", contract.answer_value(key, contract.blank(key)))
        if outcome != Taken():
            wrong.append(f"{key}: {outcome}")
    for key, value in all_facts(playing).items():
        expected = contract.blank(key)
        known = contract.settable(key) and expected is not None
        if known and contract.plain(key, value) != contract.plain(key, expected):
            wrong.append(f"{key}: shows {value!r}, expected {expected!r}")

    assert not wrong, "\n".join(wrong)


def test_derived_facts_are_corrected_elsewhere() -> None:
    playing = start_in_process({})
    for key in ("bank.silver", "bank.wood", "harald.supply", "deck.total"):
        outcome = playing.answer(f"fact:{key}", {"type": "number", "value": 1})

        assert isinstance(outcome, Refused), f"{key}: {outcome}"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("harald.shield", {"type": "done"}),
        ("ragnar.ship.move", {"type": "placed", "place": "ribe"}),
        ("harald.ship.move", {"type": "placed", "place": "atlantis"}),
        ("harald.ship.act", {"type": "picked", "ids": ["attack:atlantis"]}),
        ("harald.saga", {"type": "cards", "ids": ["fenris"]}),
        ("fact:harald.beard", {"type": "number", "value": 1}),
        ("box:atlantis.silver", {"type": "number", "value": 1}),
        ("harald.ship.act", {"type": "pecked", "ids": ["attack:man"]}),
    ],
)
def test_what_names_nothing_is_a_request_error(key: str, value: dict[str, Any]) -> None:
    playing = start_in_process({})

    assert isinstance(playing.answer(key, value, "harald"), NoSuchKey)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("battle.roll", {"type": "dice", "dice": [{"colour": "black", "face": "helmet"}]}),
        ("battle.go_on", {"type": "picked", "ids": ["withdraw"]}),
        ("battle.loot", {"type": "picked", "ids": ["wood"]}),
        ("battle.loot", {"type": "filled", "fields": {"wood": 1}}),
        ("battle.commit", {"type": "filled", "fields": {"ship": 1}}),
        ("battle.defend", {"type": "filled", "fields": {"army": 1}}),
        ("battle.resupply", {"type": "filled", "fields": {"ship": 1}}),
        ("battle.losses", {"type": "done"}),
        ("battle.units", {"type": "picked", "ids": ["ship"]}),
        ("battle.first", {"type": "picked", "ids": ["gudrun"]}),
        ("saga.target", {"type": "picked", "ids": ["gudrun"]}),
        ("saga.unit", {"type": "picked", "ids": ["ship"]}),
        ("saga.place", {"type": "picked", "ids": ["rouen"]}),
        ("saga.place", {"type": "placed", "place": "man"}),
        ("saga.zone.ship", {"type": "placed", "place": "sea_a"}),
        ("saga.take", {"type": "picked", "ids": ["silver"]}),
        ("saga.to", {"type": "picked", "ids": ["ship"]}),
        ("saga.bring", {"type": "filled", "fields": {"v": 2}}),
        ("saga.die", {"type": "picked", "ids": ["die:black:1"]}),
        ("saga.roll", {"type": "dice", "dice": [{"colour": "red", "face": "helmet"}]}),
        ("gudrun.cancel", {"type": "cards", "ids": ["frigg"]}),
        ("gudrun.cancel", {"type": "picked", "ids": ["pass"]}),
        ("gudrun.remove", {"type": "filled", "fields": {"ship": 1}}),
        ("gudrun.keep", {"type": "cards", "ids": ["tyr"]}),
        ("gudrun.discard", {"type": "cards", "ids": ["unknown"]}),
        ("gudrun.saga", {"type": "cards", "ids": ["thor"]}),
        ("gudrun.ship.exit", {"type": "placed", "place": "sea_a"}),
        ("gudrun.ship.move", {"type": "placed", "place": "sea_a"}),
        ("gudrun.ship.recruit", {"type": "filled", "fields": {"kaupang": 1}}),
        ("gudrun.ship.trade", {"type": "filled", "fields": {"buy.saga": 1}}),
        ("gudrun.buy", {"type": "filled", "fields": {"v.jorvik": 1}}),
        ("gudrun.board", {"type": "done"}),
        ("harald.land", {"type": "done"}),
        ("harald.ship.act", {"type": "picked", "ids": ["attack:gudrun"]}),
        ("harald.ship.act", {"type": "picked", "ids": ["repair:man"]}),
        ("harald.ship.act", {"type": "picked", "ids": ["settle:birka"]}),
        ("harald.ship.trade", {"type": "filled", "fields": {"sell.wood.jorvik": 1}}),
        ("harald.ship.recruit", {"type": "filled", "fields": {"jorvik": 1}}),
        ("harald.buy", {"type": "filled", "fields": {"saga.jorvik": 1}}),
        (
            "harald.transfer",
            {"type": "filled", "fields": {"from": "ship", "to": "man", "kind": "v", "number": 1}},
        ),
        (
            "town.man.flip",
            {"type": "filled", "fields": {"defenders": 1, "vp": 1, "reward": "none"}},
        ),
        ("town.ribe.flip", {"type": "picked", "ids": ["wood"]}),
        ("move.steps", {"type": "number", "value": 2}),
        ("turn.draw", {"type": "done"}),
        ("setup.draft", {"type": "done"}),
    ],
)
def test_what_is_not_asked_now_is_an_objection(key: str, value: dict[str, Any]) -> None:
    """In harald's turn, with nothing going on; and insisting on it never breaks the game."""
    playing = cast(InProcess, start_in_process({}))
    playing.answer("fact:turn.phase", {"type": "picked", "ids": ["act"]})
    seat = key.split(".")[0] if key.split(".")[0] in JARLS else "harald"

    outcome = playing.answer(key, value, seat)

    assert isinstance(outcome, Refused), outcome
    assert all(rule for _, rule in outcome.objections)
    assert isinstance(playing.answer(key, value, seat, insist=True), Taken)
    assert all_facts(playing)
    assert playing.questions()
