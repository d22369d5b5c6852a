"""The board's pins for MicroPython on a computer: files of the folder BOARD stand for the world.

`piezo` and `button` hold what is felt; runs under MicroPython, which has its own `os.getenv`.
"""

# MicroPython has no pathlib.
# ruff: noqa: PTH123
import os

_BOARD = os.getenv("BOARD", ".")


def _felt(name):
    with open(_BOARD + "/" + name) as file:
        return int(file.read() or "0")


def unique_id():
    return b"\xe6\x61\x4c\x31\x1b\x7e\x6f\x35"


def reset():
    with open(_BOARD + "/reset", "w"):
        raise SystemExit


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number, mode=None, pull=None):
        self.number = number

    def value(self):
        return 1 - _felt("button")


class ADC:
    def __init__(self, pin):
        if pin.number not in (26, 27, 28):
            raise ValueError("no ADC on this pin")

    def read_u16(self):
        return _felt("piezo")


class WDT:
    def __init__(self, timeout):
        if timeout > 8388:
            raise ValueError("a Pico's watchdog waits 8388 ms at most")

    def feed(self):
        pass
