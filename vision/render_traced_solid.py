"""The tray, the dice and a hand as Blender meshes; one unit is a centimetre."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from vision.render_faces import DieKind
from vision.render_hand import Hand
from vision.render_pose import FACE_AXES, HALF, Pose
from vision.render_roll import Box, Placed
from vision.render_stage import INNER, RIM_HIGH, RIM_WIDE, TABLE_DEEP, linear
from vision.render_view import Floats

UNIT = 0.1
"""Blender units a millimetre."""
MIRROR = np.diag([1.0, -1.0, 1.0])
"""The tray's axes (right, down, up) are left-handed, Blender's are not."""

_FACE_PX = 160


@dataclass(frozen=True)
class Material:
    """How surfaces of a box throw light back: roughness 0 (mirror) to 1, coat 0 to 1."""

    body_rough: float
    sticker_rough: float
    coat: float
    rim_rough: float
    felt_bump: float

    @classmethod
    def of(cls, box: Box) -> Material:
        """By the box's own gloss; what the drawn pictures do not know by chance, from its seed."""
        rng = np.random.default_rng([box.seed, 41])
        gloss = float(np.mean([k.gloss for k in box.kinds]))
        return cls(
            body_rough=float(np.clip(0.62 - 0.45 * gloss + rng.normal(0, 0.05), 0.12, 0.8)),
            sticker_rough=float(rng.uniform(0.22, 0.55)),
            coat=float(max(0.0, gloss - 0.45)),
            rim_rough=float(rng.uniform(0.3, 0.7)),
            felt_bump=float(rng.uniform(0.1, 0.5)),
        )


def blender(points: Floats) -> Floats:
    """Tray millimetres (..., 3) in Blender's units and axes."""
    return np.asarray(points, float) @ MIRROR * UNIT


