"""Movement: three steps for a Ship, two for an Army, and an Army that rides."""

from __future__ import annotations

from companion.terms import Number
from tests.vikingjarl.at_the_table import DONE, Table, pick, saga, to


def test_a_ship_takes_three_steps_and_no_fourth() -> None:
    table = Table()
    for place in ("sea_kaupang", "sea_a", "ribe"):
        table.must("harald.ship.move", to(place))

    assert table.asks("harald.ship.move") is None
    assert table.why_not("harald.ship.move", to("sea_a")) == ["no_steps"]
    table.undo()
    assert table.fact("harald.ship.at") == "sea_a"
    assert table.asks("harald.ship.move") is not None


def test_one_tap_may_tell_of_several_steps() -> None:
    """Nobody taps a zone each: the move is told, then how many steps it took."""
    table = Table()
    table.must("harald.ship.move", to("ribe"))
    table.must("move.steps", Number(3))

    assert table.fact("harald.ship.steps") == 3
    assert table.asks("harald.ship.move") is None
    assert table.why_not("move.steps", Number(4)) == ["no_steps"]


def test_ships_do_not_go_on_land_nor_armies_on_water() -> None:
    table = Table()

    assert table.why_not("harald.ship.move", to("land_a")) == ["wrong_zone.ship"]
    assert table.why_not("harald.army.move", to("sea_a")) == ["wrong_zone.army"]
    assert table.says("harald.ship.move", to("land_a"), insist=True), "they did it anyway"
    assert table.fact("harald.ship.at") == "land_a"


def test_an_army_that_rode_walks_one_step() -> None:
    """It boards in Kaupang, sails to Ribe and goes ashore there: one step is left, not two."""
    table = Table()
    table.must("harald.board", DONE)
    table.must("harald.ship.move", to("sea_kaupang"))
    table.must("harald.ship.move", to("ribe"))
    table.must("harald.land", DONE)
    table.must("harald.army.move", to("land_ribe"))

    assert table.asks("harald.army.move") is None
    assert table.asks("harald.ship.move") is None, "its Ship's Movement is over with that"
    assert table.fact("harald.army.phase") == "moved"
    assert table.fact("harald.ship.steps") == 2


def test_an_army_that_was_not_aboard_after_all() -> None:
    """The companion thought it rode. It is put ashore by hand and has its two steps."""
    table = Table()
    table.must("harald.board", DONE)
    table.must("harald.ship.move", to("ribe"))
    table.put(harald_army_at="kaupang", harald_army_rode=False)
    table.must("harald.army.move", to("land_kaupang"))
    assert table.asks("harald.army.move") is not None
    table.undo(3)

    assert table.fact("harald.army.at") == "ship"
    assert table.fact("harald.army.rode") is True


def test_a_ship_that_sailed_in_does_not_take_an_army_that_walked_in() -> None:
    table = Table()
    table.put(harald_army_at="land_ribe")
    table.must("harald.army.move", to("ribe"))
    table.must("harald.ship.move", to("ribe"))

    assert table.asks("harald.board") is None
    assert table.why_not("harald.board", DONE) == ["army_walked_in"]
    assert table.says("harald.board", DONE, insist=True)
    assert table.fact("harald.army.at") == "ship"


def test_who_is_first_at_vinland_takes_its_point() -> None:
    table = Table()
    table.must("harald.ship.move", to("vinland"))
    assert table.fact("harald.vp") == 1
    assert table.fact("map.vinland_token") == "taken"
    assert table.asks("harald.ship.move") is None, "the Movement ends there"

    table.undo()
    assert (table.fact("harald.vp"), table.fact("map.vinland_token")) == (0, "there")
    table.set("map.vinland_token", "taken")
    table.must("harald.ship.move", to("vinland"))
    assert table.fact("harald.vp") == 0
    assert table.asks("harald.ship.move") is not None, "now it is ordinary sea"


def test_one_jarl_at_a_time_in_a_pillage_town() -> None:
    table = Table()
    table.put(gudrun_ship_at="paris", harald_ship_at="sea_paris")

    assert table.why_not("harald.ship.move", to("paris")) == ["occupied"]
    table.put(gudrun_ship_at="sea_a")
    assert table.why_not("harald.ship.move", to("paris")) == []


def test_njord_blows_a_ship_two_steps_further() -> None:
    table = Table()
    table.hold("harald", "njord")
    for place in ("sea_a", "sea_b", "sea_a"):
        table.must("harald.ship.move", to(place))
    table.must("harald.saga", saga("njord"))
    table.must("harald.ship.move", to("sea_b"))
    table.must("harald.ship.move", to("jorvik"))

    assert table.asks("harald.ship.move") is None
    assert table.fact("harald.ship.bonus") == 2


def test_after_moving_and_acting_a_unit_stays() -> None:
    table = Table()
    table.put(harald_ship_at="sea_lindisfarne")
    table.must("harald.ship.move", to("lindisfarne"))
    table.must("harald.ship.act", pick("attack:lindisfarne"))

    assert table.fact("harald.ship.phase") == "moved_acted"
    table.undo()
    assert table.fact("harald.ship.phase") == "moved"
