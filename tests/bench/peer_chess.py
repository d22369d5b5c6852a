"""Random play of python-chess, run by its own Python: prints how many moves a second it makes."""

from __future__ import annotations

import random
import sys
import time
from typing import Any

LONGEST = 400
"""Half-moves after which a game begins anew, as after a mate."""


def main(seed: int, actions: int) -> None:
    """Make legal moves at random: all of them listed, one chosen, pushed."""
    import chess  # pyright: ignore[reportMissingImports]

    chance = random.Random(seed)
    board: Any = chess.Board()
    began = time.process_time()
    for _ in range(actions):
        moves = list(board.legal_moves)
        if not moves or board.ply() >= LONGEST:
            board = chess.Board()
            moves = list(board.legal_moves)
        board.push(chance.choice(moves))
    sys.stdout.write(f"{actions / (time.process_time() - began)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
