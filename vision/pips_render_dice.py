"""What the drawn dice are made of and what is on their faces: pips on most, else anything."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]

# What is on the faces. Axis and sign: face 2 * axis + (1 where the sign is negative).
VALUES = (1, 6, 2, 5, 3, 4)
SPOTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Style:
    """What the dice of one kind are made of; colours are blue, green, red, 0..1."""

    body: Floats
    pip: Floats
    one: Floats
    radius: float  # of a pip, in sides
    one_radius: float
    spread: float  # distance of the outer pips from the middle, in sides
    pair: Floats  # (7, 2) how much wider or narrower each face's pips stand, along and across
    rounding: float
    ball: float  # radius of the ball that cuts the corners off, in sides
    dent: float
    shine: float
    gloss: float
    marble: float
    marble_waves: Floats
    symbols: Floats | None  # (6, 48, 48) ink of each face, or None for pips


def random_style(rng: np.random.Generator, only_pips: bool = False) -> Style:
    """A random kind of dice: two in three have pips, or all of them."""
    body, pip = _random_colours(rng)
    one = pip
    if rng.random() < 0.12:
        one = _colour(rng.uniform(0, 12), 0.85, rng.uniform(0.5, 0.9))
    radius = float(rng.uniform(0.072, 0.125))
    symbols = None
    if rng.random() < 0.35 and not only_pips:
        symbols = np.stack([_symbol(rng) for _ in range(6)])
    return Style(
        body=body,
        pip=pip,
        one=one,
        radius=radius,
        one_radius=radius * float(rng.choice([1.0, 1.25, 1.6], p=[0.7, 0.2, 0.1])),
        spread=float(rng.uniform(0.2, 0.285)),
        pair=_spacing(rng),
        rounding=float(rng.uniform(0.02, 0.2)),
        ball=float(rng.choice([0.9, rng.uniform(0.64, 0.8)])),
        dent=float(rng.uniform(0, 0.9)),
        shine=float(rng.choice([0, rng.uniform(0.05, 0.9)])),
        gloss=float(np.exp(rng.uniform(1.5, 5.5))),
        marble=float(rng.choice([0, rng.uniform(0.03, 0.3)], p=[0.7, 0.3])),
        marble_waves=rng.normal(0, 7, (4, 3)).astype(np.float32),
        symbols=symbols,
    )


def paint(
    style: Style, turns: npt.NDArray[np.int64], point: Floats, normal: Floats
) -> tuple[Floats, Floats]:
    """Colour of each point, and the normal bent by the hollow of a pip.

    turns: (6,) quarter turns of each face's print. point, normal: (n, 3) in the die's own axes.
    """
    axis = np.abs(point).argmax(axis=1)
    face = 2 * axis + (point[np.arange(len(point)), axis] < 0)
    colour = np.repeat(style.body[None], len(point), axis=0)
    if style.marble:
        waves = np.sin(
            point @ style.marble_waves.T * 1.5 + np.sin(point[:, ::-1] * 9).sum(1)[:, None]
        )
        colour = colour * (1 + style.marble * waves.mean(1)[:, None] * 2)
    normal = normal.copy()
    for number in range(6):
        rows = np.flatnonzero(face == number)
        if not len(rows):
            continue
        others = [k for k in range(3) if k != number // 2]
        u, v = point[rows][:, others].T
        for _ in range(int(turns[number])):
            u, v = v, -u
        if style.symbols is not None:
            at = (
                (np.clip(v + 0.5, 0, 0.999) * 48).astype(int),
                (np.clip(u + 0.5, 0, 0.999) * 48).astype(int),
            )
            ink = style.symbols[number][at][:, None]
            colour[rows] = colour[rows] * (1 - ink) + style.pip * ink
            continue
        value = VALUES[number]
        radius = style.one_radius if value == 1 else style.radius
        tone = style.one if value == 1 else style.pip
        for a, b in SPOTS[value]:
            du, dv = (
                u - a * style.spread * style.pair[value, 0],
                v - b * style.spread * style.pair[value, 1],
            )
            apart = np.sqrt(du * du + dv * dv)
            ink = np.clip((radius - apart) / 0.012 + 0.5, 0, 1)[:, None]
            colour[rows] = colour[rows] * (1 - ink) + tone * ink
            inside = apart < radius
            bent = rows[inside]
            back = turns[number] % 4
            pu, pv = du[inside], dv[inside]
            for _ in range(int(back)):
                pu, pv = -pv, pu
            normal[bent, others[0]] -= style.dent * pu / radius
            normal[bent, others[1]] -= style.dent * pv / radius
            normal[bent] /= np.linalg.norm(normal[bent], axis=1, keepdims=True)
    return np.asarray(colour, np.float32), normal


def _random_colours(rng: np.random.Generator) -> tuple[Floats, Floats]:
    kind = rng.random()
    dark = _colour(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.01, 0.15))
    white = _colour(rng.uniform(20, 60), rng.uniform(0, 0.25), rng.uniform(0.75, 1.0))
    strong = _colour(rng.uniform(0, 360), rng.uniform(0.55, 1), rng.uniform(0.25, 0.95))
    gold = _colour(rng.uniform(35, 55), rng.uniform(0.3, 0.8), rng.uniform(0.6, 0.95))
    pale = white if rng.random() < 0.7 else gold
    if kind < 0.42:
        body, pip = white, dark
        if rng.random() < 0.15:
            pip = _colour(rng.uniform(0, 360), 0.9, rng.uniform(0.3, 0.7))
    elif kind < 0.72:
        body, pip = strong, pale
        if float(body @ _GREY) > 0.5:
            pip = dark
    elif kind < 0.84:
        body, pip = dark, pale
    else:
        # Any pair that can be told apart.
        for _ in range(20):
            body = _colour(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.2, 1))
            pip = _colour(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.05, 1))
            if np.linalg.norm(body - pip) > 0.5:
                break
        else:
            body, pip = white, dark
    return body, pip


def _spacing(rng: np.random.Generator) -> Floats:
    pair = np.repeat(rng.normal(1, 0.05, (7, 1)), 2, axis=1)
    if rng.random() < 0.5:
        # On many dice the two rows of the six stand closer together than the corners of the four.
        pair[6, 0] *= rng.uniform(0.55, 1.0)
        pair[6, 1] *= rng.uniform(0.95, 1.15)
    return pair.clip(0.5, 1.2).astype(np.float32)


_GREY = np.array([0.114, 0.587, 0.299], np.float32)


def _colour(hue: float, saturation: float, value: float) -> Floats:
    pixel = np.array([[[hue % 360, saturation, value]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _symbol(rng: np.random.Generator) -> Floats:
    """Ink of a face that has no pips, (48, 48) 0..1: numeral, figure, odd spots or nothing."""
    ink = np.zeros((96, 96), np.uint8)
    kind = rng.random()
    if kind < 0.4:
        text = str(rng.choice(list("1234567890ABEKMRSX?!+")))
        font = int(rng.choice([0, 1, 2, 3, 4, 6, 7]))
        thick = int(rng.integers(3, 12))
        (w, h), _ = cv2.getTextSize(text, font, 1.0, thick)
        scale = rng.uniform(40, 70) / max(w, h)
        (w, h), _ = cv2.getTextSize(text, font, scale, thick)
        cv2.putText(ink, text, (48 - w // 2, 48 + h // 2), font, scale, 255, thick)
        if rng.random() < 0.15:
            cv2.circle(ink, (48 + w // 2 + 5, 48 + h // 2), 5, 255, -1)
    elif kind < 0.5:
        _figure(ink, rng)
    elif kind < 0.65:
        for _ in range(int(rng.integers(1, 4))):
            points = 48 + rng.normal(0, 18, (int(rng.integers(3, 8)), 2))
            if rng.random() < 0.5:
                points = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
            cv2.fillPoly(ink, [points.astype(np.int32)], int(255 * rng.random()))
        if rng.random() < 0.4:
            cv2.circle(ink, (48, 48), int(rng.integers(22, 36)), 255, int(rng.integers(2, 9)))
    elif kind < 0.8:
        count = int(rng.choice([2, 3, 4, 5, 7, 8, 9]))
        for x, y in rng.uniform(18, 78, (count, 2)) if count < 7 else _NINE[:count] * 22 + 48:
            cv2.circle(ink, (int(x), int(y)), int(rng.integers(4, 11)), 255, -1)
    elif kind < 0.93:
        radius = int(rng.integers(20, 40))
        cv2.circle(ink, (48, 48), radius, 255, -1 if rng.random() < 0.5 else radius // 4)
        if rng.random() < 0.6:
            cv2.ellipse(ink, (48, 48), (radius // 2, radius // 4), 90 * rng.random(), 0, 360, 0, -1)
    spun = cv2.getRotationMatrix2D((47.5, 47.5), float(rng.choice([0, 90, 180, 270, 45])), 1.0)
    ink = cv2.warpAffine(ink, spun, (96, 96))
    return np.asarray(cv2.resize(ink, (48, 48), interpolation=cv2.INTER_AREA), np.float32) / 255


def _figure(ink: npt.NDArray[np.uint8], rng: np.random.Generator) -> None:
    """A sign in a frame or alone: bars, a cross, a shield, a star, an eye with a dot in it."""
    kind, thick = int(rng.integers(5)), int(rng.integers(5, 14))
    reach = int(rng.integers(16, 32))
    if kind == 0:
        for _ in range(int(rng.integers(1, 4))):
            a, b = (rng.normal(48, reach * 0.7, 2).astype(int).tolist() for _ in range(2))
            cv2.line(ink, a, b, 255, thick)
    elif kind == 1:
        cv2.line(ink, (48 - reach, 48), (48 + reach, 48), 255, thick)
        if rng.random() < 0.7:
            cv2.line(ink, (48, 48 - reach), (48, 48 + reach), 255, thick)
    elif kind == 2:
        shield = np.array([[-1, -1], [1, -1], [1, 0.2], [0, 1.2], [-1, 0.2]]) * reach * 0.8 + 48
        cv2.polylines(ink, [shield.astype(np.int32)], True, 255, thick)
        if rng.random() < 0.6:
            cv2.circle(ink, (48, 46), reach // 3, 255, -1)
    elif kind == 3:
        count = int(rng.integers(3, 8))
        turn = np.arange(2 * count) * np.pi / count
        far = np.where(np.arange(2 * count) % 2, reach * rng.uniform(0.3, 0.7), reach)
        star = np.stack([far * np.cos(turn), far * np.sin(turn)], axis=1) + 48
        cv2.fillPoly(ink, [star.astype(np.int32)], 255)
    else:
        cv2.ellipse(ink, (48, 48), (reach, reach * 2 // 3), 0, 0, 360, 255, thick // 2 + 1)
        cv2.circle(ink, (48, 48), int(rng.integers(3, 12)), 255, -1)
    if rng.random() < 0.3:
        edge = int(rng.integers(6, 14))
        cv2.rectangle(ink, (edge, edge), (96 - edge, 96 - edge), 255, int(rng.integers(2, 6)))


_NINE = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])[[0, 2, 6, 8, 3, 5, 4, 1, 7]]
