"""The empty tray that the renderer draws: table, wooden rim, felt and the four corner markers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_view import Floats, View, cover, path_px

Picture = npt.NDArray[np.uint8]
Planes = npt.NDArray[np.float32]
Colour = tuple[float, float, float]
"""Blue, green, red as a screen would show them, 0 to 255."""

INNER = (200.0, 150.0)
RIM_WIDE = 24.0
RIM_HIGH = 18.0
TABLE_DEEP = -4.0  # the table lies under the tray's floor board
MARKER_SIDE = 18.0
PAPER_SIDE = 22.0
MARKER_CENTRES = ((-12.0, -12.0), (212.0, -12.0), (212.0, 162.0), (-12.0, 162.0))

_RIM_SCALE = 5.0  # texture pixels a millimetre
_FELT_SCALE = 4.0
_TABLE_SCALE = 1.6
_TABLE_MARGIN = 110.0


@dataclass(frozen=True)
class Look:
    """What the tray is made of.

    felt, wood, table: their colours; felt_grain: strength of the felt's texture; felt_kind:
    "wool", "weave" or "smooth"; wood_grain: strength of the grain; mitred: whether the rim's boards
    meet at 45 degrees; stuck: how far each marker was stuck beside its place (x, y, degrees).
    """

    felt: Colour = (74, 84, 94)
    felt_grain: float = 1.0
    felt_kind: str = "wool"
    wood: Colour = (92, 135, 172)
    wood_grain: float = 1.0
    mitred: bool = False
    table: Colour = (112, 114, 116)
    table_grain: float = 0.05
    stuck: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 4
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Ground:
    """The empty tray seen from one place, without light.

    albedo: (height, width, 3) linear reflectance; table, rim, wall, floor: how much of each pixel
    they take, (height, width), summing up to 1; facing: for wall pixels the four walls' shares,
    (4, height, width) left, top, right, bottom; table_at, rim_at, floor_at: the place each pixel
    sees on that plane, (height, width, 2).
    """

    albedo: Planes
    table: Planes
    rim: Planes
    wall: Planes
    floor: Planes
    facing: Planes
    table_at: Planes
    rim_at: Planes
    floor_at: Planes


@dataclass(frozen=True)
class Stage:
    """The empty tray with its textures."""

    look: Look = field(default_factory=Look)

    def ground(self, view: View) -> Ground:
        """The empty tray as `view` sees it; costs about 150 ms, so keep it."""
        size = view.lens.size
        outer = rectangle(-RIM_WIDE, -RIM_WIDE, INNER[0] + RIM_WIDE, INNER[1] + RIM_WIDE, RIM_HIGH)
        inner_top = rectangle(0, 0, *INNER, RIM_HIGH)
        inner_floor = rectangle(0, 0, *INNER, 0.0)
        tray = cover(size, path_px(view, outer, 24))
        hole = cover(size, path_px(view, inner_top, 24))
        floor = cover(size, path_px(view, inner_floor, 24)) * hole
        facing = np.zeros((4, size[1], size[0]), np.float32)
        for k in range(4):
            # inner_top and inner_floor start top left and go round: 0 top, 1 right, 2 bottom.
            a, b = k, (k + 1) % 4
            wall = np.array([inner_top[a], inner_top[b], inner_floor[b], inner_floor[a]])
            side = (1, 2, 3, 0)[k]
            facing[side] = cover(size, path_px(view, wall, 16))
        facing /= np.maximum(facing.sum(0), 1e-3)
        floor_at, rim_at = view.plane(0.0), view.plane(RIM_HIGH)
        table_at = view.plane(TABLE_DEEP)
        margin = RIM_WIDE * _RIM_SCALE
        picture = _look_up(self.table, table_at, _TABLE_SCALE, _TABLE_MARGIN * _TABLE_SCALE)
        rim = _look_up(self.rim, rim_at, _RIM_SCALE, margin)
        felt = _look_up(self.felt, floor_at, _FELT_SCALE, 0.0)
        # The walls go on with the rim's wood; their own grain is too narrow to be seen.
        picture = cv2.blendLinear(rim, picture, tray, 1 - tray)
        wood = cv2.GaussianBlur(rim, (0, 0), 2.5)
        picture = cv2.blendLinear(wood, picture, hole, 1 - hole)
        picture = cv2.blendLinear(felt, picture, floor, 1 - floor)
        albedo = np.asarray(cv2.LUT(picture, _LINEAR), np.float32)
        return Ground(
            albedo=albedo,
            table=1 - tray,
            rim=tray - hole,
            wall=np.asarray(hole - floor, np.float32),
            floor=floor,
            facing=facing,
            table_at=table_at,
            rim_at=rim_at,
            floor_at=floor_at,
        )

    def marker_corners(self) -> dict[int, Floats]:
        """For each marker id the black square's corners (4, 3) in tray millimetres."""
        half = MARKER_SIDE / 2
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        corners: dict[int, Floats] = {}
        for i, (centre, stuck) in enumerate(zip(MARKER_CENTRES, self.look.stuck, strict=True)):
            spot = square @ _turned(stuck[2]).T + centre + np.array(stuck[:2])
            corners[i] = np.column_stack([spot, np.full(4, RIM_HIGH + 0.1)])
        return corners

    @cached_property
    def felt(self) -> Picture:
        """Felt texture, (600, 800, 3)."""
        rng = np.random.default_rng([self.look.seed, 1])
        w, h = (round(s * _FELT_SCALE) for s in INNER)
        look = self.look
        if look.felt_kind == "weave":
            yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
            threads = np.sin(xx * 1.1) * np.sin(yy * 1.1)
            fine = 0.6 * threads + 0.5 * noise(rng, h, w, 0.8)
        elif look.felt_kind == "smooth":
            fine = 0.3 * noise(rng, h, w, 0.7)
        else:
            # Short fibres lie in all directions: noise smeared along a few of them.
            fine = np.zeros((h, w), np.float32)
            for turn in rng.uniform(0, np.pi, 4):
                smeared = cv2.filter2D(noise(rng, h, w, 0.6), -1, _line(9, turn))
                fine = np.maximum(fine, smeared / smeared.std() * 0.9) - 0.2
            fine = fine + 0.6 * noise(rng, h, w, 1.4)
        mottled = 0.5 * noise(rng, h, w, 9) + 0.4 * noise(rng, h, w, 40)
        value = 1 + 0.11 * look.felt_grain * fine + 0.035 * look.felt_grain * mottled
        tint = 1 + 0.008 * np.stack([noise(rng, h, w, 12) for _ in range(3)], -1)
        return _as_picture(np.array(look.felt, np.float32) * value[..., None] * tint)

    @cached_property
    def rim(self) -> Picture:
        """Rim texture with the markers, (990, 1240, 3)."""
        rng = np.random.default_rng([self.look.seed, 2])
        w = round((INNER[0] + 2 * RIM_WIDE) * _RIM_SCALE)
        h = round((INNER[1] + 2 * RIM_WIDE) * _RIM_SCALE)
        along = wood(rng, h, w, self.look.wood, self.look.wood_grain)
        across = wood(rng, w, h, self.look.wood, self.look.wood_grain).transpose(1, 0, 2)
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        board = RIM_WIDE * _RIM_SCALE
        if self.look.mitred:
            upright = np.minimum(xx, w - xx) < np.minimum(yy, h - yy)
            seam = np.abs(np.minimum(xx, w - xx) - np.minimum(yy, h - yy)) < 1.6
        else:
            upright = (np.minimum(xx, w - xx) < board) & (np.minimum(yy, h - yy) > board)
            seam = (np.abs(np.minimum(yy, h - yy) - board) < 1.4) & (np.minimum(xx, w - xx) < board)
        texture = np.where(upright[..., None], across, along).copy()
        texture[seam] = texture[seam] * 0.55
        edge = np.minimum(np.minimum(xx, w - xx), np.minimum(yy, h - yy))
        texture *= (0.88 + 0.12 * np.clip(edge / 8, 0, 1))[..., None]
        texture = _as_picture(texture)
        for i, (centre, stuck) in enumerate(zip(MARKER_CENTRES, self.look.stuck, strict=True)):
            _stick(texture, i, centre, stuck, rng)
        return texture

    @cached_property
    def table(self) -> Picture:
        """Table texture around the tray."""
        rng = np.random.default_rng([self.look.seed, 3])
        w = round((INNER[0] + 2 * _TABLE_MARGIN) * _TABLE_SCALE)
        h = round((INNER[1] + 2 * _TABLE_MARGIN) * _TABLE_SCALE)
        if self.look.table_grain > 0.3:
            return _as_picture(wood(rng, h, w, self.look.table, self.look.table_grain))
        value = 1 + self.look.table_grain * 0.3 * noise(rng, h, w, 3)
        return _as_picture(np.array(self.look.table, np.float32) * value[..., None])


