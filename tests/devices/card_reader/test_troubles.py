"""What can be wrong with the reader's port, each told by its own name."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from companion.devices.simulated_card_reader import SimulatedCardReader
from tests.devices.card_reader.at_the_reader import FRIGG, CardWatcher, terminal


def test_a_second_program_is_told_that_the_port_is_taken(
    reader: SimulatedCardReader, drive: Callable[[str], CardWatcher], seen: CardWatcher
):
    second = drive(reader.port)
    second.until(lambda: (second.condition, second.trouble) == ("waiting", "reader.taken"))
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])


def test_a_port_that_comes_free_is_taken_over(
    reader: SimulatedCardReader, drive: Callable[[str], CardWatcher]
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
    reader: SimulatedCardReader, drive: Callable[[str], CardWatcher]
):
    with without_rights(reader.port):
        seen = drive(reader.port)
    seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.forbidden"))
    trouble = seen.states[-1].trouble
    assert trouble is not None
    assert trouble.do.values["group"]
    assert trouble.do.values["port"] == reader.port


@pytest.mark.parametrize("what", ["file", "folder", "null"])
def test_what_is_no_serial_port(tmp_path: Path, drive: Callable[[str], CardWatcher], what: str):
    ports = {"file": tmp_path / "reader", "folder": tmp_path, "null": Path("/dev/null")}
    (tmp_path / "reader").write_text("no reader")
    seen = drive(str(ports[what]))
    seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.no_port"))


def test_a_line_on_which_nothing_answers(drive: Callable[[str], CardWatcher]):
    with terminal() as (_, port):
        seen = drive(port)
        seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.silent"))


def test_a_line_on_which_something_else_speaks(drive: Callable[[str], CardWatcher]):
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
