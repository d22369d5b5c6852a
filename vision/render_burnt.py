"""How much of a face a mirrored lamp burns out: as bright as a sensor can tell, drawing or not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_sensor import TOP, Exposed
from vision.render_view import Floats

_INNER = 0.9  # of the face's side: its border is not drawn on


def burnt_out(lit: Exposed, clear: Exposed, quads: Sequence[Floats]) -> float:
    """Share of the worst face that the lamp has burnt out, 0..1.

    lit, clear: the picture with the lamp's reflections and without; quads: corners (4, 2) of the
    upper faces in pixels. What is burnt out without the lamp, or drawn white, is not counted: the
    drawing shows as long as what is darker does.
    """
    worst = 0.0
    for quad in quads:
        middle = quad.mean(0)
        spot = np.zeros(lit.shape[:2], np.uint8)
        inner = np.round(middle + (quad - middle) * _INNER).astype(np.int32)
        cv2.fillConvexPoly(spot, inner, 1)
        darker = (spot > 0) & ~_at_top(clear)
        if darker.any():
            worst = max(worst, float(_at_top(lit)[darker].mean()))
    return worst


def _at_top(exposed: Exposed) -> npt.NDArray[np.bool_]:
    return np.asarray((exposed >= TOP).all(axis=2))
