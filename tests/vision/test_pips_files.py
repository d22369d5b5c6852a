"""Pictures of every kind that a phone or a scanner writes are read, or refused in plain words."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.dice_command import main
from vision.pips import read_pips
from vision.pips_hardships import SEED, plain_picture
from vision.seen import Picture


@pytest.fixture(scope="module")
def picture() -> Picture:
    return plain_picture(SEED, set(), 3).picture


def _read(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict]:
    assert main(["read", "--set", "d6", "--json", str(path)]) == 0
    return json.loads(capsys.readouterr().out)["dice"]


def _faces(dice: list[dict]) -> list[str]:
    return sorted(die["face"] for die in dice)


def _wanted(picture: Picture) -> list[str]:
    return sorted(str(die.face) for die in read_pips(picture).dice)


def test_grey_transparent_and_sixteen_bit_pictures(
    picture: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = {
        "grey.png": cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY),
        "alpha.png": np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)]),
        "sixteen.png": picture.astype(np.uint16) * 257,
        "grey-sixteen.tif": cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint16) * 257,
        "small.webp": picture,
    }
    wanted = _wanted(picture)
    assert len(wanted) == 3
    for name, content in kinds.items():
        cv2.imwrite(str(tmp_path / name), content)
        assert _faces(_read(tmp_path / name, capsys)) == wanted, name


def test_a_phone_held_upright_is_read_upright(
    picture: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, turned = tmp_path / "plain.jpg", tmp_path / "turned.jpg"
    quality = [cv2.IMWRITE_JPEG_QUALITY, 95]
    cv2.imwrite(str(plain), picture, quality)
    lying = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    jpeg = cv2.imencode(".jpg", lying, quality)[1].tobytes()
    # EXIF orientation 6: turn it clockwise to look at it.
    tag = struct.pack(">HHHIHH", 1, 0x0112, 3, 1, 6, 0)
    exif = b"Exif\0\0MM\0*\0\0\0\x08" + tag + b"\0\0\0\0"
    turned.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])

    upright = _read(plain, capsys)
    found = _read(turned, capsys)

    assert [d["face"] for d in found] == [d["face"] for d in upright]
    for one, other in zip(found, upright, strict=True):
        assert abs(one["x"] - other["x"]) < 4
        assert abs(one["y"] - other["y"]) < 4


def test_large_and_small_pictures(picture: Picture) -> None:
    wanted = _wanted(picture)
    for wide in (320, 640, 4000):
        share = wide / picture.shape[1]
        other = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        dice = read_pips(np.asarray(other, np.uint8)).dice
        assert sorted(str(d.face) for d in dice) == wanted, wide


@pytest.mark.parametrize("reach", [1.3, 1.6, 2.2])
@pytest.mark.parametrize("wide", [60, 150, 400])
def test_a_die_cut_out_closely(picture: Picture, reach: float, wide: int) -> None:
    right = 0
    dice = read_pips(picture).dice
    for die in dice:
        # A die of these trays is 8 % of their width.
        half = reach * 0.08 * picture.shape[1] / 2
        left, top = round(die.x - half), round(die.y - half)
        cut = picture[max(0, top) : round(die.y + half), max(0, left) : round(die.x + half)]
        cut = np.asarray(cv2.resize(cut, (wide, wide), interpolation=cv2.INTER_AREA), np.uint8)
        found = read_pips(cut).dice
        right += [d.face for d in found] == [die.face]
        assert all(abs(d.x - wide / 2) < 0.3 * wide for d in found)
    assert right >= len(dice) - 1


def test_a_picture_too_small_for_any_die_is_refused() -> None:
    reading = read_pips(np.zeros((9, 400, 3), np.uint8))

    assert reading.dice == ()
    assert [w.code for w in reading.warnings] == ["frame_unreadable"]
    assert "400 x 9" in reading.warnings[0].values["seen"]


def test_a_picture_of_too_many_pixels_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "vast.pgm"
    path.write_bytes(b"P5\n60000 60000\n255\n")

    assert main(["read", "--set", "d6", str(path)]) == 2
    assert "more pixels than can be opened; make it smaller" in capsys.readouterr().err


def test_what_is_no_picture_is_told_before_anything_is_read(
    picture: Picture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, folder, empty = tmp_path / "good.png", tmp_path / "folder.jpg", tmp_path / "empty.jpg"
    cv2.imwrite(str(good), picture)
    folder.mkdir()
    empty.write_bytes(b"")

    for bad in (folder, empty):
        assert main(["read", "--set", "d6", str(good), str(bad)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert f"{bad}: not a picture that can be read" in told.err
