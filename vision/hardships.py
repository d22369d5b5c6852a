"""The hard things one by one: how well dice are read where one thing makes it hard.

`python -m vision.hardships` draws a few frames of each, of boxes that nothing was tuned on, and
prints a table. The tests hold every line of it to a floor.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from vision.dice_set import DiceSet
from vision.learn import enrol
from vision.reading import read_dice
from vision.render import random_box, render, write_enrolment
from vision.render_looks import UNSEEN
from vision.render_place import free_place, leaning, scatter
from vision.render_pose import HALF, Pose, flat_pose, turn_about
from vision.render_random import circumstances, random_hand
from vision.render_roll import Box, Placed, Roll
from vision.render_stage import INNER
from vision.score import NEAR_MM, Score, TrueDie, Truth, add
from vision.seen import CERTAIN, SeenDie, TrayReading

BOXES = (460, 461)
"""Seeds of the boxes, of the unseen looks."""
FRAMES = 3
"""Frames of each box and hardship."""
_DICE = 5
_SEEN = 0.85  # share of a face from which on a die is expected to be read

Dice = tuple[TrueDie, ...]
Chance = np.random.Generator
Hardship = Callable[[Box, Chance], Roll]


@dataclass(slots=True)
class Line:
    """What came of one hardship.

    dice, right: dice that lie flat inside and are seen, and how many of them were read right; sure:
    those that were certain too. wrong: certain of what is not so. odd, odd_certain: dice that lean,
    stand on edge or lie on the rim, and how many of them were certain. frames, hands: frames, and
    how many told of a hand.
    """

    dice: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    odd: int = 0
    odd_certain: int = 0
    frames: int = 0
    hands: int = 0


def measure(name: str, boxes: list[tuple[Box, DiceSet]]) -> Line:
    """Draw, read and count one hardship in some boxes."""
    line, score = Line(), Score()
    for box, dice_set in boxes:
        for k in range(FRAMES):
            rng = np.random.default_rng([box.seed, k, *name.encode()])
            frame, told = render(box, HARDSHIPS[name](box, rng), rng)
            truth = msgspec.convert(told, Truth)
            # A die that a hand hides is nobody's to read; that it is read right is no fault.
            seen, hidden = _seen_and_hidden(truth, told)
            reading = read_dice([frame], dice_set)
            counted = tuple(d for d in reading.dice if not any(_is(d, true) for true in hidden))
            _count(line, score, Truth(seen), replace(reading, dice=counted))
    total = score.total
    line.dice, line.right = total.dice, total.right
    line.wrong = total.wrong_certain + total.invented
    return line


def _seen_and_hidden(truth: Truth, told: dict[str, Any]) -> tuple[Dice, Dice]:
    shares = [die["visible"] for die in told["dice"]]
    both = list(zip(truth.dice, shares, strict=True))
    return (
        tuple(true for true, share in both if share > _SEEN),
        tuple(true for true, share in both if share <= _SEEN),
    )


def _is(die: SeenDie, true: TrueDie) -> bool:
    near = np.hypot(die.x - true.x, die.y - true.y) < NEAR_MM
    return bool(near) and (die.colour, die.face) == (true.colour, true.face)


def _count(line: Line, score: Score, truth: Truth, reading: TrayReading) -> None:
    add(score, "", truth, reading)
    line.frames += 1
    line.hands += any(w.code == "hand_in_picture" for w in reading.warnings)
    line.sure = sum(right and claim >= CERTAIN for claim, right in score.claims)
    for true in truth.dice:
        if true.asked:
            continue
        line.odd += 1
        line.odd_certain += any(
            die.certain and np.hypot(die.x - true.x, die.y - true.y) < HALF for die in reading.dice
        )


def taught(place: Path) -> list[tuple[Box, DiceSet]]:
    """The boxes with what was learnt of them; `place` is an empty folder for the shots."""
    result: list[tuple[Box, DiceSet]] = []
    for seed in BOXES:
        box = random_box(seed, UNSEEN)
        result.append((box, _learn(box, place / str(seed))))
    return result


def near_felt(place: Path) -> list[tuple[Box, DiceSet]]:
    """A box whose felt is nearly as dark as its black dice."""
    box = random_box(BOXES[0], UNSEEN)
    black = next(k.body for k in box.kinds if k.colour == "black")
    blue, green, red = (float(c) + 12 for c in black)
    box = replace(box, look=replace(box.look, felt=(blue, green, red)), name="near felt")
    return [(box, _learn(box, place / "near"))]


def _learn(box: Box, folder: Path) -> DiceSet:
    write_enrolment(box, folder, np.random.default_rng(box.seed), shots=3)
    return enrol(folder, "hardships")


# ------------------------------------------------------------------------------ one thing each


def _lying(conditions: set[str]) -> Hardship:
    """Dice that lie in a hard place, in the usual light."""

    def roll(box: Box, rng: Chance) -> Roll:
        return replace(Roll.empty(box), dice=tuple(scatter(box, _DICE, conditions, rng)))

    return roll


def _lit(condition: str) -> Hardship:
    """Dice apart from each other in a hard light or before a hard-pressed camera."""

    def roll(box: Box, rng: Chance) -> Roll:
        view, lamp, sensor = circumstances(box, {condition}, bool(rng.random() < 0.5), rng)
        return Roll(tuple(scatter(box, _DICE, set(), rng)), view, lamp, sensor)

    return roll


def _cocked(box: Box, rng: Chance) -> Roll:
    """One die that leans on the wall."""
    kind = box.kinds[int(rng.integers(len(box.kinds)))]
    die = leaning(kind, kind.faces[int(rng.integers(6))], [], rng)
    return _with_others(box, rng, [] if die is None else [die])


def _leaning(box: Box, rng: Chance) -> Roll:
    """One die that leans on another one."""
    first, second = (box.kinds[int(k)] for k in rng.permutation(len(box.kinds))[:2])
    while True:
        flat = free_place(first, first.faces[int(rng.integers(6))], [], rng, 0.0)
        assert flat is not None
        die = leaning(second, second.faces[int(rng.integers(6))], [flat], rng)
        if die is not None and np.hypot(*(die.pose.centre - flat.pose.centre)[:2]) < 3 * HALF:
            return _with_others(box, rng, [flat, die])


def _on_edge(box: Box, rng: Chance) -> Roll:
    """One die that stands on an edge: no face is up."""
    kind = box.kinds[int(rng.integers(len(box.kinds)))]
    turn = float(rng.uniform(0, 360))
    axis = (np.cos(np.radians(turn)), np.sin(np.radians(turn)), 0.0)
    flat = flat_pose(int(rng.integers(6)), 0, 0, turn).turned
    x, y = rng.uniform(25, INNER[0] - 25), rng.uniform(25, INNER[1] - 25)
    pose = Pose(np.array([x, y, HALF * np.sqrt(2)]), turn_about(axis, 44.0) @ flat)
    return _with_others(box, rng, [Placed(kind.die_id, (pose,), cocked=True)])


def _with_others(box: Box, rng: Chance, dice: list[Placed]) -> Roll:
    taken = {d.die_id for d in dice}
    for kind in (k for k in box.kinds if k.die_id not in taken):
        if len(dice) >= _DICE:
            break
        other = free_place(kind, kind.faces[int(rng.integers(6))], dice, rng, 6.0)
        if other is not None:
            dice.append(other)
    return replace(Roll.empty(box), dice=tuple(dice))


def _hand(sleeve: float, reach_mm: float) -> Hardship:
    """A hand over the tray, bare (1) or in a sleeve (0)."""

    def roll(box: Box, rng: Chance) -> Roll:
        hand = replace(random_hand(rng), sleeve=sleeve, reach_mm=reach_mm)
        return replace(_lying(set())(box, rng), hand=hand)

    return roll


def _nudged(box: Box, rng: Chance) -> Roll:
    """The camera was moved since the dice were taught."""
    view = box.view
    moved = replace(
        view,
        aim=(view.aim[0] + float(rng.uniform(-4, 4)), view.aim[1] + float(rng.uniform(-3, 3))),
        turn_deg=view.turn_deg + float(rng.uniform(-1.5, 1.5)),
        height_mm=view.height_mm + float(rng.uniform(2, 10)),
    )
    return replace(_lying(set())(box, rng), view=moved)


HARDSHIPS: dict[str, Hardship] = {
    "apart": _lying(set()),
    "touching each other": _lying({"touching"}),
    "touching the wall": _lying({"wall_contact"}),
    "cocked on the wall": _cocked,
    "leaning on a die": _leaning,
    "on edge": _on_edge,
    "on the rim": _lying({"rim_die"}),
    "moving": _lying({"motion_blur"}),
    "hand": _hand(1.0, 90.0),
    "sleeve": _hand(0.0, 170.0),
    "glare": _lying({"glare"}),
    "side shadow": _lit("side_shadow"),
    "dim light": _lit("dim_light"),
    "warm light": _lit("warm_light"),
    "cool light": _lit("cool_light"),
    "defocus": _lit("defocus"),
    "tilted camera": _lit("camera_tilt"),
    "nudged camera": _nudged,
    "exposure drift": _lit("exposure_shift"),
    "felt like the dice": _lying(set()),
}
"""Every hardship by name."""
NEAR_FELT = "felt like the dice"
"""The one that wants `near_felt` in place of `taught`."""


def table(lines: dict[str, Line]) -> str:
    """The table as text."""
    head = f"{'':<22}{'right':>9}{'certain':>9}{'wrong >= 0.9':>14}{'odd certain':>13}{'hands':>8}"
    rows = [head]
    for name, n in lines.items():
        odd = f"{n.odd_certain}/{n.odd}" if n.odd else "-"
        right, sure, hands = f"{n.right}/{n.dice}", f"{n.sure}/{n.dice}", f"{n.hands}/{n.frames}"
        rows.append(f"{name:<22}{right:>9}{sure:>9}{n.wrong:>14}{odd:>13}{hands:>8}")
    return "\n".join(rows)


def main() -> int:
    """Measure all and print."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as place:
        usual, near = taught(Path(place)), near_felt(Path(place))
        lines = {name: measure(name, near if name == NEAR_FELT else usual) for name in HARDSHIPS}
    sys.stdout.write(table(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
