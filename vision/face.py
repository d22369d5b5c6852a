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

from vision.light import logarithm, soften

Floats = npt.NDArray[np.float32]

FACE = 24
"""Pixels along the side of a sampled face."""
EDGE = 3
"""Pixels sampled around it."""
TONES = 8
"""Cells along the side of a face's coarse colouring."""
_PATCH = FACE + 2 * EDGE
_CROP_SIDE = 48  # pixels of a face's side in a crop that is as fine as faces are otherwise read
_CELLS = 6
_BINS = 8
_CONTRAST = 0.2  # step of log brightness over two pixels that counts half
_LEAST_STEP = 0.004  # what is fainter than this share of the brightest is no drawing
# Where contrast is no guide, a step counts by what there is within so many pixels, and on the face.
_NEAR, _AROUND, _USUAL = 2.0, 0.35, 0.03
FEATURES = _CELLS * _CELLS * _BINS
"""Length of a face's description."""


def sample(
    drawing: Floats, places: npt.NDArray[np.float64], side_mm: float, scale: float, margin_mm: float
) -> Floats:
    """Cut faces out of a straight drawing, each turned upright.

    drawing: (h, w, 3) float32; places: (n, 3) centre x, y in tray millimetres and angle in degrees.
    Returns (n, 30, 30, 3): the face is the inner 24 x 24.
    """
    step = side_mm / FACE * scale
    grid = ((np.arange(_PATCH) - (_PATCH - 1) / 2) * step).astype(np.float32)
    turn = np.deg2rad(places[:, 2]).astype(np.float32)[:, None, None]
    cos, sin = np.cos(turn), np.sin(turn)
    middle = ((places[:, :2] + margin_mm) * scale - 0.5).astype(np.float32)
    u, v = grid[None, None, :], grid[None, :, None]
    map_x = (middle[:, 0, None, None] + u * cos - v * sin).reshape(-1, _PATCH)
    map_y = (middle[:, 1, None, None] + u * sin + v * cos).reshape(-1, _PATCH)
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
    whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return np.asarray(whole, np.float32).reshape(-1, _PATCH, _PATCH, 3)


def face_in_crop(crop: npt.NDArray[np.uint8], closer: int = 1) -> Floats:
    """Sample the face of a kept crop, (128, 128, 3) with a quarter of its side around it.

    closer: so many times as closely, and as much less of it. Answers (30, 30, 3) log brightness.
    """
    wide = _CROP_SIDE * 3 // 2
    small = cv2.resize(crop, (wide, wide), interpolation=cv2.INTER_AREA)
    drawing = soften(logarithm(np.asarray(small, np.uint8)))
    middle = np.array([[wide / 2, wide / 2, 0.0]])
    return sample(drawing, middle, _CROP_SIDE / closer, 1.0, 0.0)[0]


def describe(faces: Floats) -> Floats:
    """Describe sampled faces (n, 30, 30, 3) of log brightness: (n, 288), of length 1 each."""
    count = len(faces)
    if not count:
        return np.zeros((0, FEATURES), np.float32)
    # One colour is enough: that in which the drawing stands out most.
    spots = faces[:, EDGE:-EDGE:2, EDGE:-EDGE:2].reshape(count, -1, 3).transpose(0, 2, 1).copy()
    spots -= spots.mean(axis=2, keepdims=True)
    spread = np.einsum("nck,nck->nc", spots, spots)
    plane = faces[np.arange(count), :, :, spread.argmax(axis=1)]
    inner = slice(EDGE, EDGE + FACE)
    gx = plane[:, inner, EDGE + 1 : EDGE + FACE + 1] - plane[:, inner, EDGE - 1 : EDGE + FACE - 1]
    gy = plane[:, EDGE + 1 : EDGE + FACE + 1, inner] - plane[:, EDGE - 1 : EDGE + FACE - 1, inner]
    size = np.sqrt(gx * gx + gy * gy)
    # Below the noise of a dark face there is no drawing; far above it, more contrast says no more.
    weight = size / (size + np.float32(_CONTRAST)) * _circle()
    grid = _histograms(gx, gy, np.asarray(weight, np.float32))
    flat = np.sqrt(grid.reshape(count, -1))
    flat -= flat.mean(axis=1, keepdims=True)
    return flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)


