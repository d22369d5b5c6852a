"""Draw random scenes of ordinary dice, quickly and with truth, to teach the reader of pips.

Not meant to be beautiful but to be different each time: body and pip colours, rounding, lamp,
shadow, camera and ground are all drawn by lot, and other dice (numerals, symbols, odd spots) lie
among the dice with pips so that the reader learns to leave them alone. `vision.render` is the
honest picture of a tray; tests use that one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.pips_render_dice import VALUES, Style, paint, random_style
from vision.pips_render_ground import ground
from vision.seen import Picture

Floats = npt.NDArray[np.floating]

SIZE = 320
"""Width and height of a scene in pixels."""


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """A face of a die in a scene.

    value: 1 to 6 pips, 0 for anything else.
    up: whether it is the upper face. x, y: centre in pixels. size: square root of its area in
    pixels. seen: share of it that no other die hides and that lies in the picture, 0..1.
    """

    value: int
    up: bool
    x: float
    y: float
    size: float
    seen: float


@dataclass(frozen=True, slots=True)
class _Die:
    style: Style
    centre: Floats
    axes: Floats  # (3, 3), columns are the die's axes
    turns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(6, np.int64))


@dataclass(frozen=True, slots=True)
class _Camera:
    place: Floats
    axes: Floats  # rows: right, down, forward
    focal: float

    def project(self, points: Floats) -> Floats:
        local = (np.atleast_2d(points) - self.place) @ self.axes.T
        return local[:, :2] / local[:, 2:] * self.focal + SIZE / 2 - 0.5

    def rays(self, x: Floats, y: Floats) -> Floats:
        middle = SIZE / 2 - 0.5
        local = np.stack([(x - middle) / self.focal, (y - middle) / self.focal, np.ones_like(x)], 1)
        rays = local @ self.axes
        return rays / np.linalg.norm(rays, axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class _Lamp:
    place: Floats
    strength: float
    room: float
    softness: float  # sigma of a shadow's edge, in sides
    depth: float  # 1: lamp's light is fully gone in its shadow


def draw_scene(rng: np.random.Generator) -> tuple[Picture, list[DrawnFace]]:
    """One random scene: picture (SIZE, SIZE, 3) and the faces of its dice."""
    camera, side_px = _random_camera(rng)
    lamp = _random_lamp(rng)
    dice = _random_dice(rng, camera, side_px)
    shade = _shadow_on_ground(dice, camera, lamp, side_px)
    light = lamp.room + lamp.strength * shade
    picture = ground(rng, SIZE, side_px) * light[..., None]
    depth = np.full((SIZE, SIZE), np.inf, np.float32)
    owner = np.full((SIZE, SIZE), -1, np.int32)
    for number in range(len(dice)):
        _draw_die(picture, depth, owner, number, dice, camera, lamp)
    faces = [f for i, die in enumerate(dice) for f in _faces(i, die, camera, owner)]
    picture = 1 - np.exp(-1.3 * np.maximum(picture, 0)) if rng.random() < 0.3 else picture
    return np.asarray(np.clip(picture * 255, 0, 255), np.uint8), faces


def _random_camera(rng: np.random.Generator) -> tuple[_Camera, float]:
    steep = rng.random() < 0.65
    height = np.radians(rng.uniform(62, 90) if steep else rng.uniform(36, 65))
    far = float(rng.uniform(9, 30))
    side_px = float(rng.uniform(38, 62))
    # Looked at from the side, "up" in the picture is away from the camera; from above it may be
    # anywhere.
    roll = rng.uniform(0, 2 * np.pi) if height > 1.1 else rng.normal(0, 0.15)
    forward = np.array([0, np.cos(height), -np.sin(height)])
    right = np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    turned_right = np.cos(roll) * right + np.sin(roll) * down
    turned_down = -np.sin(roll) * right + np.cos(roll) * down
    # The middle of the picture need not be where the camera points: dice lie anywhere in a frame.
    off = rng.normal(0, 0.25 if steep else 0.12, 2) * far
    target = np.array([off[0], off[1], 0.5])
    place = target - forward * far - np.array([off[0], off[1], 0]) * 2 * rng.random()
    aim = target - place
    forward = aim / np.linalg.norm(aim)
    turned_right = turned_right - forward * (turned_right @ forward)
    turned_right /= np.linalg.norm(turned_right)
    turned_down = np.cross(forward, turned_right)
    axes = np.stack([turned_right, turned_down, forward]).astype(np.float32)
    focal = side_px * float(np.linalg.norm(aim))
    return _Camera(place.astype(np.float32), axes, focal), side_px


def _random_lamp(rng: np.random.Generator) -> _Lamp:
    height = np.radians(rng.uniform(18, 88))
    around = rng.uniform(0, 2 * np.pi)
    flat = np.cos(height)
    far = rng.uniform(6, 40)
    place = far * np.array([flat * np.cos(around), flat * np.sin(around), np.sin(height)])
    share = rng.uniform(0.15, 0.9)
    level = rng.uniform(0.55, 1.25)
    return _Lamp(
        place=place.astype(np.float32),
        strength=float(level * share / max(0.4, np.sin(height))),
        room=float(level * (1 - share)),
        softness=float(rng.choice([0.01, 0.03, 0.1, 0.3])),
        depth=float(rng.uniform(0.6, 1.0)),
    )


def _random_dice(rng: np.random.Generator, camera: _Camera, side_px: float) -> list[_Die]:
    count = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 10], p=[0.03, 0.1, *[0.145] * 5, 0.1, 0.045]))
    styles = [random_style(rng) for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15])))]
    # The patch of table that the camera sees.
    middle = camera.place + camera.axes[2] * (-camera.place[2] + 0.5) / camera.axes[2][2]
    reach = SIZE / side_px / 2
    dice: list[_Die] = []
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
        centre = np.array([place[0], place[1], 0.5], np.float32)
        style = styles[int(rng.integers(len(styles)))]
        dice.append(_Die(style, centre, axes.astype(np.float32), rng.integers(0, 4, 6)))
    return dice


def _overlap(place: npt.NDArray[np.float64], turn: float, other: _Die) -> bool:
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


def _one_of_24(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    order = rng.permutation(3)
    signs = rng.choice([-1.0, 1.0], 3)
    axes = np.zeros((3, 3))
    axes[order, range(3)] = signs
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return axes


def _corners(die: _Die, half: float = 0.5) -> Floats:
    grid = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    return (grid * half) @ die.axes.T + die.centre


def _shadow_on_ground(dice: list[_Die], camera: _Camera, lamp: _Lamp, side_px: float) -> Floats:
    """How much of the lamp's light reaches the ground, (SIZE, SIZE) 0..1."""
    dark = np.zeros((SIZE, SIZE), np.uint8)
    close = np.zeros((SIZE, SIZE), np.uint8)
    for die in dice:
        corners = _corners(die, 0.46)
        away = corners - lamp.place
        fallen = lamp.place - away * (lamp.place[2] / away[:, 2:])
        for mask, points in ((dark, fallen), (close, _corners(die) * (1, 1, 0))):
            hull = cv2.convexHull(camera.project(np.asarray(points, np.float32)).astype(np.float32))
            if np.abs(hull).max() < 5000:
                cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
    sigma = max(0.6, lamp.softness * side_px)
    light = 1 - lamp.depth * cv2.GaussianBlur(dark, (0, 0), sigma).astype(np.float32) / 255
    under = cv2.GaussianBlur(close, (0, 0), 0.12 * side_px).astype(np.float32) / 255
    return np.asarray(light * (1 - 0.6 * under), np.float32)


