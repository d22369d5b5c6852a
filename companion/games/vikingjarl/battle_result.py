"""How a battle goes on after losses, and what victory, defeat and withdrawal lead to.

Rules [Battle; Pillage and VP; Attack Other Jarls; Attacking Settlements]; specification 6.4, 6.6,
7, 8, 11 and 13; R3, R6, R7, R13 to R16, R19, R40, R41, R89.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Attack, Battle, Leaving, Loot
from companion.games.vikingjarl.printed import TOWNS
from companion.games.vikingjarl.settling import pay_reward
from companion.games.vikingjarl.zone import waiting, wall_holds

Failure = Literal["held", "withdrawn", "nobody"]


def apply_losses(
    course: Course, battle: Battle, lost: Mapping[str, int], killed: Mapping[str, int]
) -> None:
    """Let both sides lose at once; under Valhalla the attacker's dead go to Kaupang."""
    course.tell(e.Fell(battle.place, sum(lost.values()), sum(killed.values())))
    to: Literal["supply", "kaupang"] = "kaupang" if battle.valhalla else "supply"
    for store, number in _there(course, battle.attacker, lost):
        course.tell(e.VikingsLost(battle.attacker, number, store, to))
    for store, number in _there(course, battle.defender, killed):
        course.tell(e.VikingsLost(battle.defender, number, store))
    course.become(
        replace(
            battle,
            front=_less(battle.front, lost),
            guard=_less(battle.guard, killed),
            step="judge",
            black=(),
            red=(),
            against=0,
            losses={},
        )
    )


def judge(
    course: Course, battle: Battle, *, reserves: bool = True, defender_reserves: bool = True
) -> None:
    """Say how the battle stands: reserves, defeat, victory, or another round (6.4)."""
    state = course.now
    if battle.attackers == 0 and (battle.manned or battle.defenders or wall_holds(state, battle)):
        if reserves and waiting(state, battle):
            course.become(replace(battle, step="reserve"))
        elif battle.kind == "garrison" and _succeeds_together(course, battle):
            _won(course, battle)
        else:
            standing = battle.defenders > 0
            _failed(course, battle, "held" if standing or battle.kind == "town" else "nobody")
        return
    if battle.defenders == 0 and not wall_holds(state, battle):
        resupply = bool(battle.defender) and state.on("defender_resupply") and battle.round > 0
        if resupply and defender_reserves and waiting(state, battle, defender=True):
            course.become(replace(battle, step="defender_reserve"))
        else:
            _won(course, battle)
        return
    course.become(replace(battle, step="roll"))


def give_up(course: Course, battle: Battle) -> None:
    """The attacker withdraws (R15: in the open nobody has won)."""
    _failed(course, battle, "withdrawn")


def _succeeds_together(course: Course, battle: Battle) -> bool:
    """True where a garrison that fell with its last attacker counts as beaten (R3)."""
    succeeds = course.before.switches["mutual_wipeout"] == "attacker_succeeds"
    return succeeds and battle.defenders == 0 and not battle.empty


# -------------------------------------------------------------------------------- the attack won


def _won(course: Course, battle: Battle) -> None:
    course.resolve()
    course.tell(_ended(battle, battle.attacker, "won"))
    _attack_below(course, battle)
    match battle.kind:
        case "town":
            _town_won(course, battle)
        case "field":
            if not battle.empty:
                course.change_victory(battle.attacker, 1, "battle")
            course.begin(Loot(battle.attacker, battle.defender, ("army",), battle.units))
        case "units":
            _units_beaten(course, battle)
        case "garrison":
            _settlement_taken(course, battle)


def _town_won(course: Course, battle: Battle) -> None:
    """Silver for each survivor, points, and what the shield's back offers (specification 7, 8).

    Paris and London pay their point with each success (R79).
    """
    jarl, town = battle.attacker, battle.place
    if TOWNS[town].kind == "pillage":
        counted = battle.attackers
        if course.before.switches["pillage_counts"] == "all_present":
            present = course.now.jarl(jarl)
            counted = sum(present.unit(name).hold.v for name in present.units_in(town))
        course.gain_silver(jarl, counted * course.box.number(f"{town}.silver"), town)
        course.change_victory(jarl, TOWNS[town].victory, town)
        course.tell(e.Pillaged(jarl, town))
        return
    seen = course.now.towns[town]
    course.change_victory(jarl, seen.vp or 0, town)
    if course.before.switches["vp_town_reward"] != "instead_of_fight":
        pay_reward(course, jarl, seen.reward or "none", battle.units, town)
    course.tell(e.ShieldRemoved(town))


