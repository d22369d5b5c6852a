"""Look whether the camera and the light do for reading dice, and say what does not.

One frame is enough. Each finding is a code with its values; sentences about it are made elsewhere.
A corner of the tray is 0 back left, 1 back right, 2 front right, 3 front left, as its marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Points, Tray, apply
from vision.fit import TrayFit, TrayNotSeen, check_frame, find_tray
from vision.seen import Picture

CODES = (
    "no_corners",
    "corners_missing",
    "corner_twice",
    "blurred",
    "dark",
    "dark_side",
    "dark_corner",
    "too_bright",
    "glare",
    "nudged",
    "marker_size",
    "far_away",
)
"""Every code a `Finding` may have, the most hindering first."""

_BLURRED_MM = 0.55  # width of a marker's edge from 20 % to 80 %; 0.3 where it is in focus
_BLURRED_PICTURE = 0.41  # the same for a whole picture without markers, see `_crispness`
_DARK = 100.0  # brightness of white paper, 0..255, below which black dice lose their drawing
_DARK_SIDE = 0.72  # of the brightness of the opposite side
_DARK_CORNER = 0.62  # of the brightness of the other corners
_BURNT = 250.0  # white paper that bright has lost its shades, and so have white dice
_CLIPPED = 244  # the same for a single pixel, all colours of it
_GLARE_MM2 = 40.0  # smaller burnt spots hide no face
_GLARE_SOFT = 1.35  # a reflection fades out over the felt; beside a white die the felt is dark
_GLARE_RING_MM = (2.0, 5.0)  # where it is looked for that fading
_NUDGED_PX = 3.0
_MARKER_OFF = 0.06  # share by which a marker's side may differ from what is set
_FAR_PX_MM = 2.2
_SCALE = 2.0  # pixels per millimetre of the straight drawing that light is judged on
_SIDES = (("left", (0, 3), (1, 2)), ("right", (1, 2), (0, 3)), ("back", (0, 1), (2, 3)))
_SIDES = (*_SIDES, ("front", (2, 3), (0, 1)))
_ROWS, _COLUMNS = ("back", "middle", "front"), ("left", "middle", "right")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that hinders the reading of dice: a code of `CODES`, and its values.

    Values: `seen` and `missing` (lists of corners), `side` ("left", "right", "back", "front"),
    `corner`, `spot` ("middle", "left", "back_left" ...), `mm`, `expected_mm` (rounded).
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class TrayLook:
    """What one frame shows of tray and light.

    fit: where the tray lies, None where fewer than two corners were seen; only with three or more
    is it exact. findings: the most hindering first; none where all is well.
    """

    fit: TrayFit | None
    findings: tuple[Finding, ...]


def check_tray(
    frame: Picture, tray: Tray, before: npt.NDArray[np.float64] | None = None
) -> TrayLook:
    """Look at one frame, (h, w, 3) uint8 in blue, green, red.

    before: the tray's `places` when the camera was set up.
    Raises `ValueError` where the frame is no picture.
    """
    check_frame(frame)
    try:
        fit = find_tray(frame, tray, least=2)
    except TrayNotSeen as error:
        return TrayLook(None, tuple(_without_fit(frame, error)))
    found: list[Finding] = []
    missing = [corner for corner in range(4) if corner not in fit.markers]
    blurred = _edge_mm(frame, fit) > _BLURRED_MM
    if missing:
        found.append(Finding("corners_missing", {"seen": len(fit.markers), "missing": missing}))
    if blurred:
        found.append(Finding("blurred"))
    found += _light(frame, fit)
    found += _glare(frame, fit)
    if len(missing) < 2:
        found += _place(fit, before)
    if not missing and not blurred:
        found += _marker_size(fit)
    if fit.px_per_mm < _FAR_PX_MM:
        found.append(Finding("far_away"))
    return TrayLook(fit, tuple(sorted(found, key=lambda f: CODES.index(f.code))))


def places(fit: TrayFit) -> npt.NDArray[np.float64]:
    """Return where the tray's four inner corners lie in the frame, (4, 2) pixels, for `before`."""
    tray = fit.tray
    corners = [(0, 0), (tray.width_mm, 0), (tray.width_mm, tray.height_mm), (0, tray.height_mm)]
    return fit.to_px(np.array(corners, np.float64), 0.0)


