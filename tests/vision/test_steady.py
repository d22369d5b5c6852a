"""The moment a throw has come to rest: once for each throw, with no hand, back-dated."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dice_set import SCALE
from vision.learn import DiceSet, enrol
from vision.reading import find_tray
from vision.render import Box, Roll, random_box, random_throw, render, throw_frames
from vision.seen import Picture
from vision.steady import Settled, SettleWatch

FPS = 15.0


def watch(frames: Iterable[tuple[float, Picture]], watcher: SettleWatch) -> list[Settled]:
    settled = (watcher.look(time, frame) for time, frame in frames)
    return [s for s in settled if s is not None]


@pytest.fixture(scope="module")
def throw(box: Box) -> tuple[list[Picture], float]:
    """The frames of a throw, and when it came to rest."""
    plan = random_throw(box, 41_000, dice=3)
    frames = [f for f, _ in throw_frames(box, plan, np.random.default_rng(1), FPS)]
    return frames, plan.rest_at


def timed(frames: list[Picture], start: float = 0.0) -> list[tuple[float, Picture]]:
    return [(start + k / FPS, f) for k, f in enumerate(frames)]


def test_a_throw_fires_once_at_the_moment_it_came_to_rest(
    throw: tuple[list[Picture], float], dice_set: DiceSet
) -> None:
    frames, rest = throw
    frames = frames + [frames[-1]] * 30
    watcher = SettleWatch(find_tray(frames[-1]), dice_set.empty)
    events = watch(timed(frames), watcher)
    assert [e.number for e in events] == [1]
    assert events[0].since == pytest.approx(rest, abs=2 / FPS)
    assert events[0].noticed - events[0].since >= 0.4
    assert watcher.state == "still"


def test_it_is_time_that_counts_and_not_frames(
    throw: tuple[list[Picture], float], dice_set: DiceSet
) -> None:
    frames, _ = throw
    fit = find_tray(frames[-1])
    slow = SettleWatch(fit, dice_set.empty)
    watch(timed(frames[:-1]), slow)
    last = len(frames) / FPS
    assert slow.look(last + 60, frames[-1]) is not None or slow.state == "still"


def test_the_same_scene_never_fires_twice_after_a_hand_came_and_went(
    throw: tuple[list[Picture], float], dice_set: DiceSet
) -> None:
    frames, _ = throw
    still = frames[-1]
    hand = still.copy()
    hand[:, :260] = (90, 120, 170)
    watcher = SettleWatch(find_tray(still), dice_set.empty)
    watch(timed(frames + [still] * 10), watcher)
    start = (len(frames) + 10) / FPS
    events = watch(timed([hand] * 10, start), watcher)
    assert watcher.state == "hand"
    events += watch(timed([still] * 20, start + 10 / FPS), watcher)
    assert events == []


def test_lifting_dice_and_clearing_the_tray_is_no_throw(
    throw: tuple[list[Picture], float], dice_set: DiceSet, empty_frame: Picture
) -> None:
    frames, _ = throw
    watcher = SettleWatch(find_tray(frames[-1]), dice_set.empty)
    assert len(watch(timed(frames + [frames[-1]] * 10), watcher)) == 1
    start = (len(frames) + 10) / FPS
    assert watch(timed([empty_frame] * 20, start), watcher) == []
    assert watcher.state == "empty"


def test_what_lies_there_at_the_start_is_no_throw(
    throw: tuple[list[Picture], float], dice_set: DiceSet
) -> None:
    still = throw[0][-1]
    watcher = SettleWatch(find_tray(still), dice_set.empty)
    assert watch(timed([still] * 30), watcher) == []
    assert watcher.state == "still"


def test_a_second_throw_counts_up(box: Box, dice_set: DiceSet, empty_frame: Picture) -> None:
    fit = find_tray(empty_frame)
    watcher = SettleWatch(fit, dice_set.empty)
    numbers: list[int] = []
    start = 0.0
    for seed in (41_000, 41_001):
        plan = random_throw(box, seed, dice=3)
        frames = [f for f, _ in throw_frames(box, plan, np.random.default_rng(1), FPS)]
        frames = [empty_frame] * 8 + frames + [frames[-1]] * 8
        numbers += [e.number for e in watch(timed(frames, start), watcher)]
        start += len(frames) / FPS
    assert numbers == [1, 2]


def test_an_outside_signal_makes_it_quicker_and_gives_the_moment(
    throw: tuple[list[Picture], float], dice_set: DiceSet
) -> None:
    frames, rest = throw
    watcher = SettleWatch(find_tray(frames[-1]), dice_set.empty)
    events: list[Settled] = []
    for time, frame in timed(frames + [frames[-1]] * 10):
        if not events and time >= rest + 0.1:
            watcher.told(rest + 0.1)
        events += watch([(time, frame)], watcher)
    assert len(events) == 1
    assert events[0].since >= rest + 0.1
    assert events[0].noticed < rest + 0.4


def test_an_outside_signal_counts_for_no_later_throw(
    throw: tuple[list[Picture], float], dice_set: DiceSet, box: Box
) -> None:
    """The camera was quicker than the tray; the next throw pauses before it comes to rest."""
    frames, rest = throw
    watcher = SettleWatch(find_tray(frames[-1]), dice_set.empty)
    assert len(watch(timed(frames + [frames[-1]] * 10), watcher)) == 1
    watcher.told(rest + 0.1)
    start = (len(frames) + 10) / FPS
    plan = random_throw(box, 41_001, dice=3)
    flight = [f for f, _ in throw_frames(box, plan, np.random.default_rng(1), FPS)]
    pause = next(n for n in range(len(flight)) if n / FPS > plan.rest_at - 0.2)
    later = flight[:pause] + [flight[pause]] * 4 + flight[pause:] + [flight[-1]] * 10
    events = watch(timed(later, start), watcher)
    assert [e.number for e in events] == [2]
    assert events[0].noticed - events[0].since >= 0.4


def test_without_a_reference_the_first_still_scene_is_the_ground(
    throw: tuple[list[Picture], float], empty_frame: Picture
) -> None:
    frames, _ = throw
    watcher = SettleWatch(find_tray(frames[-1]))
    calm = [empty_frame] * 10
    assert len(watch(timed(calm + frames + [frames[-1]] * 10), watcher)) == 1


@pytest.fixture(scope="module")
def other_empty() -> Picture:
    """The straight drawing of another empty tray: other wood, other felt, other lamp."""
    other = random_box(44)
    rng = np.random.default_rng(6)
    frame = render(other, Roll.empty(other), rng)[0]
    return find_tray(frame).rectify(frame, SCALE)


def test_a_reference_of_another_tray_is_noticed(
    throw: tuple[list[Picture], float], other_empty: Picture, empty_frame: Picture
) -> None:
    frames, rest = throw
    watcher = SettleWatch(find_tray(frames[-1]), other_empty)
    assert watch(timed([empty_frame] * 12), watcher) == []
    assert watcher.state == "empty"
    start = 12 / FPS
    events = watch(timed(frames + [frames[-1]] * 10, start), watcher)
    assert [e.since for e in events] == [pytest.approx(start + rest, abs=2 / FPS)]
    assert watcher.state == "still"
    hand = frames[-1].copy()
    hand[:, :260] = (90, 120, 170)
    watch(timed([hand] * 10, start + 6), watcher)
    assert watcher.state == "hand"
    assert watch(timed([empty_frame] * 20, start + 8), watcher) == []
    assert watcher.state == "empty"


def test_another_reference_with_dice_there_from_the_start_is_no_throw(
    throw: tuple[list[Picture], float], other_empty: Picture
) -> None:
    still = throw[0][-1]
    watcher = SettleWatch(find_tray(still), other_empty)
    assert watch(timed([still] * 30), watcher) == []
    assert watcher.state == "still"


def test_a_frame_of_another_size_is_refused(dice_set: DiceSet, empty_frame: Picture) -> None:
    watcher = SettleWatch(find_tray(empty_frame), dice_set.empty)
    with pytest.raises(ValueError, match="find it again"):
        watcher.look(0.0, np.zeros((480, 640, 3), np.uint8))


@pytest.mark.parametrize("name", ["seq-1", "seq-2"])
def test_sequences_of_box_c(box_c: Path, name: str) -> None:
    folder = box_c / "sequences" / name
    truth = json.loads((folder / "truth.json").read_text())
    frames = [np.asarray(cv2.imread(str(folder / f)), np.uint8) for f in truth["frames"]]
    learnt = enrol(box_c / "enrol", "box-c")
    watcher = SettleWatch(find_tray(frames[-1]), learnt.empty)
    events = watch(timed(frames + [frames[-1]] * 10), watcher)
    assert [round(e.since * FPS) for e in events] == [truth["rest_frame"]]
