"""A game as the cases see it: facts to read, questions to see, answers to give, steps to undo.

Answer values are the JSON form of the wire, so that one runner drives the bare rules and a running
companion alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from companion import terms
from companion.box import GameBox

JARLS = ("harald", "gudrun", "eirik", "brage")
COLOURS = {"harald": "red", "gudrun": "blue", "eirik": "yellow", "brage": "black"}


@dataclass(frozen=True)
class Asked:
    """One open question. `wants` and `default` are plain JSON records, None where there is none."""

    key: str
    seats: tuple[str, ...]
    urgency: str
    wants: Mapping[str, Any] | None
    default: Mapping[str, Any] | None


@dataclass(frozen=True)
class Taken:
    """The answer counts; `pending` while a value printed on the box is still wanted."""

    pending: bool = False


@dataclass(frozen=True)
class Refused:
    """The rules object. Each objection is its sentence key and its rule."""

    objections: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MovedOn:
    """The position has changed since the answer's revision."""


@dataclass(frozen=True)
class NoSuchKey:
    """The key, or an id in the value, names nothing: a request error."""

    why: str


Outcome = Taken | Refused | MovedOn | NoSuchKey


class Playing(Protocol):
    """One running game, driven only through facts and answers."""

    def answer(
        self, key: str, value: Mapping[str, Any], seat: str | None = None, insist: bool = False
    ) -> Outcome: ...

    def facts(self, seat: str | None) -> dict[str, Any]: ...

    def questions(self) -> tuple[Asked, ...]: ...

    def undo(self, steps: int) -> None: ...


class Start(Protocol):
    """Starts a new game with the set-up choices that differ from the usual ones."""

    def __call__(self, choices: Mapping[str, Any]) -> Playing: ...


@dataclass
class InProcess:
    """The bare rules: questions, check, decide, apply and view, with a box of plain values.

    States and events go through msgpack at every step, as they do in the log.
    """

    game: Any
    state: Any
    box: GameBox
    waiting: terms.Answer | None = None
    wanted: str | None = None
    past: list[bytes] = field(default_factory=list)

    def answer(
        self, key: str, value: Mapping[str, Any], seat: str | None = None, insist: bool = False
    ) -> Outcome:
        try:
            said = msgspec.convert(value, terms.Value)
        except msgspec.ValidationError as error:
            return NoSuchKey(str(error))
        if key.startswith("box:"):
            return self._tell(key.removeprefix("box:"), said)
        return self._decide(terms.Answer(key, said, seat=seat, insist=insist))

    def facts(self, seat: str | None) -> dict[str, Any]:
        shown = self.game.view(self.state, self.box, seat).facts
        keys = [fact.key for fact in shown]
        assert len(keys) == len(set(keys)), f"a fact is shown twice to {seat}"
        return {fact.key: msgspec.to_builtins(fact.value) for fact in shown}

    def questions(self) -> tuple[Asked, ...]:
        asked = self.game.questions(self.state, self.box)
        keys = [question.key for question in asked]
        assert len(keys) == len(set(keys)), f"a question key is open twice: {sorted(keys)}"
        return tuple(
            Asked(
                question.key,
                question.seats,
                question.urgency,
                msgspec.to_builtins(question.wants),
                msgspec.to_builtins(question.default),
            )
            for question in asked
        )

    def undo(self, steps: int) -> None:
        for _ in range(steps):
            self.state = msgspec.msgpack.decode(self.past.pop(), type=type(self.state))

    def _tell(self, key: str, said: terms.Value) -> Outcome:
        try:
            self.box.told[key] = self.box.tell(key, said)
        except terms.NoSuchKey as error:
            return NoSuchKey(str(error))
        if self.waiting is not None and self.wanted == key:
            waiting, self.waiting, self.wanted = self.waiting, None, None
            return self._decide(waiting)
        return Taken()

    def _decide(self, answer: terms.Answer) -> Outcome:
        try:
            objections = self.game.check(self.state, answer, self.box)
            if objections and not answer.insist:
                return Refused(tuple((one.say.key, one.rule) for one in objections))
            decided = self.game.decide(self.state, answer, self.box)
        except terms.NoSuchKey as error:
            return NoSuchKey(str(error))
        except terms.Unknown as unknown:
            self.waiting, self.wanted = answer, unknown.key
            return Taken(pending=True)
        stored = msgspec.msgpack.encode(decided)
        self.past.append(msgspec.msgpack.encode(self.state))
        events: Any = tuple[self.game.EVENTS, ...]  # pyright: ignore[reportInvalidTypeForm]
        for event in msgspec.msgpack.decode(stored, type=events):
            self.game.apply(self.state, event)
        self.state = msgspec.msgpack.decode(
            msgspec.msgpack.encode(self.state), type=type(self.state)
        )
        return Taken()


def start_in_process(choices: Mapping[str, Any]) -> Playing:
    """Set four Jarls up in the usual order, with the colours that the cases agree on."""
    from companion.games import vikingjarl

    jarls = choices.get("jarls", JARLS)
    seats = [terms.Seat(jarl, COLOURS[jarl], "") for jarl in jarls]
    state = vikingjarl.setup(seats, usual_choices(choices))
    return InProcess(vikingjarl, state, GameBox.of("vikingjarl"))


def usual_choices(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a case's set-up choices up to a whole set."""
    jarls = list(choices.get("jarls", JARLS))
    usual: dict[str, Any] = {"jarls": jarls, "first": jarls[0]}
    usual |= {f"colour.{jarl}": COLOURS[jarl] for jarl in jarls}
    usual |= {f"ship.{jarl}": 4 for jarl in jarls}
    return usual | dict(choices)
