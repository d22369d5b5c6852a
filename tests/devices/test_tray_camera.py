"""The tray camera's real driver on a simulated tray: it gets pixels only."""

from __future__ import annotations

import math
import queue
import random
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from companion.devices.simulated_camera import SimulatedTray
from companion.devices.tray_camera import TrayCamera
from companion.terms import Condition, DeviceState, DiceReading, Reading
from companion.words import Words
from vision.learn import find_set
from vision.seen import Picture
from vision.steady import STILL_S

PATIENCE = 15.0  # seconds to wait for what must come; generous, for a busy machine


class Bench:
    """An outlet that keeps what was handed over."""

    def __init__(self) -> None:
        self.readings: queue.Queue[Reading] = queue.Queue()
        self.states: queue.Queue[DeviceState] = queue.Queue()

    def reading(self, reading: Reading) -> None:
        self.readings.put(reading)

    def state(self, state: DeviceState) -> None:
        self.states.put(state)

    def wait_for(self, condition: Condition) -> DeviceState:
        while True:
            state = self.states.get(timeout=PATIENCE)
            if state.condition == condition:
                return state

    def throw(self) -> DiceReading:
        reading = self.readings.get(timeout=PATIENCE)
        assert isinstance(reading, DiceReading)
        return reading


class Film:
    """A frame source that shows each frame once, and then nothing more."""

    def __init__(self, frames: list[tuple[float, Picture]]) -> None:
        self._frames = iter(frames)
        self._wait = threading.Event()

    def open(self) -> None:
        """Begin."""

    def read(self) -> tuple[float, Picture] | None:
        shown = next(self._frames, None)
        if shown is None:
            self._wait.wait(0.1)  # as a camera that is late
        return shown

    def close(self) -> None:
        """End."""

    def figures(self) -> dict[str, str | int | float]:
        return {}


@pytest.fixture
def tray() -> SimulatedTray:
    return SimulatedTray(seed=11)


@pytest.fixture
def camera(tray: SimulatedTray, tmp_path_factory: pytest.TempPathFactory) -> TrayCamera:
    return TrayCamera(tray, find_set("battle", tmp_path_factory.mktemp("state")), "battle")


@pytest.fixture
def bench(camera: TrayCamera) -> Iterator[Bench]:
    bench = Bench()
    camera.start(bench)
    bench.wait_for("ready")
    yield bench
    camera.stop()


def faces(reading: DiceReading) -> list[tuple[str, str | None]]:
    return sorted((die.colour, die.face) for die in reading.dice)


def test_a_throw_is_read_once_it_lies_still(tray: SimulatedTray, bench: Bench) -> None:
    dice = [("black", "helmet"), ("black", "shield"), ("black", "helmet"), ("white", "shield")]
    tray.throw(dice, random.Random(3))
    reading = bench.throw()
    assert faces(reading) == sorted(dice)
    assert all(die.crop in reading.pictures for die in reading.dice)


def test_the_next_throw_counts_anew_and_clearing_is_no_result(
    tray: SimulatedTray, bench: Bench
) -> None:
    tray.throw([("red", "helmet")], random.Random(3))
    first = bench.throw()
    tray.clear()
    tray.throw([("red", "shield")], random.Random(4))
    second = bench.throw()
    assert faces(second) == [("red", "shield")]
    assert second.settle != first.settle


def test_a_rest_that_is_told_late_does_not_cut_the_throw_short(
    tray: SimulatedTray, camera: TrayCamera, bench: Bench
) -> None:
    """The controller tells again what it felt while its cable was out: that was another throw."""
    for seed, colour in enumerate(("black", "white", "red")):
        dice = [(colour, "helmet"), (colour, "shield"), (colour, "helmet")]
        tray.clear()
        tray.throw(dice, random.Random(seed))
        camera.told_quiet(time.monotonic() - 2.0)
        assert faces(bench.throw()) == sorted(dice)


def test_a_pulled_camera_says_what_to_do_and_comes_back(tray: SimulatedTray, bench: Bench) -> None:
    tray.unplug()
    gone = bench.wait_for("gone")
    assert gone.trouble is not None
    assert gone.trouble.do.key == "camera.unplugged.do"
    tray.plug()
    bench.wait_for("ready")
    tray.throw([("black", "helmet")], random.Random(5))
    assert faces(bench.throw()) == [("black", "helmet")]


def test_a_hidden_corner_is_named(
    tray: SimulatedTray, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tray.cover_marker(2)
    bench = Bench()
    camera = TrayCamera(tray, find_set("battle", tmp_path_factory.mktemp("state")), "battle")
    camera.start(bench)
    try:
        waiting = bench.wait_for("waiting")
        assert waiting.trouble is not None
        assert waiting.trouble.seen.values == {"seen": 3, "missing": ["2"]}
    finally:
        camera.stop()


def test_a_picture_that_is_too_small_to_read_is_told_in_words(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    small = [(index / 12, np.zeros((90, 120, 3), np.uint8)) for index in range(12)]
    bench = Bench()
    camera = TrayCamera(Film(small), find_set("battle", tmp_path_factory.mktemp("s")), "battle")
    camera.start(bench)
    try:
        trouble = bench.wait_for("waiting").trouble
    finally:
        camera.stop()
    assert trouble is not None
    assert "zu klein: 120 × 90 Bildpunkte" in Words.load().tell(trouble.seen, "de")


def test_the_frames_in_which_a_throw_proved_still_are_enough_to_read_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rate, now = 12, [0.0]  # frames a second; the tray's clock
    tray = SimulatedTray(seed=11, clock=lambda: now[0])
    frames = [(index / rate, tray.picture(index / rate)) for index in range(rate)]
    now[0] = 1.0
    at_rest = tray.throw([("red", "helmet"), ("white", "shield")], random.Random(3))
    last = math.ceil(at_rest * rate) + math.ceil(STILL_S * rate) + 1
    frames += [(index / rate, tray.picture(index / rate)) for index in range(rate, last + 1)]
    bench = Bench()
    camera = TrayCamera(Film(frames), find_set("battle", tmp_path_factory.mktemp("s")), "battle")
    camera.start(bench)
    try:
        assert faces(bench.throw()) == [("red", "helmet"), ("white", "shield")]
    finally:
        camera.stop()
