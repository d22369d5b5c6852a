"""Throws, rest and button, at the wire: pyserial talks to the board's own program."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from tests.devices.tray_controller.at_the_tray import TrayWatcher, throw_until_settled
from tests.devices.watching import until
from tests.firmware.test_conformance import MicroPython, micropython_or_skip


def test_a_throw_is_told_and_its_rest(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    before = time.monotonic()
    throw_until_settled(tray, watcher)
    thrown, settled = watcher.readings
    assert (thrown.kind, settled.kind) == ("thrown", "settled")
    assert (thrown.device, thrown.boot) == ("tray_controller", settled.boot)
    assert settled.number == thrown.number + 1
    assert before <= thrown.at < settled.at <= time.monotonic()


def test_a_press_is_told(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    tray.press()
    watcher.until(lambda: watcher.kinds == ["button"])


@pytest.mark.parametrize("fault", ["torn", "noise", "lost", "twice"])
def test_a_throw_counts_once_over_a_bad_line(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher, fault: str
) -> None:
    for kind in ("torn", "noise", "lost", "twice"):
        if kind == fault:
            tray.fault(kind, 3)
    throw_until_settled(tray, watcher)
    tray.press()
    watcher.until(lambda: "button" in watcher.kinds)
    assert watcher.kinds == ["thrown", "settled", "button"]


def test_what_is_felt_while_the_cable_is_out_is_told_when_it_is_back(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    throw_until_settled(tray, watcher)
    tray.unplug(powered=True)
    watcher.until(lambda: watcher.condition == "gone")
    tray.throw()
    until(lambda: tray.shown == "thrown")
    tray.settle()
    until(lambda: tray.shown != "thrown")
    tray.plug()
    watcher.until(lambda: len(watcher.readings) >= 4)
    assert watcher.kinds == ["thrown", "settled"] * 2
    assert len({(r.boot, r.number) for r in watcher.readings}) == 4
    assert all(one.at < other.at for one, other in pairwise(watcher.readings))


def test_a_press_of_before_the_throw_keeps_its_moment_however_late_it_is_told(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher
) -> None:
    """So the table can see that it was not meant for what it asks now."""
    tray.unplug(powered=True)
    watcher.until(lambda: watcher.condition == "gone")
    tray.press()
    time.sleep(0.5)  # the press is over, and something else begins
    before_the_throw = time.monotonic()
    tray.throw()
    until(lambda: tray.shown == "thrown")
    tray.settle()
    tray.plug()
    watcher.until(lambda: len(watcher.readings) == 3)
    press, thrown, settled = watcher.readings
    assert watcher.kinds == ["button", "thrown", "settled"]
    assert press.at < before_the_throw < thrown.at < settled.at


@pytest.mark.parametrize("cable", [True, False], ids=["as a Pico", "as a Nano"])
def test_a_reboot_in_mid_throw_ends_in_one_settled(
    driver: TrayController, tray: SimulatedTrayController, watcher: TrayWatcher, cable: bool
) -> None:
    tray.throw()
    watcher.until(lambda: watcher.kinds == ["thrown"])
    tray.reboot(cable)
    tray.settle()
    watcher.until(lambda: len(watcher.readings) == 2)
    assert watcher.kinds == ["thrown", "settled"]
    assert watcher.readings[0].boot != watcher.readings[1].boot
    throw_until_settled(tray, watcher)
    assert watcher.kinds == ["thrown", "settled"] * 2


def test_the_driver_hears_the_board_under_micropython(tmp_path: Path, watcher: TrayWatcher) -> None:
    micropython_or_skip()
    board = MicroPython(tmp_path)
    driver = TrayController(board.port)
    driver.light("reading")
    driver.start(watcher)
    try:
        watcher.until(lambda: watcher.condition == "ready")
        until(lambda: board.ring() == [(85, 85, 76)] * 16)
        board.knock()
        watcher.until(lambda: "settled" in watcher.kinds)
        board.press()
        watcher.until(lambda: "button" in watcher.kinds)
    finally:
        driver.stop()
        board.stop()
    assert watcher.kinds == ["thrown", "settled", "button"]
