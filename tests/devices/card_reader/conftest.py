"""A plugged simulated reader, and drivers that are stopped when the test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.devices.card_reader import CardReader
from companion.devices.simulated_card_reader import SimulatedCardReader
from tests.devices.card_reader.at_the_reader import CardWatcher, running


@pytest.fixture
def reader() -> Iterator[SimulatedCardReader]:
    reader = SimulatedCardReader(hand=0)
    reader.start()
    yield reader
    reader.stop()


@pytest.fixture
def drive() -> Iterator[Callable[[str], CardWatcher]]:
    """Start a driver on a port; return what it tells."""
    drivers: list[CardReader] = []

    def begin(port: str) -> CardWatcher:
        drivers.append(CardReader(port, first_answer=0.3, every=0.02))
        watcher = CardWatcher()
        drivers[-1].start(watcher)
        return watcher

    yield begin
    for driver in drivers:
        driver.stop()
    assert not running(), "a driver did not stop within its second"


@pytest.fixture
def seen(reader: SimulatedCardReader, drive: Callable[[str], CardWatcher]) -> CardWatcher:
    """What the driver of the plugged reader tells, once it is ready."""
    seen = drive(reader.port)
    seen.until(lambda: seen.condition == "ready")
    return seen
