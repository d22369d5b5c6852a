"""What a battle asks: commit, throw, losses, reserves, and the moment for a Saga of defence.

Rules [Battle]; specification section 6.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl.dice import FACES, attack_pool, defence_pool, hits, together
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import KINDS, LIMITS
from companion.games.vikingjarl.state import State
from companion.games.vikingjarl.zone import (
    after_default,
    all_up_to_five,
    available,
    goes_on,
    spread,
    waiting,
    withdrawable,
)
from companion.terms import Count, Done, Faces, Field, Filled, Form, Option, Pick, Question, say

_RULE = "Battle"
_GO_ON = Option("go_on", say("battle.go_on"))
_WITHDRAW = Option("withdraw", say("battle.withdraw"))

Shares = tuple[tuple[str, int, int], ...]
"""Fields of a form: store, most, start."""


def questions(battle: Battle, state: State) -> list[Question]:
    """Ask for what the battle waits for."""
    match battle.step:
        case "commit" | "defend":
            defender = battle.step == "defend"
            ready = available(state, battle, defender=defender)
            start = all_up_to_five(ready)
            shares = tuple(
                (s, min(n, LIMITS.battlezone), start.get(s, 0)) for s, n in ready.items()
            )
            seat = battle.defender if defender else battle.attacker
            return [_commit(battle.step, seat, battle.place, shares)]
        case "roll":
            return _roll_and_offers(battle, state)
        case "survivors":
            return [_survivors(battle.place, battle.attackers, battle.defenders)]
        case "losses":
            later = after_default(state, battle)
            return [_losses_of(battle), *([_next_throw(later, state)] if later else [])]
        case "defender_losses":
            return [_losses_of(battle)]
        case "reserve":
            return [_resupply(battle.attacker, battle.place, _waiting(state, battle), True)]
        case "defender_reserve":
            ready = _waiting(state, battle, defender=True)
            return [_resupply(battle.defender, battle.place, ready, True)]
        case _:
            return []


def losses_choice(battle: Battle, *, defender: bool = False) -> bool:
    """True where two units of a side fight and it matters which of them loses a Viking."""
    side = battle.guard if defender else battle.front
    lost = hits((*battle.black, *battle.red)) if defender else battle.against
    if defender and not battle.defender:
        return False
    return 0 < lost < sum(side.values()) and sum(n > 0 for n in side.values()) > 1


def _roll_and_offers(battle: Battle, state: State) -> list[Question]:
    attack = attack_pool(battle)
    defence = defence_pool(battle, state.switches["defence_dice"])
    sides = (tuple(attack.items()), tuple(defence.items()))
    asked = [
        _roll(
            battle.attacker,
            battle.place,
            battle.round + 1,
            battle.attackers,
            battle.defenders,
            sides,
            _no_room_for(battle, state),
        )
    ]
    if withdrawable(battle) and not goes_on(battle):
        asked.append(_go_on(battle.attacker, battle.round + 1))
    ready = _waiting(state, battle)
    if ready and battle.attackers < LIMITS.battlezone:
        asked.append(_resupply(battle.attacker, battle.place, ready, False))
    elif battle.defender and state.on("defender_resupply"):
        ready = _waiting(state, battle, defender=True)
        if ready and battle.defenders < LIMITS.battlezone:
            asked.append(_resupply(battle.defender, battle.place, ready, False))
    return asked


def _no_room_for(battle: Battle, state: State) -> str:
    """Return the kind of cube that victory pays but no fighting unit has room for (R77), or ""."""
    seen = state.towns.get(battle.place) if battle.kind == "town" else None
    if seen is None or seen.reward not in KINDS:
        return ""
    if state.switches["vp_town_reward"] == "instead_of_fight":
        return ""
    jarl = state.jarl(battle.attacker)
    return "" if any(jarl.room(unit) > 0 for unit in battle.units) else seen.reward


def _next_throw(battle: Battle, state: State) -> Question:
    """The next fitting throw lets the losses that wait take their default."""
    return replace(_roll_and_offers(battle, state)[0], urgency="offer", group="battle")


def _waiting(state: State, battle: Battle, *, defender: bool = False) -> Shares:
    side = battle.defenders if defender else battle.attackers
    room = LIMITS.battlezone - side
    ready = waiting(state, battle, defender=defender)
    return tuple((store, min(number, room), 0) for store, number in ready.items())


@cache
def _form(shares: Shares) -> Form:
    return Form(
        tuple(Field(s, say(f"store.{s}"), Count(0, most), start) for s, most, start in shares)
    )


@cache
def _commit(step: str, seat: str, place: str, shares: Shares) -> Question:
    return Question(
        f"battle.{step}",
        (seat,),
        say(f"question.battle.{step}", place=place, jarl=seat),
        _form(shares),
        default=Filled({store: start for store, _, start in shares if start}),
        rule=f"{_RULE}; R4, R73",
    )


@cache
def _roll(
    attacker: str,
    place: str,
    round: int,
    attackers: int,
    defenders: int,
    sides: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]],
    no_room_for: str,
) -> Question:
    """Ask for both sides' dice at once. Whoever sits left throws for a town, ally or not (R87)."""
    attack = {colour: n for colour, n in sides[0] if n}
    defence = {colour: n for colour, n in sides[1] if n}
    pools = {"attack": attack, "defence": defence}
    many = any(sum(pool.values()) > LIMITS.hits for pool in (attack, defence))
    detail = say(
        "question.battle.dice",
        attack=[say(f"dice.{colour}", n=n) for colour, n in attack.items()],
        defence=[say(f"dice.{colour}", n=n) for colour, n in defence.items()],
        most=say("question.battle.dice_count") if many else "",
        room=say("question.battle.dice_room", kind=no_room_for) if no_room_for else "",
    )
    return Question(
        "battle.roll",
        (),
        say(
            "question.battle.roll",
            jarl=attacker,
            place=place,
            round=round,
            attackers=attackers,
            defenders=defenders,
        ),
        Faces(
            "battle",
            together(attack, defence),
            FACES,
            {side: pool for side, pool in pools.items() if pool},
        ),
        detail=detail,
        rule=_RULE,
    )


