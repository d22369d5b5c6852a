"""Find the tray in a picture by its four markers, and draw it straight.

The markers' corners give the homography of their plane; `TrayFit` then draws any other plane, most
of all that of the upper faces, at any scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Matrix, Points, Tray, View, apply, view_of
from vision.seen import Picture

MARGIN_MM = 28.0
"""How much around the inside of the tray is drawn too: the rim, and dice that lie on it."""

_DICTIONARY = cv2.aruco.DICT_4X4_50
_WHITE_RING = (1.06, 1.14)  # of the black square's half side: well inside the white paper


class TrayNotSeen(ValueError):
    """The four markers were not all found.

    seen, missing: ids of the tray's markers (0 top left, 1 top right, 2 bottom right, 3 bottom
    left); doubled: ids found more than once.
    """

    def __init__(self, seen: tuple[int, ...], doubled: tuple[int, ...] = ()) -> None:
        self.seen = seen
        self.missing = tuple(i for i in range(4) if i not in seen)
        self.doubled = doubled
        if doubled:
            text = f"marker {_ids(doubled)} is in the picture more than once"
            advice = "cover or remove the spare one"
        elif seen:
            text = f"marker {_ids(self.missing)} not seen, {_ids(seen)} seen"
            advice = "uncover it, light it evenly and keep the whole tray in the picture"
        else:
            text = "none of the tray's markers 0, 1, 2, 3 seen"
            advice = "is this the tray? Keep its four corners in the picture, lit and in focus"
        super().__init__(f"{text}: {advice}")


@dataclass(frozen=True, slots=True)
class TrayFit:
    """Where the tray lies in pictures of one size from a camera that stands still.

    tray: the measures it was found by.
    view: the marker plane and the camera's pose.
    size: (width, height) of the pictures it holds for.
    markers: ids that were seen; corners_px: their corners, (n, 4, 2): marker, corner, x and y.
    error_px: root mean square distance of those corners from the homography.
    """

    tray: Tray
    view: View
    size: tuple[int, int]
    markers: tuple[int, ...]
    corners_px: npt.NDArray[np.float64]
    error_px: float

    @property
    def px_per_mm(self) -> float:
        """Scale of the picture in the middle of the tray, at the height of the upper faces."""
        x, y = self.tray.width_mm / 2, self.tray.height_mm / 2
        a, b, c = self.to_px(np.array([[x, y], [x + 1, y], [x, y + 1]]))
        return float((np.hypot(*(b - a)) + np.hypot(*(c - a))) / 2)

    def to_px(self, points_mm: Points, z_mm: float | None = None) -> Points:
        """Tray millimetres at height `z_mm` (default: the upper faces) to pixels, (n, 2)."""
        return apply(self.view.plane(self._height(z_mm)), points_mm)

    def to_mm(self, points_px: Points, z_mm: float | None = None) -> Points:
        """Pixels to tray millimetres at height `z_mm` (default: the upper faces), (n, 2)."""
        return apply(np.linalg.inv(self.view.plane(self._height(z_mm))), points_px)

    def straight(
        self, px_per_mm: float, margin_mm: float = MARGIN_MM, z_mm: float | None = None
    ) -> Matrix:
        """Homography from pixels to the straight drawing of `rectify`."""
        to_px = self.view.plane(self._height(z_mm))
        shift = np.array(
            [
                [px_per_mm, 0, margin_mm * px_per_mm - 0.5],
                [0, px_per_mm, margin_mm * px_per_mm - 0.5],
                [0, 0, 1.0],
            ]
        )
        return np.asarray(shift @ np.linalg.inv(to_px), np.float64)

    def rectify(
        self,
        frame: Picture,
        px_per_mm: float = 3.0,
        margin_mm: float = MARGIN_MM,
        z_mm: float | None = None,
    ) -> Picture:
        """Draw the plane at `z_mm` (default: the upper faces) straight from above.

        Returns a picture of (height + 2 margin) x (width + 2 margin) millimetres at `px_per_mm`;
        what lies outside the frame is drawn by its nearest border pixel.
        """
        tray = self.tray
        size = (
            round((tray.width_mm + 2 * margin_mm) * px_per_mm),
            round((tray.height_mm + 2 * margin_mm) * px_per_mm),
        )
        matrix = self.straight(px_per_mm, margin_mm, z_mm)
        picture = cv2.warpPerspective(
            frame, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(picture, np.uint8)

    def white(self, frame: Picture) -> npt.NDArray[np.float32]:
        """Brightness of the markers' white paper, (4, 3): marker, and blue, green, red 0..255."""
        levels = np.empty((4, 3), np.float32)
        half = self.tray.marker_side_mm / 2
        steps = np.linspace(-1, 1, 17)
        for marker in self.markers:
            ring: list[tuple[float, float]] = []
            for reach in _WHITE_RING:
                ring += [(s * reach, reach) for s in steps] + [(s * reach, -reach) for s in steps]
                ring += [(reach, s * reach) for s in steps] + [(-reach, s * reach) for s in steps]
            centre = np.array(self.tray.marker_centres_mm[marker])
            spots = self.to_px(centre + half * np.array(ring), self.tray.marker_height_mm)
            x = np.clip(np.rint(spots[:, 0]).astype(int), 0, frame.shape[1] - 1)
            y = np.clip(np.rint(spots[:, 1]).astype(int), 0, frame.shape[0] - 1)
            # Upper half only: a finger, a shadow or the black square's blur must not darken it.
            lit = np.sort(frame[y, x], axis=0)
            levels[marker] = lit[round(0.7 * (len(lit) - 1))]
        for marker in set(range(4)) - set(self.markers):
            levels[marker] = levels[list(self.markers)].mean(axis=0)
        return levels

    def _height(self, z_mm: float | None) -> float:
        return self.tray.die_side_mm if z_mm is None else z_mm


