"""Measure how well dice are read: against pictures whose truth is known.

A die is right when its colour and face are right within 6 mm; asked for are the dice that lie flat
inside the tray and at rest. A picture is exact when all of those are right and nothing else in it
is certain. What is claimed is set against what is measured.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.seen import CERTAIN, Picture, SeenDie, TrayReading

NEAR_MM = 6.0
"""How far from its true place a die may be read."""
_EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001)


class TruthError(ValueError):
    """A folder of rolls with truth cannot be used: says which file and why."""


class TrueDie(msgspec.Struct, frozen=True):
    """One die of a roll's truth; further fields of the file are not used."""

    colour: str
    face: str
    x: float
    y: float
    cocked: bool = False
    on_rim: bool = False
    moving: bool = False

    @property
    def asked(self) -> bool:
        """Whether a reader is expected to read it: flat, inside, at rest."""
        return not (self.cocked or self.on_rim or self.moving)


class Truth(msgspec.Struct, frozen=True):
    """The truth of one roll."""

    dice: tuple[TrueDie, ...]
    image: str | None = None
    difficulty: str = "all"


@dataclass(slots=True)
class Tally:
    """Counts over some pictures."""

    frames: int = 0
    exact: int = 0
    dice: int = 0
    right: int = 0
    wrong_certain: int = 0
    invented: int = 0


@dataclass(slots=True)
class Score:
    """How well a folder was read: tallies by difficulty, and claims against truth.

    claims: (confidence, right) of every die given, also of unsure ones.
    faults: one line per fault, for a person to look into.
    """

    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    claims: list[tuple[float, bool]] = field(default_factory=list[tuple[float, bool]])
    faults: list[str] = field(default_factory=list[str])

    @property
    def total(self) -> Tally:
        """All difficulties together."""
        sums = [
            sum(getattr(t, name) for t in self.tallies.values())
            for name in ("frames", "exact", "dice", "right", "wrong_certain", "invented")
        ]
        return Tally(*sums)

    def add_tally(self, name: str, tally: Tally) -> None:
        """Count another tally under a name."""
        own = self.tallies.setdefault(name, Tally())
        for part in Tally.__slots__:
            setattr(own, part, getattr(own, part) + getattr(tally, part))

    def calibration(self) -> list[tuple[float, float, int, float, float]]:
        """Rows of (from, to, dice, mean claim, share right), empty spans left out."""
        rows: list[tuple[float, float, int, float, float]] = []
        for low, high in itertools.pairwise(_EDGES):
            inside = [(c, r) for c, r in self.claims if low <= c < high]
            if inside:
                claim = float(np.mean([c for c, _ in inside]))
                rows.append(
                    (
                        low,
                        min(high, 1.0),
                        len(inside),
                        claim,
                        float(np.mean([r for _, r in inside])),
                    )
                )
        return rows

    def calibration_error(self) -> float:
        """Expected calibration error: mean distance of claim and truth, weighted by dice."""
        rows = self.calibration()
        count = sum(n for _, _, n, _, _ in rows)
        return sum(n * abs(claim - right) for _, _, n, claim, right in rows) / max(1, count)

    def table(self) -> str:
        """The score as text: one line per difficulty, then the calibration table."""
        head = f"{'':<14}{'frames exact':>14}{'dice right':>14}{'wrong >= 0.9':>14}{'invented':>10}"
        lines = [head]
        names = [n for n in ("easy", "medium", "hard") if n in self.tallies]
        names += sorted(set(self.tallies) - set(names))
        rows = [(n, self.tallies[n]) for n in names]
        if len(rows) > 1:
            rows.append(("total", self.total))
        for name, t in rows:
            frames, dice = f"{t.exact}/{t.frames}", f"{t.right}/{t.dice}"
            lines.append(f"{name:<14}{frames:>14}{dice:>14}{t.wrong_certain:>14}{t.invented:>10}")
        lines += ["", f"{'claimed':<14}{'dice':>6}{'mean claim':>12}{'right':>8}"]
        for low, high, count, claim, right in self.calibration():
            lines.append(f"{low:.2f} - {high:.2f}   {count:>6}{claim:>12.3f}{right:>8.3f}")
        lines.append(f"expected calibration error {self.calibration_error():.3f}")
        return "\n".join(lines)


