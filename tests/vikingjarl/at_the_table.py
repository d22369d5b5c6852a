"""A game and its log, for short stories: say something, look at a number, take it back."""

from __future__ import annotations

from typing import Any

from companion.box import GameBox
from companion.games import vikingjarl
from companion.games.vikingjarl.fact_lines import line_of
from companion.games.vikingjarl.printed import JARLS, PRINTED
from companion.games.vikingjarl.state import State
from companion.session import Row, Session
from companion.terms import (
    Answer,
    Cards,
    Dice,
    Die,
    Done,
    Filled,
    Number,
    Picked,
    Place,
    Placed,
    Question,
    Seat,
    Value,
)

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
        start = Row(0, "start", game="vikingjarl", seats=tuple(seats), choices=choices or {})
        self.session = Session(vikingjarl, [start])
        self.told: list[Any] = []
        if draft:
            self.must("setup.draft", Done())
            self.must("turn.draw", Done())

    @property
    def state(self) -> State:
        return self.session.state

    def says(self, key: str, value: Value, insist: bool = False, seat: str | None = None) -> bool:
        """Answer; False where the rules object (and nothing happened)."""
        answer = Answer(key, value, seat, insist=insist)
        if vikingjarl.check(self.state, answer, self.box) and not insist:
            return False
        decided = vikingjarl.decide(self.state, answer, self.box)
        row, _ = self.session.row_for("answer", answer=answer, events=decided)
        self.told = list(self.session.events_of(row))
        self.session.add(row)
        return True

    def why_not(self, key: str, value: Value, seat: str | None = None) -> list[str]:
        """Return what the rules dislike, by the keys of their sentences."""
        objections = vikingjarl.check(self.state, Answer(key, value, seat), self.box)
        return [objection.say.key.removeprefix("objection.") for objection in objections]

    def undo(self, steps: int = 1) -> None:
        """Take back the last steps."""
        for _ in range(steps):
            last = self.session.undoable
            assert last is not None, "nothing to take back"
            row, _ = self.session.row_for("undo", target=self.session.before(last))
            self.session.add(row)

    def must(self, key: str, value: Value) -> None:
        """Answer something that the rules allow, to an open question."""
        open_keys = [question.key for question in self.questions()]
        assert key in open_keys, f"{key} is not asked, open are {open_keys}"
        objections = vikingjarl.check(self.state, Answer(key, value), self.box)
        assert not objections, [objection.say.key for objection in objections]
        assert self.says(key, value)

    def set(self, key: str, value: Value | int | str | bool) -> None:
        """Correct a fact by hand; a word is a place or a choice, as the fact has it."""
        assert self.says(f"fact:{key}", self._told(key, value)), f"{key} cannot be {value}"

    def _told(self, key: str, value: Value | int | str | bool) -> Value:
        match value:
            case bool():
                return Picked((str(value).lower(),))
            case int():
                return Number(value)
            case str():
                wants = line_of(self.state, key).wants_now(self.state)
                return Placed(value) if isinstance(wants, Place) else Picked((value,))
            case _:
                return value

    def put(self, **facts: Value | int | str | bool) -> None:
        """Correct several facts of Jarls; `harald_ship_at` is `harald.ship.at`."""
        for name, value in facts.items():
            self.set(name.replace("_", "."), value)

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


def pick(*ids: str) -> Picked:
    """Return a choice, such as `attack:man` or `withdraw`."""
    return Picked(ids)


def saga(*titles: str) -> Cards:
    """Return Sagas by title."""
    return Cards(titles)


def form(**fields: int | str) -> Filled:
    """Return a form filled in: `ship=3`, `buy_v_ship=2` for `buy.v.ship`."""
    return Filled({name.replace("_", "."): value for name, value in fields.items()})


def to(place: str) -> Placed:
    """Return a place."""
    return Placed(place)


DONE = Done()
