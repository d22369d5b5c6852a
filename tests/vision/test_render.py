"""The rendered tray: its truth is what the picture shows, and the same seed draws the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import Tray
from vision.fit import find_tray
from vision.learn import find_set
from vision.reading import read_dice
from vision.render import (
    ARTWORKS,
    CONDITIONS,
    Hand,
    Placed,
    Roll,
    artwork,
    random_box,
    random_roll,
    random_throw,
    render,
    write_box,
)
from vision.render_art import draw
from vision.render_battle import SHIPPED, playing_box, teaching_box
from vision.render_looks import SCORING, TUNING, UNSEEN, USUAL, WIDE
from vision.render_path import outline
from vision.render_place import apart, leaning, lying, scatter, touching
from vision.render_pose import FACE_AXES, flat_pose
from vision.render_view import Lens, View, cover


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def seen_markers(picture: np.ndarray) -> dict[int, np.ndarray]:
    """Corners as OpenCV finds them by itself, refined below a pixel."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    how = cv2.aruco.DetectorParameters()
    how.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(book, how).detectMarkers(picture)
    found = [] if ids is None else ids.ravel().tolist()
    return {int(i): c.reshape(4, 2) for i, c in zip(found, corners, strict=True)}


@pytest.mark.parametrize("seed", [1, 4, 5, 8])
def test_markers_are_where_the_truth_says(seed: int) -> None:
    box = random_box(seed)
    picture, truth = render(box, Roll.empty(box), rng())
    found = seen_markers(picture)
    assert sorted(found) == [0, 1, 2, 3]
    for marker, corners in found.items():
        off = corners - np.array(truth["markers_px"][str(marker)])
        assert np.abs(off).max() < 1.0


@pytest.mark.parametrize("seed", [2, 3, 9])
def test_dice_are_where_the_markers_homography_puts_them(seed: int) -> None:
    # Level planes keep straight lines straight but for the lens's bend, which is taken out here.
    box = random_box(seed)
    straight = replace(box.view, lens=replace(box.view.lens, bend=(0.0, 0.0)))
    box.view = straight
    roll = random_roll(box, "easy", seed)
    _, truth = render(box, roll, rng())
    fit, _ = cv2.findHomography(
        np.concatenate([c[:, :2] for c in box.stage.marker_corners().values()]),
        np.concatenate([np.array(c) for c in truth["markers_px"].values()]),
    )
    eye = straight.eye
    for die in truth["dice"]:
        # Seen from the lens, the top of a die (16 mm) hides a place on the markers' plane.
        top = np.array([die["x"], die["y"], 16.0])
        spot = eye + (top - eye) * (18.1 - eye[2]) / (16.0 - eye[2])
        on_picture = fit @ [spot[0], spot[1], 1.0]
        off = on_picture[:2] / on_picture[2] - np.array(die["px"])
        assert np.hypot(*off) < 1.0


def test_a_white_die_fills_its_quad_and_nothing_else() -> None:
    box = playing_box()
    kind = next(k for k in box.kinds if k.colour == "white")
    place = Placed(kind.die_id, (flat_pose(0, 100.0, 75.0, 30.0),))
    quiet = replace(box.sensor, noise=0.0, sharpen=0.0)
    empty, _ = render(box, replace(Roll.empty(box), sensor=quiet), rng())
    picture, truth = render(box, replace(Roll.empty(box), dice=(place,), sensor=quiet), rng())
    quad = np.array(truth["dice"][0]["quad_px"])
    bright = picture.min(axis=2).astype(int) - empty.min(axis=2) > 60
    inside = cover((960, 720), quad) > 0.5
    margin = cv2.dilate(inside.astype(np.uint8), np.ones((27, 27), np.uint8)) > 0
    assert (bright & inside).sum() > 0.6 * inside.sum()  # the rest is ink
    assert not (bright & ~margin).any()
    middle = np.argwhere(bright & inside).mean(0)[::-1]
    assert np.hypot(*(middle - np.array(truth["dice"][0]["px"]))) < 3.0


