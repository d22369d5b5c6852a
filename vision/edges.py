"""Where a drawing is steep, and in which direction: how clearly the sides of a rectangle are seen.

The structure tensor of each pixel tells how steep the drawing is across any direction. An edge
counts by how steep it is across itself, and less where it is as steep along itself: that is
texture.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.light import Floats

_SAMPLES = 13  # along a side
_EVENLY = np.full(_SAMPLES, 1 / _SAMPLES, np.float32)
_REACH = 0.41  # of a side, from its middle: corners are rounded
_CONTRAST = 0.12  # change of log brightness per millimetre that makes half an edge


class Edges:
    """The structure tensor of a straight drawing, per millimetre squared, over all colours.

    drawing: (h, w, 3) log brightness; scale: its pixels per millimetre; margin_mm: drawn around the
    tray's inside.
    """

    def __init__(self, drawing: Floats, scale: float, margin_mm: float) -> None:
        gx = cv2.Sobel(drawing, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
        gy = cv2.Sobel(drawing, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
        total = np.ones((1, 3), np.float32)
        products = (cv2.multiply(gx, gx), cv2.multiply(gx, gy), cv2.multiply(gy, gy))
        xx, xy, yy = (np.asarray(cv2.transform(p, total), np.float32) for p in products)
        self.drawing, self.scale, self.margin_mm = drawing, scale, margin_mm
        # Its trace, and the two parts that turn: the share across any direction is half the trace
        # and these two, turned to that direction.
        self._trace, self._even, self._odd = xx + yy, (xx - yy) * np.float32(0.5), xy
        self._last: tuple[npt.NDArray[np.integer], Floats, Floats, Floats] | None = None
        self._field = cv2.merge([self._trace, self._even, self._odd]).reshape(-1, 3)

    def across(self, degrees: float, at: npt.NDArray[np.integer]) -> tuple[Floats, Floats]:
        """How much of an edge pixels show, 0..1, with its normal at an angle and square to it.

        at: flat places of (n,) pixels; answers two arrays of (n,).
        """
        turn = np.deg2rad(2 * degrees)
        trace, even, odd = self._flat(at)
        turned = np.float32(np.cos(turn)) * even + np.float32(np.sin(turn)) * odd
        half = trace * np.float32(0.5)
        return _edge(half + turned, trace), _edge(half - turned, trace)

    def _flat(self, at: npt.NDArray[np.integer]) -> tuple[Floats, Floats, Floats]:
        # Asked for the same places at angle after angle.
        if self._last is None or self._last[0] is not at:
            parts = (self._trace, self._even, self._odd)
            trace, even, odd = (part.ravel().take(at) for part in parts)
            self._last = (at, trace, even, odd)
        return self._last[1:]

    def sides(self, places: npt.NDArray[np.float64], half_mm: npt.ArrayLike) -> Floats:
        """How clearly the four sides of rectangles are seen, (n, 4), each 0..1.

        places: (n, 3) centre x, y in tray millimetres and angle in degrees; half_mm: half their
        length along the angle and across it, two numbers or (n, 2). Sides are numbered clockwise
        from the one that the angle points to.
        """
        half = np.broadcast_to(np.asarray(half_mm, np.float32), (len(places), 2))
        out = half[:, [0, 1, 0, 1]]
        steps = np.linspace(-_REACH, _REACH, _SAMPLES, dtype=np.float32)
        along = 2 * half[:, [1, 0, 1, 0], None] * steps
        turn = np.deg2rad(places[:, 2]).astype(np.float32)
        cos, sin = np.cos(turn), np.sin(turn)
        # Normals of the four sides, a quarter turn from one to the next.
        nx, ny = np.stack([cos, -sin, -cos, sin], axis=1), np.stack([sin, cos, -sin, -cos], axis=1)
        middle = ((places[:, :2] + self.margin_mm) * self.scale).astype(np.float32)
        scale = np.float32(self.scale)
        x = middle[:, 0, None, None] + scale * ((out * nx)[..., None] - ny[..., None] * along)
        y = middle[:, 1, None, None] + scale * ((out * ny)[..., None] + nx[..., None] * along)
        # Pixel k covers k to k + 1, so cutting off the fraction is rounding to its centre.
        at = x.astype(np.int32)
        at += y.astype(np.int32) * np.int32(self._trace.shape[1])
        got = np.asarray(self._field.take(at, axis=0, mode="clip"), np.float32)
        cos2, sin2 = (cos * cos - sin * sin)[:, None, None], (2 * cos * sin)[:, None, None]
        turned = cos2 * got[..., 1] + sin2 * got[..., 2]
        turned[:, 1::2] *= -1
        edge = _edge(np.float32(0.5) * got[..., 0] + turned, got[..., 0])
        return np.asarray(edge @ _EVENLY, np.float32)


def whole(sides: Floats) -> Floats:
    """One score from four side scores, (n, 4): a missing side costs more than a fine one gives."""
    a, b, c, d = (sides[..., k] for k in range(4))
    a, b, c, d = np.minimum(a, b), np.maximum(a, b), np.minimum(c, d), np.maximum(c, d)
    a, c, b, d = np.minimum(a, c), np.maximum(a, c), np.minimum(b, d), np.maximum(b, d)
    b, c = np.minimum(b, c), np.maximum(b, c)
    weights = np.array([0.35, 0.3, 0.2, 0.15], np.float32)
    return np.asarray(a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3], np.float32)


def _edge(across: npt.NDArray[np.floating], trace: npt.NDArray[np.floating]) -> Floats:
    across = np.maximum(across, 0)
    strength = np.sqrt(across)
    weight = (trace + np.float32(1e-6)) * (strength + np.float32(_CONTRAST))
    return np.asarray(strength * across / weight, np.float32)
