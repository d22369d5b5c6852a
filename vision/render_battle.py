"""Our own battle dice: black, white and red ones with the helmet and shield of the sticker sheet.

Two trays are drawn with them: one where they are taught, another where they are played. Run as
`python -m vision.render_battle` this teaches the shipped set anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.learn import DiceSet, enrol
from vision.render import write_enrolment
from vision.render_art import Artwork, artwork
from vision.render_faces import DieKind, Print
from vision.render_lamp import Lamp
from vision.render_random import BOX_DICE, dice_kinds
from vision.render_roll import Box
from vision.render_sensor import Sensor
from vision.render_stage import Colour, Look
from vision.render_view import Lens, View

SHIPPED = Path(__file__).parent / "dice" / "battle"
"""Where the taught set lies."""

_BODIES: dict[str, Colour] = {
    "black": (40, 38, 38),
    "white": (208, 220, 226),
    "red": (44, 40, 172),
}
_PRINT = Print(
    paper=_BODIES,
    ink={"black": (222, 230, 232), "white": (38, 36, 36), "red": (222, 230, 232)},
    sticker_mm=13.6,
    frame="line",
    icon_mm=9.8,
    line_mm=0.45,
)
_TRAY = Look(
    felt=(84, 98, 86),
    felt_grain=1.0,
    wood=(84, 124, 160),
    table=(150, 150, 146),
    stuck=((0.2, -0.1, 0.4), (-0.1, 0.2, -0.6), (0.1, 0.1, 0.3), (0.0, -0.2, 0.8)),
    seed=7,
)
_CAMERA = View(Lens(focal=1.75, bend=(-0.06, 0.015)), 510.0, (0.5, -0.4), 0.3)
_PIP_PRINT = Print(
    paper={"ivory": (190, 214, 224), "green": (70, 104, 40)},
    ink={"ivory": (34, 34, 38), "green": (226, 232, 232)},
    sticker_mm=0.0,
    frame="none",
    icon_mm=13.0,
)


def teaching_box(seed: int = 7) -> Box:
    """The battle dice where they are taught: a green tray by a window, a calm camera."""
    rng = np.random.default_rng([seed, 1])
    return Box(
        name="battle",
        artwork=artwork("battle"),
        print=_PRINT,
        kinds=dice_kinds(BOX_DICE, _BODIES, rng, slip_mm=0.2, gloss=0.25),
        look=_TRAY,
        view=_CAMERA,
        lamp=Lamp(
            at=(-160.0, 330.0, 1200.0),
            radius_mm=220.0,
            power=0.6,
            colour=(1.04, 1.0, 0.97),
            room=0.6,
        ),
        sensor=Sensor(noise=0.7, sharpen=0.3),
        seed=seed,
    )


def playing_box(seed: int = 23, scramble: bool = False) -> Box:
    """The battle dice where they are played: other felt, an evening lamp, a noisier camera.

    Beside the eight battle dice it has two `ivory` and two `green` dice with pips. With `scramble`
    every drawing is cut up and mixed, so that nobody could read it.
    """
    rng = np.random.default_rng([seed, 2])
    battle = artwork("battle")
    icons = (battle.scramble(rng) if scramble else battle).icons
    kinds = dice_kinds(BOX_DICE, _BODIES, rng, slip_mm=0.3, gloss=0.35)
    return Box(
        name="battle at play",
        artwork=Artwork("battle and pips", icons | artwork("pips").icons),
        print=_PRINT,
        kinds=(*kinds, *pip_dice(("ivory", "ivory", "green", "green"), len(kinds))),
        # The same tray, its felt faded a little, on another table.
        look=replace(_TRAY, felt=(86, 101, 91), table=(84, 108, 134), table_grain=0.7),
        # The camera hangs where it hung, as far as a camera stays in its place.
        view=replace(_CAMERA, turn_deg=0.5, aim=(100.6, 74.5)),
        lamp=Lamp(
            at=(330.0, 560.0, 880.0),
            radius_mm=120.0,
            power=0.65,
            colour=(0.93, 1.0, 1.05),
            room=0.55,
            slope=(0.08, -0.1),
        ),
        sensor=Sensor(noise=1.7, sharpen=0.6, balance=0.75),
        seed=seed,
    )


def teach(folder: Path = SHIPPED, shots: int = 6) -> DiceSet:
    """Draw the enrolment shots, learn them as any owner's dice are learnt, and keep the set."""
    with tempfile.TemporaryDirectory() as place:
        write_enrolment(teaching_box(), Path(place), np.random.default_rng(1), shots)
        learnt = enrol(Path(place), "battle")
    learnt.save(folder)
    for path in sorted(folder.rglob("*.png")):
        _pack(path)
    return learnt


def _pack(path: Path) -> None:
    """Write a picture again as small as PNG can: the set travels with the program."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{path} was just written and cannot be read")
    how = [
        cv2.IMWRITE_PNG_COMPRESSION,
        9,
        cv2.IMWRITE_PNG_STRATEGY,
        cv2.IMWRITE_PNG_STRATEGY_FILTERED,
    ]
    cv2.imwrite(str(path), picture, how)


def pip_dice(colours: Sequence[str], first_id: int = 0) -> tuple[DieKind, ...]:
    """Ordinary dice, "ivory" or "green"."""
    # Opposite faces of ordinary dice add up to seven; FACE_AXES lists opposite faces in pairs.
    faces = ("1", "6", "2", "5", "3", "4")
    return tuple(
        DieKind(first_id + i, c, faces, _PIP_PRINT.paper[c], 2.2, 0.5, print=_PIP_PRINT)
        for i, c in enumerate(colours)
    )


if __name__ == "__main__":
    cv2.setNumThreads(1)
    taught = teach()
    size = sum(p.stat().st_size for p in SHIPPED.rglob("*") if p.is_file())
    sys.stdout.write(f"{SHIPPED}: {len(taught.faces)} examples, {size / 1024:.0f} KiB\n")
