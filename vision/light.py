"""Compare a picture of the tray with the empty tray, whatever the lamp does today.

Brightness is compared as a ratio, colour by colour, and the ratio of the whole tray is taken out
first: a longer exposure or a warmer lamp changes every place alike and is no die.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.float32]

# Asked for and given back once, so much memory teaches the C library to keep what a frame's
# drawings need: fetching it from the system anew takes a seventh of the time of a reading.
np.empty(30 << 20, np.uint8)


_GRAIN = 0.55  # where the felt's grain is kept so well on the whole, it tells things from shadows
_COVERED = 0.65  # share of that grain below which the ground is covered
_PLAIN_GRAIN = 0.02  # log brightness, root mean square
_OTHER = 0.3  # grain kept below which felt and wood are not those of the empty tray
_DARK = 6.0  # added before the logarithm, so that noise in black does not count as change


@dataclass(frozen=True, slots=True)
class Change:
    """What differs from the empty tray.

    mask: (h, w) bool, changed in brightness, colour or drawing: where to look for dice.
    thing: (h, w) bool, covered by something; shadows and lights are left out.
    drawn: (h, w) bool, steep where the empty tray is not: edges, drawings, hard shadows' ends.
    brighter: (h, w) float32, change of log brightness beyond the light's own.
    tint: (h, w) float32, change of colour, 0 where only the brightness changed (a shadow).
    gain: (3,) log ratio of the whole tray's light to the reference's: blue, green, red.
    kept: (h, w) float32, how far the ground's grain is still seen, -1..1.
    grain: how well the felt's grain was recognised on the whole, -1..1; low on a smooth felt.
    """

    mask: npt.NDArray[np.bool_]
    thing: npt.NDArray[np.bool_]
    drawn: npt.NDArray[np.bool_]
    brighter: Floats
    tint: Floats
    gain: Floats
    kept: Floats
    grain: float


_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK)).astype(np.float32)


def logarithm(drawing: Picture) -> Floats:
    """Log brightness of a picture, (h, w, 3) float32."""
    return np.asarray(cv2.LUT(drawing, _LOG), np.float32)


def linear(brightness: Floats) -> Floats:
    """What the camera gave for log brightness, 0..1; the inverse of `logarithm`."""
    return np.clip((np.exp(brightness) - np.float32(_DARK)) / np.float32(255), 0, 1)


def soften(drawing: Floats) -> Floats:
    """Blur by one pixel: what is finer is the sensor's noise."""
    return np.asarray(cv2.GaussianBlur(drawing, (5, 5), 1.0), np.float32)


def compare(drawing: Floats, empty: Floats, margin_px: int, *, seen: bool = True) -> Change:
    """Compare log brightness, (h, w, 3) each, with the empty tray's on the same grid.

    drawing, empty: as `halved` gives them. margin_px: pixels around the tray's inside; the felt
    lies lower than the rim and is shifted against it where the camera was nudged since. seen:
    whether the empty tray was ever seen; else its felt has no grain to be recognised by.
    """
    inside = (slice(margin_px, -margin_px), slice(margin_px, -margin_px))
    every = (slice(margin_px, -margin_px, 4), slice(margin_px, -margin_px, 4))
    light_now, light_was = _mean(drawing), _mean(empty)
    if seen:
        kept, plain = _kept(light_now, light_was)
        grain = float(np.median(kept[every]))
    else:
        kept = plain = np.zeros_like(light_now)
        grain = 0.0
    if seen and grain < _GRAIN:
        empty = _shifted_felt(light_now, empty, light_was, margin_px)
        light_was = _mean(empty)
        kept, plain = _kept(light_now, light_was)
        grain = float(np.median(kept[every]))
    ratio = cv2.subtract(drawing, empty)
    gain = np.median(ratio[every].reshape(-1, 3).T.copy(), axis=1)
    # Four numbers are taken from every pixel alike.
    ratio = np.asarray(cv2.subtract(ratio, np.append(gain, 0.0).astype(np.float64)), np.float32)
    brighter = _mean(ratio)
    apart = [cv2.absdiff(plane, brighter) for plane in cv2.split(ratio)]
    tint = np.asarray(cv2.max(cv2.max(apart[0], apart[1]), apart[2]), np.float32)
    noise_b = min(0.1, 1.48 * float(np.median(np.abs(brighter[every]))))
    noise_t = min(0.05, 1.48 * float(np.median(tint[every])))
    mask = (np.abs(brighter) > max(0.12, 4 * noise_b)) | (tint > max(0.08, 4 * noise_t))
    # A dark die may be no darker than the felt; its drawing and its edges are new all the same.
    now, was = _relief(light_now), _relief(light_was)
    usual = float(np.percentile(was[inside][::5, ::5], 95))
    drawn = now > np.maximum(2.0 * usual, was + 2.0 * usual)
    mask |= drawn
    thing = (tint > max(0.12, 5 * noise_t)) | (brighter > max(0.2, 5 * noise_b))
    if grain >= _GRAIN:
        covered = kept < _COVERED * grain
        hidden = (plain > _PLAIN_GRAIN**2) & (kept < 0.25)
        thing = (thing | (brighter < -0.2) | hidden) & covered
        mask &= covered
    # Drawings on a die may be as bright as the felt: close what change surrounds.
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    return Change(
        mask=closed > 0,
        thing=thing,
        drawn=drawn,
        brighter=brighter,
        tint=tint,
        gain=gain.astype(np.float32),
        kept=kept,
        grain=grain,
    )