def find_tray(frame: Picture, tray: Tray | None = None, least: int = 4) -> TrayFit:
    """Find the tray by its four markers (ArUco DICT_4X4_50, ids 0 to 3).

    frame: (h, w, 3) uint8, blue, green, red.
    least: how many of the markers must be seen, 2 to 4. With fewer than all the fit is less exact
        near those that are missing; whoever allows it says so.
    Raises `TrayNotSeen` where not exactly one of each marker is found, `ValueError` where the frame
    is no picture.
    """
    tray = tray or Tray()
    check_frame(frame)
    found = _markers(frame)
    doubled = tuple(sorted(i for i, quads in found.items() if len(quads) > 1))
    if doubled or len(found) < max(2, least):
        raise TrayNotSeen(tuple(sorted(found)), doubled)
    seen = sorted(found)
    corners = np.concatenate([found[i][0] for i in seen])
    spots = np.concatenate([tray.marker_corners(i) for i in seen])
    to_px, _ = cv2.findHomography(spots, corners, 0)
    if to_px is None or not np.isfinite(to_px).all():
        raise TrayNotSeen(tuple(sorted(found)))
    error = apply(np.asarray(to_px, np.float64), spots) - corners
    height, width = frame.shape[:2]
    return TrayFit(
        tray=tray,
        view=view_of(np.asarray(to_px, np.float64), tray, width, height),
        size=(width, height),
        markers=tuple(seen),
        corners_px=corners.reshape(-1, 4, 2),
        error_px=float(np.sqrt((error**2).sum(axis=1).mean())),
    )


def check_frame(frame: Picture) -> None:
    """Raise `ValueError` unless `frame` is a (h, w, 3) uint8 picture of at least 160 x 120."""
    shape = getattr(frame, "shape", None)
    kind = getattr(frame, "dtype", None)
    if shape is None or kind != np.uint8 or len(shape) != 3 or shape[2] != 3:
        raise ValueError(
            f"frame is {kind} {shape}, expected (height, width, 3) uint8 in blue, green, red"
        )
    if shape[0] < 120 or shape[1] < 160:
        raise ValueError(f"frame is {shape[1]} x {shape[0]} pixels, expected at least 160 x 120")


def _markers(frame: Picture) -> dict[int, list[Points]]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # The tray fills most of the picture: its markers are never smaller than this.
    settings.minMarkerPerimeterRate = 0.05
    # The paper around a marker may reach the picture's border; the marker is found by it.
    settings.minDistanceToBorder = 0
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(_DICTIONARY), settings)
    quads, ids, _ = detector.detectMarkers(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))
    found: dict[int, list[Points]] = {}
    if ids is None:
        return found
    for quad, marker in zip(quads, np.asarray(ids).ravel(), strict=True):
        if int(marker) < 4:
            found.setdefault(int(marker), []).append(np.asarray(quad, np.float64).reshape(4, 2))
    return found


def _ids(markers: tuple[int, ...]) -> str:
    return ", ".join(str(i) for i in markers)
