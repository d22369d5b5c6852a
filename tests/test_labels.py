"""The sheets to print: every sticker of a box is there, and a camera finds the markers."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import read_config
from companion.service import tray_of

LABELS = Path(__file__).parent.parent / "hardware" / "labels"


@pytest.fixture(scope="module")
def sheets() -> dict[str, Any]:
    return runpy.run_path(str(LABELS / "sheets.py"))


def test_there_is_a_sticker_for_every_face(sheets: dict[str, Any]) -> None:
    sheet = sheets["dice_stickers"]()
    spare = sheets["SPARE"]
    assert sheet.count('href="#helmet"') == 3 * 3 + 3 * 2 + 2 * 4 + 3 * spare
    assert sheet.count('href="#shield"') == 3 * 3 + 3 * 4 + 2 * 2 + 3 * spare
    places = re.findall(r'class="sticker" transform="translate\((\S+) (\S+)\)"', sheet)
    assert len(set(places)) == len(places)
    width, height = sheets["PAGE"]
    assert all(float(x) + 14 < width - 5 and float(y) + 14 < height - 20 for x, y in places)


def test_a_camera_finds_the_printed_markers(sheets: dict[str, Any]) -> None:
    sheet = sheets["corner_markers"]()
    scale = 5
    paper = np.full((297 * scale, 210 * scale), 255, np.uint8)
    for group in re.findall(r'<g class="modules".*?</g>', sheet, re.DOTALL):
        for values in re.findall(r'x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', group):
            x, y, w, h = (float(v) * scale for v in values)
            paper[round(y) : round(y + h), round(x) : round(x + w)] = 0
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(book).detectMarkers(paper)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    sides = [np.linalg.norm(c[0, 1] - c[0, 0]) / scale for c in corners]
    assert sides == pytest.approx([20.0] * 4, abs=0.5)


def test_the_marker_sheet_says_what_to_write_into_table_toml(
    sheets: dict[str, Any], tmp_path: Path
) -> None:
    for marker, paper in ((20.0, 28.0), (18.0, 24.0)):
        sheet = sheets["corner_markers"](marker, paper)
        told = re.search(r"\[tray\]\s+marker = ([\d.]+)", sheet)
        assert told is not None
        path = tmp_path / "table.toml"
        path.write_text(f"[tray]\nmarker = {told[1]}\n", "utf-8")
        config = read_config(path)
        assert config.tray is not None
        assert tray_of(config.tray).marker_side_mm == marker


def test_a_margin_that_cameras_lose_is_refused(
    sheets: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=r"print it on paper of 26\.7 mm or more"):
        sheets["corner_markers"](20.0, 22.0)
    assert sheets["main"]([str(tmp_path), "--paper", "22"]) == 2
    assert "margin" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_sheets_in_the_repository_are_what_the_program_draws(
    sheets: dict[str, Any], tmp_path: Path
) -> None:
    assert sheets["main"]([str(tmp_path)]) == 0
    for name in ("dice-stickers.svg", "corner-markers.svg"):
        assert (tmp_path / name).read_text("utf-8") == (LABELS / name).read_text("utf-8")
