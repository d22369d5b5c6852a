"""The tray in coarse blocks: cheap enough to look at every frame.

`Blocks` makes a frame into mean colours of blocks of 4 mm; `Ground` is what the tray shows where
nothing lies on it, and tells what does.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.fit import MARGIN_MM, TrayFit
from vision.seen import Picture

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

BLOCK_MM = 4
"""Side of a block."""
_MARGIN_MM = 20.0  # of the rim is watched, so that a hand is seen while it comes
RIM = round(_MARGIN_MM / BLOCK_MM)
"""Blocks of rim around the inside."""
_THERE = 12.0  # grey levels by which something differs from the empty tray
_DARK = 4.0  # added before ratios, so that noise in black does not count
_OTHER_SHARE = 0.03  # of three sides' blocks that differ at rest, and
_OTHER_LEAST = 0.006  # of the fourth's: it is another rim, and no hand
_HAND_SHARE = 0.25  # of a side's blocks, and
_HAND_TIMES = 3.0  # times as much as of most sides: something comes in from there
_OTHER_FELT = 0.5  # of the felt's blocks: dice never cover so much


class Blocks:
    """Frames of one camera that stands still, as blocks of the tray and its rim."""

    def __init__(self, fit: TrayFit) -> None:
        tray = fit.tray
        self.columns = round((tray.width_mm + 2 * _MARGIN_MM) / BLOCK_MM)
        self.rows = round((tray.height_mm + 2 * _MARGIN_MM) / BLOCK_MM)
        self._tray_mm = tray.width_mm
        # Shrinking by a whole number that leaves no rest is several times faster.
        self._shrink = max(
            n for n in range(1, int(fit.px_per_mm) + 2) if not any(v % n for v in fit.size)
        )
        width, height = (v // self._shrink for v in fit.size)
        across, down = fit.size[0] / width, fit.size[1] / height
        self._matrix = fit.straight(1.0, _MARGIN_MM) @ np.array(
            [[across, 0, 0.5 * across - 0.5], [0, down, 0.5 * down - 0.5], [0, 0, 1.0]]
        )

    def of_frame(self, frame: Picture) -> Floats:
        """Mean brightness of each block, (rows, columns, 3) grey levels."""
        drawn = cv2.warpPerspective(
            self._shrunk(frame),
            self._matrix,
            (self.columns * BLOCK_MM, self.rows * BLOCK_MM),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return self._mean(drawn)

    def of_drawing(self, empty: Picture) -> Floats:
        """The same of a straight drawing with the margin of `vision.fit`."""
        scale = empty.shape[1] / (self._tray_mm + 2 * MARGIN_MM)
        cut = round((MARGIN_MM - _MARGIN_MM) * scale)
        return self._mean(empty[cut : empty.shape[0] - cut, cut : empty.shape[1] - cut])

    def _mean(self, picture: npt.NDArray[np.integer] | cv2.typing.MatLike) -> Floats:
        small = cv2.resize(picture, (self.columns, self.rows), interpolation=cv2.INTER_AREA)
        return small.astype(np.float32)

    def _shrunk(self, frame: Picture) -> cv2.typing.MatLike:
        """Halving twice is several times faster than quartering once."""
        left, small = self._shrink, frame
        while left > 1:
            by = 2 if left % 2 == 0 else left
            size = (small.shape[1] // by, small.shape[0] // by)
            small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
            left //= by
        return small


class Ground:
    """What the blocks show where nothing lies: (rows, columns, 3) grey levels.

    The reference may be another tray's, or of another day: `settle` notices that and takes what is
    there now for the ground.
    """

    def __init__(self, blocks: Floats) -> None:
        self._ground = blocks.copy()
        self.replaced = False
        """Whether the reference was another tray's."""

    @property
    def scene(self) -> Floats:
        """The blocks themselves."""
        return self._ground

    def there(self, now: Floats) -> Mask:
        """Which blocks show something else than the ground there or beside it.

        What is beside counts too, since a fit that is half a block off must not raise the rim.
        """
        near = np.ones((3, 3), np.uint8)
        ground = self._ground + np.float32(_DARK)
        ratio = (now + np.float32(_DARK)) / ground
        ground[RIM:-RIM, RIM:-RIM] *= np.median(ratio[RIM:-RIM, RIM:-RIM], axis=(0, 1))
        # A lamp from another side lights each side of the rim differently, and along it too.
        for zone, axis in _SIDES:
            gain = _even(np.asarray(_middle(np.moveaxis(ratio[zone], axis, -1)), np.float32))
            ground[zone] *= np.expand_dims(gain, axis)
        ground -= np.float32(_DARK)
        above = now - cv2.dilate(ground, near)
        below = cv2.erode(ground, near) - now
        return np.maximum(above, below).max(axis=2) > _THERE

    def settle(self, now: Floats, there: Mask) -> bool:
        """Take the scene, which is at rest, for the ground where the reference cannot be this tray.

        A hand leaves at least one side of the rim alone, and dice cover little of the felt; where
        more than that differs, the reference is of another tray, or the lamp stands elsewhere.
        Answers whether anything was replaced.
        """
        outer = RIM - 1
        sides = (there[:outer], there[-outer:], there[:, :outer], there[:, -outer:])
        shares = [float(s.mean()) for s in sides]
        other_rim = sorted(shares)[1] > _OTHER_SHARE and min(shares) > _OTHER_LEAST
        other_rim &= max(shares) < max(_HAND_SHARE, _HAND_TIMES * float(np.median(shares)))
        other_felt = float(inside(there).mean()) > _OTHER_FELT
        if other_rim:
            rim = _rim_of(now)
            self._ground[rim] = now[rim]
        if other_rim or other_felt:
            self._ground[_INNER, _INNER] = _bare(now[_INNER, _INNER])
        self.replaced = self.replaced or other_rim or other_felt
        return other_rim or other_felt

    def forget(self, now: Floats) -> None:
        """Take a little of what lies on the rim into the ground."""
        rim = _rim_of(now)
        self._ground[rim] += 0.05 * (now[rim] - self._ground[rim])


