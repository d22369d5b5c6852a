"""Rendered dice: rounded boxes with a drawing on each face, lying, leaning or flying."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_faces import TEXTURE, DieKind, Dressed
from vision.render_light import Light
from vision.render_pose import FACE_AXES, HALF, Pose
from vision.render_stage import Planes
from vision.render_view import Floats, View, cover

_GRID = 5


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
            spot = (np.arange(TEXTURE) + 0.5) / TEXTURE * die.face_mm - die.face_mm / 2
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
    size = tuple(max(4, min(TEXTURE, round(1.2 * n))) for n in (wide, high))
    if min(size) > 0.8 * TEXTURE:
        return texture
    return np.asarray(cv2.resize(texture, size, interpolation=cv2.INTER_AREA), np.float32)


def _enlarge(grid: Planes) -> Planes:
    return np.asarray(
        cv2.resize(grid, (TEXTURE, TEXTURE), interpolation=cv2.INTER_LINEAR), np.float32
    )
