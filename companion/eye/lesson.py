"""A lesson: what shall be taught, what has been shown so far, and what comes next.

It is kept in one folder, in the form that `companion dice enrol` reads too, so that an unfinished
one survives a reload, a restart and the power cord.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

import cv2
import msgspec

from vision.dice_set import NAME
from vision.seen import Picture

SHOTS = 4
"""Shots of each face that are enough."""
EMPTIES = 3
"""Shots of the empty tray."""
_MOST_FACES = 20
_MOST_COLOURS = 8


class LessonError(ValueError):
    """A plan cannot be taught: `key` is the word for it, `seen` what was given."""

    def __init__(self, key: str, seen: str = "") -> None:
        super().__init__(f"{key}: {seen}")
        self.key, self.seen = key, seen


class Plan(msgspec.Struct, frozen=True):
    """What shall be taught: the set's name, its body colours, and the faces that each has."""

    name: str
    colours: tuple[str, ...]
    faces: tuple[str, ...]

    def check(self) -> None:
        """Raise `LessonError` where it cannot be taught."""
        for name in (self.name, *self.colours, *self.faces):
            if not NAME.fullmatch(name):
                raise LessonError("name", name)
        if self.name == "d6":
            raise LessonError("pips", self.name)
        if not 1 <= len(self.colours) <= _MOST_COLOURS or len(set(self.colours)) < len(
            self.colours
        ):
            raise LessonError("colours", ", ".join(self.colours))
        if not 2 <= len(self.faces) <= _MOST_FACES or len(set(self.faces)) < len(self.faces):
            raise LessonError("faces", ", ".join(self.faces))


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """One shot: as a manifest names it, and where the die lay (millimetres, degrees)."""

    image: str
    kind: Literal["empty", "die"]
    colour: str | None = None
    face: str | None = None
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    @property
    def number(self) -> int:
        """Counts the shots of a lesson."""
        return int(self.image.partition(".")[0])


class _Kept(msgspec.Struct, frozen=True):
    plan: Plan
    left_out: tuple[tuple[str, str], ...] = ()
    shots: tuple[Shown, ...] = ()
    taken: int = 0  # shots ever taken: the name of one that was taken back is not given again


class Lesson:
    """One lesson in a folder. Not for several threads at once."""

    def __init__(self, folder: Path, kept: _Kept) -> None:
        self.folder, self._kept = folder, kept

    @classmethod
    def begin(cls, folder: Path, plan: Plan) -> Lesson:
        """Begin a lesson in an empty folder; raises `LessonError` where the plan is none."""
        plan.check()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        lesson = cls(folder, _Kept(plan))
        lesson._write()
        return lesson

    @classmethod
    def resume(cls, folder: Path) -> Lesson | None:
        """Return the lesson that a folder holds; None where there is none that can be gone on."""
        try:
            kept = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=_Kept)
        except (OSError, msgspec.DecodeError):
            return None
        there = tuple(shot for shot in kept.shots if (folder / shot.image).is_file())
        return cls(folder, msgspec.structs.replace(kept, shots=there))

    def give_up(self) -> None:
        """Throw the lesson away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what stands

    @property
    def plan(self) -> Plan:
        """What shall be taught."""
        return self._kept.plan

    @property
    def wanted(self) -> list[tuple[str, str]]:
        """Every colour and face that shall be taught, in order."""
        pairs = [(c, f) for c in self.plan.colours for f in self.plan.faces]
        return [pair for pair in pairs if pair not in self._kept.left_out]

    @property
    def next(self) -> tuple[str, str] | None:
        """The colour and face that is to be shown now; None when all are done."""
        return next((p for p in self.wanted if len(self.of(*p)) < SHOTS), None)

    @property
    def empties(self) -> list[Shown]:
        """The shots of the empty tray."""
        return [shot for shot in self._kept.shots if shot.kind == "empty"]

    def of(self, colour: str, face: str) -> list[Shown]:
        """The shots of one face."""
        return [s for s in self._kept.shots if (s.colour, s.face) == (colour, face)]

    # ---- what changes it

    def add(
        self,
        picture: Picture,
        pair: tuple[str, str] | None,
        place: tuple[float, float, float] = (0.0, 0.0, 0.0),
        crop: Picture | None = None,
    ) -> Shown:
        """Keep a shot of a colour and face, or of the empty tray where `pair` is None."""
        numbers = [shot.number for shot in self._kept.shots]
        number = max([self._kept.taken, *numbers]) + 1
        image = f"{number:03d}.png"
        cv2.imwrite(str(self.folder / image), picture)
        if crop is not None:
            cv2.imwrite(str(self.folder / f"{number:03d}.crop.png"), crop)
        x, y, angle = (round(value, 1) for value in place)
        shown = (
            Shown(image, "empty")
            if pair is None
            else Shown(image, "die", pair[0], pair[1], x, y, angle)
        )
        self._change(shots=(*self._kept.shots, shown), taken=number)
        return shown

    def take_back(self) -> Shown | None:
        """Throw the last shot of a die away."""
        last = next((s for s in reversed(self._kept.shots) if s.kind == "die"), None)
        if last is not None:
            self._drop([last])
        return last

    def show_again(self, colour: str, face: str) -> None:
        """Throw all shots of a face away, so that it is asked for again."""
        self._drop(self.of(colour, face))

    def empty_again(self) -> None:
        """Throw the shots of the empty tray away."""
        self._drop(self.empties)

    def leave_out(self, colour: str, face: str) -> None:
        """The dice of this colour have no such face."""
        self._drop(self.of(colour, face))
        self._change(left_out=(*self._kept.left_out, (colour, face)))

    def crop(self, number: int) -> bytes | None:
        """Return the picture of a shot's face as PNG."""
        try:
            return (self.folder / f"{number:03d}.crop.png").read_bytes()
        except OSError:
            return None

    # ---- private

    def _drop(self, gone: list[Shown]) -> None:
        self._change(shots=tuple(s for s in self._kept.shots if s not in gone))
        for shot in gone:
            (self.folder / shot.image).unlink(missing_ok=True)
            (self.folder / f"{shot.number:03d}.crop.png").unlink(missing_ok=True)

    def _change(self, **changes: object) -> None:
        self._kept = msgspec.structs.replace(self._kept, **changes)
        self._write()

    def _write(self) -> None:
        """Replace the manifest at once: a cut power cord leaves the old one or the new one."""
        fresh = self.folder / "manifest.new"
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(self._kept)) + b"\n")
        fresh.replace(self.folder / "manifest.json")