def rectangle(x0: float, y0: float, x1: float, y1: float, z: float) -> Floats:
    """Corners (4, 3) of a level rectangle, top left first, clockwise as seen."""
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])


def linear(colour: npt.ArrayLike) -> Planes:
    """Linear reflectance (0 to 1) of a colour given as a screen would show it."""
    return np.asarray(np.square(np.asarray(colour, np.float32) / 255), np.float32)


_LINEAR = linear(np.arange(256))


def _look_up(texture: Picture, at: Planes, scale: float, shift: float) -> Picture:
    maps = at * np.float32(scale) + np.float32(shift - 0.5)
    x, y = (np.ascontiguousarray(maps[..., k]) for k in (0, 1))
    return np.asarray(
        cv2.remap(texture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
        np.uint8,
    )


def _stick(
    texture: Picture,
    marker: int,
    centre: tuple[float, float],
    stuck: tuple[float, float, float],
    rng: np.random.Generator,
) -> None:
    """Lay one printed marker onto the rim's texture."""
    module = 20
    black = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), marker, 6 * module
    )
    margin = round((PAPER_SIDE / MARKER_SIDE - 1) / 2 * 6 * module)
    paper = np.pad(black, margin, constant_values=255).astype(np.float32)
    paper = 34 + paper / 255 * (226 - 34)
    paper += 2.0 * rng.standard_normal(paper.shape, np.float32)
    side = paper.shape[0]
    half = PAPER_SIDE / 2
    corners = np.array([[-half, -half], [half, -half], [half, half]]) @ _turned(stuck[2]).T
    target = (corners + centre + np.array(stuck[:2]) + RIM_WIDE) * _RIM_SCALE - 0.5
    source = np.array([[0, 0], [side, 0], [side, side]]) - 0.5
    to = cv2.getAffineTransform(source.astype(np.float32), target.astype(np.float32))
    h, w = texture.shape[:2]
    sheet = cv2.warpAffine(paper, to, (w, h), flags=cv2.INTER_AREA)
    ink = cv2.warpAffine(np.ones_like(paper), to, (w, h), flags=cv2.INTER_LINEAR)[..., None]
    tinted = sheet[..., None] * np.array([0.97, 0.99, 1.0], np.float32)
    texture[:] = _as_picture(texture * (1 - ink) + tinted * ink)


