"""Somebody who answers whatever is asked: a fitting value at random, now and then none."""

from __future__ import annotations

import random
from typing import Any

from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Count,
    Dice,
    Die,
    Done,
    Faces,
    Filled,
    Form,
    Number,
    Pick,
    Picked,
    Place,
    Placed,
    Question,
    Value,
    Wants,
)

LABELS = ("sea_a", "sea_b", "land_a", "land_b", "kaupang", "man", "paris", "birka", "jorvik")


def answer_of(question: Question, chance: random.Random) -> Answer:
    """Return an answer in the form the question wants; the rules may still object to it."""
    seat = question.seats[0] if question.seats else None
    if question.done and chance.random() < 0.03:
        return Answer(question.key, Done(), seat)
    if question.default is not None and chance.random() < 0.3:
        return Answer(question.key, question.default, seat)
    return Answer(question.key, _value(question.wants, chance), seat)


def _value(wants: Wants | None, chance: random.Random) -> Value:
    match wants:
        case Faces(counts=counts, sides=sides):
            both = all(side.get("red") for side in sides.values()) and len(sides) == 2
            return Dice(
                tuple(
                    Die(colour, chance.choice(("helmet", "shield")), _side(colour, both, index))
                    for colour, number in counts.items()
                    for index in range(number)
                )
            )
        case CardOf(options=options, at_least=least, at_most=most):
            number = chance.randint(least, max(least, min(most, 2)))
            ids = [chance.choice(options).id for _ in range(number)] if options else []
            return Cards(tuple(ids))
        case Pick(options=()):
            return Done()
        case Pick(options=options, at_least=least, at_most=most):
            number = min(len(options), chance.randint(least, max(least, most)))
            return Picked(tuple(option.id for option in chance.sample(options, number)))
        case Count(low, high):
            return Number(chance.randint(low, min(high, low + 2)))
        case Place(allowed=allowed):
            nearby = [chance.choice(LABELS), chance.choice(allowed).id if allowed else "sea_a"]
            return Placed(chance.choice(nearby))
        case Form(fields=fields):
            return Filled(
                {field.name: _field(field.wants, field.start, chance) for field in fields}
            )
        case _:
            return Done()


def _side(colour: str, both: bool, index: int) -> str | None:
    return ("attack", "defence")[index % 2] if both and colour == "red" else None


def _field(wants: Any, start: Any, chance: random.Random) -> int | str | list[str]:
    match wants:
        case Count(low, high):
            if chance.random() < 0.5:
                return start if isinstance(start, int) else low
            return chance.randint(low, min(high, low + 2))
        case Pick(options=options):
            return chance.choice(options).id
        case _:
            return str(start)
