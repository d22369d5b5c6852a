"""What a rendered die is made of: its body, and stickers or print on its faces."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.render_art import Artwork
from vision.render_pose import HALF
from vision.render_stage import Colour, Planes, linear

TEXTURE = 112
"""Side of a painted face in pixels."""


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
        side, per_mm = TEXTURE, TEXTURE / self.face_mm
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
