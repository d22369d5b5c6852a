"""The card reader's driver, at the wire: nfcpy and pyserial talk to the simulated chip."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from companion.devices.card_reader import CardReader
from companion.devices.hand_over import HandOver
from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_pn532 import Fault
from companion.devices.simulated_tags import Ntag
from companion.terms import CardReading, DeviceState, Reading

FRIGG, TYR = "04a1b2c3d4e5f6", "04112233445566"
PATIENCE = 20.0  # seconds before a test gives up; nothing here should take so long


class Watcher:
    """An outlet that keeps what it was told, and can be waited on."""

    def __init__(self) -> None:
        self.readings: list[CardReading] = []
        self.states: list[DeviceState] = []
        self._news = threading.Condition()

    def reading(self, reading: Reading) -> None:
        assert isinstance(reading, CardReading)
        with self._news:
            self.readings.append(reading)
            self._news.notify_all()

    def state(self, state: DeviceState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    def told(self) -> list[tuple[str, str]]:
        return [(r.kind, r.uid) for r in self.readings]

    @property
    def condition(self) -> str:
        return self.states[-1].condition if self.states else ""

    @property
    def trouble(self) -> str:
        trouble = self.states[-1].trouble if self.states else None
        return trouble.seen.key if trouble else ""

    def all_shown(self) -> set[tuple[str, str]]:
        return {(s.condition, s.trouble.seen.key if s.trouble else "") for s in self.states}

    def until(self, seen: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(seen, PATIENCE), (self.told(), self.states[-3:])


@pytest.fixture
def reader() -> Iterator[SimulatedCardReader]:
    reader = SimulatedCardReader(hand=0)
    reader.start()
    yield reader
    reader.stop()


@pytest.fixture
def drive() -> Iterator[Callable[[str], Watcher]]:
    drivers: list[CardReader] = []

    def begin(port: str) -> Watcher:
        drivers.append(CardReader(port, first_answer=0.3, every=0.02))
        watcher = Watcher()
        drivers[-1].start(watcher)
        return watcher

    yield begin
    for driver in drivers:
        driver.stop()
    assert not running(), "a driver did not stop within its second"


def running() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "card reader"]


@pytest.fixture
def seen(reader: SimulatedCardReader, drive: Callable[[str], Watcher]) -> Watcher:
    """What the driver of the plugged reader tells, once it is ready."""
    seen = drive(reader.port)
    seen.until(lambda: seen.condition == "ready")
    return seen


def let_look(reader: SimulatedCardReader, times: int) -> None:
    """Wait until the driver has looked so many times more."""
    goal, until = reader.chip.searches + times, time.monotonic() + PATIENCE
    while reader.chip.searches < goal:
        assert time.monotonic() < until, "the driver looks no more"
        time.sleep(0.005)


# ------------------------------------------------------------------------------ cards


def test_a_card_arrives_and_leaves(reader: SimulatedCardReader, seen: Watcher):
    before = time.monotonic()
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])
    let_look(reader, 5)
    reader.take_away()
    seen.until(lambda: seen.told() == [("arrived", FRIGG), ("left", FRIGG)])
    arrived, left = seen.readings
    assert before <= arrived.at <= left.at <= time.monotonic()
    assert (arrived.device, arrived.note) == ("card_reader", None)
    seen.until(lambda: seen.states[-1].notes.get("contact") == 100)


def test_a_card_that_stays_counts_once(reader: SimulatedCardReader, seen: Watcher):
    reader.place(FRIGG)
    let_look(reader, 80)
    assert seen.told() == [("arrived", FRIGG)]


def test_the_same_card_laid_again_counts_again(reader: SimulatedCardReader, seen: Watcher):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.take_away()
    seen.until(lambda: len(seen.readings) == 2)
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 3)
    assert [kind for kind, _ in seen.told()] == ["arrived", "left", "arrived"]


def test_one_card_in_place_of_another(reader: SimulatedCardReader, seen: Watcher):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.take_away()
    reader.place(TYR)
    seen.until(lambda: len(seen.readings) == 3)
    assert seen.told() == [("arrived", FRIGG), ("left", FRIGG), ("arrived", TYR)]


def test_a_hand_that_taps_the_same_card_twice_makes_two_placements(
    drive: Callable[[str], Watcher],
):
    reader = SimulatedCardReader()
    try:
        reader.start()
        seen = drive(reader.port)
        reader.place(FRIGG)
        seen.until(lambda: len(seen.readings) == 1)
        reader.take_away()
        reader.place(FRIGG)
        seen.until(lambda: len(seen.readings) == 3)
        assert [kind for kind, _ in seen.told()] == ["arrived", "left", "arrived"]
    finally:
        reader.stop()


def test_a_card_pulled_away_in_mid_read_books_nothing(reader: SimulatedCardReader, seen: Watcher):
    reader.pull_in_mid_read()
    reader.place(FRIGG)
    seen.until(lambda: seen.trouble == "reader.pulled")
    assert seen.readings == []
    assert seen.condition == "ready"
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)] and seen.trouble == "")


def test_two_cards_at_once_book_nothing_until_one_is_alone(
    reader: SimulatedCardReader, seen: Watcher
):
    reader.chip.fault("no_answer", 1)  # the driver must not look between the two cards
    reader.place(FRIGG)
    reader.place(TYR)
    seen.until(lambda: seen.trouble == "reader.two")
    let_look(reader, 20)
    assert seen.readings == []
    reader.take_away()
    reader.place(TYR)
    seen.until(lambda: seen.told() == [("arrived", TYR)])


def test_a_starter_kit_card_counts_by_its_uid_with_a_word_on_what_to_buy(
    reader: SimulatedCardReader, seen: Watcher
):
    reader.place("a1b2c3d4", "Classic 1K")
    seen.until(lambda: seen.told() == [("arrived", "a1b2c3d4")])
    note = seen.readings[0].note
    assert note is not None
    assert note.key == "reader.classic"


def test_a_phone_is_no_card(reader: SimulatedCardReader, seen: Watcher):
    reader.place("08000000", "phone")
    seen.until(lambda: seen.trouble == "reader.phone")
    let_look(reader, 20)
    assert seen.readings == []


# ------------------------------------------------------------------------------ bad contact

FAULTS: tuple[Fault, ...] = (
    "cut",
    "short",
    "noise",
    "bad_sum",
    "extra",
    "no_answer",
    "silence",
    "no_ack",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_answer_neither_lifts_a_card_nor_lays_one(
    reader: SimulatedCardReader, seen: Watcher, fault: Fault
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.fault(fault, command=0x4A)
    let_look(reader, 5)
    reader.fault(fault)
    let_look(reader, 5)
    assert seen.told() == [("arrived", FRIGG)]
    assert seen.all_shown() == {("ready", "")}, "one bad answer is no alarm"
    reader.take_away()
    seen.until(lambda: seen.told() == [("arrived", FRIGG), ("left", FRIGG)])


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        ("cut", "reader.garbled"),
        ("noise", "reader.garbled"),
        ("bad_sum", "reader.garbled"),
        ("no_answer", "reader.garbled"),
        ("silence", "reader.silent"),
    ],
)
def test_a_bad_contact_that_lasts_is_told_and_the_card_counts_on_when_it_heals(
    reader: SimulatedCardReader, seen: Watcher, fault: Fault, trouble: str
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.fault(fault, 10_000)
    seen.until(lambda: (seen.condition, seen.trouble) == ("gone", trouble))
    reader.chip.heal()
    seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
    let_look(reader, 20)
    assert seen.told() == [("arrived", FRIGG)]


def test_a_torn_page_does_not_matter_to_a_uid(reader: SimulatedCardReader, seen: Watcher):
    reader.place(FRIGG)
    for tag in reader.chip.field:
        assert isinstance(tag, Ntag)
        tag.tear(5)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])


# ------------------------------------------------------------------------------ coming back


def test_it_waits_for_a_reader_that_is_not_there_yet(drive: Callable[[str], Watcher]):
    reader = SimulatedCardReader(hand=0)
    try:
        seen = drive(reader.port)
        seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.missing"))
        reader.start()
        seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
    finally:
        reader.stop()


def test_unplugged_and_plugged_in_again_under_a_lying_card(
    reader: SimulatedCardReader, seen: Watcher
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    for _ in range(3):
        reader.unplug()
        seen.until(lambda: (seen.condition, seen.trouble) == ("gone", "reader.lost"))
        reader.plug()
        seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
    let_look(reader, 20)
    assert seen.told() == [("arrived", FRIGG)]
    assert seen.all_shown() == {("ready", ""), ("gone", "reader.lost")}
    reader.take_away()
    seen.until(lambda: seen.told()[-1] == ("left", FRIGG))


def test_a_card_taken_while_the_reader_was_away_has_left(
    reader: SimulatedCardReader, seen: Watcher
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.unplug()
    reader.take_away()
    reader.plug()
    seen.until(lambda: seen.told() == [("arrived", FRIGG), ("left", FRIGG)])


KILLED = """
import os, signal, sys, time
import serial

