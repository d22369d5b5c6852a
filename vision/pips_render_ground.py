"""What the drawn dice lie on: wood, carpet, weave, paper, and the clutter of a table."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.floating]


def ground(rng: np.random.Generator, size: int, side_px: float) -> Floats:
    """A random ground without light: (size, size, 3) reflectance 0..1, blue, green, red.

    side_px: side of the dice, which gives things on the table their measure.
    """
    kind = rng.random()
    first, second = _tone(rng), _tone(rng)
    if kind < 0.22:
        grain = _grain(rng, size, float(rng.uniform(5, 60)), 1.0)
        second = first * rng.uniform(0.4, 0.9)
    elif kind < 0.42:
        # Long along the fibre, short across: wood.
        stretch = float(rng.uniform(5, 25))
        grain = _turned(_grain(rng, size * 2, float(rng.uniform(3, 25)), stretch), rng, size)
        second = first * rng.uniform(0.35, 0.85)
    elif kind < 0.56:
        grain = _weave(rng, size)
    elif kind < 0.72:
        # Carpet: dark gaps between knots.
        knots = _grain(rng, size, float(rng.uniform(2.5, 9)), float(rng.choice([1.0, 2.0])))
        grain = np.clip((knots - 0.5) * rng.uniform(2, 6) + rng.uniform(0.3, 0.8), 0, 1)
        second = first * rng.uniform(0.05, 0.6)
    else:
        grain = _grain(rng, size, 80.0, 1.0) * float(rng.uniform(0, 0.3))
    base = first * (1 - grain[..., None]) + second * grain[..., None]
    fine = rng.normal(0, rng.uniform(0, 0.05), (size, size, 1))
    canvas = np.ascontiguousarray(np.clip(base + fine, 0, 1) * 255, np.uint8)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 7))):
            _thing(canvas, rng, side_px)
    return canvas.astype(np.float32) / 255


def _tone(rng: np.random.Generator) -> Floats:
    value = rng.uniform(0.03, 1.0)
    saturation = rng.uniform(0, 0.6) if rng.random() < 0.7 else rng.uniform(0.4, 1)
    hue = rng.uniform(0, 360) if rng.random() < 0.5 else rng.uniform(10, 50)
    pixel = np.array([[[hue, saturation, value]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _grain(rng: np.random.Generator, size: int, scale: float, stretch: float) -> Floats:
    """Noise of several octaves from `scale` pixels down, `stretch` times longer along x; 0..1."""
    total = np.zeros((size, size), np.float32)
    weight, amount = 1.0, 0.0
    while scale > 1.2:
        shape = max(2, int(size / scale)), max(2, int(size / scale / stretch))
        noise = rng.random(shape, dtype=np.float32)
        total += weight * cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
        amount += weight
        weight *= float(rng.uniform(0.4, 0.9))
        scale /= 2.2
    return np.clip((total / max(amount, 1e-6) - 0.5) * 1.8 + 0.5, 0, 1)


def _turned(noise: Floats, rng: np.random.Generator, size: int) -> Floats:
    middle = noise.shape[0] / 2
    turn = cv2.getRotationMatrix2D((middle, middle), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] -= (noise.shape[0] - size) / 2
    spun = cv2.warpAffine(noise, turn, (size, size), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(spun, np.float32)


def _weave(rng: np.random.Generator, size: int) -> Floats:
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
    angle, step = rng.uniform(0, np.pi), rng.uniform(3, 14)
    u = (xs * np.cos(angle) + ys * np.sin(angle)) * np.float32(2 * np.pi / step)
    v = (ys * np.cos(angle) - xs * np.sin(angle)) * np.float32(
        2 * np.pi / step * rng.uniform(0.5, 1)
    )
    bend = (_grain(rng, size, 20.0, 1.0) - 0.5) * float(rng.uniform(0, 6))
    wave = np.sin(u + bend) * np.sin(v + bend) * 0.5 + 0.5
    noise = _grain(rng, size, 6.0, 1.0)
    return np.clip(wave * 0.7 + noise * 0.6 - 0.15, 0, 1).astype(np.float32)


def _thing(canvas: Picture, rng: np.random.Generator, side_px: float) -> None:
    """Lay one thing on the table: sheet, cable, print, coin, marker or rows of dots."""
    size = canvas.shape[0]
    colour = tuple(float(c) * 255 for c in _tone(rng))
    x, y = (int(v) for v in rng.uniform(0, size, 2))
    kind = rng.random()
    if kind < 0.3:
        sides = tuple(float(v) for v in rng.uniform(0.4, 5, 2) * side_px)
        box = cv2.boxPoints(((x, y), sides, float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(canvas, np.round(box).astype(np.int32), colour, cv2.LINE_AA)
    elif kind < 0.42:
        points = np.array([x, y]) + np.cumsum(rng.normal(0, 0.8 * side_px, (8, 2)), axis=0)
        thick = int(rng.integers(1, max(3, int(side_px / 3))))
        cv2.polylines(canvas, [points.astype(np.int32)], False, colour, thick, cv2.LINE_AA)
    elif kind < 0.6:
        text = "".join(rng.choice(list("ABCDEFGHKLMNOPRSTUVW0123456789.:o"), 7))
        scale, thick = float(rng.uniform(0.3, 2)), int(rng.integers(1, 5))
        cv2.putText(canvas, text, (x - 60, y), int(rng.integers(0, 8)), scale, colour, thick)
    elif kind < 0.72:
        radius = int(rng.uniform(0.06, 0.9) * side_px)
        cv2.circle(canvas, (x, y), max(2, radius), colour, -1, cv2.LINE_AA)
        if rng.random() < 0.5:
            inner = tuple(float(c) * 255 for c in _tone(rng))
            cv2.circle(canvas, (x, y), max(1, radius // 2), inner, -1, cv2.LINE_AA)
    elif kind < 0.84:
        step = rng.uniform(0.15, 0.7) * side_px
        radius = max(1, int(step * rng.uniform(0.12, 0.35)))
        turn, shift = rng.uniform(0, np.pi), rng.uniform(0.5, 1)
        across, down = (int(v) for v in rng.integers(1, 9, 2))
        for i in range(across):
            for k in range(down):
                u, v = i * step, k * step * shift
                px = int(x + u * np.cos(turn) - v * np.sin(turn))
                py = int(y + u * np.sin(turn) + v * np.cos(turn))
                cv2.circle(canvas, (px, py), radius, colour, -1, cv2.LINE_AA)
    else:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        side = int(rng.uniform(0.7, 1.6) * side_px)
        mark = cv2.aruco.generateImageMarker(dictionary, int(rng.integers(0, 50)), max(12, side))
        mark = cv2.copyMakeBorder(mark, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255)
        h, w = min(mark.shape[0], size - y), min(mark.shape[1], size - x)
        canvas[y : y + h, x : x + w] = mark[:h, :w, None]
