"""What random boxes are made of: drawings, felts, woods, tables, lamps and lenses to choose from.

Three grounds, so that a figure says what it was measured on: the usual one and a wider one to tune
on, and one with nothing in common with them that is only scored on.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.render_art import ARTWORKS
from vision.render_drawings_more import UNSEEN as UNSEEN_DRAWINGS
from vision.render_drawings_more import WIDE as WIDE_DRAWINGS
from vision.render_stage import Colour

Span = tuple[float, float]


@dataclass(frozen=True)
class Looks:
    """What to choose from.

    drawings: names of pairs; frames: around them, as `vision.render_faces.Print` names them.
    felts, woods: colours; tables: colour and grain. felt_grain: strength of the felt's texture.
    spread: how far a shade strays from its colour, grey levels. gloss, round_mm: of the dice.
    height_mm: of the camera; bend: first radial distortion; off_axis: deviation of the optical
    axis, picture widths; tilt_deg: deviation of the usual tilt. lamp_away, lamp_high, lamp_mm:
    the lamp's distance, height and radius; slope: deviation of the room's unevenness; warmth:
    deviation of the lamp's tint.
    """

    drawings: tuple[str, ...]
    frames: tuple[str, ...]
    felts: tuple[Colour, ...]
    woods: tuple[Colour, ...]
    tables: tuple[tuple[Colour, float], ...]
    felt_grain: Span = (0.5, 1.3)
    spread: float = 8.0
    gloss: Span = (0.05, 0.8)
    round_mm: Span = (1.0, 2.4)
    height_mm: Span = (450.0, 600.0)
    bend: Span = (-0.12, 0.03)
    off_axis: float = 0.004
    tilt_deg: float = 1.2
    lamp_away: Span = (250.0, 800.0)
    lamp_high: Span = (700.0, 1300.0)
    lamp_mm: Span = (25.0, 160.0)
    slope: float = 0.12
    warmth: float = 0.02


USUAL = Looks(
    drawings=ARTWORKS,
    frames=("line", "line", "none", "ring", "disc"),
    felts=(
        (74, 84, 94),
        (70, 105, 72),
        (118, 84, 52),
        (58, 84, 62),
        (104, 104, 106),
        (92, 118, 142),
        (110, 90, 110),
    ),
    woods=(
        (92, 135, 172),
        (58, 82, 116),
        (120, 165, 200),
        (60, 66, 74),
        (70, 110, 160),
        (150, 176, 196),
    ),
    tables=(
        ((112, 114, 116), 0.05),
        ((84, 112, 142), 0.8),
        ((178, 184, 188), 0.04),
        ((60, 66, 82), 0.9),
        ((150, 132, 120), 0.05),
    ),
)
"""What most boxes are like; their seeds have always meant the same boxes."""

WIDE = Looks(
    drawings=(*ARTWORKS, *WIDE_DRAWINGS),
    frames=("line", "none", "ring", "disc"),
    felts=(
        *USUAL.felts,
        (48, 50, 120),
        (120, 60, 40),
        (64, 62, 60),
        (150, 168, 176),
        (60, 120, 130),
        (96, 110, 60),
    ),
    woods=(*USUAL.woods, (44, 48, 54), (196, 204, 208), (52, 60, 110), (110, 130, 140)),
    tables=(*USUAL.tables, ((40, 44, 48), 0.05), ((60, 96, 150), 1.0)),
    felt_grain=(0.3, 1.5),
    spread=12.0,
    gloss=(0.0, 1.0),
    round_mm=(0.7, 2.8),
    height_mm=(380.0, 700.0),
    bend=(-0.2, 0.06),
    off_axis=0.008,
    tilt_deg=2.0,
    lamp_away=(120.0, 900.0),
    lamp_high=(500.0, 1500.0),
    lamp_mm=(10.0, 200.0),
    slope=0.2,
    warmth=0.04,
)
"""More of everything, to tune on."""

UNSEEN = Looks(
    drawings=tuple(UNSEEN_DRAWINGS),
    frames=("line", "none", "ring", "disc"),
    felts=(
        (60, 40, 92),
        (98, 72, 34),
        (44, 70, 40),
        (128, 140, 150),
        (84, 84, 78),
        (70, 96, 120),
        (44, 46, 98),
    ),
    woods=((76, 118, 186), (38, 52, 84), (168, 190, 204), (84, 96, 104), (104, 150, 190)),
    tables=(((90, 70, 50), 0.05), ((70, 90, 120), 0.9), ((206, 208, 210), 0.03)),
    felt_grain=(0.4, 1.4),
    spread=10.0,
    gloss=(0.0, 0.9),
    round_mm=(0.8, 2.6),
    height_mm=(400.0, 660.0),
    bend=(-0.18, 0.05),
    off_axis=0.006,
    tilt_deg=1.8,
    lamp_away=(150.0, 850.0),
    lamp_high=(550.0, 1400.0),
    lamp_mm=(15.0, 180.0),
    slope=0.18,
    warmth=0.035,
)
"""Other drawings, felts, woods and tables than those of the other two: only scored on."""

LOOKS = {"usual": USUAL, "wide": WIDE, "unseen": UNSEEN}
"""By the names that the command line knows."""

TUNING = (("usual", range(300, 310)), ("wide", range(320, 360)))
"""Looks and seeds of the boxes that the reader is tuned on."""

SCORING = (("unseen", range(880, 900)), ("wide", range(494, 498)))
"""Looks and seeds of the boxes that it is only scored on."""
