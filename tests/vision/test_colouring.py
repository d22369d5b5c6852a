"""A die's colour shows in its rounded edge and in whether its drawing is lighter or darker."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.colouring import edge_distances, edges_of, in_crops, lighter, on_disc
from vision.dice_set import DiceSet
from vision.face import EDGE, FACE
from vision.known import known
from vision.reading import read_dice
from vision.render import Box, Roll, render
from vision.render_place import lying

RED = np.log(np.array([50.0, 45.0, 170.0], np.float32))
GREY = np.log(np.array([90.0, 90.0, 90.0], np.float32))


def face(body: np.ndarray, drawing: float) -> np.ndarray:
    """A sampled face (1, 30, 30, 3): a cross in log brightness beside that of its body."""
    result = np.zeros((1, FACE + 2 * EDGE, FACE + 2 * EDGE, 3), np.float32) + body
    result[:, 13:17, 9:21] += drawing
    result[:, 9:21, 13:17] += drawing
    return result


def test_each_side_has_the_colour_of_its_edge_and_not_of_the_drawing() -> None:
    assert edges_of(face(RED, 1.0)) == pytest.approx(np.tile(RED, (1, 4, 1)))


def test_a_lamp_in_the_face_leaves_the_edge_as_it_is() -> None:
    lit = face(RED, 1.0)
    lit[:, 6:24, 6:24] = np.log(255.0)
    others = np.concatenate([edges_of(face(GREY, 1.0)), edges_of(face(RED, 1.0))])
    assert edge_distances(edges_of(lit)[0], others).tolist() == pytest.approx([0.4, 0.0])


def test_one_side_in_hard_shadow_or_against_another_die_does_not_count() -> None:
    edge = edges_of(face(RED, 1.0))[0]
    seen = edge.copy()
    seen[2] = GREY - 1.0
    assert edge_distances(seen, edge[None])[0] == pytest.approx(0, abs=1e-5)


def test_light_on_dark_and_dark_on_light_are_opposites_in_any_light() -> None:
    shade = np.linspace(-1.5, 0, 30, dtype=np.float32)[None, None, :, None]
    light, dark = on_disc(lighter(face(GREY, 1.0))), on_disc(lighter(face(GREY, -1.0)))
    shaded = on_disc(lighter(face(GREY, 1.0) + shade))[0]
    assert shaded @ light[0] > 0.95
    assert shaded @ dark[0] < -0.9


def test_a_set_knows_its_edges_by_the_crops_it_keeps(dice_set: DiceSet) -> None:
    edges, light = in_crops(dice_set.crops, dice_set.tones)
    assert edges == pytest.approx(dice_set.edges)
    assert light == pytest.approx(dice_set.lighter)
    assert [a.shape for a in in_crops(dice_set.crops[:0], dice_set.tones[:0])] == [
        (0, 4, 3),
        (0, 24, 24),
    ]
    laid_out = known(dice_set)
    for edge, colour in zip(dice_set.edges, dice_set.colours, strict=True):
        nearest = int(laid_out.edge_distances(edge).argmin())
        assert dice_set.colour_names[nearest] == colour


@pytest.mark.parametrize("colour", ["white", "black", "red"])
@pytest.mark.parametrize("face_up", ["helmet", "shield"])
def test_dice_in_deep_shade_keep_their_colour(
    box: Box, dice_set: DiceSet, colour: str, face_up: str
) -> None:
    rng = np.random.default_rng(3)
    kinds = [k for k in box.kinds if k.colour == colour and face_up in k.faces]
    places = ((60.0, 50.0, 15.0), (130.0, 90.0, 50.0))
    dice = tuple(lying(kinds[k % len(kinds)], face_up, *p, rng) for k, p in enumerate(places))
    picture, _ = render(box, replace(Roll.empty(box), dice=dice), rng)
    # Something that stands before the lamp: a third of the light is left around the first die.
    shade = np.ones(picture.shape[:2], np.float32)
    where = np.array(box.view.project(np.array([[60.0, 50.0, 16.0]]))[0]).astype(int)
    cv2.circle(shade, tuple(where.tolist()), 90, 0.33, -1)
    shaded = (picture * cv2.GaussianBlur(shade, (0, 0), 9)[..., None]).astype(np.uint8)
    read = read_dice([shaded], dice_set).dice
    assert [(d.colour, d.face) for d in read] == [(colour, face_up)] * 2


def test_an_older_set_learns_its_edges_when_it_is_loaded(dice_set: DiceSet, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    dice_set.save(folder)
    with np.load(folder / "faces.npz") as kept:
        assert sorted(kept.files) == ["features", "tones"]
    loaded = DiceSet.load(folder)
    assert loaded.edges == pytest.approx(dice_set.edges, abs=0.01)
    assert loaded.lighter == pytest.approx(dice_set.lighter)
