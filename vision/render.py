"""Honest pictures of dice in a tray, drawn for tests, demos and tuning, each with its truth.

Everything a real picture suffers from is in them: perspective and lens, lamp and shadows, glare,
hands, dice that touch, lean or still roll, blur, noise and JPEG. `python -m vision.render DIR`
writes a folder with enrolment shots, rolls and thrown sequences.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.render_art import ARTWORKS, Artwork, artwork
from vision.render_burnt import burnt_out
from vision.render_dice import outline_px, paint_die
from vision.render_hand import Hand, paint_hand
from vision.render_lamp import Lamp
from vision.render_light import Light
from vision.render_looks import LOOKS, USUAL, Looks
from vision.render_random import enrolment_roll, random_box, random_roll
from vision.render_roll import CONDITIONS, Box, Placed, Roll
from vision.render_sensor import Exposed, Sensor, develop, expose, metered
from vision.render_stage import Picture, Planes, rectangle
from vision.render_telling import told_apart
from vision.render_throw import Throw, random_throw
from vision.render_view import Lens, View, cover

__all__ = [
    "ARTWORKS",
    "CONDITIONS",
    "Artwork",
    "Box",
    "Hand",
    "Lamp",
    "Lens",
    "Placed",
    "Roll",
    "Sensor",
    "Throw",
    "View",
    "artwork",
    "develop",
    "expose_roll",
    "random_box",
    "random_roll",
    "random_throw",
    "render",
    "steady_sensor",
    "throw_frames",
    "write_box",
    "write_enrolment",
]


_TOLD = 1.0  # below, what tells a face is fainter than the sensor's noise
_BURNT_OUT = 1 / 3  # more than of any face of the path-traced wooden box, hard rolls included


def render(box: Box, roll: Roll, rng: np.random.Generator) -> tuple[Picture, dict[str, Any]]:
    """The picture of a roll, and what is in it.

    Answers the picture (height, width, 3) as a JPEG gives it back, and the truth: difficulty,
    conditions, params, `dice` and `markers_px` with all places in pixels and tray millimetres. A
    medium roll in which a mirrored lamp burns out more than a third of a face is a hard one, and so
    is one with a face that another would hardly look different from.
    """
    exposed, truth = expose_roll(box, roll)
    drawings = {face for kind in box.kinds for face in kind.faces}
    if roll.difficulty == "medium" and len(drawings) > 1:
        other, _ = expose_roll(box.turned_over, roll)
        quads = [roll.view.project(die.pose.quad()) for die in roll.dice]
        if min(told_apart(exposed, other, quads, roll.sensor), default=1.0) < _TOLD:
            truth["difficulty"] = "hard"
    glared = [die for die in roll.dice if die.glare]
    if roll.difficulty == "medium" and glared:
        unlit = tuple(replace(die, glare=None) for die in roll.dice)
        clear, _ = expose_roll(box, replace(roll, dice=unlit))
        quads = [roll.view.project(die.pose.quad()) for die in glared]
        if burnt_out(exposed, clear, quads) > _BURNT_OUT:
            truth["difficulty"] = "hard"
    return develop(exposed, roll.sensor, rng), truth


Draw = Callable[[Box, Roll, np.random.Generator], tuple[Picture, dict[str, Any]]]
"""Makes the picture of a roll and tells what is in it, as `render` does."""


def expose_roll(box: Box, roll: Roll) -> tuple[Exposed, dict[str, Any]]:
    """The picture before noise, for `develop` to make as many frames of as wanted; the truth."""
    view = roll.view
    ground = box.ground(view)
    hand_balls = roll.hand.balls() if roll.hand else np.zeros((0, 4))
    light = Light(roll.lamp, hand_balls)
    poses = [die.pose for die in roll.dice]
    frame: Planes = ground.albedo * light.on_ground(view, ground, poses)
    for marker, height in roll.covered:
        _cover_marker(frame, view, light, marker, height)
    # Lower dice first, then those further out: what is drawn later may hide what is behind it.
    eye = view.eye
    order = sorted(
        range(len(roll.dice)),
        key=lambda i: (round(poses[i].centre[2] / 10), -np.linalg.norm(poses[i].centre - eye)),
    )
    tops = np.zeros(frame.shape[:2], np.uint8)
    alone: dict[int, int] = {}
    for i in order:
        die = roll.dice[i]
        others = [p for k, p in enumerate(poses) if k != i]
        paint_die(frame, view, light, box.dressed[die.die_id], die.poses, others, die.glare)
        hull = outline_px(view, box.kind(die.die_id), die.pose)
        cv2.fillConvexPoly(tops, np.round(hull).astype(np.int32), 0)
        quad = np.round(view.project(die.pose.quad()) * 16).astype(np.int32)
        cv2.fillConvexPoly(tops, quad, i + 1, shift=4)
        alone[i] = int((tops == i + 1).sum())
    if roll.hand:
        tops[paint_hand(frame, view, light, roll.hand) > 0.5] = 0
    tint = np.array(roll.lamp.colour, np.float32) * np.float32(roll.lamp.power)
    tint += np.array(roll.lamp.room_colour, np.float32) * np.float32(roll.lamp.room)
    exposed = expose(frame, roll.sensor, tint)
    seen = {i: float((tops == i + 1).sum()) / max(1, alone[i]) for i in alone}
    return exposed, _truth(box, roll, seen)


def steady_sensor(box: Box) -> Sensor:
    """The box's sensor with its exposure locked at what suits the empty tray."""
    scene = box.ground(box.view).albedo * Light(box.lamp).on_ground(
        box.view, box.ground(box.view), []
    )
    return replace(box.sensor, exposure=metered(scene))


