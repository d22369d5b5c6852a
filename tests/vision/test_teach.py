"""Showing dice one by one: one die alone is seen for what it is, before anything was taught."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.fit import find_tray
from vision.learn import DiceSet, FacesAlike, Shot, enrol, find_set, read_manifest
from vision.light import Floats
from vision.proof import face_read, feature_of, prove, without
from vision.render import Box, random_roll, render
from vision.render_random import enrolment_roll, random_hand
from vision.seen import Picture
from vision.teach import OneDie, Sight, alike, feature_at, look_for_one


def pairs(box: Box) -> list[tuple[str, str]]:
    return sorted({(kind.colour, face) for kind in box.kinds for face in kind.faces})


def shown(
    box: Box, pair: tuple[str, str], seed: int, empty: Picture, fellows: tuple[Floats, ...] = ()
) -> tuple[OneDie, dict]:
    rng = np.random.default_rng(seed)
    frame, truth = render(box, enrolment_roll(box, pair, rng), rng)
    sight: Sight = look_for_one(frame, find_tray(frame), empty, fellows)
    assert sight.kind == "die"
    assert sight.die is not None
    return sight.die, truth["dice"][0]


def test_a_lone_die_is_found_where_it_lies(box: Box, empty: Picture) -> None:
    for number, pair in enumerate(pairs(box)):
        die, truth = shown(box, pair, number, empty)
        assert np.hypot(die.x - truth["x"], die.y - truth["y"]) < 3
        assert die.crop.shape == (128, 128, 3)


def test_an_empty_tray_a_hand_and_several_dice_are_told_apart(box: Box, empty: Picture) -> None:
    rng = np.random.default_rng(3)
    frame, _ = render(box, enrolment_roll(box, None, rng), rng)
    assert look_for_one(frame, find_tray(frame), empty).kind == "nothing"
    frame, truth = render(box, random_roll(box, "easy", 41_003), rng)
    assert len(truth["dice"]) > 1
    assert look_for_one(frame, find_tray(frame), empty).kind == "several"
    roll = replace(enrolment_roll(box, pairs(box)[0], rng), hand=random_hand(rng))
    frame, _ = render(box, roll, rng)
    assert look_for_one(frame, find_tray(frame, least=3), empty).kind == "hand"


def test_a_face_looks_more_like_itself_than_like_another(box: Box, empty: Picture) -> None:
    colour = box.kinds[0].colour
    first, second = [pair for pair in pairs(box) if pair[0] == colour][:2]
    own: list[Floats] = []
    for seed in range(3):
        own.append(shown(box, first, 20 + seed, empty, tuple(own))[0].feature)
    fellows = tuple(own)
    again = [shown(box, first, 30 + n, empty, fellows)[0].feature for n in range(5)]
    other = [shown(box, second, 40 + n, empty, fellows)[0].feature for n in range(5)]
    assert np.median([alike(f, own) for f in again]) > np.median([alike(f, own) for f in other])
    assert alike(again[0], []) == -1


def test_a_shot_is_described_again_from_its_place(box: Box, empty: Picture) -> None:
    rng = np.random.default_rng(6)
    frame, _ = render(box, enrolment_roll(box, pairs(box)[1], rng), rng)
    fit = find_tray(frame)
    die = look_for_one(frame, fit, empty).die
    assert die is not None
    again = feature_at(frame, fit, die.x, die.y, die.angle)
    assert float(again @ die.feature) > 0.999


def test_too_alike_faces_are_named(box: Box, enrolment: Path) -> None:
    shots = read_manifest(enrolment)
    colour, face = next((s.colour, s.face) for s in shots if s.kind == "die")
    same = [s for s in shots if (s.colour, s.face) == (colour, face)]
    twin = [Shot(s.image, s.kind, s.colour, "twin") for s in same]
    empties = [s for s in shots if s.kind == "empty"]
    with pytest.raises(FacesAlike) as caught:
        enrol(enrolment, "box", shots=[*empties, *same, *twin])
    assert caught.value.colour == colour
    assert {caught.value.first, caught.value.second} == {face, "twin"}


# ---- how well a set tells its examples apart


def test_a_good_set_reads_each_example_by_the_others(dice_set: DiceSet) -> None:
    proof = prove(dice_set)
    assert proof.total == len(dice_set.faces)
    assert proof.right >= proof.total - 1
    assert proof.share > 0.9


def test_wrongly_named_examples_are_told_as_mixed_up(dice_set: DiceSet) -> None:
    colour = dice_set.colours[0]
    first, second = dice_set.faces_of(colour)[:2]
    swapped = {first: second, second: first}
    wrong = next(
        i
        for i, pair in enumerate(zip(dice_set.colours, dice_set.faces, strict=True))
        if pair == (colour, first)
    )
    faces = list(dice_set.faces)
    faces[wrong] = swapped[first]
    proof = prove(replace(dice_set, faces=tuple(faces)))
    assert proof.right < prove(dice_set).right
    assert (colour, second, colour, first) in proof.mixed_up


def test_a_kept_crop_says_what_the_frame_said() -> None:
    battle = find_set("battle", Path("nowhere"))
    for i in range(0, len(battle.faces), 5):
        feature = feature_of(battle.crops[i])
        assert alike(feature, [battle.features[i]]) > 0.98
        rest = without(battle, i)
        assert face_read(rest, feature, battle.colours[i]) == battle.faces[i]
