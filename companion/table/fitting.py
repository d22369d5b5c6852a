"""Whether an answer has the form that a question wants, whatever the rules say about it."""

from __future__ import annotations

from collections import Counter

from companion.terms import (
    CardOf,
    Cards,
    Count,
    Dice,
    Done,
    Faces,
    Filled,
    Form,
    Number,
    Option,
    Pick,
    Picked,
    Place,
    Placed,
    Question,
    Text,
    Value,
    Written,
)


def fits(question: Question, value: Value) -> bool:
    """True where the value is one that this question could be answered with.

    Dice must be as many of each colour as are wanted, options must be offered, numbers within
    their range. Whether the rules like it is another matter (`check`).
    """
    wants = question.wants
    match value, wants:
        case Done(), _:
            return question.done or wants is None
        case _ if value == question.default:
            return True
        case Dice(dice), Faces(counts=counts):
            return +Counter(die.colour for die in dice) == +Counter(counts)
        case Picked(ids), Pick(options, low, high):
            return low <= len(ids) <= high and set(ids) <= _ids(options)
        case Cards(ids), CardOf(options=options, at_least=low, at_most=high):
            return low <= len(ids) <= high and set(ids) - {"unknown"} <= _ids(options)
        case Number(number), Count(low, high):
            return low <= number <= high
        case Placed(place), Place(allowed=allowed, free=free):
            return free or place in _ids(allowed)
        case Written(text), Text(longest):
            return len(text) <= longest
        case Filled(fields), Form(lines):
            return fields.keys() <= {line.name for line in lines}
        case _:
            return False


def _ids(options: tuple[Option, ...]) -> set[str]:
    return {option.id for option in options}
