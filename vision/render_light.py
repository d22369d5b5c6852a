"""Light in the rendered tray: one lamp of some size, the room's light, and their shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_lamp import Glow, Lamp, Solid
from vision.render_stage import INNER, RIM_HIGH, RIM_WIDE, TABLE_DEEP, Ground, Planes
from vision.render_view import Floats, View


@dataclass(frozen=True, eq=False)
class Light:
    """A lamp with everything that stands in its way.

    balls: (n, 4) balls x, y, z, radius that make up a hand; samples: points on the lamp.
    """

    lamp: Lamp
    balls: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    samples: int = 9

    @cached_property
    def points(self) -> Floats:
        """Points (n, 3) spread over the lamp."""
        n = np.arange(self.samples)
        radius = np.sqrt((n + 0.5) / self.samples) * self.lamp.radius_mm
        turn = n * np.pi * (3 - np.sqrt(5))
        at = np.array(self.lamp.at)
        towards = np.array([100.0, 75.0, 0.0]) - at
        towards /= np.linalg.norm(towards)
        side = np.cross(towards, [0.0, 0.0, 1.0]) + np.array([1e-6, 0, 0])
        side /= np.linalg.norm(side)
        up = np.cross(towards, side)
        return at + (radius * np.cos(turn))[:, None] * side + (radius * np.sin(turn))[:, None] * up

    @property
    def white(self) -> Planes:
        """The lamp's own colour."""
        return np.array(self.lamp.colour, np.float32)

    def on_ground(self, view: View, ground: Ground, solids: Sequence[Solid]) -> Planes:
        """Light (height, width, 3) on every pixel of the empty tray, shadows included."""
        size = view.lens.size
        floor_lit = self._level(view, solids, 0.0, size, walls=True)
        raised = [s for s in solids if s.corners()[:, 2].max() > RIM_HIGH + 1]
        rim_lit = self._level(view, raised, RIM_HIGH, size)
        table_lit = self._level(view, raised, TABLE_DEEP, size, tray=True)
        walls = self._walls(ground, solids)
        lit = (
            ground.floor * floor_lit * self._level_power(ground.floor_at, 0.0)
            + ground.rim * rim_lit * self._level_power(ground.rim_at, RIM_HIGH)
            + ground.table * table_lit * self._level_power(ground.table_at, TABLE_DEEP)
            + ground.wall * walls
        )
        sky = (
            ground.floor * self._floor_sky(view, ground, solids, size)
            + ground.rim
            + ground.table * np.float32(0.9)
            + ground.wall * np.float32(0.55)
        )
        if self.lamp.slope != (0.0, 0.0):
            x = np.linspace(-0.5, 0.5, size[0], dtype=np.float32)[None, :]
            y = np.linspace(-0.5, 0.5, size[1], dtype=np.float32)[:, None]
            sky *= 1 + np.float32(self.lamp.slope[0]) * x + np.float32(self.lamp.slope[1]) * y
        room = self.lamp.room
        return np.asarray(
            cv2.merge(
                [
                    lit * np.float32(c) + sky * np.float32(r * room)
                    for c, r in zip(self.lamp.colour, self.lamp.room_colour, strict=True)
                ]
            ),
            np.float32,
        )

    def on_face(self, at: Floats, normal: Floats, eye: Floats, others: Sequence[Solid]) -> Glow:
        """Light on a die's face: `at` (n, n, 3) places on it, `normal` its outward direction."""
        spots = at.reshape(-1, 3) + normal * 0.05
        reach = self._reach(spots, others).reshape(at.shape[:2])
        # A face near the floor or against another die sees little of the room.
        sky = (0.5 + 0.5 * normal[2]) * np.clip(0.55 + 0.45 * at[..., 2] / 16, 0.3, 1.0)
        if normal[2] < 0.9:
            near = spots + normal * 1.5
            far = spots + normal * 5.0
            for other in others:
                for points, dark in ((near, 0.45), (far, 0.7)):
                    own = np.abs((points - other.centre) @ other.turned)
                    inside = (own < 8.0).all(1).reshape(at.shape[:2])
                    sky = np.where(inside, sky * dark, sky)
            walls = np.minimum(
                np.minimum(far[:, 0], INNER[0] - far[:, 0]),
                np.minimum(far[:, 1], INNER[1] - far[:, 1]),
            ).reshape(at.shape[:2])
            sky = np.where((walls < 0) & (at[..., 2] < RIM_HIGH), sky * 0.6, sky)
        return self._glow(at, normal, eye, reach, sky)

    def on_normal(self, at: Floats, normal: Floats, eye: Floats, reach: float, sky: float) -> Glow:
        """Light on one direction of a rounded edge."""
        return self._glow(at, normal, eye, np.array(reach), np.array(sky))

    def _glow(
        self,
        at: Floats,
        normal: Floats,
        eye: Floats,
        reach: npt.NDArray[np.floating],
        sky: npt.NDArray[np.floating],
    ) -> Glow:
        to_lamp = np.array(self.lamp.at) - at
        far = np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        to_lamp = to_lamp / far
        to_eye = eye - at
        to_eye = to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True)
        half = to_lamp + to_eye
        half = half / np.linalg.norm(half, axis=-1, keepdims=True)
        falls = np.clip(to_lamp @ normal, 0, 1)
        strength = self._at_middle * falls / far[..., 0] ** 2 * reach
        shine = np.clip(half @ normal, 0, 1) ** 45 * reach
        colour = np.array(self.lamp.colour)
        room = np.array(self.lamp.room_colour) * self.lamp.room
        # Felt throws back a little light from below.
        bounce = 0.10 * (1 - normal[2])
        diffuse = strength[..., None] * colour + (sky + bounce)[..., None] * room
        shiny = shine[..., None] * colour * self.lamp.power * 4 + 0.5 * room * sky[..., None]
        return Glow(
            diffuse.astype(np.float32),
            shiny.astype(np.float32),
            np.asarray(reach, np.float32),
            np.asarray(sky, np.float32),
        )

    @cached_property
    def _at_middle(self) -> float:
        """Lamp's strength such that level felt in the tray's middle gets `power`."""
        to_lamp = np.array(self.lamp.at) - (100.0, 75.0, 0.0)
        far = float(np.linalg.norm(to_lamp))
        return self.lamp.power * far**2 / max(0.05, float(to_lamp[2]) / far)

    def _walls(self, ground: Ground, solids: Sequence[Solid]) -> Planes:
        """The lamp's light on the inner walls, by where along each wall a pixel lies."""
        lit = np.zeros(ground.wall.shape, np.float32)
        rows, columns = np.nonzero(ground.wall)
        for k, normal in enumerate(((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))):
            across, along = k % 2, 1 - k % 2
            steps = np.linspace(1, INNER[along] - 1, 24)
            spots = np.zeros((24, 3))
            spots[:, along] = steps
            spots[:, across] = 0.5 if k < 2 else INNER[across] - 0.5
            spots[:, 2] = RIM_HIGH * 0.6
            out = np.array(normal, float)
            falls = self._falls(spots[12], out)
            if falls > 0:
                share = falls * self._reach(spots, solids)
                where = ground.floor_at[rows, columns, along]
                value = np.interp(where, steps, share).astype(np.float32)
                lit[rows, columns] += value * ground.facing[k, rows, columns]
        return lit

    def _falls(self, at: Floats, normal: Floats) -> float:
        to_lamp = np.array(self.lamp.at) - at
        far = float(np.linalg.norm(to_lamp))
        return self._at_middle * max(0.0, float(to_lamp @ normal) / far) / far**2

    def _level_power(self, at: Planes, z: float) -> Planes:
        """The lamp's light on a level plane with nothing in its way (coarse: it is smooth)."""
        coarse = at[::12, ::12]
        x, y, high = self.lamp.at
        rise = high - z
        far2 = (coarse[..., 0] - x) ** 2 + (coarse[..., 1] - y) ** 2 + rise**2
        power = (self._at_middle * rise / (far2 * np.sqrt(far2))).astype(np.float32)
        h, w = at.shape[:2]
        return np.asarray(cv2.resize(power, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)

    def _level(
        self,
        view: View,
        solids: Sequence[Solid],
        z: float,
        size: tuple[int, int],
        walls: bool = False,
        tray: bool = False,
    ) -> Planes:
        """Share of the lamp (height, width) 0 to 1 that the plane at height `z` gets."""
        w, h = size[0] // 2, size[1] // 2
        total = np.zeros((h, w), np.float32)
        dark = np.zeros((h, w), np.uint8)
        wide, high = INNER
        corner_points = [s.corners() for s in solids]
        for point in self.points:
            dark[:] = 255 if walls else 0
            if walls:
                hole = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
                rim = np.column_stack([hole, np.full(4, RIM_HIGH)])
                _fill(dark, view, _cast(rim, point, z), 0)
            if tray:
                r = RIM_WIDE
                block = np.array([[-r, -r], [wide + r, -r], [wide + r, high + r], [-r, high + r]])
                both = [np.column_stack([block, np.full(4, k)]) for k in (RIM_HIGH, z)]
                _fill(dark, view, _cast(np.concatenate(both), point, z), 255)
            for corners in corner_points:
                _fill(dark, view, _cast(corners, point, z), 255)
            for x0, y0, x1, y1, level in self.lamp.screens:
                screen = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
                sheet = np.column_stack([screen, np.full(4, level)])
                _fill(dark, view, _cast(sheet, point, z), 255)
            if len(self.balls):
                spots = view.project(_cast(self.balls[:, :3], point, z))
                spots = np.clip((spots + 0.5) / 2 - 0.5, -9999, 9999).round().astype(int)
                sizes = np.round(self.balls[:, 3] * view.px_per_mm(z) / 2).astype(int)
                for spot, radius in zip(spots.tolist(), sizes.tolist(), strict=True):
                    cv2.circle(dark, spot, radius, 255, -1)
            total += dark
        total = cv2.GaussianBlur(total, (0, 0), 1.1)
        share = 1 - total / np.float32(255 * len(self.points))
        return np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_LINEAR), np.float32)

    def _floor_sky(
        self, view: View, ground: Ground, solids: Sequence[Solid], size: tuple[int, int]
    ) -> Planes:
        """How open the felt is to the room: darker along the walls and around the dice."""
        w, h = size[0] // 4, size[1] // 4
        at = cv2.resize(ground.floor_at, (w, h), interpolation=cv2.INTER_AREA)
        sky = np.full((h, w), 0.96, np.float32)
        for k, width in enumerate(INNER):
            for edge in (at[..., k], width - at[..., k]):
                sky *= 1 - 0.38 * np.exp(-np.maximum(edge, 0) / np.float32(11))
        feet = np.zeros((h, w), np.uint8)
        scale = view.px_per_mm() / 4
        for solid in solids:
            corners = solid.corners()
            if corners[:, 2].min() < 6:
                _fill(feet, view, np.column_stack([corners[:, :2], np.zeros(8)]), 255, shrink=4)
        if solids:
            near = cv2.GaussianBlur(feet, (0, 0), 2.2 * scale).astype(np.float32) / 255
            wide = cv2.GaussianBlur(feet, (0, 0), 7.0 * scale).astype(np.float32) / 255
            sky *= np.clip(1 - 0.55 * near - 0.45 * wide, 0.1, 1)
        if len(self.balls):
            over = np.zeros((h, w), np.uint8)
            for x, y, ball_z, radius in self.balls:
                spot = (view.project([[x, y, 0.0]])[0] + 0.5) / 4 - 0.5
                reach = (radius + ball_z * 0.4) * scale
                cv2.circle(over, np.round(spot).astype(int).tolist(), round(reach), 120, -1)
            blur = cv2.GaussianBlur(over, (0, 0), 9 * scale).astype(np.float32) / 255
            sky *= 1 - blur
        return np.asarray(cv2.resize(sky, size, interpolation=cv2.INTER_LINEAR), np.float32)

    def _reach(self, spots: Floats, others: Sequence[Solid]) -> Floats:
        """Share of the lamp that reaches each place (n,), 0 to 1."""
        n, m = len(spots), len(self.points)
        ways = (self.points[None] - spots[:, None]).reshape(-1, 3)
        starts = np.repeat(spots, m, axis=0)
        free = np.ones(n * m, bool)
        for other in others:
            own_start = (starts - other.centre) @ other.turned
            own_way = ways @ other.turned
            own_way = np.where(np.abs(own_way) < 1e-9, 1e-9, own_way)
            t0, t1 = (-7.8 - own_start) / own_way, (7.8 - own_start) / own_way
            enter = np.minimum(t0, t1).max(1)
            leave = np.maximum(t0, t1).min(1)
            free &= ~((enter < leave) & (leave > 0) & (enter > -1e-3))
        low = starts[:, 2] < RIM_HIGH
        inside = low & (starts[:, 0] > 0) & (starts[:, 0] < INNER[0])
        t = (RIM_HIGH - starts[:, 2]) / ways[:, 2]
        over = starts[:, :2] + ways[:, :2] * t[:, None]
        free &= ~(inside & ((over < 0) | (over > np.array(INNER))).any(1))
        for x0, y0, x1, y1, level in self.lamp.screens:
            t = (level - starts[:, 2]) / ways[:, 2]
            over = starts[:, :2] + ways[:, :2] * t[:, None]
            hit = (over > (x0, y0)).all(1) & (over < (x1, y1)).all(1)
            free &= ~hit
        if len(self.balls):
            unit = ways / np.linalg.norm(ways, axis=1, keepdims=True)
            middles, radii = self.balls[:, :3], self.balls[:, 3]
            along = unit @ middles.T - (unit * starts).sum(1, keepdims=True)
            far2 = (starts**2).sum(1, keepdims=True) - 2 * starts @ middles.T
            far2 = far2 + (middles**2).sum(1)
            free &= ~((along > 0) & (far2 - along**2 < radii**2)).any(1)
        return free.reshape(n, m).mean(1)


def _cast(points: Floats, lamp: Floats, z: float) -> Floats:
    """Shadows of points (n, 3) on the plane at height `z`."""
    height = np.maximum(points[:, 2], z)
    grow = (lamp[2] - z) / (lamp[2] - height)
    flat = lamp[:2] + (points[:, :2] - lamp[:2]) * grow[:, None]
    return np.column_stack([flat, np.full(len(points), z)])


def _fill(
    mask: npt.NDArray[np.uint8], view: View, points: Floats, value: int, shrink: int = 2
) -> None:
    px = ((view.project(points) + 0.5) / shrink - 0.5) * 16
    hull = cv2.convexHull(np.clip(px, -1e6, 1e6).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, value, shift=4)
