"""Random play of python-chess, run by its own Python: prints how many moves a second it makes."""

from __future__ import annotations

import random
import sys
import time
from typing import Any


def main(seed: int, actions: int) -> None:
    """Make legal moves at random; whether the game is over is looked at before each."""
    import chess  # pyright: ignore[reportMissingImports]

    chance = random.Random(seed)
    board: Any = chess.Board()
    began = time.process_time()
    for _ in range(actions):
        if board.is_game_over():
            board = chess.Board()
        board.push(chance.choice(list(board.legal_moves)))
    sys.stdout.write(f"{actions / (time.process_time() - began)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
