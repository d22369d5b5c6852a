"""Rendered dice: rounded boxes with a drawing on each face, lying, leaning or flying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_art import Artwork
from vision.render_light import Light
from vision.render_stage import Colour, Planes, linear
from vision.render_view import Floats, View, cover

HALF = 8.0
"""Half a die's side in millimetres."""

# The six faces in the die's own axes: right, down and outward, seen from outside. Numerically
# right x down = outward holds in the tray's axes (x right, y down, z up): no drawing is mirrored.
FACE_AXES: Floats = np.array(
    [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [[0, -1, 0], [0, 0, 1], [-1, 0, 0]],
        [[-1, 0, 0], [0, 0, 1], [0, 1, 0]],
        [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    ],
    float,
)

_TEXTURE = 112
_GRID = 5


@dataclass(frozen=True)
class Print:
    """How a face is made.

    paper, ink: colours by body colour name; sticker_mm: side of the sticker, 0 for print on the
    bare die; frame: "none", "line", "ring" or "disc"; icon_mm: size of the drawing; line_mm: of the
    frame; relief: how much the ink catches light like an engraving, 0 to 1.
    """

    paper: dict[str, Colour]
    ink: dict[str, Colour]
    sticker_mm: float = 13.5
    frame: str = "line"
    icon_mm: float = 9.5
    line_mm: float = 0.5
    relief: float = 0.0


@dataclass(frozen=True)
class DieKind:
    """One die of a box.

    die_id: its number; colour: name of its body colour; faces: what its six faces show; body: the
    body's colour; round_mm: radius of its edges; gloss: 0 matt to 1 polished; grain: wooden streaks
    of the body; off: for each face how the drawing sits beside the middle (x, y mm, degrees);
    print: how its faces are made where that differs from its box.
    """

    die_id: int
    colour: str
    faces: tuple[str, ...]
    body: Colour
    round_mm: float = 1.6
    gloss: float = 0.3
    grain: float = 0.0
    off: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 6
    print: Print | None = None


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is: centre (3,) in tray millimetres, turned (3, 3) from die to tray axes."""

    centre: Floats
    turned: Floats

    def points(self, own: npt.ArrayLike) -> Floats:
        """Tray coordinates of points (n, 3) given in the die's own axes."""
        return np.asarray(own, float) @ self.turned.T + self.centre

    @property
    def upper(self) -> int:
        """Which of the six faces points up most."""
        return int(np.argmax(FACE_AXES[:, 2] @ self.turned.T[:, 2]))

    @property
    def tilt_deg(self) -> float:
        """Tilt of the upper face from level."""
        up = float((FACE_AXES[:, 2] @ self.turned.T[:, 2]).max())
        return float(np.degrees(np.arccos(min(1.0, up))))

    @property
    def angle(self) -> float:
        """Degrees clockwise, 0 to 360, that the upper drawing's upright is turned."""
        up = self.turned @ -FACE_AXES[self.upper, 1]
        return float(np.degrees(np.arctan2(up[0], -up[1])) % 360)

    def quad(self) -> Floats:
        """Corners (4, 3) of the upper face: top left, top right, bottom right, bottom left."""
        right, down, out = FACE_AXES[self.upper]
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return self.points([HALF * (out + a * right + b * down) for a, b in signs])

    def corners(self) -> Floats:
        """The box's eight corners (8, 3)."""
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
        return self.points(HALF * signs)


def flat_pose(face: int, x: float, y: float, angle: float, z: float = HALF) -> Pose:
    """A die lying with its `face` (0 to 5) up, the drawing turned `angle` degrees clockwise."""
    return Pose(np.array([x, y, z]), turn_z(angle) @ FACE_AXES[face])


def turn_z(degrees: float) -> Floats:
    """Turn clockwise as seen from above."""
    return turn_about((0.0, 0.0, 1.0), degrees)


def turn_about(axis: npt.ArrayLike, degrees: float) -> Floats:
    """Turn about an axis through the origin (Rodrigues' formula)."""
    a = np.asarray(axis, float)
    x, y, z = a / np.linalg.norm(a)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    t = np.radians(degrees)
    return np.eye(3) + np.sin(t) * k + (1 - np.cos(t)) * (k @ k)


@dataclass(eq=False)
class Dressed:
    """A die with its drawings, ready to be placed again and again."""

    kind: DieKind
    artwork: Artwork
    print: Print
    seed: int = 0
    _faces: dict[int, Planes] = field(default_factory=dict[int, Planes])

    def face(self, k: int) -> Planes:
        """Face `k` as linear reflectance and cover, (112, 112, 4); its side is `face_mm`."""
        if k not in self._faces:
            self._faces[k] = self._paint(k)
        return self._faces[k]

    @property
    def face_mm(self) -> float:
        """Side of the painted square: the flat and a part of the rounding."""
        return 2 * (HALF - 0.55 * self.kind.round_mm)

    @cached_property
    def bare(self) -> Planes:
        """The body's own linear reflectance."""
        return linear(self.kind.body)

    def _paint(self, k: int) -> Planes:
        kind, look = self.kind, self.print
        rng = np.random.default_rng([self.seed, kind.die_id, k])
        side, per_mm = _TEXTURE, _TEXTURE / self.face_mm
        body = np.ones((side, side, 3), np.float32) * np.array(kind.body, np.float32)
        if kind.grain:
            streak = rng.standard_normal((side // 3, 3), np.float32)
            streak = cv2.resize(streak, (side, side), interpolation=cv2.INTER_CUBIC)
            body *= 1 + 0.07 * kind.grain * streak[..., None]
        dx, dy, turn = kind.off[k]
        fine = 3
        big = side * fine
        # Drawn in a field three times as fine whose middle is the sticker's.
        middle = np.array([big / 2 - 0.5 + dx * per_mm * fine, big / 2 - 0.5 + dy * per_mm * fine])
        mm = per_mm * fine
        to = cv2.getRotationMatrix2D((0, 0), -turn, 1.0)[:, :2]

        def square(half_mm: float, colour: float, onto: Planes) -> None:
            round_mm = min(1.2, half_mm * 0.2)
            inner = half_mm - round_mm
            spots = [
                (sx * inner + round_mm * np.cos(t), sy * inner + round_mm * np.sin(t))
                for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))
                for t in np.arctan2(sy, sx) + np.linspace(-np.pi / 4, np.pi / 4, 5)
            ]
            points = np.array(spots) * mm @ to.T + middle
            cv2.fillPoly(onto, [np.round(points * 16).astype(np.int32)], colour, shift=4)

        sticker = np.zeros((big, big), np.float32)
        ink = np.zeros((big, big), np.float32)
        if look.sticker_mm:
            square(look.sticker_mm / 2, 1.0, sticker)
            frame = look.sticker_mm / 2 - 0.55
        else:
            frame = HALF - kind.round_mm - 0.4
        centre = tuple(np.round(middle * 16).astype(int).tolist())
        if look.frame == "line":
            square(frame, 1.0, ink)
            square(frame - look.line_mm, 0.0, ink)
        elif look.frame == "ring":
            cv2.circle(ink, centre, round(frame * mm * 16), 1.0, -1, shift=4)
            cv2.circle(ink, centre, round((frame - look.line_mm) * mm * 16), 0.0, -1, shift=4)
        elif look.frame == "disc":
            cv2.circle(ink, centre, round(frame * mm * 16), 1.0, -1, shift=4)
        icon = self.artwork.icons[kind.faces[k]]
        n = icon.shape[0]
        size = (look.icon_mm * (0.82 if look.frame in ("ring", "disc") else 1.0)) * mm / n
        fit = np.column_stack([to * size, middle - to @ np.full(2, (n - 1) / 2 * size)])
        drawn = cv2.warpAffine(icon, fit, (big, big), flags=cv2.INTER_LINEAR)
        ink = np.abs(ink - drawn) if look.frame == "disc" else np.maximum(ink, drawn)
        small = (side, side)
        sticker = cv2.resize(sticker, small, interpolation=cv2.INTER_AREA)[..., None]
        ink = cv2.resize(ink, small, interpolation=cv2.INTER_AREA)[..., None]
        worn = 1 + 0.015 * rng.standard_normal((side // 4, side // 4), np.float32)
        worn = cv2.resize(worn, small)[..., None]
        paper = np.array(look.paper[kind.colour], np.float32) * worn
        colour = body * (1 - sticker) + paper * sticker
        colour = colour * (1 - ink) + np.array(look.ink[kind.colour], np.float32) * ink * worn
        if look.relief:
            edge = cv2.Sobel(ink[..., 0], cv2.CV_32F, 1, 1, ksize=3)[..., None]
            colour = colour * (1 + 0.25 * look.relief * edge)
        whole = np.zeros((big, big), np.float32)
        half = self.face_mm / 2
        middle, to = np.full(2, big / 2 - 0.5), np.eye(2)
        square(half, 1.0, whole)
        whole = cv2.resize(whole, small, interpolation=cv2.INTER_AREA)[..., None]
        return np.asarray(np.dstack([linear(np.clip(colour, 0, 255)) * whole, whole]), np.float32)


def paint_die(
    frame: Planes,
    view: View,
    light: Light,
    die: Dressed,
    poses: Sequence[Pose],
    others: Sequence[Pose],
    glare: tuple[float, float, float, float] | None = None,
) -> None:
    """Draw one die into the linear picture; several poses are averaged into a motion blur.

    others: poses of the other dice, which may take its light. glare: strength, size in
    millimetres and place (x, y mm on the upper face) of a lamp's reflection.
    """
    h, w = frame.shape[:2]
    hulls = [_hull(view, die, p) for p in poses]
    spots = np.concatenate(hulls)
    low = np.clip(np.floor(spots.min(0)).astype(int) - 2, 0, (w, h))
    high = np.clip(np.ceil(spots.max(0)).astype(int) + 3, 0, (w, h))
    if (high - low < 2).any():
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    total = np.zeros((size[1], size[0], 4), np.float32)
    for pose, hull in zip(poses, hulls, strict=True):
        alpha = cover(size, hull - low)
        colour = _colour(view, light, die, pose, others, glare, low, size)
        total[..., :3] += colour * alpha[..., None]
        total[..., 3] += alpha
    total /= len(poses)
    part = frame[low[1] : high[1], low[0] : high[0]]
    part *= 1 - total[..., 3:]
    part += total[..., :3]


def outline_px(view: View, die: DieKind, pose: Pose) -> Floats:
    """The die's silhouette in the picture, a convex polygon (n, 2)."""
    return _outline(view, die.round_mm, pose)


def _hull(view: View, die: Dressed, pose: Pose) -> Floats:
    return _outline(view, die.kind.round_mm, pose)


def _outline(view: View, round_mm: float, pose: Pose) -> Floats:
    """A rounded box is its inner box grown by a ball, and so is its silhouette."""
    inner = (pose.corners() - pose.centre) * (1 - round_mm / HALF) + pose.centre
    depth = view.height_mm - pose.centre[2]
    grow = round_mm * view.lens.focal_px / depth
    ring = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    round_px = np.stack([np.cos(ring), np.sin(ring)], 1) * grow
    spots = (view.project(inner)[:, None] + round_px).reshape(-1, 2)
    return cv2.convexHull(spots.astype(np.float32))[:, 0].astype(float)


def _colour(
    view: View,
    light: Light,
    die: Dressed,
    pose: Pose,
    others: Sequence[Pose],
    glare: tuple[float, float, float, float] | None,
    low: npt.NDArray[np.int_],
    size: tuple[int, int],
) -> Planes:
    """The die's light within its window, (height, width, 3); right where the die covers it."""
    fine = 2
    eye = view.eye
    axes = FACE_AXES @ pose.turned.T  # right, down, out of each face in the tray
    seen = [k for k in range(6) if (eye - (pose.centre + HALF * axes[k, 2])) @ axes[k, 2] > 0]
    seen.sort(key=lambda k: axes[k, 2, 2])
    step = (np.arange(_GRID) + 0.5) / _GRID * 2 - 1
    gx, gy = np.meshgrid(step, step)
    grids = {
        k: pose.centre
        + HALF * (axes[k, 2] + 0.92 * (gx[..., None] * axes[k, 0] + gy[..., None] * axes[k, 1]))
        for k in seen
    }
    lit = {k: light.on_face(grids[k], axes[k, 2], eye, others) for k in seen}
    gloss = die.kind.gloss
    reach = np.mean([lit[k].reach for k in seen])
    open_sky = {k: float(lit[k].sky.mean()) for k in seen}

    def edge_colour(normal: Floats, sky: float) -> list[float]:
        glow = light.on_normal(pose.centre, normal, eye, float(reach), sky)
        return (die.bare * glow.diffuse + (0.04 + 0.35 * gloss) * glow.shine).tolist()

    window = np.empty((size[1] * fine, size[0] * fine, 3), np.float32)
    top = seen[-1]
    # What neither face nor edge covers is the ball of a corner, seen at its rim.
    corner_sky = 0.45 * open_sky[top]
    glow = light.on_normal(pose.centre, axes[top, 2], eye, 0.5 * float(reach), corner_sky)
    window[:] = die.bare * glow.diffuse
    r = die.kind.round_mm
    shift = 16.0

    def to_window(points: Floats) -> npt.NDArray[np.int32]:
        px = (view.project(points) - low + 0.5) * fine - 0.5
        return np.round(px * shift).astype(np.int32)

    for a in range(6):
        for b in range(a + 1, 6):
            na, nb = axes[a, 2], axes[b, 2]
            if abs(na @ nb) > 0.5 or (a not in seen and b not in seen):
                continue
            # The edge runs along the axis that is left: 0 to 5 are three pairs of faces.
            along = axes[({0, 1, 2} - {a // 2, b // 2}).pop() * 2, 2] * (HALF - r)
            core = pose.centre + (HALF - r) * (na + nb)
            sky_a = open_sky.get(a, 0.25)
            sky_b = open_sky.get(b, 0.25)
            turns = np.linspace(0, np.pi / 2, 4)
            for t0, t1 in pairwise(turns):
                e0 = core + r * (np.cos(t0) * na + np.sin(t0) * nb)
                e1 = core + r * (np.cos(t1) * na + np.sin(t1) * nb)
                tm = (t0 + t1) / 2
                normal = np.cos(tm) * na + np.sin(tm) * nb
                if (eye - e0) @ normal <= 0:
                    continue
                share = tm / (np.pi / 2)
                colour = edge_colour(normal, sky_a * (1 - share) + sky_b * share)
                strip = np.array([e0 - along, e0 + along, e1 + along, e1 - along])
                cv2.fillConvexPoly(window, to_window(strip), colour, shift=4)
    for sx, sy, sz in np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T:
        signs = np.array([sx, sy, sz], float)
        normal = pose.turned @ signs / np.sqrt(3)
        ball = pose.centre + pose.turned @ signs * (HALF - r)
        if (eye - ball) @ normal <= 0:
            continue
        colour = edge_colour(normal, 0.35 + 0.3 * max(0.0, float(normal[2])))
        ring = [ball + r * (pose.turned @ (signs * mask)) for mask in np.eye(3)]
        cv2.fillConvexPoly(window, to_window(np.array(ring)), colour, shift=4)
    for k in seen:
        face = die.face(k)
        glow = lit[k]
        colour = face[..., :3] * _enlarge(glow.diffuse)
        shine = _enlarge(glow.shine) * np.float32(0.012 + 0.10 * gloss)
        if glare is not None and k == top:
            strength, width, at_x, at_y = glare
            spot = (np.arange(_TEXTURE) + 0.5) / _TEXTURE * die.face_mm - die.face_mm / 2
            d2 = (spot[None, :] - at_x) ** 2 + (spot[:, None] - at_y) ** 2
            blob = strength * (np.exp(-((d2 / width**2) ** 1.5)) + 0.06)
            shine = shine + blob[..., None].astype(np.float32) * light.white
        radiance = np.dstack([colour + shine * face[..., 3:], face[..., 3]])
        half = die.face_mm / 2
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        quad = (
            pose.centre + HALF * axes[k, 2] + signs[:, :1] * axes[k, 0] + signs[:, 1:] * axes[k, 1]
        )
        px = (view.project(quad) - low + 0.5) * fine - 0.5
        first = np.maximum(np.floor(px.min(0)).astype(int) - 1, 0)
        last = np.minimum(np.ceil(px.max(0)).astype(int) + 2, (size[0] * fine, size[1] * fine))
        if (last - first < 1).any():
            continue
        radiance = _squeezed(np.asarray(radiance, np.float32), px)
        right, bottom = radiance.shape[1] - 0.5, radiance.shape[0] - 0.5
        source = np.array(
            [[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]], np.float32
        )
        to = cv2.getPerspectiveTransform(source, (px - first).astype(np.float32))
        drawn = cv2.warpPerspective(
            radiance, to, tuple((last - first).tolist()), flags=cv2.INTER_LINEAR
        )
        part = window[first[1] : last[1], first[0] : last[0]]
        part *= 1 - drawn[..., 3:]
        part += drawn[..., :3]
    return np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), np.float32)


def _squeezed(texture: Planes, quad: Floats) -> Planes:
    """A texture no finer than the place it is drawn to, or thin faces would sparkle."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    # A slanted face is narrower than its sides are long: its area tells how narrow.
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    wide, high = min(wide, area / max(high, 1)), min(high, area / max(wide, 1))
    size = tuple(max(4, min(_TEXTURE, round(1.2 * n))) for n in (wide, high))
    if min(size) > 0.8 * _TEXTURE:
        return texture
    return np.asarray(cv2.resize(texture, size, interpolation=cv2.INTER_AREA), np.float32)


def _enlarge(grid: Planes) -> Planes:
    return np.asarray(
        cv2.resize(grid, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_LINEAR), np.float32
    )
