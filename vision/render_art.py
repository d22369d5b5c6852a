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

Mask = npt.NDArray[np.float32]
"""A drawing as ink: (256, 256) float32, 0 bare to 1 inked."""

MASK_PX = 256
_FIELD = 48.0
_FINE = 4  # supersampling of the rasteriser

# One drawing is a list of strokes and fills: (path, stroke width or 0 for a filled shape).
_Drawing = tuple[tuple[str, float], ...]

_PAIRS: dict[str, tuple[_Drawing, _Drawing]] = {
    "norman": (
        (
            (
                "M24 3C12 5 7 15 7 27L4 30V34H20V28H21.500V44H26.500V28H28V34H44V30L41 27"
                "C41 15 36 5 24 3zM22 9V24H11C12 16 16 11 22 9zM26 9C32 11 36 16 37 24H26z",
                0,
            ),
        ),
        (
            (
                "M24 46C12 36 6 24 8 12C12 4 36 4 40 12C42 24 36 36 24 46zM22 10V20H12V24H22V38"
                "C23 39 25 39 26 38V24H36V20H26V10z",
                0,
            ),
        ),
    ),
    "kettle": (
        (
            (
                "M13 25C12 12 17 6 24 6C31 6 36 12 35 25L46 31C44 38 4 38 2 31zM16 26V29H32V26z",
                0,
            ),
        ),
        (
            (
                "M8 4H40V26C40 36 33 42 24 46C15 42 8 36 8 26zM12 8V24L34 8zM36 11L13 29"
                "C15 34 19 38 24 41C31 38 36 33 36 26z",
                0,
            ),
        ),
    ),
    "great helm": (
        (
            (
                "M10 6C18 2 30 2 38 6L41 21L37 45H11L7 21zM11 17V21H22V17zM26 17V21H37V17z"
                "M17 28h3v3h-3zM17 35h3v3h-3zM28 28h3v3h-3zM28 35h3v3h-3zM22.500 25V42H25.500V25z",
                0,
            ),
        ),
        (
            (
                "M24 2a22 22 0 1 0 .010 0zM24 15a9 9 0 1 1-.010 0zM22 5.500V12H26V5.500z"
                "M22 36V42.500H26V36zM5.500 22V26H12V22zM36 22V26H42.500V22z",
                0,
            ),
            ("M24 24m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", 0),
        ),
    ),
    "horned": (
        (
            (
                "M13 44V24C13 15 18 10 24 10C30 10 35 15 35 24V44H28V30H20V44z",
                0,
            ),
            ("M12 22C5 20 2 13 4 4C7 11 11 14 16 15zM36 22C43 20 46 13 44 4C41 11 37 14 32 15z", 0),
        ),
        (
            ("M7 3H41V45H7zM11 7V41H37V7z", 0),
            ("M24 10L34 24L24 38L14 24zM24 17L19 24L24 31L29 24z", 0),
        ),
    ),
    "corinthian": (
        (
            (
                "M14 46L12 33C7 29 6 22 8 16C11 8 20 4 30 6C39 8 45 16 42 28L37 31L40 45L31 43"
                "L29 33L22 32L21 46zM18 21L21 27H31L34 20L27 18z",
                0,
            ),
            ("M9 9C16 1 31 0 40 6C35 0 16-3 6 8z", 0),
        ),
        (
            (
                "M24 2C30 6 36 7 42 6C43 24 38 38 24 46C10 38 5 24 6 6C12 7 18 6 24 2zM12 15V20"
                "L24 26L36 20V15L24 21zM14 27L24 32L34 27V32L24 37L14 32z",
                0,
            ),
        ),
    ),
    "line": (
        (
            ("M8 34C8 16 14 7 24 7C34 7 40 16 40 34", 4),
            ("M4 34H44M24 7V34M24 34V44", 4),
            ("M14 21H34", 3),
        ),
        (
            ("M8 6H40V24C40 34 33 40 24 44C15 40 8 34 8 24Z", 4),
            ("M8 22H40M24 6V44", 3),
        ),
    ),
    "axe and ship": (
        (
            (
                "M30 1h7l-1 46h-6zM28 8C21 9 14 7 7 2C3 11 3 23 9 34C14 27 20 22 28 21z",
                0,
            ),
        ),
        (
            ("M2 30C6 34 42 34 46 30C45 40 38 45 24 45C10 45 3 40 2 30z", 0),
            ("M22 3H26V31H22zM10 8H38L36 24H12z", 0),
        ),
    ),
    "sun and moon": (
        (
            (
                "M24 1L28 13L38 6L34 17L47 20L36 25L44 35L32 33L32 46L24 36L16 46L16 33L4 35L12 25"
                "L1 20L14 17L10 6L20 13zM24 18a6 6 0 1 0 .010 0z",
                0,
            ),
        ),
        (
            (
                "M30 3C18 4 8 13 8 25C8 37 18 45 29 45C35 45 40 43 43 39C31 40 22 33 21 22"
                "C21 14 24 8 30 3z",
                0,
            ),
            ("M34 16L36 22L42 22L37 26L39 32L34 28L29 32L31 26L26 22L32 22z", 0),
        ),
    ),
    "runes": (
        (("M14 4V44M14 6L36 18L14 30", 5), ("M24 24L38 44", 5)),
        (("M24 3V45M24 20L8 4M24 20L40 4", 5),),
    ),
    "bascinet": (
        (
            (
                "M26 2C37 8 43 20 42 40L34 46H14L6 40C6 22 13 9 26 2zM10 24V28L22 26V22z"
                "M38 24V28L26 26V22zM13 33l4 1v3l-4-1zM20 34h3v4h-3zM26 34h3v4h-3z"
                "M35 33l-4 1v3l4-1z",
                0,
            ),
        ),
        (
            (
                "M24 3a21 21 0 1 0 .010 0zM24 8V22L12 13C15 10 19 8 24 8zM39 20L27 24L36 36"
                "C39 32 41 26 39 20zM9 20C7 26 9 32 13 37L22 26z",
                0,
            ),
        ),
    ),
}

