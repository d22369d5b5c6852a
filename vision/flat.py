"""Judge whether a die lies flat: one that leans shows sides that a flat one would hide.

A flat die shows, besides its upper face, only the sides that face the camera, and only as wide as
its height allows at that place. What lies beside the die beyond that, and is no felt, no shadow
and no other die, speaks for a die that leans, stands on an edge or lies on something.
"""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Points, Tray
from vision.edges import Edges, whole
from vision.find import Square, gap_mm
from vision.fit import MARGIN_MM, TrayFit
from vision.light import Change, Floats

_NEAR_MM, _FAR_MM = 1.6, 4.6  # beyond the outline: where the side of a leaning die would show
_REACH_MM = 9.0  # a die that leans has its upper face no further from what it leans on
_LIT = -0.1  # log brightness: what is darker than this may be a shadow


def strips(
    change: Change, places: npt.NDArray[np.float64], fit: TrayFit, scale: float
) -> npt.NDArray[np.float64]:
    """How much of the strip along each die's sides shows something: (n, 4), each 0..1.

    A leaning die turns the side towards what it leans on into view; sides that face neither a wall
    nor another die within reach count 0.

    places: (n, 3) centre x, y and angle of the upper faces; scale: pixels per millimetre of
    `change`. Sides are numbered clockwise from the one that the angle points to.
    """
    lit = change.thing & ((change.brighter > _LIT) | (change.tint > 0.12))
    lit = (lit | change.drawn).astype(np.uint8)
    free = np.ones(lit.shape, np.uint8)
    outlines = [outline(fit, *place) for place in places]
    for shape in outlines:
        _fill(free, shape, scale, 0, 1.0)
    result = np.zeros((len(places), 4))
    for i, (place, shape) in enumerate(zip(places, outlines, strict=True)):
        turn = np.deg2rad(place[2])
        for side, held in enumerate(_held(i, places, fit.tray)):
            if not held:
                continue
            n = np.array([np.cos(turn + side * np.pi / 2), np.sin(turn + side * np.pi / 2)])
            t = np.array([-n[1], n[0]])
            reach = float((shape @ n).max())
            middle = float(place[:2] @ t)
            half = fit.tray.die_side_mm * 0.4
            strip = np.array(
                [
                    n * (reach + _NEAR_MM) + t * (middle - half),
                    n * (reach + _FAR_MM) + t * (middle - half),
                    n * (reach + _FAR_MM) + t * (middle + half),
                    n * (reach + _NEAR_MM) + t * (middle + half),
                ]
            )
            at = np.rint((strip + MARGIN_MM) * scale).astype(np.int32)
            x0, y0 = np.maximum(at.min(axis=0), 0)
            x1, y1 = at.max(axis=0) + 1
            part = np.zeros(lit[y0:y1, x0:x1].shape, np.uint8)
            if not part.size:
                continue
            cv2.fillConvexPoly(part, at - np.array([x0, y0], np.int32), 1)
            part &= free[y0:y1, x0:x1]
            count = int(part.sum())
            if count > 12:
                result[i, side] = float((lit[y0:y1, x0:x1] & part).sum()) / count
    return result


def narrower(edges: Edges, places: npt.NDArray[np.float64], side_mm: float) -> Floats:
    """How much better than the square a narrower rectangle fits each upper face, (n,).

    A face that leans is drawn narrower one way: by 3 % at 15 degrees, by 20 % at 37. places: (n, 3)
    centre x, y and angle. Flat faces answer about 0 or less.
    """
    if not len(places):
        return np.zeros(0, np.float32)
    tries, halves = _rectangles(side_mm)
    turn = np.deg2rad(places[:, 2])[:, None]
    along, beside = tries[None, :, 0], tries[None, :, 1]
    x = places[:, :1] + along * np.cos(turn) - beside * np.sin(turn)
    y = places[:, 1:2] + along * np.sin(turn) + beside * np.cos(turn)
    angle = np.broadcast_to(places[:, 2:], x.shape)
    many = np.stack([x, y, angle], axis=-1).reshape(-1, 3)
    fits = whole(edges.sides(many, np.tile(halves, (len(places), 1)))).reshape(len(places), -1)
    square = np.abs(halves - side_mm / 2).max(axis=1) < 1e-6
    return np.asarray(fits[:, ~square].max(axis=1) - fits[:, square].max(axis=1), np.float32)