def describe_known(faces: Floats, known: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Describe faces of which a part is known only, however weak their contrast is.

    faces: (n, 30, 30, 3) of any brightness scale; known: the same shape. Answers descriptions
    (n, 288), neither centred nor of length 1, and how much of each cell is known, (n, 36), 0..1.
    """
    count = len(faces)
    inner, before, after = (slice(EDGE + k, EDGE + FACE + k) for k in (0, -1, 1))
    gx = faces[:, inner, after] - faces[:, inner, before]
    gy = faces[:, after, inner] - faces[:, before, inner]
    # A step from what is known to what is burnt out is there, though it may be larger still.
    clear = known[:, inner, after] | known[:, inner, before]
    clear &= known[:, after, inner] | known[:, before, inner]
    size = np.sqrt(gx * gx + gy * gy) * clear
    # One colour is enough: that in which most of a drawing is known.
    channel = np.einsum("nyxc,yx->nc", size, _circle()).argmax(axis=1)
    one = (np.arange(count), slice(None), slice(None), channel)
    gx, gy, size, clear = gx[one], gy[one], size[one], clear[one]
    usual = np.ones((count, 1, 1), np.float32)
    for i in range(count):
        here = size[i][clear[i] & (_circle() > 0.5)]
        if len(here) > 30:
            usual[i] = max(float(np.percentile(here, 90)), _LEAST_STEP)
    power = size * size
    weight = power / (power + _AROUND * _power_around(power, clear) + _USUAL * usual * usual)
    weight = weight * _circle() * clear
    grid = _histograms(gx, gy, np.asarray(weight, np.float32))
    to_cells, circle = _cell_weights(), _circle()
    share = to_cells.T @ (clear * circle) @ to_cells
    share /= np.maximum(to_cells.T @ circle @ to_cells, 1e-3)
    grid /= np.maximum(share, 0.25)[..., None]
    return (
        np.asarray(np.sqrt(grid).reshape(count, -1), np.float32),
        np.asarray(share.reshape(count, -1), np.float32),
    )


def _power_around(power: Floats, clear: npt.NDArray[np.bool_]) -> Floats:
    """How strong known steps are around each pixel (n, 24, 24): a drawing fades under a lamp."""
    result = np.empty_like(power)
    for i, seen in enumerate(clear.astype(np.float32)):
        share = np.maximum(cv2.GaussianBlur(seen, (0, 0), _NEAR), 0.05)
        result[i] = cv2.GaussianBlur(power[i] * seen, (0, 0), _NEAR) / share
    return result


def _histograms(gx: Floats, gy: Floats, weight: Floats) -> Floats:
    """Histograms of the directions of steps (n, 24, 24) by cells: (n, 6, 6, 8)."""
    count = len(gx)
    xx, yy = gx * gx, gy * gy
    power = xx + yy
    power += 1e-9
    # Cosine and sine of twice the direction: an edge and its opposite are the same.
    cos2 = (xx - yy) / power
    sin2 = 2 * gx * gy / power
    cells = np.empty((count, _BINS, FACE, FACE), np.float32)
    # Opposite bins share what leads towards either of them: it goes to the one or to the other.
    for k in range(_BINS // 2):
        turn = 2 * np.pi * k / _BINS
        along = cos2 * np.float32(np.cos(turn)) + sin2 * np.float32(np.sin(turn))
        ahead = along > 0
        along *= along
        along *= along
        along *= weight
        np.multiply(along, ahead, out=cells[:, k])
        np.subtract(along, cells[:, k], out=cells[:, k + _BINS // 2])
    to_cells = _cell_weights()
    columns = cells.reshape(-1, FACE) @ to_cells
    rows = columns.reshape(-1, FACE, _CELLS).transpose(0, 2, 1).reshape(-1, FACE) @ to_cells
    grid = rows.reshape(count, _BINS, _CELLS, _CELLS).transpose(0, 3, 2, 1)
    return np.asarray(grid, np.float32)


def centre(
    drawing: Floats,
    bank: Floats,
    places: npt.NDArray[np.float64],
    side_mm: float,
    scale: float,
    margin_mm: float,
    best_of: int = 1,
    steps: tuple[tuple[float, float], ...] = ((1.0, 4.0), (0.5, 2.0)),
) -> npt.NDArray[np.float64]:
    """Shift and turn each place, (n, 3), to where its drawing resembles the known ones most.

    bank: (m, 288) known descriptions in all their turns; best_of: so many of the most alike are
    averaged; steps: millimetres and degrees of each round.
    """
    if not len(places):
        return places
    best = places.copy()
    for step, turn in steps:
        tries = best[:, None] + around(step, turn)[None]
        features = describe(sample(drawing, tries.reshape(-1, 3), side_mm, scale, margin_mm))
        alike = features @ bank.T
        if best_of == 1:
            each = alike.max(axis=1)
        else:
            each = np.sort(alike, axis=1)[:, -best_of:].mean(axis=1)
        best = tries[np.arange(len(best)), each.reshape(len(best), -1).argmax(axis=1)]
    return best


def around(step: float, turn: float) -> npt.NDArray[np.float64]:
    """Small moves in x, y and angle to try in one round, (11, 3)."""
    moves = [(dx * step, dy * step, 0.0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return np.array([*moves, (0.0, 0.0, turn), (0.0, 0.0, -turn)])


def turned(descriptions: Floats) -> Floats:
    """The four quarter turns of each description: (n, 288) to (n, 4, 288)."""
    result = [descriptions]
    grid = descriptions.reshape(-1, _CELLS, _CELLS, _BINS)
    for _ in range(3):
        grid = np.roll(np.rot90(grid, -1, axes=(1, 2)), _BINS // 2, axis=3)
        result.append(grid.reshape(len(descriptions), -1))
    return np.stack(result, axis=1)


def tones(faces: Floats) -> Floats:
    """Coarse colouring of sampled faces (n, 30, 30, 3): (n, 8, 8, 3) log brightness."""
    inner = faces[:, EDGE : EDGE + FACE, EDGE : EDGE + FACE]
    step = FACE // TONES
    return inner.reshape(-1, TONES, step, TONES, step, 3).mean(axis=(2, 4))


def turn_tones(coarse: Floats) -> Floats:
    """The four quarter turns of colourings: (n, 8, 8, 3) to (n, 4, 8, 8, 3)."""
    return np.stack([np.rot90(coarse, -k, axes=(1, 2)) for k in range(4)], axis=1)


def tone_distance(one: Floats, others: Floats) -> Floats:
    """How differently two faces are coloured, in log brightness: (8, 8, 3) against (n, 8, 8, 3).

    Hue counts most, and whether drawing and body are light on dark or dark on light; how bright
    the die is altogether counts least, since shadows and glare change it. The weights are those
    that kept the colours of rendered rolls furthest apart.
    """
    disc = _disc()
    diff = (one[None] - others)[:, disc]
    light = diff.mean(axis=2)
    middle = _middle(light)[:, None]
    hue = np.linalg.norm(diff - light[..., None], axis=2)
    drawn = np.minimum(np.abs(light - middle), 1.5).mean(axis=1)
    here, there = one[disc].mean(axis=1), others[:, disc].mean(axis=2)
    here = here - here.mean()
    there = there - there.mean(axis=1, keepdims=True)
    size = np.linalg.norm(there, axis=1) * np.linalg.norm(here) + 0.3
    against = 1 - (there @ here) / size
    total = 1.6 * _middle(hue) + 0.5 * drawn + 0.2 * np.abs(middle[:, 0])
    return (total + 0.4 * against).astype(np.float32)


def _middle(values: Floats) -> Floats:
    """Median along the last axis; for a few values far quicker than NumPy's own."""
    ordered = np.sort(values, axis=-1)
    count = values.shape[-1]
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2, np.float32)


@cache
def _cell_weights() -> Floats:
    """How much each pixel of a line counts in each cell, bilinear: (FACE, 6)."""
    at = (np.arange(FACE) + 0.5) / FACE * _CELLS - 0.5
    return np.maximum(0, 1 - np.abs(at[:, None] - np.arange(_CELLS)[None])).astype(np.float32)


@cache
def _circle() -> Floats:
    """Weight of each pixel: 1 inside the circle that fits the face, 0 outside."""
    ys, xs = np.mgrid[0:FACE, 0:FACE] - (FACE - 1) / 2
    radius = np.hypot(xs, ys) / (FACE / 2)
    return np.clip((0.98 - radius) / 0.12, 0, 1).astype(np.float32)


@cache
def _disc() -> npt.NDArray[np.bool_]:
    """Cells of a colouring that show the face wherever its corners are rounded."""
    ys, xs = np.mgrid[0:TONES, 0:TONES] - (TONES - 1) / 2
    return np.hypot(xs, ys) < TONES * 0.52
