"""What every driver promises (`companion.devices.port`), asked of each of them alike."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from companion.devices.hand_over import HandOver
from companion.terms import CardReading, DeviceState, Reading
from tests.devices.benches import ABSENT, BENCHES, Bench
from tests.devices.watching import PATIENCE, Watcher, open_files, until

# ---------------------------------------------------------------------- what must not be left


@pytest.fixture
def nothing_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No thread, no open file, nothing raised out of a thread, no driver that stumbled."""
    raised: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, raised.append
    threads, files = set(threading.enumerate()), open_files()
    yield
    threading.excepthook = hook
    assert not raised
    assert set(threading.enumerate()) <= threads
    assert open_files() == files
    told = [*caplog.get_records("call"), *caplog.get_records("teardown")]
    assert not [record.getMessage() for record in told if record.levelno >= logging.ERROR]


@pytest.fixture(params=BENCHES)
def bench(request: pytest.FixtureRequest, nothing_left: None) -> Iterator[Bench]:
    bench = BENCHES[request.param]()
    yield bench
    bench.close()


class Held:
    """A driver that is being tried, and the outlet it tells."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.watcher = Watcher(bench.gives)
        self._threads = set(threading.enumerate())
        self.driver = bench.driver()

    def start(self) -> None:
        self.driver.start(self.watcher)

    def ready(self) -> None:
        self.watcher.until(lambda: self.watcher.condition == "ready")

    def counts(self) -> None:
        """Use the device: a reading comes, and it is ready for the next."""
        before = len(self.watcher.readings)
        self.bench.use()
        self.watcher.until(lambda: len(self.watcher.readings) > before)
        self.ready()

    def counts_again(self) -> None:
        """The plug has just been put in: what was done before it was ready is done once more."""
        self.ready()
        before, give_up = len(self.watcher.readings), time.monotonic() + PATIENCE
        self.bench.use()
        while not self.watcher.waited(lambda: len(self.watcher.readings) > before, 3.0):
            assert time.monotonic() < give_up, self.watcher.states[-3:]
            self.bench.use()
        self.ready()

    def away(self) -> None:
        self.watcher.until(lambda: self.watcher.condition in ("gone", "waiting"))

    def stop(self, *beside: threading.Thread) -> None:
        """Stop it from another thread: `stop` comes back, and no thread has outlived it.

        `beside` are the test's own threads, which may go on.
        """
        stopper = threading.Thread(target=self.driver.stop)
        stopper.start()
        stopper.join(PATIENCE)
        assert not stopper.is_alive()
        assert set(threading.enumerate()) - {*beside} <= self._threads
        assert not self.watcher.broken


@pytest.fixture
def held(bench: Bench) -> Iterator[Held]:
    held = Held(bench)
    yield held
    held.stop()


# ---------------------------------------------------------------------------------- telling


def test_it_tells_how_it_is_and_what_it_saw(held: Held) -> None:
    held.start()
    held.ready()
    held.counts()
    held.counts()
    assert {r.device for r in held.watcher.readings} == {held.driver.device}
    assert {s.device for s in held.watcher.states} == {held.driver.device}


def test_starting_it_twice_is_starting_it_once(held: Held) -> None:
    held.start()
    threads = set(threading.enumerate())
    held.start()
    assert set(threading.enumerate()) == threads
    held.ready()


def test_everything_is_delivered_by_the_hand_over(bench: Bench) -> None:
    told: list[tuple[str, str]] = []
    seen: list[Reading] = []

    def read(reading: Reading) -> None:
        told.append((threading.current_thread().name, reading.device))
        seen.append(reading)

    def show(state: DeviceState) -> None:
        told.append((threading.current_thread().name, state.device))
        if state.condition == "ready":
            is_ready.set()

    is_ready = threading.Event()
    driver = bench.driver()
    outlet = HandOver(read, show, "the table")
    driver.start(outlet)
    assert is_ready.wait(PATIENCE)
    bench.use()
    until(lambda: bool(seen))
    driver.stop()
    outlet.close()
    assert set(told) == {("hand-over the table", driver.device)}


def test_an_outlet_that_fails_does_not_end_it(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    failing = threading.Event()
    failing.set()

    class Failing(Watcher[Reading]):
        def reading(self, reading: Reading) -> None:
            super().reading(reading)
            if len(self.readings) == 1:
                raise RuntimeError("no table")

        def state(self, state: DeviceState) -> None:
            super().state(state)
            if failing.is_set():
                raise RuntimeError("no table")

    held = Held(bench)
    held.watcher = watcher = Failing(bench.gives)
    held.start()
    watcher.until(lambda: len(watcher.states) > 1)
    failing.clear()
    bench.unplug()
    held.away()
    bench.plug()
    held.counts_again()
    held.counts_again()
    held.stop()
    assert "stumbled" in caplog.text
    caplog.clear()


# --------------------------------------------------------------------------------- stopping


def not_started(held: Held) -> None:
    pass


def in_opening(held: Held) -> None:
    held.start()
    time.sleep(0.02)  # any moment would do


def ready(held: Held) -> None:
    held.start()
    held.ready()


def in_mid_read(held: Held) -> None:
    ready(held)
    held.bench.use()
    time.sleep(held.bench.takes / 2)  # any moment would do


def hanging(held: Held) -> None:
    ready(held)
    held.bench.hang()
    time.sleep(0.3)  # by now it waits for what does not come


def hanging_from_the_beginning(held: Held) -> None:
    held.bench.hang()
    held.start()
    time.sleep(0.3)  # by now it waits for what does not come


def unplugged(held: Held) -> None:
    ready(held)
    held.bench.unplug()
    held.away()


def never_plugged(held: Held) -> None:
    held.bench.unplug()
    held.start()
    held.away()


@pytest.mark.parametrize(
    "moment",
    [
        *(not_started, in_opening, ready, in_mid_read),
        *(hanging, hanging_from_the_beginning, unplugged, never_plugged),
    ],
)
def test_it_stops_within_a_second_at_any_moment(held: Held, moment: Callable[[Held], None]) -> None:
    moment(held)
    held.stop()
    held.driver.stop()  # once more does no harm
    said = len(held.watcher.states)
    with pytest.raises(RuntimeError, match="was stopped; make a new driver"):
        held.start()
    assert len(held.watcher.states) == said


def test_it_stops_while_its_plug_is_being_pulled(held: Held) -> None:
    ready(held)
    pulling = threading.Thread(target=held.bench.unplug)
    pulling.start()
    held.stop(pulling)
    pulling.join(PATIENCE)
    assert not pulling.is_alive()


def test_it_stops_while_a_slow_table_holds_up_the_delivery(bench: Bench) -> None:
    go_on, reached, seen = threading.Event(), threading.Event(), list[Reading]()

    def slow(reading: Reading) -> None:
        reached.set()
        go_on.wait(PATIENCE)
        seen.append(reading)

    def show(state: DeviceState) -> None:
        if state.condition == "ready":
            is_ready.set()

    is_ready = threading.Event()
    threads = set(threading.enumerate())
    driver = bench.driver()
    outlet = HandOver(slow, show, "slow table")
    driver.start(outlet)
    assert is_ready.wait(PATIENCE)
    bench.use()
    assert reached.wait(PATIENCE)
    driver.stop()
    outlet.close()
    left = set(threading.enumerate()) - threads
    assert {thread.name for thread in left} <= {"hand-over slow table"}, "only what the table holds"
    go_on.set()
    for thread in left:
        thread.join(PATIENCE)
    assert len(seen) == 1, "what the table was given it kept, and after the end nothing came"


def test_it_may_be_stopped_by_whom_it_tells(bench: Bench) -> None:
    class Stopping(Watcher[Reading]):
        def state(self, state: DeviceState) -> None:
            super().state(state)
            if state.condition == "ready":
                held.driver.stop()

    held = Held(bench)
    held.watcher = Stopping(bench.gives)
    held.start()
    held.ready()
    held.stop()


def test_what_was_stopped_lets_go_and_another_takes_over(held: Held) -> None:
    ready(held)
    held.stop()
    said = len(held.watcher.readings), len(held.watcher.states)
    second = Held(held.bench)
    second.start()
    second.ready()
    second.counts()
    second.stop()
    assert (len(held.watcher.readings), len(held.watcher.states)) == said


# ------------------------------------------------------------------------------ pulled plugs


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("moment", [not_started, in_opening, ready, in_mid_read, hanging])
def test_it_survives_unplugging_at_any_moment_and_finds_the_device_again(
    held: Held, moment: Callable[[Held], None], seed: int
) -> None:
    chance = random.Random(seed)
    moment(held)
    time.sleep(chance.random() * 0.2)  # any moment more
    held.bench.unplug()
    held.start()
    if seed % 2:
        held.away()
    held.bench.go_on()
    held.bench.plug()
    held.counts_again()


def test_a_device_that_hangs_is_told_and_found_again(held: Held) -> None:
    ready(held)
    held.bench.hang()
    held.watcher.until(lambda: held.watcher.condition == "gone")
    held.bench.go_on()
    held.counts_again()


# -------------------------------------------------------------------------------- not there


@pytest.mark.parametrize("device", ABSENT)
def test_what_is_absent_says_so_once(device: str, nothing_left: None) -> None:
    driver, watcher = ABSENT[device](), Watcher(CardReading)
    driver.start(watcher)
    driver.start(watcher)
    assert watcher.states == [DeviceState(device, "absent")]
    driver.stop()
    driver.stop()
    with pytest.raises(RuntimeError, match="was stopped; make a new driver"):
        driver.start(watcher)
    assert watcher.readings == []
