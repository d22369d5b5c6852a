"""Movement of Ship and Army, step by step; where no map tells, the mover is trusted.

Rules [Movement]; specification sections 4.1 and 5, R26, R69 to R71, R81.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.phases import AFTER_STEP, may_act
from companion.games.vikingjarl.places import (
    in_town,
    is_land,
    is_sea,
    occupied,
    owner_of,
    placed,
    wants_place,
)
from companion.games.vikingjarl.printed import LIMITS, TOKENS, UNITS
from companion.games.vikingjarl.rulings import objection, own_turn, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.winning import enter_kaupang
from companion.terms import Answer, Count, Done, NoSuchKey, Number, Objection, Question, say

MOST_STEPS = 9  # of one move, with every Njord there is
_RULE = "Movement"


# ------------------------------------------------------------------------------ what is asked


def questions(state: State) -> list[Question]:
    """Offer the steps that are left, and boarding and landing where both are in one town."""
    jarl = state.active
    asked: list[Question] = []
    for name in UNITS:
        if jarl.unit(name).phase in AFTER_STEP and not aboard(jarl, name):
            left = steps_left(jarl, name)
            if left > 0 and not (name == "ship" and _recruits_aboard(state, jarl)):
                asked.append(_move(jarl.id, name, left))
    if jarl.riding:
        if in_town(jarl.ship.at):
            asked.append(_free(jarl.id, "land"))
    elif not _against_boarding(jarl):
        asked.append(_free(jarl.id, "board"))
    if state.moved is not None and state.moved[0] == jarl.id:
        more = _steps_allowed(jarl, state.moved[1]) - jarl.unit(state.moved[1]).steps
        if more > 0:
            asked.append(_steps(*state.moved, 1 + more))
    return asked


@cache
def _move(jarl: str, unit: str, left: int) -> Question:
    return Question(
        f"{jarl}.{unit}.move",
        (jarl,),
        say(f"question.move.{unit}", n=left),
        wants_place(unit),
        urgency="offer",
        group=unit,
        done=False,
        rule=_RULE,
    )


@cache
def _free(jarl: str, what: str) -> Question:
    return Question(
        f"{jarl}.{what}",
        (jarl,),
        say(f"question.{what}"),
        None,
        urgency="offer",
        group="army",
        rule=_RULE,
    )


@cache
def _steps(jarl: str, unit: str, most: int) -> Question:
    return Question(
        "move.steps",
        (jarl,),
        say("question.steps", unit=unit),
        Count(1, min(most, MOST_STEPS)),
        urgency="offer",
        group=unit,
        default=Number(1),
        done=False,
        rule=_RULE,
    )


def aboard(jarl: Jarl, unit: str) -> bool:
    """True for an Army on its Ship: it has no Movement of its own there."""
    return unit == "army" and jarl.riding


def _recruits_aboard(state: State, jarl: Jarl) -> bool:
    """True where the Ship would carry an Army that recruited this turn (R26)."""
    recruited = jarl.riding and jarl.army.phase == "recruited"
    return recruited and not state.on("recruit_then_carry")


def steps_left(jarl: Jarl, name: str) -> int:
    """Return the own steps that a unit still has this turn (R69: one for an Army that rode)."""
    return 0 if jarl.unit(name).stopped else _steps_allowed(jarl, name) - jarl.unit(name).steps


def _steps_allowed(jarl: Jarl, name: str) -> int:
    unit = jarl.unit(name)
    if name == "ship":
        return LIMITS.ship_steps + unit.bonus
    return (LIMITS.riding_steps if unit.rode else LIMITS.army_steps) + unit.bonus


# ---------------------------------------------------------------------------- each single step


def check_move(state: State, answer: Answer, jarl: Jarl, name: str) -> list[Objection]:
    """One step into a place: a free unit, a step left, the right kind of place, nobody inside."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_where", _RULE)]
    place = placed(answer.value)
    unit = jarl.unit(name)
    if unit.phase not in AFTER_STEP:
        against.append(objection(f"unit.{unit.phase}", _RULE, unit=name))
    elif aboard(jarl, name):
        against.append(plain("aboard", _RULE))
    elif steps_left(jarl, name) < 1:
        against.append(objection("no_steps", f"{_RULE}; R69", unit=name))
    wrong = is_land(place) if name == "ship" else is_sea(place)
    if wrong:
        against.append(plain(f"wrong_zone.{name}", _RULE))
    if place == jarl.place_of(name):
        against.append(plain("there_already", _RULE))
    if name == "ship" and _recruits_aboard(state, jarl):
        against.append(plain("recruits_stay", "Recruitment; R26"))
    against += occupied(state, jarl, place)
    against += _foreign(state, jarl, name, place)
    return against


