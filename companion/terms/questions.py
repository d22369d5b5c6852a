"""Questions, answers, and why an answer is disliked (DESIGN 4)."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.terms.sentences import Say
from companion.terms.wants import (
    Cards,
    Dice,
    Done,
    Filled,
    Number,
    Picked,
    Placed,
    Value,
    Wants,
    Written,
)

Urgency = Literal["now", "offer"]


class Question(msgspec.Struct, frozen=True):
    """What the companion would like to know (DESIGN 4).

    `seats` are asked (empty: anybody may answer). `default` is what the table answers on "Go on",
    and after the patience time where `patient` is true. `done` allows "it happened at the table".
    `secret` keeps question and answer from the other seats; where several seats hold a question
    of one `together` group, each may change its answer until the last is in. `group` gathers
    offers under one heading of the page. `rule` is the place in the rulebook and the ruling.
    """

    key: str
    seats: tuple[str, ...]
    say: Say
    wants: Wants | None
    urgency: Urgency = "now"
    detail: Say | None = None
    default: Value | None = None
    patient: bool = False
    done: bool = True
    secret: bool = False
    together: str = ""
    group: str = ""
    rule: str = ""


class Source(msgspec.Struct, frozen=True):
    """Where an answer came from: a hand on a phone, a reading, or the table's own patience."""

    kind: Literal["hand", "throw", "card", "table"] = "hand"
    reading: int | None = None
    device: str = ""
    corrected: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What a person, or an accepted reading, says to a question.

    `seat` is the seat it speaks for (None: the table). `known` are box values that were read when
    it was decided; a later decision of the same answer reads the same ones.
    """

    key: str
    value: Value
    seat: str | None = None
    person: str = ""
    insist: bool = False
    source: Source = Source()


class Objection(msgspec.Struct, frozen=True):
    """Why the rules dislike an answer. Never an exception, never without a way on."""

    say: Say
    rule: str


class NoSuchKey(LookupError):
    """A key, or an id inside a value, that names nothing in this game: a request error (422).

    `seen` is what was given: a key or an id, or a whole answer of another form, which is told in
    words (`answer.KIND`). `expected` tells what would have been understood.
    """

    def __init__(self, seen: str | Value, expected: Say) -> None:
        super().__init__(f"{seen!r} names nothing here; expected {expected}")
        self.seen: str | Say = seen[:80] if isinstance(seen, str) else _in_words(seen)
        self.expected = expected


def _in_words(value: Value) -> Say:
    """Return an answer as a sentence; long ones are cut."""
    match value:
        case Picked(ids) | Cards(ids) if not ids:
            return Say("answer.nothing")
        case Picked(ids) | Cards(ids):
            return Say("answer.chosen", {"ids": [id[:40] for id in ids[:9]]})
        case Dice(dice):
            return Say("answer.dice", {"n": len(dice)})
        case Filled(fields):
            return Say("answer.filled", {"fields": [name[:40] for name in [*fields][:9]]})
        case Number(number):
            return Say("answer.number", {"number": number})
        case Placed(words) | Written(words):
            return Say("answer.text", {"text": words[:80]})
        case Done():
            return Say("answer.done")
