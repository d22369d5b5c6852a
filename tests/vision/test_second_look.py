"""What is doubtful is looked at again: further aside, and wherever a die's edges are plain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.learn import enrol
from vision.reading import read_dice
from vision.render import random_box, random_roll, render, write_enrolment
from vision.render_looks import LOOKS
from vision.seen import CERTAIN

ROLLS = (
    ("unseen", 845, 845_010, (83.3, 100.9), ("black", "shield")),  # dark dice that touch on felt
    ("wide", 516, 516_019, (13.0, 66.0), ("black", "helmet")),  # a lamp in a die by the wall
)


@pytest.mark.parametrize(("looks", "seed", "roll", "spot", "shown"), ROLLS)
def test_a_die_that_a_person_sees_at_once_is_not_passed_over(
    tmp_path: Path,
    looks: str,
    seed: int,
    roll: int,
    spot: tuple[float, float],
    shown: tuple[str, str],
) -> None:
    box = random_box(seed, LOOKS[looks])
    write_enrolment(box, tmp_path, np.random.default_rng([seed, 99]))
    picture, truth = render(box, random_roll(box, "medium", roll), np.random.default_rng(1))
    seen = read_dice([picture], enrol(tmp_path, "box")).dice
    die = min(seen, key=lambda d: float(np.hypot(d.x - spot[0], d.y - spot[1])))
    assert np.hypot(die.x - spot[0], die.y - spot[1]) < 3
    assert (die.colour, die.face) == shown
    assert die.confidence >= CERTAIN
    sure = [d for d in seen if d.confidence >= CERTAIN]
    assert len(sure) <= truth["n_dice"]
