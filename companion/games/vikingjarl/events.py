"""What can become true in a game of Vikingjarl: changes, never totals (DESIGN 4)."""

from __future__ import annotations

from typing import Literal

from companion.games.vikingjarl.frames import Frame
from companion.games.vikingjarl.state import Phase
from companion.terms import Event

# ------------------------------------------------------------------------------- by hand, turns


class Corrected(Event, frozen=True):
    """People set a number to what the table shows; None is unknown."""

    key: str
    value: int | str | bool | list[str] | None
    readers: tuple[str, ...] | None = None


class Drafted(Event, frozen=True):
    """Each of these Jarls kept one Saga of the draft."""

    jarls: tuple[str, ...]


class TurnBegan(Event, frozen=True):
    """A Jarl's own turn starts; its phases and counters are fresh."""

    jarl: str


class TurnEnded(Event, frozen=True):
    """A Jarl's turn is over; its attacks are remembered for the ban of the next."""

    jarl: str
    last_of_round: bool = False


class PhaseBegan(Event, frozen=True):
    """The turn goes on to another phase."""

    phase: Literal["draw", "act", "discard"]


class Won(Event, frozen=True):
    """The game is over."""

    jarls: tuple[str, ...]


# ---------------------------------------------------------------------------------------- Sagas


class SagaDrawn(Event, frozen=True):
    """A Saga came from the deck to a hand; its title is known to its owner only, if at all."""

    jarl: str
    title: str = ""
    readers: tuple[str, ...] | None = None


class SagasBought(Event, frozen=True):
    """Sagas were bought; the limit of the turn counts them."""

    jarl: str
    number: int


class EventRead(Event, frozen=True):
    """An event card was read aloud and lies on the discard pile; `bought` took it from the hand."""

    jarl: str
    card: str
    bought: bool = False


class SagasDiscarded(Event, frozen=True):
    """Sagas left a hand for the discard pile; `unknown` where nobody told the title."""

    jarl: str
    cards: tuple[str, ...]


class SagasKept(Event, frozen=True):
    """Ragnarok: a Jarl kept these and lost so many."""

    jarl: str
    kept: tuple[str, ...]
    lost: int
    readers: tuple[str, ...] | None = None


class DeckRebuilt(Event, frozen=True):
    """The discard pile became the deck; so many cards lie in its bottom pile."""

    cards: int
    bottom: int


class SagaLaid(Event, frozen=True):
    """A Saga was laid before a battle that is to come."""

    jarl: str
    card: str


class LaidUsed(Event, frozen=True):
    """What was laid before the battle is in force now."""

    jarl: str


class CardPlayed(Event, frozen=True):
    """A Saga was played and lies on the discard pile."""

    by: str
    card: str


class CardAimed(Event, frozen=True):
    """A Saga is played on an opponent; the limit of the turn counts it."""

    card: str
    by: str
    target: str


class SagaChosen(Event, frozen=True):
    """A unit, a place or a zone was chosen for a Saga; `family` is the words' for what it is."""

    card: str
    by: str
    chosen: tuple[str, ...]
    family: Literal["store", "place"]


class CardPassed(Event, frozen=True):
    """The target lets a Saga happen."""

    jarl: str
    card: str


class CardAnswered(Event, frozen=True):
    """A Saga was cancelled by another, which lies on the discard pile too."""

    jarl: str
    answer: str
    card: str
    by: str


class CardEnded(Event, frozen=True):
    """A Saga is resolved; `by_hand` where people did it at the table."""

    card: str
    by: str
    how: Literal["done", "missed", "by_hand"] = "done"


class SagaStolen(Event, frozen=True):
    """A random Saga went from one hand to another."""

    thief: str
    victim: str


# ------------------------------------------------------------------------------------- Movement


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


# ---------------------------------------------------------------------------- Actions and cargo


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


# --------------------------------------------------------------------------- towns, Settlements


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


# --------------------------------------------------------------------------------------- battle


class AttackDeclared(Event, frozen=True):
    """A Jarl attacks a town, a Settlement, or another Jarl in the open (`target`)."""

    jarl: str
    place: str
    target: str = ""


class Committed(Event, frozen=True):
    """Both sides stand in the Battlezone."""

    jarl: str
    place: str
    attackers: int
    defenders: int


class WentOn(Event, frozen=True):
    """The attacker goes on."""

    jarl: str


class Rolled(Event, frozen=True):
    """Both sides threw; these hits apply."""

    place: str
    round: int
    hits: int
    against: int


class DieTurned(Event, frozen=True):
    """Tyr made a black shield of the attack a helmet."""

    jarl: str
    die: int


class Fell(Event, frozen=True):
    """Both sides lose Vikings at once."""

    place: str
    attackers: int
    defenders: int


class Resupplied(Event, frozen=True):
    """Further Vikings came into the Battlezone."""

    jarl: str
    number: int


class BattleEnded(Event, frozen=True):
    """A battle is over; `winner` is a Jarl, the town, or nobody."""

    place: str
    winner: str
    how: Literal["won", "held", "withdrawn", "nobody"]


# ------------------------------------------------------------------------ what is being resolved


class Began(Event, frozen=True):
    """Something lies on the stack of what is being resolved."""

    frame: Frame


class Became(Event, frozen=True):
    """What is being resolved goes on."""

    frame: Frame


class Resolved(Event, frozen=True):
    """The top of what is being resolved is done."""


EVENTS = (
    Corrected
    | Drafted
    | TurnBegan
    | TurnEnded
    | PhaseBegan
    | Won
    | SagaDrawn
    | SagasBought
    | EventRead
    | SagasDiscarded
    | SagasKept
    | DeckRebuilt
    | SagaLaid
    | LaidUsed
    | CardPlayed
    | CardAimed
    | SagaChosen
    | CardPassed
    | CardAnswered
    | CardEnded
    | SagaStolen
    | Stepped
    | StepsTold
    | StepsGranted
    | MovementStopped
    | Boarded
    | Landed
    | Driven
    | TokenTaken
    | ActionSpent
    | TradeBegan
    | Recruited
    | Loaded
    | VikingsCame
    | VikingsLost
    | CubesGained
    | CubesSpent
    | CubesTaken
    | SilverChanged
    | SilverTaken
    | VictoryChanged
    | ShieldSeen
    | GoodsSeen
    | ShieldRemoved
    | Pillaged
    | Settled
    | SettlementDamaged
    | Repaired
    | AttackDeclared
    | Committed
    | WentOn
    | Rolled
    | DieTurned
    | Fell
    | Resupplied
    | BattleEnded
    | Began
    | Became
    | Resolved
)
