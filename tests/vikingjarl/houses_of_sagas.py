"""House rules of Sagas: the deck, and whom a card reaches."""

from __future__ import annotations

from typing import Any

from tests.vikingjarl.at_the_table import DONE, Table, pick, saga, to
from tests.vikingjarl.house_rule import house_rule


def mead_in_gudruns_riding_army(table: Table) -> None:
    """Gudrun is at sea beside Harald. All she owns is 1 mead, in the Army aboard."""
    table.put(gudrun_army_v=0, gudrun_army_mead=1, gudrun_silver=0, gudrun_hand=0)
    table.put(gudrun_ship_at="sea_a", gudrun_army_at="ship")
    table.put(harald_ship_at="sea_a", harald_ship_v=2)


@house_rule(
    "draft_leftover", {"random_top_pile": "draft.random_top_pile", "on_top": "draft.on_top"}
)
def where_the_draft_says_that_the_last_saga_goes(table: Table) -> Any:
    table.undo(2)
    asked = table.asks("setup.draft")
    assert asked is not None
    assert asked.detail is not None
    return asked.detail.key.removeprefix("question.")


@house_rule("deck_exhausted", {"rebuild": 1, "no_more_draws": 0})
def gudrun_draws_from_an_empty_deck(table: Table) -> Any:
    """How many Sagas does she hold then?"""
    table.put(gudrun_hand=0)
    table.set("deck.count", 0)
    table.must("turn.end", DONE)
    table.must("turn.draw", DONE)
    return table.fact("gudrun.hand")


@house_rule("event_replaces_draw", {"on": "act", "off": "draw"})
def gudrun_draws_ragnarok(table: Table) -> Any:
    """Nobody holds more than one Saga, so nothing is lost. What does she do next?"""
    table.put(harald_hand=1)
    table.must("turn.end", DONE)
    table.must("turn.draw", saga("ragnarok"))
    return table.fact("turn.phase")


@house_rule("barbarians_aboard", {"on": True, "off": False})
def barbarians_reach_for_an_army_at_sea(table: Table) -> Any:
    mead_in_gudruns_riding_army(table)
    table.put(eirik_silver=0, brage_silver=0)
    table.hold("harald", "barbarians")
    return table.says("harald.saga", saga("barbarians"))


@house_rule("thor_reaches_army", {"off": False, "on": True})
def thor_strikes_a_ship_whose_army_holds_the_mead(table: Table) -> Any:
    mead_in_gudruns_riding_army(table)
    table.hold("harald", "thor")
    return table.says("harald.saga", saga("thor"))


@house_rule("pirates_reach", {"ship_and_riding": True, "ship_only": False})
def pirates_board_a_ship_whose_army_holds_the_mead(table: Table) -> Any:
    mead_in_gudruns_riding_army(table)
    table.hold("harald", "pirates")
    return table.says("harald.saga", saga("pirates"))


@house_rule("holmgang_chooser", {"card_player": ("harald",), "victim": ("gudrun",)})
def who_says_whether_ship_or_army_fights_the_holmgang(table: Table) -> Any:
    table.put(gudrun_ship_v=2, gudrun_army_v=2)
    table.hold("harald", "holmgang")
    table.must("harald.saga", saga("holmgang"))
    table.must("saga.target", pick("gudrun"))
    asked = table.asks("saga.unit")
    assert asked is not None
    return asked.seats


@house_rule("aegir_target", {"active": False, "any_opponent": True})
def eirik_sends_a_storm_on_gudrun_in_haralds_turn(table: Table) -> Any:
    table.put(gudrun_ship_at="sea_a", gudrun_hand=0)
    table.hold("eirik", "aegir")
    table.must("eirik.saga", saga("aegir"))
    return table.says("saga.target", pick("gudrun"))


@house_rule("freyr_places", {"towns_and_settlements": True, "no_trade_towns": False})
def freyr_clears_a_trade_town_for_haralds_ship(table: Table) -> Any:
    table.put(gudrun_ship_at="birka", harald_ship_at="sea_birka")
    table.hold("harald", "freyr")
    return table.says("harald.saga", saga("freyr"))


@house_rule(
    "ragnarok_pooled", {"per_jarl": 2, "one": 1}, {"variant": ["two_by_two"], "first": "brage"}
)
def ragnarok_strikes_a_hand_of_two_jarls(table: Table) -> Any:
    """Brage and Harald are one player with four Sagas. How many are left?"""
    table.must("turn.end", DONE)
    table.put(harald_hand=4, gudrun_hand=0)
    table.must("turn.draw", saga("ragnarok"))
    for jarl in ("brage", "harald"):
        if table.asks(f"{jarl}.keep"):
            table.must(f"{jarl}.keep", saga("unknown"))
    return table.fact("harald.hand")


@house_rule("win_waiting_unit", {"off": "none", "on": ["harald"]})
def the_tenth_point_is_won_while_the_army_waits_at_home(table: Table) -> Any:
    table.put(harald_vp=9)
    table.must("harald.ship.move", to("vinland"))
    assert table.fact("harald.vp") == 10
    return table.fact("game.winner")
