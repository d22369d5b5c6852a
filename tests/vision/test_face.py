"""Step 3: a face is known by its drawing, however it is turned, and by its colouring."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.face import describe, sample, tone_distance, tones, turn_tones, turned
from vision.light import logarithm, soften


def drawing_of(letter: str, angle: float = 0.0, light: int = 220, dark: int = 40) -> np.ndarray:
    picture = np.full((240, 240, 3), dark, np.uint8)
    cv2.putText(picture, letter, (92, 145), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (light,) * 3, 6)
    turn = cv2.getRotationMatrix2D((119.5, 119.5), -angle, 1)
    turned = cv2.warpAffine(picture, turn, (240, 240), borderValue=(dark,) * 3)
    return soften(logarithm(np.asarray(turned, np.uint8)))


def feature(drawing: np.ndarray, angle: float = 0.0) -> np.ndarray:
    return describe(sample(drawing, np.array([[40.0, 40.0, angle]]), 24.0, 3.0, 0.0))


def test_a_description_has_length_one() -> None:
    assert np.linalg.norm(feature(drawing_of("R"))) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_quarter_turns_are_known_without_being_shown(quarter: int) -> None:
    shown = turned(feature(drawing_of("R")))[0]
    seen = feature(drawing_of("R", 90.0 * quarter))[0]
    assert (shown @ seen).max() > 0.97
    assert int((shown @ seen).argmax()) == quarter


def test_dark_on_light_is_the_same_drawing_as_light_on_dark() -> None:
    one = feature(drawing_of("K"))[0]
    other = feature(drawing_of("K", light=40, dark=220))[0]
    assert one @ other > 0.9


def test_another_letter_resembles_less() -> None:
    shown = turned(feature(drawing_of("R")))[0]
    assert (shown @ feature(drawing_of("X"))[0]).max() < 0.9


def test_colourings_turn_with_the_face() -> None:
    upright = tones(sample(drawing_of("R"), np.array([[40.0, 40.0, 0.0]]), 24.0, 3.0, 0.0))
    lying = tones(sample(drawing_of("R", 90), np.array([[40.0, 40.0, 0.0]]), 24.0, 3.0, 0.0))
    distances = tone_distance(lying[0], turn_tones(upright)[0])
    assert int(distances.argmin()) == 1
    assert distances.min() < 0.15


def test_light_on_dark_and_dark_on_light_are_far_apart_in_colour() -> None:
    place = np.array([[40.0, 40.0, 0.0]])
    one = tones(sample(drawing_of("R"), place, 24.0, 3.0, 0.0))
    shaded = one[0] - 0.5
    other = tones(sample(drawing_of("R", light=40, dark=220), place, 24.0, 3.0, 0.0))
    assert tone_distance(shaded, one)[0] < 0.5 * tone_distance(shaded, other)[0]


def test_no_faces_give_no_descriptions() -> None:
    assert describe(np.zeros((0, 30, 30, 3), np.float32)).shape == (0, 288)