ARTWORKS: tuple[str, ...] = ("battle", *_PAIRS)
"""Names of our pairs of drawings, each with a helmet and a shield face."""


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
    """One of `ARTWORKS` with faces `helmet` and `shield`, or `pips` with faces `1` to `6`.

    Raises ValueError for any other name.
    """
    if name == "pips":
        return Artwork(name, {str(n): _pips(n) for n in range(1, 7)})
    if name == "battle":
        helmet, shield = (((_path_of(f), 0.0),) for f in ("helmet.svg", "shield.svg"))
    elif name in _PAIRS:
        helmet, shield = _PAIRS[name]
    else:
        raise ValueError(f"no artwork {name!r}; there are {', '.join(ARTWORKS)} and pips")
    return Artwork(name, {"helmet": draw(helmet), "shield": draw(shield)})


def draw(drawing: _Drawing) -> Mask:
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


_TOKEN = re.compile(r"[MmLlHhVvCcAaZz]|[-+]?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


def outline(path: str) -> list[npt.NDArray[np.float64]]:
    """The parts of an SVG path as polygons, each (n, 2), in the path's own units.

    Knows M, L, H, V, C, A and Z in both cases. Raises ValueError where the path is cut short.
    """
    tokens = _TOKEN.findall(path)
    parts: list[list[npt.NDArray[np.float64]]] = []
    here = start = np.zeros(2)
    command, i = "", 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
        kind = command.upper()
        count = _ARGUMENTS.get(kind, 0)
        if i + count > len(tokens):
            raise ValueError(f"path ends within {command!r}: {path[-20:]!r}")
        values = np.array([float(t) for t in tokens[i : i + count]])
        i += count
        origin = here if command.islower() else np.zeros(2)
        if kind == "Z":
            here = start
            continue
        if kind == "M":
            here = start = origin + values
            parts.append([here])
            command = "l" if command == "m" else "L"
            continue
        if kind == "L":
            new = [origin + values]
        elif kind == "H":
            new = [np.array([origin[0] + values[0], here[1]])]
        elif kind == "V":
            new = [np.array([here[0], origin[1] + values[0]])]
        elif kind == "C":
            new = _cubic(here, *(origin + values.reshape(3, 2)))
        else:
            new = _arc(here, origin + values[5:], *values[:5])
        if not parts or not parts[-1]:
            parts.append([here])
        parts[-1].extend(new)
        here = new[-1]
    return [np.array(p) for p in parts if len(p) > 1]


def _cubic(*corners: npt.NDArray[np.float64]) -> list[npt.NDArray[np.float64]]:
    a, b, c, d = corners
    t = np.linspace(0, 1, 17)[1:, None]
    return list((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _arc(
    a: npt.NDArray[np.float64],
    b: npt.NDArray[np.float64],
    rx: float,
    ry: float,
    turn: float,
    large: float,
    sweep: float,
) -> list[npt.NDArray[np.float64]]:
    """An elliptic arc from `a` to `b`, by its centre (SVG 1.1, appendix F.6.5)."""
    phi = np.radians(turn)
    turned = np.array([[np.cos(phi), np.sin(phi)], [-np.sin(phi), np.cos(phi)]])
    half = turned @ (a - b) / 2
    over = (half[0] / rx) ** 2 + (half[1] / ry) ** 2
    if over > 1:
        rx, ry = rx * np.sqrt(over), ry * np.sqrt(over)
    scaled = (rx * half[1]) ** 2 + (ry * half[0]) ** 2
    root = np.sqrt(max(0.0, (rx * ry) ** 2 / scaled - 1)) * (-1 if large == sweep else 1)
    middle = root * np.array([rx * half[1] / ry, -ry * half[0] / rx])
    first = np.arctan2((half[1] - middle[1]) / ry, (half[0] - middle[0]) / rx)
    last = np.arctan2((-half[1] - middle[1]) / ry, (-half[0] - middle[0]) / rx)
    span = (last - first) % (2 * np.pi)
    if not sweep:
        span -= 2 * np.pi
    angles = first + span * np.linspace(0, 1, 49)[1:]
    ring = np.stack([rx * np.cos(angles), ry * np.sin(angles)], 1) + middle
    return list(ring @ turned + (a + b) / 2)


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
