"""A tray that somebody calls empty: a die left in it is seen, though nobody knows the felt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from vision.fit import TrayNotSeen, find_tray
from vision.render import Box, Roll, random_box, render
from vision.render_looks import LOOKS
from vision.render_place import scatter
from vision.render_random import circumstances, random_hand
from vision.teach import look_for_left

BOXES = [("usual", seed) for seed in range(310, 320)] + [("wide", seed) for seed in range(300, 310)]
"""Boxes of the looks to tune on, none of which was tuned on."""
LAMPS = ("dim_light", "warm_light", "cool_light", "side_shadow", "camera_tilt", "exposure_shift")
SHOWN = ("no die", "1 die", "2 dice", "3 dice", "a hand")
pytestmark = pytest.mark.slow


@dataclass
class Count:
    """Trays that were looked at, those with a die or a hand seen; dice seen where there is none."""

    trays: int = 0
    dice: int = 0
    hands: int = 0
    beside: int = 0


@pytest.fixture(scope="module")
def counts(soak: bool) -> dict[str, Count]:
    """Each box in some light, with nothing, dice or a hand in it; in six lights with --soak."""
    counts = {what: Count() for what in SHOWN}
    for looks, seed in BOXES:
        box = random_box(seed, LOOKS[looks])
        for n in range(6 if soak else 1):
            for what, roll in rolls(box, seed, n):
                look(counts[what], box, roll, seed)
    return counts


def rolls(box: Box, seed: int, n: int) -> Iterator[tuple[str, Roll]]:
    """What lies in the tray, all in one light: the ground, which takes long, is drawn once."""
    rng = np.random.default_rng([seed, 31, n])
    lamp = set(rng.choice(LAMPS, (n + seed) % 3, replace=False).tolist())
    how = circumstances(box, lamp, hard=n > 3, rng=rng)
    for dice in range(4):
        yield SHOWN[dice], Roll(tuple(scatter(box, dice, set(), rng)), *how)
    yield "a hand", Roll((), *how, random_hand(rng))


def look(count: Count, box: Box, roll: Roll, seed: int) -> None:
    picture, truth = render(box, roll, np.random.default_rng(seed))
    try:
        sight = look_for_left(picture, find_tray(picture))
    except TrayNotSeen:  # the teacher tells so
        return
    count.trays += 1
    count.hands += sight.kind == "hand"
    if sight.die is not None:
        count.dice += 1
        far = [np.hypot(d["x"] - sight.die.x, d["y"] - sight.die.y) for d in truth["dice"]]
        count.beside += min(far, default=99.0) > 5
        assert sight.die.crop.shape == (128, 128, 3)


def test_an_empty_tray_is_believed_to_be_empty(counts: dict[str, Count], soak: bool) -> None:
    count = counts["no die"]
    assert count.trays >= 0.95 * len(BOXES) * (6 if soak else 1)
    assert (count.dice, count.hands) == (0, 0)


@pytest.mark.parametrize("dice", ["1 die", "2 dice", "3 dice"])
def test_dice_left_in_the_tray_are_seen_where_they_lie(
    dice: str, counts: dict[str, Count], soak: bool
) -> None:
    count = counts[dice]
    assert count.trays >= 0.95 * len(BOXES) * (6 if soak else 1)
    assert count.dice >= 0.97 * count.trays
    assert count.beside <= 0.02 * count.trays


def test_a_hand_over_the_felt_is_seen(counts: dict[str, Count]) -> None:
    count = counts["a hand"]
    assert count.trays >= 8
    assert count.hands >= 0.7 * count.trays
