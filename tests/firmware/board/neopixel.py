"""The board's light ring for MicroPython on a computer: what it shows is written to a file."""

# MicroPython has no pathlib.
# ruff: noqa: PTH104, PTH123
import json
import os


class NeoPixel:
    def __init__(self, pin, count):
        self._pixels = [(0, 0, 0)] * count

    def __setitem__(self, place, colour):
        red, green, blue = colour
        self._pixels[place] = (red, green, blue)

    def write(self):
        board = os.getenv("BOARD", ".")
        with open(board + "/ring.new", "w") as file:
            json.dump(self._pixels, file)
        os.rename(board + "/ring.new", board + "/ring")
