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

from vision.edges import Edges, whole
from vision.light import Change, Floats

COARSE = 1.0
"""Pixels per millimetre of the first search; the second one uses the drawing as it is given."""
_ANGLES = 12  # of the first search, over a quarter turn
# Of the second search: how far a square moves and turns, and the share of `_CLEAR` it must reach.
_ROUNDS = ((1.0, 5.0, 0.75), (0.6, 2.5, 0.9), (0.3, 1.2, 1.0))
_SECTOR = 4  # so many of them share a local maximum
_SAMPLES = 9  # per side, first search
_CHANGED = 0.35  # share of a square that must differ from the empty tray
_CLEAR = 0.36  # score of the weakest square worth a closer look
OVERLAP_MM = 2.6  # flat upper faces cannot overlap; fits are this exact


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
    edges: Edges, change: Change, side_mm: float, most: int = 48, *, closely: bool = False
) -> list[Square]:
    """Find candidate squares, best first; overlapping ones are still among them.

    edges: of the straight drawing, halved where time is short: that costs a third of a millimetre;
    change: what differs from the empty tray; side_mm: side of the dice; most: candidates refined
    at most; closely: try more of each, where there is time.
    """
    height, width = edges.drawing.shape[:2]
    shrink = COARSE / edges.scale
    size = (round(width * shrink), round(height * shrink))
    mask = cv2.resize(change.mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    covered = cv2.boxFilter(mask, -1, (11, 11), borderType=cv2.BORDER_CONSTANT)
    # Every other place, as on the black fields of a chessboard: the second search moves further.
    covered[::2, ::2] = covered[1::2, 1::2] = 0
    reach = int(side_mm * 0.75 * COARSE) + 1
    covered[:reach] = covered[-reach:] = 0
    covered[:, :reach] = covered[:, -reach:] = 0
    spots = np.flatnonzero(covered.ravel() > _CHANGED).astype(np.int32)
    if not len(spots):
        return []
    small = cv2.resize(edges.drawing, size, interpolation=cv2.INTER_AREA)
    coarse = Edges(np.asarray(small, np.float32), COARSE, edges.margin_mm)
    scores = _coarse(coarse, spots, size, side_mm * COARSE)
    places, angles = _peaks(scores, spots, size, 2 * most)
    seeds = np.column_stack(
        [
            (places % size[0] + 0.5) / COARSE - edges.margin_mm,
            (places // size[0] + 0.5) / COARSE - edges.margin_mm,
            angles,
        ]
    )
    return _refine(edges, seeds, side_mm, most, closely)


def choose(squares: list[Square], worth: list[float], side_mm: float) -> list[int]:
    """Take squares greedily by `worth` so that none overlap; returns their indices."""
    taken: list[int] = []
    far = 2 * side_mm * side_mm
    for index in sorted(range(len(squares)), key=lambda i: -worth[i]):
        one = squares[index]
        for other in (squares[t] for t in taken):
            close = (one.x - other.x) ** 2 + (one.y - other.y) ** 2 < far
            if close and overlap_mm(one, other, side_mm) >= OVERLAP_MM:
                break
        else:
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
    edges: Edges, spots: npt.NDArray[np.int32], size: tuple[int, int], side: float
) -> Floats:
    """Score of squares centred on `spots` (flat places) at every angle, (n, angles)."""
    width, height = size
    scores = np.empty((len(spots), _ANGLES), np.float32)
    wanted = np.zeros(width * height, np.uint8)
    wanted[spots] = 1
    reach = 2 * (int(side * 0.75) + 1) + 1
    kernel = np.ones((reach, reach), np.uint8)
    near = np.flatnonzero(cv2.dilate(wanted.reshape(height, width), kernel).ravel())
    maps = (np.zeros(width * height, np.float32), np.zeros(width * height, np.float32))
    for k, offsets in enumerate(_coarse_offsets(side)):
        for one, values in zip(maps, edges.across(k * 90.0 / _ANGLES, near), strict=True):
            one[near] = values
        sides = np.empty((4, len(spots)), np.float32)
        for quarter in range(4):
            flat = (offsets[quarter, :, 0] + offsets[quarter, :, 1] * width).astype(np.int32)
            maps[quarter % 2].take(spots[None] + flat[:, None]).sum(axis=0, out=sides[quarter])
        scores[:, k] = whole(sides.T)
    scores /= _SAMPLES
    return scores


def _peaks(
    scores: Floats, spots: npt.NDArray[np.int32], size: tuple[int, int], most: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """Local maxima over position, strongest first: their flat places and angles in degrees.

    Each sector of angles has its own: where dice touch, a chance square across two of them may be
    as clear as the true ones.
    """
    found: list[npt.NDArray[np.float64]] = []
    for first in range(0, _ANGLES, _SECTOR):
        sector = scores[:, first : first + _SECTOR]
        best = sector.max(axis=1)
        field = np.zeros(size[0] * size[1], np.float32)
        field[spots] = best
        field2 = field.reshape(size[1], size[0])
        top = cv2.dilate(field2, np.ones((5, 5), np.uint8)).ravel()[spots]
        keep = np.flatnonzero((best >= top) & (best > _CLEAR * 0.6))
        angle = (first + sector[keep].argmax(axis=1)) * (90.0 / _ANGLES)
        found.append(np.column_stack([best[keep], spots[keep], angle]).astype(np.float64))
    peaks = np.concatenate(found)
    peaks = peaks[np.argsort(-peaks[:, 0])][:most]
    return peaks[:, 1].astype(np.int32), peaks[:, 2]


def _refine(
    edges: Edges, seeds: npt.NDArray[np.float64], side_mm: float, most: int, closely: bool
) -> list[Square]:
    """Move each seed to where its four edges are seen best; weak ones are dropped on the way."""
    best = seeds
    score = np.zeros(len(seeds), np.float32)
    sides = np.zeros((len(seeds), 4), np.float32)
    half = (side_mm / 2, side_mm / 2)
    for reach_mm, reach_deg, enough in _ROUNDS:
        if not len(best):
            return []
        tries = best[:, None, :] + _around(reach_mm, reach_deg, closely)[None]
        each = edges.sides(tries.reshape(-1, 3), half)
        total = whole(each).reshape(len(best), -1)
        pick = total.argmax(axis=1)
        row = np.arange(len(best))
        best, score = tries[row, pick], total[row, pick]
        sides = np.sort(each.reshape(len(best), -1, 4)[row, pick], axis=1)
        clear = np.flatnonzero(score > _CLEAR * enough)
        clear = clear[np.argsort(-score[clear])][:most]
        best, score, sides = best[clear], score[clear], sides[clear]
        once = _once(best)
        best, score, sides = best[once], score[once], sides[once]
    squares = [
        Square(
            float(x),
            float(y),
            float(a % 90),
            float(s),
            (float(e[0]), float(e[1]), float(e[2]), float(e[3])),
        )
        for (x, y, a), s, e in zip(best, score, sides, strict=True)
    ]
    return sorted(squares, key=lambda s: -s.score)


def _once(places: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which places, best first, are not that of a better one: seeds of one square meet."""
    apart = np.abs(places[:, None] - places[None])
    apart[..., 2] = np.minimum(apart[..., 2] % 90, 90 - apart[..., 2] % 90)
    same = (apart < (0.5, 0.5, 4.0)).all(axis=2)
    return np.asarray(~np.tril(same, -1).any(axis=1), np.bool_)


@cache
def _around(reach_mm: float, reach_deg: float, closely: bool) -> npt.NDArray[np.float64]:
    """Small moves with and without a turn, along x or y, (15, 3), or both at once, (27, 3)."""
    moves = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if closely or not dx or not dy]
    turns = (0.0, -reach_deg, reach_deg)
    return np.array([(dx * reach_mm, dy * reach_mm, turn) for dx, dy in moves for turn in turns])
