"""Each hard thing by itself, on boxes that nothing was tuned on: no line may fall below its floor.

The floors are what `python -m vision.hardships` measured, less a small margin.
"""

from __future__ import annotations

import pytest

from vision.dice_set import DiceSet
from vision.hardships import HARDSHIPS, NEAR_FELT, measure, near_felt, table, taught
from vision.render import Box

Taught = list[tuple[Box, DiceSet]]

# Share of the dice read right; share that was certain besides. Nothing may be certain and wrong,
# and no die certain that leans, stands on edge, lies on the rim or moves.
FLOORS: dict[str, tuple[float, float]] = {
    "apart": (0.96, 0.93),
    "touching each other": (0.95, 0.86),
    "touching the wall": (0.95, 0.86),
    "cocked on the wall": (0.95, 0.86),
    "leaning on a die": (0.95, 0.83),
    "on edge": (0.95, 0.86),
    "on the rim": (0.95, 0.86),
    "moving": (0.95, 0.86),
    "hand": (0.95, 0.86),
    "sleeve": (0.93, 0.75),
    "glare": (0.83, 0.66),
    "side shadow": (0.95, 0.86),
    "dim light": (0.95, 0.90),
    "warm light": (0.95, 0.86),
    "cool light": (0.95, 0.86),
    "defocus": (0.95, 0.86),
    "tilted camera": (0.95, 0.90),
    "nudged camera": (0.95, 0.90),
    "exposure drift": (0.95, 0.86),
    "felt like the dice": (0.93, 0.86),
}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    return taught(tmp_path_factory.mktemp("hardships"))


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Taught:
    return near_felt(tmp_path_factory.mktemp("near"))


def test_every_hardship_has_a_floor() -> None:
    assert set(FLOORS) == set(HARDSHIPS)


@pytest.mark.parametrize("name", HARDSHIPS)
def test_hardship(name: str, usual: Taught, near: Taught) -> None:
    line = measure(name, near if name == NEAR_FELT else usual)
    right, sure = FLOORS[name]
    told = table({name: line})
    assert line.dice >= 6, told
    assert line.right >= right * line.dice, told
    assert line.sure >= sure * line.dice, told
    assert line.odd_certain == 0, told
    assert line.wrong == 0, told
    if name in ("hand", "sleeve"):
        assert line.hands == line.frames, told