def say(words):
    line.write(bytes.fromhex(words))
    line.flush()

def hear(count):
    heard = b""
    while len(heard) < count:
        heard += line.read(count - len(heard))

line = serial.Serial(sys.argv[1], 115200, timeout=5)
say("5555" + 14 * "00" + "0000ff03fdd414011700")  # awake, SAMConfiguration
hear(6 + 9)
say("0000ff03fdd410071500")  # SetSerialBaudrate 921600
hear(6 + 9)
say("0000ff00ff00")
time.sleep(0.1)  # the chip changes its speed after this acknowledgement
line.baudrate = 921600
say(sys.argv[2])
os.kill(os.getpid(), signal.SIGKILL)
"""
"""What nfcpy says on opening, word by word; killed before it can set the speed back."""


@pytest.mark.parametrize(
    "last_words",
    ["", "0000ffffff0108f7d400"],
    ids=["between commands", "in the middle of a long frame"],
)
def test_a_killed_program_left_the_chip_at_another_speed(
    reader: SimulatedCardReader, drive: Callable[[str], Watcher], last_words: str
):
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, reader.port, last_words], check=False, timeout=60
    )
    assert killed.returncode == -signal.SIGKILL
    assert reader.chip.speed == 921600
    reader.place(FRIGG)
    seen = drive(reader.port)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])
    assert seen.all_shown() == {("ready", "")}, "found at the first try"
    assert seen.states[-1].notes["found_at"] == 921600
    assert reader.chip.speed == 115200


def test_a_reader_that_lost_its_power_for_a_moment(reader: SimulatedCardReader, seen: Watcher):
    """The adapter stays, the chip sleeps: nothing answers until it is woken."""
    reader.chip.power_up()
    let_look(reader, 10)
    seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))


# ------------------------------------------------------------------------------ what is wrong


def test_a_second_program_is_told_that_the_port_is_taken(
    reader: SimulatedCardReader, drive: Callable[[str], Watcher], seen: Watcher
):
    second = drive(reader.port)
    second.until(lambda: (second.condition, second.trouble) == ("waiting", "reader.taken"))
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])


def test_a_port_that_comes_free_is_taken_over(
    reader: SimulatedCardReader, drive: Callable[[str], Watcher]
):
    with serial.Serial(reader.port, exclusive=True):
        seen = drive(reader.port)
        seen.until(lambda: seen.trouble == "reader.taken")
    seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))


@contextlib.contextmanager
def without_rights(port: str) -> Iterator[None]:
    """Open files as somebody who may not: a thread inherits this from the one that starts it."""
    Path(port).chmod(0)
    libc = ctypes.CDLL(None)
    libc.setfsuid(65534)
    try:
        yield
    finally:
        libc.setfsuid(os.geteuid())


def test_no_right_to_open_it_is_another_trouble_than_not_found(
    reader: SimulatedCardReader, drive: Callable[[str], Watcher]
):
    with without_rights(reader.port):
        seen = drive(reader.port)
    seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.forbidden"))
    trouble = seen.states[-1].trouble
    assert trouble is not None
    assert trouble.do.values["group"]
    assert trouble.do.values["port"] == reader.port


@pytest.mark.parametrize("what", ["file", "folder", "null"])
def test_what_is_no_serial_port(tmp_path: Path, drive: Callable[[str], Watcher], what: str):
    ports = {"file": tmp_path / "reader", "folder": tmp_path, "null": Path("/dev/null")}
    (tmp_path / "reader").write_text("no reader")
    seen = drive(str(ports[what]))
    seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.no_port"))


@contextlib.contextmanager
def terminal() -> Iterator[tuple[int, str]]:
    ours, theirs = os.openpty()
    tty.setraw(theirs, termios.TCSANOW)
    try:
        yield ours, os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_line_on_which_nothing_answers(drive: Callable[[str], Watcher]):
    with terminal() as (_, port):
        seen = drive(port)
        seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.silent"))


def test_a_line_on_which_something_else_speaks(drive: Callable[[str], Watcher]):
    with terminal() as (ours, port):
        seen = drive(port)
        quiet = threading.Event()

        def chatter() -> None:
            while not quiet.wait(0.02):
                os.write(ours, b'{"event":"beat"}*1d0f\n')

        other = threading.Thread(target=chatter)
        other.start()
        try:
            seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.other"))
        finally:
            quiet.set()
            other.join()


# ------------------------------------------------------------------------------ stopping


def stop_from_elsewhere(driver: CardReader) -> None:
    stopper = threading.Thread(target=driver.stop)
    stopper.start()
    stopper.join(PATIENCE)
    assert not stopper.is_alive()
    assert not running(), "the driver outlived its second"
    driver.stop()  # once more does no harm


@pytest.mark.parametrize("fault", [None, "no_answer", "silence"])
def test_it_stops_within_a_second_whatever_it_waits_for(
    reader: SimulatedCardReader, fault: Fault | None
):
    driver, seen = CardReader(reader.port), Watcher()
    driver.start(seen)
    seen.until(lambda: seen.condition == "ready")
    if fault:
        reader.fault(fault, 10_000, command=0x4A)
        let_look(reader, 1)  # now it waits for an answer that does not come
    stop_from_elsewhere(driver)
    with serial.Serial(reader.port, exclusive=True):
        pass  # the port is free again


def test_it_stops_within_a_second_while_it_looks_for_the_chip():
    with terminal() as (_, port):
        driver, seen = CardReader(port, first_answer=30.0), Watcher()
        driver.start(seen)
        time.sleep(0.7)  # in the long wait by now; any other moment would do as well
        stop_from_elsewhere(driver)
        assert seen.states == []


def test_it_may_be_stopped_before_it_ever_started(reader: SimulatedCardReader):
    CardReader(reader.port).stop()


def test_it_may_be_stopped_by_whom_it_tells(reader: SimulatedCardReader):
    driver, seen = CardReader(reader.port), Watcher()

    class Stopper(Watcher):
        def reading(self, reading: Reading) -> None:
            driver.stop()
            seen.reading(reading)

    driver.start(Stopper())
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])
    for thread in running():
        thread.join(PATIENCE)
    assert not running()


def test_a_slow_table_does_not_slow_the_reader(reader: SimulatedCardReader):
    go_on, seen = threading.Event(), Watcher()

    def slow(reading: Reading) -> None:
        go_on.wait(PATIENCE)
        seen.reading(reading)

    outlet = HandOver(slow, seen.state, "card reader")
    driver = CardReader(reader.port, every=0.02)
    driver.start(outlet)
    try:
        for uid in (FRIGG, TYR, FRIGG):
            reader.place(uid)
            let_look(reader, 10)
            reader.take_away()
            let_look(reader, 40)
        assert seen.readings == []
        go_on.set()
        seen.until(lambda: len(seen.readings) == 6)
        assert seen.told() == [(k, u) for u in (FRIGG, TYR, FRIGG) for k in ("arrived", "left")]
        times = [reading.at for reading in seen.readings]
        assert times == sorted(times)
    finally:
        go_on.set()
        driver.stop()
        outlet.close()
