"""Battle: both sides in the Battlezone, the throws, the losses, reserves and withdrawal.

Rules [Battle]; specification section 6; R3 to R5, R40 to R45, R68, R73, R74, R89.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.actions import spend
from companion.games.vikingjarl.answers import numbers
from companion.games.vikingjarl.battle_questions import losses_choice
from companion.games.vikingjarl.battle_result import apply_losses, give_up, judge
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.dice import (
    COLOURS,
    FACES,
    attack_pool,
    by_side,
    counts,
    defence_pool,
    hits,
    together,
)
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import LIMITS, TOWNS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.zone import (
    after_default,
    all_up_to_five,
    available,
    spread,
    waiting,
    withdrawable,
)
from companion.terms import Answer, Dice, Done, Filled, NoSuchKey, Objection, Picked

_RULE = "Battle"
_STORES = ("ship", "army", "town", "kaupang", *TOWNS)


def _battle(state: State, *steps: str) -> Battle | None:
    """Return the battle that waits for this answer, None where there is none."""
    battle = state.top
    return battle if isinstance(battle, Battle) and battle.step in steps else None


# ------------------------------------------------------------------------------------- commit


def check_commit(state: State, answer: Answer) -> list[Objection]:
    """Place 1 to 5 Vikings of the units that attack (R73)."""
    shares = _shares(answer)
    battle = _battle(state, "commit")
    if battle is None:
        return [plain("not_now", _RULE)]
    if shares is None:
        return []
    return _check_zone(available(state, battle), shares, "R73")


def decide_commit(course: Course, answer: Answer) -> None:
    """The attackers stand in the Battlezone; the defenders are next."""
    battle = _battle(course.before, "commit")
    if battle is None:
        return
    ready = available(course.before, battle)
    shares = _shares(answer)
    chosen = all_up_to_five(ready) if shares is None else _within(shares, ready)
    course.become(replace(battle, front=chosen, manned=bool(chosen), step="defend"))


def check_defend(state: State, answer: Answer) -> list[Objection]:
    """Place 1 to 5 defenders, where the house lets the defender choose (R4)."""
    shares = _shares(answer)
    battle = _battle(state, "defend")
    if battle is None:
        return [plain("not_now", f"{_RULE}; R4")]
    if shares is None:
        return []
    return _check_zone(available(state, battle, defender=True), shares, "R4")


def decide_defend(course: Course, answer: Answer) -> None:
    """The defenders stand in the Battlezone."""
    battle = _battle(course.before, "defend")
    if battle is None:
        return
    ready = available(course.before, battle, defender=True)
    shares = _shares(answer)
    set_guard(course, battle, all_up_to_five(ready) if shares is None else _within(shares, ready))


def set_guard(course: Course, battle: Battle, guard: dict[str, int]) -> None:
    """Begin the battle proper: both sides are committed."""
    ready = replace(battle, guard=guard, empty=not guard, step="window")
    course.become(ready)
    course.tell(e.Committed(battle.attacker, battle.place, ready.attackers, ready.defenders))


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


def _shares(answer: Answer) -> dict[str, int] | None:
    """Return a form of numbers by store, None for the default ("it happened at the table")."""
    return None if isinstance(answer.value, Done) else numbers(answer, _STORES)


# ------------------------------------------------------------------------- withdraw, resupply


def check_go_on(state: State, answer: Answer) -> list[Objection]:
    """Withdraw before round 1 and between rounds; a wall or stronghold bars the first chance."""
    battle = _battle(state, "roll")
    ids = answer.value.ids if isinstance(answer.value, Picked) else ("go_on",)
    if ids not in {("go_on",), ("withdraw",)}:
        raise NoSuchKey(str(ids), "go_on or withdraw")
    if battle is None:
        return [plain("not_now", f"{_RULE}; R42")]
    if ids == ("withdraw",) and not withdrawable(battle):
        return [plain("no_withdrawal", f"{_RULE}; R42")]
    return []


def decide_go_on(course: Course, answer: Answer) -> None:
    """Go on with the battle, or give it up."""
    battle = _battle(course.before, "roll")
    if battle is None:
        return
    if answer.value == Picked(("withdraw",)):
        give_up(course, battle)
    else:
        course.tell(e.WentOn(battle.attacker))


def check_resupply(state: State, answer: Answer) -> list[Objection]:
    """Bring further Vikings into the zone, five at most (R74); the defender only by switch (R5)."""
    shares = _shares(answer) or {}
    battle = _battle(state, "roll", "reserve", "defender_reserve")
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
    battle = _battle(course.before, "roll", "reserve", "defender_reserve")
    if battle is None:
        return
    defending = _is_defender(course.before, battle, answer)
    ready = waiting(course.before, battle, defender=defending)
    side = battle.guard if defending else battle.front
    room = LIMITS.battlezone - sum(side.values())
    coming: dict[str, int] = {}
    for store, share in (_shares(answer) or {}).items():
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
        spend(course, jarl, name)
    units = (*battle.units, *new)
    course.become(replace(battle, front=joined, units=units, step="judge"))


def _is_defender(state: State, battle: Battle, answer: Answer) -> bool:
    if not battle.defender or not state.on("defender_resupply"):
        return False
    return battle.step == "defender_reserve" or answer.seat == battle.defender


# ------------------------------------------------------------------------------------ the roll


def check_roll(state: State, answer: Answer) -> list[Objection]:
    """As many dice of each colour as are thrown now, and whose a red one is."""
    battle = _thrown_for(state)
    thrown = _dice(answer)
    if battle is None:
        return [plain("not_now", _RULE)]
    if thrown is None:
        return []
    attack, defence = attack_pool(battle), defence_pool(battle, state.switches["defence_dice"])
    wanted = together(attack, defence)
    against: list[Objection] = []
    if counts(thrown.dice) != wanted:
        expected = {colour: wanted.get(colour, 0) for colour in COLOURS}
        against.append(objection("dice", _RULE, **expected))
    if not by_side(thrown.dice, attack, defence)[3]:
        against.append(plain("whose_red", _RULE))
    return against


def decide_roll(course: Course, answer: Answer) -> None:
    """Both sides threw together; a roll means the attacker went on."""
    if _thrown_for(course.before) is None:
        return
    waits = _battle(course.before, "losses")
    if waits is not None:
        made = min(hits((*waits.black, *waits.red)), waits.defenders)
        lost = spread(waits.front, min(waits.against, waits.attackers))
        apply_losses(course, waits, lost, spread(waits.guard, made))
        proceed(course, _top(course))
    battle = _top(course)
    thrown = _dice(answer)
    if thrown is None:
        course.become(replace(battle, step="survivors"))
        return
    attack = attack_pool(battle)
    defence = defence_pool(battle, course.before.switches["defence_dice"])
    black, red, white, _ = by_side(thrown.dice, attack, defence)
    against = hits(white)
    course.tell(e.Rolled(battle.place, battle.round + 1, hits((*black, *red)), against))
    course.become(
        replace(
            battle, black=black, red=red, against=against, round=battle.round + 1, step="losses"
        )
    )


def _thrown_for(state: State) -> Battle | None:
    """Return the battle as this throw finds it; losses that wait take their default."""
    waits = _battle(state, "losses")
    return _battle(state, "roll") if waits is None else after_default(state, waits)


def _top(course: Course) -> Battle:
    battle = course.now.top
    if not isinstance(battle, Battle):
        raise TypeError(f"a battle was expected on top, seen {battle!r}")
    return battle


def _dice(answer: Answer) -> Dice | None:
    if isinstance(answer.value, Done):
        return None
    if not isinstance(answer.value, Dice):
        raise NoSuchKey(type(answer.value).__name__, "dice")
    for die in answer.value.dice:
        if die.face not in FACES or die.colour not in COLOURS:
            raise NoSuchKey(f"{die.colour} {die.face}", "black, white or red; helmet or shield")
        if die.side not in (None, "", "attack", "defence"):
            raise NoSuchKey(str(die.side), "attack or defence")
    return answer.value


def check_survivors(state: State, answer: Answer) -> list[Objection]:
    """How many still stand after a throw that nobody wrote down; two a side fall at most."""
    left = _survivors(answer)
    battle = _battle(state, "survivors")
    if battle is None:
        return [plain("not_now", _RULE)]
    if left is None:
        return []
    stood = {"attackers": battle.attackers, "defenders": battle.defenders}
    return [
        objection("survivors", _RULE, n=min(LIMITS.hits, number), side=side)
        for side, number in stood.items()
        if not max(0, number - LIMITS.hits) <= left.get(side, number) <= number
    ]


def decide_survivors(course: Course, answer: Answer) -> None:
    """Take the losses that the survivors tell of."""
    battle = _battle(course.before, "survivors")
    if battle is None:
        return
    left = _survivors(answer) or {}
    lost = battle.attackers - max(0, left.get("attackers", battle.attackers))
    killed = battle.defenders - max(0, left.get("defenders", battle.defenders))
    fought = replace(battle, round=battle.round + 1)
    apply_losses(course, fought, spread(battle.front, lost), spread(battle.guard, killed))


def _survivors(answer: Answer) -> dict[str, int] | None:
    if isinstance(answer.value, Done):
        return None
    value = answer.value
    named = value.fields if isinstance(value, Filled) else {}
    left = {k: v for k, v in named.items() if isinstance(v, int) and not isinstance(v, bool)}
    if not isinstance(value, Filled) or set(named) - {"attackers", "defenders"} or left != named:
        raise NoSuchKey(str(value), "attackers and defenders, as numbers")
    return left


# ---------------------------------------------------------------------------------- the losses


def check_losses(state: State, answer: Answer) -> list[Objection]:
    """Say which unit bears which loss, or take the default."""
    shares = _shares(answer)
    battle = _battle(state, "losses", "defender_losses")
    if battle is None:
        return [plain("not_now", _RULE)]
    if not shares:
        return []
    side, lost = _bearing(battle)
    against = [
        objection("not_so_many", _RULE, n=side.get(store, 0))
        for store, share in shares.items()
        if not 0 <= share <= side.get(store, 0)
    ]
    if sum(shares.values()) != lost:
        against.append(objection("losses", _RULE, n=lost))
    return against


def decide_losses(course: Course, answer: Answer) -> None:
    """Take the losses of both sides at once, after the defender's choice where it has one."""
    battle = _battle(course.before, "losses", "defender_losses")
    if battle is None:
        return
    side, lost = _bearing(battle)
    shares = _shares(answer)
    fits = bool(shares) and sum(shares.values()) == lost
    fits = fits and all(0 <= n <= side.get(s, 0) for s, n in (shares or {}).items())
    chosen = shares if fits and shares else spread(side, lost)
    take_losses(course, battle, chosen)