def throw_frames(
    box: Box, throw: Throw, rng: np.random.Generator, fps: float = 15.0
) -> Iterator[tuple[Picture, dict[str, Any]]]:
    """The frames of a throw with their truth, from the hand to the dice at rest."""
    for k in range(round(throw.seconds * fps)):
        yield render(box, throw.roll(k / fps), rng)


def write_box(
    folder: Path,
    seed: int,
    rolls: int = 40,
    sequences: int = 2,
    looks: Looks = USUAL,
    draw: Draw = render,
) -> Box:
    """Write one random box: `enrol/`, `rolls/` and `sequences/` below `folder`; answers the box.

    `draw` makes the pictures of enrolment and rolls.
    """
    box = random_box(seed, looks)
    rng = np.random.default_rng([seed, 99])
    write_enrolment(box, folder / "enrol", rng, draw=draw)
    (folder / "rolls").mkdir(parents=True, exist_ok=True)
    for k in range(rolls):
        difficulty = ("easy", "medium", "hard")[k % 3]
        picture, truth = draw(box, random_roll(box, difficulty, seed * 1000 + k), rng)
        name = f"{k:02d}.jpg"
        _write(folder / "rolls" / name, picture, 92)
        _write_json(folder / "rolls" / f"{k:02d}.json", {"image": name, **truth})
    for k in range(sequences):
        _write_sequence(box, folder / "sequences" / f"seq-{k + 1}", seed * 1000 + k, rng)
    return box


def write_enrolment(
    box: Box, folder: Path, rng: np.random.Generator, shots: int = 4, draw: Draw = render
) -> None:
    """Write the pictures an owner takes to teach a box: the empty tray, then die by die."""
    folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    for k in range(3):
        name = f"empty-{k + 1}.jpg"
        _write(folder / name, draw(box, enrolment_roll(box, None, rng), rng)[0], 95)
        entries.append({"image": name, "kind": "empty", "colour": None, "face": None, "die": None})
    pairs = sorted({(kind.colour, face) for kind in box.kinds for face in kind.faces})
    for colour, face in pairs:
        for k in range(shots):
            name = f"{colour}-{face}-{k + 1}.jpg"
            picture, truth = draw(box, enrolment_roll(box, (colour, face), rng), rng)
            _write(folder / name, picture, 95)
            entry = {"image": name, "kind": "die", "colour": colour, "face": face}
            entries.append({**entry, "die": truth["dice"][0]})
    _write_json(
        folder / "manifest.json",
        {"box": box.name, "size": list(box.view.lens.size), "shots": entries},
    )


