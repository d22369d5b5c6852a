"""How many answers a second the rules of Vikingjarl take, in one thread, with nothing stored.

Counted is all that it needs to play on: the open questions, one of them chosen evenly, a value in
the form it wants chosen at random, `check`, and where nothing is objected `decide` and `apply`.
Neither view nor store. Objections count as answers, for people give such answers too; the share
that changed the state is told beside it. A second is one of the core's own time, so what else the
machine does in it does not count.
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import Any

from companion.box import GameBox
from companion.games import vikingjarl
from companion.games.vikingjarl.printed import JARLS, PRINTED
from companion.games.vikingjarl.state import State
from companion.terms import Seat
from tests.bench.figure import Aim, Figure
from tests.bench.sizes import Sizes
from tests.vikingjarl.at_random import answer_of

SEATS = tuple(
    Seat(jarl, colour, sign)
    for jarl, (colour, sign) in zip(JARLS, PRINTED.colours.items(), strict=True)
)


def random_play(sizes: Sizes) -> list[Figure]:
    """Measure; the median over several games, each begun from its own seed."""
    play(0, sizes.warming)
    played = [play(seed, sizes.answers) for seed in range(1, sizes.seeds + 1)]
    speeds = [speed for speed, _ in played]
    share = sum(share for _, share in played) / len(played)
    return [
        Figure(
            "random play, answers",
            median(speeds),
            "/s",
            Aim("over", 30_000),
            f"{sizes.seeds} games of {sizes.answers:,}, {min(speeds):,.0f} to {max(speeds):,.0f}",
        ),
        Figure(
            "random play, changes of state",
            median(speed * share for speed, share in played),
            "/s",
            how=f"{share:.0%} of the answers; the others met an objection",
        ),
    ]


def play(seed: int, answers: int) -> tuple[float, float]:
    """Give so many answers; return how many a second, and the share that changed the state."""
    began = time.thread_time()
    changed = _changes(seed, answers)
    return answers / (time.thread_time() - began), changed / answers


def full_box() -> GameBox:
    """Return the box of somebody who told every printed value; one that suits its bounds."""
    printed = GameBox.of("vikingjarl").printed
    told: dict[str, int | str] = {
        key: one.words[0] if one.words else min(max(one.low, 3), one.high)
        for key, one in printed.items()
        if one.value is None
    }
    return GameBox(printed, told)


def _changes(seed: int, answers: int) -> int:
    """Give so many answers; return how many of them changed the state."""
    chance = random.Random(seed)
    box = full_box()
    state = _begun()
    changed = 0
    for _ in range(answers):
        asked = vikingjarl.questions(state, box)
        if not asked:  # somebody has won
            state = _begun()
            asked = vikingjarl.questions(state, box)
        answer = answer_of(chance.choice(asked), chance)
        if vikingjarl.check(state, answer, box):
            continue
        events: tuple[Any, ...] = vikingjarl.decide(state, answer, box)
        for event in events:
            vikingjarl.apply(state, event)
        changed += bool(events)
    return changed


def _begun() -> State:
    return vikingjarl.setup(SEATS, {})
