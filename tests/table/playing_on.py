"""Play Vikingjarl at random until killed; print each acknowledged step. Run by test_killed."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from companion.games import vikingjarl
from companion.store import Store
from companion.table import Table, Taken
from companion.terms import Answer, Done, Number, Picked, Placed, Seat


def main(state: str, seed: str) -> None:
    table = Table(Store(Path(state) / "companion.sqlite"), {"vikingjarl": vikingjarl})
    chance = random.Random(int(seed))
    if table.look().game is None:
        table.start(
            "vikingjarl", (Seat("harald", "red", "axe"), Seat("gudrun", "blue", "raven")), {}
        )
    while True:
        look = table.look()
        keys = [q.key for q in look.questions if q.wants is None]
        answer = chance.choice(
            [
                Answer("fact:harald.silver", Number(chance.randrange(20))),
                Answer("fact:gudrun.ship.v", Number(chance.randrange(4))),
                Answer("harald.ship.move", Placed("sea_a"), "harald"),
                Answer("turn.start", Picked(("gudrun",)), insist=True),
                *(Answer(key, Done()) for key in keys),
            ]
        )
        outcome = table.undo() if chance.random() < 0.15 else table.answer(answer)
        if isinstance(outcome, Taken) and outcome.step is not None:
            sys.stdout.write(f"{outcome.step}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
