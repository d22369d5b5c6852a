"""The camera and the lamp of a drawn scene of ordinary dice; lengths are sides of a die."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]

SIZE = 320
"""Width and height of a scene in pixels."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: place (3,), axes (3, 3) with rows right, down and forward, focal in px."""

    place: Floats
    axes: Floats
    focal: float

    def project(self, points: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3)."""
        local = (np.atleast_2d(points) - self.place) @ self.axes.T
        return local[:, :2] / local[:, 2:] * self.focal + SIZE / 2 - 0.5

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Directions (n, 3) of length 1 that pixels see."""
        middle = SIZE / 2 - 0.5
        local = np.stack([(x - middle) / self.focal, (y - middle) / self.focal, np.ones_like(x)], 1)
        rays = local @ self.axes
        return rays / np.linalg.norm(rays, axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp and the light of the room.

    softness: sigma of a shadow's edge; depth: 1 where a shadow takes all of the lamp's light.
    """

    place: Floats
    strength: float
    room: float
    softness: float
    depth: float


def random_camera(rng: np.random.Generator) -> tuple[Camera, float]:
    """A camera from above or from the side; how many pixels wide a die is to it."""
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
    return Camera(place.astype(np.float32), axes, focal), side_px


def camera_aside(rng: np.random.Generator, tilt_deg: tuple[float, float]) -> tuple[Camera, float]:
    """A camera so many degrees off the vertical; how many pixels wide a die is to it."""
    tilt = np.radians(rng.uniform(*tilt_deg))
    far, side_px = float(rng.uniform(9, 30)), float(rng.uniform(38, 62))
    roll = rng.normal(0, 0.15)
    forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
    level = np.array([1.0, 0, 0])
    down = np.cross(forward, level)
    right = np.cos(roll) * level + np.sin(roll) * down
    axes = np.stack([right, np.cross(forward, right), forward])
    place = np.array([0, 0, 0.5]) - forward * far
    return Camera(place.astype(np.float32), axes.astype(np.float32), side_px * far), side_px


def random_lamp(rng: np.random.Generator) -> Lamp:
    """A lamp anywhere above the table."""
    height = np.radians(rng.uniform(18, 88))
    around = rng.uniform(0, 2 * np.pi)
    flat = np.cos(height)
    far = rng.uniform(6, 40)
    place = far * np.array([flat * np.cos(around), flat * np.sin(around), np.sin(height)])
    share = rng.uniform(0.15, 0.9)
    level = rng.uniform(0.55, 1.25)
    return Lamp(
        place=place.astype(np.float32),
        strength=float(level * share / max(0.4, np.sin(height))),
        room=float(level * (1 - share)),
        softness=float(rng.choice([0.01, 0.03, 0.1, 0.3])),
        depth=float(rng.uniform(0.6, 1.0)),
    )
