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
from vision.seen import Picture
from vision.teach import Sight, look_for_left

BOXES = [("usual", seed) for seed in range(310, 320)] + [("wide", seed) for seed in range(300, 310)]
"""Boxes of the looks to tune on, none of which was tuned on."""
LAMPS = ("dim_light", "warm_light", "cool_light", "side_shadow", "camera_tilt", "exposure_shift")
pytestmark = pytest.mark.slow


@dataclass
class Count:
    """Trays that were looked at, those in which a die or a hand was seen, and where it was none."""

    trays: int = 0
    told: int = 0
    hands: int = 0
    beside: int = 0


def trays(dice: int, soak: bool) -> Iterator[tuple[Box, Roll, np.random.Generator]]:
    """Every box in some light, and, where there is time, in five more."""
    for looks, seed in BOXES:
        box, rng = random_box(seed, LOOKS[looks]), np.random.default_rng([seed, 31, dice])
        for n in range(6 if soak else 1):
            lamp = set(rng.choice(LAMPS, (n + seed) % 3, replace=False).tolist())
            how = circumstances(box, lamp, hard=n > 3, rng=rng)
            yield box, Roll(tuple(scatter(box, dice, set(), rng)), *how), rng


def looked_at(picture: Picture) -> Sight | None:
    try:
        return look_for_left(picture, find_tray(picture))
    except TrayNotSeen:  # told otherwise, see the teacher
        return None


def counted(dice: int, soak: bool) -> Count:
    count = Count()
    for box, roll, rng in trays(dice, soak):
        picture, truth = render(box, roll, rng)
        sight = looked_at(picture)
        if sight is None:
            continue
        count.trays += 1
        count.hands += sight.kind == "hand"
        if sight.die is not None:
            count.told += 1
            far = [np.hypot(d["x"] - sight.die.x, d["y"] - sight.die.y) for d in truth["dice"]]
            count.beside += min(far, default=99.0) > 5
            assert sight.die.crop.shape == (128, 128, 3)
    return count


def test_an_empty_tray_is_believed_to_be_empty(soak: bool) -> None:
    count = counted(0, soak)
    assert count.trays >= 0.95 * len(BOXES) * (6 if soak else 1)
    assert (count.told, count.hands) == (0, 0)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_dice_left_in_the_tray_are_seen_where_they_lie(dice: int, soak: bool) -> None:
    count = counted(dice, soak)
    assert count.trays >= 0.95 * len(BOXES) * (6 if soak else 1)
    assert count.told >= 0.97 * count.trays
    assert count.beside <= 0.01 * count.trays


def test_a_hand_over_the_felt_is_seen(soak: bool) -> None:
    there = told = 0
    for looks, seed in BOXES:
        box, rng = random_box(seed, LOOKS[looks]), np.random.default_rng([seed, 32])
        roll = Roll((), *circumstances(box, set(), hard=False, rng=rng), random_hand(rng))
        sight = looked_at(render(box, roll, rng)[0])
        there += sight is not None
        told += sight is not None and sight.kind == "hand"
    assert there >= 8
    assert told >= 0.7 * there
