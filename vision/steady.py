"""Notice the moment a throw has come to rest: after movement, with no hand in the picture.

The watch looks at every frame on a small drawing of the tray and is cheap enough to run always. It
says at most once for each throw that it lies still, and from when on it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.blocks import BLOCK_MM, RIM, Blocks, Ground, changed, difference, inside
from vision.fit import TrayFit, check_frame
from vision.seen import Picture

Floats = npt.NDArray[np.float32]
State = Literal["empty", "moving", "hand", "still"]

STILL_S = 0.4
"""How long nothing may move before a throw counts as at rest, in seconds."""
TOLD_STILL_S = 0.1
"""The same where another device has said that the tray is quiet."""

_MOVED = 4.0  # grey levels by which a block must change to count as movement, at the least
_NOISE = 5.0  # the same, in multiples of the picture's usual change
_HAND_DICE = 1.5  # so many dice's worth of covered rim is a hand
_FORGET_S = 20.0  # what lies still on the rim for so long is no hand
_FORGET_OTHER_S = 3.0  # the same where the rim was taken from a scene that may have held a hand


@dataclass(frozen=True, slots=True)
class Settled:
    """A throw has come to rest.

    number: counts up from 1. since: time of the first frame of the still span, or of the outside
    signal where that came later; take frames that began at or after it. noticed: time of the frame
    that made it certain.
    """

    number: int
    since: float
    noticed: float


class SettleWatch:
    """Watches frames of one camera that stands still; times in seconds, in rising order.

    fit: the tray's place in the frames. empty: straight drawing of the empty tray as a dice set
    keeps it, (h, w, 3) with the margin of `vision.fit`; without it the first still scene is taken
    for the ground, whatever lies there.
    """

    def __init__(
        self, fit: TrayFit, empty: Picture | None = None, *, still_s: float = STILL_S
    ) -> None:
        self._fit = fit
        self._still_s = still_s
        self._side = fit.tray.die_side_mm
        self._blocks = Blocks(fit)
        self._ground = None if empty is None else Ground(self._blocks.of_drawing(empty))
        self._last: Floats | None = None  # the scene that was last known to be at rest
        self._anchor: Floats | None = None  # first frame of the present still span
        self._since = 0.0
        self._before: Floats | None = None
        self._before_at = 0.0
        self._usual = 1.0
        self._stirred = False
        self._has_moved = False
        self._told: float | None = None
        self._count = 0
        self._state: State = "moving"

    @property
    def state(self) -> State:
        """What the last frame showed: nothing there, still moving, a hand, or at rest."""
        return self._state

    def told(self, time: float) -> None:
        """Another device says that the tray is quiet since `time` (same clock as the frames).

        It holds until a frame shows that something moved after that.
        """
        self._told = time

    def look(self, time: float, frame: Picture) -> Settled | None:
        """Look at one frame that began at `time`; returns the throw that has just come to rest.

        frame: (h, w, 3) uint8 of the size the tray was found in. Raises `ValueError` otherwise.
        """
        check_frame(frame)
        if (frame.shape[1], frame.shape[0]) != self._fit.size:
            raise ValueError(
                f"frame is {frame.shape[1]} x {frame.shape[0]}, the tray was found in "
                f"{self._fit.size[0]} x {self._fit.size[1]}: find it again"
            )
        now = self._blocks.of_frame(frame)
        moving = self._moved(now)
        if moving and self._told is not None and self._before_at >= self._told:
            self._told = None  # it was said of an earlier rest
        self._before, self._before_at = now, time
        if moving or self._anchor is None:
            self._has_moved = self._anchor is not None
            self._stirred = self._stirred or self._has_moved
            self._anchor, self._since = now, time
        span = time - self._since
        if self._ground is None:
            if span >= self._still_s:
                self._ground, self._last = Ground(now), now
                self._stirred = False
            self._state = "moving" if moving else "empty"
            return None
        there = self._ground.there(now)
        if span >= self._still_s and self._ground.settle(now, there):
            there = self._ground.there(now)
            # What looked like a hand was another rim: nothing was thrown because of it.
            self._stirred = self._has_moved
        hand = self._hand(there)
        dice = float(inside(there).sum()) * BLOCK_MM**2 / self._side**2
        # What lies on the rim for long is part of it.
        if span >= (_FORGET_OTHER_S if self._ground.replaced else _FORGET_S):
            self._ground.forget(now)
        if hand:
            self._state = "hand"
            self._stirred = True
            return None
        if moving:
            self._state = "moving"
            return None
        wanted, since = self._still_s, self._since
        if self._told is not None and time >= self._told:
            wanted, since = TOLD_STILL_S, max(since, self._told)
        if span < wanted or time - since < 0:
            self._state = "moving" if self._stirred else self._at_rest(dice)
            return None
        self._state = self._at_rest(dice)
        if self._last is None:
            self._last = self._ground.scene if self._stirred else now
        if not self._stirred:
            return None
        self._stirred = False
        self._told = None
        new = self._new(now, there)
        self._last = now
        if dice < 0.3 or not new:
            return None
        self._count += 1
        return Settled(self._count, since, time)

    # ------------------------------------------------------------------------------- private

    def _at_rest(self, dice: float) -> State:
        return "still" if dice >= 0.3 else "empty"

    def _moved(self, now: Floats) -> bool:
        if self._before is None or self._anchor is None:
            return False
        step = difference(now, self._before)
        # The usual change between two frames is noise; most of the tray never moves.
        usual = float(np.median(step))
        self._usual += 0.2 * (min(usual, 4.0) - self._usual)
        limit = max(_MOVED, _NOISE * self._usual)
        if float(step.max()) > limit:
            return True
        return float(difference(now, self._anchor).max()) > limit

    def _hand(self, there: npt.NDArray[np.bool_]) -> bool:
        """Whether something on the rim covers more of it than a die and a half.

        The inner walls are left out: light from another side changes them most.
        """
        band = there.copy()
        wall = RIM - 1
        band[wall:-wall, wall:-wall] = False
        joined = cv2.dilate(band.astype(np.uint8), np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(joined)
        areas = np.bincount(labels[band], minlength=count)[1:]
        return bool(len(areas) and areas.max() * BLOCK_MM**2 > _HAND_DICE * self._side**2)

    def _new(self, now: Floats, there: npt.NDArray[np.bool_]) -> bool:
        """Whether something lies where it did not lie before; what only went away is no throw."""
        if self._last is None:
            return True
        fresh = inside(changed(now, self._last) & there)
        return float(fresh.sum()) * BLOCK_MM**2 > 0.25 * self._side**2
