"""Events of battles, and of what is being resolved.

Changes, never totals (DESIGN 4).
"""

from __future__ import annotations

from typing import Literal

from companion.games.vikingjarl.frames import Frame
from companion.terms import Event

# ------------------------------------------------------------------------------------------ battle


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
    """Both sides threw; these hits apply, and `applied` says where a side threw more than that."""

    place: str
    round: int
    hits: int
    against: int
    applied: Literal["all", "two"] = "all"


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
    """A battle is over; `winner` is a Jarl, the town, or nobody.

    `attacker` is a Jarl, `defender` a Jarl or `town`; an older log names neither.
    """

    place: str
    winner: str
    how: Literal["won", "held", "withdrawn", "nobody"]
    attacker: str = "attack"
    defender: str = "defence"


# -------------------------------------------------------------------------- what is being resolved


class Began(Event, frozen=True):
    """Something lies on the stack of what is being resolved."""

    frame: Frame


class Became(Event, frozen=True):
    """What is being resolved goes on."""

    frame: Frame


class Resolved(Event, frozen=True):
    """The top of what is being resolved is done."""
