"""The cable of the simulated devices: what is pulled is gone, and comes back under its name."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.devices.pseudo_terminal import PseudoTerminal


@pytest.fixture
def cable() -> Iterator[PseudoTerminal]:
    cable = PseudoTerminal("toy")
    cable.plug()
    assert cable.read(None) == b"", "plugging in ends a waiting read"
    yield cable
    cable.close()


def open_files() -> list[str]:
    return sorted(entry.name for entry in Path("/proc/self/fd").iterdir())


def test_bytes_travel_both_ways_unchanged(cable: PseudoTerminal) -> None:
    everything = bytes(range(256))
    with serial.Serial(cable.path, timeout=5) as host:
        host.write(everything)
        assert cable.read(5) == everything
        cable.write(everything)
        assert host.read(256) == everything


def test_the_path_is_there_while_the_cable_is_in(cable: PseudoTerminal) -> None:
    assert Path(cable.path).name == "toy"
    for _ in range(2):
        assert Path(cable.path).exists()
        assert cable.plugged
        cable.unplug()
        cable.unplug()
        assert not Path(cable.path).exists()
        assert not cable.plugged
        cable.plug()
        cable.plug()


def test_a_host_notices_that_the_cable_was_pulled(cable: PseudoTerminal) -> None:
    with serial.Serial(cable.path, timeout=5) as host:
        cable.unplug()
        cable.plug()
        with pytest.raises(serial.SerialException):
            host.read(1)


def test_the_speed_is_the_hosts_and_stays_when_it_leaves(cable: PseudoTerminal) -> None:
    serial.Serial(cable.path, 921600).close()
    assert cable.speed == 921600
    cable.unplug()
    assert cable.speed == 0


def test_what_nobody_listens_to_is_lost_and_holds_nobody_up(cable: PseudoTerminal) -> None:
    for _ in range(100):
        cable.write(b"x" * 1000)
    with serial.Serial(cable.path, timeout=5) as host:
        cable.write(b"x")
        assert host.read(1) == b"x"
    cable.unplug()
    cable.write(b"into the air")


@pytest.mark.parametrize("act", ["wake", "unplug"] * 5)
def test_a_waiting_read_can_be_ended(cable: PseudoTerminal, act: str) -> None:
    heard: list[bytes] = []

    def read() -> None:
        heard.append(cable.read(None))

    reader = threading.Thread(target=read)
    reader.start()
    cable.wake() if act == "wake" else cable.unplug()
    reader.join(10)
    assert heard == [b""]


def test_nothing_is_left_behind() -> None:
    before = open_files()
    cable = PseudoTerminal("toy")
    cable.plug()
    folder = Path(cable.path).parent
    cable.close()
    cable.close()
    assert not folder.exists()
    assert open_files() == before
