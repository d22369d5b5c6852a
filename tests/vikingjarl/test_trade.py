"""Trading: cubes, Vikings and Sagas for silver."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, form, pick


def in_ribe(silver: int = 9) -> Table:
    """Harald's Ship lies in Ribe with two Vikings; the town sells wood."""
    table = Table()
    table.put(harald_silver=silver, harald_ship_at="ribe", harald_ship_v=2)
    table.set("town.ribe.sells", pick("wood"))
    return table


def test_what_a_town_sells_is_seen_once_and_for_the_whole_game() -> None:
    table = Table()
    table.put(harald_ship_at="nidaros")
    table.must("town.nidaros.flip", pick("wood", "mead"))

    assert table.fact("town.nidaros.sells") == ["wood", "mead"]
    assert table.why_not("town.nidaros.flip", pick("iron")) == ["turned"]
    table.set("town.nidaros.sells", pick("wood", "iron"))
    assert table.fact("town.nidaros.sells") == ["wood", "iron"]
    table.undo(2)
    assert table.fact("town.nidaros.shield") == "hidden"


def test_a_visit_is_one_action_whatever_is_dealt() -> None:
    table = in_ribe()
    table.must("harald.ship.trade", form(buy_wood_ship=1, buy_v_ship=1))
    assert (table.fact("harald.silver"), table.fact("harald.ship.phase")) == (9 - 2 - 1, "acted")
    table.must("harald.ship.trade", form(buy_saga=1))

    assert table.fact("harald.silver") == 4
    assert table.fact("harald.sagas_bought") == 1
    table.undo(2)
    assert (table.fact("harald.silver"), table.fact("harald.ship.phase")) == (9, "fresh")


def test_a_town_buys_only_what_it_does_not_sell() -> None:
    table = in_ribe()
    table.put(harald_ship_wood=1, harald_ship_mead=1)

    assert table.why_not("harald.ship.trade", form(sell_wood_ship=1)) == ["not_sell"]
    assert table.why_not("harald.ship.trade", form(buy_iron_ship=1)) == ["not_buy", "no_room"]
    table.must("harald.ship.trade", form(sell_mead_ship=1))
    assert table.fact("harald.silver") == 12


def test_a_purchase_needs_silver_room_and_a_cube_in_the_bank() -> None:
    table = in_ribe(silver=3)
    assert table.why_not("harald.ship.trade", form(buy_wood_ship=2)) == ["no_silver"]
    table.put(harald_silver=9)
    assert table.why_not("harald.ship.trade", form(buy_wood_ship=3)) == ["no_room"]
    table.put(eirik_kaupang_wood=9)
    assert table.why_not("harald.ship.trade", form(buy_wood_ship=2)) == ["bank_kind"]


def test_three_sagas_a_turn_are_bought_and_no_fourth() -> None:
    table = in_ribe(silver=12)
    table.must("harald.ship.trade", form(buy_saga=3))

    assert table.why_not("harald.ship.trade", form(buy_saga=1)) == ["three_sagas"]
    table.set("harald.sagas_bought", 2)
    assert table.why_not("harald.ship.trade", form(buy_saga=1)) == []


def test_a_fourth_saga_bought_anyway_bars_no_viking() -> None:
    table = in_ribe()
    table.set("harald.sagas_bought", 4)

    assert table.why_not("harald.ship.trade", form(buy_saga=1)) == ["three_sagas"]
    table.must("harald.ship.trade", form(buy_v_ship=1))
    assert table.fact("harald.ship.v") == 3


def test_vikings_for_kaupang_are_bought_from_anywhere() -> None:
    table = in_ribe()
    table.must("harald.buy", form(v_kaupang=2))

    assert table.fact("harald.kaupang.v") == 2
    assert table.fact("harald.silver") == 7
    assert table.fact("harald.ship.phase") == "fresh"


def test_nothing_is_offered_to_an_empty_purse() -> None:
    table = in_ribe(silver=0)
    assert table.asks("harald.ship.trade") is None
    assert table.asks("harald.buy") is None
    table.put(harald_ship_mead=1)
    assert table.asks("harald.ship.trade") is not None, "the mead could be sold"


def test_in_kaupang_every_kind_is_sold_but_none_bought() -> None:
    table = Table()
    table.put(harald_kaupang_wood=1, harald_kaupang_iron=1)

    assert table.why_not("harald.ship.trade", form(buy_wood_kaupang=1)) != []
    table.must("harald.ship.trade", form(sell_wood_kaupang=1, sell_iron_kaupang=1))
    assert table.fact("harald.silver") == 7
    table.must("turn.end", DONE)
    assert table.fact("harald.silver") == 7
