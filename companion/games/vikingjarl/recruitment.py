"""Recruitment: Vikings at no cost for a unit that neither moves nor acts.

Rules [Recruitment]; specification section 14, R20, R26.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import STORES, numbers
from companion.games.vikingjarl.cargo import room_for, usable
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.places import is_trade_town
from companion.games.vikingjarl.printed import GAINS, UNITS
from companion.games.vikingjarl.rulings import objection, own_turn, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Count, Done, Field, Form, Objection, Question, say

_RULE = "Recruitment"


def questions(state: State) -> list[Question]:
    """Offer recruits to each unit that has done nothing yet, as far as the place has some left."""
    jarl = state.active
    asked: list[Question] = []
    for name in UNITS:
        place = jarl.place_of(name)
        if jarl.unit(name).phase not in ("fresh", "recruited") or _was_carried(state, jarl, name):
            continue
        left = min(cap(jarl, place) - jarl.recruited.get(place, 0), jarl.supply)
        if left < 1 or usable(state, jarl, place, _RULE):
            continue
        stores = (name,) if is_trade_town(place) else (place, name)
        if any(not room_for(state, jarl, store, "v", 1, _RULE) for store in stores):
            asked.append(_question(jarl.id, name, place, stores, left))
    return asked


@cache
def _question(jarl: str, unit: str, place: str, stores: tuple[str, ...], left: int) -> Question:
    fields = tuple(
        Field(s, say("trade.recruit", store=s), Count(0, left), left if i == 0 else 0)
        for i, s in enumerate(stores)
    )
    return Question(
        f"{jarl}.{unit}.recruit",
        (jarl,),
        say("question.recruit", unit=unit, place=place, n=left),
        Form(fields),
        urgency="offer",
        group=unit,
        done=False,
        rule=_RULE,
    )


def cap(jarl: Jarl, place: str) -> int:
    """Return how many Vikings a place gives a turn, whichever units are there."""
    if is_trade_town(place):
        return GAINS.recruits_town
    return GAINS.recruits_home if place == "kaupang" or place in jarl.settlements else 0


def _was_carried(state: State, jarl: Jarl, name: str) -> bool:
    """True for an Army that was carried this turn: it does not recruit (R26)."""
    return name == "army" and jarl.army.rode and not state.on("recruit_then_carry")


def check_recruit(state: State, answer: Answer, jarl: Jarl, name: str) -> list[Objection]:
    """A fresh unit in the place, no more than the place gives, the supply holds, and fit in."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_what", _RULE)]
    shares = numbers(answer, STORES)
    place, unit = jarl.place_of(name), jarl.unit(name)
    if unit.phase not in ("fresh", "recruited"):
        against.append(objection(f"unit.{unit.phase}", _RULE, unit=name))
    elif _was_carried(state, jarl, name):
        against.append(plain("was_carried", f"{_RULE}; R26"))
    if not cap(jarl, place):
        return [*against, objection("no_recruits_here", _RULE, unit=name)]
    against += usable(state, jarl, place, _RULE)
    number = sum(shares.values())
    left = cap(jarl, place) - jarl.recruited.get(place, 0)
    if not 1 <= number <= left:
        against.append(objection("recruits_left", _RULE, n=max(0, left), place=place))
    if number > jarl.supply:
        against.append(objection("no_supply", _RULE, n=max(0, jarl.supply)))
    here = (name,) if is_trade_town(place) else (*jarl.units_in(place), place)
    for store, share in shares.items():
        if share < 0:
            against.append(objection("bounds", _RULE, low=0, high=left, n=share))
        elif store not in here:
            against.append(objection("store_not_here", f"{_RULE}; R26", store=store))
        else:
            against += room_for(state, jarl, store, "v", share, _RULE)
    return against


def decide_recruit(course: Course, answer: Answer, jarl: Jarl, name: str) -> None:
    """Place the recruits, as far as the supply reaches."""
    if isinstance(answer.value, Done):
        return
    came = 0
    for store, share in numbers(answer, STORES).items():
        if course.now.jarl(jarl.id).store(store) is not None and share > 0:
            came += course.gain_vikings(jarl.id, share, store)
    course.tell(e.Recruited(jarl.id, name, jarl.place_of(name), came))
