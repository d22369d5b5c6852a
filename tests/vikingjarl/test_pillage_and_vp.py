"""Pillage and VP: silver of orange towns, points and goods of white ones."""

from __future__ import annotations

import pytest

from companion.games.vikingjarl.events import CubesForfeited
from companion.terms import Unknown, say
from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, saga, to


def at(town: str) -> Table:
    """Harald's Ship lies before a town; the others hold no Saga."""
    table = Table()
    for jarl in ("harald", "gudrun", "eirik", "brage"):
        table.set(f"{jarl}.hand", 0)
    table.put(harald_ship_at=town)
    return table


def take_lindisfarne(table: Table) -> None:
    table.must("harald.ship.act", pick("attack:lindisfarne"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))


def test_each_survivor_earns_the_silver_of_the_shield() -> None:
    table = at("lindisfarne")
    take_lindisfarne(table)

    assert table.fact("harald.silver") == 1 + 4
    assert table.fact("harald.vp") == 0, "only Paris and London pay a point"
    table.undo()
    assert table.fact("harald.silver") == 1


def test_the_same_town_not_in_two_turns_running() -> None:
    table = at("lindisfarne")
    take_lindisfarne(table)
    assert table.why_not("harald.army.act", pick("attack:lindisfarne")) != []
    table.must("turn.end", DONE)
    assert table.says("turn.start", pick("harald"), insist=True)
    table.must("turn.draw", DONE)

    assert table.why_not("harald.ship.act", pick("attack:lindisfarne")) == ["two_turns"]
    table.set("harald.last_attacked", pick())
    assert table.why_not("harald.ship.act", pick("attack:lindisfarne")) == []


def test_silver_treasure_after_a_pillage() -> None:
    table = at("lindisfarne")
    table.hold("harald", "silver_treasure")
    assert table.why_not("harald.saga", saga("silver_treasure")) == ["no_pillage"]
    table.must("harald.ship.act", pick("attack:lindisfarne"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HHM", "M"))
    table.must("harald.saga", saga("silver_treasure"))

    assert table.fact("harald.silver") == 1 + 4 + 3


def test_what_the_map_prints_is_asked_once() -> None:
    """Nobody told how many defend London: the attack waits for the shield to be read."""
    table = at("london")
    with pytest.raises(Unknown, match=r"london\.defenders"):
        table.says("harald.ship.act", pick("attack:london"))
    table.box.told |= {"london.defenders": 1, "london.silver": 1}
    table.must("harald.ship.act", pick("attack:london"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))

    assert table.fact("harald.vp") == 1
    assert table.fact("harald.silver") == 1 + 4


def test_a_white_shield_is_turned_fought_for_and_taken_away() -> None:
    table = at("cork")
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", form(defenders=2, vp=2, reward="mead"))
    table.must("battle.commit", form(ship=3))
    table.must("battle.roll", dice("HHM", "HM"))

    assert table.fact("harald.vp") == 2
    assert table.fact("harald.ship.mead") == 1, "in the space of the one who fell"
    assert table.fact("town.cork.shield") == "removed"
    table.undo()
    assert table.fact("town.cork.shield") == "face_up"


def test_a_cube_without_a_space_is_forfeited() -> None:
    table = at("cork")
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", form(defenders=1, vp=1, reward="mead"))
    table.must("battle.commit", DONE)
    asked = table.asks("battle.roll")
    assert asked is not None
    assert asked.detail is not None
    assert asked.detail.values["room"] == say("question.battle.dice_room", kind="mead")
    table.must("battle.roll", dice("HMM", "M"))

    assert table.fact("harald.vp") == 1
    assert table.fact("harald.ship.mead") == 0
    assert CubesForfeited("harald", "mead", 1, "no_room") in table.told, "and the story says so"


def test_a_failed_attack_leaves_the_shield_open_for_the_next() -> None:
    table = at("cork")
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", form(defenders=2, vp=1, reward="silver"))
    table.must("battle.commit", DONE)
    table.must("battle.go_on", pick("withdraw"))
    table.must("harald.ship.exit", to("sea_cork"))

    assert table.fact("town.cork.shield") == "face_up"
    assert table.fact("town.cork.defenders") == 2


def test_a_shield_that_was_read_wrong_is_put_right() -> None:
    table = at("cork")
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", form(defenders=1, vp=1, reward="none"))
    table.set("town.cork.vp", 2)
    table.set("town.cork.reward", "silver")
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))

    assert (table.fact("harald.vp"), table.fact("harald.silver")) == (2, 3)
