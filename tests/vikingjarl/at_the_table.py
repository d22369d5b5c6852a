"""A game at the bare rules, for short stories: say something, look at a number."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.box import GameBox
from companion.games import vikingjarl
from companion.games.vikingjarl.printed import JARLS, PRINTED
from companion.terms import Answer, Cards, Dice, Die, Done, Number, Question, Seat, Value

FACES = {"H": "helmet", "M": "shield"}


class Table:
    """Four Jarls in the usual order, harald's turn, everybody's draft done."""

    def __init__(
        self, choices: dict[str, Any] | None = None, *, draft: bool = True, jarls: int = 4
    ) -> None:
        seats = [
            Seat(id, colour, "") for id, colour in zip(JARLS[:jarls], PRINTED.colours, strict=False)
        ]
        self.box = GameBox.of("vikingjarl", {"paris.defenders": 3, "paris.silver": 2})
        self.state = vikingjarl.setup(seats, choices or {})
        self.told: list[Any] = []
        if draft:
            self.must("setup.draft", Done())
            self.must("turn.draw", Done())

    def says(self, key: str, value: Value, insist: bool = False, seat: str | None = None) -> bool:
        """Answer; False where the rules object (and nothing happened)."""
        answer = Answer(key, value, seat, insist=insist)
        if vikingjarl.check(self.state, answer, self.box) and not insist:
            return False
        events = msgspec.msgpack.encode(vikingjarl.decide(self.state, answer, self.box))
        self.told = list(msgspec.msgpack.decode(events, type=tuple[vikingjarl.EVENTS, ...]))
        for event in self.told:
            vikingjarl.apply(self.state, event)
        return True

    def must(self, key: str, value: Value) -> None:
        """Answer something that the rules allow, to an open question."""
        open_keys = [question.key for question in self.questions()]
        assert key in open_keys, f"{key} is not asked, open are {open_keys}"
        objections = vikingjarl.check(self.state, Answer(key, value), self.box)
        assert not objections, [objection.say.key for objection in objections]
        assert self.says(key, value)

    def set(self, key: str, value: Value | int) -> None:
        """Correct a fact by hand."""
        told = Number(value) if isinstance(value, int) else value
        assert self.says(f"fact:{key}", told), f"{key} cannot be set to {value}"

    def hold(self, jarl: str, *titles: str) -> None:
        """Give a Jarl exactly these Sagas."""
        self.set(f"{jarl}.hand", len(titles))
        self.set(f"{jarl}.hand.titles", Cards(titles))

    def fact(self, key: str, seat: str | None = None) -> Any:
        """Return what the table shows to a seat, None for no such fact."""
        shown = vikingjarl.view(self.state, self.box, seat).facts
        return next((fact.value for fact in shown if fact.key == key), None)

    def questions(self) -> tuple[Question, ...]:
        return vikingjarl.questions(self.state, self.box)

    def asks(self, key: str) -> Question | None:
        return next((q for q in self.questions() if q.key == key), None)


def dice(black: str = "", white: str = "", red: str = "") -> Dice:
    """Return a throw, one letter a die: H helmet, M shield."""
    thrown = (("black", black), ("white", white), ("red", red))
    return Dice(tuple(Die(colour, FACES[face]) for colour, faces in thrown for face in faces))