def test_a_point_in_a_plane_is_seen_where_it_is_projected() -> None:
    view = View(Lens(bend=(-0.1, 0.03)), 520.0, (3.0, -4.0), 1.2)
    for height in (0.0, 18.0):
        plane = view.plane(height)
        for at in ((240, 180), (700, 500), (480, 360)):
            x, y = plane[at[1], at[0]]
            assert np.abs(view.project([[x, y, height]])[0] - at).max() < 0.05


def test_no_face_is_drawn_mirrored() -> None:
    for right, down, out in FACE_AXES:
        assert np.allclose(np.cross(right, down), out)
    for face in range(6):
        pose = flat_pose(face, 50, 50, 77.0)
        assert pose.upper == face
        assert pose.angle == pytest.approx(77.0)
        assert pose.tilt_deg == pytest.approx(0.0, abs=1e-5)


def test_the_same_seed_draws_the_same_picture() -> None:
    first, truth = render(random_box(6), random_roll(random_box(6), "hard", 3), rng(5))
    again, same = render(random_box(6), random_roll(random_box(6), "hard", 3), rng(5))
    assert truth == same
    assert np.array_equal(first, again)
    other, _ = render(random_box(6), random_roll(random_box(6), "hard", 3), rng(6))
    assert not np.array_equal(first, other)  # the noise


def test_truth_tells_what_the_reader_of_a_roll_needs() -> None:
    box = random_box(3)
    _, truth = render(box, random_roll(box, "hard", 17), rng())
    assert set(truth["conditions"]) == set(CONDITIONS)
    assert truth["n_dice"] == len(truth["dice"])
    for die in truth["dice"]:
        assert die["colour"] in {"black", "white", "red"}
        assert die["face"] in {"helmet", "shield"}
        assert 0 <= die["visible"] <= 1
        assert len(die["quad_px"]) == 4
    json.dumps(truth)


def test_easy_rolls_have_no_condition_and_dice_well_apart() -> None:
    box = random_box(4)
    for seed in range(12):
        roll = random_roll(box, "easy", seed)
        assert not roll.conditions
        poses = [d.pose for d in roll.dice]
        for i, one in enumerate(poses):
            assert all(apart(one, other) >= 7.0 for other in poses[i + 1 :])


def test_every_condition_comes_up_and_means_something() -> None:
    box = random_box(4)
    met: set[str] = set()
    for seed in range(60):
        roll = random_roll(box, "hard", seed)
        met |= roll.conditions
        assert ("hand" in roll.conditions) == (roll.hand is not None)
        if "rim_die" in roll.conditions and "hand" not in roll.conditions:
            rim = next(d for d in roll.dice if d.on_rim)
            assert rim.pose.centre[2] == pytest.approx(26.0)
    assert met == set(CONDITIONS)
    with pytest.raises(ValueError, match="easy, medium or hard"):
        random_roll(box, "simple", 1)


def test_touching_dice_touch_and_leaning_dice_lean() -> None:
    box, chance = random_box(5), rng(2)
    flat = scatter(box, 1, set(), chance)
    near = touching(box.kinds[3], "shield", flat, chance)
    assert near is not None
    assert 0 <= apart(near.pose, flat[0].pose) < 0.2
    for _ in range(8):
        leant = leaning(box.kinds[3], "shield", flat, chance)
        assert leant is not None
        assert leant.cocked
        assert 14.9 <= leant.pose.tilt_deg <= 40.1
        assert leant.pose.corners()[:, 2].min() == pytest.approx(0.0, abs=0.01)
        assert box.kinds[3].faces[leant.pose.upper] == "shield"


