"""The table: one lock around everything that people, dice and cards do to a game."""

from companion.store import NotKept, StoreTrouble
from companion.table.game_file import LARGEST, GameFileTrouble
from companion.table.malformed import malformed
from companion.table.past import Forward, Missing, Rewrite, Said, StepAgain, Stop
from companion.table.proposals import CardProposal, Proposal, ProposedDie
from companion.table.readings import Table
from companion.table.records import (
    GameLine,
    Look,
    MovedOn,
    Outcome,
    Pending,
    Phone,
    Preview,
    PrintedValue,
    Refused,
    Step,
    Stopped,
    Taken,
)
from companion.terms import Change

__all__ = [
    "LARGEST",
    "CardProposal",
    "Change",
    "Forward",
    "GameFileTrouble",
    "GameLine",
    "Look",
    "Missing",
    "MovedOn",
    "NotKept",
    "Outcome",
    "Pending",
    "Phone",
    "Preview",
    "PrintedValue",
    "Proposal",
    "ProposedDie",
    "Refused",
    "Rewrite",
    "Said",
    "Step",
    "StepAgain",
    "Stop",
    "Stopped",
    "StoreTrouble",
    "Table",
    "Taken",
    "malformed",
]