def score_rolls(
    folder: Path, read: Callable[[Picture], TrayReading], only: range | None = None
) -> Score:
    """Read every picture of a folder that has a truth file NN.json, and compare.

    Raises `TruthError` where the folder holds none, or one is damaged.
    """
    score = Score()
    for path in truth_files(folder, only):
        try:
            truth = msgspec.json.decode(path.read_bytes(), type=Truth)
        except (OSError, msgspec.DecodeError) as error:
            raise TruthError(f"{path} is no truth of a roll: {error}") from error
        picture_path = folder / (truth.image or f"{path.stem}.jpg")
        picture = cv2.imread(str(picture_path), cv2.IMREAD_COLOR)
        if picture is None:
            raise TruthError(f"{picture_path}: not a picture that can be read")
        add(score, path.stem, truth, read(np.asarray(picture, np.uint8)))
    return score


def add(score: Score, name: str, truth: Truth, reading: TrayReading) -> None:
    """Count one reading."""
    tally = score.tallies.setdefault(truth.difficulty, Tally())
    tally.frames += 1
    matches = pairs(truth.dice, reading.dice)
    exact = True
    for i, true in enumerate(truth.dice):
        seen = reading.dice[matches[i]] if i in matches else None
        ok = seen is not None and (seen.colour, seen.face) == (true.colour, true.face)
        if true.asked:
            tally.dice += 1
            tally.right += ok
            exact &= ok
            if not ok:
                score.faults.append(f"{name}: {true} read as {_short(seen)}")
    matched = {j: truth.dice[i] for i, j in matches.items()}
    for j, seen in enumerate(reading.dice):
        true = matched.get(j)
        ok = true is not None and (seen.colour, seen.face) == (true.colour, true.face)
        good = ok and true is not None and true.asked
        score.claims.append((seen.confidence, good))
        if seen.confidence < CERTAIN or good:
            continue
        exact = False
        if true is None:
            tally.invented += 1
            score.faults.append(f"{name}: invented {_short(seen)}")
        elif true.asked and not ok:
            tally.wrong_certain += 1
        else:
            # Certain about a die that leans, moves or lies on the rim: that die is no roll.
            tally.wrong_certain += not ok
            score.faults.append(f"{name}: certain about {true}: {_short(seen)}")
    tally.exact += exact


def truth_files(folder: Path, only: range | None) -> list[Path]:
    """The truth files NN.json of a folder, or those of some numbers; `TruthError` where none is."""
    if not folder.is_dir():
        raise TruthError(f"{folder} is no folder")
    paths = sorted(
        p
        for p in folder.glob("*.json")
        if p.stem.isdigit() and (only is None or int(p.stem) in only)
    )
    if not paths:
        span = "" if only is None else f" numbered {only.start} to {only.stop - 1}"
        raise TruthError(f"{folder} holds no truth files{span}: expected NN.json beside NN.jpg")
    return paths


def pairs(true: tuple[TrueDie, ...], seen: tuple[SeenDie, ...]) -> dict[int, int]:
    """Match true and seen dice, nearest first, each once."""
    distances = sorted(
        (float(np.hypot(t.x - s.x, t.y - s.y)), i, j)
        for i, t in enumerate(true)
        for j, s in enumerate(seen)
    )
    matches: dict[int, int] = {}
    for distance, i, j in distances:
        if distance <= NEAR_MM and i not in matches and j not in matches.values():
            matches[i] = j
    return matches


def _short(seen: SeenDie | None) -> str:
    if seen is None:
        return "nothing"
    return f"{seen.colour} {seen.face} {seen.confidence:.2f} at {seen.x:.0f}, {seen.y:.0f}"
