"""A USB camera at the kernel's own interface: OpenCV's V4L2 code runs on a stand-in of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

SOURCE = Path(__file__).parent / "v4l2_stand_in.c"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("the stand-in of a USB camera wants Linux and a C compiler (apt install gcc)")
    path = tmp_path_factory.mktemp("library") / "v4l2_stand_in.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(path), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, timeout=120)
    return path


def watch(library: Path, folder: Path, exposure_ms: float) -> tuple[dict[str, Any], list[str]]:
    """Open the camera in a process of its own; answer what it told, and what was set, in order."""
    camera, jpeg, log = folder / "video0", folder / "frame.jpg", folder / "log"
    camera.touch()
    cv2.imwrite(str(jpeg), np.full((720, 1280, 3), (60, 90, 120), np.uint8))
    own = {"V4L2_CAMERA": str(camera), "V4L2_JPEG": str(jpeg), "V4L2_LOG": str(log)}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.devices.usb_camera_run",
            str(camera),
            str(exposure_ms),
            str(jpeg),
        ],
        env={**os.environ, **own, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=120,
    )
    return json.loads(run.stdout), log.read_text().splitlines()


def test_it_gives_mjpg_frames_in_the_light_it_found(library: Path, tmp_path: Path) -> None:
    told, was_set = watch(library, tmp_path, 0.0)
    assert told["shape"] == [720, 1280, 3]
    assert told["colour"] == pytest.approx([60, 90, 120], abs=3)
    assert told["began_before"]
    assert told["lost"] == "camera.lost"
    # It began at 15.7 ms and came down by itself until it was held.
    held = told["figures"]["exposure_ms"]
    assert 8.3 <= held < 15.7
    assert not [name for name in told["figures"] if name.startswith("held_")]
    assert was_set[-10:] == [
        "exposure_auto 3",
        "white_balance_auto 1",
        "focus_auto 1",
        "exposure_auto 1",
        f"exposure_absolute {round(held * 10)}",
        "gain 20",
        "white_balance_auto 0",
        "white_balance_temperature 4600",
        "focus_auto 0",
        "focus_absolute 35",
    ]
    assert "mjpg_wide 1280" in was_set


def test_it_takes_the_exposure_of_table_toml(library: Path, tmp_path: Path) -> None:
    told, was_set = watch(library, tmp_path, 10.0)
    assert told["figures"]["exposure_ms"] == 10.0
    assert "exposure_absolute 100" in was_set
