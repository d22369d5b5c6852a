"""The check of tray and light: each fault has its finding, and a good picture has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.camera import Tray
from vision.check import CODES, check_tray, places
from vision.fit import find_tray
from vision.render import Box, Lamp, Roll, random_box, random_roll, render
from vision.render_battle import playing_box, teaching_box
from vision.render_random import enrolment_roll
from vision.seen import Picture

Draw = Callable[[Roll], Picture]


@pytest.fixture(scope="module", params=["taught", "played"])
def box(request: pytest.FixtureRequest) -> Box:
    return teaching_box() if request.param == "taught" else playing_box()


@pytest.fixture(scope="module")
def empty(box: Box) -> Roll:
    return enrolment_roll(box, None, np.random.default_rng(3))


@pytest.fixture(scope="module")
def draw(box: Box) -> Draw:
    return lambda roll: render(box, roll, np.random.default_rng(4))[0]


def findings(frame: Picture, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(f.code, f.values) for f in check_tray(frame, Tray(), **more).findings]


def side_lamp(lamp: Lamp, at: tuple[float, float, float]) -> Lamp:
    return replace(lamp, at=at, room=0.12, power=0.9)


# ---- all is well


def test_an_empty_tray_in_good_light_is_all_right(draw: Draw, empty: Roll) -> None:
    look = check_tray(draw(empty), Tray())
    assert look.findings == ()
    assert look.fit is not None


def test_dice_in_the_tray_are_no_fault() -> None:
    for seed in range(501, 507):
        box = random_box(seed)
        for number, difficulty in enumerate(("easy", "easy", "medium")):
            roll = random_roll(box, difficulty, 70 + number)
            frame, truth = render(box, roll, np.random.default_rng(seed))
            if not truth["conditions"]["glare"]:
                assert findings(frame) == [], (seed, difficulty)


@pytest.mark.parametrize("wide", [800, 1280, 1920])
def test_the_size_of_the_picture_is_no_fault(draw: Draw, empty: Roll, wide: int) -> None:
    how = cv2.INTER_AREA if wide < 960 else cv2.INTER_CUBIC
    frame = cv2.resize(draw(empty), (wide, wide * 3 // 4), interpolation=how)
    assert findings(np.asarray(frame, np.uint8)) == []


# ---- corners


@pytest.mark.parametrize("corner", range(4))
def test_a_hidden_corner_is_named(draw: Draw, empty: Roll, corner: int) -> None:
    frame = draw(replace(empty, covered=((corner, 1.0),)))
    assert findings(frame) == [("corners_missing", {"seen": 3, "missing": [corner]})]


def test_a_picture_of_something_else_has_no_corners(draw: Draw, empty: Roll) -> None:
    table = np.random.default_rng(1).integers(90, 160, (720, 960, 3)).astype(np.uint8)
    assert findings(table) == [("no_corners", {})]
    assert check_tray(table, Tray()).fit is None


def test_a_spare_marker_in_the_picture_is_named(draw: Draw, empty: Roll) -> None:
    frame = draw(empty).copy()
    marker = find_tray(frame).corners_px[0]
    low, high = marker.min(0).astype(int) - 6, marker.max(0).astype(int) + 6
    copy = frame[low[1] : high[1], low[0] : high[0]]
    frame[330 : 330 + copy.shape[0], 400 : 400 + copy.shape[1]] = copy
    assert findings(frame) == [("corner_twice", {"corner": 0})]


# ---- sharpness and light


@pytest.mark.parametrize("radius", [2.5, 4.0, 8.0])
def test_a_blurred_picture_is_told(draw: Draw, empty: Roll, radius: float) -> None:
    frame = draw(replace(empty, sensor=replace(empty.sensor, defocus_px=radius)))
    assert "blurred" in [code for code, _ in findings(frame)]


def test_a_dark_tray_is_told(draw: Draw, empty: Roll) -> None:
    frame = draw(replace(empty, sensor=replace(empty.sensor, ev=-3.0)))
    assert findings(frame) == [("dark", {})]


def test_a_room_without_light_is_told(draw: Draw, empty: Roll) -> None:
    codes = [code for code, _ in findings((draw(empty) // 20).astype(np.uint8))]
    assert codes == ["no_corners", "dark"]


def test_a_burnt_picture_is_told(draw: Draw, empty: Roll) -> None:
    frame = draw(replace(empty, sensor=replace(empty.sensor, ev=2.0)))
    assert findings(frame) == [("too_bright", {})]


@pytest.mark.parametrize(
    ("lamp", "dark"),
    [((420.0, 75.0, 250.0), "left"), ((-220.0, 75.0, 250.0), "right")],
)
def test_a_lamp_that_stands_aside_leaves_the_other_side_dark(
    draw: Draw, empty: Roll, box: Box, lamp: tuple[float, float, float], dark: str
) -> None:
    frame = draw(replace(empty, lamp=side_lamp(box.lamp, lamp)))
    assert findings(frame)[0] == ("dark_side", {"side": dark})  # the lit side may be burnt too


@pytest.mark.parametrize("side", ["left", "right", "back", "front"])
def test_a_shadow_over_one_side_is_told_with_the_side(draw: Draw, empty: Roll, side: str) -> None:
    frame = draw(empty).astype(np.float32)
    height, width = frame.shape[:2]
    ramp = np.linspace(0.45, 1.1, width if side in ("left", "right") else height)
    ramp = ramp if side in ("left", "back") else ramp[::-1]
    shade = ramp[None, :, None] if side in ("left", "right") else ramp[:, None, None]
    dimmed = (frame * shade).clip(0, 255).astype(np.uint8)
    assert findings(dimmed) == [("dark_side", {"side": side})]


def test_a_shadow_over_one_corner_is_told_with_the_corner(draw: Draw, empty: Roll) -> None:
    frame = draw(empty).copy()
    x, y = find_tray(frame).corners_px[2].mean(0).astype(int)
    part = frame[y - 50 : y + 50, x - 50 : x + 50]
    part[:] = (part * 0.45).astype(np.uint8)
    assert findings(frame) == [("dark_corner", {"corner": 2})]


@pytest.mark.parametrize(
    ("x", "y", "spot"),
    [(100, 75, "middle"), (30, 30, "back_left"), (170, 75, "right"), (100, 125, "front")],
)
def test_glare_on_the_felt_is_told_with_its_place(
    draw: Draw, empty: Roll, x: float, y: float, spot: str
) -> None:
    frame = draw(empty).astype(np.float32)
    fit = find_tray(draw(empty))
    (at,) = fit.to_px(np.array([[x, y]], np.float64), 0.0)
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]]
    far = ((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2 * (9 * fit.px_per_mm) ** 2)
    shining = (frame + 500 * np.exp(-far)[..., None]).clip(0, 255).astype(np.uint8)
    assert findings(shining) == [("glare", {"spot": spot})]


# ---- where it stands


def test_a_nudged_camera_is_told_with_how_far(draw: Draw, empty: Roll, box: Box) -> None:
    before = places(find_tray(draw(empty)))
    assert findings(draw(empty), before=before) == []
    x, y = empty.view.aim
    nudged = draw(replace(empty, view=replace(empty.view, aim=(x + 6.0, y))))
    ((code, values),) = findings(nudged, before=before)
    assert code == "nudged"
    assert values["mm"] == pytest.approx(6, abs=1)


def test_markers_of_another_size_than_set_are_told(draw: Draw, empty: Roll) -> None:
    look = check_tray(draw(empty), Tray(marker_side_mm=20.0))
    assert [(f.code, f.values) for f in look.findings] == [
        ("marker_size", {"mm": 18, "expected_mm": 20})
    ]


def test_a_tray_that_is_small_in_the_picture_is_told(draw: Draw, empty: Roll) -> None:
    frame = cv2.resize(draw(empty), (576, 432), interpolation=cv2.INTER_AREA)
    assert "far_away" in [code for code, _ in findings(np.asarray(frame, np.uint8))]


def test_every_finding_is_of_the_known_codes(draw: Draw, empty: Roll, box: Box) -> None:
    worst = replace(
        empty,
        covered=((1, 1.0),),
        sensor=replace(empty.sensor, defocus_px=2.5, ev=-3.0),
    )
    codes = [code for code, _ in findings(draw(worst))]
    assert set(codes) <= set(CODES)
    assert codes == sorted(codes, key=CODES.index)
    assert len(codes) >= 2


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        check_tray(np.zeros((10, 10), np.uint8), Tray())
