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


def turned(descriptions: Floats) -> Floats:
    """The four quarter turns of each description: (n, 288) to (n, 4, 288)."""
    result = [descriptions]
    grid = descriptions.reshape(-1, _CELLS, _CELLS, _BINS)
    for _ in range(3):
        grid = np.roll(np.rot90(grid, -1, axes=(1, 2)), _BINS // 2, axis=3)
        result.append(grid.reshape(len(descriptions), -1))
    return np.stack(result, axis=1)


def body_tone(faces: Floats) -> Floats:
    """Log brightness of the body: (n, 3) from sampled faces (n, 40, 40, 3).

    The body shows along the face's rim; what is drawn there (a frame, a corner of the symbol) is
    left out by taking the larger of two groups of pixels.
    """
    ring = _ring()
    values = faces[:, ring]
    light = values.mean(axis=2)
    low, high = np.percentile(light, 10, axis=1), np.percentile(light, 90, axis=1)
    for _ in range(4):
        is_high = np.abs(light - high[:, None]) < np.abs(light - low[:, None])
        count = is_high.sum(axis=1)
        low = np.where(
            count < light.shape[1],
            (light * ~is_high).sum(1) / np.maximum(light.shape[1] - count, 1),
            low,
        )
        high = np.where(count > 0, (light * is_high).sum(1) / np.maximum(count, 1), high)
    larger = np.where((count * 2 > light.shape[1])[:, None], is_high, ~is_high)
    together = (high - low) < 0.25
    larger |= together[:, None]
    tones = np.empty((len(faces), 3), np.float32)
    for i, keep in enumerate(larger):
        tones[i] = np.median(values[i][keep], axis=0)
    return tones


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
def _ring() -> npt.NDArray[np.bool_]:
    ys, xs = np.mgrid[0:_PATCH, 0:_PATCH]
    reach = np.maximum(np.abs(xs - (_PATCH - 1) / 2), np.abs(ys - (_PATCH - 1) / 2)) / (FACE / 2)
    corner = np.abs(xs - ys) + 0 * xs  # rounded corners show what lies beside the die
    diagonal = np.minimum(
        np.hypot(xs - EDGE, ys - EDGE),
        np.minimum(
            np.hypot(xs - EDGE - FACE, ys - EDGE),
            np.minimum(
                np.hypot(xs - EDGE, ys - EDGE - FACE), np.hypot(xs - EDGE - FACE, ys - EDGE - FACE)
            ),
        ),
    )
    del corner
    return (reach > 0.66) & (reach < 0.90) & (diagonal > 5)
