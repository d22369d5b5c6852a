"""The notation of the cases: what each kind of line is read into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.vikingjarl.cases import read_case
from tests.vikingjarl.notation import Reader
from tests.vikingjarl.playing import Asked
from tests.vikingjarl.special_lines import dice_tables, options, without_options
from tests.vikingjarl.steps import Give, Look, NotationError, SetFact, dice, filled, picked

POSITION = {
    "gudrun.ship.at": "ribe",
    "gudrun.ship.v": 3,
    "gudrun.ship.phase": "fresh",
    "gudrun.ship.iron": 1,
    "gudrun.army.at": "land_a",
    "gudrun.army.v": 2,
    "gudrun.army.phase": "fresh",
    "gudrun.army.iron": 0,
    "gudrun.hand": 5,
}


@dataclass
class Table:
    facts: dict[str, Any] = field(default_factory=lambda: dict(POSITION))
    open: dict[str, Asked] = field(default_factory=dict)

    def ask(self, key: str, wants: dict[str, Any] | None = None) -> None:
        self.open[key] = Asked(key, ("gudrun",), "now", wants, None)


def answers(line: str, table: Table | None = None, reader: Reader | None = None) -> list[Any]:
    """Return (key, value) of all answers of a line."""
    now = table or Table()
    return [
        (
            step.key if isinstance(step.key, str) else step.key(now),
            step.value(now) if callable(step.value) else step.value,
        )
        for step in (reader or Reader("gudrun")).read(line)
        if isinstance(step, Give)
    ]


def test_a_move_is_one_answer_a_zone() -> None:
    said = answers("move ship sea_a, sea_b, ribe (steps 3)")

    assert said == [
        ("gudrun.ship.move", {"type": "placed", "place": place})
        for place in ("sea_a", "sea_b", "ribe")
    ]


def test_a_far_move_says_how_far() -> None:
    assert answers("move ship 5 steps into lindisfarne")[1] == (
        "move.steps",
        {"type": "number", "value": 5},
    )


def test_red_dice_tell_their_side_only_where_both_throw_one() -> None:
    one = dice("B HM vs W H R M")["dice"]
    both = dice("B HM R H vs W H R M")["dice"]

    assert one[-1] == {"colour": "red", "face": "shield"}
    assert both[2] == {"colour": "red", "face": "helmet", "side": "attack"}
    assert both[-1] == {"colour": "red", "face": "shield", "side": "defence"}


@pytest.mark.parametrize("written", ["B", "X HM", "B HX vs W M"])
def test_strange_dice_are_an_error(written: str) -> None:
    with pytest.raises(NotationError):
        dice(written)


def test_two_units_in_a_battle() -> None:
    said = answers("attack paris with ship and army, commit 2 (both from army)")

    assert said == [
        ("gudrun.ship.act", picked("attack:paris")),
        ("battle.units", picked("ship", "army")),
        ("battle.commit", filled({"army": 2})),
    ]


def test_loot_takes_the_form_that_is_asked_for() -> None:
    table = Table()
    table.ask("battle.loot", {"type": "form", "fields": []})

    assert answers("loot 2 mead", table) == [("battle.loot", filled({"mead": 2}))]
    assert answers("loot silver") == [("battle.loot", picked("silver"))]


def test_another_repeats_the_deal_before() -> None:
    reader = Reader("gudrun")
    reader.read("buy 1 viking for jorvik without a unit there")

    assert answers("buy another for jorvik", reader=reader) == [
        ("gudrun.buy", filled({"v.jorvik": 1}))
    ]


def test_a_cube_is_sold_by_the_unit_that_holds_it() -> None:
    assert answers("sell iron") == [("gudrun.ship.trade", filled({"sell.iron.ship": 1}))]


def test_bragi_cancels_where_a_cancel_is_asked() -> None:
    table = Table()
    table.ask("eirik.cancel")

    assert answers("saga bragi by eirik", table)[0][0] == "eirik.cancel"
    assert answers("saga bragi by eirik")[0][0] == "eirik.saga"


def test_two_units_sent_off_are_one_choice() -> None:
    line = "saga freyr by gudrun on eirik while moving ship birka, ship -> sea_b, army -> land_b"

    assert [said for said in answers(line) if said[0] == "saga.unit"] == [
        ("saga.unit", picked("ship", "army"))
    ]


def test_a_line_with_two_speakers() -> None:
    assert answers("eirik passes, removes 1 from ship and 1 from army") == [
        ("eirik.cancel", picked("pass")),
        ("eirik.remove", filled({"ship": 1, "army": 1})),
    ]


def test_discarding_down_counts_what_is_held() -> None:
    said = answers("phase 3 discard to 3 (she drew 1, bought 3)")

    assert said[1] == ("gudrun.discard", {"type": "cards", "ids": ["unknown", "unknown"]})


def test_what_a_shield_shows_is_a_fact() -> None:
    steps = Reader("gudrun").read("dublin shows iron, mead; nidaros shows wood, iron")

    assert [step.key for step in steps if isinstance(step, SetFact)] == [
        "fact:town.dublin.sells",
        "fact:town.nidaros.sells",
    ]


def test_figures_are_checked_not_answered() -> None:
    steps = Reader("gudrun").read("attack man with army, commit 4, garrison 2, no sagas")
    wrong = [step.look(Table(POSITION | {"battle.attackers": 4, "battle.defenders": 3}))
             for step in steps if isinstance(step, Look)]  # fmt: skip

    assert wrong == [None, "battle.defenders is 3, the line says 2"]


def test_an_unknown_line_is_an_error() -> None:
    with pytest.raises(NotationError, match="juggle"):
        Reader("gudrun").read("juggle three axes")


def test_options_and_tables_of_dice() -> None:
    table = ["option 1: ship with army, 3 steps, sea_a", "option 2: ship to ribe or birka"]

    assert options(table)["2"] == ["move ship ribe", "move ship birka"]
    assert without_options([*table, "option 1 is played"]) == ["move ship 3 steps into sea_a"]
    assert dice_tables("stepped 1 2 2; town 1") == [("stepped", [1, 2, 2]), ("town", [1])]


def test_a_case_with_a_strange_part_is_an_error() -> None:
    with pytest.raises(ValueError, match="tabel"):
        read_case({"id": "x", "title": "x", "turn": "gudrun", "tabel": []})


def test_a_hand_of_titles_is_also_a_number() -> None:
    case = read_case(
        {
            "id": "x",
            "title": "x",
            "turn": "gudrun",
            "before": {"gudrun": {"hand": ["tyr", "thor"]}},
            "after": {"gudrun.hand": 1},
            "config": {"thor_reaches_army": True},
        }
    )

    assert case.before == {"gudrun.hand": 2, "gudrun.hand.titles": ["tyr", "thor"]}
    assert case.after == {"gudrun.hand": 1}
    assert case.config == {"thor_reaches_army": "on"}
