"""A tray and a camera that exist only in the computer: dice are thrown, the camera gives pictures.

The driver above it is the real one and gets nothing but frames (`vision.render` draws them, they
go through JPEG). What happens in the tray is steered from outside: throws, hands, doubtful dice,
covered markers, a knocked camera, a pulled plug.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.devices.frames import CameraTrouble
from companion.devices.simulated_dice import DiceInTray
from companion.devices.simulated_hand import ReachingHand
from vision.render import Box, Roll, develop, expose_roll, steady_sensor
from vision.render_battle import playing_box
from vision.seen import Picture

_GRAB_SECONDS = 0.4  # from a hand's coming until the dice are gone
_FROZEN = 0.5  # seconds that `read` waits for a frozen camera


class SimulatedTray:
    """The tray as a frame source: the tray's steering, and `open`, `read`, `close` of its camera.

    seed: of everything that happens by chance. box: dice, tray, light and camera, else our battle
    dice at play (`vision.render_battle.playing_box`). fps: frames a second. scramble: the drawings
    on the dice are cut up, so that every honest reader is unsure. clock: monotonic seconds.

    All methods may be called from any thread. Dice are counted from 0 in the order they were
    thrown, those still in the tray only.
    """

    def __init__(
        self,
        seed: int | None = None,
        box: Box | None = None,
        *,
        fps: float = 12.0,
        scramble: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._box = playing_box(scramble=scramble) if box is None else box
        self._rng = np.random.default_rng(seed)
        self._noise = np.random.default_rng(seed)
        self._clock, self._pause = clock, 1.0 / fps
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._dice = DiceInTray(self._box, self._rng)
        self._hand = ReachingHand(self._rng)
        self._free_at = 0.0  # when the hand that cleared the tray is gone
        self._covered: frozenset[int] = frozenset()
        self._view = self._box.view
        self._plugged = True
        self._frozen = False
        self._open = False
        self._due = 0.0
        self._sensor = steady_sensor(self._box)
        self._drawn: tuple[Any, Any] | None = None

    # ---- what happens in the tray

    def throw(
        self,
        dice: Sequence[tuple[str, str | None]],
        rng: random.Random | np.random.Generator | None = None,
    ) -> float:
        """Throw dice, given as body colour and face (None: chance); they join those that lie there.

        Answers the clock's second at which the last of them lies still: about 0.8 s from now, later
        where a hand is still clearing the tray. Raises `ValueError` where the box has no die of a
        colour with that face, or the tray is full; then none is thrown.
        """
        with self._lock:
            start = max(self._clock(), self._free_at)
            return self._dice.throw(dice, start, self._view, self._chance(rng))

    def clear(self) -> None:
        """A hand comes and takes all dice out; an empty tray stays as it is."""
        with self._lock:
            now = self._clock()
            if self._dice.clear(now, now + _GRAB_SECONDS):
                self._free_at = self._hand.come(now, 115.0, _GRAB_SECONDS)

    def hand_in(self) -> None:
        """A hand reaches over the tray and stays."""
        with self._lock:
            self._hand.come(self._clock(), 90.0)

    def hand_out(self) -> None:
        """The hand goes away."""
        with self._lock:
            self._hand.go(self._clock())

    def lift(self, n: int) -> None:
        """Take one die out; raises `IndexError` where there is none of that number."""
        with self._lock:
            self._dice.lift(n, self._clock())

    def cock(self, n: int) -> None:
        """Lean one die on the wall, its face as it was but tilted."""
        with self._lock:
            self._dice.cock(n, self._clock())

    def glare(self, n: int) -> None:
        """Let the lamp shine back from one die's upper face, so that it can hardly be read.

        Dice are counted as they were thrown, those that a hand just takes out included; -1 is the
        one thrown last.
        """
        with self._lock:
            self._dice.glare(n, self._clock())

    def cover_marker(self, marker: int) -> None:
        """Lay a card over one of the corner markers 0 to 3."""
        if marker not in (0, 1, 2, 3):
            raise ValueError(f"marker {marker} seen; the tray has 0, 1, 2 and 3")
        with self._lock:
            self._covered |= {marker}

    def uncover_markers(self) -> None:
        """Take the cards away again."""
        with self._lock:
            self._covered = frozenset()

    def nudge_camera(self, mm: float = 6.0) -> None:
        """Knock against the camera: it now looks `mm` beside where it looked, a little turned."""
        with self._lock:
            way = self._rng.uniform(0, 2 * np.pi)
            x, y = self._view.aim
            aim = (float(x + mm * np.cos(way) * 0.5), float(y + mm * np.sin(way) * 0.5))
            turn = self._view.turn_deg + float(self._rng.choice([-1, 1])) * mm / 12
            self._view = replace(self._view, aim=aim, turn_deg=turn)

    def unplug(self) -> None:
        """Pull the camera's plug: `read` and `open` raise `CameraTrouble`."""
        with self._lock:
            self._plugged = self._open = False
            self._wake.set()

    def plug(self) -> None:
        """Plug the camera in again; it has to be opened anew."""
        with self._lock:
            self._plugged = True

    def freeze(self, frozen: bool = True) -> None:
        """The camera stays open and gives no more frames, as a hung one; False ends it."""
        with self._lock:
            self._frozen = frozen
            self._wake.set()

    # ---- the camera

    def open(self) -> None:
        """Open the camera; raises `CameraTrouble` while it is unplugged."""
        with self._lock:
            if not self._plugged:
                raise CameraTrouble("unplugged")
            self._open, self._due = True, self._clock()
            self._wake.clear()

    def read(self) -> tuple[float, Picture] | None:
        """Wait for the next frame; answers when its exposure began, and the frame.

        None after half a second with a frozen camera; raises `CameraTrouble` when its plug
        was pulled, and until it is opened again.
        """
        self._check()
        wait = _FROZEN if self._frozen else self._due - self._clock()
        if wait > 0:
            self._wake.wait(wait)
            self._wake.clear()
        self._check()
        if self._frozen:
            return None
        at = self._clock()
        self._due = max(self._due, at) + self._pause
        return at, self.picture(at)

    def close(self) -> None:
        """Let go of the camera."""
        with self._lock:
            self._open = False
            self._wake.set()

    def figures(self) -> dict[str, str | int | float]:
        """The simulated camera has none."""
        return {}

    def picture(self, at: float) -> Picture:
        """The frame whose exposure begins at a second of the clock, (720, 960, 3) with fresh noise.

        While nothing in the tray changes, the scene is drawn once and only the noise is new.
        """
        with self._lock:
            roll = self._roll(at)
            key = (roll.dice, roll.hand, roll.view, roll.covered)
            drawn = self._drawn
        if drawn is None or drawn[0] != key:
            drawn = (key, expose_roll(self._box, roll)[0])
            with self._lock:
                self._drawn = drawn
        return develop(drawn[1], roll.sensor, self._noise)

    def faces(self) -> list[tuple[str, str]]:
        """Body colour and face of every die in the tray, in the order they were thrown."""
        with self._lock:
            return self._dice.faces(self._clock())

    def truth(self, at: float | None = None) -> list[dict[str, Any]]:
        """What really lies in the tray, for tests: the dice as `vision.render` tells them."""
        with self._lock:
            roll = self._roll(self._clock() if at is None else at)
        return list(expose_roll(self._box, roll)[1]["dice"])

    # ---- private

    def _check(self) -> None:
        if not (self._plugged and self._open):
            raise CameraTrouble("unplugged")

    def _roll(self, at: float) -> Roll:
        """The scene at a time; the caller holds the lock."""
        return Roll(
            self._dice.seen(at),
            self._view,
            self._box.lamp,
            self._sensor,
            self._hand.seen(at),
            tuple((marker, 1.0) for marker in sorted(self._covered)),
        )

    def _chance(self, rng: random.Random | np.random.Generator | None) -> np.random.Generator:
        if rng is None:
            return self._rng
        if isinstance(rng, random.Random):
            return np.random.default_rng(rng.getrandbits(64))
        return rng
