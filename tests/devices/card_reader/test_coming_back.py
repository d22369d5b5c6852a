"""The reader goes and comes back: unplugged, without power, left behind by a killed program."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from companion.devices.simulated_card_reader import SimulatedCardReader
from tests.devices.card_reader.at_the_reader import FRIGG, CardWatcher, let_look


def test_it_waits_for_a_reader_that_is_not_there_yet(drive: Callable[[str], CardWatcher]):
    reader = SimulatedCardReader(hand=0)
    try:
        seen = drive(reader.port)
        seen.until(lambda: (seen.condition, seen.trouble) == ("waiting", "reader.missing"))
        reader.start()
        seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
    finally:
        reader.stop()


def test_unplugged_and_plugged_in_again_under_a_lying_card(
    reader: SimulatedCardReader, seen: CardWatcher
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
    reader: SimulatedCardReader, seen: CardWatcher
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
    reader: SimulatedCardReader, drive: Callable[[str], CardWatcher], last_words: str
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


def test_a_reader_that_lost_its_power_for_a_moment(reader: SimulatedCardReader, seen: CardWatcher):
    """The adapter stays, the chip sleeps: nothing answers until it is woken."""
    reader.chip.power_up()
    let_look(reader, 10)
    seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
