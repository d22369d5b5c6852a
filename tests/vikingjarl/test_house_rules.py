"""House rules that no worked case plays: each other value leads elsewhere than the default."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.vikingjarl.printed import SWITCHES
from companion.terms import Filled, Picked, Placed
from tests.vikingjarl.at_the_table import Table
from tests.vikingjarl.cases import shipped_cases

HERE = {
    ("vp_town_reward", "either"),
    ("remote_trade", "all"),
    ("draft_leftover", "on_top"),
    ("repair_after_fight", "separate"),
    ("drop_cargo", "on"),
    ("defence_dice", "equal_max3"),
    ("defence_dice", "cap2"),
}


def test_every_value_of_every_house_rule_is_played_somewhere() -> None:
    played = {(name, str(v)) for case in shipped_cases("*.toml") for name, v in case.config.items()}
    wanted = {(name, value) for name, rule in SWITCHES.items() for value in rule.values[1:]}

    assert wanted <= played | HERE


@pytest.mark.parametrize(("house", "taken"), [("with_victory", False), ("either", True)])
def test_goods_of_a_white_town_without_a_fight(house: str, taken: bool) -> None:
    table = Table({"switch.vp_town_reward": house})
    table.set("harald.ship.at", Placed("cork"))
    said = table.says("harald.ship.act", Picked(("collect:cork",)))

    assert said == taken
    if taken:
        table.must("town.cork.flip", Filled({"defenders": 2, "vp": 2, "reward": "silver"}))
        assert table.fact("harald.silver") == 3
        assert table.fact("harald.vp") == 0
        assert table.fact("town.cork.shield") == "removed"
        assert table.fact("harald.ship.phase") == "acted"


@pytest.mark.parametrize(("house", "taken"), [("vikings_and_sagas", False), ("all", True)])
def test_stored_cubes_are_sold_from_afar(house: str, taken: bool) -> None:
    table = Table({"switch.remote_trade": house})
    table.set("harald.kaupang.mead", 1)
    table.set("harald.ship.at", Placed("sea_a"))
    table.set("harald.army.at", Placed("land_a"))

    assert table.says("harald.buy", Filled({"sell.mead.kaupang": 1})) == taken
    assert table.fact("harald.silver") == (4 if taken else 1)


@pytest.mark.parametrize("house", ["random_top_pile", "on_top"])
def test_the_left_over_saga_of_the_draft(house: str) -> None:
    table = Table({"switch.draft_leftover": house}, draft=False)
    (asked,) = table.questions()

    assert asked.detail is not None
    assert asked.detail.key == f"question.draft.{house}"


@pytest.mark.parametrize(("house", "damaged"), [("same_action", False), ("separate", True)])
def test_driving_a_guest_out_and_repairing(house: str, damaged: bool) -> None:
    table = Table({"switch.repair_after_fight": house})
    table.set("harald.settlements.man.damaged", Picked(("true",)))
    table.set("harald.ship.at", Placed("man"))
    table.set("gudrun.army.at", Placed("man"))
    table.set("gudrun.hand", 0)
    table.must("harald.ship.act", Picked(("repair:man",)))
    table.must("battle.commit", Filled({"ship": 4}))
    table.must("battle.loot", Picked(("silver",)))
    table.must("gudrun.army.exit", Placed("land_man"))

    assert table.fact("harald.settlements.man.damaged") is damaged
    assert table.fact("harald.vp") == (0 if damaged else 5)


@pytest.mark.parametrize(("house", "taken"), [("off", False), ("on", True)])
def test_cargo_put_back_to_make_room(house: str, taken: bool) -> None:
    table = Table({"switch.drop_cargo": house})
    load: dict[str, Any] = {"from": "ship", "to": "supply", "kind": "v", "number": 2}

    assert table.says("harald.transfer", Filled(load)) == taken
    assert table.fact("harald.ship.v") == (2 if taken else 4)


@pytest.mark.parametrize(("house", "dice"), [("stepped", 2), ("equal_max3", 3), ("cap2", 2)])
def test_three_defenders_throw_as_the_house_plays(house: str, dice: int) -> None:
    table = Table({"switch.defence_dice": house})
    table.set("harald.army.at", Placed("land_a"))
    table.set("gudrun.army.at", Placed("land_a"))
    table.set("harald.army.v", 1)
    table.set("gudrun.army.v", 3)
    table.must("harald.army.act", Picked(("attack:gudrun",)))

    assert table.fact("battle.pool.defence.white") == dice
