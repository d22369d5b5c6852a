"""How far a picture tells a die's face from the others: the same roll is exposed with them up.

This asks no reader. Where faces differ by less than the sensor's noise, since the exposure or a
mirrored lamp has wiped out what is drawn, a person has next to nothing to go by.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.render_sensor import STEPS, TOP, Exposed, Sensor
from vision.render_view import Floats


def told_apart(
    shown: Exposed, other: Exposed, quads: Sequence[Floats], sensor: Sensor
) -> list[float]:
    """By how much each face differs from the other, against the noise: 1 is as much as that.

    shown, other: the picture with the faces that are up and with others, before noise; quads:
    corners (4, 2) of the upper faces in pixels. The difference in brightness is squared and
    averaged over a face, and its root divided by the noise's standard deviation.
    """
    told = np.minimum(shown, TOP).astype(np.float32) - np.minimum(other, TOP)
    squared = told.mean(axis=2) ** 2
    noise = sensor.noise * np.sqrt(sensor.gain) * STEPS
    result: list[float] = []
    for quad in quads:
        spot = np.zeros(squared.shape, np.uint8)
        cv2.fillConvexPoly(spot, np.round(quad).astype(np.int32), 1)
        mean = float(squared[spot > 0].mean()) if spot.any() else 0.0
        result.append(float(np.sqrt(mean) / noise))
    return result
