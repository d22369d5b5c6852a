"""The dice at the command line: enrol, read, score; bad input is one line and exit code 2."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import pytest

from companion.dice_command import add_dice_commands, main, run, state_folder
from vision.learn import find_set
from vision.seen import Picture


def test_enrol_read_and_score(
    enrolment: Path, rolls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ["--set", "mine", "--state", str(tmp_path)]
    assert main(["enrol", *own, str(enrolment)]) == 0
    assert "red: helmet (3), shield (3)" in capsys.readouterr().out
    assert (tmp_path / "dice" / "mine" / "set.json").exists()

    files = [str(rolls / "00.jpg"), str(rolls / "01.jpg")]
    assert main(["read", *own, "--json", *files]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == files
    truth = json.loads((rolls / "00.json").read_text())["dice"]
    assert len(lines[0]["dice"]) == len(truth)
    wanted = {"colour", "face", "x", "y", "confidence", "cocked", "on_rim"}
    assert set(lines[0]["dice"][0]) == wanted
    assert sorted(d["face"] for d in lines[0]["dice"]) == sorted(d["face"] for d in truth)

    assert main(["score", *own, str(rolls), "--only", "0-1"]) == 0
    table = capsys.readouterr().out
    assert "easy" in table
    assert "medium" in table
    assert "expected calibration error" in table


def test_a_set_is_enrolled_with_the_measures_of_table_toml(enrolment: Path, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[tray]\nmarker_height = 17.0\n", "utf-8")
    own = ["--set", "mine", "--state", str(tmp_path), "--config", str(tmp_path / "table.toml")]
    assert main(["enrol", *own, str(enrolment)]) == 0
    assert find_set("mine", tmp_path / "dice").tray.marker_height_mm == 17.0


def test_reading_for_people(
    easy_roll: tuple[Picture, dict], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), easy_roll[0])
    assert main(["read", "--set", "battle", "--state", str(tmp_path), str(tmp_path / "a.png")]) == 0
    assert "confidence" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["read", "--set", "nobody", "x.jpg"], "no dice set 'nobody'"),
        (["read", "--set", "battle", "x.jpg"], "x.jpg: no such file"),
        (["enrol", "--set", "new", "nowhere"], "manifest.json is missing"),
        (["enrol", "--set", "d6", "nowhere"], "need no enrolment"),
        (["enrol", "--set", "new", "nowhere", "--config", "none.toml"], "none.toml: no such file"),
        (["score", "--set", "battle", "nowhere"], "nowhere is no folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--state", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jpg").write_text("words")
    words = ["read", "--set", "battle", "--state", str(tmp_path), str(tmp_path / "a.jpg")]
    assert main(words) == 2
    assert "not a picture that can be read" in capsys.readouterr().err


def test_a_span_must_be_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["score", "--set", "battle", "x", "--only", "few"])
    assert ended.value.code == 2
    assert "no span of numbers" in capsys.readouterr().err


def test_the_commands_hang_below_another_parser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    add_dice_commands(parser.add_subparsers())
    args = parser.parse_args(
        ["dice", "read", "--set", "battle", "--state", str(tmp_path), "none.jpg"]
    )
    assert run(args) == 2
    assert "none.jpg: no such file" in capsys.readouterr().err


def test_where_the_state_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert state_folder(tmp_path) == tmp_path
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path}/a:{tmp_path}/b")
    assert state_folder(None) == tmp_path / "a"
    monkeypatch.delenv("STATE_DIRECTORY")
    assert state_folder(None).parts[-3:] == (".local", "state", "companion")
