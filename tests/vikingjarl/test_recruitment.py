"""Recruitment: Vikings at no cost for a unit that neither moves nor acts."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import Table, form, to


def test_three_in_kaupang_and_no_further_movement() -> None:
    table = Table()
    table.must("harald.army.recruit", form(army=2, kaupang=1))

    assert (table.fact("harald.army.v"), table.fact("harald.kaupang.v")) == (2, 1)
    assert table.why_not("harald.army.move", to("land_kaupang")) == ["unit.recruited"]
    table.undo()
    assert table.fact("harald.army.v") == 0
    assert table.asks("harald.army.move") is not None


def test_the_place_gives_three_even_to_two_units() -> None:
    table = Table()
    table.must("harald.army.recruit", form(army=2))

    assert table.why_not("harald.ship.recruit", form(kaupang=2)) == ["recruits_left"]
    table.must("harald.ship.recruit", form(kaupang=1))
    assert table.asks("harald.ship.recruit") is None


def test_one_in_a_trade_town_on_the_recruiting_unit() -> None:
    table = Table()
    table.put(harald_ship_at="ribe", harald_ship_v=3)
    assert table.why_not("harald.ship.recruit", form(ship=2)) == ["recruits_left", "no_room"]
    table.must("harald.ship.recruit", form(ship=1))

    assert table.fact("harald.ship.v") == 4


def test_who_has_moved_or_acted_does_not_recruit() -> None:
    table = Table()
    table.put(harald_army_at="land_ribe")
    table.must("harald.army.move", to("ribe"))
    assert table.asks("harald.army.recruit") is None
    assert table.why_not("harald.army.recruit", form(army=1)) == ["unit.moved"]
    table.put(harald_army_phase="fresh")
    assert table.asks("harald.army.recruit") is not None, "it had stood there all along"


def test_a_supply_of_nothing_gives_nothing() -> None:
    table = Table()
    table.put(harald_kaupang_v=5)

    assert table.fact("harald.supply") == 0
    assert table.asks("harald.army.recruit") is None
    table.put(harald_kaupang_v=4)
    assert table.asks("harald.army.recruit") is not None


def test_nobody_recruits_in_a_town_of_others() -> None:
    table = Table()
    table.set("gudrun.settlements.man.damaged", False)
    table.put(harald_army_at="man")

    assert table.why_not("harald.army.recruit", form(army=1)) == ["no_recruits_here"]
    table.set("harald.settlements.man.damaged", False)
    table.must("harald.army.recruit", form(man=3))
    assert table.fact("harald.settlements.man.v") == 3
