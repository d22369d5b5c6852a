"""The rendered picture's camera: where it stands, how it looks and how its lens bends the view.

Tray coordinates are millimetres as everywhere (x right, y down as seen, z up from the felt);
pixels have their centres at whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Maps = npt.NDArray[np.float32]

TRAY_MIDDLE = (100.0, 75.0)


@dataclass(frozen=True)
class Lens:
    """What does not change from picture to picture.

    size: picture width and height in pixels; focal: focal length in picture widths;
    bend: radial distortion (k1, k2, of the normalised radius; below 0 is a barrel);
    off_axis: how far the optical axis misses the picture's middle, in picture widths.
    """

    size: tuple[int, int] = (960, 720)
    focal: float = 1.73
    bend: tuple[float, float] = (-0.06, 0.02)
    off_axis: tuple[float, float] = (0.0, 0.0)

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return self.focal * self.size[0]

    @property
    def centre_px(self) -> Floats:
        """Where the optical axis meets the picture."""
        w, h = self.size
        off = np.array(self.off_axis) * w
        return np.array([(w - 1) / 2, (h - 1) / 2]) + off


@dataclass(frozen=True)
class View:
    """A lens at its place above the tray.

    height_mm: of the lens above the felt; tilt_deg: how far the camera has swung to the side,
    about x and y, still looking at `aim` (0, 0 looks straight down); turn_deg: about the line of
    sight; aim: the place it looks at, tray millimetres.
    """

    lens: Lens = field(default_factory=Lens)
    height_mm: float = 500.0
    tilt_deg: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    aim: tuple[float, float] = TRAY_MIDDLE

    @cached_property
    def eye(self) -> Floats:
        """Where the lens is, (3,) millimetres."""
        sight = self.axes[2]
        return np.array([*self.aim, 0.0]) + sight * (self.height_mm / sight[2])

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels (n, 2) of points (n, 3) in tray millimetres."""
        seen = (np.asarray(points, np.float64).reshape(-1, 3) - self.eye) @ self.axes.T
        flat = seen[:, :2] / seen[:, 2:3]
        r2 = (flat**2).sum(1, keepdims=True)
        k1, k2 = self.lens.bend
        return flat * (1 + k1 * r2 + k2 * r2 * r2) * self.lens.focal_px + self.lens.centre_px

    def plane(self, z: float) -> Maps:
        """Tray x, y (height, width, 2) that each pixel sees in the plane at height `z`."""
        rays = rays_of(self.lens)
        axes = self.axes
        eye = self.eye
        # Ray direction in the tray: x * axes[0] + y * axes[1] + axes[2]; met at height z.
        deep = rays[..., 0] * axes[0, 2] + rays[..., 1] * axes[1, 2] + np.float32(axes[2, 2])
        far = np.float32(z - eye[2]) / deep
        out = np.empty_like(rays)
        for k in (0, 1):
            way = rays[..., 0] * np.float32(axes[0, k]) + rays[..., 1] * np.float32(axes[1, k])
            out[..., k] = (way + np.float32(axes[2, k])) * far + np.float32(eye[k])
        return out

    def px_per_mm(self, z: float = 0.0) -> float:
        """Scale in the middle of the tray at height `z`."""
        return self.lens.focal_px / (self.height_mm - z)

    @cached_property
    def axes(self) -> Floats:
        """Rows: picture right, picture down and the line of sight, in tray coordinates.

        The tray's axes (right, down, up) are left-handed seen with the camera's (right, down,
        away), so the resting camera looks along minus z.
        """
        about_x, about_y = np.radians(self.tilt_deg)
        turn = np.radians(self.turn_deg)
        sight = np.array([np.sin(about_y), np.sin(about_x), -1.0])
        sight /= np.linalg.norm(sight)
        right = np.array([np.cos(turn), np.sin(turn), 0.0])
        right -= sight * (right @ sight)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(right, sight), sight])


@lru_cache(maxsize=4)
def rays_of(lens: Lens) -> Maps:
    """For each pixel the undistorted direction x, y at depth 1, (height, width, 2)."""
    w, h = lens.size
    grid = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1).astype(np.float32)
    bent = (grid - lens.centre_px.astype(np.float32)) / np.float32(lens.focal_px)
    k1, k2 = (np.float32(k) for k in lens.bend)
    straight = bent.copy()
    for _ in range(4):
        r2 = (straight**2).sum(-1, keepdims=True)
        straight = bent / (1 + k1 * r2 + k2 * r2 * r2)
    return straight


def path_px(view: View, corners: npt.ArrayLike, steps: int = 8) -> Floats:
    """Pixels of a closed polygon (n, 3), its sides cut so that they follow the lens's bend."""
    points = np.asarray(corners, np.float64)
    nexts = np.roll(points, -1, axis=0)
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    dense = points[:, None] * (1 - t) + nexts[:, None] * t
    return view.project(dense.reshape(-1, 3))


def cover(size: tuple[int, int], outline_px: Floats, fine: int = 4) -> Maps:
    """How much of each pixel a polygon covers, (height, width) 0 to 1."""
    w, h = size
    mask = np.zeros((h, w), np.float32)
    low = np.clip(np.floor(outline_px.min(0)).astype(int) - 1, 0, (w, h))
    high = np.clip(np.ceil(outline_px.max(0)).astype(int) + 2, 0, (w, h))
    if (high <= low).any():
        return mask
    big = np.zeros(((high[1] - low[1]) * fine, (high[0] - low[0]) * fine), np.uint8)
    points = (outline_px - low + 0.5) * fine - 0.5
    cv2.fillPoly(big, [np.round(points * 16).astype(np.int32)], 255, shift=4)
    small = cv2.resize(big, tuple((high - low).tolist()), interpolation=cv2.INTER_AREA)
    mask[low[1] : high[1], low[0] : high[0]] = small.astype(np.float32) / 255
    return mask
