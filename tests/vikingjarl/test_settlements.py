"""Settling, attacking Settlements, and repairing them."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, saga, to


def settler() -> Table:
    """Harald's Ship lies before Man with a cube of each kind and one Viking."""
    table = Table()
    table.put(harald_ship_v=1, harald_ship_wood=1, harald_ship_iron=1, harald_ship_mead=1)
    table.put(harald_ship_at="man")
    return table


def before_man(garrison: int) -> Table:
    """Harald's Ship with four Vikings before Gudrun's Settlement Man; nobody holds a Saga."""
    table = Table()
    for jarl in ("harald", "gudrun", "eirik", "brage"):
        table.set(f"{jarl}.hand", 0)
    table.set("gudrun.settlements.man.damaged", False)
    table.put(gudrun_settlements_man_v=garrison, gudrun_vp=7, harald_ship_at="man")
    return table


def test_three_cubes_found_a_settlement() -> None:
    table = settler()
    table.must("harald.ship.act", pick("settle:man"))

    assert table.fact("harald.vp") == 5
    assert table.fact("harald.settlements.man.damaged") is False
    assert table.fact("harald.ship.wood") == 0
    assert table.fact("bank.wood") == 10
    assert table.fact("town.man.shield") == "removed", "nobody sees what was on it"
    table.undo()
    assert table.fact("harald.settlements.man.damaged") == "none"
    assert (table.fact("harald.vp"), table.fact("harald.ship.wood")) == (0, 1)


def test_a_cube_may_lie_on_the_army_beside_the_ship() -> None:
    table = settler()
    table.put(harald_ship_mead=0, harald_army_mead=1)
    assert table.why_not("harald.ship.act", pick("settle:man")) == ["three_cubes"]
    table.put(harald_army_at="man")
    table.must("harald.ship.act", pick("settle:man"))

    assert table.fact("harald.army.mead") == 0
    assert table.fact("harald.army.phase") == "fresh", "lending is no Action"


def test_attacking_and_settling_do_not_go_together() -> None:
    table = settler()
    table.set("harald.attacked", pick("man"))

    assert table.why_not("harald.ship.act", pick("settle:man")) == ["attacked_today"]
    table.set("harald.attacked", pick())
    assert table.why_not("harald.ship.act", pick("settle:man")) == []


def test_a_garrison_falls_and_the_settlement_is_damaged() -> None:
    table = before_man(garrison=2)
    table.put(gudrun_settlements_man_wood=3)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HHM", "HM"))
    table.must("battle.loot", form(wood=1))

    assert table.fact("gudrun.settlements.man.damaged") is True
    assert table.fact("gudrun.vp") == 7 - 5
    assert table.fact("harald.vp") == 0, "nothing is granted for it"
    assert (table.fact("harald.ship.wood"), table.fact("gudrun.settlements.man.wood")) == (1, 2)
    table.undo(2)
    assert table.fact("gudrun.vp") == 7


def test_the_units_inside_are_fought_first() -> None:
    """Gudrun's Ship lies in her Man: it is beaten, leaves, and then the garrison fights."""
    table = before_man(garrison=1)
    table.put(gudrun_ship_at="man", gudrun_ship_v=1, gudrun_silver=0)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))
    table.must("gudrun.ship.exit", to("sea_man"))
    assert table.fact("harald.vp") == 1
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))

    assert table.fact("gudrun.settlements.man.damaged") is True
    assert table.fact("gudrun.ship.at") == "sea_man"


def test_a_shield_wall_holds_an_empty_place_for_two_rounds() -> None:
    table = before_man(garrison=0)
    table.hold("gudrun", "shield_wall")
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("gudrun.saga", saga("shield_wall"))
    assert table.asks("battle.go_on") is None, "no withdrawal before round 1"
    table.must("battle.roll", dice("HHH", "HMM", "M"))
    assert table.fact("gudrun.settlements.man.damaged") is False
    table.must("battle.roll", dice("HHH", "MMM", "H"))

    assert table.fact("gudrun.settlements.man.damaged") is True
    assert table.fact("harald.ship.v") == 2


def test_no_peaceful_visit_to_a_foreign_settlement() -> None:
    table = before_man(garrison=1)
    table.put(harald_ship_at="sea_man", harald_ship_phase="acted")

    assert table.why_not("harald.ship.move", to("man")) == ["no_peaceful_entry"]


def test_a_damaged_settlement_is_repaired_for_its_points() -> None:
    table = Table()
    table.set("harald.settlements.man.damaged", True)
    table.put(harald_ship_at="man")
    table.must("harald.ship.act", pick("repair:man"))

    assert table.fact("harald.vp") == 5
    assert table.fact("harald.settlements.man.damaged") is False
    table.undo()
    assert table.fact("harald.settlements.man.damaged") is True


def test_a_settlement_set_by_hand_moves_no_points() -> None:
    """Somebody joins an evening half way: the Settlement is entered, the score is told apart."""
    table = Table()
    table.set("harald.settlements.cork.damaged", False)
    assert table.fact("harald.vp") == 0
    assert table.fact("town.cork.shield") == "removed"
    table.set("gudrun.settlements.cork.damaged", False)
    assert table.fact("harald.settlements.cork.damaged") == "none", "it belongs to one Jarl"
    table.undo(2)
    assert table.fact("town.cork.shield") == "hidden"
