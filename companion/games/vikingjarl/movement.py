"""Movement of Ship and Army, step by step; where no map tells, the mover is trusted.

Rules [Movement]; specification sections 4.1 and 5, R69 to R71.
"""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.facts import is_place
from companion.games.vikingjarl.printed import LIMITS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import Ruling, objection
from companion.games.vikingjarl.state import Jarl, Phase, State
from companion.terms import (
    Answer,
    Count,
    NoSuchKey,
    Number,
    Objection,
    Option,
    Place,
    Placed,
    Question,
    say,
)

_AFTER_STEP: dict[str, Phase] = {
    "fresh": "moved",
    "moved": "moved",
    "acted": "acted_moved",
    "acted_moved": "acted_moved",
}
_TOWNS = tuple(Option(id, say(f"place.{id}")) for id in (*TOWNS, "kaupang"))
_SEA = (
    *_TOWNS,
    Option("vinland", say("place.vinland")),
    Option("midjardarhaf", say("place.midjardarhaf")),
)
_WANTS = {"ship": Place("north", _SEA, free=True), "army": Place("north", _TOWNS, free=True)}
_RULE = "Movement"


def questions(state: State) -> tuple[Question, ...]:
    """Offer the steps that are left, and boarding and landing where both are in one town."""
    jarl = state.active
    seats = (jarl.id,)
    offers: list[Question] = []
    for name in UNITS:
        left = steps_left(jarl, name)
        if jarl.unit(name).phase in _AFTER_STEP and left > 0 and not _aboard(jarl, name):
            offers.append(
                Question(
                    f"{jarl.id}.{name}.move",
                    seats,
                    say(f"question.move.{name}", n=left),
                    _WANTS[name],
                    urgency="offer",
                    group=name,
                    done=False,
                    rule=_RULE,
                )
            )
    if jarl.army.at == "ship":
        if in_town(jarl.ship.at):
            offers.append(
                Question(
                    f"{jarl.id}.land",
                    seats,
                    say("question.land"),
                    None,
                    urgency="offer",
                    group="army",
                    rule=_RULE,
                )
            )
    elif jarl.army.at == jarl.ship.at:
        offers.append(
            Question(
                f"{jarl.id}.board",
                seats,
                say("question.board"),
                None,
                urgency="offer",
                group="army",
                rule=_RULE,
            )
        )
    if state.last_moved and state.last_moved[0] == jarl.id:
        offers.append(
            Question(
                "move.steps",
                seats,
                say("question.steps", unit=state.last_moved[1]),
                Count(1, 6),
                urgency="offer",
                group=state.last_moved[1],
                done=False,
                rule=_RULE,
            )
        )
    return tuple(offers)


def steps_left(jarl: Jarl, name: str) -> int:
    """Return the own steps that a unit still has this turn (R69: one for an Army that rode)."""
    unit = jarl.unit(name)
    if unit.stopped:
        return 0
    allowed = LIMITS.ship_steps if name == "ship" else (1 if unit.rode else LIMITS.army_steps)
    return allowed + unit.bonus - unit.steps


def in_town(place: str) -> bool:
    """True for a town, Kaupang or a Settlement: places where an Army boards and lands."""
    return place in TOWNS or place == "kaupang"


