"""Whether ordinary dice lie flat, by how far each upper face is turned away from the camera.

The network that reads a face tells that too (its tilt). All flat dice have the same upper plane:
in the tray it is known, on a photograph it is the one that most of the dice share. A tilt is the
part of the outward normal, length 1, that the picture shows, right and down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.fit import TrayFit
from vision.pips_find import Face, Found

Floats = npt.NDArray[np.float64]

_OWN_ERROR = 0.04  # of a tilt, added to what the network itself doubts
_FLAT = 3.0  # deviations, up to which dice count as lying in the common plane
_MAY_LEAN, _LEANS = 4.0, 5.0
_LENSES = np.linspace(0.0, 1.4, 8)  # by how much tilts change over the longer side of a picture


class Lie(NamedTuple):
    """How one die lies: whether it leans more likely than not, whether it may lean."""

    leans: bool
    may_lean: bool


def in_the_tray(fit: TrayFit, places_mm: Floats, faces: Sequence[Face]) -> list[Lie]:
    """How dice in the tray lie whose upper faces were found at places, (n, 2) millimetres."""
    if not faces:
        return []
    away = deviations(*tilts_of(faces), flat_in_the_tray(fit, places_mm))
    return [Lie(bool(a > _LEANS), bool(a > _MAY_LEAN)) for a in away]


def on_a_table(size: tuple[int, int], seen: Sequence[tuple[Found, Face]]) -> list[Lie]:
    """How dice of a photograph, `size` (width, height), lie: by the plane that most share."""
    if len(seen) < 2:
        return [Lie(False, False)] * len(seen)
    faces = [face for _, face in seen]
    flat, most = flat_on_a_table(size, [found for found, _ in seen], faces)
    away = deviations(*tilts_of(faces), flat)
    if not most:
        # Nobody can say which of them lies flat.
        return [Lie(False, bool(away.max() > _MAY_LEAN))] * len(seen)
    return [Lie(bool(a > _LEANS), bool(a > _MAY_LEAN)) for a in away]


def deviations(tilts: Floats, offs: Floats, flat: Floats) -> Floats:
    """How many deviations tilts, (n, 2), are from those of flat dice, (n, 2): (n,)."""
    spread = np.hypot(offs, _OWN_ERROR)
    return np.asarray(np.linalg.norm(tilts - flat, axis=1) / spread, np.float64)


def flat_in_the_tray(fit: TrayFit, places_mm: Floats) -> Floats:
    """Tilt of flat upper faces at places of the tray, (n, 2) millimetres: (n, 2)."""
    side = fit.tray.die_side_mm
    here = fit.to_px(places_mm)
    right = fit.to_px(places_mm + (1.0, 0.0)) - here
    down = fit.to_px(places_mm + (0.0, 1.0)) - here
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
    best = np.zeros_like(tilts)
    least = np.inf
    agree = 0
    for lens in _LENSES:
        rest = tilts - lens * places
        # Any one die may be the one that all others agree with.
        for start in rest:
            plane = start
            for _ in range(3):
                away = deviations(rest, offs, np.broadcast_to(plane, rest.shape))
                weight = (away < _FLAT) / (offs**2 + _OWN_ERROR**2)
                if not weight.any():
                    break
                plane = (rest * weight[:, None]).sum(axis=0) / weight.sum()
            away = deviations(rest, offs, np.broadcast_to(plane, rest.shape))
            cost = float(np.minimum(away, _FLAT).sum())
            if cost < least - 1e-9:
                least, best = cost, plane + lens * places
                agree = int((away < _FLAT).sum())
    return best, agree * 2 > len(faces)


def tilts_of(faces: Sequence[Face]) -> tuple[Floats, Floats]:
    """Tilts (n, 2) and what they may be off by, (n,)."""
    tilts = np.array([f.tilt for f in faces], np.float64).reshape(-1, 2)
    return tilts, np.array([f.off for f in faces], np.float64)
