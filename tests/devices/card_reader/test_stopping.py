"""The reader's driver ends whatever the chip is doing, and never waits for the table."""

from __future__ import annotations

import threading
import time

import pytest
import serial

from companion.devices.card_reader import CardReader
from companion.devices.hand_over import HandOver
from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_pn532 import Fault
from companion.terms import Reading
from tests.devices.card_reader.at_the_reader import (
    FRIGG,
    TYR,
    CardWatcher,
    let_look,
    running,
    terminal,
)
from tests.devices.watching import PATIENCE


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
    driver, seen = CardReader(reader.port), CardWatcher()
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
        driver, seen = CardReader(port, first_answer=30.0), CardWatcher()
        driver.start(seen)
        time.sleep(0.7)  # in the long wait by now; any other moment would do as well
        stop_from_elsewhere(driver)
        assert seen.states == []


def test_a_slow_table_does_not_slow_the_reader(reader: SimulatedCardReader):
    go_on, seen = threading.Event(), CardWatcher()

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
