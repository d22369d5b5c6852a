"""The throw of both sides: as many dice as are thrown now, and what they hit.

Rules [Battle]; specification 6.2 and 6.3; R1, R2.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.battle import proceed
from companion.games.vikingjarl.battle_result import apply_losses
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
from companion.games.vikingjarl.printed import LIMITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import State
from companion.games.vikingjarl.zone import after_default, battle_at, spread
from companion.terms import Answer, Dice, Done, Filled, NoSuchKey, Objection, say

_RULE = "Battle"


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
    waits = battle_at(course.before, "losses")
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
    wasted = any(side.count("helmet") > LIMITS.hits for side in ((*black, *red), white))
    course.tell(
        e.Rolled(
            battle.place,
            battle.round + 1,
            hits((*black, *red)),
            against,
            "two" if wasted else "all",
        )
    )
    course.become(
        replace(
            battle, black=black, red=red, against=against, round=battle.round + 1, step="losses"
        )
    )


def check_survivors(state: State, answer: Answer) -> list[Objection]:
    """How many still stand after a throw that nobody wrote down; two a side fall at most."""
    left = _survivors(answer)
    battle = battle_at(state, "survivors")
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
    battle = battle_at(course.before, "survivors")
    if battle is None:
        return
    left = _survivors(answer) or {}
    lost = battle.attackers - max(0, left.get("attackers", battle.attackers))
    killed = battle.defenders - max(0, left.get("defenders", battle.defenders))
    fought = replace(battle, round=battle.round + 1)
    apply_losses(course, fought, spread(battle.front, lost), spread(battle.guard, killed))


def _thrown_for(state: State) -> Battle | None:
    """Return the battle as this throw finds it; losses that wait take their default."""
    waits = battle_at(state, "losses")
    return battle_at(state, "roll") if waits is None else after_default(state, waits)


def _top(course: Course) -> Battle:
    battle = course.now.top
    if not isinstance(battle, Battle):
        raise TypeError(f"a battle was expected on top, seen {battle!r}")
    return battle


def _dice(answer: Answer) -> Dice | None:
    if isinstance(answer.value, Done):
        return None
    if not isinstance(answer.value, Dice):
        raise NoSuchKey(answer.value, say("expected.dice"))
    for die in answer.value.dice:
        if die.face not in FACES or die.colour not in COLOURS:
            raise NoSuchKey(f"{die.colour} {die.face}", say("expected.die"))
        if die.side not in (None, "", "attack", "defence"):
            raise NoSuchKey(die.side, say("expected.one_of", known=["attack", "defence"]))
    return answer.value


def _survivors(answer: Answer) -> dict[str, int] | None:
    if isinstance(answer.value, Done):
        return None
    value = answer.value
    named = value.fields if isinstance(value, Filled) else {}
    left = {k: v for k, v in named.items() if isinstance(v, int) and not isinstance(v, bool)}
    if not isinstance(value, Filled) or set(named) - {"attackers", "defenders"} or left != named:
        raise NoSuchKey(value, say("expected.survivors"))
    return left
