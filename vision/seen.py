"""What the reader saw in the tray: dice with their certainty, and what stood in the way.

Plain records, shared by the reader of symbol dice (`vision.reading`) and the reader of pips
(`vision.pips`). They carry no opinion about what a throw means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""A picture: (height, width, 3) uint8 in OpenCV's blue, green, red order."""

CERTAIN = 0.9
"""From this confidence on a die counts as certain; below it the table asks."""

WARNING_CODES = (
    "frame_unreadable",
    "frames_disagree",
    "hand_in_picture",
    "light_changed",
    "markers_missing",
    "positions_in_pixels",
    "tray_moved",
    "unexplained_place",
)
"""Every code a `ReadWarning` may have; a reader adds none of its own."""


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something that stood in the way of a reading: a code and its values.

    code: one of `WARNING_CODES`.
    values: numbers, texts or lists that a sentence about it needs, by name. Places are `x`, `y`
        in the reading's unit, areas `area_mm2`, markers lists of ids.
    """

    code: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as it was seen.

    colour: body colour as enrolled, or None where it resembles none.
    face: face as enrolled, or None where it resembles none ("unsure": never a guess).
    x, y: centre of the die in tray millimetres (origin at the inner top left corner, x right,
        y down), or in pixels where the reading's `unit` says so.
    confidence: 0..1, chance that colour and face are right and the die lies flat; calibrated, see
        `CERTAIN`.
    cocked: it leans, stands on an edge or lies on another die, as far as can be seen.
    on_rim: it lies on the tray's rim or outside, and is no good roll.
    likely: faces with their chance, best first; they sum up to at most 1, the rest is "none".
    angle: degrees clockwise, 0..90, by which the sides of the upper face are turned.
    crop: (128, 128, 3) picture of the upper face with a margin of a quarter of its side around it,
        or None where the reader made none.
    """

    colour: str | None
    face: str | None
    x: float
    y: float
    confidence: float
    cocked: bool = False
    on_rim: bool = False
    likely: tuple[tuple[str, float], ...] = ()
    angle: float = 0.0
    crop: Picture | None = None

    @property
    def certain(self) -> bool:
        """Whether it may count without being asked about."""
        return self.confidence >= CERTAIN and not self.cocked and not self.on_rim


@dataclass(frozen=True, slots=True)
class TrayReading:
    """All that one throw showed.

    dice: every die seen, also those that are unsure, cocked or on the rim; left to right.
    warnings: what stood in the way.
    unit: of the dice's `x`, `y`: "mm" in the tray, "px" in a plain photo without markers.
    """

    dice: tuple[SeenDie, ...]
    warnings: tuple[ReadWarning, ...] = ()
    unit: Literal["mm", "px"] = "mm"
