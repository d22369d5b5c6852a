"""Tell faces apart: what is drawn on a face, whichever way it is turned, and the body's colour.

A face is described by the directions of its edges (histograms of oriented gradients) inside a
circle, without sign, so that a light drawing on a dark die and a dark one on a light die are the
same drawing. It is compared with every enrolled face in its four turns; nothing is trained.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

FACE = 32
"""Pixels along the side of a sampled face."""
EDGE = 4
"""Pixels sampled around it."""
TONES = 8
"""Cells along the side of a face's coarse colouring."""
_PATCH = FACE + 2 * EDGE
_CELLS = 6
_BINS = 8
FEATURES = _CELLS * _CELLS * _BINS
"""Length of a face's description."""


def sample(
    drawing: Floats, places: npt.NDArray[np.float64], side_mm: float, scale: float, margin_mm: float
) -> Floats:
    """Cut faces out of a straight drawing, each turned upright.

    drawing: (h, w, 3) float32; places: (n, 3) centre x, y in tray millimetres and angle in degrees.
    Returns (n, 40, 40, 3): the face is the inner 32 x 32.
    """
    step = side_mm / FACE
    grid = (np.arange(_PATCH) - (_PATCH - 1) / 2) * step
    turn = np.deg2rad(places[:, 2])[:, None, None]
    u, v = grid[None, None, :], grid[None, :, None]
    x = places[:, 0, None, None] + u * np.cos(turn) - v * np.sin(turn)
    y = places[:, 1, None, None] + u * np.sin(turn) + v * np.cos(turn)
    map_x = ((x + margin_mm) * scale - 0.5).astype(np.float32).reshape(-1, _PATCH)
    map_y = ((y + margin_mm) * scale - 0.5).astype(np.float32).reshape(-1, _PATCH)
    if not len(map_x):
        return np.zeros((0, _PATCH, _PATCH, 3), np.float32)
    # remap takes at most 32767 rows at once.
    most = 32760 // _PATCH * _PATCH
    parts = [
        cv2.remap(
            drawing,
            map_x[i : i + most],
            map_y[i : i + most],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for i in range(0, len(map_x), most)
    ]
    return np.concatenate(parts).reshape(-1, _PATCH, _PATCH, 3)


def describe(faces: Floats) -> Floats:
    """Describe sampled faces (n, 40, 40, 3) of log brightness: (n, 288), each of length 1."""
    if not len(faces):
        return np.zeros((0, FEATURES), np.float32)
    inner = slice(EDGE, EDGE + FACE)
    gx = faces[:, inner, EDGE + 1 : EDGE + FACE + 1] - faces[:, inner, EDGE - 1 : EDGE + FACE - 1]
    gy = faces[:, EDGE + 1 : EDGE + FACE + 1, inner] - faces[:, EDGE - 1 : EDGE + FACE - 1, inner]
    power = gx * gx + gy * gy
    best = power.argmax(axis=3)[..., None]
    gx = np.take_along_axis(gx, best, 3)[..., 0].reshape(len(faces), -1)
    gy = np.take_along_axis(gy, best, 3)[..., 0].reshape(len(faces), -1)
    size = np.sqrt(gx * gx + gy * gy)
    # Below the noise of a dark face there is no drawing; far above it, more contrast says no more.
    weight = size / (size + 0.15)
    turn = np.arctan2(gy, gx) * (_BINS / np.pi)
    low = np.floor(turn).astype(np.int64)
    part = (turn - low).astype(np.float32)
    cells = _cell_weights()
    result = np.empty((len(faces), _CELLS * _CELLS, _BINS), np.float32)
    for k in range(_BINS):
        share = np.where(low % _BINS == k, 1 - part, 0) + np.where((low + 1) % _BINS == k, part, 0)
        result[:, :, k] = (weight * share) @ cells
    flat = np.sqrt(result.reshape(len(faces), -1))
    flat -= flat.mean(axis=1, keepdims=True)
    return flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)


