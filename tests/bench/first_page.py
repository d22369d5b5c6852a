"""How long people wait from the start of the service until a phone shows its first page."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from tests.bench.evening import evening, keep
from tests.bench.figure import Aim, Figure
from tests.bench.running import Running
from tests.bench.sizes import Sizes


def first_page(sizes: Sizes) -> list[Figure]:
    """Measure the demo, with all its simulators, as a new process each time."""
    if sizes.starts > 1:
        _start(None)  # the system has read the files once, as on any but the first day
    empty = [_start(None) for _ in range(sizes.starts)]
    rows = evening(sizes.evening)
    with tempfile.TemporaryDirectory() as place:
        keep(rows, Path(place))
        late = [_start(Path(place)) for _ in range(sizes.starts)]
    return [
        Figure(
            "start to first page",
            median(empty),
            "s",
            Aim("under", 2),
            f"of {len(empty)} starts of the demo, {min(empty):.2f} to {max(empty):.2f} s",
        ),
        Figure(
            "  with a long evening to resume",
            median(late),
            "s",
            Aim("under", 2),
            f"{sizes.evening} steps kept, {min(late):.2f} to {max(late):.2f} s",
        ),
    ]


def _start(state: Path | None) -> float:
    """Start the demo, wait for its page, end it; `state` None is a folder that is new."""
    if state is None:
        with tempfile.TemporaryDirectory() as place:
            return _start(Path(place))
    with Running("demo", state) as running:
        return running.first_page
