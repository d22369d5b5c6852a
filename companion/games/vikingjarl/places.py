"""Zones and who may share them.

Rules [Towns and Places; Game Board]; specification section 2, R22.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl.printed import TOKENS, TOWNS
from companion.games.vikingjarl.rulings import objection
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import NoSuchKey, Objection, Option, Picked, Place, Placed, Value, say

TOWNS_AND_HOME = (*TOWNS, "kaupang")
_TRADE_TOWNS = frozenset(id for id, town in TOWNS.items() if town.kind == "trade")
_LONGEST = 60  # characters of a label such as sea_a


def is_place(place: str) -> bool:
    """True for a town, Kaupang, a token zone, or a label such as `sea_a`."""
    return (
        place in TOWNS
        or place == "kaupang"
        or place in TOKENS
        or (place.startswith(("sea_", "land_")) and len(place) <= _LONGEST)
    )


def is_sea(place: str) -> bool:
    """True for a sea zone, a river, Vinland and Midjardarhaf."""
    return place.startswith("sea_") or place in TOKENS


def is_land(place: str) -> bool:
    """True for a land zone outside the towns."""
    return place.startswith("land_")


def in_town(place: str) -> bool:
    """True for a town, Kaupang or a Settlement: places where an Army boards and lands."""
    return place in TOWNS or place == "kaupang"


def is_trade_town(place: str) -> bool:
    """True for a trade town."""
    return place in _TRADE_TOWNS


def owner_of(state: State, town: str) -> Jarl | None:
    """Return the Jarl whose Settlement a town is."""
    for jarl in state.jarls:
        if town in jarl.settlements:
            return jarl
    return None


def occupied(state: State, jarl: Jarl, place: str) -> list[Objection]:
    """Object to a second Jarl in a pillage town or an unsettled VP town (specification 2.5)."""
    if place not in TOWNS or TOWNS[place].kind == "trade" or owner_of(state, place):
        return []
    return [
        objection("occupied", "Towns and Places", jarl=other.id, town=place)
        for other in state.jarls
        if other.id != jarl.id and other.units_in(place)
    ]


def placed(value: Value) -> str:
    """Return the place an answer names; raises `NoSuchKey`."""
    match value:
        case Placed(place) if is_place(place):
            return place
        case Placed(place):
            raise NoSuchKey(place, say("expected.place"))
        case Picked((place,)) if is_place(place):
            return place
        case _:
            raise NoSuchKey(value, say("expected.place"))


@cache
def _option(place: str) -> Option:
    return Option(place, say("place.name", place=place))


@cache
def wants_place(unit: str) -> Place:
    """Return the places that a Ship or an Army may be moved to; labels may be written."""
    zones = [f"{'sea' if unit == 'ship' else 'land'}_{town}" for town in TOWNS_AND_HOME]
    tokens = TOKENS if unit == "ship" else ()
    return Place("north", tuple(_option(p) for p in (*TOWNS_AND_HOME, *tokens, *zones)), free=True)


@cache
def wants_zone(unit: str, near: str) -> Place:
    """Return the zones that a unit may be sent to; the one outside `near` comes first."""
    kind = "sea" if unit == "ship" else "land"
    first = (f"{kind}_{near}",) if near in TOWNS_AND_HOME else ()
    zones = [f"{kind}_{town}" for town in TOWNS_AND_HOME if town != near]
    tokens = TOKENS if unit == "ship" else ()
    return Place("north", tuple(_option(p) for p in (*first, *zones, *tokens)), free=True)


def fits_zone(unit: str, place: str) -> bool:
    """True where a Ship is sent to a sea zone, an Army to a land zone."""
    return is_sea(place) if unit == "ship" else is_land(place)
