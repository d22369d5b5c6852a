"""The album: corrected dice stay on this machine, and teach the set again unless that harms it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.album import Album
from companion.cli import main
from companion.store import Store
from companion.terms import Answer, DiceReading, Number, Picked, SeenDie
from tests import toy_game
from tests.table.conftest import SEATS, ToyTable
from vision.dice_set import DiceSet
from vision.learn import find_set
from vision.proof import chosen

BATTLE = find_set("battle", Path("nowhere"))


def jpeg(picture: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def example(colour: str, face: str, which: int = 0, darker: float = 1.0) -> bytes:
    pairs = list(zip(BATTLE.colours, BATTLE.faces, strict=True))
    places = [i for i, pair in enumerate(pairs) if pair == (colour, face)]
    return jpeg((BATTLE.crops[places[which]] * darker).astype(np.uint8))


def seen(colour: str, read: str | None, confidence: float = 0.6) -> SeenDie:
    return SeenDie(colour, read, confidence, 10.0, 10.0)


@pytest.fixture
def album(tmp_path: Path) -> Album:
    return Album(tmp_path / "album")


@pytest.fixture
def poor(tmp_path: Path) -> DiceSet:
    """A set of two examples a face only; it is the owner's own `battle`."""
    pairs = list(zip(BATTLE.colours, BATTLE.faces, strict=True))
    keep = [i for i, pair in enumerate(pairs) if pairs[:i].count(pair) < 2]
    small = chosen(BATTLE, keep)
    small.save(tmp_path / "dice" / "battle")
    return find_set("battle", tmp_path / "dice")


# ---- what comes into it


def test_a_die_that_a_person_corrected_comes_into_the_album(album: Album, tmp_path: Path) -> None:
    store = Store(tmp_path / "companion.sqlite")
    table = ToyTable(store, {"toy": toy_game}, corrected=album.add)
    table.start("toy", SEATS, {})
    table.answer(Answer("ann.hide", Picked(("cave",)), "ann"))
    table.answer(Answer("bo.hide", Picked(("wood",)), "bo"))
    table.answer(Answer("box:shore.worth", Number(2)))
    dice = (
        SeenDie("black", "helmet", 0.99, 20.0, 20.0, crop="sure"),
        SeenDie("black", "helmet", 0.98, 40.0, 20.0, crop="sure"),
        SeenDie("black", "helmet", 0.55, 60.0, 20.0, crop="misread"),
    )
    pictures = {"sure": example("black", "helmet"), "misread": example("black", "shield")}
    table.read(DiceReading("tray_camera", "battle", dice, 1, 0.0, pictures=pictures), now=0.0)
    (proposal,) = table.look(None).proposals
    assert album.corrections() == []
    table.correct(proposal.id, 2, face="shield", person="Signe")  # it settles the last doubt
    assert table.look(None).proposals == ()
    (entry,) = album.corrections()
    assert (entry.set, entry.colour, entry.face) == ("battle", "black", "shield")
    assert (entry.read, entry.confidence) == ("helmet", 0.55)
    assert album.picture(entry) is not None
    store.close()


def test_what_shows_no_face_stays_out(album: Album) -> None:
    album.add("battle", seen("black", None, confidence=0.0), "shield", example("black", "shield"))
    album.add("battle", seen("", None), "shield", example("black", "shield"))
    album.add("battle", seen("black", None), "shield", jpeg(np.zeros((40, 40, 3), np.uint8)))
    album.add("battle", seen("black", None), "shield", b"no picture")
    assert album.corrections() == []


def test_the_last_word_about_a_picture_counts(album: Album) -> None:
    picture = example("red", "shield")
    album.add("battle", seen("red", "helmet"), "helmet", picture)
    album.add("battle", seen("red", "helmet"), "shield", picture)
    (entry,) = album.corrections()
    assert entry.face == "shield"


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "album").write_text("in the way")
    album = Album(tmp_path / "album")
    album.add("battle", seen("red", "helmet"), "shield", example("red", "shield"))
    assert album.corrections() == []


# ---- teaching


def fill(album: Album) -> int:
    """Corrections that the small set of the tests does not have yet."""
    count = 0
    for colour in BATTLE.colour_names:
        for face in ("helmet", "shield"):
            for which in (3, 4):
                other = "shield" if face == "helmet" else "helmet"
                album.add("battle", seen(colour, other), face, example(colour, face, which))
                count += 1
    return count


