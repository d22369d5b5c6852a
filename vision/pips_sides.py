"""Only upper faces count: whether the reader of pips ever takes the side of a die for one.

`python -m vision.pips_sides` draws dice from further and further aside, their sides plain to see,
and prints a table; the tests hold its first lines to floors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.pips import read_pips
from vision.pips_render import DrawnFace, draw_from_aside
from vision.pips_render_camera import spoil
from vision.seen import SeenDie

__all__ = ["TILTS", "Aside", "look_from_aside"]

SEED = 1300
"""Seeds of the scenes: from here on. Nothing was taught or tuned on them."""
TILTS: tuple[tuple[float, float], ...] = ((0, 20), (20, 35), (35, 45), (45, 55))
"""Degrees off the vertical: from an ordinary camera to one that looks from the side."""
_PLAIN = 0.7  # share of a face that must be seen to count as plain to see, foreshortened as it is
_WHOLE = 0.9  # the same for an upper face that must be read
_AT = 0.5  # a die that is told shows the face whose middle is so near, in its widths


@dataclass(slots=True)
class Aside:
    """What came of the scenes from one tilt.

    dice, right: upper faces, and those read right. sides: side faces with pips that are plain to
    see. told, certain: sides that were told as a die, and those of them that nobody asks about.
    wrong: upper faces read wrong and certain.
    """

    dice: int = 0
    right: int = 0
    sides: int = 0
    told: int = 0
    certain: int = 0
    wrong: int = 0


def look_from_aside(tilt_deg: tuple[float, float], scenes: int, *, spoiled: bool = False) -> Aside:
    """Draw scenes, read them and count. spoiled: with what cameras do to pictures."""
    count = Aside()
    for seed in range(SEED, SEED + scenes):
        rng = np.random.default_rng([seed, 41])
        picture, faces = draw_from_aside(rng, tilt_deg)
        if spoiled:
            picture = spoil(picture, rng)
        count.dice += sum(face.up and face.seen > _WHOLE for face in faces)
        count.sides += sum(not face.up and face.seen > _PLAIN for face in faces)
        for die in read_pips(picture).dice:
            face = _shown(die, faces)
            if face is None:
                continue
            right = str(face.value) == die.face
            if not face.up:
                count.told += 1
                count.certain += die.certain
            elif face.seen > _WHOLE:
                count.right += right
                count.wrong += die.certain and not right
    return count


def _shown(die: SeenDie, faces: Sequence[DrawnFace]) -> DrawnFace | None:
    """The face that a die was read from; None where nothing is near."""
    away = [float(np.hypot(f.x - die.x, f.y - die.y)) / f.size for f in faces]
    nearest = int(np.argmin(away)) if away else -1
    return faces[nearest] if away and away[nearest] < _AT else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all tilts and print."""
    parser = argparse.ArgumentParser(prog="python -m vision.pips_sides", description=__doc__)
    parser.add_argument("--scenes", type=int, default=200, help="for each line")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    sys.stdout.write(f"{'':<22}{'right':>12}{'wrong':>7}{'sides':>7}{'told':>6}{'certain':>9}\n")
    for low, high in TILTS:
        for spoiled in (False, True):
            n = look_from_aside((low, high), given.scenes, spoiled=spoiled)
            name = f"{low:g} to {high:g} degrees{', spoiled' if spoiled else ''}"
            right = f"{n.right}/{n.dice}"
            sys.stdout.write(f"{name:<22}{right:>12}{n.wrong:>7}")
            sys.stdout.write(f"{n.sides:>7}{n.told:>6}{n.certain:>9}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
