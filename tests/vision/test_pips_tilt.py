"""Dice that lean are told by how far their upper faces are turned, against those of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Tray
from vision.fit import TrayFit, find_tray
from vision.pips_find import Face, Found
from vision.pips_lie import in_the_tray, on_a_table
from vision.pips_tilt import flat_in_the_tray, flat_on_a_table
from vision.render import Roll, random_box, render
from vision.seen import Picture

SIZE = (1280, 960)


def _face(tilt: tuple[float, float], off: float = 0.05) -> Face:
    chances = np.array([0, 1, 0, 0, 0, 0, 0], np.float32)
    return Face(chances, np.array(tilt, np.float32), off)


def _at(x: float, y: float) -> Found:
    return Found(x, y, 60.0, 0.9)


def _table(lens: float) -> list[tuple[Found, Face]]:
    """Six flat dice seen from the side, by a lens of so much change over the longer side."""
    places = [(200, 200), (600, 240), (1000, 180), (300, 700), (700, 760), (1100, 640)]
    return [
        (_at(x, y), _face((0.05 + lens * (x - 640) / 1280, -0.4 + lens * (y - 480) / 1280)))
        for x, y in places
    ]


@pytest.fixture(scope="module")
def frame() -> Picture:
    box = random_box(3)
    return render(box, Roll.empty(box), np.random.default_rng(3))[0]


@pytest.fixture(scope="module")
def fit(frame: Picture) -> TrayFit:
    return find_tray(frame)


@pytest.mark.parametrize("lens", [0.0, 0.4, 1.0])
def test_flat_dice_share_a_plane_whatever_the_lens(lens: float) -> None:
    seen = _table(lens)

    assert not any(lie.leans or lie.may_lean for lie in on_a_table(SIZE, seen))


@pytest.mark.parametrize("number", range(6))
def test_the_one_that_leans_among_others_is_told(number: int) -> None:
    seen = _table(0.6)
    found, face = seen[number]
    seen[number] = (found, _face((float(face.tilt[0]) + 0.45, float(face.tilt[1]))))

    lying = on_a_table(SIZE, seen)

    assert [k for k, lie in enumerate(lying) if lie.leans] == [number]
    assert [k for k, lie in enumerate(lying) if lie.may_lean] == [number]


def test_of_two_that_disagree_nobody_can_say_which_leans() -> None:
    lying = on_a_table(SIZE, [(_at(600, 400), _face((0, 0))), (_at(680, 400), _face((0.6, 0)))])

    assert [lie.may_lean for lie in lying] == [True, True]
    assert [lie.leans for lie in lying] == [False, False]


def test_one_die_alone_has_nothing_to_be_compared_with() -> None:
    [lie] = on_a_table(SIZE, [(_at(600, 400), _face((0.5, 0.3)))])

    assert not lie.leans
    assert not lie.may_lean


def test_where_the_network_doubts_a_tilt_it_counts_for_little() -> None:
    seen = _table(0.6)
    found, face = seen[2]
    seen[2] = (found, _face((float(face.tilt[0]) + 0.45, float(face.tilt[1])), off=0.4))

    assert not any(lie.may_lean for lie in on_a_table(SIZE, seen))


def test_most_dice_decide_about_the_plane() -> None:
    seen = _table(0.0)
    seen[0] = (seen[0][0], _face((0.5, 0.2)))
    seen[1] = (seen[1][0], _face((-0.5, 0.2)))

    flat, most = flat_on_a_table(SIZE, [f for f, _ in seen], [f for _, f in seen])

    assert most
    assert np.allclose(flat, (0.05, -0.4), atol=0.03)


def test_in_the_tray_flat_dice_are_turned_outward_and_more_so_further_out(fit: TrayFit) -> None:
    tray: Tray = fit.tray
    x, y, height = fit.view.camera_mm
    away = np.array([[0.0, 0.0], [60.0, 0.0], [-60.0, 0.0], [0.0, 50.0], [90.0, 60.0]])

    flat = flat_in_the_tray(fit, away + np.array([x, y]))

    seen_from = np.linalg.norm(away, axis=1)
    wanted = np.sin(np.arctan(seen_from / (height - tray.die_side_mm)))
    assert np.allclose(np.linalg.norm(flat, axis=1), wanted, atol=0.02)
    # The camera hangs nearly upright: right in the tray is right in the picture.
    assert flat[1, 0] > 0.05
    assert flat[2, 0] < -0.05
    assert flat[3, 1] > 0.05


def test_in_the_tray_one_die_alone_can_be_told(frame: Picture, fit: TrayFit) -> None:
    place = np.array([[100.0, 75.0]])
    flat = flat_in_the_tray(fit, place)[0]

    [lies_flat] = in_the_tray(frame, fit, place, [_face((float(flat[0]), float(flat[1])))])
    turned = _face((float(flat[0]) + 0.5, float(flat[1])))
    [leans] = in_the_tray(frame, fit, place, [turned])

    assert not lies_flat.may_lean
    assert leans.leans
    assert in_the_tray(frame, fit, np.zeros((0, 2)), []) == []


def test_a_face_hardly_turned_away_where_all_others_are_is_the_side_of_a_die() -> None:
    seen = _table(0.6)
    found, _ = seen[3]
    seen[3] = (found, _face((0.0, 0.3), off=0.2))

    assert [k for k, lie in enumerate(on_a_table(SIZE, seen)) if lie.side] == [3]


def test_a_face_whose_tilt_is_plain_leans_and_is_no_side() -> None:
    seen = _table(0.6)
    found, _ = seen[3]
    seen[3] = (found, _face((0.0, 0.3), off=0.08))

    lying = on_a_table(SIZE, seen)

    assert lying[3].leans
    assert not any(lie.side for lie in lying)


def test_from_above_no_side_is_suspected() -> None:
    seen = [(found, _face((0.0, 0.05))) for found, _ in _table(0.0)]
    found, _ = seen[3]
    seen[3] = (found, _face((0.0, 0.6), off=0.2))

    assert not any(lie.side for lie in on_a_table(SIZE, seen))
