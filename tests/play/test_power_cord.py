"""Kill -9 of the running demo at random moments while a script plays through its JSON interface."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.box import GameBox
from companion.config import TableConfig
from companion.games import vikingjarl
from companion.service import Service, token
from companion.session import Row, Session
from companion.store import Store, StoreTrouble
from companion.terms import Seat

pytestmark = pytest.mark.slow
SEATS = (Seat("harald", "red", "axe"), Seat("gudrun", "blue", "raven"))
START_WITHIN = 60.0  # seconds; generous, for a busy machine


class Running:
    """The demo as people start it: a process of its own."""

    def __init__(self, state: Path, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.token = token(state)
        words = ["demo", "--state", str(state), "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", *words],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        end = time.monotonic() + START_WITHIN
        while True:
            try:
                self.ask("/healthz")
                return
            except OSError:
                assert self.process.poll() is None, "the demo ended by itself"
                assert time.monotonic() < end, "the demo did not answer"
                time.sleep(0.05)  # between looks at a process that is starting

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read().decode()
        return json.loads(text) if text.startswith("{") else text


def play_until_gone(demo: Running, chance: random.Random) -> tuple[int, int]:
    """Correct silver by script; return the last acknowledged value and how many were."""
    last, count = -1, 0
    while True:
        value = {"type": "number", "value": chance.randrange(30)}
        try:
            demo.ask("/api/answer", {"key": "fact:harald.silver", "value": value})
        except (OSError, http.client.HTTPException):  # killed before or while it answered
            return last, count
        last, count = value["value"], count + 1


def test_the_running_demo_loses_nothing_that_it_acknowledged(tmp_path: Path, soak: bool) -> None:
    chance = random.Random(8)
    state = tmp_path / "demo"
    state.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = Store(state / "companion.sqlite")
    start = Row(0, "start", game="vikingjarl", seats=SEATS, choices={})
    game = store.new_game("vikingjarl", 0.0)
    store.append(game, 0, msgspec.msgpack.encode(start))
    store.close()
    rows_before = 1
    for _ in range(50 if soak else 4):
        demo = Running(state, port)
        killer = threading.Timer(0.05 + chance.random(), demo.process.kill)
        killer.start()
        last, count = play_until_gone(demo, chance)
        assert demo.process.wait(10) == -signal.SIGKILL
        store = Store(state / "companion.sqlite")
        rows = [msgspec.msgpack.decode(body, type=Row) for body in store.entries(game)]
        store.close()
        assert len(rows) >= rows_before + count
        session = Session(vikingjarl, rows)
        folded = session.fold()
        acknowledged = [r for r in rows[rows_before:] if r.answer is not None][:count]
        if count:
            assert acknowledged[-1].answer is not None
            assert msgspec.to_builtins(acknowledged[-1].answer.value)["value"] == last
        rows_before = len(rows)

        again = Running(state, port)
        try:
            shown = {f["key"]: f["value"] for f in again.ask("/api/state")["facts"]}
            view = vikingjarl.view(folded, GameBox.of("vikingjarl"), None)
            assert shown == {f.key: msgspec.to_builtins(f.value) for f in view.facts}
            assert f"step {session.last_live}" in again.ask("/now")
        finally:
            again.process.kill()
            again.process.wait(10)


def test_a_second_companion_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = Service(tmp_path, TableConfig(), [], "127.0.0.1", 0)
    with pytest.raises(StoreTrouble, match="another companion"):
        Service(tmp_path, TableConfig(), [], "127.0.0.1", 0)
    first.start()
    first.stop()
    second = Service(tmp_path, TableConfig(), [], "127.0.0.1", 0)
    second.start()
    second.stop()
