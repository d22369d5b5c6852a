"""Every kind of driver on a bench: its simulated device can be plugged, used, and hung."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Protocol

from companion.devices.absent import Absent
from companion.devices.card_reader import CardReader
from companion.devices.port import Driver
from companion.devices.simulated_camera import SimulatedTray
from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_camera import TrayCamera
from companion.devices.tray_controller import TrayController
from companion.terms import CardReading, DiceReading, Reading, TrayReading
from vision.learn import DiceSet, find_set
from vision.render import Box
from vision.render_battle import playing_box


class Bench(Protocol):
    """One device and how it is treated. `takes` is about how long (seconds) one use takes."""

    @property
    def gives(self) -> type[Reading]: ...
    @property
    def takes(self) -> float: ...

    def driver(self) -> Driver:
        """Return a new driver for this device."""
        ...

    def plug(self) -> None: ...
    def unplug(self) -> None: ...

    def use(self) -> None:
        """Do what a player does, so that one reading or more follow."""
        ...

    def hang(self) -> None:
        """Let the device hang: the plug is in, and nothing comes any more."""
        ...

    def go_on(self) -> None:
        """End that."""
        ...

    def close(self) -> None: ...


@cache
def battle_dice() -> DiceSet:
    return find_set("battle", Path("no dice of our own"))


@cache
def box_at_play() -> Box:
    return playing_box()


class CameraBench:
    gives = DiceReading
    takes = 1.6

    def __init__(self) -> None:
        self._tray = SimulatedTray(seed=5, box=box_at_play())

    def driver(self) -> Driver:
        return TrayCamera(self._tray, battle_dice(), "battle")

    def plug(self) -> None:
        self._tray.plug()

    def unplug(self) -> None:
        self._tray.unplug()

    def use(self) -> None:
        self._tray.clear()
        self._tray.throw([("black", None), ("white", None)])

    def hang(self) -> None:
        self._tray.freeze()

    def go_on(self) -> None:
        self._tray.freeze(False)

    def close(self) -> None:
        self._tray.close()


class ReaderBench:
    gives = CardReading
    takes = 0.3

    def __init__(self) -> None:
        self._reader = SimulatedCardReader(hand=0)
        self._reader.start()
        self._cards = count(1)

    def driver(self) -> Driver:
        return CardReader(self._reader.port, first_answer=0.3, every=0.02)

    def plug(self) -> None:
        self._reader.plug()

    def unplug(self) -> None:
        self._reader.unplug()

    def use(self) -> None:
        self._reader.take_away()
        self._reader.place(f"04{next(self._cards):012x}")

    def hang(self) -> None:
        self._reader.fault("silence", 10_000)

    def go_on(self) -> None:
        self._reader.chip.heal()

    def close(self) -> None:
        self._reader.stop()


class ControllerBench:
    gives = TrayReading
    takes = 0.7

    def __init__(self) -> None:
        self._tray = SimulatedTrayController(seed=5)
        self._tray.start()

    def driver(self) -> Driver:
        return TrayController(self._tray.port)

    def plug(self) -> None:
        self._tray.plug()

    def unplug(self) -> None:
        self._tray.unplug()

    def use(self) -> None:
        self._tray.throw()
        self._tray.settle()

    def hang(self) -> None:
        self._tray.silence()

    def go_on(self) -> None:
        self._tray.silence(False)

    def close(self) -> None:
        self._tray.stop()


BENCHES: dict[str, Callable[[], Bench]] = {
    "tray_camera": CameraBench,
    "card_reader": ReaderBench,
    "tray_controller": ControllerBench,
}
ABSENT: dict[str, Callable[[], Driver]] = {
    device: lambda device=device: Absent(device) for device in BENCHES
}
