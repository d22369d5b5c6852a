"""House rules of towns and cargo: pillage, settling, repair, trade, recruits."""

from __future__ import annotations

from typing import Any

from companion.terms import Filled, Picked
from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, to
from tests.vikingjarl.house_rule import house_rule
from tests.vikingjarl.houses_in_battle import before_gudruns_walls


def pillage_lindisfarne(table: Table, fighting: int) -> None:
    """So many of the Ship's Vikings beat the one defender without a loss."""
    table.put(harald_ship_at="lindisfarne")
    table.must("harald.ship.act", pick("attack:lindisfarne"))
    table.must("battle.commit", form(ship=fighting))
    table.must("battle.roll", dice("H" + "M" * (min(fighting, 3) - 1), "M"))


@house_rule("pillage_counts", {"battlezone": 3, "all_present": 5})
def two_of_four_take_lindisfarne(table: Table) -> Any:
    pillage_lindisfarne(table, fighting=2)
    return table.fact("harald.silver")


@house_rule("silver_shortage", {"partial": 2, "unlimited": 5})
def the_bank_holds_one_coin_and_owes_four(table: Table) -> Any:
    table.put(brage_silver=33)
    pillage_lindisfarne(table, fighting=4)
    return table.fact("harald.silver")


@house_rule(
    "vp_town_reward",
    {
        "with_victory": {"silver after the fight": 3, "taken without a fight": False},
        "instead_of_fight": {"silver after the fight": 1, "taken without a fight": True},
        "either": {"silver after the fight": 3, "taken without a fight": True},
    },
)
def two_silver_stand_on_the_shield_of_cork(table: Table) -> Any:
    shield = form(defenders=1, vp=1, reward="silver")
    table.put(harald_ship_at="cork")
    taken = table.says("harald.ship.act", pick("collect:cork"))
    if taken:
        table.must("town.cork.flip", shield)
        assert table.fact("harald.silver") == 3
        assert table.fact("harald.vp") == 0
        assert table.fact("town.cork.shield") == "removed"
        table.undo(2)
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", shield)
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))
    assert table.fact("harald.vp") == 1
    return {"silver after the fight": table.fact("harald.silver"), "taken without a fight": taken}


@house_rule("unfought_shield", {"removed": 1, "pays_goods": 3})
def cork_is_settled_with_its_shield_unturned(table: Table) -> Any:
    """2 silver stand on the back; does anybody see them?"""
    table.put(harald_ship_v=1, harald_ship_wood=1, harald_ship_iron=1, harald_ship_mead=1)
    table.put(harald_ship_at="cork")
    table.must("harald.ship.act", pick("settle:cork"))
    if table.asks("town.cork.flip"):
        table.must("town.cork.flip", form(defenders=1, vp=1, reward="silver"))
    assert table.fact("harald.vp") == 5
    return table.fact("harald.silver")


@house_rule(
    "ban_covers",
    {
        "towns_and_settlements": [],
        "towns": ["Gudrun's Man"],
        "pillage_only": ["Gudrun's Man", "white Cork"],
    },
)
def what_harald_attacked_last_turn_he_attacks_again(table: Table) -> Any:
    """Man is Gudrun's Settlement, Cork a white town, Paris an orange one."""
    table.set("gudrun.settlements.man.damaged", False)
    table.set("harald.last_attacked", Picked(("man", "cork", "paris")))
    again: list[str] = []
    for town, name in (("man", "Gudrun's Man"), ("cork", "white Cork"), ("paris", "orange Paris")):
        table.put(harald_ship_at=town)
        if not table.why_not("harald.ship.act", pick(f"attack:{town}")):
            again.append(name)
    return again


@house_rule("same_turn_repeat", {"off": False, "on": True})
def the_army_attacks_what_the_ship_attacked(table: Table) -> Any:
    pillage_lindisfarne(table, fighting=4)
    table.put(harald_army_at="lindisfarne", harald_army_v=2)
    return table.says("harald.army.act", pick("attack:lindisfarne"))


