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
GOODS: tuple[str, ...] = ("v", *KINDS)
"""What a space of a Ship or an Army may hold: a Viking or a cube."""
UNITS = ("ship", "army")


class Town(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One town of the map.

    `tile` is the Settlement's value (VP towns only), `victory` what a pillage pays in points.
    """

    kind: Literal["pillage", "vp", "trade"]
    tile: int = 0
    victory: int = 0


class Saga(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Saga title: how many copies, which titles cancel it, whether it is read aloud."""

    copies: int = 2
    cancelled_by: tuple[str, ...] = ()
    event: bool = False


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A house-rule switch: its values (the default first) and the ruling it belongs to."""

    values: tuple[str, ...]
    ruling: str = ""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of the box and of the rules."""

    vikings: int
    silver: int
    cubes: int
    ship_spaces: int
    army_spaces: int
    garrison: int
    settlements: int
    battlezone: int
    hits: int
    ship_steps: int
    army_steps: int
    riding_steps: int
    hand: int
    sagas_bought: int
    first_vikings: int
    bottom_pile: int
    target: int
    longest_target: int


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prices in silver."""

    cube: int
    viking: int
    saga: int
    sale: int
    symbol: int


class Gains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What loot, rewards, recruitment and Sagas bring or take."""

    loot_silver: int
    reward_silver: int
    treasure: int
    freyja: int
    longships: int
    njord_steps: int
    bragi_steps: int
    losses: int
    recruits_town: int
    recruits_home: int


class Pools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice by colour that a Saga gives for the first `rounds` rolls of a battle."""

    berserk: dict[str, int]
    shield_wall: dict[str, int]
    stronghold: dict[str, int]
    rounds: int


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `printed.toml`."""

    jarls: tuple[str, ...]
    colours: dict[str, str]
    limits: Limits
    prices: Prices
    gains: Gains
    dice: Pools
    town: dict[str, Town]
    saga: dict[str, Saga]
    switch: dict[str, Switch]


def _read() -> Printed:
    file = resources.files(__package__ or "").joinpath("printed.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Printed)


PRINTED = _read()
LIMITS, PRICES, GAINS, POOLS = PRINTED.limits, PRINTED.prices, PRINTED.gains, PRINTED.dice
JARLS, TOWNS, SAGAS, SWITCHES = PRINTED.jarls, PRINTED.town, PRINTED.saga, PRINTED.switch
VP_TOWNS = tuple(id for id, town in TOWNS.items() if town.kind == "vp")
DECK = sum(saga.copies for saga in SAGAS.values())
TOKENS = ("vinland", "midjardarhaf")
CANCELS = ("frigg", "balder", "heimdall")
"""Sagas that are played as an answer only."""