@cache
def _go_on(attacker: str, round: int) -> Question:
    return Question(
        "battle.go_on",
        (attacker,),
        say("question.battle.go_on", round=round),
        Pick((_GO_ON, _WITHDRAW)),
        urgency="offer",
        group="battle",
        done=False,
        rule=f"{_RULE}; R42",
    )


@cache
def _survivors(place: str, attackers: int, defenders: int) -> Question:
    fields = [
        Field(side, say(f"field.{side}"), Count(0, n), n)
        for side, n in (("attackers", attackers), ("defenders", defenders))
    ]
    return Question(
        "battle.survivors",
        (),
        say("question.battle.survivors", place=place),
        Form(tuple(fields)),
        done=False,
        rule=_RULE,
    )


def _losses_of(battle: Battle) -> Question:
    made = min(hits((*battle.black, *battle.red)), battle.defenders)
    lost = min(battle.against, battle.attackers)
    defending = battle.step == "defender_losses"
    side, number = (battle.guard, made) if defending else (battle.front, lost)
    shares: Shares = ()
    if losses_choice(battle, defender=defending):
        start = spread(side, number)
        shares = tuple((s, n, start.get(s, 0)) for s, n in side.items() if n)
    seat = battle.defender if defending else battle.attacker
    return _losses(seat, battle.place, lost, made, shares)


@cache
def _losses(seat: str, place: str, lost: int, killed: int, shares: Shares) -> Question:
    return Question(
        "battle.losses",
        (seat,),
        say("question.battle.losses", place=place, lost=lost, killed=killed),
        _form(shares) if shares else None,
        default=Done(),
        patient=True,
        rule=_RULE,
    )


@cache
def _resupply(seat: str, place: str, ready: Shares, last_chance: bool) -> Question:
    return Question(
        "battle.resupply",
        (seat,),
        say("question.battle.reserve" if last_chance else "question.battle.resupply", place=place),
        _form(ready),
        urgency="now" if last_chance else "offer",
        default=Filled({}),
        group="battle",
        rule=f"{_RULE}; R74",
    )
