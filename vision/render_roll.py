"""What one rendered picture shows: a box of dice in a tray, and one roll of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from vision.render_art import Artwork
from vision.render_faces import DieKind, Dressed, Print
from vision.render_hand import Hand
from vision.render_lamp import Lamp
from vision.render_pose import Pose, turn_about
from vision.render_sensor import Sensor
from vision.render_stage import Ground, Look, Stage
from vision.render_view import View

CONDITIONS = (
    "touching",
    "glare",
    "dim_light",
    "warm_light",
    "cool_light",
    "side_shadow",
    "camera_tilt",
    "defocus",
    "exposure_shift",
    "hand",
    "cocked",
    "rim_die",
    "wall_contact",
    "motion_blur",
)


@dataclass(eq=False)
class Box:
    """One owner's dice in one owner's tray under one camera and lamp.

    kinds: the dice; artwork: what is drawn on them and `print` how; look: of the tray; view: the
    camera's place; lamp: the usual light; sensor: the camera's usual settings.
    """

    name: str
    artwork: Artwork
    print: Print
    kinds: tuple[DieKind, ...]
    look: Look = field(default_factory=Look)
    view: View = field(default_factory=View)
    lamp: Lamp = field(default_factory=Lamp)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0
    _grounds: dict[View, Ground] = field(default_factory=dict[View, Ground])

    @cached_property
    def stage(self) -> Stage:
        """The empty tray."""
        return Stage(self.look)

    @cached_property
    def dressed(self) -> dict[int, Dressed]:
        """The dice with their drawings, by die id."""
        return {
            kind.die_id: Dressed(kind, self.artwork, kind.print or self.print, self.seed)
            for kind in self.kinds
        }

    def ground(self, view: View) -> Ground:
        """The empty tray as `view` sees it; the last three are kept."""
        if view not in self._grounds:
            while len(self._grounds) > 2:
                self._grounds.pop(next(iter(self._grounds)), None)
            self._grounds[view] = self.stage.ground(view)
        return self._grounds[view]

    def kind(self, die_id: int) -> DieKind:
        """The die of that number."""
        return self.dressed[die_id].kind

    @cached_property
    def turned_over(self) -> Box:
        """The same box with every face showing the next of its drawings in place of its own."""
        names = sorted({face for kind in self.kinds for face in kind.faces})
        after = dict(zip(names, [*names[1:], *names[:1]], strict=True))
        kinds = tuple(replace(k, faces=tuple(after[f] for f in k.faces)) for k in self.kinds)
        return replace(self, kinds=kinds)

    def scrambled(self, seed: int) -> Box:
        """The same box with every drawing cut up and mixed: a reader must be unsure of it."""
        mixed = self.artwork.scramble(np.random.default_rng([seed, 77]))
        return Box(
            self.name,
            mixed,
            self.print,
            self.kinds,
            self.look,
            self.view,
            self.lamp,
            self.sensor,
            self.seed,
        )


@dataclass(frozen=True, eq=False)
class Placed:
    """One die in a roll.

    poses: one where it lies still; several, spread over the exposure, where it moves.
    glare: strength, size (mm) and place (x, y mm on the upper face) of a reflection, or None.
    """

    die_id: int
    poses: tuple[Pose, ...]
    cocked: bool = False
    on_rim: bool = False
    glare: tuple[float, float, float, float] | None = None

    @property
    def pose(self) -> Pose:
        """Where it is in the middle of the exposure."""
        return self.poses[len(self.poses) // 2]

    @property
    def moving(self) -> bool:
        """Whether it moves during the exposure."""
        return len(self.poses) > 1


@dataclass(frozen=True, eq=False)
class Roll:
    """Everything that differs from picture to picture of one box."""

    dice: tuple[Placed, ...]
    view: View
    lamp: Lamp
    sensor: Sensor
    hand: Hand | None = None
    covered: tuple[tuple[int, float], ...] = ()
    difficulty: str = "easy"
    conditions: frozenset[str] = frozenset()

    @classmethod
    def empty(cls, box: Box) -> Roll:
        """The tray without dice, as usual."""
        return cls((), box.view, box.lamp, box.sensor)


def spun(pose: Pose, velocity: np.ndarray, axis: np.ndarray, rate: float, seconds: float) -> Pose:
    """The pose `seconds` later: velocity in mm/s, rate in degrees a second about `axis`."""
    return Pose(pose.centre + velocity * seconds, turn_about(axis, rate * seconds) @ pose.turned)