def _draw_die(
    picture: Floats,
    depth: Floats,
    owner: npt.NDArray[np.int32],
    number: int,
    dice: list[_Die],
    camera: _Camera,
    lamp: _Lamp,
) -> None:
    die = dice[number]
    style = die.style
    x, y = camera.project(die.centre)[0]
    reach = camera.focal * 0.88 / float(np.linalg.norm(die.centre - camera.place))
    left, right = max(0, int(x - reach)), min(SIZE, int(x + reach) + 2)
    top, bottom = max(0, int(y - reach)), min(SIZE, int(y + reach) + 2)
    if left >= right or top >= bottom:
        return
    ys, xs = np.mgrid[top:bottom, left:right].reshape(2, -1).astype(np.float32)
    rays = camera.rays(xs, ys) @ die.axes
    start = (camera.place - die.centre) @ die.axes
    near, hit = _enter(start, rays)
    xs, ys, rays, t = xs[hit], ys[hit], rays[hit], near[hit]
    inner = 0.5 - style.rounding
    for _ in range(9):
        point = start + rays * t[:, None]
        t = t + _distance(point, inner, style)
    point = start + rays * t[:, None]
    good = np.abs(_distance(point, inner, style)) < 0.02
    xs, ys, t, point, rays = xs[good], ys[good], t[good], point[good], rays[good]
    rows, columns = ys.astype(int), xs.astype(int)
    front = t < depth[rows, columns]
    rows, columns, t, point, rays = rows[front], columns[front], t[front], point[front], rays[front]
    if not len(t):
        return
    normal = np.sign(point) * np.maximum(np.abs(point) - inner, 0)
    on_ball = np.linalg.norm(point, axis=1) > style.ball - 0.01
    normal[on_ball] = point[on_ball]
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    colour, normal = paint(style, die.turns, point, normal)
    # Light, in the die's own axes.
    lamp_at = (lamp.place - die.centre) @ die.axes
    to_lamp = lamp_at - point
    to_lamp /= np.linalg.norm(to_lamp, axis=1, keepdims=True)
    facing = np.maximum((normal * to_lamp).sum(1), 0)
    lit = facing * _unshaded(point, number, dice, lamp)
    up = normal @ die.axes[2]
    room = lamp.room * (0.6 + 0.4 * up)
    halfway = to_lamp - rays
    halfway /= np.linalg.norm(halfway, axis=1, keepdims=True)
    mirror = style.shine * np.maximum((normal * halfway).sum(1), 0) ** style.gloss * (lit > 0)
    shade = colour * (room + lamp.strength * lit)[:, None] + (mirror * lamp.strength)[:, None]
    picture[rows, columns] = shade
    depth[rows, columns] = t
    owner[rows, columns] = number


