"""Events of pieces, coins and shields: Movement, cargo, silver, towns, Settlements.

Changes, never totals (DESIGN 4).
"""

from __future__ import annotations

from typing import Literal

from companion.games.vikingjarl.state import Phase
from companion.terms import Event

# ---------------------------------------------------------------------------------------- Movement


class Stepped(Event, frozen=True):
    """A unit took own steps to a place; `rode` where it carried the Army."""

    jarl: str
    unit: str
    place: str
    steps: int
    phase: Phase
    rode: bool = False


class StepsTold(Event, frozen=True):
    """The last move took more (or fewer) steps than were counted."""

    jarl: str
    unit: str
    more: int


class StepsGranted(Event, frozen=True):
    """A Saga gives extra steps this turn."""

    jarl: str
    unit: str
    number: int
    card: str


class MovementStopped(Event, frozen=True):
    """A unit's Movement is over, steps left or not."""

    jarl: str
    unit: str


class Boarded(Event, frozen=True):
    """The Army went aboard its Ship."""

    jarl: str


class Landed(Event, frozen=True):
    """The Army left its Ship."""

    jarl: str
    place: str


class Driven(Event, frozen=True):
    """A unit came to a zone without a step of its own: forced out of a place, or by a Saga."""

    jarl: str
    unit: str
    place: str
    why: str


class TokenTaken(Event, frozen=True):
    """A token on the map was taken."""

    jarl: str
    place: str


# ------------------------------------------------------------------------------- Actions and cargo


class ActionSpent(Event, frozen=True):
    """A unit used its Action of this turn."""

    jarl: str
    unit: str
    phase: Phase


class TradeBegan(Event, frozen=True):
    """A unit deals here with its Action spent; further dealings of this visit are free of it."""

    jarl: str
    unit: str
    place: str


class Recruited(Event, frozen=True):
    """A unit recruited Vikings in a place; it neither moves nor acts this turn."""

    jarl: str
    unit: str
    place: str
    number: int


class Loaded(Event, frozen=True):
    """Vikings or cubes went from one own store to another."""

    jarl: str
    kind: str
    number: int
    source: str
    target: str


class VikingsCame(Event, frozen=True):
    """Vikings came from the own supply into a store."""

    jarl: str
    number: int
    store: str


class VikingsLost(Event, frozen=True):
    """Vikings left a store for the own supply, or for Kaupang (Valhalla)."""

    jarl: str
    number: int
    store: str
    to: Literal["supply", "kaupang"] = "supply"


class CubesGained(Event, frozen=True):
    """Cubes came from the bank into a store."""

    jarl: str
    kind: str
    number: int
    store: str


class CubesForfeited(Event, frozen=True):
    """A reward that nobody could take (R77): no room on the units there, or none in the bank."""

    jarl: str
    kind: str
    number: int
    why: Literal["no_room", "bank_empty"]


class CubesSpent(Event, frozen=True):
    """Cubes went from a store to the bank."""

    jarl: str
    kind: str
    number: int
    store: str


class CubesTaken(Event, frozen=True):
    """Cubes went from one Jarl's store to another Jarl's unit."""

    jarl: str
    kind: str
    number: int
    unit: str
    loser: str
    store: str


class SilverChanged(Event, frozen=True):
    """Silver came from the bank or went to it."""

    jarl: str
    number: int
    why: str


class SilverTaken(Event, frozen=True):
    """Silver went from one Jarl to another."""

    jarl: str
    number: int
    loser: str


class VictoryChanged(Event, frozen=True):
    """Victory points were won or lost."""

    jarl: str
    number: int
    why: str


# ------------------------------------------------------------------------------ towns, Settlements


class ShieldSeen(Event, frozen=True):
    """A VP town's shield was turned face up."""

    town: str
    defenders: int
    vp: int
    reward: str


class GoodsSeen(Event, frozen=True):
    """A trade town's shield was turned face up; no kinds where nobody told them."""

    town: str
    kinds: tuple[str, ...]


class ShieldRemoved(Event, frozen=True):
    """A VP town's shield left the game."""

    town: str


class Pillaged(Event, frozen=True):
    """A pillage town was beaten; Silver Treasure may follow."""

    jarl: str
    town: str


class Settled(Event, frozen=True):
    """A Settlement was founded."""

    jarl: str
    town: str


class SettlementDamaged(Event, frozen=True):
    """A Settlement's shield was turned to damaged; `lost` are the points it cost."""

    jarl: str
    town: str
    lost: int


class Repaired(Event, frozen=True):
    """A Settlement's shield was turned back to its crest."""

    jarl: str
    town: str
