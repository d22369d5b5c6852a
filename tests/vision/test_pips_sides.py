"""Only upper faces count, also where a low camera sees the pips on the sides of the dice.

The floors are what `python -m vision.pips_sides` measured, less a small margin.
"""

from __future__ import annotations

import pytest

from vision.pips_sides import Aside, look_from_aside

SCENES = 60


@pytest.fixture(scope="module")
def aside() -> Aside:
    """Dice seen from 20 to 35 degrees off the vertical."""
    return look_from_aside((20, 35), SCENES)


def test_no_side_of_a_die_is_told_as_a_die(aside: Aside) -> None:
    assert aside.sides > 250, "there is something to be mistaken"
    assert aside.told == 0


def test_the_upper_faces_are_read_all_the_same(aside: Aside) -> None:
    assert aside.dice > 150
    assert aside.right >= 0.97 * aside.dice
    assert aside.wrong == 0


def test_in_a_poor_picture_no_side_is_certain() -> None:
    aside = look_from_aside((20, 35), SCENES, spoiled=True)
    assert aside.certain == 0
    assert aside.told <= 0.01 * aside.sides
    assert aside.right >= 0.94 * aside.dice


def test_from_further_aside_few_are_told_and_none_is_certain() -> None:
    aside = look_from_aside((35, 45), SCENES // 2)
    assert aside.certain == 0
    assert aside.told <= 0.02 * aside.sides
    assert aside.right >= 0.94 * aside.dice
