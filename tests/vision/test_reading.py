"""The whole reader: a throw goes in as pixels, dice come out with their certainty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_fit import paint_over
from vision.dice_set import SCALE
from vision.learn import DiceSet, enrol
from vision.reading import find_tray, read_dice
from vision.render import Box, Hand, Roll, random_box, random_roll, render
from vision.render_random import random_hand
from vision.score import score_rolls
from vision.seen import WARNING_CODES, Picture, TrayReading


def roll(box: Box, difficulty: str, seed: int) -> tuple[Picture, dict]:
    return render(box, random_roll(box, difficulty, seed), np.random.default_rng(seed))


def pairs(reading: TrayReading, truth: dict) -> list[tuple]:
    """Each true die with what was read within 6 mm of it."""
    result = []
    for die in truth["dice"]:
        near = [d for d in reading.dice if np.hypot(d.x - die["x"], d.y - die["y"]) < 6]
        result.append((die, near[0] if near else None))
    return result


def test_an_easy_roll_is_read_whole(dice_set: DiceSet, easy_roll: tuple[Picture, dict]) -> None:
    frame, truth = easy_roll
    reading = read_dice([frame], dice_set)
    assert len(reading.dice) == truth["n_dice"]
    for true, seen in pairs(reading, truth):
        assert (seen.colour, seen.face) == (true["colour"], true["face"])
        assert seen.certain
        assert seen.likely[0][0] == true["face"]
        assert seen.crop.shape == (128, 128, 3)
    assert reading.unit == "mm"
    assert not reading.warnings


def test_a_fit_that_is_kept_gives_the_same_reading(
    dice_set: DiceSet, easy_roll: tuple[Picture, dict]
) -> None:
    frame = easy_roll[0]
    kept, found = (read_dice([frame], dice_set, w) for w in (find_tray(frame), None))
    assert [(d.colour, d.face, d.x, d.y) for d in kept.dice] == [
        (d.colour, d.face, d.x, d.y) for d in found.dice
    ]


def test_rolls_of_this_box_are_read_without_a_certain_error(
    box: Box, dice_set: DiceSet, rolls: Path
) -> None:
    total = score_rolls(rolls, lambda picture: read_dice([picture], dice_set)).total
    assert total.wrong_certain == total.invented == 0
    assert total.right == total.dice


def test_scrambled_drawings_make_it_unsure(box: Box, dice_set: DiceSet) -> None:
    certain = 0
    for seed in range(3):
        frame, _ = roll(box.scrambled(seed), "easy", 41_200 + seed)
        certain += sum(d.certain for d in read_dice([frame], dice_set).dice)
    assert certain == 0


def test_nothing_in_the_tray_is_nothing(dice_set: DiceSet, empty_frame: Picture) -> None:
    reading = read_dice([empty_frame], dice_set)
    assert reading.dice == ()
    assert reading.warnings == ()


def test_a_hand_is_a_warning_and_no_dice(box: Box, dice_set: DiceSet) -> None:
    rng = np.random.default_rng(4)
    hand: Hand = random_hand(rng)
    bare = replace(random_roll(box, "easy", 41_003), dice=[], hand=hand)
    frame, _ = render(box, bare, rng)
    reading = read_dice([frame], dice_set)
    assert not any(d.certain for d in reading.dice)
    assert "hand_in_picture" in {w.code for w in reading.warnings}


def test_more_dice_than_a_game_wants_are_all_told(box: Box, dice_set: DiceSet) -> None:
    plans = [random_roll(box, "easy", 41_300 + seed) for seed in range(20)]
    plan = max(plans, key=lambda roll: len(roll.dice))
    frame, truth = render(box, plan, np.random.default_rng(1))
    assert len(read_dice([frame], dice_set).dice) >= truth["n_dice"] - 1


def test_a_die_on_the_rim_is_told_and_never_certain(box: Box, dice_set: DiceSet) -> None:
    met = 0
    for seed in range(200):
        plan = random_roll(box, "hard", 41_500 + seed)
        if not any(d.on_rim for d in plan.dice) or plan.hand:
            continue
        frame, truth = render(box, plan, np.random.default_rng(seed))
        for true, seen in pairs(read_dice([frame], dice_set), truth):
            if true["on_rim"] and seen is not None:
                met += 1
                assert seen.on_rim
                assert not seen.certain
        if met >= 2:
            break
    assert met >= 2


def test_leaning_dice_are_seldom_certain(box: Box, dice_set: DiceSet) -> None:
    met = certain = 0
    for seed in range(150):
        plan = random_roll(box, "hard", 41_800 + seed)
        if not any(d.cocked for d in plan.dice) or plan.hand:
            continue
        frame, truth = render(box, plan, np.random.default_rng(seed))
        for true, seen in pairs(read_dice([frame], dice_set), truth):
            if true["cocked"] and seen is not None:
                met += 1
                certain += seen.certain
        if met >= 6:
            break
    assert met >= 6
    assert certain <= 2


# ------------------------------------------------------------------------- several frames, bad ones


def test_frames_that_agree_keep_their_certainty(
    dice_set: DiceSet, easy_roll: tuple[Picture, dict]
) -> None:
    frame = easy_roll[0]
    noise = np.random.default_rng(2).normal(0, 2, frame.shape)
    other = np.clip(frame + noise, 0, 255).astype(np.uint8)
    reading = read_dice([frame, other, frame], dice_set)
    assert len(reading.dice) == easy_roll[1]["n_dice"]
    assert all(d.certain for d in reading.dice)


@pytest.mark.parametrize("kept", ["of another tray", "none"])
def test_an_empty_tray_that_is_not_this_one_does_no_harm(
    kept: str, box: Box, dice_set: DiceSet
) -> None:
    other = random_box(44)
    frame, _ = render(other, Roll.empty(other), np.random.default_rng(6))
    empty = None if kept == "none" else find_tray(frame).rectify(frame, SCALE)
    elsewhere = replace(dice_set, empty=empty)
    for seed in range(3):
        frame, truth = roll(box, "easy", 41_000 + seed)
        reading = read_dice([frame], elsewhere)
        assert "hand_in_picture" not in {w.code for w in reading.warnings}
        assert sum(d.certain for d in reading.dice) == truth["n_dice"]


def test_frames_that_disagree_ask(
    box: Box, dice_set: DiceSet, easy_roll: tuple[Picture, dict], empty_frame: Picture
) -> None:
    reading = read_dice([easy_roll[0], empty_frame], dice_set)
    assert reading.dice
    assert not any(d.certain for d in reading.dice)
    assert "frames_disagree" in {w.code for w in reading.warnings}


def test_three_markers_read_on_with_a_warning(
    dice_set: DiceSet, easy_roll: tuple[Picture, dict]
) -> None:
    reading = read_dice([paint_over(*easy_roll, 1)], dice_set)
    warning = next(w for w in reading.warnings if w.code == "markers_missing")
    assert warning.values == {"seen": [0, 2, 3], "missing": [1]}
    for true, seen in pairs(reading, easy_roll[1]):
        assert seen is not None
        assert seen.face == true["face"]


def test_without_markers_nothing_is_read_and_it_says_so(dice_set: DiceSet) -> None:
    reading = read_dice([np.full((720, 960, 3), 120, np.uint8)], dice_set)
    assert reading.dice == ()
    assert [w.code for w in reading.warnings] == ["markers_missing"]


@pytest.mark.parametrize(
    "frame", [np.zeros((0, 0, 3), np.uint8), np.zeros((720, 960), np.uint8), None]
)
def test_an_unreadable_frame_is_a_warning(
    dice_set: DiceSet, easy_roll: tuple[Picture, dict], frame: np.ndarray
) -> None:
    reading = read_dice([easy_roll[0], frame], dice_set)
    assert len(reading.dice) == easy_roll[1]["n_dice"]
    warning = next(w for w in reading.warnings if w.code == "frame_unreadable")
    assert warning.values["frame"] == 1


def test_a_frame_of_another_size_than_the_fit_is_a_warning(
    dice_set: DiceSet, easy_roll: tuple[Picture, dict]
) -> None:
    frame = easy_roll[0]
    fit = find_tray(frame)
    reading = read_dice([np.asarray(cv2.resize(frame, (640, 480)), np.uint8)], dice_set, fit)
    assert reading.dice == ()
    assert [w.code for w in reading.warnings] == ["frame_unreadable"]


def test_no_frames_are_a_mistake_of_the_caller(dice_set: DiceSet) -> None:
    with pytest.raises(ValueError, match="no frame to read"):
        read_dice([], dice_set)


def test_every_warning_has_a_listed_code(box: Box, dice_set: DiceSet) -> None:
    for seed in range(6):
        frame, _ = roll(box, "hard", 41_900 + seed)
        assert {w.code for w in read_dice([frame], dice_set).warnings} <= set(WARNING_CODES)


# ---------------------------------------------------------------------------------- box-c, if there


def test_rolls_of_box_c(box_c: Path) -> None:
    learnt = enrol(box_c / "enrol", "box-c")
    score = score_rolls(
        box_c / "rolls", lambda picture: read_dice([picture], learnt), range(20, 40)
    )
    for difficulty in ("easy", "medium"):
        tally = score.tallies[difficulty]
        assert tally.exact == tally.frames
    hard = score.tallies["hard"]
    assert hard.right >= 0.9 * hard.dice
    assert score.total.wrong_certain == 0
