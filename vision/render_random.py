"""Random boxes, random rolls: what the renderer draws when nobody says what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render_art import artwork
from vision.render_faces import DieKind, Print
from vision.render_hand import EDGES, Hand
from vision.render_lamp import Lamp
from vision.render_looks import USUAL, Looks
from vision.render_place import MILD_GLARE, STRONG_GLARE, lying, scatter
from vision.render_pose import Pose
from vision.render_roll import Box, Placed, Roll
from vision.render_sensor import Sensor
from vision.render_stage import INNER, RIM_HIGH, Colour, Look
from vision.render_view import Lens, View

# How many of a die's six faces show a helmet, for the eight dice of a Vikingjarl box.
BOX_DICE: tuple[tuple[str, int], ...] = (
    *[("black", 3)] * 3,
    *[("white", 2)] * 3,
    *[("red", 4)] * 2,
)

_MILD = (
    "touching",
    "glare",
    "dim_light",
    "warm_light",
    "cool_light",
    "side_shadow",
    "camera_tilt",
    "defocus",
    "exposure_shift",
    "wall_contact",
)
_STRONG = (*_MILD, "hand", "cocked", "rim_die", "motion_blur", "hand", "cocked")


def random_box(seed: int, looks: Looks = USUAL) -> Box:
    """A box as some owner may have it: drawings, dice, tray, lamp and camera."""
    rng = np.random.default_rng([seed, 11])
    art = artwork(looks.drawings[int(rng.integers(len(looks.drawings)))])
    black = _shade((38, 37, 36), rng, 9)
    white = _shade((212, 222, 228), rng, 10)
    red = _shade((46, 42, 176), rng, 22)
    light_ink = _shade((222, 230, 234), rng, 8)
    dark_ink = _shade((38, 36, 36), rng, 10)
    stickers = bool(rng.random() < 0.65)
    bodies = {"black": black, "white": white, "red": red}
    paper = bodies if not stickers else {k: _shade(c, rng, 7) for k, c in bodies.items()}
    look = Print(
        paper=paper,
        ink={"black": light_ink, "white": dark_ink, "red": light_ink},
        sticker_mm=float(rng.uniform(12.4, 13.8)) if stickers else 0.0,
        frame=str(rng.choice(looks.frames)),
        icon_mm=float(rng.uniform(8.6, 10.4)),
        line_mm=float(rng.uniform(0.35, 0.8)),
        relief=0.0 if stickers else float(rng.uniform(0, 1)),
    )
    gloss = float(rng.uniform(*looks.gloss))
    round_mm = float(rng.uniform(*looks.round_mm))
    wooden = float(rng.uniform(0.5, 1.5)) if rng.random() < 0.4 else 0.0
    bare = {k: _shade(c, rng, 12) for k, c in bodies.items()} if stickers else bodies
    slip = 0.35 if stickers else 0.08
    kinds = dice_kinds(BOX_DICE, bare, rng, slip, gloss, round_mm, wooden)
    table, grain = looks.tables[int(rng.integers(len(looks.tables)))]
    tray = Look(
        felt=_shade(looks.felts[int(rng.integers(len(looks.felts)))], rng, looks.spread),
        felt_grain=float(rng.uniform(*looks.felt_grain)),
        felt_kind=str(rng.choice(["wool", "wool", "weave", "smooth"])),
        wood=_shade(looks.woods[int(rng.integers(len(looks.woods)))], rng, looks.spread + 2),
        wood_grain=float(rng.uniform(0.5, 1.4)),
        mitred=bool(rng.random() < 0.4),
        table=table,
        table_grain=grain,
        stuck=tuple(
            (float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2)), float(rng.normal(0, 0.8)))
            for _ in range(4)
        ),
        seed=seed,
    )
    high = float(rng.uniform(*looks.height_mm))
    scale = float(rng.uniform(3.28, 3.45))  # pixels a millimetre at the rim
    lens = Lens(
        focal=scale * (high - RIM_HIGH) / 960,
        bend=(float(rng.uniform(*looks.bend)), float(rng.uniform(-0.02, 0.03))),
        off_axis=(float(rng.normal(0, looks.off_axis)), float(rng.normal(0, looks.off_axis))),
    )
    view = View(
        lens,
        high,
        tilt_deg=(float(rng.normal(0, looks.tilt_deg)), float(rng.normal(0, looks.tilt_deg))),
        turn_deg=float(rng.normal(0, 0.7)),
        aim=(100 + float(rng.normal(0, 1.5)), 75 + float(rng.normal(0, 1.0))),
    )
    turn = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(*looks.lamp_away)
    lamp = Lamp(
        at=(
            float(100 + away * np.cos(turn)),
            float(75 + away * np.sin(turn)),
            float(rng.uniform(*looks.lamp_high)),
        ),
        radius_mm=float(rng.uniform(*looks.lamp_mm)),
        power=float(rng.uniform(0.45, 0.9)),
        colour=_tinted(rng.normal(0.02, looks.warmth)),
        room=float(rng.uniform(0.3, 0.7)),
        room_colour=_tinted(rng.normal(-0.02, looks.warmth)),
        slope=(float(rng.normal(0, looks.slope)), float(rng.normal(0, looks.slope))),
    )
    sensor = Sensor(
        balance=float(rng.uniform(0.5, 0.9)),
        noise=float(rng.uniform(1.0, 2.2)),
        sharpen=float(rng.uniform(0.2, 0.8)),
        vignette=float(rng.uniform(0.08, 0.3)),
        tone=float(rng.uniform(0.05, 0.18)),
    )
    return Box(f"box-{seed}, {art.name}", art, look, kinds, tray, view, lamp, sensor, seed)


def dice_kinds(
    dice: Sequence[tuple[str, int]],
    bodies: dict[str, Colour],
    rng: np.random.Generator,
    slip_mm: float = 0.3,
    gloss: float = 0.3,
    round_mm: float = 1.6,
    grain: float = 0.0,
) -> tuple[DieKind, ...]:
    """Dice of (body colour, helmets of six) with stickers that sit a little beside the middle."""
    kinds: list[DieKind] = []
    for i, (colour, helmets) in enumerate(dice):
        faces = ["helmet"] * helmets + ["shield"] * (6 - helmets)
        off = tuple(
            (
                float(rng.normal(0, slip_mm)),
                float(rng.normal(0, slip_mm)),
                float(rng.normal(0, 4 * slip_mm)),
            )
            for _ in range(6)
        )
        body = _shade(bodies[colour], rng, 4)
        order = [faces[k] for k in rng.permutation(6)]
        kinds.append(DieKind(i, colour, tuple(order), body, round_mm, gloss, grain, off))
    return tuple(kinds)


def enrolment_roll(box: Box, pair: tuple[str, str] | None, rng: np.random.Generator) -> Roll:
    """One die of a colour with a face up, lying anywhere in the usual light; None: empty tray."""
    sensor = replace(box.sensor, ev=float(rng.normal(0, 0.05)))
    dice: tuple[Placed, ...] = ()
    if pair is not None:
        colour, face = pair
        kinds = [k for k in box.kinds if k.colour == colour and face in k.faces]
        kind = kinds[int(rng.integers(len(kinds)))]
        x, y = rng.uniform(18, INNER[0] - 18), rng.uniform(18, INNER[1] - 18)
        dice = (lying(kind, face, float(x), float(y), float(rng.uniform(0, 360)), rng),)
    return Roll(dice, box.view, box.lamp, sensor)


def random_roll(box: Box, difficulty: str, seed: int) -> Roll:
    """A roll of one to eight dice.

    difficulty: "easy" (no condition, dice well apart), "medium" (one or two mild conditions) or
    "hard" (up to three, also hands, leaning dice, dice on the rim and moving ones).
    """
    rng = np.random.default_rng([seed, 22])
    if difficulty == "easy":
        conditions: set[str] = set()
        count = int(rng.integers(1, 6))
    elif difficulty == "medium":
        conditions = set(rng.choice(_MILD, int(rng.integers(1, 3)), replace=False).tolist())
        count = int(rng.integers(2, 7))
    elif difficulty == "hard":
        conditions = set(rng.choice(_STRONG, int(rng.integers(1, 4)), replace=False).tolist())
        count = int(rng.integers(3, 9))
    else:
        raise ValueError(f"difficulty is easy, medium or hard, not {difficulty!r}")
    if len({"dim_light", "warm_light", "cool_light"} & conditions) == 3:
        conditions.discard("cool_light")
    hard = difficulty == "hard"
    view, lamp, sensor = circumstances(box, conditions, hard, rng)
    dice = scatter(box, count, conditions, rng, STRONG_GLARE if hard else MILD_GLARE)
    hand = random_hand(rng) if "hand" in conditions else None
    if hand is not None:
        dice = [d for d in dice if rng.random() < 0.1 or not _under(d.pose, hand)] or dice[:1]
    return Roll(tuple(dice), view, lamp, sensor, hand, (), difficulty, frozenset(conditions))


def random_hand(rng: np.random.Generator) -> Hand:
    """Some player's hand, reaching in from some side."""
    skins: tuple[Colour, ...] = ((105, 135, 198), (120, 155, 215), (62, 88, 140), (45, 60, 95))
    cloths: tuple[Colour, ...] = ((70, 60, 55), (50, 50, 140), (150, 150, 150), (120, 70, 40))
    return Hand(
        edge=EDGES[int(rng.integers(4))],
        along=float(rng.uniform(0.25, 0.75)),
        reach_mm=float(rng.uniform(50, 125)),
        lean_deg=float(rng.normal(0, 12)),
        spread=float(rng.uniform(0.8, 1.15)),
        height_mm=float(rng.uniform(28, 60)),
        skin=skins[int(rng.integers(4))],
        cloth=cloths[int(rng.integers(4))],
        sleeve=float(rng.uniform(0, 0.6)),
    )


