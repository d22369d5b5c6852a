"""The tray as it stands under its camera: its measures, and how height shifts what is seen.

A camera above the tray draws whatever lies higher a little larger and further from the middle.
The markers may lie on the rim, the upper faces of the dice one die above the felt: each height
has its own homography, and all of them follow from the markers once the camera's focal length or
its height is known. Both have defaults that are good enough where markers and upper faces lie at
nearly the same height; a tray with its markers on the felt should set `camera_height_mm`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""Points: (n, 2) float64."""
Matrix = npt.NDArray[np.float64]
"""A homography: (3, 3) float64, last element 1."""

DEFAULT_FOCAL = 1.4
"""Focal length assumed where nothing is set, in picture widths (a normal lens; 40 degrees)."""

_CORNER_CENTRES = ((-12.0, -12.0), (212.0, -12.0), (212.0, 162.0), (-12.0, 162.0))


@dataclass(frozen=True, slots=True)
class Tray:
    """The measures of one tray, all in millimetres.

    Coordinates start at the inner top left corner of the tray as the camera sees it, x to the
    right, y down; heights are above the felt.

    marker_centres_mm: centres of the ArUco markers (DICT_4X4_50) with ids 0, 1, 2, 3: top left,
        top right, bottom right, bottom left.
    marker_side_mm: side of the black square; the white paper around it must be at least one of
        the marker's modules (a sixth of its side) wide.
    marker_height_mm: of the markers above the felt: 0 where they lie on it, the rim's height where
        they lie on the rim.
    die_side_mm: side of the dice, all alike.
    camera_height_mm: of the lens above the felt, where it is known. Else it is estimated from
        `focal`.
    focal: focal length in picture widths, used where the camera's height is not known.
    """

    width_mm: float = 200.0
    height_mm: float = 150.0
    marker_centres_mm: tuple[tuple[float, float], ...] = _CORNER_CENTRES
    marker_side_mm: float = 18.0
    marker_height_mm: float = 18.0
    die_side_mm: float = 16.0
    camera_height_mm: float | None = None
    focal: float = DEFAULT_FOCAL

    def __post_init__(self) -> None:
        if len(self.marker_centres_mm) != 4:
            raise ValueError(
                f"a tray has four markers (ids 0 to 3), {len(self.marker_centres_mm)} centres given"
            )
        for name in ("width_mm", "height_mm", "marker_side_mm", "die_side_mm", "focal"):
            if not getattr(self, name) > 0:
                raise ValueError(f"the tray's {name} is {getattr(self, name)}, expected above 0")
        if self.camera_height_mm is not None and self.camera_height_mm <= self.die_side_mm:
            raise ValueError(
                f"the camera's height is {self.camera_height_mm} mm, expected above a die"
            )

    def marker_corners(self, marker: int) -> Points:
        """Corners of marker 0..3 in tray millimetres: (4, 2), clockwise from the top left."""
        half = self.marker_side_mm / 2
        square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        return square + np.array(self.marker_centres_mm[marker])


@dataclass(frozen=True, slots=True)
class View:
    """How the camera sees one plane and, by its pose, every plane parallel to it.

    to_px: homography from tray millimetres in the plane at `height_mm` to picture pixels.
    rise_px: what one millimetre of height adds to the homogeneous picture point, (3,).
    height_mm: of that plane above the felt.
    camera_mm: (x, y, z) of the lens in tray millimetres.
    """

    to_px: Matrix
    rise_px: npt.NDArray[np.float64]
    height_mm: float
    camera_mm: tuple[float, float, float]

    def plane(self, z_mm: float) -> Matrix:
        """Homography from tray millimetres in the plane `z_mm` above the felt to pixels."""
        matrix = self.to_px.copy()
        matrix[:, 2] += self.rise_px * (z_mm - self.height_mm)
        return matrix / matrix[2, 2]

    def lift(self, points: Points, from_mm: float, to_mm: float) -> Points:
        """Where points seen at height `from_mm` appear to lie if read at height `to_mm`."""
        return apply(np.linalg.inv(self.plane(to_mm)) @ self.plane(from_mm), points)


def apply(matrix: npt.NDArray[np.floating], points: Points) -> Points:
    """Map (n, 2) points by a homography."""
    many = np.asarray(points, np.float64).reshape(-1, 1, 2)
    if not len(many):
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(many, matrix), np.float64).reshape(-1, 2)


def view_of(to_px: Matrix, tray: Tray, width: int, height: int) -> View:
    """Find the camera's pose from the homography of the marker plane.

    to_px: tray millimetres at the markers' height to pixels of a picture `width` x `height`.
    The principal point is taken to be the middle of the picture, pixels to be square.
    """
    focal = tray.focal * width
    if tray.camera_height_mm is not None:
        # Height above the plane grows in proportion to the focal length, so one step hits it.
        pose = _pose(to_px, focal, width, height)
        wanted = tray.camera_height_mm - tray.marker_height_mm
        focal *= wanted / _camera(pose)[2]
    pose = _pose(to_px, focal, width, height)
    x, y, z = _camera(pose)
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    scale = (inner @ pose)[2, 3] / to_px[2, 2]
    # Tray coordinates are left-handed seen from above (y down), so "up" is minus the third axis.
    rise = -(inner @ pose)[:, 2] / scale
    return View(
        to_px=to_px,
        rise_px=rise,
        height_mm=tray.marker_height_mm,
        camera_mm=(float(x), float(y), float(z + tray.marker_height_mm)),
    )


def _pose(to_px: Matrix, focal: float, width: int, height: int) -> npt.NDArray[np.float64]:
    """Rotation and shift, (3, 4), from tray to camera, third axis pointing into the table."""
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    axes = np.linalg.inv(inner) @ to_px
    axes /= np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    if axes[2, 2] < 0:
        axes = -axes
    rough = np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1])])
    u, _, vt = np.linalg.svd(rough)
    return np.column_stack([u @ vt, axes[:, 2]])


def _camera(pose: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """The lens in tray millimetres; z is the height above the plane, positive."""
    x, y, z = -pose[:, :3].T @ pose[:, 3]
    return float(x), float(y), float(-z)
