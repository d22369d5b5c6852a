"""Whether ordinary dice in the tray lie flat: by the sides that they show, without an empty tray.

A crop cannot tell a die that leans from a flat one seen aslant; the tray can, since the place of
the camera is known: a flat die's upper face is drawn as a square, and beside it shows no side that
faces away from the camera.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.edges import Edges, whole
from vision.fit import MARGIN_MM, TrayFit
from vision.flat import parallel, room_mm, strips
from vision.light import Floats, as_if_empty, compare, logarithm
from vision.seen import Picture

_SCALE = 1.5  # pixels per millimetre
_ANGLES = 12
_REACH_MM = 9.0
_SHIFT_MM = 1.4  # how far beside its true place an upper face may have been found


class Lie(NamedTuple):
    """How one die lies.

    edges: how clearly the four sides of its upper face are seen as a square, 0..1. beside: share
    of the worst strip along a side that shows something a flat die would not. room: millimetres to
    the nearest wall or die. parallel: whether it lies along a wall as a leaning die does.
    """

    edges: float
    beside: float
    room: float
    parallel: bool

    @property
    def leans(self) -> bool:
        """Whether it leans more likely than not."""
        return self.beside > 0.8 or (self.parallel and self.beside > 0.2)

    @property
    def may_lean(self) -> bool:
        """Whether one should not be certain that it lies flat."""
        faint = self.edges < 0.72 and self.room < 6.0
        return self.leans or self.parallel or self.beside > 0.55 or faint


def lies(frame: Picture, fit: TrayFit, centres_mm: npt.NDArray[np.float64]) -> list[Lie]:
    """How dice lie whose upper faces were found at `centres_mm`, (n, 2) tray millimetres."""
    if not len(centres_mm):
        return []
    drawing = logarithm(_straight(frame, fit))
    margin = round(MARGIN_MM * _SCALE)
    change = compare(drawing, as_if_empty(drawing, margin), margin, seen=False)
    edges = Edges(drawing, _SCALE, MARGIN_MM)
    side = fit.tray.die_side_mm
    places, clear = _squares(edges, centres_mm, side)
    room = room_mm(places, fit.tray)
    beside = np.zeros(len(places))
    # What touches nothing, and nearly so, leans on nothing.
    if (room < _REACH_MM).any():
        beside = strips(change, places, fit, _SCALE).max(axis=1)
    return [
        Lie(
            float(clear[i]),
            float(beside[i]),
            float(room[i]),
            parallel(places[i], fit.tray),
        )
        for i in range(len(places))
    ]


def _straight(frame: Picture, fit: TrayFit) -> Picture:
    """The plane of the upper faces, straight from above; shrunk first, so that nothing is lost."""
    shrink = max(1, round(fit.px_per_mm / _SCALE))
    width, height = (max(1, v // shrink) for v in fit.size)
    small = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)
    across, down = fit.size[0] / width, fit.size[1] / height
    grown = np.array([[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1.0]])
    tray = fit.tray
    size = (
        round((tray.width_mm + 2 * MARGIN_MM) * _SCALE),
        round((tray.height_mm + 2 * MARGIN_MM) * _SCALE),
    )
    matrix = fit.straight(_SCALE) @ grown
    drawn = cv2.warpPerspective(
        small, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(drawn, np.uint8)


def _squares(
    edges: Edges, centres_mm: npt.NDArray[np.float64], side_mm: float
) -> tuple[npt.NDArray[np.float64], Floats]:
    """The square around each centre whose edges are clearest: (n, 3) x, y, angle; and how clear."""
    best = np.column_stack([centres_mm, np.zeros(len(centres_mm))])
    clear = np.zeros(len(best), np.float32)
    angles = np.arange(_ANGLES) * (90.0 / _ANGLES)
    for shift, turns in (
        (_SHIFT_MM, angles),
        (0.7, np.array([-3.0, 0.0, 3.0])),
        (0.35, np.array([-1.5, 0.0, 1.5])),
    ):
        moves = (-shift, 0.0, shift)
        grid = np.stack(np.meshgrid(moves, moves, turns, indexing="ij"), axis=-1).reshape(-1, 3)
        if shift == _SHIFT_MM:
            grid = grid[(grid[:, :2] == 0).any(axis=1)]
        tries = best[:, None] + grid[None]
        fits = whole(edges.sides(tries.reshape(-1, 3), (side_mm / 2, side_mm / 2)))
        fits = fits.reshape(len(best), -1)
        pick = fits.argmax(axis=1)
        row = np.arange(len(best))
        best, clear = tries[row, pick], fits[row, pick]
    best[:, 2] %= 90
    return best, clear