def test_a_hand_hides_what_lies_under_it() -> None:
    box = playing_box()
    place = Placed(0, (flat_pose(0, 60.0, 75.0, 10.0),))
    roll = replace(Roll.empty(box), dice=(place,))
    _, free = render(box, roll, rng())
    _, hidden = render(box, replace(roll, hand=Hand(reach_mm=150.0, along=0.5)), rng())
    assert free["dice"][0]["visible"] == 1.0
    assert hidden["dice"][0]["visible"] < 0.3


def test_a_throw_begins_with_movement_and_ends_at_rest() -> None:
    box = random_box(7)
    throw = random_throw(box, 4, dice=4)
    fps = 15.0
    rest = int(np.ceil(throw.rest_at * fps))
    before, after = throw.roll((rest - 3) / fps), throw.roll(rest / fps)
    assert any(d.moving for d in before.dice)
    assert len(after.dice) == 4
    assert not any(d.moving for d in after.dice)
    for k in range(rest):
        for die in throw.roll(k / fps).dice:
            low = min(p.corners()[:, 2].min() for p in die.poses)
            assert low > -0.1, "a die must not sink into the felt"


def test_scrambled_art_keeps_the_ink_and_loses_the_face() -> None:
    for name in ARTWORKS:
        whole = artwork(name)
        mixed = whole.scramble(rng(3))
        for face, icon in whole.icons.items():
            assert mixed.icons[face].sum() == pytest.approx(icon.sum(), rel=1e-4)
            assert np.abs(mixed.icons[face] - icon).mean() > 0.08


def test_all_drawings_differ_from_each_other() -> None:
    icons = [icon for name in ARTWORKS for icon in artwork(name).icons.values()]
    for i, one in enumerate(icons):
        assert 0.05 < one.mean() < 0.85
        assert all(np.abs(one - other).mean() > 0.02 for other in icons[i + 1 :])
    with pytest.raises(ValueError, match="no artwork"):
        artwork("dragons")


def test_paths_are_read_like_a_browser_reads_them() -> None:
    square = outline("M10 10h20v20H10z")[0]
    assert square.tolist() == [[10, 10], [30, 10], [30, 30], [10, 30]]
    ring = outline("M24 4a20 20 0 1 0 .01 0z")[0]
    assert np.hypot(*(ring - [24, 24]).T) == pytest.approx(np.full(len(ring), 20.0), abs=0.05)
    hole = draw((("M4 4H44V44H4zM14 14H34V34H14z", 0.0),))
    assert hole[128, 128] == 0
    assert hole[40, 40] == 1
    with pytest.raises(ValueError, match="ends within"):
        outline("M10 10 C1 2 3")


def test_a_box_is_written_as_the_dice_commands_read_it(tmp_path: Path) -> None:
    write_box(tmp_path, 3, rolls=2, sequences=1)
    manifest = json.loads((tmp_path / "enrol" / "manifest.json").read_text("utf-8"))
    kinds = [shot["kind"] for shot in manifest["shots"]]
    assert (kinds.count("empty"), kinds.count("die")) == (3, 24)
    assert all((tmp_path / "enrol" / shot["image"]).exists() for shot in manifest["shots"])
    roll = json.loads((tmp_path / "rolls" / "01.json").read_text("utf-8"))
    picture = cv2.imread(str(tmp_path / "rolls" / roll["image"]))
    assert picture is not None
    assert picture.shape == (720, 960, 3)
    truth = json.loads((tmp_path / "sequences" / "seq-1" / "truth.json").read_text("utf-8"))
    assert len(truth["frames"]) == truth["n_frames"]
    assert 0 < truth["rest_frame"] < truth["n_frames"]


def test_the_shipped_set_is_small_and_was_taught_elsewhere() -> None:
    size = sum(p.stat().st_size for p in SHIPPED.rglob("*") if p.is_file())
    assert size < 1.5e6
    taught, played = teaching_box(), playing_box()
    assert taught.lamp != played.lamp
    assert taught.sensor != played.sensor
    assert taught.look.felt != played.look.felt


