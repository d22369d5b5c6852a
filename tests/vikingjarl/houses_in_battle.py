"""House rules of battles: dice, who stands in the Battlezone, who has won."""

from __future__ import annotations

from typing import Any

from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, saga, to
from tests.vikingjarl.house_rule import house_rule


def two_armies(table: Table, mine: int, theirs: int) -> None:
    """Harald's and Gudrun's Armies stand in one land zone; Gudrun holds no Saga."""
    table.put(harald_army_at="land_a", gudrun_army_at="land_a", gudrun_hand=0)
    table.put(harald_army_v=mine, gudrun_army_v=theirs)


def at_sea(table: Table, **vikings: int) -> None:
    """Both Ships meet at sea, each with its Army aboard; Gudrun holds no Saga."""
    table.put(gudrun_hand=0)
    for jarl in ("harald", "gudrun"):
        table.put(**{f"{jarl}_ship_v": 0, f"{jarl}_army_v": 0})
        table.put(**{f"{jarl}_ship_at": "sea_a", f"{jarl}_army_at": "ship"})
    table.put(**vikings)


def before_gudruns_walls(table: Table, mine: int, garrison: int) -> None:
    """Harald's Ship lies before the Vikings that hold Gudrun's Settlement Man."""
    table.set("gudrun.settlements.man.damaged", False)
    table.put(gudrun_settlements_man_v=garrison, harald_ship_at="man", harald_ship_v=mine)


@house_rule("defence_dice", {"stepped": (2, 3), "equal_max3": (3, 3), "cap2": (2, 2)})
def white_dice_of_three_and_of_four_defenders(table: Table) -> Any:
    two_armies(table, 1, 3)
    table.must("harald.army.act", pick("attack:gudrun"))
    three = table.fact("battle.pool.defence.white")
    table.undo()
    table.put(gudrun_army_v=4)
    table.must("harald.army.act", pick("attack:gudrun"))
    return three, table.fact("battle.pool.defence.white")


@house_rule("mutual_wipeout", {"defender_holds": False, "attacker_succeeds": True})
def the_last_two_fall_together_before_a_settlement(table: Table) -> Any:
    """One against one, both dice show helmets. Is the Settlement damaged?"""
    before_gudruns_walls(table, 1, 1)
    table.put(gudrun_hand=0)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("H", "H"))
    return table.fact("gudrun.settlements.man.damaged")


@house_rule("defender_commit", {"all_up_to_5": 3, "free_min_1": 1})
def gudrun_would_rather_send_one_of_three(table: Table) -> Any:
    two_armies(table, 2, 3)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.says("battle.defend", form(army=1))
    return table.fact("battle.defenders")


@house_rule("defender_resupply", {"off": 3, "on": 5})
def gudrun_calls_her_ships_reserve(table: Table) -> Any:
    """Five of her seven fight, two fall, and two more wait on the Ship."""
    at_sea(table, harald_army_v=4, gudrun_army_v=4, gudrun_ship_v=3)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HHM", "MMM"))
    table.must("battle.losses", DONE)
    table.says("battle.resupply", form(ship=2), seat="gudrun")
    return table.fact("battle.defenders")


@house_rule("field_withdraw", {"no_winner": 0, "defender_wins": 1})
def harald_gives_up_in_the_open(table: Table) -> Any:
    """Is Gudrun, who stayed, worth a point?"""
    two_armies(table, 2, 2)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.go_on", pick("withdraw"))
    return table.fact("gudrun.vp")


@house_rule("sea_battle_ship_vikings", {"on": 4, "off": 2})
def two_on_the_ship_and_two_in_the_army_at_sea(table: Table) -> Any:
    at_sea(table, harald_army_v=2, harald_ship_v=2, gudrun_army_v=1)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.says("battle.units", pick("army", "ship"))
    table.must("battle.commit", DONE)
    return table.fact("battle.attackers")


