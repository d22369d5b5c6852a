"""What was seen and waits for people: a throw for its question, a tapped card for a word."""

from __future__ import annotations

import msgspec

from companion.terms import (
    Objection,
    Say,
    SeenDie,
)


class ProposedDie(msgspec.Struct, frozen=True):
    """One die of a proposal: what was seen, and what it counts as.

    `face` is None while nobody knows; `by_hand` says that a person chose it. `side` is `attack`
    or `defence` (or whatever sides the question knows), "" where it does not matter, None while
    it is open whose die it is. `used` is False for a die that does not count.
    """

    seen: SeenDie
    face: str | None
    side: str | None = ""
    by_hand: bool = False
    used: bool = True

    @property
    def unsure(self) -> bool:
        """True while this die needs a tap before it can count."""
        return self.used and (self.face is None or self.side is None)


class Proposal(msgspec.Struct, frozen=True):
    """A throw that waits to be taken, matched to the question it seems to answer.

    `question` is "" while it is not used ("9 dice, 5 wanted: tap the ones that count");
    `fitting` are the keys of all questions it could answer. `wanted` counts dice by colour.
    `grace_until` is the monotonic second at which the table takes it by itself, None: only a tap
    takes it. `faces` are the faces a die of this set may show.
    """

    id: int
    reading: int
    question: str
    fitting: tuple[str, ...]
    dice: tuple[ProposedDie, ...]
    wanted: dict[str, int] = {}
    faces: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    frame: str = ""
    warnings: tuple[Say, ...] = ()
    grace_until: float | None = None
    grace_seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """True where the count is exact and every die is known: it may be taken."""
        return self.question != "" and not self.missing and all(not d.unsure for d in self.dice)

    @property
    def missing(self) -> dict[str, int]:
        """Colours of which more (positive) or fewer (negative) dice are wanted than are used."""
        have: dict[str, int] = {}
        for die in self.dice:
            if die.used:
                have[die.seen.colour] = have.get(die.seen.colour, 0) + 1
        colours = sorted({*have, *self.wanted})
        gaps = {c: self.wanted.get(c, 0) - have.get(c, 0) for c in colours}
        return {c: gap for c, gap in gaps.items() if gap}


class CardProposal(msgspec.Struct, frozen=True):
    """A tapped card that needs a word: unknown (`card` is ""), whose it is, or not now.

    `choices` are the keys of the questions it could answer; `objections` say why not now.
    `key` is the question whose answer met the objections.
    """

    id: int
    reading: int
    uid: str
    card: str
    choices: tuple[str, ...] = ()
    key: str = ""
    objections: tuple[Objection, ...] = ()