def _write_sequence(box: Box, folder: Path, seed: int, rng: np.random.Generator) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    fps = 15
    throw = random_throw(box, seed)
    names: list[str] = []
    last: dict[str, Any] = {}
    for k, (picture, truth) in enumerate(throw_frames(box, throw, rng, fps)):
        small = cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA)
        names.append(f"{k:03d}.jpg")
        _write(folder / names[-1], np.asarray(small, np.uint8), 92)
        last = truth
    shrink = 640 / box.view.lens.size[0]
    for die in last["dice"]:
        for key in ("px", "quad_px"):
            die[key] = _shrunk(die[key], shrink)
    hands = [k for k in range(len(names)) if throw.hand_at(k / fps) is not None]
    _write_json(
        folder / "truth.json",
        {
            "fps": fps,
            "size": [640, 480],
            "n_frames": len(names),
            "frames": names,
            "rest_frame": int(np.ceil(throw.rest_at * fps)),
            "hand_frames": hands,
            "light": "home",
            "n_dice": len(last["dice"]),
            "dice": last["dice"],
            "markers_px": {i: _shrunk(c, shrink) for i, c in last["markers_px"].items()},
        },
    )


def _shrunk(px: Any, shrink: float) -> Any:
    return _rounded((np.array(px) + 0.5) * shrink - 0.5)


def _truth(box: Box, roll: Roll, seen: dict[int, float]) -> dict[str, Any]:
    dice: list[dict[str, Any]] = []
    for i, die in enumerate(roll.dice):
        pose, kind = die.pose, box.kind(die.die_id)
        quad = pose.quad()
        x, y, z = pose.centre
        dice.append(
            {
                "colour": kind.colour,
                "face": kind.faces[pose.upper],
                "x": round(float(x), 2),
                "y": round(float(y), 2),
                "z": round(float(z), 2),
                "angle": round(pose.angle, 1) % 360,
                "cocked": die.cocked,
                "tilt_deg": round(pose.tilt_deg, 1),
                "visible": round(min(1.0, seen[i]), 2),
                "die_id": die.die_id,
                "px": _rounded(roll.view.project(quad.mean(0))[0]),
                "quad_px": _rounded(roll.view.project(quad)),
                "on_rim": die.on_rim,
                "moving": die.moving,
                "glare": die.glare is not None,
            }
        )
    sensor = roll.sensor
    return {
        "size": list(roll.view.lens.size),
        "difficulty": roll.difficulty,
        "n_dice": len(dice),
        "dice": dice,
        "conditions": {name: name in roll.conditions for name in CONDITIONS},
        "params": {
            "tilt_deg": [round(t, 2) for t in roll.view.tilt_deg],
            "ev": round(sensor.ev, 2),
            "defocus_px": round(sensor.defocus_px, 2),
            "gain": round(sensor.gain, 2),
            "shake_px": round(sensor.shake_px, 2),
            "hand_edge": roll.hand.edge if roll.hand else None,
        },
        "markers_px": {
            str(i): _rounded(roll.view.project(c)) for i, c in box.stage.marker_corners().items()
        },
    }


def _cover_marker(frame: Planes, view: View, light: Light, marker: int, height: float) -> None:
    """Lay a card over one marker: a cup, a rule book, a sleeve would do the same."""
    x, y = ((-12, -12), (212, -12), (212, 162), (-12, 162))[marker]
    card = rectangle(x - 17, y - 14, x + 15, y + 16, 18.0 + height)
    share = cover(view.lens.size, view.project(card))[..., None]
    shade = np.float32(light.lamp.power + light.lamp.room)
    colour = np.array([0.10, 0.14, 0.12], np.float32) * shade
    frame *= 1 - share
    frame += share * colour


def _rounded(values: npt.ArrayLike) -> Any:
    return np.round(np.asarray(values, float), 2).tolist()


def _write(path: Path, picture: Picture, quality: int) -> None:
    if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, quality]):
        raise OSError(f"{path} could not be written; is the folder writable and the disk not full?")


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1), "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """`python -m vision.render DIR --seed N --rolls 40`."""
    parser = argparse.ArgumentParser(prog="python -m vision.render", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looks", choices=sorted(LOOKS), default="usual")
    parser.add_argument("--rolls", type=int, default=40)
    parser.add_argument("--sequences", type=int, default=2)
    chosen = parser.parse_args(arguments)
    box = write_box(chosen.folder, chosen.seed, chosen.rolls, chosen.sequences, LOOKS[chosen.looks])
    sys.stdout.write(f"{chosen.folder}: box {box.name}, {chosen.rolls} rolls\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
