"""How a rendered die lies: its place, its turn, and which face is up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.render_view import Floats

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