def _enter(start: Floats, rays: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Where rays enter the unit cube around the origin, and which do."""
    slope = 1 / np.where(np.abs(rays) < 1e-6, 1e-6, rays)
    a, b = (-0.5 - start) * slope, (0.5 - start) * slope
    near = np.minimum(a, b).max(axis=1)
    far = np.maximum(a, b).min(axis=1)
    return near.astype(np.float32), (near < far) & (far > 0.05)


def _distance(point: Floats, inner: float, style: Style) -> Floats:
    over = np.abs(point) - inner
    box = np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)
    return np.maximum(box - style.rounding, np.linalg.norm(point, axis=1) - style.ball)


def _unshaded(point: Floats, number: int, dice: list[_Die], lamp: _Lamp) -> Floats:
    """1 where no other die stands between a point of die `number` and the lamp."""
    die = dice[number]
    world = point @ die.axes.T + die.centre
    way = lamp.place - world
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    free = np.ones(len(point), np.float32)
    for k, other in enumerate(dice):
        if k == number or np.hypot(*(other.centre - die.centre)[:2]) > 3.5:
            continue
        _, hit = _enter((world - other.centre) @ other.axes, way @ other.axes)
        free[hit] = 1 - lamp.depth
    return free


def _faces(
    number: int, die: _Die, camera: _Camera, owner: npt.NDArray[np.int32]
) -> list[DrawnFace]:
    result: list[DrawnFace] = []
    for face in range(6):
        outward = die.axes[:, face // 2] * (-1 if face % 2 else 1)
        middle = die.centre + outward * 0.5
        if outward @ (camera.place - middle) < 0.1 * np.linalg.norm(camera.place - middle):
            continue
        others = [die.axes[:, k] for k in range(3) if k != face // 2]
        square = [middle + 0.5 * (a * others[0] + b * others[1]) for a, b in _SQUARE]
        quad = camera.project(np.array(square, np.float32))
        x, y = camera.project(middle)[0]
        area = max(1.0, float(cv2.contourArea(quad.astype(np.float32))))
        inner = np.round((quad - (x, y)) * 0.85 + (x, y)).astype(np.int32)
        mask = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(mask, inner, 1)
        seen = float((owner[mask > 0] == number).sum()) / (area * 0.72)
        value = VALUES[face] if die.style.symbols is None else 0
        result.append(
            DrawnFace(value, bool(outward[2] > 0.9), float(x), float(y), area**0.5, min(1.0, seen))
        )
    return result


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
