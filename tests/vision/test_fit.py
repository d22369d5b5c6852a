"""Step 1: the tray is found by its four markers, and drawn straight."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera import Tray
from vision.fit import TrayNotSeen, find_tray
from vision.seen import Picture


def paint_over(frame: Picture, truth: dict, *markers: int) -> Picture:
    covered = frame.copy()
    for marker in markers:
        quad = np.array(truth["markers_px"][str(marker)])
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(covered, (middle + 1.5 * (quad - middle)).astype(np.int32), (90, 90, 90))
    return covered


def test_places_of_dice_come_out_in_tray_millimetres(easy_roll: tuple[Picture, dict]) -> None:
    frame, truth = easy_roll
    fit = find_tray(frame)
    assert fit.markers == (0, 1, 2, 3)
    assert fit.error_px < 1.5
    for die in truth["dice"]:
        seen = fit.to_mm(np.array([die["px"]]))[0]
        assert np.hypot(*(seen - [die["x"], die["y"]])) < 1.5


@pytest.mark.parametrize("left_px", [2, 5, 8])
def test_a_marker_close_to_the_border_of_the_picture_is_found(
    easy_roll: tuple[Picture, dict], left_px: int
) -> None:
    frame, truth = easy_roll
    lowest = max(y for marker in ("2", "3") for _, y in truth["markers_px"][marker])
    whole, cut = find_tray(frame), find_tray(frame[: round(lowest) + left_px])
    spots = np.array([[0.0, 0.0], [200.0, 150.0], [31.0, 77.0]])
    assert cut.markers == (0, 1, 2, 3)
    assert np.abs(whole.to_px(spots) - cut.to_px(spots)).max() < 1.5


def test_to_pixels_and_back_is_the_same_place_at_every_height(
    easy_roll: tuple[Picture, dict],
) -> None:
    fit = find_tray(easy_roll[0])
    spots = np.array([[0.0, 0.0], [200.0, 150.0], [31.0, 77.0]])
    for height in (0.0, 16.0, 34.0):
        assert np.allclose(fit.to_mm(fit.to_px(spots, height), height), spots, atol=1e-6)


def test_what_lies_higher_is_drawn_further_out(easy_roll: tuple[Picture, dict]) -> None:
    fit = find_tray(easy_roll[0])
    corner = np.array([[190.0, 140.0]])
    middle = np.array([fit.view.camera_mm[:2]])
    felt, upper = fit.to_px(corner, 0.0), fit.to_px(corner, 16.0)
    centre = fit.to_px(middle, 0.0)
    assert np.linalg.norm(upper - centre) > np.linalg.norm(felt - centre) + 3


def test_a_set_camera_height_is_kept(easy_roll: tuple[Picture, dict]) -> None:
    fit = find_tray(easy_roll[0], Tray(camera_height_mm=520))
    assert fit.view.camera_mm[2] == pytest.approx(520, abs=3)


def test_straight_drawing_shows_the_markers_where_they_were_stuck(
    easy_roll: tuple[Picture, dict],
) -> None:
    fit = find_tray(easy_roll[0])
    drawing = fit.rectify(easy_roll[0], px_per_mm=4.0, z_mm=18.0)
    assert drawing.shape == ((150 + 56) * 4, (200 + 56) * 4, 3)
    again = find_tray(drawing)
    for marker, (x, y) in enumerate(Tray().marker_centres_mm):
        expected = np.array([(x + 28) * 4, (y + 28) * 4])
        assert np.hypot(*(again.corners_px[marker].mean(axis=0) - expected)) < 3


def test_three_markers_name_the_one_that_is_missing(easy_roll: tuple[Picture, dict]) -> None:
    with pytest.raises(TrayNotSeen, match="marker 2 not seen, 0, 1, 3 seen") as caught:
        find_tray(paint_over(*easy_roll, 2))
    assert caught.value.seen == (0, 1, 3)
    assert caught.value.missing == (2,)


def test_three_markers_are_enough_for_who_allows_it(easy_roll: tuple[Picture, dict]) -> None:
    frame, truth = easy_roll
    fit = find_tray(paint_over(frame, truth, 2), least=3)
    for die in truth["dice"]:
        seen = fit.to_mm(np.array([die["px"]]))[0]
        assert np.hypot(*(seen - [die["x"], die["y"]])) < 3


def test_no_marker_asks_whether_this_is_the_tray() -> None:
    grey = np.full((480, 640, 3), 128, np.uint8)
    with pytest.raises(TrayNotSeen, match="none of the tray's markers") as caught:
        find_tray(grey)
    assert caught.value.missing == (0, 1, 2, 3)


def test_a_marker_seen_twice_is_not_chosen_between(easy_roll: tuple[Picture, dict]) -> None:
    frame = easy_roll[0].copy()
    quad = np.array(easy_roll[1]["markers_px"]["0"])
    x, y = (int(v) for v in quad.min(axis=0) - 10)
    x, y = max(x, 0), max(y, 0)
    part = frame[y : y + 84, x : x + 84].copy()
    frame[300:384, 400:484] = part
    with pytest.raises(TrayNotSeen, match="more than once"):
        find_tray(frame)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (np.zeros((480, 640), np.uint8), "expected \\(height, width, 3\\) uint8"),
        (np.zeros((480, 640, 3), np.float32), "float32"),
        (np.zeros((40, 40, 3), np.uint8), "40 x 40 pixels"),
    ],
)
def test_what_is_no_picture_is_said_so(frame: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_tray(frame)


def test_a_tray_cannot_have_three_markers_or_no_size() -> None:
    with pytest.raises(ValueError, match="four markers"):
        Tray(marker_centres_mm=((0, 0), (1, 0), (1, 1)))
    with pytest.raises(ValueError, match="width_mm is 0"):
        Tray(width_mm=0)
    with pytest.raises(ValueError, match="camera's height"):
        Tray(camera_height_mm=10)