def _without_fit(frame: Picture, error: TrayNotSeen) -> list[Finding]:
    if error.doubled:
        return [Finding("corner_twice", {"corner": error.doubled[0]})]
    found: list[Finding] = []
    if error.seen:
        values = {"seen": len(error.seen), "missing": list(error.missing)}
        found.append(Finding("corners_missing", values))
    else:
        found.append(Finding("no_corners"))
    if float(np.percentile(frame, 99)) < _DARK:
        found.append(Finding("dark"))
    elif _crispness(frame) < _BLURRED_PICTURE:
        found.append(Finding("blurred"))
    return found


def _edge_mm(frame: Picture, fit: TrayFit) -> float:
    """Width of the edges between the markers' black and white, in millimetres, 20 % to 80 %."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    tray, half = fit.tray, fit.tray.marker_side_mm / 2
    module = tray.marker_side_mm / 6
    out = np.arange(-0.75 * module, 0.6 * module, 0.05)
    along = np.linspace(-0.7, 0.7, 9) * half
    widths: list[float] = []
    for marker in fit.markers:
        centre = np.array(tray.marker_centres_mm[marker])
        for way in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
            across = np.array([way[1], way[0]])
            lines = (
                centre + (half + out)[None, :, None] * np.array(way) + along[:, None, None] * across
            )
            px = fit.to_px(lines.reshape(-1, 2), tray.marker_height_mm).astype(np.float32)
            levels = cv2.remap(
                grey,
                px[:, 0].reshape(len(along), -1),
                px[:, 1].reshape(len(along), -1),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for line in np.asarray(levels, np.float32):
                black, white = line[:12].min(), line[-16:].max()
                if white - black > 25:
                    share = (line - black) / (white - black)
                    first, last = int((share > 0.2).argmax()), int((share > 0.8).argmax())
                    if last >= first:
                        widths.append((last - first) * 0.05)
    return float(np.median(widths)) if widths else 0.0


def _crispness(frame: Picture) -> float:
    """How steep the picture's steepest edges are against those of the same picture made small."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    shrink = min(1.0, 960 / frame.shape[1])  # a larger sensor shows no finer edges
    grey = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    small = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return _steep(cv2.GaussianBlur(grey, (3, 3), 0.6)) / max(1.0, _steep(small))


