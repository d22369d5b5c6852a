"""A rendered box of dice, learnt once for all tests of the reader."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.dice_set import SCALE
from vision.fit import find_tray
from vision.learn import DiceSet, enrol
from vision.render import (
    Box,
    random_box,
    random_roll,
    render,
    write_enrolment,
)
from vision.render_random import enrolment_roll
from vision.seen import Picture

SHARED = Path(__file__).parents[3] / "shared" / "tray" / "box-c"


@pytest.fixture(scope="session")
def box() -> Box:
    return random_box(41)


@pytest.fixture(scope="session")
def enrolment(box: Box, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("enrol")
    write_enrolment(box, folder, np.random.default_rng(1), shots=3)
    return folder


@pytest.fixture(scope="session")
def empty(box: Box) -> Picture:
    """A straight drawing of the box's empty tray."""
    rng = np.random.default_rng(8)
    frames = [render(box, enrolment_roll(box, None, rng), rng)[0] for _ in range(3)]
    drawings = [find_tray(frame).rectify(frame, SCALE) for frame in frames]
    return np.median(np.stack(drawings), axis=0).astype(np.uint8)


@pytest.fixture(scope="session")
def dice_set(enrolment: Path) -> DiceSet:
    return enrol(enrolment, "box")


@pytest.fixture(scope="session")
def empty_frame(box: Box) -> Picture:
    from vision.render_random import enrolment_roll

    rng = np.random.default_rng(5)
    return render(box, enrolment_roll(box, None, rng), rng)[0]


@pytest.fixture(scope="session")
def easy_roll(box: Box) -> tuple[Picture, dict]:
    """An easy roll and its truth."""
    return render(box, random_roll(box, "easy", 41_003), np.random.default_rng(3))


@pytest.fixture(scope="session")
def rolls(box: Box, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of four rolls with truth files."""
    import cv2

    folder = tmp_path_factory.mktemp("rolls")
    for k in range(4):
        picture, truth = render(
            box, random_roll(box, ("easy", "medium")[k % 2], 41_100 + k), np.random.default_rng(k)
        )
        cv2.imwrite(str(folder / f"{k:02d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (folder / f"{k:02d}.json").write_text(json.dumps({"image": f"{k:02d}.jpg", **truth}))
    return folder


@pytest.fixture(scope="session")
def box_c() -> Path:
    if not SHARED.exists():
        pytest.skip(f"the frames of box-c are not at {SHARED}")
    return SHARED
