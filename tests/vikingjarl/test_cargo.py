"""Loading and Unloading Cargo: free at any time of the own turn, as far as there is room."""

from __future__ import annotations

from companion.terms import Filled
from tests.vikingjarl.at_the_table import DONE, Table, to


def load(source: str, target: str, kind: str = "v", number: int = 1) -> Filled:
    return Filled({"from": source, "to": target, "kind": kind, "number": number})


def test_two_vikings_go_ashore_in_kaupang() -> None:
    table = Table()
    table.must("harald.transfer", load("ship", "kaupang", number=2))
    assert (table.fact("harald.ship.v"), table.fact("harald.kaupang.v")) == (2, 2)
    assert table.fact("harald.ship.phase") == "fresh", "loading is no Action"

    table.undo()
    assert (table.fact("harald.ship.v"), table.fact("harald.kaupang.v")) == (4, 0)


def test_a_ship_has_four_spaces_and_an_army_five() -> None:
    table = Table()
    table.put(harald_kaupang_mead=3, harald_army_v=4)

    assert table.why_not("harald.transfer", load("kaupang", "ship", "mead")) == ["no_room"]
    assert table.why_not("harald.transfer", load("kaupang", "army", "mead", 2)) == ["no_room"]
    table.must("harald.transfer", load("kaupang", "army", "mead"))
    assert table.says("harald.transfer", load("kaupang", "ship", "mead"), insist=True)
    assert table.fact("harald.ship.mead") == 1, "a fifth thing lies there, marked"


def test_nothing_is_loaded_from_afar() -> None:
    table = Table()
    table.put(harald_ship_at="ribe", harald_kaupang_mead=1)

    assert table.why_not("harald.transfer", load("kaupang", "ship", "mead")) != []
    assert table.why_not("harald.transfer", load("ship", "army")) == ["not_together"]


def test_at_sea_ship_and_army_share_only_when_the_army_is_aboard() -> None:
    table = Table()
    table.put(harald_army_v=0)
    table.must("harald.board", DONE)
    table.must("harald.ship.move", to("sea_kaupang"))
    table.must("harald.transfer", load("ship", "army", number=3))

    assert (table.fact("harald.ship.v"), table.fact("harald.army.v")) == (1, 3)


def test_a_garrison_is_four_vikings_and_any_number_of_cubes() -> None:
    table = Table()
    table.set("harald.settlements.man.damaged", False)
    table.put(harald_ship_at="man", harald_settlements_man_v=3)
    assert table.why_not("harald.transfer", load("ship", "man", number=2)) == ["no_room"]
    table.must("harald.transfer", load("ship", "man"))
    table.put(harald_ship_wood=3)
    table.must("harald.transfer", load("ship", "man", "wood", 3))

    assert table.fact("harald.settlements.man.v") == 4
    assert table.fact("harald.settlements.man.wood") == 3


def test_there_is_nothing_to_load_where_nothing_lies() -> None:
    table = Table()
    table.put(harald_ship_v=0)

    assert table.asks("harald.transfer") is None
    table.put(harald_kaupang_v=2)
    assert table.asks("harald.transfer") is not None
    assert table.why_not("gudrun.transfer", load("ship", "kaupang")) == ["not_your_turn"]
