"""What the rulebook prints: towns, dice, Sagas, prices and the house-rule switches.

The figures are data (`printed.toml`), read strictly once. Rules [Components; Towns and Places;
Sagas]; specification sections 1, 2, 16 and 21.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Literal

import msgspec

Kind = Literal["wood", "iron", "mead"]
KINDS: tuple[Kind, ...] = ("wood", "iron", "mead")
UnitName = Literal["ship", "army"]
UNITS: tuple[UnitName, ...] = ("ship", "army")


class Town(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One town of the map. `tile` is the Settlement's value (VP towns only)."""

    kind: Literal["pillage", "vp", "trade"]
    tile: int = 0
    victory: int = 0


class Saga(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Saga title: how many copies, and which title cancels it."""

    copies: int = 2
    cancelled_by: tuple[str, ...] = ()
    event: bool = False


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A house-rule switch: its values (the default first) and the ruling it belongs to."""

    values: tuple[str, ...]
    ruling: str = ""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts and prices of the box."""

    vikings: int
    silver: int
    cubes: int
    ship_spaces: int
    army_spaces: int
    garrison: int
    battlezone: int
    hits: int
    ship_steps: int
    army_steps: int
    hand: int
    first_vikings: int
    top_pile: int
    treasure: int


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `printed.toml`."""

    limits: Limits
    jarls: tuple[str, ...]
    colours: dict[str, str]
    town: dict[str, Town]
    saga: dict[str, Saga]
    switch: dict[str, Switch]


def _read() -> Printed:
    file = resources.files("companion.games.vikingjarl").joinpath("printed.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Printed)


PRINTED = _read()
LIMITS = PRINTED.limits
JARLS = PRINTED.jarls
TOWNS = PRINTED.town
SAGAS = PRINTED.saga
SWITCHES = PRINTED.switch
DECK = sum(saga.copies for saga in SAGAS.values())