@house_rule("repair_returns", {"tile_value": 5, "amount_lost": 2})
def a_settlement_of_five_that_cost_two_is_repaired(table: Table) -> Any:
    """Harald had 2 points when Gudrun damaged his Man."""
    table.put(harald_hand=0, harald_vp=2)
    table.set("harald.settlements.man.damaged", False)
    table.must("turn.end", DONE)
    table.must("turn.draw", DONE)
    table.put(gudrun_ship_at="man")
    table.must("gudrun.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    assert table.fact("harald.vp") == 0
    table.says("turn.start", pick("harald"), insist=True)
    table.must("turn.draw", DONE)
    table.put(gudrun_ship_at="sea_man", harald_ship_at="man")
    table.must("harald.ship.act", pick("repair:man"))
    return table.fact("harald.vp")


@house_rule("repair_after_fight", {"same_action": False, "separate": True})
def a_guest_is_driven_out_of_a_damaged_settlement(table: Table) -> Any:
    """Is it still damaged after the Ship's one Action?"""
    table.set("harald.settlements.man.damaged", True)
    table.put(harald_ship_at="man", gudrun_army_at="man", gudrun_hand=0)
    table.must("harald.ship.act", pick("repair:man"))
    table.must("battle.commit", form(ship=4))
    table.must("battle.loot", pick("silver"))
    table.must("gudrun.army.exit", to("land_man"))
    return table.fact("harald.settlements.man.damaged")


@house_rule("damaged_usable", {"on": True, "off": False})
def vikings_go_ashore_in_a_damaged_settlement(table: Table) -> Any:
    table.set("harald.settlements.man.damaged", True)
    table.put(harald_ship_at="man")
    ashore = Filled({"from": "ship", "to": "man", "kind": "v", "number": 2})
    return table.says("harald.transfer", ashore)


@house_rule("enemy_settlement_peaceful", {"off": False, "on": True})
def a_ship_that_has_acted_sails_into_gudruns_settlement(table: Table) -> Any:
    before_gudruns_walls(table, 4, 1)
    table.put(harald_ship_at="sea_man", harald_ship_phase="acted")
    return table.says("harald.ship.move", to("man"))


@house_rule(
    "remote_trade",
    {
        "vikings_only": {"a Saga": False, "a stored cube": False},
        "vikings_and_sagas": {"a Saga": True, "a stored cube": False},
        "all": {"a Saga": True, "a stored cube": True},
    },
)
def harald_deals_at_home_while_he_is_away(table: Table) -> Any:
    """He would buy a Saga, and sell mead that lies in Kaupang."""
    table.put(harald_kaupang_mead=1, harald_silver=2)
    table.put(harald_ship_at="sea_a", harald_army_at="land_a")
    return {
        "a Saga": table.says("harald.buy", form(saga_kaupang=1)),
        "a stored cube": table.says("harald.buy", form(sell_mead_kaupang=1)),
    }


@house_rule("kaupang_trade_action", {"on": "acted", "off": "fresh"})
def a_ship_buys_a_saga_in_kaupang(table: Table) -> Any:
    """What has the Ship done afterwards?"""
    table.put(harald_silver=2)
    table.must("harald.ship.trade", form(buy_saga=1))
    return table.fact("harald.ship.phase")


@house_rule("recruit_then_carry", {"off": False, "on": True})
def an_army_recruits_and_is_carried_off(table: Table) -> Any:
    table.must("harald.army.recruit", form(army=3))
    table.must("harald.board", DONE)
    return table.says("harald.ship.move", to("sea_kaupang"))


@house_rule("drop_cargo", {"off": 4, "on": 2})
def two_vikings_are_sent_home_to_make_room(table: Table) -> Any:
    """How many are aboard?"""
    table.says(
        "harald.transfer", Filled({"from": "ship", "to": "supply", "kind": "v", "number": 2})
    )
    return table.fact("harald.ship.v")
