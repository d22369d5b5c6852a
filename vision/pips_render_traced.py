"""Photographs of ordinary dice, their light path-traced: to check the reader of pips, not to teach.

Needs Blender's Cycles, as `vision.render_traced` tells, and msgspec beside it:

    trace/bin/python -m vision.pips_render_traced DIR --first 1000 --count 40

writes DIR/1000.jpg and so on, MANIFEST.csv with the upper faces of each, and list.txt, as
`python -m vision.pips_hardships --photographs DIR --list DIR/list.txt --part scoring` wants them.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from vision.pips_hardships import BODIES
from vision.pips_render_dice import SPOTS, VALUES
from vision.render_faces import DieKind
from vision.render_lamp import Lamp
from vision.render_place import apart
from vision.render_pose import HALF, Pose, flat_pose
from vision.render_sensor import Sensor, develop, expose
from vision.render_stage import Planes, linear, noise, wood
from vision.render_traced import render_light
from vision.render_traced_light import Straight, add_disc, add_room
from vision.render_traced_solid import (
    MIRROR,
    UNIT,
    blender,
    image_of,
    mesh_of,
    rounded_cube,
    surface,
)
from vision.render_view import Floats
from vision.seen import Picture

SIZE = (800, 640)
_FACE_PX = 200
_GROUNDS = (
    (60, 90, 140),
    (150, 160, 170),
    (46, 50, 56),
    (70, 110, 60),
    (120, 70, 50),
    (90, 110, 130),
    (200, 210, 214),
    (40, 40, 110),
)
_FAR = 400.0  # millimetres to each end of the ground


@dataclass(frozen=True, slots=True)
class _Style:
    """What dice of one kind are made of; lengths in sides of a die."""

    body: Floats
    ink: Floats
    radius: float
    spread: float
    one: float  # how much larger the only pip of the one is
    dent: float
    rough: float
    coat: float
    clear: float  # share of light that goes through
    round_mm: float


def photograph(seed: int) -> tuple[Picture, list[str]]:
    """One picture (640, 800, 3) and the upper faces of its dice, "1" to "6"."""
    rng = np.random.default_rng([seed, 91])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _add_ground(rng)
    styles = [_random_style(rng) for _ in range(int(rng.integers(1, 4)))]
    poses = _scattered(rng)
    for pose in poses:
        style = styles[int(rng.integers(len(styles)))]
        _add_die(style, pose, rng.integers(0, 2, 6).tolist())
    camera = _add_camera(poses, rng)
    _add_light(np.mean([p.centre for p in poses], axis=0), seed, rng)
    sensor = Sensor(
        ev=float(rng.normal(0.2, 0.4)),
        noise=float(rng.uniform(0.8, 2.5)),
        sharpen=float(rng.uniform(0.2, 0.8)),
        jpeg=int(rng.integers(70, 95)),
    )
    light = np.ascontiguousarray(render_light(camera, 6))
    picture = develop(expose(light, sensor, np.ones(3, np.float32)), sensor, rng)
    return picture, [str(VALUES[p.upper]) for p in poses]


def _random_style(rng: np.random.Generator) -> _Style:
    name = str(rng.choice(list(BODIES)))
    body = np.clip(np.array(BODIES[name]) + rng.normal(0, 8, 3), 8, 245)
    dark = float(body @ [0.114, 0.587, 0.299]) < 120
    ink = (226.0, 230.0, 232.0) if dark else (30.0, 30.0, 30.0)
    if dark and rng.random() < 0.15:
        ink = (90.0, 190.0, 220.0)
    return _Style(
        body=body,
        ink=np.array(ink),
        radius=float(rng.uniform(0.078, 0.115)),
        spread=float(rng.uniform(0.21, 0.27)),
        one=float(rng.choice([1, 1, 1.5])),
        dent=float(rng.uniform(0, 1)),
        rough=float(rng.uniform(0.08, 0.5)),
        coat=float(rng.choice([0, 0.6])),
        clear=float(rng.choice([0, 0, 0, 0.6])) if name not in ("ivory", "white", "black") else 0.0,
        round_mm=float(rng.uniform(0.8, 2.6)),
    )


def _painted(style: _Style, value: int, turn: int) -> tuple[Planes, Planes]:
    """A face as linear reflectance (n, n, 3), and where its pips are, (n, n) 0..1."""
    side = 3 * _FACE_PX
    colour = np.ones((side, side, 3), np.float32) * np.float32(style.body)
    pips = np.zeros((side, side), np.float32)
    radius = style.radius * (style.one if value == 1 else 1.0)
    for x, y in SPOTS[value]:
        at = [round((0.5 + style.spread * k) * side * 8) for k in (x, y)]
        tone = tuple(float(k) for k in style.ink)
        cv2.circle(colour, at, round(radius * side * 8), tone, -1, shift=3)
        cv2.circle(pips, at, round(radius * side * 8), 1.0, -1, shift=3)
    small = (_FACE_PX, _FACE_PX)
    colour = np.rot90(cv2.resize(colour, small, interpolation=cv2.INTER_AREA), turn)
    pips = np.rot90(cv2.resize(pips, small, interpolation=cv2.INTER_AREA), turn)
    return linear(np.ascontiguousarray(colour)), np.ascontiguousarray(pips)


def _add_die(style: _Style, pose: Pose, turns: Sequence[int]) -> None:
    b, g, r = (float(c) for c in style.body)
    kind = DieKind(0, "any", ("1",) * 6, (b, g, r), style.round_mm)
    points, faces, uvs, which = rounded_cube(kind)
    skins = []
    for value, turn in zip(VALUES, turns, strict=True):
        colour, pips = _painted(style, value, turn)
        skin = surface("die", colour, rough=style.rough, coat=style.coat)
        nodes, links = skin.node_tree.nodes, skin.node_tree.links
        shader = nodes["Principled BSDF"]
        shader.inputs["Transmission Weight"].default_value = style.clear
        shader.inputs["Subsurface Weight"].default_value = 0.1
        if style.dent > 0.2:
            hollow = nodes.new("ShaderNodeTexImage")
            soft = cv2.GaussianBlur(pips, (0, 0), 3)
            hollow.image = image_of("pips", np.repeat(soft[..., None], 3, -1))
            hollow.extension = "EXTEND"
            relief = nodes.new("ShaderNodeBump")
            relief.invert = True
            relief.inputs["Strength"].default_value = style.dent
            relief.inputs["Distance"].default_value = 0.08
            links.new(hollow.outputs["Color"], relief.inputs["Height"])
            links.new(relief.outputs["Normal"], shader.inputs["Normal"])
        skins.append(skin)
    thing = mesh_of("die", points, faces, skins, uvs, which, smooth=True, local=True)
    matrix = np.eye(4)
    matrix[:3, :3] = MIRROR @ pose.turned @ MIRROR
    matrix[:3, 3] = blender(pose.centre)
    thing.matrix_world = Matrix(matrix.tolist())


def _scattered(rng: np.random.Generator) -> list[Pose]:
    """Two to twelve dice that lie flat; in three pictures of five many of them touch."""
    count, close = int(rng.integers(2, 13)), rng.random() < 0.6
    reach = 10 + 9 * np.sqrt(count) * rng.uniform(1, 2.2)
    poses: list[Pose] = []
    for _ in range(count):
        for _ in range(300):
            face, angle = int(rng.integers(6)), float(rng.uniform(0, 360))
            x, y = rng.uniform(-reach, reach, 2)
            if close and poses and rng.random() < 0.7:
                near = poses[int(rng.integers(len(poses)))]
                even = rng.random() < 0.6
                angle = near.angle + 90 * int(rng.integers(4)) if even else angle
                way = rng.uniform(0, 2 * np.pi)
                if even and rng.random() < 0.6:
                    way = np.radians(near.angle + 90 * int(rng.integers(4)))
                step = np.array([np.cos(way), np.sin(way)])
                low, high = 0.0, 30.0
                for _ in range(14):
                    middle = (low + high) / 2
                    x, y = near.centre[:2] + step * middle
                    inside = apart(flat_pose(face, float(x), float(y), angle), near) < 0.05
                    low, high = (middle, high) if inside else (low, middle)
                x, y = near.centre[:2] + step * high
            pose = flat_pose(face, float(x), float(y), float(angle))
            if all(apart(pose, other) > 0.02 for other in poses):
                poses.append(pose)
                break
    return poses


def _add_ground(rng: np.random.Generator) -> None:
    side = 1200
    tone = np.array(_GROUNDS[int(rng.integers(len(_GROUNDS)))]) + rng.normal(0, 12, 3)
    tone = np.clip(tone, 10, 240)
    kind = int(rng.integers(3))
    if kind == 0:
        b, g, r = tone.tolist()
        drawn = wood(rng, side, side, (b, g, r), float(rng.uniform(0.5, 1.5)))
    elif kind == 1:
        fine, mottled = noise(rng, side, side, 1.5), noise(rng, side, side, 20)
        drawn = tone * (1 + 0.12 * fine + 0.05 * mottled)[..., None]
    else:
        ys, xs = np.mgrid[0:side, 0:side] * rng.uniform(0.3, 0.9)
        threads = 0.15 * np.sin(xs) * np.sin(ys) + 0.08 * noise(rng, side, side, 1.0)
        drawn = tone * (1 + threads)[..., None]
    ground = surface(
        "ground",
        linear(np.clip(drawn, 0, 255).astype(np.float32)),
        rough=float(rng.uniform(0.3, 1)),
        bump=float(rng.uniform(0, 0.5)) if kind else 0.0,
    )
    corners = _FAR * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    tiles = 2 * _FAR / (side / rng.uniform(3, 6))
    uv = tiles * np.array([[0, 1], [1, 1], [1, 0], [0, 0]])
    mesh_of("ground", corners, [range(4)], [ground], [uv])


def _add_camera(poses: Sequence[Pose], rng: np.random.Generator) -> Straight:
    """A camera 22 to 50 cm away, 55 to 90 degrees above the table, that sees all dice."""
    middle = np.mean([p.centre for p in poses], axis=0)
    height, around = np.radians(rng.uniform(55, 90)), rng.uniform(0, 2 * np.pi)
    far = float(rng.uniform(220, 500))
    flat = np.array([np.cos(around), np.sin(around), 0.0])
    eye = middle + far * (np.cos(height) * flat + np.array([0, 0, np.sin(height)]))
    sight = MIRROR @ (middle - eye) / far
    up = MIRROR @ (np.array([0, 0, 1.0]) if height < 1.5 else flat + np.array([0, 0, 0.2]))
    right = np.cross(sight, up)
    right /= np.linalg.norm(right)
    up = np.cross(right, sight)
    roll = rng.normal(0, 0.1)
    right, up = (
        np.cos(roll) * right + np.sin(roll) * up,
        np.cos(roll) * up - np.sin(roll) * right,
    )
    seen = np.array([MIRROR @ (p.centre - eye) for p in poses])
    deep = seen @ sight
    need = max(
        float(np.abs(seen @ axis / deep).max()) / (n / 2)
        for axis, n in zip((right, up), SIZE, strict=True)
    )
    focal = rng.uniform(0.6, 0.98) / (need + (14 / far) / (SIZE[1] / 2))
    focal = min(float(focal), 90 * far / (2 * HALF))
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = 36.0 * focal / SIZE[0]
    camera.clip_end = 5000.0
    camera.dof.use_dof = True
    camera.dof.focus_distance = far * UNIT * float(rng.uniform(0.93, 1.07))
    camera.dof.aperture_fstop = float(rng.choice([28, 80, 220]))  # in these units ten times as much
    thing = bpy.data.objects.new("camera", camera)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([right, up, -sight], 1)
    matrix[:3, 3] = blender(eye)
    thing.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    return Straight(SIZE, focal)


def _add_light(middle: Floats, seed: int, rng: np.random.Generator) -> None:
    height, around = np.radians(rng.uniform(25, 85)), rng.uniform(0, 2 * np.pi)
    far, power = float(rng.uniform(400, 1500)), float(rng.uniform(0.3, 1))
    way = np.array([np.cos(height) * np.cos(around), np.cos(height) * np.sin(around), 0.0])
    at = middle + far * (way + np.array([0, 0, np.sin(height)]))
    tint = np.clip(1 + rng.normal(0, 0.12) * np.array([-1, 0, 1]), 0.4, 1.6).tolist()
    watts = np.pi**2 * (far * UNIT) ** 2 * power / np.sin(height)
    add_disc(at, middle, float(rng.uniform(8, 200)), watts, tint)
    sx, sy = (float(v) for v in rng.normal(0, 0.4, 2))
    add_room(seed, Lamp(room=float(rng.uniform(0.2, 0.7)), room_colour=(1, 1, 1), slope=(sx, sy)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures with their truth."""
    parser = argparse.ArgumentParser(prog="python -m vision.pips_render_traced")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--count", type=int, default=40)
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[str, str]] = []
    for seed in range(chosen.first, chosen.first + chosen.count):
        picture, faces = photograph(seed)
        name = f"{seed}.jpg"
        if not cv2.imwrite(str(chosen.folder / name), picture):
            raise OSError(f"{chosen.folder / name} could not be written")
        rows.append((name, " ".join(faces)))
        with (chosen.folder / "MANIFEST.csv").open("w", newline="") as lines:
            csv.writer(lines).writerows([("file", "label"), *rows])
        listing = "".join(f"scoring {file}\n" for file, _ in rows)
        (chosen.folder / "list.txt").write_text(listing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
