"""A plugged simulated tray controller, its driver, and what it tells."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.devices.pseudo_terminal import PseudoTerminal
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from tests.devices.tray_controller.at_the_tray import TrayWatcher


@pytest.fixture
def watcher() -> TrayWatcher:
    return TrayWatcher()


@pytest.fixture
def tray() -> Iterator[SimulatedTrayController]:
    tray = SimulatedTrayController(seed=3)
    tray.start()
    yield tray
    tray.stop()


@pytest.fixture
def driver(tray: SimulatedTrayController, watcher: TrayWatcher) -> Iterator[TrayController]:
    """A driver whose board has said hello."""
    driver = TrayController(tray.port)
    driver.start(watcher)
    watcher.until(lambda: watcher.condition == "ready")
    yield driver
    driver.stop()


@pytest.fixture
def cable() -> Iterator[PseudoTerminal]:
    """A cable with no board at its end yet."""
    cable = PseudoTerminal("something")
    cable.plug()
    yield cable
    cable.close()
