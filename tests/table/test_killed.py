"""Kill -9 at random moments: what was acknowledged is there, and the state is the log's fold."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from companion.box import GameBox
from companion.games import vikingjarl
from companion.session import Row, Session
from companion.store import Store
from companion.table import Table

KILLS = 50
BOX = GameBox.of("vikingjarl")


@pytest.mark.slow
def test_fifty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(5)
    last = 0
    for kill in range(KILLS):
        player = subprocess.Popen(
            [sys.executable, "-m", "tests.table.playing_on", str(tmp_path), str(kill)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert player.stdout is not None
        steps = chance.randrange(1, 40)
        killer = threading.Timer(chance.random() * 0.05, player.kill)
        for number, line in enumerate(player.stdout, 1):
            last = int(line)
            if number == steps:
                killer.start()
        player.stdout.close()
        assert player.wait() == -signal.SIGKILL
        store = Store(tmp_path / "companion.sqlite")
        bodies = store.entries(1)
        assert len(bodies) > last
        rows = [msgspec.msgpack.decode(body, type=Row) for body in bodies]
        session = Session(vikingjarl, rows)
        table = Table(store, {"vikingjarl": vikingjarl})
        look = table.look()
        assert look.resumed is not None
        assert look.resumed.values == {"step": session.last_live}
        assert look.view == vikingjarl.view(session.fold(), BOX, None)
        store.close()
