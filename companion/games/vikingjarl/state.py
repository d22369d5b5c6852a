"""Where everything is: Jarls and their cargo, towns and shields, and what is being resolved.

The state is plain data and survives a msgpack round trip. What is being resolved is a stack of
frames (see `frames`); its top is what the table is asked (DESIGN 4). Specification 1 to 4.
"""

from __future__ import annotations

from copy import copy
from operator import attrgetter
from typing import Literal

import msgspec

from companion.games.vikingjarl.frames import Frame
from companion.games.vikingjarl.printed import DECK, KINDS, LIMITS

Phase = Literal["fresh", "moved", "acted", "moved_acted", "acted_moved", "recruited"]
Shield = Literal["hidden", "face_up", "removed"]


class Hold(msgspec.Struct):
    """Vikings and cubes in one store."""

    v: int = 0
    wood: int = 0
    iron: int = 0
    mead: int = 0

    def of(self, kind: str) -> int:
        """Return how many of this kind (`v` or a cube) are here."""
        return getattr(self, kind)

    def add(self, kind: str, number: int) -> None:
        """Change how many of this kind are here."""
        setattr(self, kind, getattr(self, kind) + number)

    @property
    def things(self) -> int:
        """Return how many spaces are taken."""
        return self.v + self.wood + self.iron + self.mead

    @property
    def cubes(self) -> tuple[str, ...]:
        """Return the kinds of cube that are here."""
        return tuple(kind for kind in KINDS if getattr(self, kind))


class Unit(msgspec.Struct):
    """A Ship or an Army; `at` is `ship` for an Army aboard.

    `steps` are its own steps this turn, `bonus` extra ones from Sagas, `stopped` a forced end of
    its Movement. `trading` is the place where it deals with its Action spent.
    """

    at: str = "kaupang"
    hold: Hold = msgspec.field(default_factory=Hold)
    phase: Phase = "fresh"
    started_in: str = "kaupang"
    steps: int = 0
    bonus: int = 0
    rode: bool = False
    stopped: bool = False
    trading: str = ""


class Settlement(msgspec.Struct):
    """An own Settlement in a VP town. `lost` are the points that its damage really cost."""

    damaged: bool = False
    lost: int = 0
    hold: Hold = msgspec.field(default_factory=Hold)


class Hand(msgspec.Struct):
    """Sagas in hand: how many, and which titles are known (to its owner only)."""

    size: int = 0
    titles: list[str] = []


class Jarl(msgspec.Struct):
    """One Jarl. `hand` and `purse` are indexes into the state's hands and purses (both pooled in
    some variants); `team` is 0 without a team. `laid` are Sagas laid before a battle.
    """

    id: str
    colour: str
    sign: str
    hand: int
    purse: int
    team: int = 0
    vp: int = 0
    ship: Unit = msgspec.field(default_factory=Unit)
    army: Unit = msgspec.field(default_factory=Unit)
    kaupang: Hold = msgspec.field(default_factory=Hold)
    settlements: dict[str, Settlement] = {}
    last_attacked: list[str] = []
    attacked: list[str] = []
    sagas_bought: int = 0
    saga_on: dict[str, int] = {}
    recruited: dict[str, int] = {}
    laid: list[str] = []
    pillaged: bool = False

    @property
    def riding(self) -> bool:
        """True where the Army is aboard its Ship."""
        return self.army.at == "ship"

    def unit(self, name: str) -> Unit:
        """Return the Ship or the Army."""
        return self.ship if name == "ship" else self.army

    def place_of(self, unit: str) -> str:
        """Return the place where a unit is; an Army aboard is where its Ship is."""
        if unit == "army":
            return self.ship.at if self.riding else self.army.at
        return self.ship.at

    def units_in(self, place: str) -> tuple[str, ...]:
        """Return the names of the units in a place, a riding Army included."""
        if self.ship.at == place:
            return ("ship", "army") if self.army.at in (place, "ship") else ("ship",)
        return ("army",) if self.army.at == place else ()

    def store(self, name: str) -> Hold | None:
        """Return a store: `ship`, `army`, `kaupang`, or the own Settlement in a town."""
        match name:
            case "ship":
                return self.ship.hold
            case "army":
                return self.army.hold
            case "kaupang":
                return self.kaupang
            case _:
                settled = self.settlements.get(name)
                return settled.hold if settled else None

    def in_store(self, name: str, kind: str) -> int:
        """Return how many of a kind are in a store; 0 where there is no such store."""
        hold = self.store(name)
        return hold.of(kind) if hold else 0

    def holds_cubes(self, name: str) -> bool:
        """True where a cube lies in a store; False where there is no such store."""
        hold = self.store(name)
        return hold is not None and hold.things > hold.v

    @property
    def stores(self) -> tuple[str, ...]:
        """Return the names of all stores."""
        return ("ship", "army", "kaupang", *self.settlements)

    @property
    def placed(self) -> int:
        """Return how many Vikings stand on boards and in stores."""
        settled = sum(s.hold.v for s in self.settlements.values())
        return self.ship.hold.v + self.army.hold.v + self.kaupang.v + settled

    @property
    def supply(self) -> int:
        """Return the Vikings of the own supply (the marker is not counted, R30)."""
        return LIMITS.vikings - self.placed

    def room(self, unit: str) -> int:
        """Return the free spaces of a Ship (4) or an Army (5). Rules [Player Board]."""
        spaces = LIMITS.ship_spaces if unit == "ship" else LIMITS.army_spaces
        return spaces - self.unit(unit).hold.things


