"""Random play of catanatron, run by its own Python: prints how many actions a second it takes."""

from __future__ import annotations

import random
import sys
import time
from typing import Any


def main(seed: int, actions: int) -> None:
    """Play whole games of four random players; setting them up is not counted."""
    import catanatron  # pyright: ignore[reportMissingImports]

    colours: list[Any] = list(catanatron.Color)
    random.seed(seed)
    done, took = 0, 0.0
    while done < actions:
        game: Any = catanatron.Game([catanatron.RandomPlayer(colour) for colour in colours])
        began = time.process_time()
        while done < actions and game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            done += 1
        took += time.process_time() - began
    sys.stdout.write(f"{done / took}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
