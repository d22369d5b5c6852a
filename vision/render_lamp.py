"""What gives light in the rendered tray, and what takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.render_stage import Planes
from vision.render_view import Floats


class Solid(Protocol):
    """A die as far as light is concerned: a box of 16 mm."""

    @property
    def centre(self) -> Floats:
        """Its middle."""
        ...

    @property
    def turned(self) -> Floats:
        """From its axes to the tray's."""
        ...

    def corners(self) -> Floats:
        """Its eight corners."""
        ...


@dataclass(frozen=True)
class Lamp:
    """What lights the tray.

    at: the lamp's place in tray millimetres; radius_mm: its size (small: hard shadows); power: its
    light on level felt in the tray's middle; colour: its blue, green, red, 1 for white; room,
    room_colour: the same of the light that comes from everywhere; slope: how unevenly the room's
    light falls (change across the tray in x and y).
    screens: level rectangles (x0, y0, x1, y1, z) that stand in the lamp's way, such as a player.
    """

    at: tuple[float, float, float] = (160.0, 520.0, 900.0)
    radius_mm: float = 90.0
    power: float = 0.75
    colour: tuple[float, float, float] = (0.95, 1.0, 1.04)
    room: float = 0.5
    room_colour: tuple[float, float, float] = (1.04, 1.0, 0.97)
    slope: tuple[float, float] = (0.0, 0.0)
    screens: tuple[tuple[float, float, float, float, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Glow:
    """Light on a patch: diffuse and shine (..., 3), the lamp's reach 0 to 1 and open sky 0 to 1."""

    diffuse: Planes
    shine: Planes
    reach: Planes
    sky: Planes