def difference(one: Floats, other: Floats) -> Floats:
    """Largest difference over the colours, (rows, columns), the light's own change left out."""
    dark = np.float32(_DARK)
    gain = np.median((one + dark) / (other + dark), axis=(0, 1))
    return np.abs(one - ((other + dark) * gain - dark)).max(axis=2)


def changed(one: Floats, other: Floats) -> Mask:
    """Which blocks differ by more than light does."""
    return difference(one, other) > _THERE


def inside(blocks: Mask) -> Mask:
    """The blocks where dice lie: the inside without what shows the walls."""
    cut = RIM + 1
    return blocks[cut:-cut, cut:-cut]


_INNER = slice(RIM, -RIM)
_EVERY = slice(None)
# The four sides of the rim, each with the axis across it.
_SIDES: tuple[tuple[tuple[slice, slice], int], ...] = (
    ((slice(0, RIM), _EVERY), 0),
    ((slice(-RIM, None), _EVERY), 0),
    ((_INNER, slice(0, RIM)), 1),
    ((_INNER, slice(-RIM, None)), 1),
)


def _rim_of(blocks: Floats) -> Mask:
    rim = np.ones(blocks.shape[:2], bool)
    rim[_INNER, _INNER] = False
    return rim


def _middle(values: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """Median along the last axis."""
    ordered = np.sort(values, axis=-1)
    return ordered[..., values.shape[-1] // 2]


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
        weight = (off <= np.maximum(2.0 * _middle(off.T), 0.01)).astype(np.float32)
    return line


def _bare(blocks: Floats) -> Floats:
    """Blocks (h, w, 3) as if nothing lay there.

    Felt is even but for what runs along the walls, and dice cover little of any row or column.
    """
    level = np.median(blocks, axis=(0, 1))
    rows = np.median(blocks, axis=1, keepdims=True)
    columns = np.median(blocks - rows, axis=0, keepdims=True)
    return np.asarray(np.maximum(rows + columns, level * np.float32(0.1)), np.float32)
