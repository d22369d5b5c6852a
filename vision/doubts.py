"""Notice what is in the tray and is no die: a hand, a sleeve, or a place nobody can explain."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.camera import Tray
from vision.fit import MARGIN_MM, TrayFit
from vision.light import Change
from vision.seen import ReadWarning, SeenDie

_LOOK_MM = 20.0  # how far around the tray's inside things are noticed
_HAND_DICE = 3.0  # something unexplained and larger than so many dice is a hand
_PLACE_DICE = 0.3  # something smaller than this share of a die is not worth a word


def doubts(
    change: Change, dice: Sequence[SeenDie], fit: TrayFit, scale: float
) -> list[ReadWarning]:
    """Warnings `hand_in_picture` and `unexplained_place` for all that no die explains.

    scale: pixels per millimetre of `change`.
    """
    side = fit.tray.die_side_mm
    mask = change.thing.astype(np.uint8)
    edge = round((MARGIN_MM - _LOOK_MM) * scale)
    mask[:edge] = mask[-edge:] = 0
    mask[:, :edge] = mask[:, -edge:] = 0
    for die in dice:
        middle = ((die.x + MARGIN_MM) * scale, (die.y + MARGIN_MM) * scale)
        reach = (side + 12) * scale
        box = cv2.boxPoints((middle, (reach, reach), die.angle))
        cv2.fillPoly(mask, [np.rint(box).astype(np.int32)], 0)
    size = round(4 * scale)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    # Fingers are one hand.
    joined = cv2.dilate(mask, np.ones((4 * size, 4 * size), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    found: list[ReadWarning] = []
    for label in range(1, count):
        ys, xs = np.nonzero((labels == label) & (mask > 0))
        area = len(xs) / scale**2
        x, y = float(xs.mean()) / scale - MARGIN_MM, float(ys.mean()) / scale - MARGIN_MM
        values = {"x": round(x, 1), "y": round(y, 1), "area_mm2": round(area)}
        reaches_out = (
            min(xs.min(), ys.min()) < edge + scale
            or xs.max() >= mask.shape[1] - edge - scale
            or ys.max() >= mask.shape[0] - edge - scale
        )
        if area > _HAND_DICE * side * side or (reaches_out and area > side * side):
            found.append(ReadWarning("hand_in_picture", values))
        elif area > _PLACE_DICE * side * side and _inside(x, y, fit.tray):
            found.append(ReadWarning("unexplained_place", values))
    return found


def _inside(x: float, y: float, tray: Tray) -> bool:
    return 0 <= x <= tray.width_mm and 0 <= y <= tray.height_mm
