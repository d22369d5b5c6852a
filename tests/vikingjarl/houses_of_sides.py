"""House rules of the alternative forms: the target, two Jarls each, allies."""

from __future__ import annotations

from typing import Any

from tests.vikingjarl.at_the_table import DONE, Table, pick, saga, to
from tests.vikingjarl.house_rule import house_rule

TWO_BY_TWO, ALLIED = {"variant": ["two_by_two"]}, {"variant": ["allied"]}


@house_rule("target_vp", {"10": "none", "3": ["harald"]})
def harald_comes_home_with_three_points(table: Table) -> Any:
    table.put(harald_vp=3, harald_ship_at="sea_kaupang")
    table.must("harald.ship.move", to("kaupang"))
    return table.fact("game.winner")


@house_rule("pooled_hand_limit", {"per_jarl": 5, "single": 3}, TWO_BY_TWO)
def one_player_ends_a_turn_with_five_sagas(table: Table) -> Any:
    """Brage and Harald are one player. How many Sagas may stay?"""
    table.put(brage_hand=5)
    table.must("turn.end", DONE)
    if table.asks("brage.discard"):
        table.must("brage.discard", saga("unknown", "unknown"))
    assert table.fact("turn.jarl") == "gudrun"
    return table.fact("harald.hand")


@house_rule("two_player_silver", {"separate": 1, "pooled": 4}, TWO_BY_TWO)
def brage_begins_with_one_coin_and_his_partner_with_three(table: Table) -> Any:
    return table.fact("brage.silver")


@house_rule("ally_silver", {"separate": 1, "shared": 4}, ALLIED)
def brage_begins_with_one_coin_and_his_ally_with_three(table: Table) -> Any:
    return table.fact("brage.silver")


@house_rule("ally_targets", {"off": False, "on": True}, ALLIED)
def odins_wrath_on_an_ally(table: Table) -> Any:
    table.put(harald_vp=2, gudrun_vp=2)
    table.hold("brage", "odins_wrath")
    table.must("brage.saga", saga("odins_wrath"))
    return table.says("saga.target", pick("harald"))