@house_rule("attack_needs_viking", {"on": False, "off": True})
def an_army_of_cubes_alone_attacks_an_empty_one(table: Table) -> Any:
    two_armies(table, 0, 0)
    return table.says("harald.army.act", pick("attack:gudrun"))


@house_rule("stronghold_covers", {"pillage_and_vp": True, "pillage_only": False})
def a_stronghold_for_a_white_town(table: Table) -> Any:
    table.hold("gudrun", "stronghold")
    table.put(harald_ship_at="cork")
    table.must("harald.ship.act", pick("attack:cork"))
    table.must("town.cork.flip", form(defenders=2, vp=1, reward="none"))
    table.must("battle.commit", DONE)
    return table.says("gudrun.saga", saga("stronghold"))


@house_rule("stronghold_holds", {"off": None, "on": 1})
def the_only_defender_of_a_stronghold_falls_at_once(table: Table) -> Any:
    """Is the town taken, or is there a second round before empty walls?"""
    table.hold("gudrun", "stronghold")
    table.put(harald_ship_at="lindisfarne")
    table.must("harald.ship.act", pick("attack:lindisfarne"))
    table.must("battle.commit", DONE)
    table.must("gudrun.saga", saga("stronghold"))
    table.must("battle.roll", dice("HMM", "MM", "M"))
    return table.fact("battle.round")


@house_rule("shield_wall_holds", {"two_rounds": False, "until_empty": True})
def the_last_one_behind_a_shield_wall_falls_at_once(table: Table) -> Any:
    """Is the Settlement damaged after round 1?"""
    before_gudruns_walls(table, 3, 1)
    table.hold("gudrun", "shield_wall")
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("gudrun.saga", saga("shield_wall"))
    table.must("battle.roll", dice("HMM", "MMM", "M"))
    return table.fact("gudrun.settlements.man.damaged")


@house_rule(
    "settlement_penalty",
    {
        "unit_present": {"her Ship": (4, 6), "her garrison": (5, 5)},
        "any_failed_attack": {"her Ship": (4, 6), "her garrison": (4, 6)},
        "none": {"her Ship": (5, 5), "her garrison": (5, 5)},
    },
)
def harald_gives_up_before_gudruns_settlement(table: Table) -> Any:
    """Their points after he gave up against her Ship inside, and against Vikings inside."""
    before_gudruns_walls(table, 3, 2)
    table.put(gudrun_hand=0, harald_vp=5, gudrun_vp=5)
    points: dict[str, tuple[int, int]] = {}
    for against in ("her Ship", "her garrison"):
        if against == "her Ship":
            table.put(gudrun_ship_at="man")
        table.must("harald.ship.act", pick("attack:man"))
        table.must("battle.commit", DONE)
        table.must("battle.go_on", pick("withdraw"))
        points[against] = table.fact("harald.vp"), table.fact("gudrun.vp")
        table.undo(4 if against == "her Ship" else 3)
    return points


@house_rule("settlement_unit_vp", {"on": 1, "off": 0})
def harald_beats_a_ship_inside_a_settlement(table: Table) -> Any:
    before_gudruns_walls(table, 4, 0)
    table.put(gudrun_hand=0, gudrun_silver=0, gudrun_ship_at="man", gudrun_ship_v=1)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "M"))
    table.must("gudrun.ship.exit", to("sea_man"))
    return table.fact("harald.vp")


@house_rule("attack_damaged", {"cubes_only": True, "refused": False})
def a_damaged_settlement_is_attacked_for_its_cubes(table: Table) -> Any:
    before_gudruns_walls(table, 3, 0)
    table.set("gudrun.settlements.man.damaged", True)
    return table.says("harald.ship.act", pick("attack:man"))


@house_rule("vp_floor", {"0": 0, "none": -3})
def gudrun_has_two_points_and_loses_a_settlement_of_five(table: Table) -> Any:
    before_gudruns_walls(table, 3, 0)
    table.put(gudrun_hand=0, gudrun_vp=2)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    return table.fact("gudrun.vp")
