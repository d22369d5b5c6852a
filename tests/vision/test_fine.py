"""Faces that differ by hairlines only are looked at closely; what is unclear is asked about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.certainty import Cues, chance
from vision.dice_set import DiceSet
from vision.fine import ALIKE, closely
from vision.fit import find_tray
from vision.known import known
from vision.learn import enrol
from vision.reading import lay_out, read_dice
from vision.render import Box, Roll, random_box, render, write_enrolment
from vision.render_looks import UNSEEN
from vision.render_place import lying
from vision.seen import CERTAIN

HAIRLINES = 726  # a drawn box: hairlines in a disc
PLACES = ((45.0, 40.0, 20.0), (110.0, 75.0, 65.0), (160.0, 110.0, 40.0))


@pytest.fixture(scope="module")
def hairlines(tmp_path_factory: pytest.TempPathFactory) -> tuple[Box, DiceSet]:
    box = random_box(HAIRLINES, UNSEEN)
    folder: Path = tmp_path_factory.mktemp("hairlines")
    write_enrolment(box, folder, np.random.default_rng(1))
    return box, enrol(folder, "hairlines")


def thrown(box: Box, colour: str, face: str) -> tuple[np.ndarray, tuple[tuple[float, float], ...]]:
    rng = np.random.default_rng(5)
    kinds = [k for k in box.kinds if k.colour == colour and face in k.faces]
    dice = tuple(lying(kinds[k % len(kinds)], face, *p, rng) for k, p in enumerate(PLACES))
    picture, truth = render(box, replace(Roll.empty(box), dice=dice), rng)
    return picture, tuple((d["x"], d["y"]) for d in truth["dice"])


def test_such_a_set_is_known_by_how_little_its_faces_differ(
    hairlines: tuple[Box, DiceSet], dice_set: DiceSet
) -> None:
    _, hair = hairlines
    red = hair.colour_names.index("red")
    assert known(hair).telling[red] < ALIKE < known(dice_set).telling.max()


@pytest.mark.parametrize("colour", ["black", "red"])
@pytest.mark.parametrize("face", ["helmet", "shield"])
def test_hairlines_are_told_apart(hairlines: tuple[Box, DiceSet], colour: str, face: str) -> None:
    box, dice_set = hairlines
    picture, _ = thrown(box, colour, face)
    dice = read_dice([picture], dice_set).dice
    assert [(d.colour, d.face) for d in dice] == [(colour, face)] * 3


def test_what_lies_over_a_face_is_that_face(hairlines: tuple[Box, DiceSet]) -> None:
    box, dice_set = hairlines
    picture, spots = thrown(box, "red", "shield")
    scene = lay_out(picture, find_tray(picture), known(dice_set))
    fine, red = closely(dice_set), dice_set.colour_names.index("red")
    for (x, y), (_, _, angle) in zip(spots, PLACES, strict=True):
        match = fine.match(scene.drawing, np.array([x, y, angle]), 16.0, red)
        assert dice_set.face_names[int(match.argmax())] == "shield"


def test_two_looks_that_disagree_make_a_question(clear: Cues) -> None:
    assert chance(clear) >= CERTAIN
    assert chance(clear._replace(agreed=False)) < CERTAIN


@pytest.fixture
def clear() -> Cues:
    """Cues of a die that lies apart and shows its face plainly."""
    return Cues(
        alike=0.98,
        match=0.85,
        ahead=0.6,
        tone_ahead=0.6,
        tone_off=0.1,
        edges=0.8,
        weakest=0.75,
        beside=0.0,
        room=40.0,
        parallel=0.0,
        burnt=0.0,
        narrow=0.0,
        covered=1.0,
        kept=0.0,
        telling=0.2,
    )


@pytest.mark.parametrize("face", ["helmet", "shield"])
def test_a_set_whose_pictures_are_lost_keeps_what_it_reads_and_asks(
    hairlines: tuple[Box, DiceSet], face: str
) -> None:
    box, dice_set = hairlines
    lost = replace(dice_set, crops=np.zeros_like(dice_set.crops))
    dice = read_dice([thrown(box, "red", face)[0]], lost).dice
    assert [(d.colour, d.face) for d in dice] == [("red", face)] * 3
    assert not any(d.certain for d in dice)
