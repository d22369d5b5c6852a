"""Teaching a set: what the owner shows, what is kept, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.learn import DiceSet, DiceSetError, enrol, find_set, read_manifest
from vision.reading import read_dice
from vision.seen import Picture


def manifest(folder: Path, shots: object) -> Path:
    (folder / "manifest.json").write_text(json.dumps({"shots": shots}))
    return folder


def test_colours_and_faces_are_learnt_by_name(dice_set: DiceSet) -> None:
    assert dice_set.colour_names == ("black", "red", "white")
    assert dice_set.faces_of("red") == ("helmet", "shield")
    assert dice_set.examples("white", "shield") == 3


def test_only_image_kind_colour_and_face_are_used(
    enrolment: Path, dice_set: DiceSet, tmp_path: Path
) -> None:
    shutil.copytree(enrolment, tmp_path / "bare")
    kept = json.loads((enrolment / "manifest.json").read_text())["shots"]
    bare = [{k: s[k] for k in ("image", "kind", "colour", "face")} for s in kept]
    learnt = enrol(manifest(tmp_path / "bare", bare), "box")
    assert learnt.faces == dice_set.faces
    assert np.allclose(learnt.features, dice_set.features, atol=1e-5)


def test_a_set_is_the_same_after_saving_and_loading(
    dice_set: DiceSet, tmp_path: Path, easy_roll: tuple[Picture, dict]
) -> None:
    dice_set.save(tmp_path / "box")
    loaded = DiceSet.load(tmp_path / "box")
    assert loaded.colours == dice_set.colours
    assert loaded.tray == dice_set.tray
    assert np.array_equal(loaded.crops, dice_set.crops)
    before, after = (read_dice([easy_roll[0]], s).dice for s in (dice_set, loaded))
    assert [(d.colour, d.face) for d in after] == [(d.colour, d.face) for d in before]


def test_saving_again_leaves_no_old_crops(dice_set: DiceSet, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    dice_set.save(folder)
    (folder / "crops" / "999-green-dragon.png").write_bytes(b"old")
    dice_set.save(folder)
    assert len(list((folder / "crops").glob("*.png"))) == len(dice_set.faces)


def test_plain_crops_of_faces_can_be_taught(tmp_path: Path, dice_set: DiceSet) -> None:
    shots = []
    for i, (colour, face) in enumerate(zip(dice_set.colours, dice_set.faces, strict=True)):
        rim = 128 // 6
        cv2.imwrite(str(tmp_path / f"{i}.png"), dice_set.crops[i][rim:-rim, rim:-rim])
        shots.append({"image": f"{i}.png", "kind": "crop", "colour": colour, "face": face})
    learnt = enrol(manifest(tmp_path, shots), "crops")
    assert learnt.empty is None
    own = np.einsum("ij,ij->i", learnt.features, dice_set.features)
    assert np.median(own) > 0.9


def test_own_sets_come_before_shipped_ones(dice_set: DiceSet, tmp_path: Path) -> None:
    assert set(find_set("battle", tmp_path).face_names) >= {"helmet", "shield"}
    dice_set.save(tmp_path / "battle")
    assert len(find_set("battle", tmp_path).faces) == len(dice_set.faces)


def test_an_unknown_set_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DiceSetError, match=r"no dice set 'dragons' .*battle.*: enrol it"):
        find_set("dragons", tmp_path)
    with pytest.raises(DiceSetError, match="no name of a dice set"):
        find_set("../etc", tmp_path)


def test_two_names_for_one_drawing_are_refused(enrolment: Path, tmp_path: Path) -> None:
    shutil.copytree(enrolment, tmp_path / "twice")
    shots = json.loads((enrolment / "manifest.json").read_text())["shots"]
    reds = [s for s in shots if s["colour"] == "red" and s["face"] == "helmet"]
    shots += [{**shot, "face": "crown"} for shot in reds]
    with pytest.raises(DiceSetError, match="'crown' and 'helmet' of the red dice look too alike"):
        enrol(manifest(tmp_path / "twice", shots), "box")


@pytest.mark.parametrize(
    ("shots", "message"),
    [
        ([], "names no picture of kind 'die' or 'crop'"),
        ([{"image": "a.jpg", "kind": "dice"}], "is no manifest: .*kind"),
        ([{"kind": "empty"}], "is no manifest: .*image"),
        ([{"image": "../a.jpg", "kind": "empty"}], "plain file name"),
        ([{"image": "a.jpg", "kind": "die", "colour": "red"}], "'face' is None"),
        ([{"image": "a.jpg", "kind": "die", "colour": "Red!", "face": "x"}], "'colour' is 'Red!'"),
        ([{"image": "a.jpg", "kind": "crop", "colour": "red", "face": "x"}], "a.jpg is missing"),
    ],
)
def test_a_bad_manifest_says_where(tmp_path: Path, shots: list, message: str) -> None:
    with pytest.raises(DiceSetError, match=message):
        enrol(manifest(tmp_path, shots), "box")


def test_a_missing_or_broken_manifest(tmp_path: Path) -> None:
    with pytest.raises(DiceSetError, match=r"manifest\.json is missing"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(DiceSetError, match="is no manifest"):
        read_manifest(tmp_path)


def test_pictures_that_cannot_teach(tmp_path: Path, empty_frame: Picture) -> None:
    (tmp_path / "a.jpg").write_bytes(b"not a picture")
    die = {"image": "a.jpg", "kind": "die", "colour": "red", "face": "helmet"}
    with pytest.raises(DiceSetError, match=r"a\.jpg is no picture that can be read"):
        enrol(manifest(tmp_path, [die]), "box")
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((480, 640, 3), 90, np.uint8))
    with pytest.raises(DiceSetError, match=r"a\.jpg: none of the tray's markers"):
        enrol(manifest(tmp_path, [die]), "box")
    cv2.imwrite(str(tmp_path / "a.jpg"), empty_frame)
    with pytest.raises(DiceSetError, match="names no picture of kind 'empty'"):
        enrol(manifest(tmp_path, [die]), "box")
    cv2.imwrite(str(tmp_path / "e.jpg"), empty_frame)
    empty = {"image": "e.jpg", "kind": "empty"}
    with pytest.raises(DiceSetError, match=r"a\.jpg: no red die found"):
        enrol(manifest(tmp_path, [empty, die]), "box")


def test_a_damaged_set_asks_to_be_taught_again(dice_set: DiceSet, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    dice_set.save(folder)
    (folder / "faces.npz").write_bytes(b"PK broken")
    with pytest.raises(DiceSetError, match=r"damaged .*enrol it again"):
        DiceSet.load(folder)
    (folder / "faces.npz").unlink()
    with pytest.raises(DiceSetError, match=r"faces\.npz is missing"):
        DiceSet.load(folder)


def test_a_set_name_is_a_plain_word(enrolment: Path) -> None:
    with pytest.raises(DiceSetError, match="cannot be called"):
        enrol(enrolment, "My Dice")
