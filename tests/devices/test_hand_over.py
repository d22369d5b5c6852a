"""Between a device and the table: nothing stalls, order is kept, and what gives way is counted."""

from __future__ import annotations

import threading

import pytest

from companion.devices.hand_over import HandOver
from companion.terms import DeviceState, Reading, TrayReading
from tests.devices.watching import PATIENCE, until


def reading(number: int) -> TrayReading:
    return TrayReading("tray_controller", "button", "b007", number, float(number))


READY = DeviceState("tray_controller", "ready")
AWAY = DeviceState("tray_controller", "waiting")


class SlowTable:
    """Takes one reading and thinks about it until `go_on`."""

    def __init__(self) -> None:
        self.taken: list[Reading | DeviceState] = []
        self.thinking, self.go_on = threading.Event(), threading.Event()
        self.outlet = HandOver(self._read, self.taken.append, "slow table")

    def _read(self, reading: Reading) -> None:
        self.thinking.set()
        assert self.go_on.wait(PATIENCE)
        self.taken.append(reading)

    def numbers(self) -> list[int]:
        return [thing.number for thing in self.taken if isinstance(thing, TrayReading)]


def test_readings_and_states_keep_their_order() -> None:
    table = SlowTable()
    table.go_on.set()
    for thing in (1, 2, READY, 3):
        if isinstance(thing, int):
            table.outlet.reading(reading(thing))
        else:
            table.outlet.state(thing)
    table.outlet.close()
    assert table.taken == [reading(1), reading(2), READY, reading(3)]
    assert table.outlet.lost == 0


def test_when_too_much_waits_the_oldest_readings_give_way_and_are_counted() -> None:
    table = SlowTable()
    table.outlet.reading(reading(0))
    assert table.thinking.wait(PATIENCE)
    for number in range(1, 101):
        table.outlet.reading(reading(number))
    table.go_on.set()
    table.outlet.close()
    assert table.numbers() == [0, *range(37, 101)]
    assert table.outlet.lost == 36


def test_a_loose_plug_pushes_no_reading_out_and_only_its_last_state_is_told() -> None:
    table = SlowTable()
    table.outlet.reading(reading(0))
    assert table.thinking.wait(PATIENCE)
    table.outlet.reading(reading(1))
    for _ in range(100):
        table.outlet.state(AWAY)
        table.outlet.state(READY)
    table.go_on.set()
    table.outlet.close()
    assert table.taken == [reading(0), reading(1), READY]
    assert table.outlet.lost == 0


def test_one_bad_reading_does_not_end_the_delivery(caplog: pytest.LogCaptureFixture) -> None:
    taken: list[Reading] = []

    def read(reading: Reading) -> None:
        if not taken:
            taken.append(reading)
            raise RuntimeError("no table")
        taken.append(reading)

    outlet = HandOver(read, lambda state: None, "table")
    outlet.reading(reading(1))
    outlet.reading(reading(2))
    outlet.close()
    assert taken == [reading(1), reading(2)]
    assert "could not deliver" in caplog.text


def test_the_end_does_not_wait_for_a_table_that_hangs_and_gives_it_nothing_more() -> None:
    table = SlowTable()
    table.outlet.reading(reading(0))
    assert table.thinking.wait(PATIENCE)
    table.outlet.reading(reading(1))
    table.outlet.close()
    table.outlet.reading(reading(2))
    table.outlet.state(READY)
    assert table.outlet.lost == 1
    table.go_on.set()
    until(lambda: not [t for t in threading.enumerate() if t.name == "hand-over slow table"])
    assert table.taken == [reading(0)]


def test_the_table_itself_may_end_it() -> None:
    ended = threading.Event()

    def read(_: Reading) -> None:
        outlet.close()
        ended.set()

    outlet = HandOver(read, lambda state: None, "table that ends")
    outlet.reading(reading(1))
    assert ended.wait(PATIENCE)
    until(lambda: not [t for t in threading.enumerate() if t.name == "hand-over table that ends"])
