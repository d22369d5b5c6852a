"""What makes ordinary dice hard to read in plain photographs: no line may fall below its floor.

The floors are what `python -m vision.pips_hardships` measured, less a small margin.
"""

from __future__ import annotations

import pytest

from vision.pips_hardships import DRAWN, PICTURES, SEED, Line, measure
from vision.render_looks import UNSEEN

FEW = 3
"""Pictures of each hardship here; four where all of them count."""

# Share of the dice read right, and dice that may be named without being there.
FLOORS: dict[str, tuple[float, int]] = dict.fromkeys(DRAWN, (0.95, 0)) | {
    "far away": (0.80, 0),
    "negative": (0.90, 2),
    "symbols": (1.0, 2),
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


def test_a_die_that_leans_on_a_photograph_is_seldom_certain_and_others_are_not_doubted() -> None:
    line = _line("one leans", PICTURES)

    assert line.odd == PICTURES
    assert line.certain <= 3, line
    assert line.right == line.dice, line
    assert line.unsure <= 4, line
