"""Somebody who answers whatever is asked: a fitting value at random, now and then none."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.vikingjarl.printed import KINDS, TOWNS, UNITS, VP_TOWNS
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.winning import points
from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Count,
    Dice,
    Die,
    Done,
    Faces,
    Field,
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

TRADE_TOWNS = tuple(id for id, town in TOWNS.items() if town.kind == "trade")
LABELS = ("sea_a", "sea_b", "land_a", "land_b", "kaupang", "man", "paris", "birka", "jorvik")


def answer_of(question: Question, chance: random.Random) -> Answer:
    """Return an answer in the form the question wants; the rules may still object to it."""
    seat = question.seats[0] if question.seats else None
    if question.done and chance.random() < 0.03:
        return Answer(question.key, Done(), seat)
    if question.default is not None and chance.random() < 0.3:
        return Answer(question.key, question.default, seat)
    return Answer(question.key, value_of(question.wants, chance), seat)


def value_of(wants: Wants | None, chance: random.Random) -> Value:
    """Return a value in the form that is wanted."""
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


# ------------------------------------------------------------------------- who wants to win

EAGER = {
    "act": 12.0,
    "move": 6.0,
    "trade": 3.0,
    "recruit": 2.0,
    "saga": 1.0,
    "buy": 0.7,
    "transfer": 2.0,
    "board": 0.5,
    "land": 0.5,
    "end": 1.5,
}
"""How much somebody who wants to win likes each offer; the others count 0.3."""


class Eager:
    """Somebody who plays to win, at random: raids, settles, and comes home with the points."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def answer(self, asked: Sequence[Question], state: State) -> Answer:
        """Answer what is urgent, else what promises most."""
        urgent = [question for question in asked if question.urgency == "now"]
        if urgent and self.chance.random() < 0.9:
            question = self.chance.choice(urgent)
        else:
            likes = [self._likes(question.key, state.active) for question in asked]
            question = self.chance.choices(asked, likes)[0]
        said = answer_of(question, self.chance)
        better = None if self.chance.random() < 0.2 else self._better(question, state)
        return said if better is None else Answer(question.key, better, said.seat)

    def _likes(self, key: str, jarl: Jarl) -> float:
        """Return how much this offer is liked now: a unit without Vikings wants some first."""
        parts = key.split(".")
        weak = len(parts) == 3 and parts[1] in UNITS and jarl.unit(parts[1]).hold.v < 2
        if weak and parts[2] == "recruit":
            return 25.0
        if parts[-1] == "transfer" and jarl.kaupang.v > 1:
            return 8.0
        return EAGER.get(parts[-1], 0.3)

    def _better(self, question: Question, state: State) -> Value | None:
        jarl = state.active
        match question.key.split("."):
            case ["turn", "draw"]:
                return Done()  # with the chance left over, an event card
            case [_, ("ship" | "army") as unit, "move"]:
                return Placed(self._goal(state, jarl, unit))
            case [_, _, "act"] if isinstance(question.wants, Pick):
                options = [option.id for option in question.wants.options]
                worth = [id for id in options if not id.startswith("attack:")]
                return Picked((self.chance.choice(worth or options),))
            case [_, ("ship" | "army") as unit, "trade"] if isinstance(question.wants, Form):
                lacking = [kind for kind in KINDS if not jarl.unit(unit).hold.of(kind)]
                names = [field.name for field in question.wants.fields]
                buys = [n for kind in lacking if (n := f"buy.{kind}.{unit}") in names]
                return Filled(dict.fromkeys(buys[: state.silver(jarl) // 2], 1)) if buys else None
            case [_, "transfer"]:
                unit = self.chance.choice(UNITS)
                room = min(jarl.room(unit) - 1, jarl.kaupang.v)
                load = {"from": "kaupang", "to": unit, "kind": "v", "number": room}
                return Filled(load) if room > 0 else None
            case _:
                return None

    def _goal(self, state: State, jarl: Jarl, unit: str) -> str:
        """Return where this unit would go: home to win or to man itself, to settle, trade, raid."""
        hold, home = jarl.unit(unit).hold, jarl.place_of(unit) == "kaupang"
        if points(state, jarl) >= state.target:
            return f"{'sea' if unit == 'ship' else 'land'}_kaupang" if home else "kaupang"
        if all(hold.of(kind) for kind in KINDS):
            return self.chance.choice(VP_TOWNS)
        if hold.v < 1 and not home:
            return "kaupang"
        if state.silver(jarl) > 1 and jarl.room(unit) > 0 and self.chance.random() < 0.8:
            lacking = {kind for kind in KINDS if not hold.of(kind)}
            known = [t for t in TRADE_TOWNS if lacking & set(state.towns[t].sells or KINDS)]
            return self.chance.choice(known or TRADE_TOWNS)
        shields = [town for town in VP_TOWNS if state.towns[town].shield != "removed"]
        settled = [town for other in state.jarls for town in other.settlements]
        zones = [other.place_of(unit) for other in state.jarls]
        strong = ("paris", "london", "gijon") if hold.v > 3 else ("lindisfarne",)
        return self.chance.choice([*shields, *settled, *zones, "lindisfarne", *strong])


class Anyhow:
    """Somebody who answers any open question, none rather than another."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def answer(self, asked: Sequence[Question], state: State) -> Answer:
        _ = state
        return answer_of(self.chance.choice(asked), self.chance)


def _start(field: Field) -> int | str | list[str]:
    if field.start is not None:
        return field.start
    return field.wants.low if isinstance(field.wants, Count) else ""


# ------------------------------------------------------------- can this be answered at all?


def possible_answers(question: Question, chance: random.Random) -> Iterator[Answer]:
    """Yield answers to a question, the plainest first, each choice once, then some at random."""
    seat = question.seats[0] if question.seats else None
    if question.default is not None:
        yield Answer(question.key, question.default, seat)
    if question.done or question.wants is None:
        yield Answer(question.key, Done(), seat)
    match question.wants:
        case Pick(options=options, at_least=least):
            for option in options:
                yield Answer(question.key, Picked((option.id,)), seat)
            if not least:
                yield Answer(question.key, Picked(()), seat)
        case CardOf(options=options, at_least=least):
            for option in options:
                yield Answer(question.key, Cards((option.id,) * max(1, least)), seat)
        case Count(low, high):
            for number in range(low, high + 1):
                yield Answer(question.key, Number(number), seat)
        case Place(allowed=allowed):
            for option in allowed:
                yield Answer(question.key, Placed(option.id), seat)
        case Form(fields=fields):
            starts = {field.name: _start(field) for field in fields}
            yield Answer(question.key, Filled(dict(starts)), seat)
            nothing = {name: 0 if isinstance(n, int) else n for name, n in starts.items()}
            for field in fields:
                if isinstance(field.wants, Count):
                    yield Answer(question.key, Filled({**nothing, field.name: 1}), seat)
                elif isinstance(field.wants, Pick):
                    for option in field.wants.options:
                        yield Answer(question.key, Filled({**starts, field.name: option.id}), seat)
        case _:
            pass
    for _ in range(300):
        yield Answer(question.key, value_of(question.wants, chance), seat)