def wood(rng: np.random.Generator, h: int, w: int, colour: Colour, grain: float) -> Planes:
    """A board with its grain along x."""
    value = np.zeros((h, w), np.float32)
    for across, along, strength in ((2, 90, 0.05), (7, 240, 0.06), (22, 500, 0.05), (1, 25, 0.02)):
        small = rng.standard_normal((max(2, h // across), max(2, w // along)), np.float32)
        value += strength * cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)
    warm = np.array([1.25, 1.0, 0.85], np.float32)  # dark streaks lose blue first
    board = np.array(colour, np.float32) * (1 + grain * value[..., None] * warm)
    return np.asarray(board, np.float32)


def noise(rng: np.random.Generator, h: int, w: int, size: float) -> Planes:
    """Smooth noise of standard deviation 1 whose spots are about `size` pixels wide."""
    step = max(1, int(size))
    small = rng.standard_normal((h // step + 3, w // step + 3), np.float32)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, size / step * 0.6))
    big = cv2.resize(small, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)[:h, :w]
    return np.asarray((big - big.mean()) / big.std(), np.float32)


def _line(length: int, turn: float) -> Planes:
    kernel = np.zeros((length, length), np.float32)
    middle = length // 2
    reach = np.array([np.cos(turn), np.sin(turn)]) * middle
    a, b = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
    cv2.line(kernel, a.tolist(), b.tolist(), 1.0)
    return kernel / kernel.sum()


def _turned(degrees: float) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _as_picture(values: npt.NDArray[np.floating]) -> Picture:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)
