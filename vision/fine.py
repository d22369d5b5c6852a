"""Tell faces apart that differ by fine lines only: their middle, looked at twice as closely.

The directions of edges that `vision.face` compares are taken from pixels wider than such lines are.
Where the examples of a colour resemble their own face hardly more than the others, each is laid
over what is drawn, without what all of them share, and both ways must agree for a die to count as
certain. On two drawn boxes with hairlines in a disc the first way is right 175 times of 189, this
one 186 times, and no die is wrong by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice_set import SCALE, DiceSet
from vision.face import face_in_crop, sample
from vision.fit import MARGIN_MM
from vision.light import Floats

ALIKE = 0.35
"""Colours whose faces differ by less, as `vision.known.Known.telling` says, are looked at so."""
_CLOSER = 2
_REACH = 12  # pixels from the middle that are compared; a sampled patch reaches three further
_SHIFT = 3
_TURNS = (-4.0, -2.0, 0.0, 2.0, 4.0)  # degrees
_FINE, _COARSE = 0.8, 3.0  # pixels: what is finer is noise, what is coarser is light and shade
_PATCH = 2 * (_REACH + _SHIFT)


@dataclass(frozen=True, slots=True, eq=False)
class Fine:
    """A set's examples in their four turns, closely: (rows, 448), and what each colour shares."""

    rest: Floats
    shared: Floats
    colours: npt.NDArray[np.int64]
    faces: npt.NDArray[np.int64]

    def match(
        self, drawing: Floats, place: npt.NDArray[np.float64], side_mm: float, colour: int
    ) -> Floats:
        """How well each face lies over what is drawn on a die of this colour, (faces,), -1..1.

        drawing: (h, w, 3) log brightness, straight; place: (3,) centre x, y in tray millimetres and
        angle. Faces that dice of this colour do not have get -1.
        """
        places = place + np.array([(0.0, 0.0, turn) for turn in _TURNS])
        seen = _lines(sample(drawing, places, side_mm / _CLOSER, SCALE, MARGIN_MM))
        moves = range(2 * _SHIFT + 1)
        size = 2 * _REACH
        tries = [seen[:, y : y + size, x : x + size] for y in moves for x in moves]
        own = _unit(_unit(_round(np.concatenate(tries))) - self.shared[colour])
        result = np.full(int(self.faces.max()) + 1, -1.0, np.float32)
        rows = np.flatnonzero(self.colours == colour)
        np.maximum.at(result, self.faces[rows], (self.rest[rows] @ own.T).max(axis=1))
        return result


@lru_cache(maxsize=4)
def closely(dice_set: DiceSet) -> Fine:
    """Lay out a set's kept crops; kept for as long as it is in use."""
    inner = slice(_SHIFT, -_SHIFT)
    crops = [face_in_crop(crop, _CLOSER) for crop in dice_set.crops]
    lines = _lines(np.stack(crops))[:, inner, inner]
    colours = np.array([dice_set.colour_names.index(c) for c in dice_set.colours])
    faces = np.array([dice_set.face_names.index(f) for f in dice_set.faces])
    in_turns = np.stack([np.rot90(lines, -k, axes=(1, 2)) for k in range(4)], axis=1)
    rows = _unit(_round(in_turns.reshape(-1, 2 * _REACH, 2 * _REACH)))
    of_row = np.repeat(colours, 4)
    each = range(len(dice_set.colour_names))
    shared = np.stack([rows[of_row == c].mean(axis=0) for c in each])
    return Fine(_unit(rows - shared[of_row]), shared, of_row, np.repeat(faces, 4))


def _lines(patches: Floats) -> Floats:
    """What is finely drawn in patches (n, 30, 30, 3) of log brightness, (n, 30, 30)."""
    assert patches.shape[1] == _PATCH
    result = np.empty(patches.shape[:3], np.float32)
    for i, patch in enumerate(patches):
        light = cv2.GaussianBlur(patch.mean(axis=2), (0, 0), _FINE)
        result[i] = light - cv2.GaussianBlur(light, (0, 0), _COARSE)
    return result


def _round(lines: Floats) -> Floats:
    """The pixels (n, 24, 24) within the circle, centred, (n, 448)."""
    rows = lines[:, _disc()]
    return np.asarray(rows - rows.mean(axis=1, keepdims=True), np.float32)


def _unit(rows: Floats) -> Floats:
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)


@cache
def _disc() -> npt.NDArray[np.bool_]:
    ys, xs = np.mgrid[0 : 2 * _REACH, 0 : 2 * _REACH] - (2 * _REACH - 1) / 2
    return np.hypot(xs, ys) < _REACH
