"""Which question a throw belongs to: from dice as seen to a proposal people can take or correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from companion.table.proposals import Proposal, ProposedDie
from companion.terms import Dice, DiceReading, Die, Faces, Question, SeenDie

CERTAIN = 0.9
"""From this confidence on a die counts without a tap (0 to 1)."""


def propose(
    number: int,
    reading: DiceReading,
    reading_number: int,
    questions: Sequence[Question],
    earlier: Proposal | None = None,
) -> Proposal:
    """Match a throw to the open questions (DESIGN 5, "Readings become proposals").

    An exact count goes to the most urgent question that fits; fewer dice add to `earlier` or wait
    for more; too many or others stay as seen, to be tapped by people.
    """
    dice = tuple(_as_proposed(die) for die in reading.dice)
    blank = Proposal(
        number, reading_number, "", (), dice, frame=reading.frame, warnings=reading.warnings
    )
    rolls = [q for q in questions if isinstance(q.wants, Faces) and q.wants.set == reading.set]
    if not rolls:
        return blank
    rolls.sort(key=lambda q: q.urgency != "now")
    awaited = _awaited(earlier, rolls)
    dice = _coloured(dice, awaited and awaited[1], _wanted(rolls[0]))
    blank = msgspec.structs.replace(blank, dice=dice)
    seen = _counts(dice)
    exact = [q for q in rolls if seen == _wanted(q)]
    if exact:
        urgent = [q for q in exact if q.urgency == exact[0].urgency]
        proposal = _for(blank, urgent[0])
        if len(urgent) > 1:
            return msgspec.structs.replace(
                proposal, question="", fitting=tuple(q.key for q in urgent)
            )
        return proposal
    if earlier is not None and awaited is not None and seen and _within(seen, awaited[1]):
        return _for(msgspec.structs.replace(blank, dice=earlier.dice + dice), awaited[0])
    partial = [q for q in rolls if seen and _within(seen, _wanted(q))]
    if partial:
        return _for(blank, partial[0])
    return _surplus(_for(blank, rolls[0]))


def fits_still(proposal: Proposal, questions: Sequence[Question]) -> bool:
    """True while the question of this proposal is open and still wants these counts."""
    return any(q.key == proposal.question and _wanted(q) == proposal.wanted for q in questions)


def value_of(proposal: Proposal) -> Dice:
    """Return the dice of a complete proposal as an answer, in the order they were seen.

    A die tells its side only where both sides throw its colour.
    """
    return Dice(
        tuple(
            Die(die.seen.colour, die.face or "", die.side or None)
            for die in proposal.dice
            if die.used
        )
    )


def _awaited(
    earlier: Proposal | None, rolls: Sequence[Question]
) -> tuple[Question, Counter[str]] | None:
    """Return the roll of which an earlier load lies there, and the dice that it still misses."""
    if earlier is None or any(gap < 0 for gap in earlier.missing.values()):
        return None
    asked = next((q for q in rolls if q.key == earlier.question), None)
    return None if asked is None else (asked, Counter(earlier.missing))


def _coloured(
    dice: tuple[ProposedDie, ...], *wanted: Counter[str] | None
) -> tuple[ProposedDie, ...]:
    """Give dice of unknown colour the one colour that a roll misses, else leave them unused.

    `wanted` are dice by colour, first what an earlier load misses, then what the whole roll wants.
    Faces of unknown colour stay unknown: people are asked, with the picture.
    """
    unknown = sum(die.used and not die.seen.colour for die in dice)
    known = _counts(tuple(die for die in dice if die.seen.colour))
    missed = [want - known for want in wanted if want is not None]
    colours = [next(iter(left)) for left in missed if len(left) == 1 and left.total() == unknown]
    fits, colour = bool(colours), colours[0] if colours else ""
    return tuple(
        die
        if die.seen.colour
        else msgspec.structs.replace(
            die, seen=msgspec.structs.replace(die.seen, colour=colour), used=fits
        )
        for die in dice
    )


def _as_proposed(seen: SeenDie) -> ProposedDie:
    sure = seen.confidence >= CERTAIN and not seen.cocked
    return ProposedDie(seen, seen.face if sure else None, used=not seen.on_rim)


def _for(proposal: Proposal, question: Question) -> Proposal:
    wants = question.wants
    assert isinstance(wants, Faces)
    shared = _on_both_sides(wants)
    dice = tuple(
        msgspec.structs.replace(
            die, side=_side_of(die, proposal.dice, shared) if die.seen.colour in shared else ""
        )
        for die in proposal.dice
    )
    dice = _hand_out(dice, wants, shared)
    return msgspec.structs.replace(
        proposal,
        question=question.key,
        fitting=(question.key,),
        dice=dice,
        wanted=dict(_wanted(question)),
        faces=wants.faces,
        sides=tuple(wants.sides),
    )


def _side_of(die: ProposedDie, dice: Sequence[ProposedDie], shared: set[str]) -> str | None:
    """Return a mark for dice whose side does not matter (all alike), None where people must say."""
    alike = {d.face for d in dice if d.used and d.seen.colour == die.seen.colour}
    return "any" if len(alike) == 1 and None not in alike else None


def _hand_out(
    dice: tuple[ProposedDie, ...], wants: Faces, shared: set[str]
) -> tuple[ProposedDie, ...]:
    """Give dice that are all alike to the sides in turn, since it makes no difference."""
    places = {
        colour: [side for side, pool in wants.sides.items() for _ in range(pool.get(colour, 0))]
        for colour in shared
    }
    handed: list[ProposedDie] = []
    for die in dice:
        side = die.side
        if side == "any":
            left = places[die.seen.colour]
            side = left.pop(0) if left else None
        handed.append(msgspec.structs.replace(die, side=side))
    return tuple(handed)


def _surplus(proposal: Proposal) -> Proposal:
    """Leave every colour of which too many were seen unused, until people tap those that count."""
    too_many = {colour for colour, gap in proposal.missing.items() if gap < 0}
    dice = tuple(
        msgspec.structs.replace(die, used=False) if die.seen.colour in too_many else die
        for die in proposal.dice
    )
    return msgspec.structs.replace(proposal, dice=dice)


def _on_both_sides(wants: Faces) -> set[str]:
    colours = [colour for pool in wants.sides.values() for colour, n in pool.items() if n]
    return {colour for colour, n in Counter(colours).items() if n > 1}


def _wanted(question: Question) -> Counter[str]:
    wants = question.wants
    return (
        Counter({c: n for c, n in wants.counts.items() if n})
        if isinstance(wants, Faces)
        else Counter()
    )


def _counts(dice: Sequence[ProposedDie]) -> Counter[str]:
    return Counter(die.seen.colour for die in dice if die.used)


def _within(some: Counter[str], more: Counter[str]) -> bool:
    return all(more[colour] >= n for colour, n in some.items())
