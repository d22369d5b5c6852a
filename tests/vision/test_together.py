"""Pictures of one face, looked at together: they find its middle, and tell twins from others."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Tray
from vision.dice_set import SCALE
from vision.fit import find_tray
from vision.render import Box, render
from vision.render_random import enrolment_roll
from vision.seen import Picture
from vision.teach import alike
from vision.together import View, together, view_of


def views(
    box: Box, pair: tuple[str, str], empty: Picture, rng: np.random.Generator, count: int = 4
) -> tuple[list[View], list[tuple[float, float]]]:
    """Shoot a face that often; return the views, and where the dice lay in truth."""
    seen: list[View] = []
    places: list[tuple[float, float]] = []
    for _ in range(count):
        frame, truth = render(box, enrolment_roll(box, pair, rng), rng)
        seen.append(view_of(frame, find_tray(frame), empty, pair[1]))
        places.append((truth["dice"][0]["x"], truth["dice"][0]["y"]))
    return seen, places


def test_the_pictures_of_a_face_find_its_middle(box: Box, empty: Picture) -> None:
    rng = np.random.default_rng(31)
    for kind in box.kinds:
        seen, truth = views(box, (kind.colour, kind.faces[0]), empty, rng)
        uppers = together(seen, Tray().die_side_mm)
        away = [
            np.hypot(*(upper.place[:2] - place)) for upper, place in zip(uppers, truth, strict=True)
        ]
        assert np.median(away) < 1.5  # a tenth of a die


def test_two_faces_keep_apart_even_if_all_are_taken_for_one(box: Box, empty: Picture) -> None:
    rng = np.random.default_rng(32)
    for kind in box.kinds:
        first, second = sorted(set(kind.faces))[:2]
        one, _ = views(box, (kind.colour, first), empty, rng)
        other, _ = views(box, (kind.colour, second), empty, rng)
        twin, _ = views(box, (kind.colour, first), empty, rng)
        assert apart(one, other) > 0.014 > apart(one, twin)


def apart(one: list[View], other: list[View]) -> float:
    taken_for_one = [View("", v.drawing, v.places, v.worth, v.features) for v in (*one, *other)]
    features = [upper.feature for upper in together(taken_for_one, Tray().die_side_mm)]
    mine, yours = features[: len(one)], features[len(one) :]
    margins = [
        alike(feature, [*own[:i], *own[i + 1 :]]) - alike(feature, others)
        for own, others in ((mine, yours), (yours, mine))
        for i, feature in enumerate(own)
    ]
    return float(np.median(margins))


def test_a_picture_without_a_die_has_no_upper_face(box: Box, empty: Picture) -> None:
    rng = np.random.default_rng(33)
    frame, _ = render(box, enrolment_roll(box, None, rng), rng)
    view = view_of(frame, find_tray(frame), find_tray(frame).rectify(frame, SCALE))
    assert len(view.places) == 0
    with pytest.raises(ValueError, match="without any square"):
        together([view], Tray().die_side_mm)
