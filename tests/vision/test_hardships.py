"""Each hard thing by itself, on boxes that nothing was tuned on: no line may fall below its floor.

The floors are what `python -m vision.hardships` measured, less a small margin.
"""

from __future__ import annotations

import pytest

from vision.dice_set import DiceSet
from vision.hardships import HARDSHIPS, NEAR_FELT, measure, near_felt, table, taught
from vision.render import Box

Taught = list[tuple[Box, DiceSet]]

# Share of the dice read right; share that was certain besides; odd dice that may be certain.
FLOORS: dict[str, tuple[float, float, int]] = {
    "apart": (0.95, 0.9, 0),
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
    right, sure, odd = FLOORS[name]
    told = table({name: line})
    assert line.dice >= 6, told
    assert line.right >= right * line.dice, told
    assert line.sure >= sure * line.dice, told
    assert line.odd_certain <= odd, told
    assert line.wrong == 0, told
    if name in ("hand", "sleeve"):
        assert line.hands == line.frames, told
