"""Ordinary dice are read without being taught, and anything else is left alone."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.fit import find_tray
from vision.pips import read_pips
from vision.pips_colour import COLOURS, body_colour
from vision.pips_render import draw_scene
from vision.pips_render_camera import spoil
from vision.render import Box, Roll, random_box, random_roll, render
from vision.render_art import artwork
from vision.render_battle import pip_dice, playing_box
from vision.render_looks import UNSEEN
from vision.render_place import scatter
from vision.seen import Picture, SeenDie, TrayReading

PHOTOS = Path(__file__).parents[3] / "shared" / "dice-photos"
SPLIT = Path(__file__).with_name("pips_split.txt")

photos = pytest.mark.skipif(not PHOTOS.exists(), reason=f"no photographs in {PHOTOS}")


@dataclass
class Tally:
    """Dice that are there, that were read right, and that were wrong although certain."""

    there: int = 0
    right: int = 0
    certainly_wrong: int = 0


def _pips_box() -> Box:
    box = playing_box()
    return replace(box, kinds=tuple(k for k in box.kinds if "6" in k.faces))


def _count_tray(box: Box, seeds: range) -> Tally:
    tally = Tally()
    for seed in seeds:
        frame, truth = render(box, random_roll(box, "medium", seed), np.random.default_rng(seed))
        reading = read_pips(frame)
        assert reading.unit == "mm"
        assert not reading.warnings
        there: list[dict[str, Any]] = [d for d in truth["dice"] if d["face"].isdigit()]
        tally.there += len(there)
        for die in reading.dice:
            near = [d for d in there if np.hypot(d["x"] - die.x, d["y"] - die.y) < 4]
            right = bool(near) and near[0]["face"] == die.face
            tally.right += right
            tally.certainly_wrong += die.certain and not right
    return tally


def test_dice_in_the_tray_are_read_at_their_place_in_millimetres() -> None:
    tally = _count_tray(_pips_box(), range(500, 512))

    assert tally.there > 20
    assert tally.right >= 0.9 * tally.there
    assert tally.certainly_wrong == 0


def test_a_covered_marker_is_told_and_the_dice_are_still_read() -> None:
    box = _pips_box()
    frame, truth = render(box, random_roll(box, "easy", 7), np.random.default_rng(7))
    corner = np.array(truth["markers_px"]["2"])
    paper = (corner - corner.mean(0)) * 1.5 + corner.mean(0)
    cv2.fillConvexPoly(frame, paper.astype(np.int32), (60, 80, 90))

    reading = read_pips(frame)

    assert [w.code for w in reading.warnings] == ["markers_missing"]
    assert reading.warnings[0].values["missing"] == [2]
    assert reading.unit == "mm"
    assert [d.face for d in reading.dice] == [
        d["face"] for d in sorted(truth["dice"], key=lambda d: (d["x"], d["y"]))
    ]


def test_a_fit_of_another_picture_size_is_a_warning() -> None:
    box = _pips_box()
    frame, _ = render(box, random_roll(box, "easy", 7), np.random.default_rng(7))
    fit = find_tray(frame)

    reading = read_pips(_drawn_six(80)[:500], fit)

    assert reading.dice == ()
    assert [w.code for w in reading.warnings] == ["frame_unreadable"]
    assert "960 x 500" in reading.warnings[0].values["seen"]


def test_battle_dice_beside_them_are_never_certain_pips() -> None:
    tally = _count_tray(playing_box(), range(520, 526))

    assert tally.certainly_wrong == 0


def _tray_of_pips(seed: int, conditions: set[str], count: int) -> tuple[Picture, list[dict]]:
    """Ordinary dice in a tray of the looks that nothing was tuned on, and their truth."""
    rng = np.random.default_rng(seed)
    box = random_box(seed, UNSEEN)
    dice = pip_dice(["ivory"] * 12 + ["green"] * 8)
    box = replace(box, kinds=dice, artwork=artwork("pips"))
    lying = tuple(scatter(box, count, conditions, rng))
    frame, truth = render(box, replace(Roll.empty(box), dice=lying), rng)
    return frame, truth["dice"]


def _seen_at(reading: TrayReading, true: dict[str, Any]) -> SeenDie | None:
    near = [d for d in reading.dice if np.hypot(d.x - true["x"], d.y - true["y"]) < 6]
    return near[0] if near else None


def test_dice_that_lean_are_said_to_be_cocked_and_never_certain() -> None:
    leaning = cocked = flat = sure = 0
    for seed in range(740, 752):
        frame, truth = _tray_of_pips(seed, {"cocked"}, 4)
        reading = read_pips(frame)
        for true in truth:
            die = _seen_at(reading, true)
            if true["cocked"]:
                leaning += 1
                cocked += die is not None and die.cocked
                assert die is None or not die.certain, f"{seed}: {true}"
            else:
                flat += 1
                sure += die is not None and die.certain and die.face == true["face"]
    assert leaning >= 10
    assert cocked >= 0.4 * leaning
    assert sure >= 0.8 * flat


def test_dice_on_the_rim_are_told_and_never_certain() -> None:
    met = 0
    for seed in range(760, 766):
        frame, truth = _tray_of_pips(seed, {"rim_die"}, 3)
        reading = read_pips(frame)
        for true in truth:
            die = _seen_at(reading, true)
            if true["on_rim"] and die is not None:
                met += 1
                assert die.on_rim
                assert not die.certain
    assert met >= 4


def test_twenty_dice_that_touch() -> None:
    right = 0
    for seed in range(780, 783):
        frame, truth = _tray_of_pips(seed, {"touching"}, 20)
        reading = read_pips(frame)
        assert len(reading.dice) == len(truth)
        for true in truth:
            die = _seen_at(reading, true)
            assert die is not None
            right += die.face == true["face"]
            assert die.face == true["face"] or not die.certain
    assert right >= 58


def test_any_colour_lamp_and_ground() -> None:
    tally = Tally()
    for seed in range(50):
        rng = np.random.default_rng([99, seed])
        picture, faces = draw_scene(rng)
        ups = [f for f in faces if f.up and f.value and f.seen > 0.9]
        half_seen = [f for f in faces if f.up and f.value and f.seen <= 0.9]
        reading = read_pips(spoil(picture, rng))
        assert reading.unit == "px"
        tally.there += len(ups)
        for die in reading.dice:
            if any(np.hypot(f.x - die.x, f.y - die.y) < f.size / 2 for f in half_seen):
                continue
            near = [f for f in ups if np.hypot(f.x - die.x, f.y - die.y) < f.size / 3]
            right = bool(near) and str(near[0].value) == die.face
            tally.right += right
            tally.certainly_wrong += die.certain and not right

    assert tally.there > 80
    # Many of these are hardly visible to people: that they do not mislead is what counts.
    assert tally.right >= 0.78 * tally.there
    assert tally.certainly_wrong <= 0.03 * tally.there


@pytest.mark.parametrize("side", [22, 60, 140, 330])
def test_dice_of_any_size(side: int) -> None:
    picture = _drawn_six(side)

    reading = read_pips(picture)

    assert [d.face for d in reading.dice] == ["6"]
    assert reading.dice[0].certain
    assert abs(reading.dice[0].x - 480) < side * 0.2
    assert abs(reading.dice[0].y - 300) < side * 0.2


def test_a_reading_carries_what_the_table_needs() -> None:
    die = read_pips(_drawn_six(80)).dice[0]

    assert die.colour == "white"
    assert die.crop is not None
    assert die.crop.shape == (128, 128, 3)
    assert die.likely[0][0] == "6"
    assert sum(chance for _, chance in die.likely) <= 1.001


def test_a_photograph_without_the_tray_says_so() -> None:
    reading = read_pips(_drawn_six(80))

    assert [w.code for w in reading.warnings] == ["positions_in_pixels"]


def test_an_empty_table_has_no_dice() -> None:
    ground = np.full((480, 640, 3), (96, 120, 140), np.uint8)

    assert read_pips(ground).dice == ()


def test_a_frame_that_is_no_picture_is_a_warning() -> None:
    reading = read_pips(np.zeros((480, 640), np.uint8))

    assert reading.dice == ()
    assert [w.code for w in reading.warnings] == ["frame_unreadable"]
    assert "640" in reading.warnings[0].values["seen"]


def test_the_same_picture_gives_the_same_reading() -> None:
    picture = _drawn_six(70)

    assert _plain(read_pips(picture).dice) == _plain(read_pips(picture).dice)


@pytest.mark.parametrize(
    ("bgr", "name"),
    [
        ((235, 240, 242), "white"),
        ((25, 24, 26), "black"),
        ((40, 35, 200), "red"),
        ((60, 200, 235), "yellow"),
        ((180, 80, 30), "blue"),
        ((60, 140, 30), "green"),
    ],
)
def test_colours_have_the_names_people_give_them(bgr: tuple[int, int, int], name: str) -> None:
    picture = np.full((200, 200, 3), bgr, np.uint8)
    pip = (20, 20, 20) if sum(bgr) > 300 else (240, 240, 240)
    cv2.circle(picture, (100, 100), 12, pip, -1)

    assert name in COLOURS
    assert body_colour(picture, 100, 100, 100) == name


@photos
@pytest.mark.parametrize(
    ("part", "exact", "dice"), [("tuning", 0.95, 0.98), ("scoring", 0.90, 0.97)]
)
def test_photographs(part: str, exact: float, dice: float) -> None:
    truth = _truth()
    files = [line.split()[1] for line in SPLIT.read_text().splitlines() if line.startswith(part)]
    all_right, there, right = 0, 0, 0
    for file in files:
        seen = Counter(str(d.face) for d in read_pips(_photo(file)).dice)
        wanted = Counter(truth[file]["label"].split())
        all_right += seen == wanted
        there += wanted.total()
        right += (seen & wanted).total()

    assert len(files) == 21
    assert right >= dice * there
    assert all_right >= exact * len(files)


@photos
def test_flat_dice_on_photographs_are_not_said_to_lean() -> None:
    files = [line.split()[1] for line in SPLIT.read_text().splitlines() if line[:1] in "ts"]

    dice = [die for file in files for die in read_pips(_photo(file)).dice]

    assert len(dice) > 120
    assert sum(die.cocked for die in dice) <= 1
    assert sum(die.certain for die in dice) >= 0.85 * len(dice)


@photos
def test_numerals_are_no_certain_pips() -> None:
    numerals = [file for file, row in _truth().items() if row["kind"] == "symbols"]
    assert numerals

    certain = [d for file in numerals for d in read_pips(_photo(file)).dice if d.certain]

    assert certain == []


def _truth() -> dict[str, dict[str, str]]:
    with (PHOTOS / "MANIFEST.csv").open(newline="") as lines:
        return {row["file"]: row for row in csv.DictReader(lines)}


def _photo(file: str) -> Picture:
    picture = cv2.imread(str(PHOTOS / file), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def _plain(dice: tuple[SeenDie, ...]) -> list[tuple[Any, ...]]:
    return [(d.face, d.colour, d.x, d.y, d.confidence) for d in dice]


def _drawn_six(side: int) -> Picture:
    """A white die with six pips on a brown table, (600, 960, 3), its centre at 480, 300."""
    rng = np.random.default_rng(side)
    picture = np.full((600, 960, 3), (70, 96, 120), np.float32)
    picture += rng.normal(0, 4, (600, 960, 1))
    canvas = np.asarray(np.clip(picture, 0, 255), np.uint8)
    shadow = cv2.boxPoints(((480 + side * 0.12, 300 + side * 0.15), (side, side), 20))
    cv2.fillConvexPoly(canvas, shadow.astype(np.int32), (35, 48, 60), cv2.LINE_AA)
    body = cv2.boxPoints(((480, 300), (side, side), 20))
    cv2.fillConvexPoly(canvas, body.astype(np.int32), (228, 234, 236), cv2.LINE_AA)
    turn = np.deg2rad(20)
    for u in (-0.24, 0.24):
        for v in (-0.25, 0.0, 0.25):
            x = 480 + side * (u * np.cos(turn) - v * np.sin(turn))
            y = 300 + side * (u * np.sin(turn) + v * np.cos(turn))
            place = (round(x * 16), round(y * 16))
            cv2.circle(canvas, place, round(side * 0.09 * 16), (30, 28, 28), -1, cv2.LINE_AA, 4)
    return canvas
