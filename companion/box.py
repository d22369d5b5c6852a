"""What is printed on the physical components, and what the owners told us of it.

A game ships `box.toml` in its package: for each printed value its key, what it may be, and the
value where the rulebook prints it. What nobody printed is asked once and kept for every game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

import msgspec

from companion.terms import (
    Count,
    NoSuchKey,
    Number,
    Option,
    Pick,
    Picked,
    Say,
    Unknown,
    Value,
    Wants,
)


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of `box.toml`: a number from `low` to `high`, or one of `words`.

    `value` is what the box says, where known; `second_hand` marks a figure that only hobby pages
    tell, to be corrected at the table.
    """

    low: int = 0
    high: int = 99
    words: tuple[str, ...] = ()
    value: int | str | None = None
    second_hand: bool = False

    @property
    def wants(self) -> Wants:
        """What a person may answer."""
        if self.words:
            options = tuple(Option(w, Say(f"box.word.{w}")) for w in self.words)
            return Pick(options)
        return Count(self.low, self.high)


class GameBox:
    """The box of one game. `told` are the owners' values, which win over the shipped ones."""

    def __init__(
        self, printed: Mapping[str, Printed], told: Mapping[str, int | str] | None = None
    ) -> None:
        self.printed = dict(printed)
        self.told: dict[str, int | str] = dict(told or {})

    @classmethod
    def of(cls, game: str, told: Mapping[str, int | str] | None = None) -> GameBox:
        """Read a shipped game's `box.toml`; raises `ValueError` naming the line's path."""
        file = resources.files(f"companion.games.{game}").joinpath("box.toml")
        if not file.is_file():
            return cls({}, told)
        try:
            table = tomllib.loads(file.read_text("utf-8"))
            return cls(msgspec.convert(table, dict[str, Printed]), told)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ValueError(f"{game}/box.toml: {error}") from error

    def get(self, key: str) -> int | str | None:
        """Return the value, None while nobody told it."""
        if key in self.told:
            return self.told[key]
        line = self.printed.get(key)
        return line.value if line else None

    def number(self, key: str) -> int:
        """Return a printed number; raises `Unknown`, or `KeyError` for a key of no component."""
        value = self._known(key)
        if not isinstance(value, int):
            raise TypeError(f"box value {key!r} is {value!r}, expected a number")
        return value

    def word(self, key: str) -> str:
        """Return a printed word; raises `Unknown`, or `KeyError` for a key of no component."""
        return str(self._known(key))

    def tell(self, key: str, value: Value) -> int | str:
        """Return the plain value of an answer to `box:KEY`.

        Raises `NoSuchKey` where no component has this key, or where it cannot be that.
        """
        if key not in self.printed:
            raise NoSuchKey(key, Say("expected.box_key"))
        line = self.printed[key]
        match value:
            case Number(number) if not line.words and line.low <= number <= line.high:
                return number
            case Picked((word,)) if word in line.words:
                return word
            case _ if line.words:
                raise NoSuchKey(value, Say("expected.one_of", {"known": list(line.words)}))
            case _:
                span = {"low": line.low, "high": line.high}
                raise NoSuchKey(value, Say("expected.from_to", span))

    def pinned(self, values: Mapping[str, int | str] | None = None) -> PinnedBox:
        """Return a view of this box that notes what was read, with some values held fast."""
        return PinnedBox(self, dict(values or {}))

    def _known(self, key: str) -> int | str:
        value = self.get(key)
        if value is None:
            raise Unknown(key, self.printed[key].wants)
        return value


class PinnedBox:
    """A box as one decision saw it. `read` holds every value the decision used."""

    def __init__(self, box: GameBox, pinned: dict[str, int | str]) -> None:
        self._box, self._pinned = box, pinned
        self.read: dict[str, int | str] = {}

    def get(self, key: str) -> int | str | None:
        """Return the value, None while nobody told it."""
        return self._pinned.get(key, self._box.get(key))

    def number(self, key: str) -> int:
        """Return a printed number; raises `Unknown`."""
        pinned = self._pinned.get(key)
        self.read[key] = value = pinned if isinstance(pinned, int) else self._box.number(key)
        return value

    def word(self, key: str) -> str:
        """Return a printed word; raises `Unknown`."""
        self.read[key] = value = str(self._pinned.get(key) or self._box.word(key))
        return value
