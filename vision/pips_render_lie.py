"""How the dice of a drawn scene lie: apart, in a crowd, touching, and some leaning."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.pips_render_dice import Style, random_style
from vision.pips_render_view import SIZE, Camera

Floats = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a scene: centre (3,), axes (3, 3) whose columns are the die's own axes.

    turn: radians by which it is turned about the upright. tilt: degrees that its upper face is off
    level. turns: quarter turns of each face's print.
    """

    style: Style
    centre: Floats
    axes: Floats
    turn: float
    tilt: float = 0.0
    turns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))

    @property
    def upper(self) -> int:
        """Which face points up most: 2 * axis, and 1 more where the axis points down."""
        axis = int(np.abs(self.axes[2]).argmax())
        return 2 * axis + int(self.axes[2, axis] < 0)


def random_dice(rng: np.random.Generator, camera: Camera, side_px: float) -> list[Die]:
    """None to ten dice where the camera looks; in one scene of three some of them lean."""
    count = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 10], p=[0.03, 0.1, *[0.145] * 5, 0.1, 0.045]))
    styles = [random_style(rng) for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15])))]
    # The patch of table that the camera sees.
    middle = camera.place + camera.axes[2] * (-camera.place[2] + 0.5) / camera.axes[2][2]
    reach = SIZE / side_px / 2
    dice: list[Die] = []
    crowd = rng.random() < 0.5
    leaning = 0.4 if rng.random() < 0.35 else 0.0
    for _ in range(count * 6):
        if len(dice) == count:
            break
        style = styles[int(rng.integers(len(styles)))]
        flat = [d for d in dice if d.tilt == 0]
        anywhere = middle[:2] + rng.uniform(-1.05, 1.05, 2) * (reach, reach * 1.2)
        if rng.random() < leaning:
            near = flat[int(rng.integers(len(flat)))] if flat and rng.random() < 0.65 else None
            die = _leaning(rng, style, anywhere, near)
        elif flat and crowd:
            die = _beside(rng, style, flat[int(rng.integers(len(flat)))])
        else:
            die = _lying(rng, style, anywhere, float(rng.uniform(0, np.pi / 2)))
        if not any(_overlap(die, d) for d in dice):
            dice.append(die)
    return dice


def _lying(rng: np.random.Generator, style: Style, place: Floats, turn: float) -> Die:
    axes = (_turned_about_z(turn) @ _one_of_24(rng)).astype(np.float32)
    centre = np.array([place[0], place[1], 0.5], np.float32)
    return Die(style, centre, axes, turn, turns=rng.integers(0, 4, 6))


def _beside(rng: np.random.Generator, style: Style, other: Die) -> Die:
    """A die that touches another or nearly so, at its own angle or in line with it."""
    aligned = rng.random() < 0.5
    turn = other.turn if aligned else float(rng.uniform(0, np.pi / 2))
    way = other.turn + np.pi / 2 * int(rng.integers(4)) + (0 if aligned else rng.normal(0, 0.3))
    gap = abs(rng.normal(0, 0.05)) + (1.0 if aligned else rng.uniform(1.0, 1.2))
    slide = float(rng.uniform(-0.6, 0.6))
    step = gap * np.array([np.cos(way), np.sin(way)])
    step += slide * np.array([-np.sin(way), np.cos(way)])
    return _lying(rng, style, other.centre[:2] + step, turn)


def _leaning(rng: np.random.Generator, style: Style, place: Floats, other: Die | None) -> Die:
    """A die on one of its edges, held by another die or by something out of sight."""
    tilt = float(rng.uniform(8, 43))
    t = np.radians(tilt)
    reach = 0.5 * (np.sin(t) + np.cos(t))
    way = float(rng.uniform(0, 2 * np.pi))
    if other is not None:
        way = other.turn + np.pi / 2 * int(rng.integers(4))
    away = np.array([np.cos(way), np.sin(way), 0.0])
    if other is not None:
        across = np.array([-away[1], away[0]]) * rng.uniform(-0.5, 0.5)
        place = other.centre[:2] + away[:2] * (0.51 + reach) + across
    flat = _turned_about_z(way) @ _one_of_24(rng)
    # Away from what holds it, or (a die that has slid up on something) towards it.
    side = 1 if rng.random() < 0.8 else -1
    axes = _turned_about(np.cross([0, 0, 1.0], away) * side, t) @ flat
    twist = float(rng.normal(0, 3)) if rng.random() < 0.3 else 0.0
    axes = _turned_about(away, np.radians(twist)) @ axes
    centre = np.array([place[0], place[1], reach], np.float32)
    return Die(style, centre, axes.astype(np.float32), way, tilt, rng.integers(0, 4, 6))


def _overlap(one: Die, other: Die) -> bool:
    """Whether two dice share ground (the separating axis test); leaning ones take a little more."""
    apart = float(np.hypot(*(one.centre - other.centre)[:2]))
    if apart < 0.98 or apart > 2.1:
        return apart < 0.98
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners: list[Floats] = []
    for die in (one, other):
        c, s = np.cos(die.turn), np.sin(die.turn)
        half = np.array([0.49, 0.49])
        if die.tilt:
            half = np.array([die.centre[2] * 0.97, 0.49])
        corners.append(square * half @ np.array([[c, s], [-s, c]]) + die.centre[:2])
    for die in (one, other):
        c, s = np.cos(die.turn), np.sin(die.turn)
        for axis in ((c, s), (-s, c)):
            a, b = corners[0] @ np.array(axis), corners[1] @ np.array(axis)
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True


def _turned_about(axis: Floats, angle: float) -> npt.NDArray[np.float64]:
    """Turn about a level axis through the origin (Rodrigues' formula)."""
    x, y, z = (float(v) for v in axis / np.linalg.norm(axis))
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def _turned_about_z(angle: float) -> npt.NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _one_of_24(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    order = rng.permutation(3)
    signs = rng.choice([-1.0, 1.0], 3)
    axes = np.zeros((3, 3))
    axes[order, range(3)] = signs
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return axes
