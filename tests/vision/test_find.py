"""Step 2: upper faces are squares of one known side, where the tray has changed."""

from __future__ import annotations

import cv2
import numpy as np

from vision.edges import Edges
from vision.find import Square, choose, find_squares, gap_mm, overlap_mm
from vision.light import compare, halved, logarithm, soften

SCALE, MARGIN = 3.0, 28.0


def felt(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    size = (round(206 * SCALE), round(256 * SCALE))
    grain = cv2.GaussianBlur(rng.normal(0, 40, size).astype(np.float32), (0, 0), 2)
    return np.clip(90 + grain, 0, 255).astype(np.uint8)[..., None].repeat(3, axis=2)


def lay(picture: np.ndarray, x: float, y: float, angle: float, tone: int = 210) -> None:
    box = cv2.boxPoints(
        (((x + MARGIN) * SCALE, (y + MARGIN) * SCALE), (16 * SCALE, 16 * SCALE), angle)
    )
    cv2.fillConvexPoly(picture, np.rint(box * 16).astype(np.int32), (tone,) * 3, cv2.LINE_AA, 4)


def squares_in(picture: np.ndarray, before: np.ndarray) -> list[Square]:
    drawing, empty = (soften(logarithm(p)) for p in (picture, before))
    change = compare(halved(drawing), halved(empty), 42)
    found = find_squares(Edges(halved(drawing), SCALE / 2, MARGIN), change, 16.0)
    return [found[i] for i in choose(found, [s.score for s in found], 16.0)]


def test_a_lone_square_is_found_to_half_a_millimetre() -> None:
    picture = felt()
    lay(picture, 61.3, 88.8, 27.0)
    best = squares_in(picture, felt())[0]
    assert np.hypot(best.x - 61.3, best.y - 88.8) < 0.7
    assert abs(best.angle - 27.0) < 3


def test_two_squares_that_share_an_edge_stay_two() -> None:
    picture = felt()
    lay(picture, 60.0, 70.0, 0.0)
    lay(picture, 76.2, 70.0, 0.0, tone=200)
    found = squares_in(picture, felt())
    for x in (60.0, 76.2):
        assert min(np.hypot(s.x - x, s.y - 70.0) for s in found) < 1.2


def test_nothing_is_found_where_only_the_lamp_changed() -> None:
    darker = (felt().astype(np.float32) * 0.6).astype(np.uint8)
    assert squares_in(darker, felt()) == []


def test_a_soft_shadow_on_the_felt_is_no_thing() -> None:
    picture = felt().astype(np.float32)
    shade = np.ones(picture.shape[:2], np.float32)
    cv2.circle(shade, (400, 300), 60, 0.5, -1)
    picture *= cv2.GaussianBlur(shade, (0, 0), 12)[..., None]
    now, was = (halved(soften(logarithm(p))) for p in (picture.astype(np.uint8), felt()))
    assert compare(now, was, 42).thing.mean() < 0.002


def test_gap_and_overlap_of_squares() -> None:
    one = Square(50, 50, 0, 1, (1, 1, 1, 1))
    near = Square(69, 50, 0, 1, (1, 1, 1, 1))
    over = Square(60, 50, 0, 1, (1, 1, 1, 1))
    turned = Square(50 + 8 + 8 * np.sqrt(2) + 2, 50, 45, 1, (1, 1, 1, 1))
    assert gap_mm(one, near, 16) == 3
    assert overlap_mm(one, near, 16) == 0
    assert overlap_mm(one, over, 16) == 6
    assert abs(gap_mm(one, turned, 16) - 2) < 1e-6


def test_of_overlapping_squares_the_better_one_stays() -> None:
    squares = [Square(50 + dx, 50, 0, 1, (1, 1, 1, 1)) for dx in (0, 5, 20)]
    assert choose(squares, [0.5, 0.9, 0.4], 16) == [1] or choose(squares, [0.5, 0.9, 0.4], 16) == [
        1,
        2,
    ]