def test_teaching_adds_the_pictures_and_says_both_scores(
    album: Album, poor: DiceSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = fill(album)
    taught = album.teach(poor)
    assert taught.new == count
    assert taught.before.total == taught.after.total == len(poor.faces)
    assert taught.album_before.total == taught.album_after.total == count
    assert not taught.worse
    assert main(["dice", "album", "teach", "battle", "--state", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"its own examples: {taught.before.right} of {len(poor.faces)} right before" in told
    assert f"the album: {taught.album_before.right} of {count} right before" in told
    again = find_set("battle", tmp_path / "dice")
    assert len(again.faces) == len(poor.faces) + count


def test_taught_twice_it_is_learnt_once(
    album: Album, poor: DiceSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(album)
    command = ["dice", "album", "teach", "battle", "--state", str(tmp_path)]
    assert main(command) == 0
    size = len(find_set("battle", tmp_path / "dice").faces)
    assert main(command) == 0
    assert "knows all these pictures already" in capsys.readouterr().out
    assert len(find_set("battle", tmp_path / "dice").faces) == size


def test_wrong_corrections_do_not_make_the_set_worse(
    album: Album, poor: DiceSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for colour in BATTLE.colour_names:
        for which in range(2, 6):
            album.add("battle", seen(colour, "helmet"), "shield", example(colour, "helmet", which))
    before = sorted(p.name for p in (tmp_path / "dice" / "battle").rglob("*"))
    assert main(["dice", "album", "teach", "battle", "--state", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert "would read less well and stays as it is" in told.err
    assert "right before" in told.out
    assert sorted(p.name for p in (tmp_path / "dice" / "battle").rglob("*")) == before


def test_pictures_of_other_dice_are_left_out(
    album: Album, poor: DiceSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    album.add("battle", seen("green", "helmet"), "shield", example("black", "shield", 3))
    assert main(["dice", "album", "teach", "battle", "--state", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert "left out" in told.out
    assert "correct misread dice at the table first" in told.err
    assert poor.name == "battle"


# ---- looking at it, giving it away, throwing it away


def test_the_album_is_listed_given_away_and_cleared(
    album: Album, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = ["--state", str(tmp_path)]
    assert main(["dice", "album", *state]) == 0
    assert "empty" in capsys.readouterr().out
    count = fill(album)
    assert main(["dice", "album", *state]) == 0
    told = capsys.readouterr().out
    assert "battle: black helmet, read as shield: 2" in told
    assert f"{count} pictures" in told
    file = tmp_path / "gift.zip"
    assert main(["dice", "album", "export", str(file), *state]) == 0
    with zipfile.ZipFile(file) as archive:
        entries = json.loads(archive.read("album.json"))
        assert len(entries) == count
        assert {f"{entry['id']}.jpg" for entry in entries} < set(archive.namelist())
    assert main(["dice", "album", "export", str(file), *state]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["dice", "album", "clear", *state]) == 0
    assert album.corrections() == []
    assert not (tmp_path / "album").exists()


def test_a_state_folder_given_before_the_word_counts(album: Album, tmp_path: Path) -> None:
    fill(album)
    assert main(["dice", "album", "--state", str(tmp_path), "clear"]) == 0
    assert album.corrections() == []


def test_the_demo_has_an_album_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = fill(Album(tmp_path / "demo" / "album"))
    assert main(["dice", "album", "--state", str(tmp_path)]) == 0
    assert "The album is empty" in capsys.readouterr().out
    for given in (["--state", str(tmp_path), "--demo"], ["--demo", "--state", str(tmp_path)]):
        assert main(["dice", "album", *given]) == 0
        assert f"{count} pictures" in capsys.readouterr().out
    assert main(["dice", "album", "--demo", "--state", str(tmp_path), "clear"]) == 0
    assert main(["dice", "album", "--state", str(tmp_path), "--demo"]) == 0
    assert "The album is empty" in capsys.readouterr().out


def test_a_damaged_line_is_left_out(album: Album, tmp_path: Path) -> None:
    count = fill(album)
    (tmp_path / "album" / "broken.json").write_text("{")
    assert len(album.corrections()) == count
