"""Where rendered dice come to lie: apart, touching, on the wall, leaning, on the rim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render_faces import DieKind
from vision.render_pose import HALF, Pose, flat_pose, turn_about, turn_z
from vision.render_roll import Box, Placed, spun
from vision.render_stage import INNER, RIM_HIGH
from vision.render_view import Floats

# How bright a lamp mirrored in a face is, white paper being 1. Followed by a path tracer
# (`vision.render_traced`), lamps hung so that they mirror in a die of 24 boxes gave 0.13 to 4: half
# of them less than 0.45, three in four less than 0.75, and more only on polished dice.
STRONG_GLARE = (0.5, 2.5)
MILD_GLARE = (0.15, 0.7)


def scatter(
    box: Box,
    count: int,
    conditions: set[str],
    rng: np.random.Generator,
    glare: tuple[float, float] = STRONG_GLARE,
) -> list[Placed]:
    """Dice at rest where chance and the conditions put them; `glare`: how bright it may be."""
    kinds = [box.kinds[int(k)] for k in rng.permutation(len(box.kinds))[:count]]
    dice: list[Placed] = []
    gap = 7.0 if not conditions else 1.0
    for i, kind in enumerate(kinds):
        face = kind.faces[int(rng.integers(6))]
        place = None
        if "cocked" in conditions and i == 1:
            place = leaning(kind, face, dice, rng)
        elif "rim_die" in conditions and i == 0:
            place = _on_rim(kind, face, rng)
        elif "wall_contact" in conditions and i < 2:
            place = _at_wall(kind, face, dice, rng)
        elif "touching" in conditions and 0 < i < 6 and (i == 1 or rng.random() < 0.6):
            place = touching(kind, face, dice, rng)
        place = place or free_place(kind, face, dice, rng, gap)
        if place is not None:
            dice.append(place)
    if "glare" in conditions:
        for i in rng.permutation(len(dice))[: int(rng.integers(1, 3))]:
            strength = float(rng.uniform(*glare))
            spot = (strength, float(rng.uniform(3, 9)), *rng.normal(0, 3, 2).tolist())
            dice[i] = replace(dice[i], glare=spot)
    if "motion_blur" in conditions and dice:
        for i in rng.permutation(len(dice))[: max(1, len(dice) // 3)]:
            dice[i] = replace(dice[i], poses=_moved(dice[i].pose, rng))
    return dice


def free_place(
    kind: DieKind, face: str, dice: Sequence[Placed], rng: np.random.Generator, gap: float
) -> Placed | None:
    """A die lying flat at least `gap` mm from the others, or None where no place was found."""
    for _ in range(200):
        angle = float(rng.uniform(0, 360))
        reach = _reach(angle) + 1.0
        x = float(rng.uniform(reach, INNER[0] - reach))
        y = float(rng.uniform(reach, INNER[1] - reach))
        place = lying(kind, face, x, y, angle, rng)
        if all(apart(place.pose, d.pose) >= gap for d in dice):
            return place
    return None


def lying(
    kind: DieKind, face: str, x: float, y: float, angle: float, rng: np.random.Generator
) -> Placed:
    """A die lying flat at a place of the felt, one of its faces of that name up."""
    ups = [k for k, name in enumerate(kind.faces) if name == face]
    return Placed(kind.die_id, (flat_pose(ups[int(rng.integers(len(ups)))], x, y, angle),))


def touching(
    kind: DieKind, face: str, dice: Sequence[Placed], rng: np.random.Generator
) -> Placed | None:
    """A die in contact with one that lies flat."""
    flat = [d for d in dice if d.pose.tilt_deg < 1 and not d.on_rim]
    for _ in range(80 if flat else 0):
        near = flat[int(rng.integers(len(flat)))].pose
        # Half of the touching dice lie side to side, the others corner to side.
        even = rng.random() < 0.5
        angle = near.angle + (90 * rng.integers(4) if even else rng.uniform(0, 360))
        way = rng.uniform(0, 2 * np.pi)
        step = np.array([np.cos(way), np.sin(way)])
        low, high = 0.0, 30.0
        for _ in range(14):
            mid = (low + high) / 2
            x, y = near.centre[:2] + step * mid
            close = apart(lying(kind, face, x, y, float(angle), rng).pose, near) < 0.05
            low, high = (mid, high) if close else (low, mid)
        x, y = near.centre[:2] + step * high
        place = lying(kind, face, float(x), float(y), float(angle), rng)
        reach = _reach(float(angle))
        inside = reach < x < INNER[0] - reach and reach < y < INNER[1] - reach
        rest = [d for d in dice if d.pose is not near]
        if inside and all(apart(place.pose, d.pose) > 0.02 for d in rest):
            return place
    return None


def leaning(
    kind: DieKind, face: str, dice: Sequence[Placed], rng: np.random.Generator
) -> Placed | None:
    """A die that leans on the wall, or on another die that lies flat."""
    flat = [d for d in dice if d.pose.tilt_deg < 1 and not d.on_rim]
    for _ in range(80):
        tilt = float(rng.uniform(15, 40))
        out = HALF * (np.sin(np.radians(tilt)) + np.cos(np.radians(tilt)))
        if flat and rng.random() < 0.6:
            near = flat[int(rng.integers(len(flat)))].pose
            side = near.angle + 90 * int(rng.integers(4))
            away = turn_z(side) @ np.array([1.0, 0, 0])
            across = np.array([-away[1], away[0], 0])
            foot = near.centre + away * HALF + across * rng.uniform(-6, 6)
        else:
            away = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])[rng.integers(4)]
            along = np.array([abs(away[1]), abs(away[0]), 0])
            foot = np.where(away < 0, [*INNER, 0], 0.0) + along * rng.uniform(20, 130)
        side = float(np.degrees(np.arctan2(away[1], away[0])))
        centre = foot * [1, 1, 0] + away * (out + 0.1)
        up = kind.faces.index(face)
        turn = side + 90 * int(rng.integers(4))
        flat_turn = flat_pose(up, 0, 0, turn).turned
        # The upper face leans away from what the die rests on, its lowest edge further out.
        axis = np.cross([0, 0, 1.0], away)
        pose = Pose(np.array([centre[0], centre[1], out]), turn_about(axis, tilt) @ flat_turn)
        low, high = pose.corners().min(0), pose.corners().max(0)
        inside = (low[:2] > -0.5).all() and (high[:2] < np.array(INNER) + 0.5).all()
        if inside and all(apart(pose, d.pose) > -0.5 for d in dice):
            return Placed(kind.die_id, (pose,), cocked=True)
    return None


def apart(a: Pose, b: Pose) -> float:
    """Gap between two dice as seen from above (below 0 where they overlap); by separating axes."""
    pa, pb = _shadow(a), _shadow(b)
    best = -np.inf
    for points in (pa, pb):
        sides = np.roll(points, -1, axis=0) - points
        normals = np.stack([sides[:, 1], -sides[:, 0]], 1)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        sa, sb = pa @ normals.T, pb @ normals.T
        best = max(best, float(np.maximum(sa.min(0) - sb.max(0), sb.min(0) - sa.max(0)).max()))
    return best


def _shadow(pose: Pose) -> Floats:
    if pose.tilt_deg < 0.5:
        return pose.quad()[:, :2]
    low, high = pose.corners()[:, :2].min(0), pose.corners()[:, :2].max(0)
    return np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])


def _on_rim(kind: DieKind, face: str, rng: np.random.Generator) -> Placed:
    edge = int(rng.integers(4))
    off = float(rng.uniform(-16, -7))
    x, y = float(rng.uniform(20, 180)), float(rng.uniform(20, 130))
    x, y = [(off, y), (x, off), (INNER[0] - off, y), (x, INNER[1] - off)][edge]
    place = lying(kind, face, x, y, float(rng.uniform(0, 360)), rng)
    centre = np.array([x, y, RIM_HIGH + HALF])
    return replace(place, poses=(Pose(centre, place.pose.turned),), on_rim=True)


def _at_wall(
    kind: DieKind, face: str, dice: Sequence[Placed], rng: np.random.Generator
) -> Placed | None:
    for _ in range(60):
        angle = float(90 * rng.integers(4) if rng.random() < 0.6 else rng.uniform(0, 360))
        reach = _reach(angle) + 0.1
        x, y = rng.uniform(reach, INNER[0] - reach), rng.uniform(reach, INNER[1] - reach)
        edge = int(rng.integers(4))
        x, y = [(reach, y), (x, reach), (INNER[0] - reach, y), (x, INNER[1] - reach)][edge]
        place = lying(kind, face, float(x), float(y), angle, rng)
        if all(apart(place.pose, d.pose) > 1 for d in dice):
            return place
    return None


def _reach(angle: float) -> float:
    """How far a flat die reaches along x or y from its middle."""
    turn = np.radians(angle)
    return float(HALF * (abs(np.sin(turn)) + abs(np.cos(turn))))


def _moved(pose: Pose, rng: np.random.Generator) -> tuple[Pose, ...]:
    way = rng.uniform(0, 2 * np.pi)
    velocity = np.array([np.cos(way), np.sin(way), 0]) * rng.uniform(200, 700)
    axis = np.cross([0, 0, 1.0], velocity) + rng.normal(0, 80, 3)
    rate = float(rng.uniform(500, 2000))
    lifted = Pose(
        pose.centre + np.array([0, 0, 5.0]), turn_about(axis, rng.uniform(0, 70)) @ pose.turned
    )
    return tuple(spun(lifted, velocity, axis, rate, t) for t in np.linspace(-0.011, 0.011, 9))
