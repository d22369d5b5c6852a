"""A box whose light was followed by a path tracer, in six hard and half-hard rolls.

The pictures were made with `python -m vision.render_traced`; nothing was tuned on this box.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dice_set import DiceSet
from vision.learn import enrol
from vision.reading import read_dice
from vision.score import score_rolls
from vision.seen import Picture, TrayReading

HERE = Path(__file__).parent / "traced"
EDGE_MM = 8.0  # half a die


@pytest.fixture(scope="module")
def taught() -> DiceSet:
    return enrol(HERE / "enrol", "traced")


def picture(name: str) -> Picture:
    frame = cv2.imread(str(HERE / "rolls" / f"{name}.jpg"), cv2.IMREAD_COLOR)
    assert frame is not None
    return np.asarray(frame, np.uint8)


def test_every_die_is_read_right(taught: DiceSet) -> None:
    score = score_rolls(HERE / "rolls", lambda frame: read_dice([frame], taught))
    assert score.faults == []
    assert score.total.frames == score.total.exact == 6
    assert score.total.right == score.total.dice == 32
    assert score.total.wrong_certain == score.total.invented == 0


def near(reading: TrayReading, x: float, y: float) -> list[bool]:
    return [d.certain for d in reading.dice if np.hypot(d.x - x, d.y - y) < EDGE_MM]


@pytest.mark.parametrize("name", ["05", "17"])
def test_a_die_that_leans_or_lies_on_the_rim_is_not_certain(taught: DiceSet, name: str) -> None:
    truth = (HERE / "rolls" / f"{name}.json").read_text("utf-8")
    reading = read_dice([picture(name)], taught)
    odd = [d for d in json.loads(truth)["dice"] if d["cocked"] or d["on_rim"]]
    assert odd
    assert not any(sure for d in odd for sure in near(reading, d["x"], d["y"]))
