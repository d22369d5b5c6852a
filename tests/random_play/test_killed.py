"""Kill -9 in the middle of unruly play: what was acknowledged is there, whole, and goes on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from companion.session import Row, Session
from companion.store import Store
from companion.terms import Game
from tests.random_play.games import GAMES, open_table

SHARE, WHOLE = 8, 300
"""Kills; the games take turns."""


def killed_while_playing(
    folder: Path, seed: int, game: str, chance: random.Random
) -> set[tuple[int, int]]:
    """Play on, kill it at a random moment, and return (game, row) of what was acknowledged."""
    player = subprocess.Popen(
        [sys.executable, "-m", "tests.random_play.playing_on", str(folder), str(seed), game],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert player.stdout is not None
    told: list[tuple[int, int]] = []
    last = chance.randrange(1, 60)
    killer = threading.Timer(chance.random() * 0.05, player.kill)
    for number, line in enumerate(player.stdout, 1):
        game_id, row = line.split()
        told.append((int(game_id), int(row)))
        if number == last:
            killer.start()
    player.stdout.close()
    assert player.wait() == -signal.SIGKILL, "it ended by itself"
    return set(told)


@pytest.mark.slow
def test_the_cord_pulled_at_random_moments_loses_nothing(tmp_path: Path, soak: bool) -> None:
    chance = random.Random(300)
    for kill in range(WHOLE if soak else SHARE):
        game = sorted(GAMES)[kill % len(GAMES)]
        folder = tmp_path / game
        told = killed_while_playing(folder, kill, game, chance)
        store = Store(folder / "companion.sqlite")
        assert store.set_aside is None, "the database was damaged"
        for game_id, row in told:
            bodies = store.entries(game_id)
            assert len(bodies) > row, f"kill {kill}: row {row} of game {game_id} was acknowledged"
        table = open_table(store)
        now = table._now
        assert now is not None
        rows = [msgspec.msgpack.decode(body, type=Row) for body in store.entries(now.id)]
        packages: dict[str, Game] = table._games
        assert Session(packages[now.session.game.NAME], rows).fold() == now.session.state
        store.close()
