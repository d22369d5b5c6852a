"""A throw as its card shows it: which dice lie in which row, and how long until it is taken."""

from __future__ import annotations

import time

import msgspec

from companion.table import Proposal, ProposedDie
from companion.terms import Faces, Question

_HITS = ("helmet", "shield")
"""The faces of battle dice: a hit, a miss."""
_LONGEST_GRACE = 10
"""Seconds; the shortening line knows no longer one."""


class Row(msgspec.Struct, frozen=True):
    """The dice of one side, each with its index in the throw; `side` None: nobody's."""

    side: str | None
    counts: dict[str, int]
    dice: tuple[tuple[int, ProposedDie], ...]


def rows_of(proposal: Proposal, question: Question | None) -> tuple[Row, ...]:
    """Return the dice row by row: a row a side, the last one for dice that are nobody's yet."""
    wants = question.wants if question else None
    pools = wants.sides or {"": wants.counts} if isinstance(wants, Faces) else {}
    rows: dict[str, list[tuple[int, ProposedDie]]] = {side: [] for side in pools}
    strays: list[tuple[int, ProposedDie]] = []
    for numbered in enumerate(proposal.dice):
        die = numbered[1]
        owners = [side for side, pool in pools.items() if pool.get(die.seen.colour)]
        if die.side in rows and die.side:
            rows[die.side].append(numbered)
        elif len(owners) == 1:
            rows[owners[0]].append(numbered)
        else:
            strays.append(numbered)
    found = [Row(side, pools[side], tuple(dice)) for side, dice in rows.items()]
    return (*found, Row(None, {}, tuple(strays))) if strays else tuple(found)


class Gap(msgspec.Struct, frozen=True):
    """What a throw still wants of one colour, as the word `web.WORD` says it.

    `more_wanted`: n more dice; `tap_those`: of the `of` that lie there n count, people tap which;
    `too_many`: n of those that were tapped cannot count.
    """

    word: str
    colour: str
    n: int
    of: int = 0


def gaps_of(proposal: Proposal) -> tuple[Gap, ...]:
    """Return what must become of this throw before it can be taken, a line a colour."""
    gaps: list[Gap] = []
    for colour, gap in proposal.missing.items():
        lying = [die for die in proposal.dice if die.seen.colour == colour]
        wanted = proposal.wanted.get(colour, 0)
        if gap < 0:
            gaps.append(Gap("too_many", colour, -gap))
        elif len(lying) >= wanted and not all(die.used for die in lying):
            gaps.append(Gap("tap_those", colour, wanted, len(lying)))
        else:
            gaps.append(Gap("more_wanted", colour, gap))
    return tuple(gaps)


def hits_of(proposal: Proposal) -> tuple[tuple[str, int, int], ...]:
    """Return by colour how many of the dice that count and are known show a helmet, of how many."""
    found: dict[str, list[str]] = {}
    for die in proposal.dice:
        if die.used and die.face in _HITS:
            found.setdefault(die.seen.colour, []).append(die.face)
    return tuple((c, faces.count("helmet"), len(faces)) for c, faces in found.items())


def doubts_of(proposal: Proposal) -> tuple[tuple[int, ProposedDie], ...]:
    """Return the dice that need a tap, each with its index."""
    if not proposal.question:
        return ()
    return tuple((n, die) for n, die in enumerate(proposal.dice) if die.unsure)


def grace_left(proposal: Proposal) -> int:
    """Return the whole seconds (1 to 10) until the table takes this throw; 0: only a tap."""
    if proposal.grace_until is None:
        return 0
    return min(_LONGEST_GRACE, max(1, round(proposal.grace_until - time.monotonic())))