def test_the_shipped_set_reads_dice_at_play(tmp_path: Path) -> None:
    dice, box, chance = find_set("battle", tmp_path), playing_box(), rng(41)
    right = certain_wrong = asked = 0
    for _ in range(4):
        placed = [p for p in scatter(box, 10, set(), chance) if p.die_id < 8]
        roll = replace(Roll.empty(box), dice=tuple(placed))
        frame, truth = render(box, roll, chance)
        seen = read_dice([frame], dice, find_tray(frame, Tray())).dice
        for die in truth["dice"]:
            asked += 1
            near = [s for s in seen if np.hypot(s.x - die["x"], s.y - die["y"]) < 6]
            matches = any((s.colour, s.face) == (die["colour"], die["face"]) for s in near)
            right += matches
            certain_wrong += any(s.certain for s in near) and not matches
    assert certain_wrong == 0
    assert right >= 0.9 * asked


def test_the_shipped_set_is_unsure_of_scrambled_dice(tmp_path: Path) -> None:
    dice, box, chance = find_set("battle", tmp_path), playing_box(scramble=True), rng(41)
    for _ in range(2):
        placed = [p for p in scatter(box, 8, set(), chance) if p.die_id < 8]
        frame, _ = render(box, replace(Roll.empty(box), dice=tuple(placed)), chance)
        seen = read_dice([frame], dice, find_tray(frame, Tray())).dice
        assert not [s for s in seen if s.certain]


# ------------------------------------------------------------------------------ grounds to measure


def test_nothing_that_is_scored_on_was_tuned_on() -> None:
    tuned = {(looks, seed) for looks, seeds in TUNING for seed in seeds}
    scored = {(looks, seed) for looks, seeds in SCORING for seed in seeds}
    assert not tuned & scored
    for looks in (USUAL, WIDE):
        for part in ("drawings", "felts", "woods", "tables"):
            assert not set(getattr(looks, part)) & set(getattr(UNSEEN, part))


def test_boxes_of_any_looks_have_the_same_dice_but_other_drawings() -> None:
    boxes = [random_box(8, looks) for looks in (USUAL, UNSEEN)]
    assert [k.colour for k in boxes[0].kinds] == [k.colour for k in boxes[1].kinds]
    assert boxes[0].artwork.name != boxes[1].artwork.name


@pytest.mark.parametrize(("strength", "difficulty"), [(0.1, "medium"), (6.0, "hard")])
def test_a_medium_roll_with_a_face_burnt_out_is_a_hard_one(
    strength: float, difficulty: str
) -> None:
    box = random_box(4)
    red = next(k for k in box.kinds if k.colour == "red")
    die = replace(
        lying(red, red.faces[0], 90.0, 70.0, 20.0, rng()), glare=(strength, 9.0, 0.0, 0.0)
    )
    roll = replace(Roll.empty(box), dice=(die,), difficulty="medium")
    assert render(box, roll, rng())[1]["difficulty"] == difficulty


@pytest.mark.parametrize(("exposure", "difficulty"), [(0.0, "medium"), (7.0, "hard")])
def test_a_medium_roll_with_a_drawing_wiped_out_by_the_exposure_is_a_hard_one(
    exposure: float, difficulty: str
) -> None:
    box = random_box(4)
    white = next(k for k in box.kinds if k.colour == "white")
    die = lying(white, white.faces[0], 90.0, 70.0, 20.0, rng())
    sensor = replace(box.sensor, ev=exposure)
    roll = replace(Roll.empty(box), dice=(die,), sensor=sensor, difficulty="medium")
    assert render(box, roll, rng())[1]["difficulty"] == difficulty


def test_a_box_turned_over_shows_the_other_drawings_and_nothing_else_new() -> None:
    box = random_box(4)
    over = box.turned_over
    for one, other in zip(box.kinds, over.kinds, strict=True):
        assert (one.body, one.off, one.colour) == (other.body, other.off, other.colour)
        assert all(a != b for a, b in zip(one.faces, other.faces, strict=True))
