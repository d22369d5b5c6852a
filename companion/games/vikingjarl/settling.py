"""Settling, repairing, and goods collected without a fight.

Rules [Settling; Attacking Settlements]; specification sections 8, 10 and 12; R7, R8, R12, R19, R66,
R76.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.alternative_rules import opponents
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Attack, Turning
from companion.games.vikingjarl.phases import may_act, spend_action
from companion.games.vikingjarl.places import occupied, owner_of
from companion.games.vikingjarl.printed import GAINS, KINDS, LIMITS, TOWNS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Objection

ACTIONS = ("settle", "repair", "collect")
_RULE, _REPAIR = "Settling", "Attacking Settlements"


def possible(state: State, jarl: Jarl, name: str, town: str) -> list[str]:
    """Return what a unit may do here: `settle:TOWN`, `repair:TOWN`, `collect:TOWN`."""
    return [f"{a}:{town}" for a in ACTIONS if not against(state, jarl, name, a, town)]


def against(state: State, jarl: Jarl, name: str, action: str, town: str) -> list[Objection]:
    """Say what is against settling, repairing or collecting in a town."""
    if action == "settle":
        return _against_settling(state, jarl, name, town)
    if action == "repair":
        return _against_repair(state, jarl, name, town)
    return _against_collecting(state, jarl, name, town)


def _against_settling(state: State, jarl: Jarl, name: str, town: str) -> list[Objection]:
    if TOWNS[town].kind != "vp":
        return [objection("no_building_site", _RULE, town=town)]
    if jarl.place_of(name) != town:
        return [objection("not_there", _RULE, town=town, unit=name)]
    if owner_of(state, town) is not None:
        return [objection("settled_already", _RULE, town=town)]
    objections = occupied(state, jarl, town)
    if town in jarl.attacked:
        objections.append(objection("attacked_today", f"{_RULE}; R12", town=town))
    if len(jarl.settlements) >= LIMITS.settlements:
        objections.append(plain("no_shield_left", f"{_RULE}; Components"))
    here = jarl.units_in(town)
    if any(not sum(jarl.unit(n).hold.of(kind) for n in here) for kind in KINDS):
        objections.append(plain("three_cubes", f"{_RULE}; R66"))
    return objections


def _against_repair(state: State, jarl: Jarl, name: str, town: str) -> list[Objection]:
    settled = jarl.settlements.get(town)
    if settled is None:
        return [objection("no_settlement", _REPAIR, town=town)]
    if jarl.place_of(name) != town:
        return [objection("not_there", _REPAIR, town=town, unit=name)]
    objections: list[Objection] = []
    if not settled.damaged:
        objections.append(objection("is_sound", f"{_REPAIR}; R19", town=town))
    if _guests(state, jarl, town) and not jarl.unit(name).hold.v:
        others = [n for n in jarl.units_in(town) if n != name and jarl.unit(n).hold.v]
        able = [n for n in others if may_act(jarl.unit(n))]
        if not able:
            objections.append(plain("no_vikings", f"{_REPAIR}; R76"))
    return objections


def _against_collecting(state: State, jarl: Jarl, name: str, town: str) -> list[Objection]:
    if state.switches["vp_town_reward"] == "with_victory":
        return [plain("goods_after_victory", "Pillage and VP; R7")]
    if TOWNS[town].kind != "vp" or state.towns[town].shield == "removed":
        return [objection("no_shield", "Pillage and VP; R7", town=town)]
    if jarl.place_of(name) != town:
        return [objection("not_there", "Pillage and VP", town=town, unit=name)]
    if owner_of(state, town) is not None:
        return [objection("settled_already", "Pillage and VP", town=town)]
    return occupied(state, jarl, town)


def _guests(state: State, jarl: Jarl, town: str) -> bool:
    return any(opponents(state, jarl, other) and other.units_in(town) for other in state.jarls)


# ------------------------------------------------------------------------------ what it leads to


def decide(course: Course, jarl: Jarl, name: str, action: str, town: str) -> None:
    """Spend the Action; found, repair (after a fight with whoever is inside, R76) or collect."""
    spend_action(course, jarl, name)
    if action == "repair":
        if _guests(course.before, jarl, town):
            alone = course.before.switches["repair_after_fight"] == "separate"
            kind = "evict" if alone else "repair"
            course.tell(e.AttackDeclared(jarl.id, town, jarl.id))
            course.begin(Attack(jarl.id, kind, town, (name,), jarl.id))
        else:
            repair(course, jarl.id, town)
        return
    if action == "settle" and owner_of(course.before, town) is not None:
        return
    if town not in course.before.towns or TOWNS[town].kind != "vp":
        return
    shield = course.before.towns[town].shield
    pays = action == "collect" or course.before.switches["unfought_shield"] == "pays_goods"
    if pays and shield != "removed":
        course.begin(Turning(jarl.id, name, town, "settle" if action == "settle" else "collect"))
    elif action == "settle":
        found(course, jarl.id, town)


def turned(course: Course, turning: Turning) -> None:
    """The shield lies open: pay its goods, take it away, and found what is to be founded."""
    course.resolve()
    reward = course.now.towns[turning.town].reward or "none"
    here = course.now.jarl(turning.jarl).units_in(turning.town) or (turning.unit,)
    if turning.then == "settle":
        found(course, turning.jarl, turning.town)
        pay_reward(course, turning.jarl, reward, here, turning.town)
    else:
        pay_reward(course, turning.jarl, reward, here, turning.town)
        course.tell(e.ShieldRemoved(turning.town))


def found(course: Course, id: str, town: str) -> None:
    """Pay a cube of each kind, take the tile and its points; a shield left leaves unseen (R8)."""
    jarl = course.before.jarl(id)
    for kind in KINDS:
        for name in jarl.units_in(town):
            if jarl.unit(name).hold.of(kind):
                course.tell(e.CubesSpent(id, kind, 1, name))
                break
    course.tell(e.Settled(id, town))
    if course.before.towns[town].shield != "removed":
        course.tell(e.ShieldRemoved(town))
    course.change_victory(id, TOWNS[town].tile, town)


def repair(course: Course, id: str, town: str) -> None:
    """Turn the shield to its crest; the points of the tile come back (R19)."""
    settled = course.now.jarl(id).settlements.get(town)
    if settled is None or not settled.damaged:
        return
    lost = course.before.switches["repair_returns"] == "amount_lost"
    points = settled.lost if lost else TOWNS[town].tile
    course.tell(e.Repaired(id, town))
    course.change_victory(id, points, town)


def pay_reward(course: Course, id: str, reward: str, units: tuple[str, ...], town: str) -> None:
    """Pay the back of a VP town's shield: 2 silver, or a cube where there is room (R7, R77).

    A cube that finds no space is forfeited, for cargo is never dropped for it; the story says so.
    """
    if reward == "silver":
        course.gain_silver(id, GAINS.reward_silver, town)
    elif reward in KINDS:
        jarl = course.now.jarl(id)
        unit = next((name for name in units if jarl.room(name) > 0), None)
        if course.now.cubes(reward) < 1:
            course.tell(e.CubesForfeited(id, reward, 1, "bank_empty"))
        elif unit is None:
            course.tell(e.CubesForfeited(id, reward, 1, "no_room"))
        else:
            course.tell(e.CubesGained(id, reward, 1, unit))
