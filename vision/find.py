"""Find the upper faces of the dice: squares of one known side, wherever the tray has changed.

What differs from the empty tray only tells where to look. A die is found as a square of the dice's
own side whose four edges are there, so its side faces, its shadow and a die that touches it do not
move it. Squares that overlap rule each other out; the better one stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.light import Change

Floats = npt.NDArray[np.float32]

COARSE = 1.0
"""Pixels per millimetre of the first search."""
FINE = 2.0
"""Pixels per millimetre of the second."""
_ANGLES = 12  # of the first search, over a quarter turn
_SAMPLES = 9  # per side, first search
_FINE_SAMPLES = 13
_CONTRAST = 0.12  # change of log brightness per millimetre that makes half an edge
_CHANGED = 0.35  # share of a square that must differ from the empty tray
_CLEAR = 0.36  # score of the weakest square worth a closer look
_OVERLAP_MM = 2.6  # flat upper faces cannot overlap; fits are this exact


@dataclass(frozen=True, slots=True)
class Square:
    """A square of the dice's side in the drawing of the upper faces' plane.

    x, y: centre in tray millimetres; angle: degrees clockwise, 0..90; score: 0..1, how clearly its
    four edges are seen; sides: the same for each side, weakest first.
    """

    x: float
    y: float
    angle: float
    score: float
    sides: tuple[float, float, float, float]


def find_squares(
    drawing: Floats, change: Change, side_mm: float, scale: float, margin_mm: float, most: int = 48
) -> list[Square]:
    """Find candidate squares, best first; overlapping ones are still among them.

    drawing: (h, w, 3) log brightness of the straight drawing, see `vision.light`.
    change: what differs from the empty tray, on the same grid.
    side_mm: side of the dice; scale: pixels per millimetre; margin_mm: drawn around the tray.
    most: candidates refined at most.
    """
    size = (round(drawing.shape[1] * COARSE / scale), round(drawing.shape[0] * COARSE / scale))
    small = _resized(drawing, size)
    tensor = _tensor(small, COARSE)
    mask = cv2.resize(change.mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    covered = cv2.boxFilter(mask, -1, (11, 11), borderType=cv2.BORDER_CONSTANT)
    reach = int(side_mm * 0.75 * COARSE) + 1
    covered[:reach] = covered[-reach:] = 0
    covered[:, :reach] = covered[:, -reach:] = 0
    spots = np.flatnonzero(covered.ravel() > _CHANGED)
    if not len(spots):
        return []
    scores = _coarse(tensor, spots, side_mm * COARSE)
    best = scores.max(axis=1)
    angle = scores.argmax(axis=1) * (90.0 / _ANGLES)
    keep = _peaks(best, spots, size, angle, most)
    fine_size = (round(drawing.shape[1] * FINE / scale), round(drawing.shape[0] * FINE / scale))
    fine = _tensor(_resized(drawing, fine_size), FINE)
    seeds = np.column_stack(
        [
            (spots[keep] % size[0] + 0.5) / COARSE - margin_mm,
            (spots[keep] // size[0] + 0.5) / COARSE - margin_mm,
            angle[keep],
        ]
    )
    return _refine(fine, seeds, side_mm, FINE, margin_mm)


def choose(squares: list[Square], worth: list[float], side_mm: float) -> list[int]:
    """Take squares greedily by `worth` so that none overlap; returns their indices."""
    taken: list[int] = []
    for index in sorted(range(len(squares)), key=lambda i: -worth[i]):
        if all(overlap_mm(squares[index], squares[t], side_mm) < _OVERLAP_MM for t in taken):
            taken.append(index)
    return taken


def overlap_mm(a: Square, b: Square, side_mm: float) -> float:
    """How deep two squares of one side reach into each other (0 where they are apart)."""
    return max(0.0, -_apart(a, b, side_mm))


def gap_mm(a: Square, b: Square, side_mm: float) -> float:
    """Room between two squares along the direction that parts them best (0 where they overlap)."""
    return max(0.0, _apart(a, b, side_mm))


def _apart(a: Square, b: Square, side_mm: float) -> float:
    dx, dy = b.x - a.x, b.y - a.y
    most = -math.inf
    turn = math.radians(a.angle - b.angle)
    half = side_mm / 2 * (1 + abs(math.cos(turn)) + abs(math.sin(turn)))
    for square in (a, b):
        base = math.radians(square.angle)
        cx, cy = math.cos(base), math.sin(base)
        most = max(most, abs(dx * cx + dy * cy) - half, abs(dy * cx - dx * cy) - half)
    return most


def _tensor(drawing: Floats, scale: float) -> tuple[Floats, Floats, Floats]:
    """Structure tensor per millimetre squared, summed over the colours."""
    gx = cv2.Sobel(drawing, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
    gy = cv2.Sobel(drawing, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
    total = np.ones((1, 3), np.float32)
    products = (cv2.multiply(gx, gx), cv2.multiply(gx, gy), cv2.multiply(gy, gy))
    xx, xy, yy = (np.asarray(cv2.transform(p, total), np.float32) for p in products)
    return xx, xy, yy


def _resized(drawing: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(drawing, size, interpolation=cv2.INTER_AREA), np.float32)


def _edge(
    xx: Floats, xy: Floats, yy: Floats, nx: Floats | np.float32, ny: Floats | np.float32
) -> Floats:
    """How much of an edge with normal (nx, ny) is there, 0..1."""
    across = np.maximum(nx * nx * xx + (2 * nx * ny) * xy + ny * ny * yy, 0)
    strength = np.sqrt(across)
    # What runs along the edge is texture: it makes the edge count less.
    clean = across / (xx + yy + 1e-6)
    return np.asarray(strength * clean / (strength + _CONTRAST), np.float32)


@cache
def _coarse_offsets(side: float) -> list[npt.NDArray[np.int64]]:
    """Per angle: (4, samples, 2) whole pixel steps x, y from the centre to the sides."""
    steps = np.linspace(-0.40, 0.40, _SAMPLES) * side
    result: list[npt.NDArray[np.int64]] = []
    for k in range(_ANGLES):
        base = np.deg2rad(k * 90.0 / _ANGLES)
        sides: list[npt.NDArray[np.float64]] = []
        for quarter in range(4):
            turn = base + quarter * np.pi / 2
            n = np.array([np.cos(turn), np.sin(turn)])
            t = np.array([-n[1], n[0]])
            sides.append(n * side / 2 + steps[:, None] * t)
        result.append(np.rint(np.stack(sides)).astype(np.int64))
    return result


def _coarse(
    tensor: tuple[Floats, Floats, Floats], spots: npt.NDArray[np.int64], side: float
) -> Floats:
    """Score of squares centred on `spots` (flat indices) at every angle, (n, angles)."""
    width = tensor[0].shape[1]
    scores = np.empty((len(spots), _ANGLES), np.float32)
    for k, offsets in enumerate(_coarse_offsets(side)):
        base = np.deg2rad(k * 90.0 / _ANGLES)
        nx, ny = np.float32(np.cos(base)), np.float32(np.sin(base))
        maps = (_edge(*tensor, nx, ny).ravel(), _edge(*tensor, -ny, nx).ravel())
        sides = np.empty((4, len(spots)), np.float32)
        for quarter in range(4):
            flat = offsets[quarter, :, 0] + offsets[quarter, :, 1] * width
            sides[quarter] = maps[quarter % 2][spots[None, :] + flat[:, None]].mean(axis=0)
        scores[:, k] = _whole(np.sort(sides, axis=0))
    return scores


def _whole(sides: Floats) -> Floats:
    """One score from four sorted ones: a missing side costs more than a fine one gives."""
    return 0.35 * sides[0] + 0.3 * sides[1] + 0.2 * sides[2] + 0.15 * sides[3]


def _peaks(
    best: Floats, spots: npt.NDArray[np.int64], size: tuple[int, int], angle: Floats, most: int
) -> npt.NDArray[np.int64]:
    """Local maxima over position, strongest first."""
    field = np.zeros(size[0] * size[1], np.float32)
    field[spots] = best
    field2 = field.reshape(size[1], size[0])
    top = cv2.dilate(field2, np.ones((5, 5), np.uint8)).ravel()[spots]
    keep = np.flatnonzero((best >= top) & (best > _CLEAR * 0.6))
    return keep[np.argsort(-best[keep])][:most]


def _refine(
    tensor: tuple[Floats, Floats, Floats],
    seeds: npt.NDArray[np.float64],
    side_mm: float,
    scale: float,
    margin_mm: float,
) -> list[Square]:
    if not len(seeds):
        return []
    field = np.dstack(tensor)
    best = seeds.copy()
    score = np.zeros(len(seeds))
    sides = np.zeros((len(seeds), 4))
    for reach_mm, reach_deg, count in ((1.0, 5.0, 3), (0.6, 2.5, 3), (0.3, 1.2, 3)):
        grid = np.stack(
            np.meshgrid(
                np.linspace(-reach_mm, reach_mm, count),
                np.linspace(-reach_mm, reach_mm, count),
                np.linspace(-reach_deg, reach_deg, count),
                indexing="ij",
            ),
            axis=-1,
        ).reshape(-1, 3)
        tries = best[:, None, :] + grid[None]
        each = _fine(field, tries.reshape(-1, 3), side_mm, scale, margin_mm)
        total = _whole(each.T).reshape(len(seeds), -1)
        pick = total.argmax(axis=1)
        row = np.arange(len(seeds))
        best, score = tries[row, pick], total[row, pick]
        sides = each.reshape(len(seeds), -1, 4)[row, pick]
    squares = [
        Square(
            float(x),
            float(y),
            float(a % 90),
            float(s),
            (float(e[0]), float(e[1]), float(e[2]), float(e[3])),
        )
        for (x, y, a), s, e in zip(best, score, sides, strict=True)
        if s > _CLEAR
    ]
    return sorted(squares, key=lambda s: -s.score)


def _fine(
    field: Floats, tries: npt.NDArray[np.float64], side_mm: float, scale: float, margin_mm: float
) -> Floats:
    """Sorted side scores of squares (x, y, angle), (n, 4)."""
    steps = np.linspace(-0.41, 0.41, _FINE_SAMPLES) * side_mm
    turn = np.deg2rad(tries[:, 2])[:, None] + np.arange(4)[None] * (np.pi / 2)
    nx, ny = np.cos(turn), np.sin(turn)
    half = side_mm / 2
    x = tries[:, 0, None, None] + half * nx[..., None] - ny[..., None] * steps
    y = tries[:, 1, None, None] + half * ny[..., None] + nx[..., None] * steps
    at = np.rint((np.stack([x, y]) + margin_mm) * scale - 0.5).astype(np.int64)
    height, width = field.shape[:2]
    np.clip(at[0], 0, width - 1, out=at[0])
    np.clip(at[1], 0, height - 1, out=at[1])
    got = field.reshape(-1, 3)[at[0] + at[1] * width]
    edge = _edge(
        got[..., 0],
        got[..., 1],
        got[..., 2],
        nx[..., None].astype(np.float32),
        ny[..., None].astype(np.float32),
    )
    return np.sort(edge.mean(axis=2), axis=1)
