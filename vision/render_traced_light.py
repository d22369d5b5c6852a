"""The lamps, the room around and the camera of a Blender scene."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from vision.render_pose import FACE_AXES, HALF
from vision.render_roll import Box, Roll
from vision.render_stage import INNER
from vision.render_traced_solid import MIRROR, UNIT, blender, image_of, mesh_of, surface
from vision.render_view import Floats, View, rays_of


class Straight(NamedTuple):
    """The picture before the lens bends it: size in pixels and focal length in pixels."""

    size: tuple[int, int]
    focal_px: float


def add_lights(box: Box, roll: Roll) -> None:
    """The box's lamp, what stands in its way, lamps that are mirrored in dice, and the room."""
    lamp = roll.lamp
    middle = np.array([*np.array(INNER) / 2, 0.0])
    to_lamp = np.array(lamp.at) - middle
    far = float(np.linalg.norm(to_lamp))
    # Light on level felt, divided by pi, is to be the lamp's `power`.
    power = np.pi**2 * (far * UNIT) ** 2 * lamp.power / max(0.05, to_lamp[2] / far)
    _disc(np.array(lamp.at), middle, lamp.radius_mm, power, lamp.colour)
    for x0, y0, x1, y1, z in lamp.screens:
        reach = 3000.0
        corners = np.clip([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], -reach, reach)
        black = surface("somebody", flat=(0.02, 0.02, 0.02), rough=1.0)
        sheet = np.column_stack([corners, np.full(4, z)])
        thing = mesh_of("somebody", sheet, [range(4)], [black])
        thing.visible_camera = False
        thing.visible_diffuse = thing.visible_glossy = False
    eye = roll.view.eye
    rng = np.random.default_rng([box.seed, len(roll.dice), 43])
    for die in roll.dice:
        if die.glare is None or die.pose.tilt_deg > 5:
            continue
        strength, width, at_x, at_y = die.glare
        right, down, _ = FACE_AXES[die.pose.upper] @ die.pose.turned.T
        spot = die.pose.centre + [0, 0, HALF] + 0.5 * (at_x * right + at_y * down)
        # The mirror's law: a lamp as high above the face as the camera, on the other side.
        at = spot + (spot - eye) * [1, 1, -1]
        at = spot + (at - spot) * float(rng.uniform(0.95, 1.5))
        rise = at[2] - spot[2]
        reach = width * rise / roll.view.height_mm * 1.4
        # Light the lamp throws on the felt below it.
        shed = 0.18 * strength
        power = np.pi**2 * (rise * UNIT) ** 2 * shed
        _disc(at, spot, reach, power, lamp.colour)
    _room(box, roll)


def _disc(
    at: Floats, towards: Floats, radius_mm: float, power: float, bgr: Sequence[float]
) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape = "DISK"
    light.size = 2 * radius_mm * UNIT
    light.energy = float(power)
    light.color = tuple(float(v) for v in reversed(bgr))
    thing = bpy.data.objects.new("lamp", light)
    away = blender(at) - blender(towards)
    away /= np.linalg.norm(away)
    side = np.cross([0.0, 0.1, 1.0], away)
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0, 0])
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([side, np.cross(away, side), away], 1)
    matrix[:3, 3] = blender(at)
    thing.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.collection.objects.link(thing)


def _room(box: Box, roll: Roll) -> None:
    """Light from everywhere: a ceiling, walls and perhaps a window, as bright as the box says."""
    rng = np.random.default_rng([box.seed, 47])
    h, w = 64, 128
    up = np.linspace(1, -1, h)[:, None]  # sine of the height would be finer than needed
    around = np.linspace(-np.pi, np.pi, w)[None, :]
    sx, sy = roll.lamp.slope
    sky = 0.7 + 0.3 * np.clip(up, 0, 1) + 0 * around
    sky = sky * (1 + 0.8 * (sx * np.cos(around) - sy * np.sin(around)))
    if rng.random() < 0.6:
        turn, wide = rng.uniform(-np.pi, np.pi), rng.uniform(0.2, 0.6)
        off = np.abs((around - turn + np.pi) % (2 * np.pi) - np.pi)
        sky = sky + rng.uniform(1, 4) * ((off < wide) & (up > 0.1) & (up < rng.uniform(0.3, 0.7)))
    sky = np.where(up < 0, 0.35, sky)
    angle = np.arcsin(1.0) * up
    weight = np.clip(np.sin(angle), 0, 1) * np.cos(angle) + 0 * around
    sky = sky * (roll.lamp.room / ((sky * weight).sum() / weight.sum()))
    picture = sky[..., None].astype(np.float32) * np.array(roll.lamp.room_colour, np.float32)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    texture = nodes.new("ShaderNodeTexEnvironment")
    texture.image = image_of("room", picture)
    links.new(texture.outputs["Color"], nodes["Background"].inputs["Color"])


def add_camera(view: View) -> Straight:
    """The camera without its lens's bend; its picture reaches as far as the bent one does."""
    lens = view.lens
    focal_px = lens.focal_px
    reach = np.abs(rays_of(lens)).reshape(-1, 2).max(0) * focal_px
    wide, high = (int(2 * np.ceil(n) + 4) for n in reach)
    size = (wide, high)
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "HORIZONTAL"
    camera.sensor_width = 36.0
    camera.lens = 36.0 * focal_px / size[0]
    camera.clip_start, camera.clip_end = 0.5, 2000.0
    thing = bpy.data.objects.new("camera", camera)
    right, down, sight = view.axes
    axes = np.stack([MIRROR @ right, -MIRROR @ down, -MIRROR @ sight], 1)
    assert abs(np.linalg.det(axes) - 1) < 1e-6
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    matrix[:3, 3] = blender(view.eye)
    thing.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    return Straight(size, focal_px)
