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

from vision.fit import MARGIN_MM, TrayFit, check_frame
from vision.seen import Picture

Floats = npt.NDArray[np.float32]
State = Literal["empty", "moving", "hand", "still"]

STILL_S = 0.4
"""How long nothing may move before a throw counts as at rest, in seconds."""
TOLD_STILL_S = 0.1
"""The same where another device has said that the tray is quiet."""

_MARGIN_MM = 20.0  # of the rim is watched, so that a hand is seen while it comes
_BLOCK_MM = 4  # changes are judged as means over blocks of this side
_MOVED = 4.0  # grey levels by which a block must change to count as movement, at the least
_NOISE = 5.0  # the same, in multiples of the picture's usual change
_THERE = 12.0  # grey levels by which something differs from the empty tray
_HAND_DICE = 1.5  # so many dice's worth of covered rim is a hand
_FORGET_S = 20.0  # what lies still on the rim for so long is no hand


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
        # Shrinking by a whole number that leaves no rest is several times faster.
        self._shrink = max(
            n for n in range(1, int(fit.px_per_mm) + 2) if not any(v % n for v in fit.size)
        )
        self._rim = round(_MARGIN_MM / _BLOCK_MM)
        self._ground = None if empty is None else self._of_drawing(empty)
        self._last: Floats | None = None  # the scene that was last known to be at rest
        self._anchor: Floats | None = None  # first frame of the present still span
        self._since = 0.0
        self._before: Floats | None = None
        self._usual = 1.0
        self._stirred = False
        self._told: float | None = None
        self._count = 0
        self._state: State = "moving"

    @property
    def state(self) -> State:
        """What the last frame showed: nothing there, still moving, a hand, or at rest."""
        return self._state

    def told(self, time: float) -> None:
        """Another device says that the tray is quiet since `time` (same clock as the frames)."""
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
        now = self._of_frame(frame)
        moving = self._moved(now)
        self._before = now
        if moving or self._anchor is None:
            self._stirred = self._stirred or self._anchor is not None
            self._anchor, self._since = now, time
        span = time - self._since
        if self._ground is None:
            if span >= self._still_s:
                self._ground = self._last = now
                self._stirred = False
            self._state = "moving" if moving else "empty"
            return None
        there = self._there(now)
        hand = self._hand(there)
        inner = self._felt(there)
        dice = float(inner.sum()) * _BLOCK_MM**2 / self._side**2
        self._forget(now, span)
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
            self._last = self._ground if self._stirred else now
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

    def _of_frame(self, frame: Picture) -> Floats:
        """Mean brightness of blocks of the tray and its rim: (rows, columns, 3)."""
        width, height = frame.shape[1] // self._shrink, frame.shape[0] // self._shrink
        small = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
        matrix = self._fit.straight(1.0, _MARGIN_MM) @ np.array(
            [
                [frame.shape[1] / width, 0, 0.5 * frame.shape[1] / width - 0.5],
                [0, frame.shape[0] / height, 0.5 * frame.shape[0] / height - 0.5],
                [0, 0, 1.0],
            ]
        )
        columns, rows = self._grid()
        drawn = cv2.warpPerspective(
            small,
            matrix,
            (columns * _BLOCK_MM, rows * _BLOCK_MM),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return cv2.resize(drawn, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)

    def _of_drawing(self, empty: Picture) -> Floats:
        scale = empty.shape[1] / (self._fit.tray.width_mm + 2 * MARGIN_MM)
        cut = round((MARGIN_MM - _MARGIN_MM) * scale)
        columns, rows = self._grid()
        part = empty[cut : empty.shape[0] - cut, cut : empty.shape[1] - cut]
        return cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)

    def _grid(self) -> tuple[int, int]:
        tray = self._fit.tray
        return (
            round((tray.width_mm + 2 * _MARGIN_MM) / _BLOCK_MM),
            round((tray.height_mm + 2 * _MARGIN_MM) / _BLOCK_MM),
        )

    def _difference(self, one: Floats, other: Floats) -> Floats:
        """Largest difference over the colours, (rows, columns), the light's own change left out."""
        gain = np.median((one + 4) / (other + 4), axis=(0, 1))
        return np.abs(one - ((other + 4) * gain - 4)).max(axis=2)

    def _there(self, now: Floats) -> npt.NDArray[np.bool_]:
        """Which blocks show something else than the ground there or beside it.

        What is beside counts too, since a fit that is half a block off must not raise the rim.
        """
        assert self._ground is not None
        near = np.ones((3, 3), np.uint8)
        ratio = (now + 4) / (self._ground + 4)
        ground = self._ground + 4
        rim = self._rim
        ground[rim:-rim, rim:-rim] *= np.median(ratio[rim:-rim, rim:-rim], axis=(0, 1))
        # A lamp from another side lights each side of the rim differently, and along it too.
        for zone, axis in self._sides():
            gain = _even(np.median(ratio[zone], axis=axis))
            ground[zone] *= np.expand_dims(gain, axis)
        ground -= 4
        above = now - cv2.dilate(ground, near)
        below = cv2.erode(ground, near) - now
        return np.maximum(above, below).max(axis=2) > _THERE

    def _sides(self) -> tuple[tuple[tuple[slice, slice], int], ...]:
        """The four sides of the rim, each with the axis across it."""
        rim, every = self._rim, slice(None)
        inside = slice(rim, -rim)
        return (
            ((slice(0, rim), every), 0),
            ((slice(-rim, None), every), 0),
            ((inside, slice(0, rim)), 1),
            ((inside, slice(-rim, None)), 1),
        )

    def _moved(self, now: Floats) -> bool:
        if self._before is None or self._anchor is None:
            return False
        step = self._difference(now, self._before)
        # The usual change between two frames is noise; most of the tray never moves.
        usual = float(np.median(step))
        self._usual += 0.2 * (min(usual, 4.0) - self._usual)
        limit = max(_MOVED, _NOISE * self._usual)
        if float(step.max()) > limit:
            return True
        return float(self._difference(now, self._anchor).max()) > limit

    def _hand(self, there: npt.NDArray[np.bool_]) -> bool:
        """Whether something on the rim covers more of it than a die and a half.

        The inner walls are left out: light from another side changes them most.
        """
        band = there.copy()
        wall = self._rim - 1
        band[wall:-wall, wall:-wall] = False
        joined = cv2.dilate(band.astype(np.uint8), np.ones((5, 5), np.uint8))
        count, labels = cv2.connectedComponents(joined)
        areas = np.bincount(labels[band], minlength=count)[1:]
        return bool(len(areas) and areas.max() * _BLOCK_MM**2 > _HAND_DICE * self._side**2)

    def _felt(self, blocks: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """The blocks where dice lie: the inside without what shows the walls."""
        cut = self._rim + 1
        return blocks[cut:-cut, cut:-cut]

    def _new(self, now: Floats, there: npt.NDArray[np.bool_]) -> bool:
        """Whether something lies where it did not lie before; what only went away is no throw."""
        if self._last is None:
            return True
        changed = (self._difference(now, self._last) > _THERE) & there
        return float(self._felt(changed).sum()) * _BLOCK_MM**2 > 0.25 * self._side**2

    def _forget(self, now: Floats, span: float) -> None:
        """Take what lies on the rim for long into the ground."""
        if span < _FORGET_S or self._ground is None:
            return
        rim = np.ones(now.shape[:2], bool)
        rim[self._rim : -self._rim, self._rim : -self._rim] = False
        self._ground[rim] += 0.05 * (now[rim] - self._ground[rim])


def _even(profile: Floats) -> Floats:
    """A straight line through a profile (n, 3), whatever sticks out of it left aside."""
    at = np.linspace(-1, 1, len(profile), dtype=np.float32)[:, None]
    weight = np.ones_like(profile)
    line = profile
    for _ in range(3):
        total = weight.sum(axis=0)
        middle = (weight * at).sum(axis=0) / total
        mean = (weight * profile).sum(axis=0) / total
        spread = (weight * (at - middle) ** 2).sum(axis=0)
        slope = (weight * (at - middle) * (profile - mean)).sum(axis=0) / spread
        line = mean + slope * (at - middle)
        off = np.abs(profile - line)
        weight = (off <= np.maximum(2.0 * np.median(off, axis=0), 0.01)).astype(np.float32)
    return line