class TownState(msgspec.Struct, frozen=True):
    """A town's shield and what was seen of it; None is unknown."""

    shield: Shield = "hidden"
    defenders: int | None = None
    vp: int | None = None
    reward: str | None = None
    sells: tuple[str, ...] | None = None


class State(msgspec.Struct):
    """The whole game. `jarls` are in turn order; `turn` is the index of the active one.

    `tokens` are those still on the map. `discard` is the size of the discard pile, `bottom` of
    the bottom pile when the deck was last built. `moved` is the unit that moved last, as
    (Jarl, unit). `rounds` is the agreed number of rounds (0: no such variant), `round` the current.
    """

    jarls: list[Jarl]
    target: int
    switches: dict[str, str]
    towns: dict[str, TownState]
    hands: list[Hand]
    purses: list[int]
    variant: tuple[str, ...] = ()
    turn: int = 0
    phase: Literal["draft", "draw", "act", "discard"] = "draft"
    tokens: tuple[str, ...] = ("vinland", "midjardarhaf")
    discard: int = 0
    bottom: int = LIMITS.bottom_pile
    moved: tuple[str, str] | None = None
    rounds: int = 0
    round: int = 1
    stack: list[Frame] = []
    winner: list[str] | None = None

    @property
    def active(self) -> Jarl:
        """Return the Jarl whose turn it is."""
        return self.jarls[self.turn]

    def jarl(self, id: str) -> Jarl:
        """Return a Jarl; raises `KeyError` for one who does not play."""
        for jarl in self.jarls:
            if jarl.id == id:
                return jarl
        raise KeyError(id)

    def has(self, id: str) -> bool:
        """True where this Jarl plays."""
        return any(jarl.id == id for jarl in self.jarls)

    def hand(self, jarl: Jarl) -> Hand:
        """Return the hand of a Jarl, the pool where it is pooled."""
        return self.hands[jarl.hand]

    def silver(self, jarl: Jarl) -> int:
        """Return the silver of a Jarl, the pool where it is pooled."""
        return self.purses[jarl.purse]

    @property
    def top(self) -> Frame | None:
        """Return what is being resolved now."""
        return self.stack[-1] if self.stack else None

    @property
    def bank(self) -> int:
        """Return the silver of the bank."""
        return LIMITS.silver - sum(self.purses)

    def cubes(self, kind: str) -> int:
        """Return how many cubes of a kind the bank holds."""
        lying, left = attrgetter(kind), LIMITS.cubes
        for jarl in self.jarls:
            left -= lying(jarl.ship.hold) + lying(jarl.army.hold) + lying(jarl.kaupang)
            for settled in jarl.settlements.values():
                left -= lying(settled.hold)
        return left

    @property
    def held(self) -> int:
        """Return how many Sagas are in hands."""
        return sum(hand.size for hand in self.hands)

    @property
    def deck(self) -> int:
        """Return how many Sagas are in the deck."""
        return DECK - self.discard - self.held

    def on(self, switch: str) -> bool:
        """True where an on-off switch is on."""
        return self.switches[switch] == "on"


def clone(state: State) -> State:
    """Return a copy that shares nothing which `apply` changes."""
    new = copy(state)
    new.jarls = [_clone_jarl(jarl) for jarl in state.jarls]
    new.switches = dict(state.switches)
    new.towns = dict(state.towns)
    new.hands = [Hand(hand.size, list(hand.titles)) for hand in state.hands]
    new.purses = list(state.purses)
    new.stack = list(state.stack)
    return new


def _clone_jarl(jarl: Jarl) -> Jarl:
    new = copy(jarl)
    new.ship, new.army, new.kaupang = copy(jarl.ship), copy(jarl.army), copy(jarl.kaupang)
    new.ship.hold, new.army.hold = copy(jarl.ship.hold), copy(jarl.army.hold)
    new.settlements = {
        town: Settlement(s.damaged, s.lost, copy(s.hold)) for town, s in jarl.settlements.items()
    }
    new.last_attacked, new.attacked = list(jarl.last_attacked), list(jarl.attacked)
    new.saga_on, new.recruited = dict(jarl.saga_on), dict(jarl.recruited)
    new.laid = list(jarl.laid)
    return new
