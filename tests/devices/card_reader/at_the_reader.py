"""What the tests of the card reader share: two cards, what is told of them, a bare line."""

from __future__ import annotations

import contextlib
import os
import termios
import threading
import time
import tty
from collections.abc import Iterator

from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.terms import CardReading
from tests.devices.watching import PATIENCE, Watcher

FRIGG, TYR = "04a1b2c3d4e5f6", "04112233445566"


class CardWatcher(Watcher[CardReading]):
    def __init__(self) -> None:
        super().__init__(CardReading)

    def told(self) -> list[tuple[str, str]]:
        """Return what happened to which card, in order."""
        return [(r.kind, r.uid) for r in self.readings]


def running() -> list[threading.Thread]:
    """Return the drivers' threads."""
    return [thread for thread in threading.enumerate() if thread.name == "card reader"]


def let_look(reader: SimulatedCardReader, times: int) -> None:
    """Wait until the driver has looked so many times more."""
    goal, until = reader.chip.searches + times, time.monotonic() + PATIENCE
    while reader.chip.searches < goal:
        assert time.monotonic() < until, "the driver looks no more"
        time.sleep(0.005)


@contextlib.contextmanager
def terminal() -> Iterator[tuple[int, str]]:
    """Open a line with nothing at its end; yield our end and the driver's path."""
    ours, theirs = os.openpty()
    tty.setraw(theirs, termios.TCSANOW)
    try:
        yield ours, os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)
