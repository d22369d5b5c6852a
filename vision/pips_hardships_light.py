"""What may have happened to a photograph: size, turn, lamp, lens, colours and compression."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.float32]
Chance = np.random.Generator
Spoil = Callable[[Picture, Chance], Picture]


def _as_it_is(picture: Picture, rng: Chance) -> Picture:
    return picture


def _long_side(pixels: int) -> Spoil:
    def spoil(picture: Picture, rng: Chance) -> Picture:
        share = pixels / max(picture.shape[:2])
        how = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
        return np.asarray(
            cv2.resize(picture, None, fx=share, fy=share, interpolation=how), np.uint8
        )

    return spoil


def _quarter_turn(picture: Picture, rng: Chance) -> Picture:
    turns = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)
    return np.asarray(cv2.rotate(picture, turns[int(rng.integers(3))]), np.uint8)


def _askew(picture: Picture, rng: Chance) -> Picture:
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(15, 75)), 0.75)
    return np.asarray(
        cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _aslant(picture: Picture, rng: Chance) -> Picture:
    """As seen by a camera some 20 degrees further to one side: far things smaller."""
    height, width = picture.shape[:2]
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    less = np.array([[0.12 * width, 0.06 * height]], np.float32)
    seen = square + less * np.array([[1, 1], [-1, 1], [0, 0], [0, 0]], np.float32)
    if rng.random() < 0.5:
        seen = square + less * np.array([[0, 0], [0, 0], [-1, -1], [1, -1]], np.float32)
    way = cv2.getPerspectiveTransform(square, seen)
    aslant = cv2.warpPerspective(picture, way, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(aslant, np.uint8)


def _mirrored(picture: Picture, rng: Chance) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])


def _grey(picture: Picture, rng: Chance) -> Picture:
    return np.asarray(
        cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8
    )


def _light(gain: tuple[float, float, float], noise: float) -> Spoil:
    """Light of another strength and colour: blue, green, red; noise in grey levels."""

    def spoil(picture: Picture, rng: Chance) -> Picture:
        lit = picture.astype(np.float32) * np.array(gain, np.float32)
        if noise:
            lit += rng.normal(0, noise, picture.shape).astype(np.float32)
        return np.asarray(np.clip(lit, 0, 255), np.uint8)

    return spoil


def _faint(picture: Picture, rng: Chance) -> Picture:
    return np.asarray(picture.astype(np.float32) * 0.35 + 95, np.uint8)


def _side_shadow(picture: Picture, rng: Chance) -> Picture:
    height, width = picture.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = float(rng.uniform(0, 2 * np.pi))
    along = (xs - width / 2) * np.cos(angle) + (ys - height / 2) * np.sin(angle)
    share = 1 / (1 + np.exp(-np.clip(along / (0.01 * width), -30, 30)))
    return np.asarray(picture * (0.35 + 0.65 * share[..., None]), np.uint8)


def _glare(picture: Picture, rng: Chance) -> Picture:
    height, width = picture.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = width * rng.uniform(0.3, 0.7), height * rng.uniform(0.3, 0.7)
    apart = ((xs - x) ** 2 + (ys - y) ** 2) / (0.12 * width) ** 2
    return np.asarray(np.clip(picture + 110 * np.exp(-apart)[..., None], 0, 255), np.uint8)


def _defocus(share: float) -> Spoil:
    """Blur of a deviation of `share` of the longer side."""

    def spoil(picture: Picture, rng: Chance) -> Picture:
        return np.asarray(
            cv2.GaussianBlur(picture, (0, 0), share * max(picture.shape[:2])), np.uint8
        )

    return spoil


def _shaken(picture: Picture, rng: Chance) -> Picture:
    length = max(3, round(0.006 * max(picture.shape[:2])))
    line = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = float(rng.uniform(0, np.pi))
    way = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [tuple(int(v) for v in np.rint(length + s * way)) for s in (-1, 1)]
    cv2.line(line, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()), np.uint8)


def _noisy(picture: Picture, rng: Chance) -> Picture:
    return _light((1.0, 1.0, 1.0), 22.0)(picture, rng)


def _jpeg(quality: int) -> Spoil:
    def spoil(picture: Picture, rng: Chance) -> Picture:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    return spoil


def _other_colours(picture: Picture, rng: Chance) -> Picture:
    """Every hue another one, and white and grey coloured too."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(30, 150)) % 180
    tint = np.array([[[rng.uniform(0, 180), 170, 255]]], np.uint8)
    colour = cv2.cvtColor(tint, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255
    turned = cv2.cvtColor(np.asarray(hsv, np.uint8), cv2.COLOR_HSV2BGR)
    return np.asarray(turned * colour, np.uint8)


def _negative(picture: Picture, rng: Chance) -> Picture:
    """White dice become black ones with white pips."""
    return np.asarray(255 - picture, np.uint8)


def _far_away(picture: Picture, rng: Chance) -> Picture:
    """Three times smaller within a larger picture of the same ground."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (width // 3, height // 3), interpolation=cv2.INTER_AREA)
    sides = (height // 3, height // 3, width // 3, width // 3)
    return np.asarray(cv2.copyMakeBorder(small, *sides, cv2.BORDER_REPLICATE), np.uint8)


def _whole_table(picture: Picture, rng: Chance) -> Picture:
    """A large photograph, 3600 pixels wide, in which dice are 1 % of the width."""
    small = _long_side(440)(picture, rng)
    high, wide = (n - m for n, m in zip((2700, 3600), small.shape[:2], strict=True))
    sides = (high // 2, high - high // 2, wide // 2, wide - wide // 2)
    return np.asarray(cv2.copyMakeBorder(small, *sides, cv2.BORDER_REPLICATE), np.uint8)


SPOILT: dict[str, Spoil] = {
    "as it is": _as_it_is,
    "640 pixels": _long_side(640),
    "480 pixels": _long_side(480),
    "180 pixels": _long_side(180),
    "12 megapixels": _long_side(4000),
    "a quarter turn": _quarter_turn,
    "askew": _askew,
    "aslant": _aslant,
    "mirrored": _mirrored,
    "far away": _far_away,
    "a whole table": _whole_table,
    "grey": _grey,
    "other colours": _other_colours,
    "negative": _negative,
    "warm light": _light((0.55, 0.8, 1.15), 2.0),
    "cool light": _light((1.15, 0.95, 0.7), 2.0),
    "dim light": _light((0.2, 0.2, 0.2), 4.0),
    "bright light": _light((1.5, 1.5, 1.5), 2.0),
    "faint": _faint,
    "side shadow": _side_shadow,
    "glare": _glare,
    "out of focus": _defocus(0.0025),
    "far out of focus": _defocus(0.005),
    "shaken": _shaken,
    "noise": _noisy,
    "JPEG 30": _jpeg(30),
    "JPEG 10": _jpeg(10),
}
"""Every way by name; each makes a picture of the same dice."""
