"""What is drawn on the faces of the rendered dice: our own helmets, shields, figures and pips.

Every drawing is a path on a 48 x 48 field, as in an SVG file; the battle helmet and shield are
read from the very files that the sticker sheet prints.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_drawings import PAIRS, Drawing
from vision.render_drawings_more import UNSEEN, WIDE
from vision.render_path import outline

Mask = npt.NDArray[np.float32]
"""A drawing as ink: (256, 256) float32, 0 bare to 1 inked."""

MASK_PX = 256
_FIELD = 48.0
_FINE = 4  # supersampling of the rasteriser

ARTWORKS: tuple[str, ...] = ("battle", *PAIRS)
"""Names of our usual pairs of drawings, each with a helmet and a shield face."""

_PAIRS = {**PAIRS, **WIDE, **UNSEEN}


@dataclass(frozen=True, eq=False)
class Artwork:
    """The drawings of one set of dice.

    name: of the set; icons: face name to its ink.
    """

    name: str
    icons: dict[str, Mask]

    def scramble(self, rng: np.random.Generator) -> Artwork:
        """The same ink cut into 16 squares and mixed: no face of the set is left in it."""
        icons: dict[str, Mask] = {}
        cell = MASK_PX // 4
        for face, icon in self.icons.items():
            cells = [
                icon[y * cell : (y + 1) * cell, x * cell : (x + 1) * cell]
                for y in range(4)
                for x in range(4)
            ]
            order = rng.permutation(16)
            turned = [np.rot90(cells[i], int(rng.integers(1, 4))) for i in order]
            rows = [np.hstack(turned[4 * y : 4 * y + 4]) for y in range(4)]
            icons[face] = np.ascontiguousarray(np.vstack(rows))
        return Artwork(f"{self.name}, scrambled", icons)


@cache
def artwork(name: str) -> Artwork:
    """A pair of drawings (`ARTWORKS`, or one of `vision.render_drawings_more`) with faces
    `helmet` and `shield`, or `pips` with faces `1` to `6`.

    Raises ValueError for any other name.
    """
    if name == "pips":
        return Artwork(name, {str(n): _pips(n) for n in range(1, 7)})
    if name == "battle":
        helmet, shield = (((_path_of(f), 0.0),) for f in ("helmet.svg", "shield.svg"))
    elif name in _PAIRS:
        helmet, shield = _PAIRS[name]
    else:
        known = ("battle", *_PAIRS, "pips")
        raise ValueError(f"no artwork {name!r}; there are {', '.join(known)}")
    return Artwork(name, {"helmet": draw(helmet), "shield": draw(shield)})


def draw(drawing: Drawing) -> Mask:
    """Ink of a drawing: `(path, 0)` is filled by the even-odd rule, `(path, width)` is a stroke."""
    side = MASK_PX * _FINE
    ink = np.zeros((side, side), np.uint8)
    to_px = side / _FIELD
    for path, width in drawing:
        parts = [np.round(p * to_px).astype(np.int32) for p in outline(path)]
        layer = np.zeros_like(ink)
        if width:
            closed = path.rstrip()[-1] in "zZ"
            cv2.polylines(layer, parts, closed, 255, max(1, round(width * to_px)))
        else:
            cv2.fillPoly(layer, parts, 255)
        cv2.max(ink, layer, ink)
    small = cv2.resize(ink, (MASK_PX, MASK_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small / np.float32(255), np.float32)


def _path_of(file: str) -> str:
    svg = (resources.files("vision") / "dice" / "battle" / file).read_text("utf-8")
    return " ".join(re.findall(r'\sd="([^"]+)"', svg))


def _pips(number: int) -> Mask:
    near, mid, far = 11.5, 24.0, 36.5
    places = {
        1: [(mid, mid)],
        2: [(near, near), (far, far)],
        3: [(near, near), (mid, mid), (far, far)],
        4: [(near, near), (near, far), (far, near), (far, far)],
        5: [(near, near), (near, far), (far, near), (far, far), (mid, mid)],
        6: [(near, near), (near, mid), (near, far), (far, near), (far, mid), (far, far)],
    }[number]
    return draw(tuple((f"M{x} {y - 4.6}a4.6 4.6 0 1 0 .01 0z", 0.0) for x, y in places))
