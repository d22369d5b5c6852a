"""The losses of a throw: which unit bears them, and both sides lose at once.

Rules [Battle]; specification 6.3 and 6.6; R44.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl.answers import shares_of
from companion.games.vikingjarl.battle_questions import losses_choice
from companion.games.vikingjarl.battle_result import apply_losses
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.dice import hits
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import State
from companion.games.vikingjarl.zone import battle_at, spread
from companion.terms import Answer, Objection

_RULE = "Battle"


def check_losses(state: State, answer: Answer) -> list[Objection]:
    """Say which unit bears which loss, or take the default."""
    shares = shares_of(answer)
    battle = battle_at(state, "losses", "defender_losses")
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
    battle = battle_at(course.before, "losses", "defender_losses")
    if battle is None:
        return
    side, lost = _bearing(battle)
    shares = shares_of(answer)
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