def _units_beaten(course: Course, battle: Battle) -> None:
    """Units inside a Settlement are beaten: a point, loot, and they leave (R14, R16)."""
    beaten = tuple((battle.defender, unit) for unit in battle.stores)
    course.begin(Leaving(battle.place, _without_riders(course, beaten)))
    if course.before.switches["settlement_unit_vp"] == "on":
        if not battle.empty:
            course.change_victory(battle.attacker, 1, "battle")
        course.begin(Loot(battle.attacker, battle.defender, battle.stores, battle.units))


def _settlement_taken(course: Course, battle: Battle) -> None:
    """Damage a sound Settlement, and take the cubes that fit (specification 11)."""
    owner = course.now.jarl(battle.defender)
    settled = owner.settlements.get(battle.place)
    if settled is not None and not settled.damaged:
        floor = course.before.switches["vp_floor"] == "0"
        tile = TOWNS[battle.place].tile
        lost = min(tile, max(0, owner.vp)) if floor else tile
        course.tell(e.SettlementDamaged(owner.id, battle.place, lost))
        course.change_victory(owner.id, -tile, battle.place)
    course.begin(Loot(battle.attacker, owner.id, (battle.place,), battle.units, garrison=True))


# ------------------------------------------------------------------------------ the attack failed


def _failed(course: Course, battle: Battle, how: Failure) -> None:
    course.resolve()
    winner = "" if how == "nobody" else battle.defender or battle.place
    if how == "withdrawn" and battle.kind == "field":
        winner = ""
    course.tell(_ended(battle, winner, how))
    _attack_below(course, battle, over=True)
    switches = course.before.switches
    if battle.kind == "field":
        if how == "held" or (how == "withdrawn" and switches["field_withdraw"] == "defender_wins"):
            _defender_wins(course, battle)
        return
    attackers = tuple((battle.attacker, unit) for unit in battle.units)
    course.begin(Leaving(battle.place, _without_riders(course, attackers)))
    penalty = switches["settlement_penalty"]
    if battle.kind == "units" and penalty != "none":
        course.change_victory(battle.attacker, -1, "battle")
        course.change_victory(battle.defender, 1, "battle")
    if battle.kind == "garrison" and penalty == "any_failed_attack":
        course.change_victory(battle.attacker, -1, "battle")
        course.change_victory(battle.defender, 1, "battle")
    if battle.kind == "units" and how == "held":
        course.begin(Loot(battle.defender, battle.attacker, battle.units, battle.stores))


def _defender_wins(course: Course, battle: Battle) -> None:
    """The defender won in the open: a point where the attackers had a Viking, and loot (R16)."""
    if battle.manned:
        course.change_victory(battle.defender, 1, "battle")
    course.begin(Loot(battle.defender, battle.attacker, ("army",), battle.stores))


# ---------------------------------------------------------------------------------------- private


def _ended(battle: Battle, winner: str, how: Literal["won"] | Failure) -> e.BattleEnded:
    defender = battle.defender or "town"
    return e.BattleEnded(battle.place, winner, how, battle.attacker, defender)


def _attack_below(course: Course, battle: Battle, *, over: bool = False) -> Attack | None:
    """Let the attack know which units fought, and that it is over where it failed."""
    attack = course.now.top
    if not isinstance(attack, Attack):
        return None
    known = replace(attack, units=battle.units, step="end" if over else attack.step)
    if known != attack:
        course.become(known)
    return known


def _without_riders(
    course: Course, units: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Leave out an Army that rides on a Ship which leaves too: it goes along."""
    state = course.now
    return tuple(
        (id, unit)
        for id, unit in units
        if not (unit == "army" and (id, "ship") in units and state.jarl(id).riding)
    )


def _there(course: Course, id: str, lost: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the losses of a Jarl as far as its stores hold them still (a hand corrected them)."""
    if not id:
        return []
    jarl = course.now.jarl(id)
    return [(s, n) for s, number in lost.items() if (n := min(number, jarl.in_store(s, "v"))) > 0]


def _less(side: Mapping[str, int], lost: Mapping[str, int]) -> dict[str, int]:
    return {store: number - lost.get(store, 0) for store, number in side.items()}
