"""Paths as in an SVG file, made into polygons."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

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
