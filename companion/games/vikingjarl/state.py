"""Where everything is: Jarls and their cargo, towns and shields, and what is being resolved.

The state is plain data and survives a msgpack round trip. What is being resolved is a stack; its
top is what the table is asked (DESIGN 4). Specification sections 1 to 4.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.vikingjarl.printed import KINDS, LIMITS, UnitName

Phase = Literal["fresh", "moved", "acted", "moved_acted", "acted_moved", "recruited"]
Shield = Literal["hidden", "face_up", "removed"]
GOODS = ("v", *KINDS)
"""What a space of a Ship or an Army may hold: a Viking or a cube."""


class Hold(msgspec.Struct):
    """Vikings and cubes in one store."""

    v: int = 0
    wood: int = 0
    iron: int = 0
    mead: int = 0

    def of(self, kind: str) -> int:
        """Return how many of this kind are here."""
        return getattr(self, kind)

    def add(self, kind: str, number: int) -> None:
        """Change how many of this kind are here."""
        setattr(self, kind, getattr(self, kind) + number)

    @property
    def things(self) -> int:
        """Return how many spaces are taken."""
        return self.v + self.wood + self.iron + self.mead


class Unit(msgspec.Struct):
    """A Ship or an Army. `steps` are its own steps this turn, `bonus` extra ones from Sagas.

    `stopped` marks a movement that is over although steps are left.
    """

    at: str = "kaupang"
    hold: Hold = msgspec.field(default_factory=Hold)
    phase: Phase = "fresh"
    started_in: str = "kaupang"
    steps: int = 0
    bonus: int = 0
    rode: bool = False
    stopped: bool = False


class Settlement(msgspec.Struct):
    """An own Settlement in a VP town."""

    damaged: bool = False
    hold: Hold = msgspec.field(default_factory=Hold)


class Jarl(msgspec.Struct):
    """One Jarl. `titles` is what is known of the hand, `laid` what was laid before a battle."""

    id: str
    colour: str
    sign: str
    vp: int = 0
    silver: int = 0
    hand: int = 0
    titles: list[str] = []
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

    def unit(self, name: str) -> Unit:
        """Return the Ship or the Army."""
        return self.ship if name == "ship" else self.army

    def store(self, name: str) -> Hold:
        """Return a store: `ship`, `army`, `kaupang`, or the Settlement in a town."""
        if name in ("ship", "army"):
            return self.unit(name).hold
        return self.kaupang if name == "kaupang" else self.settlements[name].hold

    @property
    def placed(self) -> int:
        """Return how many Vikings stand on boards and in stores."""
        settled = sum(s.hold.v for s in self.settlements.values())
        return self.ship.hold.v + self.army.hold.v + self.kaupang.v + settled

    @property
    def supply(self) -> int:
        """Return the Vikings of the own supply (the marker is not counted, R30)."""
        return LIMITS.vikings - self.placed

    def place_of(self, unit: str) -> str:
        """Return the place where a unit is; an Army aboard is where its Ship is."""
        if unit == "army" and self.army.at == "ship":
            return self.ship.at
        return self.unit(unit).at


class TownState(msgspec.Struct):
    """A town's shield and what was seen of it."""

    shield: Shield = "hidden"
    defenders: int | None = None
    vp: int | None = None
    reward: str | None = None
    sells: list[str] | None = None


class Battle(msgspec.Struct, tag="battle"):
    """An attack on a town. `front` are the attackers in the Battlezone by the unit they came from.

    `step` is what is asked: flip the shield, commit, roll, losses (a roll waits), reserve (no
    attacker stands). `hits` are those of the waiting roll; `black` its black faces.
    """

    jarl: str
    town: str
    units: list[str]
    step: Literal["flip", "units", "commit", "roll", "losses", "reserve"]
    front: dict[str, int] = {}
    defenders: int = 0
    rounds: int = 0
    black: list[str] = []
    hits: int = 0
    hits_against: int = 0

    @property
    def attackers(self) -> int:
        """Return how many attackers stand in the Battlezone."""
        return sum(self.front.values())


class Leaving(msgspec.Struct, tag="leaving"):
    """Units that must leave a town after a lost or given up attack."""

    jarl: str
    units: list[str]


class SagaPlayed(msgspec.Struct, tag="saga"):
    """A Saga on the table that still needs a choice, an answer, or a die."""

    card: str
    by: str
    target: str = ""
    unit: str = ""
    answered: bool = False


Resolving = Battle | Leaving | SagaPlayed


class State(msgspec.Struct):
    """The whole game. `jarls` are in turn order; `turn` is the index of the active one."""

    jarls: list[Jarl]
    target: int
    switches: dict[str, str]
    towns: dict[str, TownState]
    turn: int = 0
    phase: Literal["draft", "draw", "act", "discard"] = "draft"
    tokens: dict[str, bool] = {}
    discard: int = 0
    resolving: list[Resolving] = []
    winner: list[str] = []
    last_moved: list[str] = []

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

    @property
    def top(self) -> Resolving | None:
        """Return what is being resolved now."""
        return self.resolving[-1] if self.resolving else None

    @property
    def bank(self) -> int:
        """Return the silver of the bank."""
        return LIMITS.silver - sum(jarl.silver for jarl in self.jarls)

    def cubes(self, kind: str) -> int:
        """Return how many cubes of a kind the bank holds."""
        held = 0
        for jarl in self.jarls:
            for hold in (jarl.ship.hold, jarl.army.hold, jarl.kaupang):
                held += hold.of(kind)
            held += sum(s.hold.of(kind) for s in jarl.settlements.values())
        return LIMITS.cubes - held


def free_spaces(jarl: Jarl, unit: UnitName | str) -> int:
    """Return the free spaces of a Ship (4) or an Army (5). Rules [Player Board]."""
    spaces = LIMITS.ship_spaces if unit == "ship" else LIMITS.army_spaces
    return spaces - jarl.unit(unit).hold.things
