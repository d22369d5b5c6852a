"""Draw random scenes of ordinary dice, quickly and with truth, to teach the reader of pips.

Not meant to be beautiful but to be different each time: body and pip colours, rounding, lamp,
shadow, camera and ground are all drawn by lot, and other dice (numerals, symbols, odd spots) lie
among the dice with pips so that the reader learns to leave them alone. `vision.render` is the
honest picture of a tray; tests use that one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pips_render_dice import VALUES, Style, paint
from vision.pips_render_ground import ground
from vision.pips_render_lie import Die, random_dice
from vision.pips_render_view import SIZE, Camera, Lamp, camera_aside, random_camera, random_lamp
from vision.seen import Picture

__all__ = ["SIZE", "DrawnFace", "draw_from_aside", "draw_scene"]

Floats = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """A face of a die in a scene.

    value: 1 to 6 pips, 0 for anything else.
    up: whether it is the upper face. x, y: centre in pixels. size: square root of its area in
    pixels. seen: share of it that no other die hides and that lies in the picture, 0..1.
    tilt: how far it is turned away from whoever looks at it: the part of its outward normal (length
    1) that the picture shows, right and down. leans: whether the die does not lie flat.
    """

    value: int
    up: bool
    x: float
    y: float
    size: float
    seen: float
    tilt: tuple[float, float]
    leans: bool


def draw_scene(rng: np.random.Generator, leaning: float = 0.0) -> tuple[Picture, list[DrawnFace]]:
    """One random scene: picture (SIZE, SIZE, 3) and the faces of its dice.

    leaning: share of the dice that lean, 0..1.
    """
    camera, side_px = random_camera(rng)
    lamp = random_lamp(rng)
    return _drawn(rng, camera, side_px, lamp, random_dice(rng, camera, side_px, leaning))


def draw_from_aside(
    rng: np.random.Generator, tilt_deg: tuple[float, float]
) -> tuple[Picture, list[DrawnFace]]:
    """A scene as `draw_scene` gives it, of dice with pips that lie flat, their sides plain to see.

    tilt_deg: from and up to how far off the vertical the camera stands.
    """
    camera, side_px = camera_aside(rng, tilt_deg)
    lamp = random_lamp(rng)
    dice = random_dice(rng, camera, side_px, only_pips=True)
    return _drawn(rng, camera, side_px, lamp, dice)


def _drawn(
    rng: np.random.Generator, camera: Camera, side_px: float, lamp: Lamp, dice: list[Die]
) -> tuple[Picture, list[DrawnFace]]:
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


def _corners(die: Die, half: float = 0.5) -> Floats:
    grid = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    return (grid * half) @ die.axes.T + die.centre


def _shadow_on_ground(dice: list[Die], camera: Camera, lamp: Lamp, side_px: float) -> Floats:
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
    dice: list[Die],
    camera: Camera,
    lamp: Lamp,
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


def _unshaded(point: Floats, number: int, dice: list[Die], lamp: Lamp) -> Floats:
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


def _faces(number: int, die: Die, camera: Camera, owner: npt.NDArray[np.int32]) -> list[DrawnFace]:
    result: list[DrawnFace] = []
    highest = float(np.abs(die.axes[2]).max())
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
            DrawnFace(
                value=value,
                up=bool(outward[2] > 0.7),
                x=float(x),
                y=float(y),
                size=area**0.5,
                seen=min(1.0, seen),
                tilt=_tilt(outward, middle, camera),
                leans=highest < 0.999,
            )
        )
    return result


def _tilt(outward: Floats, middle: Floats, camera: Camera) -> tuple[float, float]:
    """The outward normal of a face at `middle`, along the picture's right and down."""
    ray = middle - camera.place
    ray = ray / np.linalg.norm(ray)
    right = camera.axes[0] - (camera.axes[0] @ ray) * ray
    right = right / np.linalg.norm(right)
    return float(outward @ right), float(outward @ np.cross(ray, right))


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
