"""How a battle goes on: round after round until one side stands, or the attacker withdraws.

Rules [Battle]; specification 6.4; R40 to R43, R89. Who fights stands in `battle_commit`, the throw
in `battle_throw`, its losses in `battle_losses`, what comes of it all in `battle_result`.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.battle_commit import set_guard
from companion.games.vikingjarl.battle_losses import take_losses
from companion.games.vikingjarl.battle_questions import losses_choice
from companion.games.vikingjarl.battle_result import give_up, judge
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.dice import hits
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import LIMITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.zone import (
    all_up_to_five,
    available,
    battle_at,
    goes_on,
    spread,
    withdrawable,
)
from companion.terms import Answer, NoSuchKey, Objection, Picked, say

_RULE = "Battle"


def check_go_on(state: State, answer: Answer) -> list[Objection]:
    """Withdraw before round 1 and between rounds; a wall or stronghold bars the first chance."""
    battle = battle_at(state, "roll")
    ids = answer.value.ids if isinstance(answer.value, Picked) else ("go_on",)
    if ids not in {("go_on",), ("withdraw",)}:
        raise NoSuchKey(answer.value, say("expected.one_of", known=["go_on", "withdraw"]))
    if battle is None:
        return [plain("not_now", f"{_RULE}; R42")]
    if goes_on(battle):
        return [objection("goes_on", f"{_RULE}; R42", round=battle.round + 1)]
    if ids == ("withdraw",) and not withdrawable(battle):
        return [plain("no_withdrawal", f"{_RULE}; R42")]
    return []


def decide_go_on(course: Course, answer: Answer) -> None:
    """Go on with the battle, or give it up."""
    battle = battle_at(course.before, "roll")
    if battle is None:
        return
    if answer.value == Picked(("withdraw",)):
        give_up(course, battle)
    else:
        course.tell(e.WentOn(battle.attacker))
        course.become(replace(battle, on_to=battle.round + 1))


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