@cache
def _rectangles(side_mm: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Shifts along and across the angle, and half lengths, (n, 2) each: squares and narrower."""
    half = side_mm / 2
    shifts: list[tuple[float, float]] = []
    halves: list[tuple[float, float]] = []
    for dx in (-0.4, 0.0, 0.4):
        for dy in (-0.4, 0.0, 0.4):
            shifts.append((dx, dy))
            halves.append((half, half))
    for share in (0.93, 0.86, 0.79, 0.72):
        less = half * (1 - share)
        for move in (-less, 0.0, less):
            shifts += [(move, 0.0), (0.0, move)]
            halves += [(half - less, half), (half, half - less)]
    return np.array(shifts), np.array(halves)


def under(field: Floats, places: npt.NDArray[np.float64], side_mm: float, scale: float) -> Floats:
    """Mean of a field over the middle of each upper face, (n,).

    field: (h, w), on the grid of `vision.light.Change`, `scale` pixels a millimetre.
    """
    steps = np.linspace(-0.33, 0.33, 7) * side_mm
    u, v = (g.ravel() for g in np.meshgrid(steps, steps))
    turn = np.deg2rad(places[:, 2])[:, None]
    x = places[:, :1] + u * np.cos(turn) - v * np.sin(turn)
    y = places[:, 1:2] + u * np.sin(turn) + v * np.cos(turn)
    column = np.clip((x + MARGIN_MM) * scale, 0, field.shape[1] - 1).astype(np.int64)
    row = np.clip((y + MARGIN_MM) * scale, 0, field.shape[0] - 1).astype(np.int64)
    return np.asarray(field[row, column].mean(axis=1), np.float32)


def room_mm(places: npt.NDArray[np.float64], tray: Tray) -> npt.NDArray[np.float64]:
    """Millimetres between each die and the nearest wall or other die, at least 0: (n,).

    Only a die that touches something can lean on it.
    """
    turn = np.deg2rad(places[:, 2])
    reach = tray.die_side_mm / 2 * (np.abs(np.cos(turn)) + np.abs(np.sin(turn)))
    x, y = places[:, 0], places[:, 1]
    wall = np.minimum(np.minimum(x, tray.width_mm - x), np.minimum(y, tray.height_mm - y)) - reach
    result = np.maximum(wall, 0.0)
    squares = [
        Square(float(x), float(y), float(a), 1.0, (1.0, 1.0, 1.0, 1.0)) for x, y, a in places
    ]
    for i in range(len(squares)):
        for j in range(i):
            between = math.hypot(squares[i].x - squares[j].x, squares[i].y - squares[j].y)
            if between - tray.die_side_mm * math.sqrt(2) > max(result[i], result[j]):
                continue
            apart = gap_mm(squares[i], squares[j], tray.die_side_mm)
            result[i], result[j] = min(result[i], apart), min(result[j], apart)
    return result


def parallel(place: npt.NDArray[np.float64], tray: Tray) -> bool:
    """Whether a die lies along a wall as one does that leans on it: sides in line, a gap between.

    Flat dice lie so by chance only; one in ten of those near a wall.
    """
    x, y, angle = (float(v) for v in place)
    off = abs((angle + 45) % 90 - 45)
    gap = min(x, y, tray.width_mm - x, tray.height_mm - y) - tray.die_side_mm / 2
    return off < 7.0 and 2.2 < gap < 8.5


def outline(fit: TrayFit, x: float, y: float, angle: float) -> Points:
    """Outline of a flat die in the drawing of the upper faces, (n, 2) in millimetres."""
    half = fit.tray.die_side_mm / 2
    turn = np.deg2rad(angle)
    u = np.array([np.cos(turn), np.sin(turn)]) * half
    v = np.array([-np.sin(turn), np.cos(turn)]) * half
    top = np.array([x, y]) + np.stack([-u - v, u - v, u + v, -u + v])
    foot = fit.view.lift(top, 0.0, fit.tray.die_side_mm)
    # The foot of an upright die lies under its upper face, which is drawn further out.
    both = np.concatenate([top, foot]).astype(np.float32)
    return cv2.convexHull(both).reshape(-1, 2).astype(np.float64)


def _held(i: int, places: npt.NDArray[np.float64], tray: Tray) -> list[bool]:
    """Whether each side of die `i` faces a wall or another die that may hold it."""
    side = tray.die_side_mm
    x, y, angle = (float(v) for v in places[i])
    away = np.delete(places[:, :2], i, axis=0) - places[i, :2]
    away = away[np.abs(away).max(axis=1) < 2 * side + _REACH_MM]
    walls = (x, tray.width_mm - x, y, tray.height_mm - y)
    result: list[bool] = []
    for quarter in range(4):
        turn = math.radians(angle + 90 * quarter)
        nx, ny = math.cos(turn), math.sin(turn)
        towards = (-nx, nx, -ny, ny)
        held = any(
            way > 0.8 and room < side / 2 + _REACH_MM
            for way, room in zip(towards, walls, strict=True)
        )
        if not held and len(away):
            ahead = away @ (nx, ny)
            beside = np.abs(away @ (-ny, nx))
            near = (ahead > 0.6 * side) & (ahead < side * 1.2 + _REACH_MM) & (beside < side)
            held = bool(near.any())
        result.append(held)
    return result


def _fill(
    mask: npt.NDArray[np.uint8], shape: Points, scale: float, value: int, grow: float
) -> None:
    middle = shape.mean(axis=0)
    away = shape - middle
    far = np.linalg.norm(away, axis=1, keepdims=True)
    grown = middle + away * (far + grow) / far
    cv2.fillConvexPoly(mask, np.rint((grown + MARGIN_MM) * scale).astype(np.int32), value)
