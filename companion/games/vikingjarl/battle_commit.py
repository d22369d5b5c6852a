"""Who goes into the Battlezone: the attackers, the defenders, and reserves between rounds.

Rules [Battle]; specification 6.1 and 6.4; R4, R5, R68, R73, R74.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import shares_of
from companion.games.vikingjarl.battle_result import judge
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.phases import spend_action
from companion.games.vikingjarl.printed import LIMITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import State
from companion.games.vikingjarl.zone import all_up_to_five, available, battle_at, waiting
from companion.terms import Answer, Objection

_RULE = "Battle"


def check_commit(state: State, answer: Answer) -> list[Objection]:
    """Place 1 to 5 Vikings of the units that attack (R73)."""
    shares = shares_of(answer)
    battle = battle_at(state, "commit")
    if battle is None:
        return [plain("not_now", _RULE)]
    if shares is None:
        return []
    return _check_zone(available(state, battle), shares, "R73")


def decide_commit(course: Course, answer: Answer) -> None:
    """The attackers stand in the Battlezone; the defenders are next."""
    battle = battle_at(course.before, "commit")
    if battle is None:
        return
    ready = available(course.before, battle)
    shares = shares_of(answer)
    chosen = all_up_to_five(ready) if shares is None else _within(shares, ready)
    course.become(replace(battle, front=chosen, manned=bool(chosen), step="defend"))


def check_defend(state: State, answer: Answer) -> list[Objection]:
    """Place 1 to 5 defenders, where the house lets the defender choose (R4)."""
    shares = shares_of(answer)
    battle = battle_at(state, "defend")
    if battle is None:
        return [plain("not_now", f"{_RULE}; R4")]
    if shares is None:
        return []
    return _check_zone(available(state, battle, defender=True), shares, "R4")


def decide_defend(course: Course, answer: Answer) -> None:
    """The defenders stand in the Battlezone."""
    battle = battle_at(course.before, "defend")
    if battle is None:
        return
    ready = available(course.before, battle, defender=True)
    shares = shares_of(answer)
    set_guard(course, battle, all_up_to_five(ready) if shares is None else _within(shares, ready))


def set_guard(course: Course, battle: Battle, guard: dict[str, int]) -> None:
    """Begin the battle proper: both sides are committed."""
    ready = replace(battle, guard=guard, empty=not guard, step="window")
    course.become(ready)
    course.tell(e.Committed(battle.attacker, battle.place, ready.attackers, ready.defenders))


def check_resupply(state: State, answer: Answer) -> list[Objection]:
    """Bring further Vikings into the zone, five at most (R74); the defender only by switch (R5)."""
    shares = shares_of(answer) or {}
    battle = battle_at(state, "roll", "reserve", "defender_reserve")
    if battle is None:
        return [plain("not_now", f"{_RULE}; R74")]
    defending = _is_defender(state, battle, answer)
    ready = waiting(state, battle, defender=defending)
    against = [
        objection("not_so_many", _RULE, n=ready.get(store, 0))
        for store, share in shares.items()
        if not 0 <= share <= ready.get(store, 0)
    ]
    standing = battle.defenders if defending else battle.attackers
    if standing + sum(shares.values()) > LIMITS.battlezone:
        against.append(plain("battlezone", f"{_RULE}; R74"))
    return against


def decide_resupply(course: Course, answer: Answer) -> None:
    """Further Vikings stand in the zone; without them, whoever has none standing has lost."""
    battle = battle_at(course.before, "roll", "reserve", "defender_reserve")
    if battle is None:
        return
    defending = _is_defender(course.before, battle, answer)
    ready = waiting(course.before, battle, defender=defending)
    side = battle.guard if defending else battle.front
    room = LIMITS.battlezone - sum(side.values())
    coming: dict[str, int] = {}
    for store, share in (shares_of(answer) or {}).items():
        number = max(0, min(share, ready.get(store, 0), room - sum(coming.values())))
        if number:
            coming[store] = number
    if not coming:
        if battle.step == "reserve":
            judge(course, battle, reserves=False)
        elif battle.step == "defender_reserve":
            judge(course, battle, defender_reserves=False)
        return
    joined = {s: side.get(s, 0) + coming.get(s, 0) for s in dict.fromkeys((*side, *coming))}
    course.tell(
        e.Resupplied(battle.defender if defending else battle.attacker, sum(coming.values()))
    )
    if defending:
        course.become(replace(battle, guard=joined, step="judge"))
        return
    jarl = course.before.jarl(battle.attacker)
    new = tuple(name for name in coming if name not in battle.units)
    for name in new:
        spend_action(course, jarl, name)
    units = (*battle.units, *new)
    course.become(replace(battle, front=joined, units=units, step="judge"))


def _is_defender(state: State, battle: Battle, answer: Answer) -> bool:
    if not battle.defender or not state.on("defender_resupply"):
        return False
    return battle.step == "defender_reserve" or answer.seat == battle.defender


def _check_zone(ready: Mapping[str, int], shares: dict[str, int], ruling: str) -> list[Objection]:
    against = [
        objection("not_so_many", _RULE, n=ready.get(store, 0))
        for store, share in shares.items()
        if not 0 <= share <= ready.get(store, 0)
    ]
    if sum(shares.values()) > LIMITS.battlezone:
        against.append(plain("battlezone", f"{_RULE}; R74"))
    if sum(shares.values()) < 1:
        against.append(plain("at_least_one", f"{_RULE}; {ruling}"))
    return against


def _within(shares: Mapping[str, int], ready: Mapping[str, int]) -> dict[str, int]:
    """Return these shares as far as Vikings and the five places of the Battlezone reach."""
    left, kept = LIMITS.battlezone, dict[str, int]()
    for store, share in shares.items():
        number = max(0, min(share, ready.get(store, 0), left))
        if number:
            kept[store] = number
            left -= number
    return kept
