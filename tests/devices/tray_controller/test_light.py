"""The ring shows what the service wishes."""

from __future__ import annotations

import pytest

from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from tests.devices.tray_controller.at_the_tray import TrayWatcher
from tests.devices.watching import until


def test_the_ring_shows_what_the_service_wishes(
    driver: TrayController, tray: SimulatedTrayController
) -> None:
    driver.light("reading")
    until(lambda: tray.shown == "reading")
    driver.light("colour", (30, 60, 90))
    until(lambda: tray.ring == [(10, 20, 30)] * 16)


def test_the_light_comes_back_after_a_reboot_and_a_bad_line(
    driver: TrayController, tray: SimulatedTrayController
) -> None:
    driver.light("ask")
    until(lambda: tray.shown == "ask")
    tray.fault("torn", 2)
    tray.reboot()
    until(lambda: tray.shown == "ask")


def test_a_light_wished_before_the_board_is_there_is_not_lost(watcher: TrayWatcher) -> None:
    tray = SimulatedTrayController()
    driver = TrayController(tray.port)
    driver.light("reading")
    driver.start(watcher)
    watcher.until(lambda: watcher.trouble == "tray.missing")
    tray.start()
    until(lambda: tray.shown == "reading")
    driver.stop()
    tray.stop()


def test_without_a_companion_the_light_goes_idle(
    driver: TrayController, tray: SimulatedTrayController
) -> None:
    driver.light("reading")
    until(lambda: tray.shown == "reading")
    driver.stop()
    until(lambda: tray.shown == "idle")


@pytest.mark.parametrize(
    ("level", "colour", "expected"),
    [
        ("disco", None, "light level 'disco'; expected one of idle"),
        ("colour", None, "needs a colour"),
        ("colour", (1, 2), "three numbers from 0 to 255"),
        ("colour", (1, 2, 256), "three numbers from 0 to 255"),
        ("colour", (1, 2, 0.5), "three numbers from 0 to 255"),
    ],
)
def test_a_light_that_is_none_is_refused(level: str, colour: object, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        TrayController("/dev/none").light(level, colour)  # pyright: ignore[reportArgumentType]