def _under(pose: Pose, hand: Hand) -> bool:
    balls = hand.balls()
    far = np.linalg.norm(balls[:, :2] - pose.centre[:2], axis=1)
    return bool((far < balls[:, 3] + 9).any())


def circumstances(
    box: Box, conditions: set[str], hard: bool, rng: np.random.Generator
) -> tuple[View, Lamp, Sensor]:
    """View, lamp and sensor of a box under some conditions; `hard` makes them stronger."""
    view, lamp = box.view, box.lamp
    sensor = replace(box.sensor, ev=float(rng.normal(0, 0.1)))
    if "camera_tilt" in conditions:
        tilt = rng.normal(0, 1, 2)
        tilt *= rng.uniform(3.5, 6) if hard else rng.uniform(1.5, 3)
        tilt /= max(0.3, float(np.abs(tilt).max()) / (5 if hard else 2.5))
        moved = (view.tilt_deg[0] + float(tilt[0]), view.tilt_deg[1] + float(tilt[1]))
        view = replace(view, tilt_deg=moved, height_mm=view.height_mm + 12)
    if "side_shadow" in conditions:
        turn = rng.uniform(0, 2 * np.pi)
        low = rng.uniform(280, 420) if hard else rng.uniform(420, 600)
        lamp = replace(
            lamp,
            at=(float(100 + 480 * np.cos(turn)), float(75 + 480 * np.sin(turn)), float(low)),
            radius_mm=float(rng.uniform(6, 25)),
            power=1.1,
            room=lamp.room * 0.45,
        )
        if rng.random() < 0.35:
            # Somebody leans over: the edge of the shadow runs through the tray.
            target = float(rng.uniform(30, 170))
            edge = target + (lamp.at[0] - target) * 160 / lamp.at[2]
            sides = (edge, 3000.0) if rng.random() < 0.5 else (-3000.0, edge)
            lamp = replace(lamp, screens=((sides[0], -3000.0, sides[1], 3000.0, 160.0),))
        sensor = replace(sensor, gain=1.4)
    if "warm_light" in conditions:
        lamp = replace(lamp, colour=(0.5, 0.86, 1.3), room_colour=(0.62, 0.9, 1.2))
        sensor = replace(sensor, gain=2.2, balance=sensor.balance * 0.8)
    if "cool_light" in conditions:
        lamp = replace(lamp, colour=(1.25, 1.0, 0.82), room_colour=(1.3, 1.0, 0.78))
        sensor = replace(sensor, balance=sensor.balance * 0.8)
    if "dim_light" in conditions:
        gain = float(rng.uniform(3.5, 7) if hard else rng.uniform(2.2, 3.2))
        sensor = replace(sensor, gain=gain, ev=sensor.ev - float(rng.uniform(0.1, 0.7)))
    if "defocus" in conditions:
        blur = float(rng.uniform(1.8, 2.7) if hard else rng.uniform(1.0, 1.6))
        sensor = replace(sensor, defocus_px=blur)
    if "exposure_shift" in conditions:
        ev = rng.uniform(0.9, 1.3) if hard else rng.uniform(0.6, 0.9)
        sensor = replace(sensor, ev=float(ev * rng.choice([-1, 1])))
    if "motion_blur" in conditions and rng.random() < 0.4:
        shake = float(rng.uniform(2, 6.5))
        sensor = replace(sensor, shake_px=shake, shake_deg=float(rng.uniform(0, 180)))
    return view, lamp, sensor


def _shade(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    b, g, r = np.clip(
        np.array(colour) + rng.normal(0, spread) + rng.normal(0, spread / 3, 3), 12, 240
    ).tolist()
    return (b, g, r)


def _tinted(warmth: float) -> Colour:
    return (float(1 - 2 * warmth), 1.0, float(1 + 2 * warmth))
