"""What is being resolved, frame upon frame: an attack, its battle, loot, a Saga on the table.

Frames are frozen; the events `Began`, `Became` and `Resolved` lay them on the stack, change the
top one and take it off. The top one is asked. Specification sections 6, 11, 13 and 16.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

BattleStep = Literal[
    "commit",
    "defend",
    "window",
    "judge",
    "roll",
    "survivors",
    "losses",
    "defender_losses",
    "reserve",
    "defender_reserve",
]


class Attack(msgspec.Struct, frozen=True, tag="attack"):
    """One attacking Action from its declaration to its end.

    `target` is the Jarl attacked in the open, or the owner of the Settlement ("" for a town).
    `kind` repair and evict are fights against guests in an own Settlement. `fought` are the Jarls
    whose units inside were fought already; `first` the one that the attacker chose.
    """

    jarl: str
    kind: Literal["town", "field", "settlement", "repair", "evict"]
    place: str
    units: tuple[str, ...]
    target: str = ""
    step: Literal["units", "flip", "fight", "garrison", "end"] = "units"
    fought: tuple[str, ...] = ()
    first: str = ""
    valhalla: bool = False


class Battle(msgspec.Struct, frozen=True, tag="battle"):
    """A battle: who stands in the Battlezone, the Sagas in force, the roll that waits.

    `front` are attackers by the unit they came from, `guard` defenders by their store (`town` for
    a town's white Vikings). `round` counts rolls made; `on_to` is the round that the attacker said
    to go on to, 0 before the first such word. `black`, `red` are faces of the attack that waits
    for its losses, `against` the hits of the defence.
    """

    attacker: str
    kind: Literal["town", "field", "units", "garrison"]
    place: str
    units: tuple[str, ...]
    defender: str = ""
    stores: tuple[str, ...] = ()
    step: BattleStep = "commit"
    front: dict[str, int] = {}
    guard: dict[str, int] = {}
    strong: int = 0
    round: int = 0
    on_to: int = 0
    berserk: bool = False
    shield_wall: bool = False
    stronghold: bool = False
    valhalla: bool = False
    manned: bool = False
    empty: bool = False
    black: tuple[str, ...] = ()
    red: tuple[str, ...] = ()
    against: int = 0
    losses: dict[str, int] = {}

    @property
    def attackers(self) -> int:
        """Return how many attackers stand in the Battlezone."""
        return sum(self.front.values())

    @property
    def defenders(self) -> int:
        """Return how many defenders stand in the Battlezone."""
        return sum(self.guard.values())


class Loot(msgspec.Struct, frozen=True, tag="loot"):
    """The winner of a battle may take something.

    `stores` are the loser's stores that hold the cubes (`garrison`: as many as fit, no silver),
    `units` the winner's that carry them off.
    """

    winner: str
    loser: str
    stores: tuple[str, ...]
    units: tuple[str, ...]
    garrison: bool = False


class Leaving(msgspec.Struct, frozen=True, tag="leaving"):
    """Units that must leave a place, as (Jarl, unit); their owner names the zone (R67)."""

    place: str
    units: tuple[tuple[str, str], ...]


class Turning(msgspec.Struct, frozen=True, tag="turning"):
    """A VP town's shield is looked at without a fight: its goods, or a Settlement's founding."""

    jarl: str
    unit: str
    town: str
    then: Literal["collect", "settle"]


class SagaPlayed(msgspec.Struct, frozen=True, tag="saga"):
    """A Saga on the table that still needs a choice, an answer, or a die."""

    card: str
    by: str
    targets: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    place: str = ""
    zones: dict[str, str] = {}
    take: str = ""
    to: str = ""
    bring: dict[str, int] = {}
    passed: bool = False
    rolled: Literal["", "helmet", "shield", "done"] = ""


class Removing(msgspec.Struct, frozen=True, tag="removing"):
    """Jarls who each choose Vikings to lose: how many, and from which stores (none: all)."""

    card: str
    by: str
    counts: dict[str, int]
    stores: tuple[str, ...] = ()


class Keeping(msgspec.Struct, frozen=True, tag="keeping"):
    """Ragnarok: Jarls who each choose the Sagas they keep, and how many.

    `kept` are the choices so far, by the index of the hand: a pooled hand has several choosers.
    """

    counts: dict[str, int]
    kept: dict[int, tuple[str, ...]] = {}


Frame: TypeAlias = Attack | Battle | Loot | Leaving | Turning | SagaPlayed | Removing | Keeping
