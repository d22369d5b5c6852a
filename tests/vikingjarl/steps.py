"""What the lines of a case turn into: answers to give, facts to state, figures to look at.

Which question a step answers is often known only at the table (the one unit that stands in the
town, the form that loot is asked in), so a step's key and value may be functions of the situation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tests.vikingjarl.playing import Asked

Value = dict[str, Any]
Kind = Literal["deed", "reply", "choice", "window"]


class Situation(Protocol):
    """What a step may look at when its turn comes."""

    @property
    def facts(self) -> Mapping[str, Any]: ...

    @property
    def open(self) -> Mapping[str, Asked]: ...


@dataclass(frozen=True)
class Give:
    """One answer.

    A deed is begun by a player, a reply answers a question that must come, a choice is not asked
    where only one thing is possible, a window may be closed already.
    """

    text: str
    key: str | Callable[[Situation], str]
    value: Value | Callable[[Situation], Value]
    kind: Kind
    seat: str | None = None
    insist: bool = False
    in_battle: bool = False


@dataclass(frozen=True)
class SetFact:
    """A fact that is stated by the line, such as what a trade shield shows."""

    text: str
    key: str
    value: Value


@dataclass(frozen=True)
class Look:
    """A figure that is checked. `look` returns what is wrong, None where all is well.

    `before_roll` waits until the dice are asked for.
    """

    text: str
    look: Callable[[Situation], str | None]
    before_roll: bool = False


@dataclass(frozen=True)
class NewGame:
    """A game that is set up anew."""

    text: str
    choices: Mapping[str, Any]


Step = Give | SetFact | Look | NewGame


class NotationError(ValueError):
    """A line, or a part of it, that this notation does not know."""


# ------------------------------------------------------------------------------- answer values


def number(value: int) -> Value:
    return {"type": "number", "value": value}


def picked(*ids: str) -> Value:
    return {"type": "picked", "ids": list(ids)}


def cards(*ids: str) -> Value:
    return {"type": "cards", "ids": list(ids)}


def placed(place: str) -> Value:
    return {"type": "placed", "place": place}


def filled(fields: Mapping[str, Any]) -> Value:
    return {"type": "filled", "fields": dict(fields)}


def done() -> Value:
    return {"type": "done"}


def dice(text: str) -> Value:
    """Read `B HHM R M vs W HM`: body colours with one letter a die, the attacker's first."""
    colours = {"B": "black", "W": "white", "R": "red"}
    faces = {"H": "helmet", "M": "shield"}
    sides = text.split(" vs ")
    both_red = len(sides) == 2 and all("R" in side.split() for side in sides)
    thrown: list[dict[str, str]] = []
    for name, side in zip(("attack", "defence"), sides, strict=False):
        words = side.split()
        if len(words) % 2:
            raise NotationError(f"dice {text!r}: expected a colour and its faces in pairs")
        for colour, letters in zip(words[::2], words[1::2], strict=True):
            for letter in letters:
                if colour not in colours or letter not in faces:
                    raise NotationError(f"dice {text!r}: expected B, W, R with H and M")
                die = {"colour": colours[colour], "face": faces[letter]}
                if both_red and colour == "R":
                    die["side"] = name
                thrown.append(die)
    return {"type": "dice", "dice": thrown}
