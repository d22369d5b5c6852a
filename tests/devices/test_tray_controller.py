"""The tray controller's driver, at the wire: pyserial talks to the board's own program."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from companion.devices.hand_over import HandOver
from companion.devices.pseudo_terminal import PseudoTerminal
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_controller import TrayController
from companion.terms import DeviceState, Reading, TrayReading
from companion.words import LANGUAGES, Words
from firmware.wire import encode
from tests.firmware.test_conformance import MicroPython, micropython_or_skip

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0  # seconds before a test gives up; nothing here should take so long


class Watcher:
    """An outlet that keeps what it was told, and can be waited on."""

    def __init__(self) -> None:
        self.readings: list[TrayReading] = []
        self.states: list[DeviceState] = []
        self._news = threading.Condition()

    def reading(self, reading: Reading) -> None:
        assert isinstance(reading, TrayReading)
        with self._news:
            self.readings.append(reading)
            self._news.notify_all()

    def state(self, state: DeviceState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    @property
    def kinds(self) -> list[str]:
        return [reading.kind for reading in self.readings]

    @property
    def condition(self) -> str:
        return self.states[-1].condition if self.states else ""

    @property
    def trouble(self) -> str:
        trouble = self.states[-1].trouble if self.states else None
        return trouble.seen.key if trouble else ""

    def until(self, true: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(true, PATIENCE), (self.readings, self.states[-3:])


def until(true: Callable[[], bool]) -> None:
    """Wait for what the outlet does not hear, such as the light."""
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


@pytest.fixture
def tray() -> Iterator[SimulatedTrayController]:
    tray = SimulatedTrayController(seed=3)
    tray.start()
    yield tray
    tray.stop()


@pytest.fixture
def driver(tray: SimulatedTrayController, watcher: Watcher) -> Iterator[TrayController]:
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


def throw_until_settled(tray: SimulatedTrayController, watcher: Watcher) -> None:
    settled = watcher.kinds.count("settled")
    tray.throw()
    tray.settle()
    watcher.until(lambda: watcher.kinds.count("settled") > settled)


def drive(port: str, watcher: Watcher, true: Callable[[], bool]) -> None:
    driver = TrayController(port)
    driver.start(watcher)
    try:
        watcher.until(true)
    finally:
        driver.stop()


# ------------------------------------------------------------------------ throws, rest, button


def test_a_throw_is_told_and_its_rest(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    before = time.monotonic()
    throw_until_settled(tray, watcher)
    thrown, settled = watcher.readings
    assert (thrown.kind, settled.kind) == ("thrown", "settled")
    assert (thrown.device, thrown.boot) == ("tray_controller", settled.boot)
    assert settled.number == thrown.number + 1
    assert before <= thrown.at < settled.at <= time.monotonic()


def test_a_press_is_told(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    tray.press()
    watcher.until(lambda: watcher.kinds == ["button"])


def test_it_works_through_the_hand_over(tray: SimulatedTrayController, watcher: Watcher) -> None:
    outlet = HandOver(watcher.reading, watcher.state, "tray")
    driver = TrayController(tray.port)
    driver.start(outlet)
    watcher.until(lambda: watcher.condition == "ready")
    throw_until_settled(tray, watcher)
    driver.stop()
    outlet.close()
    assert watcher.kinds == ["thrown", "settled"]


@pytest.mark.parametrize("fault", ["torn", "noise", "lost", "twice"])
def test_a_throw_counts_once_over_a_bad_line(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher, fault: str
) -> None:
    for kind in ("torn", "noise", "lost", "twice"):
        if kind == fault:
            tray.fault(kind, 3)
    throw_until_settled(tray, watcher)
    tray.press()
    watcher.until(lambda: "button" in watcher.kinds)
    assert watcher.kinds == ["thrown", "settled", "button"]


def test_what_is_felt_while_the_cable_is_out_is_told_when_it_is_back(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    throw_until_settled(tray, watcher)
    tray.unplug(powered=True)
    watcher.until(lambda: watcher.condition == "gone")
    tray.throw()
    tray.settle()
    until(lambda: tray.shown == "thrown")
    until(lambda: tray.shown != "thrown")
    tray.plug()
    watcher.until(lambda: len(watcher.readings) >= 4)
    assert watcher.kinds == ["thrown", "settled"] * 2
    assert len({(r.boot, r.number) for r in watcher.readings}) == 4
    assert all(one.at < other.at for one, other in pairwise(watcher.readings))


@pytest.mark.parametrize("cable", [True, False], ids=["as a Pico", "as a Nano"])
def test_a_reboot_in_mid_throw_ends_in_one_settled(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher, cable: bool
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


# -------------------------------------------------------------------------------------- lights


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


def test_a_light_wished_before_the_board_is_there_is_not_lost(watcher: Watcher) -> None:
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


# ------------------------------------------------------------------------- plugs and strangers


def test_it_tells_who_is_there(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    assert watcher.states[0] == DeviceState(
        "tray_controller", "waiting", None, watcher.states[0].notes
    )
    notes = watcher.states[-1].notes
    assert (notes["firmware"], notes["board"]) == ("1.0.0", tray.board)


def test_a_pulled_plug_is_told_and_it_comes_back_by_itself(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    for _ in range(2):
        tray.unplug()
        watcher.until(lambda: watcher.condition == "gone")
        assert watcher.trouble == "tray.lost"
        tray.plug()
        watcher.until(lambda: watcher.condition == "ready")
        assert watcher.trouble == ""
    throw_until_settled(tray, watcher)
    assert watcher.kinds == ["thrown", "settled"]


def test_a_hung_board_is_not_called_connected(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    tray.silence()
    watcher.until(lambda: watcher.condition == "gone")
    assert watcher.trouble == "tray.silent"
    tray.silence(False)
    watcher.until(lambda: watcher.condition == "ready")


def test_an_open_port_without_an_answer_is_not_connected(
    cable: PseudoTerminal, watcher: Watcher
) -> None:
    drive(cable.path, watcher, lambda: watcher.trouble == "tray.silent")
    assert {state.condition for state in watcher.states} == {"waiting"}


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
    cable: PseudoTerminal, watcher: Watcher, answer: bytes, trouble: str
) -> None:
    other = Answering(cable, answer)
    drive(cable.path, watcher, lambda: watcher.trouble == trouble)
    other.stop()
    assert "ready" not in {state.condition for state in watcher.states}
    assert watcher.readings == []


def test_a_strangers_port_is_let_go(cable: PseudoTerminal, watcher: Watcher) -> None:
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
    cable: PseudoTerminal, tmp_path: Path, watcher: Watcher
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


def test_a_port_that_is_not_there_is_waited_for(tmp_path: Path, watcher: Watcher) -> None:
    drive(str(tmp_path / "none"), watcher, lambda: watcher.trouble == "tray.missing")
    assert watcher.condition == "waiting"


def test_a_file_that_is_no_port_is_told(tmp_path: Path, watcher: Watcher) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("milk, bread")
    drive(str(file), watcher, lambda: watcher.trouble == "tray.no_serial")
    assert file.read_text() == "milk, bread"


def test_a_folder_is_no_port(tmp_path: Path, watcher: Watcher) -> None:
    drive(str(tmp_path), watcher, lambda: watcher.trouble == "tray.no_serial")


def test_a_second_companion_is_told_that_the_port_is_busy(
    driver: TrayController, tray: SimulatedTrayController, watcher: Watcher
) -> None:
    second = Watcher()
    drive(tray.port, second, lambda: second.trouble == "tray.busy")
    throw_until_settled(tray, watcher)
    assert watcher.kinds == ["thrown", "settled"]


def test_no_right_is_another_trouble_than_no_device(cable: PseudoTerminal) -> None:
    """In a program of its own, which gives its rights away where it has all of them."""
    Path(cable.path).chmod(0)
    Path(cable.path).parent.chmod(0o755)
    program = f"""