def image_of(name: str, bgr: np.ndarray) -> Any:
    """A picture of linear reflectance (h, w, 3), blue first, rows from the top."""
    h, w = bgr.shape[:2]
    pixels = np.ones((h, w, 4), np.float32)
    pixels[..., :3] = bgr[::-1, :, ::-1]
    image = bpy.data.images.new(name, w, h, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(pixels.ravel())
    image.pack()
    return image


def surface(
    name: str,
    colour: np.ndarray | None = None,
    flat: Sequence[float] | None = None,
    rough: float = 0.5,
    coat: float = 0.0,
    bump: float = 0.0,
    rough_map: np.ndarray | None = None,
    specular: float = 0.5,
) -> Any:
    """A surface with one colour, `flat`, or a picture of it, `colour`, both linear, blue first.

    rough: roughness 0..1, or `rough_map` (h, w) of it; coat: of lacquer, 0..1; bump: how much the
    picture's bright places stand out; specular: share of mirrored light, 0.5 for most things.
    """
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Specular IOR Level"].default_value = specular
    shader.inputs["Coat Weight"].default_value = coat
    shader.inputs["Coat Roughness"].default_value = 0.15
    if flat is not None:
        b, g, r = (float(v) for v in flat)
        shader.inputs["Base Color"].default_value = (r, g, b, 1.0)
    if colour is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = image_of(name, colour)
        texture.extension = "MIRROR"
        texture.interpolation = "Cubic"
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
        if bump:
            relief = nodes.new("ShaderNodeBump")
            relief.inputs["Strength"].default_value = bump
            relief.inputs["Distance"].default_value = 0.03
            links.new(texture.outputs["Color"], relief.inputs["Height"])
            links.new(relief.outputs["Normal"], shader.inputs["Normal"])
    if rough_map is not None:
        sheet = nodes.new("ShaderNodeTexImage")
        sheet.image = image_of(name + " roughness", np.repeat(rough_map[..., None], 3, -1))
        sheet.extension = "EXTEND"
        links.new(sheet.outputs["Color"], shader.inputs["Roughness"])
    return material


def mesh_of(
    name: str,
    points: Floats,
    faces: Sequence[Sequence[int]],
    materials: Sequence[Any],
    uv: Sequence[Floats] | None = None,
    which: Sequence[int] | None = None,
    smooth: bool = False,
    local: bool = False,
) -> Any:
    """A mesh of tray points; faces go round as the tray's own axes see them from outside."""
    mesh = bpy.data.meshes.new(name)
    own = points @ MIRROR * UNIT if local else blender(points)
    mesh.from_pydata(own.tolist(), [], [list(reversed(f)) for f in faces])
    if uv is not None:
        layer = mesh.uv_layers.new()
        flat = np.concatenate([np.asarray(u, float)[::-1] for u in uv])
        layer.data.foreach_set("uv", flat.astype(np.float32).ravel())
    for material in materials:
        mesh.materials.append(material)
    if which is not None:
        mesh.polygons.foreach_set("material_index", np.asarray(which, np.int32))
    if smooth:
        mesh.shade_smooth()
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _sheet(name: str, corners: Floats, uv: Floats, material: Any) -> None:
    mesh_of(name, corners, [range(len(corners))], [material], [uv])


def add_tray(box: Box, how: Material) -> None:
    """Felt, rim with its markers, and the table around."""
    stage = box.stage
    w, h = INNER
    felt = surface("felt", linear(stage.felt), rough=1.0, bump=how.felt_bump, specular=0.1)
    corners = np.array([[0, 0, 0], [w, 0, 0], [w, h, 0], [0, h, 0]], float)
    _sheet("felt", corners, np.array([[0, 1], [1, 1], [1, 0], [0, 0]]), felt)
    wood = surface("rim", linear(stage.rim), rough=how.rim_rough, specular=0.4)
    r, outer = RIM_WIDE, (w + 2 * RIM_WIDE, h + 2 * RIM_WIDE)

    def rim_uv(points: Floats) -> Floats:
        return np.stack([(points[:, 0] + r) / outer[0], 1 - (points[:, 1] + r) / outer[1]], 1)

    edge = 1.0  # the boards' inner edges are broken
    hole = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
    spread = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    rings = [
        np.column_stack([hole + spread * r, np.full(4, TABLE_DEEP)]),
        np.column_stack([hole + spread * r, np.full(4, RIM_HIGH)]),
        np.column_stack([hole + spread * edge, np.full(4, RIM_HIGH)]),
        np.column_stack([hole, np.full(4, RIM_HIGH - edge)]),
        np.column_stack([hole, np.full(4, -0.5)]),
    ]
    shown = [hole + spread * r, hole + spread * r, hole + spread * edge, hole, hole - spread * 9]
    points, faces, uvs = [], [], []
    for k in range(4):
        for a in range(4):
            b = (a + 1) % 4
            quad = np.array([rings[k][a], rings[k][b], rings[k + 1][b], rings[k + 1][a]])
            at = np.array([shown[k][a], shown[k][b], shown[k + 1][b], shown[k + 1][a]])
            faces.append(range(len(points), len(points) + 4))
            points.extend(quad)
            uvs.append(rim_uv(at))
    mesh_of("rim", np.array(points), faces, [wood], uvs)
    table = surface("table", linear(stage.table), rough=0.45, specular=0.4)
    far, th, tw = 900.0, stage.table.shape[0] / 1.6, stage.table.shape[1] / 1.6
    ground = np.array([[-far, -far], [w + far, -far], [w + far, h + far], [-far, h + far]])
    uv = np.stack([(ground[:, 0] + 110) / tw, 1 - (ground[:, 1] + 110) / th], 1)
    _sheet("table", np.column_stack([ground, np.full(4, TABLE_DEEP)]), uv, table)


def add_die(box: Box, die: Placed, pose: Pose, how: Material) -> None:
    """One die with round edges and its six drawings."""
    dressed = box.dressed[die.die_id]
    kind = dressed.kind
    stickers = (kind.print or box.print).sticker_mm
    points, faces, uvs, which = _rounded_cube(kind)
    skins = []
    for k in range(6):
        face = dressed.face(k)
        side = round(_FACE_PX * dressed.face_mm / (2 * HALF))
        shrunk = cv2.resize(face, (side, side), interpolation=cv2.INTER_CUBIC)
        skin = np.ones((_FACE_PX, _FACE_PX, 3), np.float32) * linear(kind.body)
        low = (_FACE_PX - side) // 2
        part = skin[low : low + side, low : low + side]
        part *= 1 - shrunk[..., 3:]
        part += shrunk[..., :3]
        rough = np.full((_FACE_PX, _FACE_PX), how.body_rough, np.float32)
        if stickers:
            dx, dy, turn = kind.off[k]
            mm = _FACE_PX / (2 * HALF)
            middle = (_FACE_PX / 2 + dx * mm, _FACE_PX / 2 + dy * mm)
            card = cv2.boxPoints((middle, (stickers * mm, stickers * mm), turn))
            cv2.fillConvexPoly(rough, np.round(card).astype(np.int32), how.sticker_rough)
        skins.append(
            surface(
                f"die {die.die_id} {k}",
                np.maximum(skin, 0),
                rough=how.body_rough,
                coat=how.coat if not stickers else 0.0,
                rough_map=rough,
            )
        )
    thing = mesh_of("die", points, faces, skins, uvs, which, smooth=True, local=True)
    matrix = np.eye(4)
    matrix[:3, :3] = MIRROR @ pose.turned @ MIRROR
    matrix[:3, 3] = blender(pose.centre)
    thing.matrix_world = Matrix(matrix.tolist())


def _rounded_cube(kind: DieKind) -> tuple[Floats, list[list[int]], list[Floats], list[int]]:
    """A cube with round edges in the die's own axes: points, quads, their uv and which face."""
    r, n = kind.round_mm, 5
    bow = np.tan(np.linspace(0, np.pi / 4, n))  # even steps of the turn over half an edge
    flat = HALF - r
    line = np.concatenate([-(flat + r * bow[::-1]), flat + r * bow])
    side = len(line)
    points: list[Floats] = []
    faces: list[list[int]] = []
    uvs: list[Floats] = []
    which: list[int] = []
    for k, (right, down, out) in enumerate(FACE_AXES):
        first = len(points)
        for y in line:
            for x in line:
                cube = HALF * out + x * right + y * down
                core = np.clip(cube, -flat, flat)
                way = cube - core
                points.append(core + way / np.linalg.norm(way) * r)
        for i in range(side - 1):
            for j in range(side - 1):
                quad = [
                    first + a * side + b
                    for a, b in ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))
                ]
                faces.append(quad)
                at = np.array([[p @ right, p @ down] for p in (points[q] for q in quad)])
                at = at / (2 * HALF)
                uvs.append(np.stack([0.5 + at[:, 0], 0.5 - at[:, 1]], 1))
                which.append(k)
    return np.array(points), faces, uvs, which


def add_hand(hand: Hand) -> None:
    """A hand and its sleeve, melted together of balls."""
    skin = surface("skin", flat=linear(hand.skin), rough=0.45)
    skin.node_tree.nodes["Principled BSDF"].inputs["Subsurface Weight"].default_value = 0.1
    cloth = surface("cloth", flat=linear(hand.cloth), rough=1.0, specular=0.1)
    for is_cloth in (False, True):
        ball = bpy.data.metaballs.new("limbs")
        ball.resolution = ball.render_resolution = 0.25
        ball.threshold = 0.1
        for a, b, ra, rb, what in hand.limbs:
            if what != is_cloth:
                continue
            steps = max(2, int(np.linalg.norm(b - a) / (0.3 * min(ra, rb))))
            for t in np.linspace(0, 1, steps):
                part = ball.elements.new()
                part.co = blender(a + (b - a) * t).tolist()
                part.radius = float((ra + (rb - ra) * t) * UNIT * 1.05)
                part.stiffness = 10.0
        thing = bpy.data.objects.new("limbs", ball)
        ball.materials.append(cloth if is_cloth else skin)
        bpy.context.scene.collection.objects.link(thing)
