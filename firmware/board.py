"""What hangs on the pins of the Raspberry Pi Pico: piezo, light ring and button.

Only this file knows the pins. See README.md for the wiring.
"""

import os

import machine  # pyright: ignore[reportMissingImports]
import neopixel  # pyright: ignore[reportMissingImports]

PIEZO = 26  # GP26, ADC0
RING = 22  # GP22, data of the WS2812 ring
BUTTON = 15  # GP15, to ground when pressed
PIXELS = 16


class Board:
    """The pins, and what the chip knows of itself."""

    def __init__(self):
        self._piezo = machine.ADC(machine.Pin(PIEZO))
        self._button = machine.Pin(BUTTON, machine.Pin.IN, machine.Pin.PULL_UP)
        self._ring = neopixel.NeoPixel(machine.Pin(RING, machine.Pin.OUT), PIXELS)
        self._shown = None
        self._dog = None

    def name(self):
        """Return the chip's own serial number, hex."""
        return "".join("%02x" % byte for byte in machine.unique_id())

    def new_boot(self):
        """Return a name for this boot that the last ones did not have, hex."""
        return "".join("%02x" % byte for byte in os.urandom(4))

    def sample(self):
        """Return the piezo's voltage, 0 to 65535 for 0 to 3.3 V."""
        return self._piezo.read_u16()

    def down(self):
        """Return True while the button is pressed."""
        return self._button.value() == 0

    def show(self, pixels):
        """Light the ring, one (red, green, blue) per pixel; the same light is not sent twice."""
        if pixels == self._shown:
            return
        self._shown = pixels
        for place, colour in enumerate(pixels):
            self._ring[place] = colour
        self._ring.write()

    def alive(self):
        """Tell the watchdog that all is well; 8 s without it restart the board."""
        if self._dog is None:
            self._dog = machine.WDT(timeout=8000)
        self._dog.feed()

    def restart(self):
        """Start anew, as after power-up."""
        machine.reset()
