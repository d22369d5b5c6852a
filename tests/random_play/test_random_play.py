"""20,000 unruly steps over every game, a share of them each time the tests run."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from companion.store import Store
from companion.table import Table
from tests.random_play.games import GAMES, open_table
from tests.random_play.machine import Machine

SHARE, WHOLE = 400, 10_000
"""Steps of each game."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whatever_people_do_the_table_holds_together(game: str, tmp_path: Path, soak: bool) -> None:
    seed = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 1_000_000)
    chance = random.Random(seed)
    stores: list[Store] = []

    def reopen() -> Table:
        if stores:
            stores.pop().close()
        stores.append(Store(tmp_path / "companion.sqlite"))
        return open_table(stores[-1])

    begin, holds = GAMES[game]
    machine = Machine(reopen, begin(chance), holds, chance)
    steps = WHOLE if soak else SHARE
    for number in range(steps):
        try:
            machine.step()
        except Exception as error:
            error.add_note(f"{game}, step {number}, SEED={seed}")
            raise
    stores.pop().close()
    taken = {told: times for told, times in machine.done.items() if told.endswith("Taken")}
    assert {"answer: Taken", "undo: Taken", "strike_out: Taken", "put_right: Taken"} <= taken.keys()
