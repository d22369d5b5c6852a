"""Something else answers on the line: it is refused, named and let go."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import serial

from companion.devices.pseudo_terminal import PseudoTerminal
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from firmware.wire import encode
from tests.devices.tray_controller.at_the_tray import TrayWatcher, drive
from tests.devices.watching import PATIENCE, until


class Answering:
    """Something at the end of a cable that answers each line with the same bytes."""

    def __init__(self, cable: PseudoTerminal, answer: bytes) -> None:
        self._cable, self._answer = cable, answer
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._cable.wake()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while not self._end.is_set():
            heard = self._cable.read(None)
            self._cable.write(self._answer * heard.count(b"\n"))


def hello(device: str, protocol: int) -> bytes:
    who = {"device": device, "protocol": protocol, "firmware": "9.9"}
    return encode({"is": "hello", "id": 1, **who, "board": "b", "boot": "c", "next": 1, "ticks": 0})


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (hello("coffee-machine", 1), "tray.stranger"),
        (b"ok T:21.3 /0.0\r\n", "tray.stranger"),
        (b"\x00\x00\xff\x00\xff\x00", "tray.stranger"),
        (b"\r\nTraceback: SyntaxError\r\n>>> ", "tray.bare"),
        (hello("viking-tray", 2), "tray.newer"),
        (hello("viking-tray", 0), "tray.older"),
    ],
    ids=["other hello", "printer", "card reader", "prompt", "newer", "older"],
)
def test_the_wrong_device_is_refused_and_named(
    cable: PseudoTerminal, watcher: TrayWatcher, answer: bytes, trouble: str
) -> None:
    other = Answering(cable, answer)
    drive(cable.path, watcher, lambda: watcher.trouble == trouble)
    other.stop()
    assert "ready" not in {state.condition for state in watcher.states}
    assert watcher.readings == []


def test_a_strangers_port_is_let_go(cable: PseudoTerminal, watcher: TrayWatcher) -> None:
    other = Answering(cable, hello("coffee-machine", 1))
    driver = TrayController(cable.path)
    driver.start(watcher)
    watcher.until(lambda: watcher.trouble == "tray.stranger")

    def free() -> bool:
        try:
            serial.Serial(cable.path, exclusive=True).close()
        except serial.SerialException:
            return False
        return True

    until(free)
    driver.stop()
    other.stop()


def test_the_right_board_may_take_a_strangers_place(
    cable: PseudoTerminal, tmp_path: Path, watcher: TrayWatcher
) -> None:
    """A stable name under /dev/serial/by-id is a link; it is followed anew each time."""
    link = tmp_path / "usb-tray"
    link.symlink_to(cable.path)
    other = Answering(cable, hello("coffee-machine", 1))
    tray = SimulatedTrayController()
    tray.start()
    driver = TrayController(str(link))
    driver.start(watcher)
    watcher.until(lambda: watcher.trouble == "tray.stranger")
    link.unlink()
    link.symlink_to(tray.port)
    watcher.until(lambda: watcher.condition == "ready")
    driver.stop()
    tray.stop()
    other.stop()
