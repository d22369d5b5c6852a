"""How the dice of a drawn scene lie: apart, in a crowd, or touching."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.pips_render_dice import Style, random_style
from vision.pips_render_view import SIZE, Camera

Floats = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a scene.

    centre: (3,); axes: (3, 3), columns are its own axes; turns: (6,) quarter turns of each print.
    """

    style: Style
    centre: Floats
    axes: Floats
    turns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))


def random_dice(
    rng: np.random.Generator,
    camera: Camera,
    side_px: float,
    leaning: float = 0.0,
    only_pips: bool = False,
) -> list[Die]:
    """None to ten dice where the camera looks; `leaning` is the share that leans, 0..1."""
    count = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 10], p=[0.03, 0.1, *[0.145] * 5, 0.1, 0.045]))
    kinds = int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))
    styles = [random_style(rng, only_pips) for _ in range(kinds)]
    # The patch of table that the camera sees.
    middle = camera.place + camera.axes[2] * (-camera.place[2] + 0.5) / camera.axes[2][2]
    reach = SIZE / side_px / 2
    dice: list[Die] = []
    crowd = rng.random() < 0.45
    for _ in range(count * 6):
        if len(dice) == count:
            break
        turn = float(rng.uniform(0, np.pi / 2))
        if dice and crowd:
            other = dice[int(rng.integers(len(dice)))]
            # Beside another die, touching it or nearly so, at its own angle or aligned with it.
            lean = float(np.arctan2(other.axes[1, 0], other.axes[0, 0]))
            aligned = rng.random() < 0.5
            turn = lean if aligned else turn
            way = lean + np.pi / 2 * int(rng.integers(4)) + (0 if aligned else rng.normal(0, 0.3))
            gap = abs(rng.normal(0, 0.05)) + (1.0 if aligned else rng.uniform(1.0, 1.2))
            slide = float(rng.uniform(-0.6, 0.6))
            step = gap * np.array([np.cos(way), np.sin(way)])
            step += slide * np.array([-np.sin(way), np.cos(way)])
            place = other.centre[:2] + step
        else:
            place = middle[:2] + rng.uniform(-1.05, 1.05, 2) * (reach, reach * 1.2)
        apart = [float(np.hypot(*(place - d.centre[:2]))) for d in dice]
        if any(a < 1.0 for a in apart) or any(
            a < 1.45 and _overlap(place, turn, d) for a, d in zip(apart, dice, strict=True)
        ):
            continue
        axes = _turned_about_z(turn) @ _one_of_24(rng)
        height = 0.5
        if leaning and rng.random() < leaning:
            # On one of its edges, as on what holds it, or now and then on a corner.
            way = turn + np.pi / 2 * int(rng.integers(4)) + (rng.random() < 0.3) * rng.uniform(0, 1)
            axes = _tipped(way, np.radians(rng.uniform(8, 40))) @ axes
            height = float(np.abs(axes[2]).sum()) / 2
            reach_out = float(np.abs(axes[:2]).sum(axis=1).max()) / 2 + 0.55
            if any(a < reach_out for a in apart):
                continue
        centre = np.array([place[0], place[1], height], np.float32)
        style = styles[int(rng.integers(len(styles)))]
        dice.append(Die(style, centre, axes.astype(np.float32), rng.integers(0, 4, 6)))
    return dice


def _overlap(place: npt.NDArray[np.float64], turn: float, other: Die) -> bool:
    """Whether squares of side 0.98 share ground (the separating axis test)."""
    first = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.49
    lean = float(np.arctan2(other.axes[1, 0], other.axes[0, 0]))
    corners = []
    for angle, middle in ((turn, place), (lean, other.centre[:2])):
        c, s = np.cos(angle), np.sin(angle)
        corners.append(first @ np.array([[c, s], [-s, c]]) + middle)
    for angle in (turn, lean):
        for axis in ((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))):
            a, b = corners[0] @ np.array(axis), corners[1] @ np.array(axis)
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True


def _turned_about_z(angle: float) -> npt.NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _tipped(way: float, angle: float) -> npt.NDArray[np.float64]:
    """Turn by `angle` about a level line, towards the direction `way`."""
    x, y = -np.sin(way), np.cos(way)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _one_of_24(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    order = rng.permutation(3)
    signs = rng.choice([-1.0, 1.0], 3)
    axes = np.zeros((3, 3))
    axes[order, range(3)] = signs
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return axes
