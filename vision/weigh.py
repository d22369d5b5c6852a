"""Fit the weights and the claims of `vision.certainty` on the tuning boxes.

`python -m vision.weigh --folder DIR` draws the boxes (or takes those that lie there), reads them
and prints what belongs into `certainty.py`; nobody is to run it on what is scored. `--also ENROL
ROLLS` adds another box's enrolment and its rolls 00 to 19.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.certainty import spans
from vision.dice_set import DiceSet
from vision.fit import TrayNotSeen, find_tray
from vision.judge import judge
from vision.known import known
from vision.learn import enrol
from vision.reading import find_dice, lay_out
from vision.render import random_box, random_roll, render
from vision.render_looks import LOOKS, TUNING
from vision.score import Truth, pairs, truth_files
from vision.seen import Picture
from vision.trial import boxes

Floats = npt.NDArray[np.float64]

_TUNED_ROLLS = range(20)  # of a box that is not drawn: the others are scored
_STRANGE_ROLLS = 5  # drawn with mixed-up drawings of every third box: a reader must stay unsure
_KNOTS = (-6.21, -4.6, -2.94, -1.73, -0.85, 0.0, 0.85, 1.73, 2.2, 2.94, 4.18, 5.29)
_CERTAIN_KNOT = 8  # what is below 0.9 stays below, what is above stays above


@dataclass(slots=True)
class Ground:
    """What was measured of every die.

    spans: of its cues; right: whether it is; held: low, whatever they say (leaning, on the rim, or
    no face told).
    """

    spans: list[list[float]] = field(default_factory=list[list[float]])
    right: list[bool] = field(default_factory=list[bool])
    held: list[bool] = field(default_factory=list[bool])


def read_into(ground: Ground, picture: Picture, dice_set: DiceSet, truth: Truth) -> None:
    """Read one picture and note its dice; `truth` without dice: nothing in it is right."""
    try:
        fit = find_tray(picture, dice_set.tray, least=3)
    except TrayNotSeen:
        return
    laid_out = known(dice_set)
    scene = lay_out(picture, fit, laid_out)
    judged = judge(scene, find_dice(scene, laid_out), dice_set, laid_out)
    dice = tuple(die for die, _ in judged)
    true_of = {j: truth.dice[i] for i, j in pairs(truth.dice, dice).items()}
    for j, (die, cues) in enumerate(judged):
        true = true_of.get(j)
        same = true is not None and (die.colour, die.face) == (true.colour, true.face)
        ground.spans.append(spans(cues))
        ground.right.append(same and true is not None and true.asked)
        ground.held.append(die.cocked or die.on_rim or die.face is None)


def fit_weights(x: Floats, right: Floats) -> tuple[Floats, float]:
    """Weights, none below 0, and base of a logistic fit (Adam)."""
    count, width = x.shape
    a = np.hstack([x, np.ones((count, 1))])
    w = np.zeros(width + 1)
    w[-1] = -3.0
    mean, power = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, 6001):
        slope = a.T @ (1 / (1 + np.exp(-a @ w)) - right) / count
        slope[:-1] += 0.16 * w[:-1] / count
        mean = 0.9 * mean + 0.1 * slope
        power = 0.999 * power + 0.001 * slope**2
        step = mean / (1 - 0.9**t) / (np.sqrt(power / (1 - 0.999**t)) + 1e-9)
        w -= 0.05 * min(1.0, 2000 / t) * step
        w[:-1] = np.maximum(w[:-1], 0)
    return w[:-1], float(w[-1])


def fit_claims(said: Floats, right: Floats) -> Floats:
    """What was true where so much was said: log odds at `_KNOTS`, rising."""
    knots = np.array(_KNOTS)
    each = np.stack([np.interp(said, knots, row) for row in np.eye(len(knots))], axis=1)
    true = knots.copy()
    for _ in range(4000):
        slope = each.T @ (1 / (1 + np.exp(-each @ true)) - right) + 1.5 * (true - knots)
        true -= 0.02 * slope / (1 + 0.05 * each.sum(axis=0))
        true[_CERTAIN_KNOT] = knots[_CERTAIN_KNOT]
        true = np.maximum.accumulate(true)
        true[:_CERTAIN_KNOT] = np.minimum(true[:_CERTAIN_KNOT], knots[_CERTAIN_KNOT] - 0.01)
    return true


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(prog="python -m vision.weigh", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the boxes are kept")
    parser.add_argument("--also", type=Path, nargs=2, metavar=("ENROL", "ROLLS"))
    chosen = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    home, strange = Ground(), Ground()
    for _, box in boxes("tuning", chosen.folder):
        _read_rolls(home, enrol(box / "enrol", "weigh"), box / "rolls", None)
    if chosen.also:
        _read_rolls(home, enrol(chosen.also[0], "weigh"), chosen.also[1], _TUNED_ROLLS)
    for dice_set, picture in _strange(chosen.folder):
        read_into(strange, picture, dice_set, Truth(()))
    x = np.array(home.spans + strange.spans)
    right = np.array(home.right + strange.right, float)
    weights, base = fit_weights(x, right)
    own = ~np.array(home.held)
    said = np.array(home.spans)[own] @ weights + base
    true = fit_claims(said, np.array(home.right, float)[own])
    sys.stdout.write(f"{len(home.right)} dice, {len(strange.right)} with strange drawings\n")
    sys.stdout.write(f"weights {weights.round(2).tolist()}\nbase {base:.2f}\n")
    sys.stdout.write(f"said {list(_KNOTS)}\ntrue {true.round(2).tolist()}\n")
    return 0


def _read_rolls(ground: Ground, dice_set: DiceSet, folder: Path, only: range | None) -> None:
    for path in truth_files(folder, only):
        truth = msgspec.json.decode(path.read_bytes(), type=Truth)
        picture = cv2.imread(str(folder / (truth.image or f"{path.stem}.jpg")), cv2.IMREAD_COLOR)
        if picture is not None:
            read_into(ground, np.asarray(picture, np.uint8), dice_set, truth)


def _strange(folder: Path) -> Iterator[tuple[DiceSet, Picture]]:
    """Pictures of dice whose drawings are mixed up, with the set that knows the whole ones."""
    for looks, seeds in TUNING:
        for seed in seeds[::3]:
            box = random_box(seed, LOOKS[looks]).scrambled(seed)
            dice_set = enrol(folder / f"{looks}-{seed}" / "enrol", "weigh")
            rng = np.random.default_rng(seed)
            for k in range(_STRANGE_ROLLS):
                roll = random_roll(box, ("medium", "easy")[k % 2], seed * 1000 + 700 + k)
                yield dice_set, render(box, roll, rng)[0]


if __name__ == "__main__":
    sys.exit(main())
