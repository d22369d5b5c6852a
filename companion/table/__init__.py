"""The table: one lock around everything that people, dice and cards do to a game."""

from companion.table.records import (
    CardProposal,
    Change,
    Look,
    MovedOn,
    Outcome,
    Pending,
    Preview,
    Proposal,
    ProposedDie,
    Refused,
    Step,
    Taken,
)

__all__ = [
    "CardProposal",
    "Change",
    "Look",
    "MovedOn",
    "Outcome",
    "Pending",
    "Preview",
    "Proposal",
    "ProposedDie",
    "Refused",
    "Step",
    "Taken",
]
