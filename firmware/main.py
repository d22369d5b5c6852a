"""Runs the tray controller on the board; MicroPython starts this file after power-up.

Hold the button while plugging in to get MicroPython's prompt instead, for a new firmware.
"""

import select
import sys
from time import sleep, ticks_diff, ticks_ms  # pyright: ignore[reportAttributeAccessIssue]

import micropython  # pyright: ignore[reportMissingImports]

from firmware.board import PIXELS, Board
from firmware.tray import Tray

FRAME = 40  # ms between two pictures of the light
TAKE = 32  # bytes of the line at most between two samples of the piezo


def main():
    """Serve for ever, or return to the prompt where the button is held."""
    board = Board()
    if board.down():
        return
    micropython.kbd_intr(-1)  # no byte on the line may stop the program
    try:
        serve(board)
    except Exception:
        sleep(1)  # a fault at each start shall not restart the board a thousand times a minute
        board.restart()


def serve(board):
    """Carry bytes, samples and light between the board and its tray."""
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    now, before, frame = 0, ticks_ms(), 0
    tray = Tray(board.name(), board.new_boot(), now)
    while True:
        heard = _heard(poll)
        ticks = ticks_ms()
        now += ticks_diff(ticks, before)  # the board's own counter wraps after twelve days
        before = ticks
        said = tray.step(now, board.sample(), board.down(), heard)
        if said:
            sys.stdout.buffer.write(said)
        if now >= frame:
            frame = now + FRAME
            board.show(tray.ring(now, PIXELS))
            board.alive()


def _heard(poll):
    """Return what came, waiting at most one millisecond.

    One byte after each poll: on the Pico a larger read waits for bytes that may never come.
    """
    heard = b""
    wait = 1
    while len(heard) < TAKE and poll.poll(wait):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            break
        heard += byte
        wait = 0
    return heard


if __name__ == "__main__":
    main()
