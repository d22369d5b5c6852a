"""Compare a picture of the tray with the empty tray, whatever the lamp does today.

Brightness is compared as a ratio, colour by colour, and the ratio of the whole tray is taken out
first: a longer exposure or a warmer lamp changes every place alike and is no die.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.float32]

_DARK = 6.0  # added before the logarithm, so that noise in black does not count as change


@dataclass(frozen=True, slots=True)
class Change:
    """What differs from the empty tray.

    mask: (h, w) bool, changed in brightness or colour.
    brighter: (h, w) float32, change of log brightness beyond the light's own.
    tint: (h, w) float32, change of colour, 0 where only the brightness changed (a shadow).
    gain: (3,) log ratio of the whole tray's light to the reference's: blue, green, red.
    """

    mask: npt.NDArray[np.bool_]
    brighter: Floats
    tint: Floats
    gain: Floats


_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK)).astype(np.float32)


def logarithm(drawing: Picture) -> Floats:
    """Log brightness of a picture, (h, w, 3) float32."""
    return _LOG[drawing]


def soften(drawing: Floats) -> Floats:
    """Blur by one pixel: what is finer is the sensor's noise."""
    return np.asarray(cv2.GaussianBlur(drawing, (0, 0), 1.0), np.float32)


def compare(drawing: Floats, empty: Floats, margin_px: int) -> Change:
    """Compare log brightness, (h, w, 3) each, with the empty tray's on the same grid."""
    ratio = drawing - empty
    inner = ratio[margin_px:-margin_px:3, margin_px:-margin_px:3].reshape(-1, 3)
    gain = np.median(inner, axis=0)
    ratio = ratio - gain
    brighter = ratio.mean(axis=2)
    tint = np.abs(ratio - brighter[..., None]).max(axis=2)
    noise_b = 1.48 * float(np.median(np.abs(brighter[margin_px:-margin_px:3, ::3])))
    noise_t = 1.48 * float(np.median(tint[margin_px:-margin_px:3, ::3]))
    mask = (np.abs(brighter) > max(0.12, 4 * noise_b)) | (tint > max(0.08, 4 * noise_t))
    mask = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    # A dark die may be no darker than the felt; its drawing and its edges are new all the same.
    now, was = _relief(drawing), _relief(empty)
    usual = float(np.percentile(was[margin_px:-margin_px:3, margin_px:-margin_px:3], 95))
    mask |= (now > np.maximum(2.0 * usual, was + 2.0 * usual)).astype(np.uint8)
    # Drawings on a die may be as bright as the felt: close what change surrounds.
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    return Change(mask > 0, brighter, tint, gain.astype(np.float32))


def _relief(drawing: Floats) -> Floats:
    """Steepness of brightness, (h, w)."""
    light = drawing.mean(axis=2)
    return cv2.magnitude(cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1))
