"""What can become true in a game of Vikingjarl: changes, never totals (DESIGN 4)."""

from __future__ import annotations

from typing import Literal

from companion.games.vikingjarl.state import Phase
from companion.terms import Event


class Corrected(Event, frozen=True):
    """People set a number to what the table shows."""

    key: str
    value: int | str | bool | list[str] | None
    readers: tuple[str, ...] | None = None


class TurnBegan(Event, frozen=True):
    """A Jarl's own turn starts; its phases and counters are fresh."""

    jarl: str


class TurnEnded(Event, frozen=True):
    """A Jarl's turn is over; its attacks are remembered for the ban of the next."""

    jarl: str


class PhaseBegan(Event, frozen=True):
    """The turn goes on to another phase."""

    phase: Literal["draw", "act", "discard"]


class SagaDrawn(Event, frozen=True):
    """A Saga came from the deck to a hand; its title stays unknown."""

    jarl: str


class SagaDiscarded(Event, frozen=True):
    """Sagas left a hand for the discard pile."""

    jarl: str
    cards: list[str]


class Stepped(Event, frozen=True):
    """A unit took own steps to a place."""

    jarl: str
    unit: str
    place: str
    steps: int
    phase: Phase
    carried: bool = False


class Put(Event, frozen=True):
    """A unit came to a place without a step of its own: forced out, aboard, ashore."""

    jarl: str
    unit: str
    place: str
    how: Literal["exit", "board", "land"]


class UnitPhase(Event, frozen=True):
    """A unit's phase changed: it has moved, acted, or recruited."""

    jarl: str
    unit: str
    phase: Phase


class Stopped(Event, frozen=True):
    """A unit's movement is over although steps are left."""

    jarl: str
    unit: str


class Drafted(Event, frozen=True):
    """Everybody kept one Saga of the draft."""

    jarls: list[str]


class UnitsJoined(Event, frozen=True):
    """These units fight in the battle; a hidden shield is flipped next."""

    units: list[str]
    flip: bool = False


class Moved(Event, frozen=True):
    """Vikings or cubes went from one store to another of the same Jarl."""

    jarl: str
    kind: str
    number: int
    source: str
    target: str


class Gained(Event, frozen=True):
    """Vikings or cubes came into a store (negative: left it), from or to supply and bank."""

    jarl: str
    kind: str
    number: int
    store: str


class SilverChanged(Event, frozen=True):
    """Silver came from the bank or went to it."""

    jarl: str
    number: int
    why: str


class VictoryChanged(Event, frozen=True):
    """Victory points were won or lost."""

    jarl: str
    number: int
    why: str


class TokenTaken(Event, frozen=True):
    """A token on the map was taken."""

    jarl: str
    place: str


class ShieldTurned(Event, frozen=True):
    """A VP town's shield was turned face up."""

    town: str
    defenders: int
    vp: int
    reward: str


class ShieldRemoved(Event, frozen=True):
    """A VP town's shield left the game."""

    town: str


class AttackDeclared(Event, frozen=True):
    """An attack on a town begins."""

    jarl: str
    town: str
    units: list[str]
    flip: bool


class Committed(Event, frozen=True):
    """Attackers stand in the Battlezone against so many defenders."""

    town: str
    front: dict[str, int]
    defenders: int


class Rolled(Event, frozen=True):
    """Both sides threw; losses are not yet taken."""

    black: list[str]
    hits: int
    hits_against: int
    attackers: int
    defenders: int


class DieTurned(Event, frozen=True):
    """Tyr made a black shield a helmet."""

    die: int
    hits: int


class Fell(Event, frozen=True):
    """Both sides lose Vikings at once; `lost` by the unit they came from."""

    jarl: str
    town: str
    lost: dict[str, int]
    attackers: int
    defenders: int
    store: str


class Resupplied(Event, frozen=True):
    """Further attackers came into the Battlezone."""

    front: dict[str, int]


class ReserveAsked(Event, frozen=True):
    """No attacker stands in the Battlezone, but some wait on the units."""


class BattleEnded(Event, frozen=True):
    """A battle is over."""

    jarl: str
    town: str
    how: Literal["won", "lost", "withdrawn"]
    pillaged: bool = False


class MustLeave(Event, frozen=True):
    """Units must leave the town."""

    jarl: str
    units: list[str]


class AllLeft(Event, frozen=True):
    """Nobody has to leave any more."""


class SagaBegan(Event, frozen=True):
    """A Saga was played and left the hand."""

    card: str
    by: str


class SagaAimed(Event, frozen=True):
    """A Saga has its target."""

    card: str
    by: str
    target: str


class SagaUnitChosen(Event, frozen=True):
    """A Saga has its unit."""

    unit: str


class SagaPassed(Event, frozen=True):
    """The target lets a Saga happen."""


class SagaAnswered(Event, frozen=True):
    """A Saga was cancelled by another."""

    card: str
    by: str
    target: str
    answer: str


class SagaEnded(Event, frozen=True):
    """A Saga is resolved; `how` tells how."""

    card: str
    by: str
    how: Literal["done", "missed", "taken_back"]


class Won(Event, frozen=True):
    """The game is over."""

    jarls: list[str]


EVENTS = (
    Corrected
    | TurnBegan
    | TurnEnded
    | PhaseBegan
    | SagaDrawn
    | SagaDiscarded
    | Stepped
    | Put
    | UnitPhase
    | Stopped
    | Drafted
    | UnitsJoined
    | Moved
    | Gained
    | SilverChanged
    | VictoryChanged
    | TokenTaken
    | ShieldTurned
    | ShieldRemoved
    | AttackDeclared
    | Committed
    | Rolled
    | DieTurned
    | Fell
    | Resupplied
    | ReserveAsked
    | BattleEnded
    | MustLeave
    | AllLeft
    | SagaBegan
    | SagaAimed
    | SagaUnitChosen
    | SagaPassed
    | SagaAnswered
    | SagaEnded
    | Won
)
