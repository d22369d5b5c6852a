"""The same boxes and rolls as `vision.render` draws, followed by a path tracer: light as it is.

Needs Blender's Cycles, which the project itself does not depend on:

    python3.11 -m venv trace && trace/bin/pip install bpy==5.0.1 numpy opencv-python-headless
    trace/bin/python -m vision.render_traced DIR --looks unseen --seed 480 --rolls 24

Only light differs: shadows, the light that felt and wood throw on the dice, the room and the lamps
mirrored in their faces. Places, drawings, colours, camera and sensor are those of the box.
"""

# pyright: reportMissingImports=false
# ruff: noqa: T201

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

os.environ.setdefault("OPENCV_IO_ENABLE_OPENEXR", "1")

from vision.render import Picture, expose_roll, write_box
from vision.render_looks import LOOKS
from vision.render_roll import Box, Roll
from vision.render_sensor import develop, expose
from vision.render_stage import Planes
from vision.render_traced_light import Straight, add_camera, add_lights
from vision.render_traced_solid import Material, add_die, add_hand, add_tray
from vision.render_view import View, rays_of

PATHS = 4
"""Light paths followed from each pixel; what noise is left is smoothed by Cycles' own denoiser."""


def trace(box: Box, roll: Roll, paths: int = PATHS) -> Planes:
    """The picture's linear light, (height, width, 3), blue first, as `expose` takes it."""
    material = Material.of(box)
    longest = max((len(d.poses) for d in roll.dice), default=1)
    total: Planes | None = None
    for k in range(longest):
        camera = _build(box, roll, k, material)
        light = _bent(_rendered(camera, max(2, paths // longest)), camera, roll.view)
        total = light if total is None else total + light
    assert total is not None
    return total / np.float32(longest)


def render_traced(box: Box, roll: Roll, rng: np.random.Generator) -> tuple[Picture, dict[str, Any]]:
    """As `vision.render.render`: the picture and what is in it."""
    _, truth = expose_roll(box, roll)
    tint = np.array(roll.lamp.colour, np.float32) * np.float32(roll.lamp.power)
    tint += np.array(roll.lamp.room_colour, np.float32) * np.float32(roll.lamp.room)
    return develop(expose(trace(box, roll), roll.sensor, tint), roll.sensor, rng), truth


def _build(box: Box, roll: Roll, moment: int, material: Material) -> Straight:
    """Make the scene as it is at one moment of the exposure; answers its camera."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    add_tray(box, material)
    for die in roll.dice:
        add_die(box, die, die.poses[min(moment, len(die.poses) - 1)], material)
    if roll.hand is not None:
        add_hand(roll.hand)
    add_lights(box, roll)
    return add_camera(roll.view)


def _rendered(camera: Straight, paths: int, threads: int = 1) -> Planes:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = paths
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.use_denoising = True
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    scene.cycles.denoising_prefilter = "FAST"
    scene.cycles.use_light_tree = False
    scene.cycles.max_bounces = 4
    scene.cycles.caustics_reflective = False
    scene.cycles.caustics_refractive = False
    scene.render.resolution_x, scene.render.resolution_y = camera.size
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = threads
    scene.render.use_persistent_data = False
    with tempfile.TemporaryDirectory() as place:
        path = str(Path(place) / "light.exr")
        scene.render.filepath = path
        bpy.ops.render.render(write_still=True)
        light = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    assert light is not None
    return np.asarray(light[..., :3], np.float32)


def _bent(light: Planes, camera: Straight, view: View) -> Planes:
    """The straight picture through the box's lens."""
    at = rays_of(view.lens) * np.float32(camera.focal_px) + np.array(
        [(n - 1) / 2 for n in camera.size], np.float32
    )
    return np.asarray(
        cv2.remap(
            light,
            np.ascontiguousarray(at[..., 0]),
            np.ascontiguousarray(at[..., 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one traced box."""
    parser = argparse.ArgumentParser(prog="python -m vision.render_traced", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looks", choices=sorted(LOOKS), default="usual")
    parser.add_argument("--rolls", type=int, default=24)
    chosen = parser.parse_args(arguments)
    began = time.time()
    box = write_box(
        chosen.folder, chosen.seed, chosen.rolls, 0, LOOKS[chosen.looks], draw=render_traced
    )
    print(f"{chosen.folder}: box {box.name}, {chosen.rolls} rolls, {time.time() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