def rule_move(state: State, answer: Answer, id: str, name: str) -> Ruling:
    """One step into a place: a free unit, a step left, the right kind of place, nobody inside."""
    if not isinstance(answer.value, Placed):
        raise NoSuchKey(type(answer.value).__name__, "a place")
    place = answer.value.place
    if not is_place(place):
        raise NoSuchKey(place, "a town, kaupang, or a label sea_... or land_...")
    jarl, unit = state.jarl(id), state.jarl(id).unit(name)
    against = _turn(state, jarl)
    if unit.phase not in _AFTER_STEP:
        against.append(objection(f"phase.{unit.phase}", _RULE, unit=name))
    elif steps_left(jarl, name) < 1:
        against.append(objection("no_steps", f"{_RULE}; R69", unit=name))
    if _aboard(jarl, name):
        against.append(objection("aboard", _RULE))
    wrong = "land_" if name == "ship" else "sea_"
    if place.startswith(wrong) or (name == "army" and place in ("vinland", "midjardarhaf")):
        against.append(objection(f"wrong_zone.{name}", _RULE))
    against += _occupied(state, jarl, place)
    carried = name == "ship" and jarl.army.at == "ship"
    phase = _AFTER_STEP.get(unit.phase, unit.phase)
    events: list[Any] = [e.Stepped(id, name, place, 1, phase, carried)]
    if name == "army" and jarl.ship.at == unit.at and unit.rode and not in_town(place):
        events.append(e.Stopped(id, "ship"))
    if name == "ship" and state.tokens.get(place, False):
        events += [e.TokenTaken(id, place), e.VictoryChanged(id, 1, place), e.Stopped(id, name)]
    if place == "kaupang" and jarl.vp >= state.target and jarl is state.active:
        events.append(e.Won([id]))
    return Ruling(tuple(against), tuple(events))


def rule_steps(state: State, answer: Answer) -> Ruling:
    """Correct how many steps the last move took."""
    if not isinstance(answer.value, Number):
        raise NoSuchKey(type(answer.value).__name__, "a number of steps")
    if not state.last_moved:
        return Ruling((objection("nobody_moved", _RULE),))
    id, name = state.last_moved
    jarl, unit = state.jarl(id), state.jarl(id).unit(name)
    more = answer.value.value - 1
    against = [] if steps_left(jarl, name) >= more else [objection("no_steps", _RULE, unit=name)]
    if more < 0:
        against = [objection("bounds", _RULE, low=1, high=6, n=answer.value.value)]
        more = 0
    return Ruling(tuple(against), (e.Stepped(id, name, unit.at, more, unit.phase),))


def rule_board(state: State, answer: Answer, id: str) -> Ruling:
    """Take the Army aboard: free, in a town, by the one-step cases of the rulebook."""
    jarl = state.jarl(id)
    against = _turn(state, jarl)
    army, ship = jarl.army, jarl.ship
    if army.at != ship.at or not in_town(ship.at):
        against.append(objection("not_together", _RULE))
    elif army.steps and ship.started_in != ship.at:
        against.append(objection("army_walked_in", f"{_RULE} V"))
    elif army.steps > 1:
        against.append(objection("one_step", f"{_RULE} III"))
    if army.phase == "recruited" and state.switches["recruit_then_carry"] == "off":
        against.append(objection("recruits_stay", "Recruitment; R26"))
    return Ruling(tuple(against), (e.Put(id, "army", "ship", "board"),))


def rule_land(state: State, answer: Answer, id: str) -> Ruling:
    """Put the Army ashore in the town where the Ship lies: free."""
    jarl = state.jarl(id)
    against = _turn(state, jarl)
    if jarl.army.at != "ship":
        against.append(objection("not_aboard", _RULE))
    elif not in_town(jarl.ship.at):
        against.append(objection("at_sea", _RULE))
    return Ruling(tuple(against), (e.Put(id, "army", jarl.ship.at, "land"),))


def _turn(state: State, jarl: Jarl) -> list[Objection]:
    return [] if jarl is state.active else [objection("not_your_turn", "Gameplay", jarl=jarl.id)]


def _aboard(jarl: Jarl, name: str) -> bool:
    return name == "army" and jarl.army.at == "ship"


def _occupied(state: State, jarl: Jarl, place: str) -> list[Objection]:
    """A pillage town or unsettled VP town holds one Jarl's units only (specification 2.5)."""
    if place not in TOWNS or TOWNS[place].kind == "trade":
        return []
    if any(place in other.settlements for other in state.jarls):
        return []
    return [
        objection("occupied", "Towns and Places", jarl=other.id, town=place)
        for other in state.jarls
        if other is not jarl and place in (other.place_of("ship"), other.place_of("army"))
    ]
