"""Play at random until killed; print each acknowledged row. Run by the test of the power cord."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from companion.store import Store
from companion.table import Taken
from tests.random_play.games import GAMES, open_table
from tests.random_play.machine import Machine


def main(state: str, seed: str, game: str) -> None:
    store = Store(Path(state) / "companion.sqlite")
    chance = random.Random(int(seed))
    begin, holds = GAMES[game]
    machine = Machine(lambda: open_table(store), begin(chance), holds, chance)
    while True:
        outcome = machine.step()
        if isinstance(outcome, Taken) and outcome.step is not None:
            look = machine.table.look()
            sys.stdout.write(f"{look.game_id} {outcome.step}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
