"""One measured figure, and what a list of them looks like as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

HEADS = ("figure", "measured", "aim", "ratio to aim", "how")


@dataclass(frozen=True)
class Aim:
    """What a figure should reach: `over` that many a second, or `under` so much time."""

    way: Literal["over", "under"]
    value: float


@dataclass(frozen=True)
class Figure:
    """One line of the bench.

    `value` is in `unit`; `how` tells in a few words what was counted. A figure without an aim
    is there to explain another one.
    """

    name: str
    value: float
    unit: str
    aim: Aim | None = None
    how: str = ""

    @property
    def ratio(self) -> float | None:
        """Return measured / aim; above 1 is good for `over`, below 1 for `under`."""
        return self.value / self.aim.value if self.aim else None

    @property
    def met(self) -> bool | None:
        """True where the aim is reached, None where there is none."""
        if self.aim is None:
            return None
        return (
            self.value > self.aim.value if self.aim.way == "over" else self.value < self.aim.value
        )


def as_table(figures: Sequence[Figure]) -> str:
    """Return one aligned text table; an aim that was missed is marked."""
    rows = [HEADS, *(_row(figure) for figure in figures)]
    wide = [max(len(row[column]) for row in rows) for column in range(len(HEADS) - 1)]
    lines: list[str] = []
    for row in rows:
        cells = [row[0].ljust(wide[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], wide[1:], strict=True)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines) + "\n"


def as_json(figures: Sequence[Figure], machine: dict[str, object]) -> str:
    """Return the figures with their ratios, and the machine they were measured on."""
    lines = [asdict(figure) | {"ratio": figure.ratio, "met": figure.met} for figure in figures]
    return json.dumps({"machine": machine, "figures": lines}, indent=1) + "\n"


def number(value: float) -> str:
    """Return three or four telling digits: 36,120 or 182 or 8.4 or 0.062."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def _row(figure: Figure) -> tuple[str, ...]:
    aim = ratio = ""
    if figure.aim is not None and figure.ratio is not None:
        aim = f"{'>' if figure.aim.way == 'over' else '<'} {figure.aim.value:,g}"
        ratio = f"{figure.ratio:.2f}{' ' if figure.met else ' missed'}"
    return figure.name, f"{number(figure.value)} {figure.unit}", aim, ratio, figure.how