def _steep(grey: npt.NDArray[Any]) -> float:
    x, y = (cv2.Sobel(grey, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    return float(np.percentile(cv2.magnitude(x, y), 99.5))


def _light(frame: Picture, fit: TrayFit) -> list[Finding]:
    """Whether the lamp is bright enough, nowhere too bright, and even."""
    paper = fit.white(frame).mean(axis=1)
    seen = list(fit.markers)
    if float(np.median(paper[seen])) < _DARK:
        return [Finding("dark")]
    found = _uneven(paper, _felt(frame, fit), seen)
    if sum(paper[i] >= _BURNT for i in seen) >= 2:
        found.append(Finding("too_bright"))
    return found


def _uneven(paper: Floats, felt: Floats, seen: Sequence[int]) -> list[Finding]:
    """Whether one corner or one side is much darker than the rest."""
    for corner in seen:
        others = [paper[i] for i in seen if i != corner]
        alike = len(others) == 3 and min(others) > _DARK_SIDE * max(others)
        if alike and paper[corner] < _DARK_CORNER * float(np.median(others)):
            return [Finding("dark_corner", {"corner": corner})]
    for side, near, far in _SIDES:
        edge, other = _edge_cells(felt, side)
        on_paper = paper[list(near)].mean() / paper[list(far)].mean()
        both = all(i in seen for i in (*near, *far))
        if (both and on_paper < _DARK_SIDE) or edge < _DARK_SIDE * other:
            return [Finding("dark_side", {"side": side})]
    return []


def _felt(frame: Picture, fit: TrayFit) -> Floats:
    """Brightness of the felt in three rows of three, (3, 3); dice and drawings hardly count."""
    drawn = fit.rectify(frame, _SCALE, 0.0, 0.0).astype(np.float32).mean(axis=2)
    rows, columns = (np.array_split(np.arange(length), 3) for length in drawn.shape)
    cells = [[np.median(drawn[np.ix_(r, c)]) for c in columns] for r in rows]
    return np.array(cells, np.float32)


def _edge_cells(felt: Floats, side: str) -> tuple[float, float]:
    """Brightness at one side and at the opposite one."""
    low, high = (felt[:, 0], felt[:, 2]) if side in ("left", "right") else (felt[0], felt[2])
    first, last = float(np.median(low)), float(np.median(high))
    return (first, last) if side in ("left", "back") else (last, first)


def _glare(frame: Picture, fit: TrayFit) -> list[Finding]:
    """Where the lamp shines back from the felt so strongly that a die there could not be read."""
    drawn = fit.rectify(frame, _SCALE, 0.0, 0.0)
    burnt = (drawn.min(axis=2) >= _CLIPPED).astype(np.uint8)
    count, marks, facts, middles = cv2.connectedComponentsWithStats(burnt)
    light = drawn.astype(np.float32).mean(axis=2)
    usual = float(np.median(light))
    near, far = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(2 * reach * _SCALE) + 1,) * 2)
        for reach in _GLARE_RING_MM
    )
    for blob in range(1, count):
        if facts[blob, cv2.CC_STAT_AREA] < _GLARE_MM2 * _SCALE**2:
            continue
        mine = (marks == blob).astype(np.uint8)
        ring = (cv2.dilate(mine, far) > 0) & (cv2.dilate(mine, near) == 0)
        if ring.any() and float(np.percentile(light[ring], 20)) > _GLARE_SOFT * usual:
            x, y = middles[blob]
            return [Finding("glare", {"spot": _spot(x / drawn.shape[1], y / drawn.shape[0])})]
    return []


def _spot(x: float, y: float) -> str:
    """Name a place of the tray, given in shares of its width and depth."""
    row, column = _ROWS[min(2, int(y * 3))], _COLUMNS[min(2, int(x * 3))]
    if row == "middle":
        return column
    return row if column == "middle" else f"{row}_{column}"


def _place(fit: TrayFit, before: npt.NDArray[np.float64] | None) -> list[Finding]:
    """Whether the tray still lies where it lay when the camera was set up."""
    if before is None:
        return []
    moved = float(np.hypot(*(places(fit) - before).T).max())
    return [Finding("nudged", {"mm": round(moved / fit.px_per_mm)})] if moved > _NUDGED_PX else []


def _marker_size(fit: TrayFit) -> list[Finding]:
    """Whether the markers are as large as it is set: measured by the distances of their centres."""
    tray = fit.tray
    middles = np.array([_middle(corners) for corners in fit.corners_px], np.float32)
    spots = np.array(tray.marker_centres_mm, np.float32)
    to_mm = cv2.getPerspectiveTransform(middles, spots).astype(np.float64)
    sides: list[float] = []
    for corners in fit.corners_px:
        flat = apply(to_mm, corners)
        sides += np.hypot(*(flat - np.roll(flat, 1, axis=0)).T).tolist()
    side = float(np.mean(sides))
    if abs(side / tray.marker_side_mm - 1) <= _MARKER_OFF:
        return []
    return [Finding("marker_size", {"mm": round(side), "expected_mm": round(tray.marker_side_mm)})]


def _middle(corners: Points) -> Points:
    """Where the diagonals of a marker cross: its centre, also in perspective."""
    a, b, c, d = (np.array([*corner, 1.0]) for corner in corners)
    cross = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(cross[:2] / cross[2], np.float64)
