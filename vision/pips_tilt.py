"""How far upper faces are turned away from the camera, and how far flat ones would be.

The network that reads a face tells its tilt too: the part of its outward normal, length 1, that the
picture shows, right and down. All flat dice share one plane: in the tray it is known, on a
photograph it is the one that most of the dice have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.fit import TrayFit
from vision.pips_find import Face, Found

Floats = npt.NDArray[np.float64]

_OWN_ERROR = 0.04  # of a tilt, added to what the network itself doubts
_FLAT = 3.0  # deviations, up to which dice count as lying in the common plane
_LENSES = np.linspace(0.0, 1.4, 8)  # by how much tilts change over the longer side of a picture


def deviations(tilts: Floats, offs: Floats, flat: Floats) -> Floats:
    """How many deviations tilts, (n, 2), are from those of flat dice, (n, 2): (n,)."""
    spread = np.hypot(offs, _OWN_ERROR)
    return np.asarray(np.linalg.norm(tilts - flat, axis=1) / spread, np.float64)


def less_turned_away(tilts: Floats, flat: Floats) -> Floats:
    """By how much faces with such tilts are less turned away than flat ones would be there.

    tilts, flat: (n, 2). Answers (n,), -2..2; the network takes the side of a die that it mistakes
    for an upper face for one seen from above, whose tilt is small.
    """
    away = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return np.asarray(((flat - tilts) * away).sum(axis=1), np.float64)


def flat_in_the_tray(fit: TrayFit, places_mm: Floats) -> Floats:
    """Tilt of flat upper faces at places of the tray, (n, 2) millimetres: (n, 2)."""
    side = fit.tray.die_side_mm
    here = fit.to_px(places_mm)
    right = fit.to_px(places_mm + np.array([1.0, 0.0])) - here
    down = fit.to_px(places_mm + np.array([0.0, 1.0])) - here
    up = fit.to_px(places_mm, side + 1.0) - here
    away = np.column_stack([places_mm, np.full(len(places_mm), side)]) - fit.view.camera_mm
    facing = np.abs(away[:, 2]) / np.linalg.norm(away, axis=1)
    # A square millimetre that faces the camera would be so many square pixels.
    area = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]) / facing
    return np.asarray(up / np.sqrt(area)[:, None], np.float64)


def flat_on_a_table(
    size: tuple[int, int], found: Sequence[Found], faces: Sequence[Face]
) -> tuple[Floats, bool]:
    """The tilts that dice would have in the plane that most share, (n, 2); whether most do.

    size: (width, height) of the picture. A wide lens sees dice further out more from the side: how
    wide it is, is found with the plane.
    """
    tilts, offs = tilts_of(faces)
    places = np.array([(f.x, f.y) for f in found]).reshape(-1, 2)
    places = (places - np.array(size) / 2) / max(size)
    spread = np.hypot(offs, _OWN_ERROR)
    # Every die in turn may be the one that all others agree with, under every lens.
    rest = tilts[None] - _LENSES[:, None, None] * places[None]
    planes = rest
    for _ in range(3):
        weight = (_apart(planes, rest) < _FLAT * spread) / spread**2
        planes = weight @ rest / np.maximum(weight.sum(axis=2, keepdims=True), 1e-12)
    away = _apart(planes, rest) / spread
    cost = np.minimum(away, _FLAT).sum(axis=2)
    lens, start = np.unravel_index(int(cost.argmin()), cost.shape)
    agree = int((away[lens, start] < _FLAT).sum())
    return planes[lens, start] + _LENSES[lens] * places, agree * 2 > len(faces)


def _apart(planes: Floats, rest: Floats) -> Floats:
    """How far each tilt, (lenses, n, 2), is from each plane, (lenses, planes, 2)."""
    return np.asarray(np.linalg.norm(planes[:, :, None] - rest[:, None], axis=-1), np.float64)


def tilts_of(faces: Sequence[Face]) -> tuple[Floats, Floats]:
    """Tilts (n, 2) and what they may be off by, (n,)."""
    tilts = np.array([f.tilt for f in faces], np.float64).reshape(-1, 2)
    return tilts, np.array([f.off for f in faces], np.float64)
