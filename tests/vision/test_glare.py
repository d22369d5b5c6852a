"""A lamp mirrored in a face adds its light: what it leaves to see is read, what it burns is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.dice_set import DiceSet
from vision.face import describe_known
from vision.reading import read_dice
from vision.render import Box, Roll, render
from vision.render_place import lying
from vision.seen import CERTAIN, SeenDie

PLACES = ((45.0, 40.0, 20.0), (110.0, 75.0, 65.0), (160.0, 110.0, 40.0))
VEIL = (0.35, 9.0, 1.0, -1.0)  # strength, size in millimetres, place on the face
BURNT = (6.0, 12.0, 0.0, 0.0)


def read(
    box: Box, dice_set: DiceSet, colour: str, face: str, spot: tuple[float, float, float, float]
) -> tuple[SeenDie, ...]:
    """Three dice of a colour that show a face, a lamp mirrored in each."""
    rng = np.random.default_rng(7)
    kinds = [k for k in box.kinds if k.colour == colour and face in k.faces]
    dice = tuple(
        replace(lying(kinds[k % len(kinds)], face, *place, rng), glare=spot)
        for k, place in enumerate(PLACES)
    )
    picture, _ = render(box, replace(Roll.empty(box), dice=dice), rng)
    return read_dice([picture], dice_set).dice


@pytest.mark.parametrize("colour", ["black", "red"])
@pytest.mark.parametrize("face", ["helmet", "shield"])
def test_dark_dice_are_read_through_a_veil(
    box: Box, dice_set: DiceSet, colour: str, face: str
) -> None:
    dice = read(box, dice_set, colour, face, VEIL)
    assert [(d.colour, d.face) for d in dice] == [(colour, face)] * 3


@pytest.mark.parametrize("colour", ["black", "white", "red"])
def test_a_face_that_is_burnt_out_is_a_die_without_a_name(
    box: Box, dice_set: DiceSet, colour: str
) -> None:
    dice = read(box, dice_set, colour, "helmet", BURNT)
    assert len(dice) == 3
    assert all(d.face is None and d.confidence < CERTAIN for d in dice)


def test_an_unknown_drawing_is_not_certain_through_a_veil(box: Box, dice_set: DiceSet) -> None:
    dice = read(box.scrambled(3), dice_set, "black", "helmet", VEIL)
    assert not any(d.certain for d in dice)


def steps(bright: float, contrast: float) -> np.ndarray:
    """A cross on a face, in linear light."""
    face = np.full((1, 30, 30, 3), bright, np.float32)
    face[:, 13:17, 6:24] += contrast
    face[:, 6:24, 13:17] += contrast
    return face


def test_a_description_does_not_hang_on_how_bright_and_strong_the_drawing_is() -> None:
    known = np.ones((1, 30, 30, 3), bool)
    one, _ = describe_known(steps(0.1, 0.5), known)
    other, _ = describe_known(steps(0.6, 0.1), known)
    assert np.allclose(one, other, atol=0.02)


def test_what_is_unknown_is_left_out() -> None:
    known = np.ones((1, 30, 30, 3), bool)
    known[:, :, :15] = False
    whole, all_seen = describe_known(steps(0.1, 0.5), np.ones_like(known))
    half, seen = describe_known(steps(0.1, 0.5), known)
    share = seen.reshape(6, 6)
    assert np.allclose(all_seen, 1, atol=1e-5)
    assert share[:, :2].max() < 0.05
    assert share[:, 4:].min() > 0.95
    right = np.arange(288).reshape(6, 6, 8)[:, 4:].ravel()
    assert np.allclose(whole[0, right], half[0, right], atol=0.02)
