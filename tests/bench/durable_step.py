"""How long one step takes until it is on the disk and the table is ready for the next."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from statistics import median

from companion.store import Store
from companion.table import Table, Taken
from tests.bench.evening import evening, keep, table_of
from tests.bench.figure import Figure
from tests.bench.sizes import Sizes
from tests.vikingjarl.at_random import answer_of


def durable_step(sizes: Sizes) -> list[Figure]:
    """Measure answers given to the table at the end of a long evening, as phones give them."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        keep(evening(sizes.evening), folder)
        table, store = table_of(folder)
        spans = _steps(table, sizes.durable)
        bare = _commits(store, sizes.durable)
        store.close()
    return [
        Figure(
            "one durable step, median",
            median(spans),
            "ms",
            how=f"{len(spans)} answers through the table, each on the disk before it is told",
        ),
        Figure("one durable step, 95th of 100", late(spans), "ms"),
        Figure(
            "  of that, the disk",
            median(bare),
            "ms",
            how="one small commit of the database, synchronous=FULL",
        ),
    ]


def late(spans: list[float]) -> float:
    """Return the span that 95 of 100 do not exceed."""
    return sorted(spans)[max(0, round(0.95 * len(spans)) - 1)]


def _steps(table: Table, count: int) -> list[float]:
    """Give answers at random until so many were taken; return the milliseconds of each."""
    chance = random.Random(2)
    spans: list[float] = []
    while len(spans) < count:
        look = table.look()
        if not look.questions:  # somebody won: take it back and play on
            table.undo()
            continue
        answer = answer_of(chance.choice(look.questions), chance)
        began = time.perf_counter()
        outcome = table.answer(answer, look.rev, f"step {chance.getrandbits(64)}")
        took = time.perf_counter() - began
        if isinstance(outcome, Taken) and outcome.step is not None:
            spans.append(took * 1000)
    return spans


def _commits(store: Store, count: int) -> list[float]:
    spans: list[float] = []
    for number in range(count):
        began = time.perf_counter()
        store.remember("meta", "bench", str(number))
        spans.append((time.perf_counter() - began) * 1000)
    return spans
