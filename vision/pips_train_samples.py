"""Samples for teaching the two networks that read pips: pieces of drawn scenes with their truth."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pips_find import FACE_REACH, SIZES, crop_face
from vision.pips_render import SIZE, DrawnFace
from vision.pips_render_camera import spoil
from vision.seen import Picture

TILE = 112
"""Side of a training picture for the finder, pixels."""
STRIDE = 4

Floats = npt.NDArray[np.float32]
Scene = tuple[Picture, list[DrawnFace]]
Mistake = tuple[int, float, float, float]
"""A place that the finder takes for an upper face and that is none: scene, x, y, size."""


def finder_sample(scenes: list[Scene], rng: np.random.Generator) -> tuple[Picture, Floats, Floats]:
    """One picture for the finder, its target (4, h, w) and its weight (2, h, w)."""
    if rng.random() < 0.12:
        return _crowd_sample(scenes, rng)
    picture, faces = scenes[int(rng.integers(len(scenes)))]
    ups = [f for f in faces if f.up]
    typical = float(np.median([f.size for f in ups])) if ups else 45.0
    scale = float(np.exp(rng.uniform(np.log(SIZES[0]), np.log(SIZES[1])))) / typical
    scale = max(scale, (TILE + 1) / SIZE)
    side = round(SIZE * scale)
    shrunk = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    scale = side / SIZE
    left, top = (int(v) for v in rng.integers(0, side - TILE + 1, 2))
    if ups and rng.random() < 0.7:
        face = ups[int(rng.integers(len(ups)))]
        middle = (face.x * scale - TILE / 2, face.y * scale - TILE / 2)
        left, top = (int(np.clip(m + rng.normal(0, 20), 0, side - TILE)) for m in middle)
    tile = spoil(np.asarray(shrunk[top : top + TILE, left : left + TILE], np.uint8), rng)
    cells = TILE // STRIDE
    target = np.zeros((4, cells, cells), np.float32)
    weight = np.zeros((2, cells, cells), np.float32)
    weight[0] = 1
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    xs, ys = xs * STRIDE + (STRIDE - 1) / 2, ys * STRIDE + (STRIDE - 1) / 2
    for face in ups:
        x, y = (face.x + 0.5) * scale - 0.5 - left, (face.y + 0.5) * scale - 0.5 - top
        size = face.size * scale
        apart = np.hypot(xs - x, ys - y)
        unclear = face.seen < 0.75 or not (SIZES[0] * 0.9 < size < SIZES[1] * 1.1)
        outside = min(x, y, TILE - x, TILE - y) < size * 0.45
        if face.value == 0:
            continue
        if unclear or outside:
            weight[0][apart < size * 0.7] = 0
            continue
        spot = np.exp(-(apart**2) / (2 * (0.13 * size + 0.6) ** 2))
        spot[apart <= apart.min() + 1e-3] = 1
        better = spot > target[0]
        target[0] = np.maximum(target[0], spot)
        near = better & (apart < max(0.28 * size, 3.5))
        target[1][near] = np.log(size / 28)
        target[2][near] = ((x - xs) / STRIDE)[near]
        target[3][near] = ((y - ys) / STRIDE)[near]
        weight[1][near] = 1
    if rng.random() < 0.5:
        tile = tile[:, ::-1]
        target, weight = target[:, :, ::-1], weight[:, :, ::-1]
        target = target * np.array([1, 1, -1, 1], np.float32)[:, None, None]
    return (
        np.ascontiguousarray(tile),
        np.ascontiguousarray(target, np.float32),
        np.ascontiguousarray(weight, np.float32),
    )


def reader_sample(
    scenes: list[Scene], wrong: list[Mistake], rng: np.random.Generator
) -> tuple[Picture, int, tuple[float, float] | None]:
    """One crop for the reader, its class, and the tilt of the upper face that is in its middle."""
    while True:
        picture, faces = scenes[int(rng.integers(len(scenes)))]
        ups = [f for f in faces if f.up and f.value and f.seen > 0.8]
        odd = [f for f in faces if f.up and not f.value]
        sides = [f for f in faces if not f.up and f.size > 15]
        kind = rng.random()
        spread, stretch = 0.05, 0.09
        answer = 0
        tilt: tuple[float, float] | None = None
        if kind < 0.54:
            if not ups:
                continue
            face = ups[int(rng.integers(len(ups)))]
            # Rare values would be as rare in training: even them out.
            same = [f for f in ups if f.value == int(rng.integers(1, 7))]
            face = same[0] if same else face
            answer, tilt = face.value, face.tilt
            x, y, size = face.x, face.y, face.size
        elif kind < 0.62:
            if not odd:
                continue
            face = odd[int(rng.integers(len(odd)))]
            x, y, size, tilt = face.x, face.y, face.size, face.tilt
        elif kind < 0.75:
            if not sides:
                continue
            face = sides[int(rng.integers(len(sides)))]
            x, y, size = face.x, face.y, face.size * float(rng.choice([1, 1.3]))
        elif kind < 0.84:
            if not ups:
                continue
            face = ups[int(rng.integers(len(ups)))]
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.42, 1.0)
            x = face.x + np.cos(way) * far * face.size
            y = face.y + np.sin(way) * far * face.size
            size = face.size * float(np.exp(rng.normal(0, 0.25)))
            if rng.random() < 0.3:
                x, y = face.x, face.y
                size = face.size * float(rng.choice([0.45, 0.55, 1.8, 2.2]))
            elif any(np.hypot(f.x - x, f.y - y) < 0.36 * f.size for f in ups):
                continue
        elif kind < 0.96 and wrong:
            number, x, y, size = wrong[int(rng.integers(len(wrong)))]
            picture, faces = scenes[number]
        else:
            x, y = rng.uniform(20, SIZE - 20, 2)
            size = float(rng.uniform(15, 60))
            if any(f.up and np.hypot(f.x - x, f.y - y) < 0.5 * f.size for f in faces):
                continue
        break
    x, y = np.array([x, y]) + rng.normal(0, spread, 2).clip(-0.12, 0.12) * size
    size *= float(np.exp(rng.normal(0, stretch)))
    # Small dice are drawn up, large ones down: begin with what a camera would have had.
    first = float(np.exp(rng.uniform(np.log(16), np.log(60))))
    scale = min(1.0, first / size)
    reach = round(FACE_REACH * size * 0.75) + 3
    pad = cv2.copyMakeBorder(picture, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    cx, cy = round(x), round(y)
    part = pad[cy : cy + 2 * reach + 1, cx : cx + 2 * reach + 1]
    if part.shape[0] != part.shape[1] or part.shape[0] < 8:
        return reader_sample(scenes, wrong, rng)
    fx, fy = x - cx + reach, y - cy + reach
    side = max(12, round(part.shape[0] * scale))
    shrunk = cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA)
    scale = side / part.shape[0]
    spoilt = spoil(np.asarray(shrunk, np.uint8), rng)
    crop = crop_face(spoilt, (fx + 0.5) * scale - 0.5, (fy + 0.5) * scale - 0.5, size * scale)
    if rng.random() < 0.5:
        crop = np.ascontiguousarray(crop[:, ::-1])
        tilt = None if tilt is None else (-tilt[0], tilt[1])
    return crop, answer, tilt


def _crowd_sample(scenes: list[Scene], rng: np.random.Generator) -> tuple[Picture, Floats, Floats]:
    """Dice too small to be read: five of them must not look like the five of one large die."""
    half = TILE // 2
    tile = np.empty((TILE, TILE, 3), np.uint8)
    for top in (0, half):
        for left in (0, half):
            picture, _ = scenes[int(rng.integers(len(scenes)))]
            side = int(rng.integers(half, half + 24))
            shrunk = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
            y, x = (int(v) for v in rng.integers(0, side - half + 1, 2))
            tile[top : top + half, left : left + half] = shrunk[y : y + half, x : x + half]
    cells = TILE // STRIDE
    weight = np.zeros((2, cells, cells), np.float32)
    weight[0] = 1
    return spoil(tile, rng), np.zeros((4, cells, cells), np.float32), weight