def centre(
    drawing: Floats,
    bank: Floats,
    places: npt.NDArray[np.float64],
    side_mm: float,
    scale: float,
    margin_mm: float,
    best_of: int = 1,
) -> npt.NDArray[np.float64]:
    """Shift and turn each place, (n, 3), to where its drawing resembles the known ones most.

    bank: (m, 288) known descriptions in all their turns; best_of: so many of the most alike are
    averaged.
    """
    if not len(places):
        return places
    best = places.copy()
    for step, turn in ((1.0, 4.0), (0.5, 2.0)):
        steps = [(dx * step, dy * step, 0.0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        grid = np.array([*steps, (0, 0, turn), (0, 0, -turn)])
        tries = best[:, None] + grid[None]
        features = describe(sample(drawing, tries.reshape(-1, 3), side_mm, scale, margin_mm))
        each = np.sort(features @ bank.T, axis=1)[:, -best_of:].mean(axis=1)
        best = tries[np.arange(len(best)), each.reshape(len(best), -1).argmax(axis=1)]
    return best


def turned(descriptions: Floats) -> Floats:
    """The four quarter turns of each description: (n, 288) to (n, 4, 288)."""
    result = [descriptions]
    grid = descriptions.reshape(-1, _CELLS, _CELLS, _BINS)
    for _ in range(3):
        grid = np.roll(np.rot90(grid, -1, axes=(1, 2)), _BINS // 2, axis=3)
        result.append(grid.reshape(len(descriptions), -1))
    return np.stack(result, axis=1)


def tones(faces: Floats) -> Floats:
    """Coarse colouring of sampled faces (n, 40, 40, 3): (n, 8, 8, 3) log brightness."""
    inner = faces[:, EDGE : EDGE + FACE, EDGE : EDGE + FACE]
    step = FACE // TONES
    return inner.reshape(-1, TONES, step, TONES, step, 3).mean(axis=(2, 4))


def turn_tones(coarse: Floats) -> Floats:
    """The four quarter turns of colourings: (n, 8, 8, 3) to (n, 4, 8, 8, 3)."""
    return np.stack([np.rot90(coarse, -k, axes=(1, 2)) for k in range(4)], axis=1)


def tone_distance(one: Floats, others: Floats) -> Floats:
    """How differently two faces are coloured, in log brightness: (8, 8, 3) against (n, 8, 8, 3).

    Hue counts fully, and so does what is light and what is dark on the face; how bright it is
    altogether counts less, since light varies over the tray.
    """
    diff = (one[None] - others)[:, _disc()]
    light = diff.mean(axis=2)
    middle = np.median(light, axis=1, keepdims=True)
    hue = np.linalg.norm(diff - light[..., None], axis=2)
    drawn = np.minimum(np.abs(light - middle), 1.5)
    return (
        1.2 * np.median(hue, axis=1) + 0.5 * drawn.mean(axis=1) + 0.35 * np.abs(middle[:, 0])
    ).astype(np.float32)


@cache
def _cell_weights() -> Floats:
    """How much each pixel counts in each cell: (1024, 36), bilinear and cut to the circle."""
    at = (np.arange(FACE) + 0.5) / FACE * _CELLS - 0.5
    near = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(_CELLS)[None]))
    both = (near[:, None, :, None] * near[None, :, None, :]).reshape(FACE * FACE, -1)
    ys, xs = np.mgrid[0:FACE, 0:FACE]
    radius = np.hypot(xs - (FACE - 1) / 2, ys - (FACE - 1) / 2) / (FACE / 2)
    circle = np.clip((0.98 - radius) / 0.12, 0, 1)
    return (both * circle.reshape(-1, 1)).astype(np.float32)


@cache
def _disc() -> npt.NDArray[np.bool_]:
    """Cells of a colouring that show the face wherever its corners are rounded."""
    ys, xs = np.mgrid[0:TONES, 0:TONES] - (TONES - 1) / 2
    return np.hypot(xs, ys) < TONES * 0.52
