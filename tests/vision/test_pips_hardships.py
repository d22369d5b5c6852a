"""What makes ordinary dice hard to read in plain photographs: no line may fall below its floor.

The floors are what `python -m vision.pips_hardships` measured, less a small margin.
"""

from __future__ import annotations

import pytest

from vision.pips_hardships import DRAWN, PICTURES, SEED, Line, measure
from vision.render_looks import UNSEEN

FEW = 3
"""Pictures of each hardship here."""

# Share of the dice read right, and dice that may be named without being there.
FLOORS: dict[str, tuple[float, int]] = dict.fromkeys(DRAWN, (0.95, 0)) | {
    "twenty, touching": (0.95, 1),
    "negative": (0.85, 3),
}


def _line(name: str, pictures: int) -> Line:
    return measure(DRAWN[name](SEED + k, UNSEEN) for k in range(pictures))


@pytest.mark.parametrize("name", [n for n in DRAWN if n != "one leans"])
def test_hardship(name: str) -> None:
    line = _line(name, FEW)
    right, extra = FLOORS[name]

    assert line.right >= right * line.dice, line
    assert line.extra <= extra, line
    assert line.wrong == 0, line


def test_on_a_photograph_most_dice_that_lean_are_told_and_the_others_are_not_doubted() -> None:
    line = _line("one leans", PICTURES)

    assert line.odd == PICTURES
    assert line.told >= 0.5 * line.odd, line
    assert line.certain <= 0.34 * line.odd, line
    assert line.right >= 0.95 * line.dice, line
    assert line.unsure <= 0.1 * line.dice, line
