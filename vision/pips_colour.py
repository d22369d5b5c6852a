"""Name the colour of a die's body, as somebody at the table would."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.floating]

COLOURS = (
    "white", "grey", "black", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown",
)  # fmt: skip
"""Every name that `body_colour` may answer."""

_HUES = ((12, "red"), (24, "orange"), (40, "yellow"), (85, "green"), (128, "blue"), (160, "purple"))
_GRID = 17
_WARMEST = (0.55, 0.75, 1.0)  # blue, green, red that lamplight leaves of white; less is a red table


def body_colour(
    picture: Picture,
    x: float,
    y: float,
    size: float,
    white: Floats | None = None,
    cast: Floats | None = None,
) -> str:
    """Name of the body's colour, one of `COLOURS`.

    x, y, size: centre and width of the upper face in pixels. white: what white paper looks like in
    this picture, (3,) blue, green, red 0..255; without, warm lamplight is allowed for, as
    `lamplight` tells it: many dice of one picture share it as `cast`.
    """
    steps = (np.arange(_GRID) - _GRID // 2) / _GRID * 0.76 * size
    xs = np.clip(np.rint(x + steps).astype(int), 0, picture.shape[1] - 1)
    ys = np.clip(np.rint(y + steps).astype(int), 0, picture.shape[0] - 1)
    pixels = picture[np.ix_(ys, xs)].reshape(-1, 3).astype(np.float32)
    half = np.sort(_larger_half(pixels), axis=0)
    body = half[len(half) // 2]
    limit = 0.3
    if white is not None:
        body = np.clip(body * 255 / np.maximum(np.asarray(white, np.float32), 40), 0, 255)
    else:
        body = _without_lamplight(body, lamplight(picture) if cast is None else cast)
        limit = 0.275
    one = np.asarray(body, np.float32)[None, None] / 255
    hue, saturation, value = (float(v) for v in cv2.cvtColor(one, cv2.COLOR_BGR2HSV)[0, 0])
    return _name(hue / 2, saturation, value, limit)


def lamplight(picture: Picture) -> Floats:
    """How warm the light may be, (3,): what it leaves of white, 1 for all.

    The table tells the cast: its own colour is unknown, but most are no bluer than paper.
    """
    table = np.median(picture[::8, ::8].reshape(-1, 3), axis=0).astype(np.float32) + 1
    return np.maximum(_WARMEST, table / table.max())


def _without_lamplight(body: Floats, cast: Floats) -> Floats:
    """Take a warm cast off a warm body, at most until it is grey."""
    blue, green, red = (float(v) for v in body)
    if not blue <= green <= red:
        return body
    return np.array([min(red, blue / cast[0]), min(red, green / cast[1]), red], np.float32)


def _larger_half(pixels: Floats) -> Floats:
    """Pixels of the body: pips cover less of a face than the body does."""
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    axis = int((high - low).argmax())
    cut = float(low[axis] + high[axis]) / 2
    values = np.ascontiguousarray(pixels[:, axis])
    total = float(values.sum())
    for _ in range(5):
        upper = values > cut
        count = int(upper.sum())
        if count in (0, len(values)):
            return pixels
        above = float(values[upper].sum())
        new = (above / count + (total - above) / (len(values) - count)) / 2
        if abs(new - cut) < 0.5:
            break
        cut = new
    upper = values > cut
    return pixels[upper] if upper.sum() * 2 > len(pixels) else pixels[~upper]


def _name(hue: float, saturation: float, value: float, limit: float) -> str:
    """hue: 0 to 180; limit: saturation up to which a body counts as having no colour."""
    if value < 0.22:
        return "black"
    if saturation < limit:
        return "white" if value > 0.4 else "grey" if value > 0.3 else "black"
    past = "pink" if saturation < 0.5 and value > 0.5 else "red"
    name = next((name for end, name in _HUES if hue < end), past)
    if name == "orange" and saturation < 0.6 and value > 0.5:
        return "yellow"  # pale orange is what cameras make of yellow
    if name in ("orange", "red") and value < 0.45 and saturation < 0.75:
        return "brown"
    return name
