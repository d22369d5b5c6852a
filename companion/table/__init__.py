"""The table: one lock around everything that people, dice and cards do to a game."""

from companion.store import NotKept, StoreTrouble
from companion.table.game_file import LARGEST, GameFileTrouble
from companion.table.readings import Table
from companion.table.records import (
    CardProposal,
    Change,
    GameLine,
    Look,
    MovedOn,
    Outcome,
    Pending,
    Phone,
    Preview,
    Proposal,
    ProposedDie,
    Refused,
    Step,
    Taken,
)

__all__ = [
    "LARGEST",
    "CardProposal",
    "Change",
    "GameFileTrouble",
    "GameLine",
    "Look",
    "MovedOn",
    "NotKept",
    "Outcome",
    "Pending",
    "Phone",
    "Preview",
    "Proposal",
    "ProposedDie",
    "Refused",
    "Step",
    "StoreTrouble",
    "Table",
    "Taken",
]