def _foreign(state: State, jarl: Jarl, name: str, place: str) -> list[Objection]:
    """A foreign Settlement is entered to attack it, or not at all (R22)."""
    owner = owner_of(state, place)
    if owner is None or owner.id == jarl.id or state.on("enemy_settlement_peaceful"):
        return []
    if jarl.team and owner.team == jarl.team and not state.on("ally_targets"):
        return []
    with_army = name == "ship" and jarl.riding
    able = [n for n in (("ship", "army") if with_army else (name,)) if may_act(jarl.unit(n))]
    manned = any(jarl.unit(n).hold.v for n in able) or not state.on("attack_needs_viking")
    banned = place in jarl.attacked and not state.on("same_turn_repeat")
    if state.switches["ban_covers"] == "towns_and_settlements":
        banned = banned or place in jarl.last_attacked
    if able and manned and not banned:
        return []
    return [objection("no_peaceful_entry", "Attacking Settlements; R22", jarl=owner.id, town=place)]


def decide_move(course: Course, answer: Answer, jarl: Jarl, name: str) -> None:
    """Take the step with what follows: a token, the end of the Movement, or the way home."""
    if isinstance(answer.value, Done):
        return
    place = placed(answer.value)
    unit = jarl.unit(name)
    rode = name == "ship" and jarl.riding
    left = unit.at
    phase = AFTER_STEP.get(unit.phase, unit.phase)
    course.tell(e.Stepped(jarl.id, name, place, 1, phase, rode))
    if name == "army" and unit.rode and jarl.ship.at == left:
        course.tell(e.MovementStopped(jarl.id, "ship"))
    if name == "ship" and not rode and jarl.army.rode and jarl.army.at == left:
        course.tell(e.MovementStopped(jarl.id, "army"))
    if name == "ship" and place in TOKENS and place in course.before.tokens:
        course.tell(e.TokenTaken(jarl.id, place))
        course.change_victory(jarl.id, 1, place)
        course.tell(e.MovementStopped(jarl.id, name))
    if place == "kaupang":
        enter_kaupang(course, jarl)


def check_steps(state: State, answer: Answer) -> list[Objection]:
    """The last move took so many steps; one was counted already."""
    if not isinstance(answer.value, Number | Done):
        raise NoSuchKey(answer.value, say("expected.number"))
    if isinstance(answer.value, Done):
        return []
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    if state.moved is None:
        return [plain("nobody_moved", _RULE)]
    steps = answer.value.value
    if not 1 <= steps <= MOST_STEPS:
        return [objection("bounds", _RULE, low=1, high=MOST_STEPS, n=steps)]
    jarl, name = state.jarl(state.moved[0]), state.moved[1]
    if steps > 1 and jarl.unit(name).steps + steps - 1 > _steps_allowed(jarl, name):
        return [objection("no_steps", f"{_RULE}; R69", unit=name)]
    return []


def decide_steps(course: Course, answer: Answer) -> None:
    """Count the further steps of the last move."""
    moved = course.before.moved
    if moved is None or not isinstance(answer.value, Number):
        return
    more = min(max(answer.value.value, 1), MOST_STEPS) - 1
    if more:
        course.tell(e.StepsTold(*moved, more))


# ------------------------------------------------------------------------ boarding and landing


def check_board(state: State, _answer: Answer, jarl: Jarl) -> list[Objection]:
    """Take the Army aboard: free, in a town, by the printed one-step cases."""
    return own_turn(state, jarl) + _against_boarding(jarl)


def _against_boarding(jarl: Jarl) -> list[Objection]:
    army, ship = jarl.army, jarl.ship
    if army.at != ship.at or not in_town(ship.at):
        return [plain("not_together", _RULE)]
    if not army.steps:
        waited = army.started_in in (army.at, "ship") or army.rode
        if not waited and ship.started_in != ship.at:
            return [plain("army_walked_in", f"{_RULE} V")]
    elif ship.started_in != ship.at:
        return [plain("army_walked_in", f"{_RULE} III, V")]
    elif army.steps > LIMITS.riding_steps + army.bonus:
        return [plain("one_step", f"{_RULE} III; R69")]
    return []


def decide_board(course: Course, _answer: Answer, jarl: Jarl) -> None:
    """The Army is aboard."""
    course.tell(e.Boarded(jarl.id))


def check_land(state: State, _answer: Answer, jarl: Jarl) -> list[Objection]:
    """Put the Army ashore in the town where the Ship lies: free."""
    against = own_turn(state, jarl)
    if not jarl.riding:
        against.append(plain("not_aboard", _RULE))
    elif not in_town(jarl.ship.at):
        against.append(plain("at_sea", _RULE))
    return against


def decide_land(course: Course, _answer: Answer, jarl: Jarl) -> None:
    """The Army is ashore."""
    course.tell(e.Landed(jarl.id, jarl.ship.at))
