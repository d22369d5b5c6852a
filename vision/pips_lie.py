"""Whether ordinary dice lie flat.

The upper face of a die that leans is turned another way than those of flat dice. In the tray their
plane is known; on a photograph it is the one that most dice share, so that one die alone, or two
that disagree, tell little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.edges import Edges, whole
from vision.fit import MARGIN_MM, TrayFit
from vision.flat import parallel
from vision.light import logarithm
from vision.pips_find import Face, Found
from vision.pips_tilt import (
    deviations,
    flat_in_the_tray,
    flat_on_a_table,
    less_turned_away,
    tilts_of,
)
from vision.seen import Picture

_MAY_LEAN, _LEANS = 2.4, 3.2  # deviations from the plane of flat dice
_MAY_LEAN_AT_WALL, _LEANS_AT_WALL = 1.2, 2.0  # the same along a wall, as leaning dice lie
# Where flat faces are turned away by a tilt of so much, the camera sees the sides of the dice too,
# and what is turned away so much less than they are, and doubted so much, is one of those. Of 1,818
# faces in drawn scenes that takes 18 sides out, one leaning die and none that lies flat.
_FROM_ASIDE, _SIDE, _SIDE_OFF = 0.3, 0.5, 0.15
_NEAR_WALL_MM = (1.0, 10.0)  # gap between a die and a wall that is worth a closer look
_SCALE = 1.5  # pixels per millimetre
_ANGLES = 12
_SHIFT_MM = 1.4  # how far beside its true place an upper face may have been found


class Lie(NamedTuple):
    """How one die lies: whether it leans more likely than not, and whether it may lean.

    side: what was seen is no upper face but the side of a die.
    """

    leans: bool
    may_lean: bool
    side: bool = False


def in_the_tray(
    frame: Picture, fit: TrayFit, places_mm: npt.NDArray[np.float64], faces: Sequence[Face]
) -> list[Lie]:
    """How dice in the tray lie whose upper faces were found at places, (n, 2) millimetres."""
    if not faces:
        return []
    away = deviations(*tilts_of(faces), flat_in_the_tray(fit, places_mm))
    along = _along_a_wall(frame, fit, places_mm)
    return [
        Lie(
            bool(a > (_LEANS_AT_WALL if wall else _LEANS)),
            bool(a > (_MAY_LEAN_AT_WALL if wall else _MAY_LEAN)),
        )
        for a, wall in zip(away, along, strict=True)
    ]


def on_a_table(size: tuple[int, int], seen: Sequence[tuple[Found, Face]]) -> list[Lie]:
    """How dice of a photograph, `size` (width, height), lie: by the plane that most share."""
    if len(seen) < 2:
        return [Lie(False, False)] * len(seen)
    faces = [face for _, face in seen]
    flat, most = flat_on_a_table(size, [found for found, _ in seen], faces)
    tilts, offs = tilts_of(faces)
    away = deviations(tilts, offs, flat)
    if not most:
        # Nobody can say which of them lies flat.
        return [Lie(False, bool(away.max() > _MAY_LEAN))] * len(seen)
    from_aside = np.linalg.norm(flat, axis=1) > _FROM_ASIDE
    sides = from_aside & (less_turned_away(tilts, flat) > _SIDE) & (offs > _SIDE_OFF)
    return [
        Lie(bool(a > _LEANS), bool(a > _MAY_LEAN), bool(side))
        for a, side in zip(away, sides, strict=True)
    ]


def _along_a_wall(
    frame: Picture, fit: TrayFit, places_mm: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which dice lie in line with a wall and with a gap to it, (n,): those that lean on it do."""
    tray = fit.tray
    x, y = places_mm[:, 0], places_mm[:, 1]
    gap = np.minimum(np.minimum(x, tray.width_mm - x), np.minimum(y, tray.height_mm - y))
    gap = gap - tray.die_side_mm / 2
    near = np.flatnonzero((gap > _NEAR_WALL_MM[0]) & (gap < _NEAR_WALL_MM[1]))
    along = np.zeros(len(places_mm), np.bool_)
    if len(near):
        edges = Edges(logarithm(_straight(frame, fit)), _SCALE, MARGIN_MM)
        squares = _squares(edges, places_mm[near], tray.die_side_mm)
        along[near] = [parallel(square, tray) for square in squares]
    return along


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
) -> npt.NDArray[np.float64]:
    """The square around each centre whose edges are clearest: (n, 3) x, y, angle."""
    best = np.column_stack([centres_mm, np.zeros(len(centres_mm))])
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
        best = tries[np.arange(len(best)), pick]
    best[:, 2] %= 90
    return best