def other_tray(change: Change, margin_px: int) -> bool:
    """Whether the empty tray compared with is another one: neither felt nor rim has its grain.

    Wood keeps its grain whatever the lamp does; a hand or a sleeve hides only a part of it.
    """
    kept, rim, corner = change.kept, margin_px * 2 // 3, 2 * margin_px
    sides = (
        kept[margin_px - rim : margin_px, corner:-corner],
        kept[-margin_px : rim - margin_px, corner:-corner],
        kept[corner:-corner, margin_px - rim : margin_px],
        kept[corner:-corner, -margin_px : rim - margin_px],
    )
    wood = np.concatenate([side[::2, ::2].ravel() for side in sides])
    return change.grain < _OTHER and float(np.median(wood)) < _OTHER


def as_if_empty(drawing: Floats, margin_px: int) -> Floats:
    """What this tray may look like without what lies in it, for want of a picture of it empty.

    Felt is even but for what runs along the walls, and dice cover little of any row or column. The
    rim is taken as it is: what lies there cannot be told from it.
    """
    result = drawing.copy()
    inside = (slice(margin_px, -margin_px), slice(margin_px, -margin_px))
    felt = drawing[inside]
    rows = np.median(felt[:, ::3], axis=1, keepdims=True)
    columns = np.median(felt[::3] - rows[::3], axis=0, keepdims=True)
    result[inside] = rows + columns
    return result


def halved(drawing: Floats) -> Floats:
    """A drawing at half its scale: enough to tell where something has changed."""
    size = (drawing.shape[1] // 2, drawing.shape[0] // 2)
    return np.asarray(cv2.resize(drawing, size, interpolation=cv2.INTER_AREA), np.float32)


def _mean(drawing: Floats) -> Floats:
    third = np.full((1, 3), 1 / 3, np.float32)
    return np.asarray(cv2.transform(drawing, third), np.float32)


def _kept(now: Floats, was: Floats) -> tuple[Floats, Floats]:
    """How far the ground's own grain is still seen, -1..1, 0 where it has none; its strength.

    Light and shadow leave the grain of felt and wood as it was; a thing on top hides it.
    """
    fine = [cv2.subtract(f, cv2.blur(f, (5, 5))) for f in (now, was)]
    size = (7, 7)
    both = cv2.blur(cv2.multiply(fine[0], fine[1]), size)
    powers = [cv2.blur(cv2.multiply(f, f), size) for f in fine]
    share = both / (cv2.sqrt(cv2.multiply(powers[0], powers[1])) + 1e-4)
    return np.asarray(share, np.float32), np.asarray(powers[1], np.float32)


def _shifted_felt(now: Floats, empty: Floats, was: Floats, margin_px: int) -> Floats:
    """The empty tray with its felt shifted to where this picture shows it."""
    parts = [f[margin_px:-margin_px, margin_px:-margin_px] for f in (now, was)]
    fine = [np.clip(p - cv2.blur(p, (5, 5)), -0.2, 0.2) for p in parts]
    height, width = fine[0].shape
    spots: list[tuple[float, float, float]] = []
    moves: list[tuple[float, float]] = []
    for rows in _halves(height, 2):
        for columns in _halves(width, 3):
            a, b = (np.ascontiguousarray(f[rows, columns]) for f in fine)
            window = cv2.createHanningWindow(a.shape[::-1], cv2.CV_32F)
            (dx, dy), response = cv2.phaseCorrelate(b, a, window)
            if response > 0.08 and np.hypot(dx, dy) < 7:
                spots.append(((columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2, 1))
                moves.append((dx, dy))
    if len(spots) < 4:
        return empty
    slope, *_ = np.linalg.lstsq(np.array(spots), np.array(moves), rcond=None)
    matrix = np.array([[1.0, 0, 0], [0, 1.0, 0]]) + slope.T
    inner = np.ascontiguousarray(empty[margin_px:-margin_px, margin_px:-margin_px])
    moved = cv2.warpAffine(
        inner, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    result = empty.copy()
    result[margin_px:-margin_px, margin_px:-margin_px] = moved
    return result


def _halves(length: int, parts: int) -> list[slice]:
    """Cut a length into equal parts."""
    edges = [round(length * k / parts) for k in range(parts + 1)]
    return [slice(a, b) for a, b in itertools.pairwise(edges)]


def _relief(light: Floats) -> Floats:
    """Steepness of brightness, (h, w)."""
    steep = cv2.magnitude(cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1))
    return np.asarray(steep, np.float32)
