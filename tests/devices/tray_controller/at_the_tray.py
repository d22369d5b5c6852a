"""What the tests of the tray controller share: what is told of the tray, and a throw."""

from __future__ import annotations

from collections.abc import Callable

from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from companion.terms import TrayReading
from tests.devices.watching import Watcher


class TrayWatcher(Watcher[TrayReading]):
    def __init__(self) -> None:
        super().__init__(TrayReading)

    @property
    def kinds(self) -> list[str]:
        return [reading.kind for reading in self.readings]


def throw_until_settled(tray: SimulatedTrayController, watcher: TrayWatcher) -> None:
    settled = watcher.kinds.count("settled")
    tray.throw()
    tray.settle()
    watcher.until(lambda: watcher.kinds.count("settled") > settled)


def drive(port: str, watcher: TrayWatcher, true: Callable[[], bool]) -> None:
    """Let a driver run on a port until this is true."""
    driver = TrayController(port)
    driver.start(watcher)
    try:
        watcher.until(true)
    finally:
        driver.stop()