def take_losses(course: Course, battle: Battle, chosen: dict[str, int]) -> None:
    """Go on to the defender's choice, or let both sides lose what they lose."""
    if battle.step == "losses":
        if losses_choice(battle, defender=True):
            course.become(replace(battle, losses=chosen, step="defender_losses"))
            return
        killed = min(hits((*battle.black, *battle.red)), battle.defenders)
        apply_losses(course, battle, chosen, spread(battle.guard, killed))
    else:
        apply_losses(course, battle, battle.losses, chosen)


def _bearing(battle: Battle) -> tuple[dict[str, int], int]:
    if battle.step == "losses":
        return battle.front, min(battle.against, battle.attackers)
    return battle.guard, min(hits((*battle.black, *battle.red)), battle.defenders)


# --------------------------------------------------------------------------------- how it goes on


def proceed(course: Course, battle: Battle) -> bool:
    """Take the next step that needs no word from people; False where one is needed."""
    state = course.now
    thinner = _thinned(state, battle)
    if thinner is not None:
        course.become(thinner)
        return True
    match battle.step:
        case "commit":
            if any(available(state, battle).values()):
                return False
            course.become(replace(battle, step="defend"))
        case "defend":
            ready = available(state, battle, defender=True)
            choosing = battle.defender and state.switches["defender_commit"] == "free_min_1"
            if choosing and sum(ready.values()) > 1:
                return False
            set_guard(course, battle, all_up_to_five(ready))
        case "window":
            if _may_wall(state, battle):
                return False
            course.become(replace(battle, step="judge"))
        case "judge":
            judge(course, battle)
        case "losses":
            if _tyr_may_follow(state, battle) or losses_choice(battle):
                return False
            take_losses(course, battle, spread(battle.front, min(battle.against, battle.attackers)))
        case _:
            return False
    return True


def _may_wall(state: State, battle: Battle) -> bool:
    """True where an undefended place could still be defended by a Saga, as far as all can see."""
    if not battle.defender or battle.defenders or battle.shield_wall:
        return False
    return state.hand(state.jarl(battle.defender)).size > 0


def _tyr_may_follow(state: State, battle: Battle) -> bool:
    if state.hand(state.jarl(battle.attacker)).size < 1 or "shield" not in battle.black:
        return False
    made = hits((*battle.black, *battle.red))
    return made < min(LIMITS.hits, battle.defenders)


def _thinned(state: State, battle: Battle) -> Battle | None:
    """Return the battle with no more in the zone than their units hold (a Saga took the others)."""
    front = _held(state.jarl(battle.attacker), battle.front)
    guard = battle.guard
    if battle.defender:
        guard = _held(state.jarl(battle.defender), battle.guard)
    if front == battle.front and guard == battle.guard:
        return None
    return replace(battle, front=front, guard=guard, step=battle.step)


def _held(jarl: Jarl, side: dict[str, int]) -> dict[str, int]:
    return {store: min(number, max(0, jarl.in_store(store, "v"))) for store, number in side.items()}