import grp, os, threading
from companion.devices.tray_controller import TrayController
class Outlet:
    def reading(self, reading): pass
    def state(self, state):
        if state.trouble:
            print(state.trouble.seen.key, state.trouble.do.values["group"], flush=True)
            told.set()
told = threading.Event()
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
driver = TrayController({cable.path!r})
driver.start(Outlet())
told.wait({PATIENCE})
driver.stop()
"""
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    group = Path(cable.path).group()
    assert said.stdout.split() == ["tray.forbidden", group], said.stderr


# ----------------------------------------------------------------------------------------- end


def test_stop_lets_go_of_the_port_and_may_be_called_twice(
    driver: TrayController, tray: SimulatedTrayController
) -> None:
    driver.stop()
    driver.stop()
    serial.Serial(tray.port, exclusive=True).close()


def test_it_may_be_stopped_from_its_own_outlet(tray: SimulatedTrayController) -> None:
    class Impatient(Watcher):
        def state(self, state: DeviceState) -> None:
            super().state(state)
            if state.condition == "ready":
                driver.stop()

    watcher = Impatient()
    driver = TrayController(tray.port)
    driver.start(watcher)
    watcher.until(lambda: watcher.condition == "ready")
    driver.stop()


def test_stop_before_start_is_nothing(tray: SimulatedTrayController) -> None:
    TrayController(tray.port).stop()


def test_an_outlet_that_fails_does_not_end_the_driver(
    tray: SimulatedTrayController, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Watcher):
        def reading(self, reading: Reading) -> None:
            super().reading(reading)
            if len(self.readings) == 1:
                raise RuntimeError("no table")

    watcher = Failing()
    driver = TrayController(tray.port)
    driver.start(watcher)
    watcher.until(lambda: watcher.condition == "ready")
    throw_until_settled(tray, watcher)
    driver.stop()
    assert watcher.kinds == ["thrown", "settled"]
    assert "stumbled" in caplog.text


def test_the_driver_hears_the_board_under_micropython(tmp_path: Path, watcher: Watcher) -> None:
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


TROUBLES = (
    *("missing", "forbidden", "busy", "no_serial", "failed", "broken", "lost", "silent"),
    *("stranger", "bare", "newer", "older", "shaking", "stumbled"),
)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_every_trouble_has_its_sentences(trouble: str) -> None:
    words = Words.load()
    for language in LANGUAGES:
        for key in (f"tray.{trouble}", f"tray.{trouble}.do"):
            assert words.has(key, language), f"{key} has no sentence in {language}"
