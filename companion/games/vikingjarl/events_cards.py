"""Events of the turn and of Sagas: drawn, bought, played, answered, given up.

Changes, never totals (DESIGN 4).
"""

from __future__ import annotations

from typing import Literal

from companion.terms import Event

# ---------------------------------------------------------------------------------- by hand, turns


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


class Ended(Event, frozen=True):
    """The game is over without a winner."""


# ------------------------------------------------------------------------------------------- Sagas


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
