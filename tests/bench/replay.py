"""How long a long evening takes to come back from its log, and what a preview costs at its end."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from companion.games import vikingjarl
from companion.session import Row, Session
from tests.bench.evening import evening, keep, table_of
from tests.bench.figure import Aim, Figure
from tests.bench.random_play import SEATS
from tests.bench.sizes import Sizes
from tests.vikingjarl.at_random import answer_of


def replay(sizes: Sizes) -> list[Figure]:
    """Measure; each line is the median over some repeats, in one thread."""
    rows = evening(sizes.evening)
    bodies = [msgspec.msgpack.encode(row) for row in rows]
    session = Session(vikingjarl, rows)
    row = msgspec.msgpack.Decoder(Row)
    events = sum(len(step.events) for step in session.live())
    lines = [
        Figure(
            "replay of an evening",
            _ms(lambda: Session(vikingjarl, rows), sizes.repeats),
            "ms",
            Aim("under", 20),
            f"{sizes.evening} steps of {len(SEATS)} players, {events:,} events decoded and folded",
        ),
        Figure(
            "  of that, the fold",
            _ms(session.fold, sizes.repeats),
            "ms",
            how="one undo in the evening costs this",
        ),
        Figure(
            "  before that, the rows",
            _ms(lambda: [row.decode(body) for body in bodies], sizes.repeats),
            "ms",
            how=f"decoded from {sum(map(len, bodies)) / 1000:.0f} kB of log",
        ),
    ]
    with tempfile.TemporaryDirectory() as place:
        keep(rows, Path(place))
        began = time.perf_counter()
        table, store = table_of(Path(place))
        laid = (time.perf_counter() - began) * 1000
        lines.append(
            Figure(
                "the evening on the table again",
                laid,
                "ms",
                how="from the database, with what every step changed",
            )
        )
        chance = random.Random(1)
        answers = [answer_of(question, chance) for question in table.look().questions]
        spans = [
            _ms(lambda answer=answer: table.preview(answer), sizes.repeats) for answer in answers
        ]
        store.close()
    lines.append(
        Figure(
            "one preview at its end",
            median(spans),
            "ms",
            how=f"of {len(spans)} open questions, at most {max(spans):.1f} ms",
        )
    )
    return lines


def _ms(act: Callable[[], Any], repeats: int) -> float:
    spans: list[float] = []
    for _ in range(repeats):
        began = time.perf_counter()
        act()
        spans.append(time.perf_counter() - began)
    return median(spans) * 1000
