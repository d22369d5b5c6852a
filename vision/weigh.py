"""Fit the weights and the claims of `vision.certainty` on the tuning boxes.

`python -m vision.weigh --folder DIR` draws the boxes (or takes those that lie there), reads them
and prints what belongs into `certainty.py`; nobody is to run it on what is scored. `--also ENROL
ROLLS` adds another box's enrolment and its rolls 00 to 19.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.certainty import GLARE, PLAIN, Cues, Weighing, spans, weighing
from vision.dice_set import DiceSet
from vision.fit import TrayNotSeen, find_tray
from vision.judge import judge
from vision.known import known
from vision.learn import enrol
from vision.reading import find_dice, lay_out
from vision.render import Box, Roll, random_box, random_roll, render
from vision.render_looks import LOOKS, TUNING
from vision.score import Truth, pairs, truth_files
from vision.seen import Picture
from vision.trial import boxes

Floats = npt.NDArray[np.float64]

_TUNED_ROLLS = range(20)  # of a box that is not drawn: the others are scored
_STRANGE_ROLLS = 5  # drawn with mixed-up drawings of every third box: a reader must stay unsure
_GLARE_ROLLS = 6  # drawn of every box besides, and with mixed-up drawings: others show too few
_KNOTS = (-6.21, -4.6, -2.94, -1.73, -0.85, 0.0, 0.85, 1.73, 2.2, 2.94, 4.18, 5.29)
_CERTAIN_KNOT = 8  # what is below 0.9 stays below, what is above stays above


@dataclass(slots=True)
class Ground:
    """What was measured of every die.

    cues: of the die; right: whether it is; held: low, whatever they say (leaning, on the rim, or
    no face told); strange: its drawing is mixed up, so that nothing about it is right.
    """

    cues: list[Cues] = field(default_factory=list[Cues])
    right: list[bool] = field(default_factory=list[bool])
    held: list[bool] = field(default_factory=list[bool])
    strange: list[bool] = field(default_factory=list[bool])

    def told(self, by: Weighing) -> str:
        """What belongs into `certainty.py` for the dice that are weighed so."""
        own = [i for i, cues in enumerate(self.cues) if weighing(cues) is by]
        x = np.array([spans(self.cues[i]) for i in own])
        right = np.array([self.right[i] for i in own], float)
        weights, base = fit_weights(x, right)
        said = x @ weights + base
        free = np.array([not (self.held[i] or self.strange[i]) for i in own])
        true = fit_claims(said[free], right[free])
        strange = sum(self.strange[i] for i in own)
        return (
            f"{len(own) - strange} dice, {strange} with strange drawings\n"
            f"weights {weights.round(2).tolist()}\nbase {base:.2f}\n"
            f"said {list(_KNOTS)}\ntrue {true.round(2).tolist()}\n"
        )


def read_into(
    ground: Ground, picture: Picture, dice_set: DiceSet, truth: Truth, *, strange: bool = False
) -> None:
    """Read one picture and note its dice; strange: nothing in it is right."""
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
        ground.cues.append(cues)
        ground.right.append(same and true is not None and true.asked and not strange)
        ground.held.append(die.cocked or die.on_rim or die.face is None)
        ground.strange.append(strange)


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
    ground = Ground()
    for _, box in boxes("tuning", chosen.folder):
        _read_rolls(ground, enrol(box / "enrol", "weigh"), box / "rolls", None)
    if chosen.also:
        _read_rolls(ground, enrol(chosen.also[0], "weigh"), chosen.also[1], _TUNED_ROLLS)
    for dice_set, picture, truth, strange in _drawn(chosen.folder):
        read_into(ground, picture, dice_set, truth, strange=strange)
    for name, by in (("PLAIN", PLAIN), ("GLARE", GLARE)):
        sys.stdout.write(f"{name}: {ground.told(by)}")
    return 0


def _read_rolls(ground: Ground, dice_set: DiceSet, folder: Path, only: range | None) -> None:
    for path in truth_files(folder, only):
        truth = msgspec.json.decode(path.read_bytes(), type=Truth)
        picture = cv2.imread(str(folder / (truth.image or f"{path.stem}.jpg")), cv2.IMREAD_COLOR)
        if picture is not None:
            read_into(ground, np.asarray(picture, np.uint8), dice_set, truth)


def _drawn(folder: Path) -> Iterator[tuple[DiceSet, Picture, Truth, bool]]:
    """Further pictures with the set that is to read them and their truth; whether it is strange.

    Of every box dice with glare; of every third one also dice whose drawings are mixed up.
    """
    for looks, seeds in TUNING:
        for at, seed in enumerate(seeds):
            box = random_box(seed, LOOKS[looks])
            dice_set = enrol(folder / f"{looks}-{seed}" / "enrol", "weigh")
            rng = np.random.default_rng(seed)
            glare = _glare_rolls(box)
            for roll in glare:
                picture, told = render(box, roll, rng)
                yield dice_set, picture, msgspec.convert(told, Truth), False
            if at % 3:
                continue
            strange = [
                random_roll(box, ("medium", "easy")[k % 2], seed * 1000 + 700 + k)
                for k in range(_STRANGE_ROLLS)
            ]
            for roll in (*strange, *glare):
                picture, told = render(box.scrambled(seed), roll, rng)
                yield dice_set, picture, msgspec.convert(told, Truth), True


def _glare_rolls(box: Box) -> list[Roll]:
    """The first medium rolls of a box that have dice with glare among them."""
    rolls = (random_roll(box, "medium", box.seed * 1000 + 800 + k) for k in itertools.count())
    return list(itertools.islice((r for r in rolls if "glare" in r.conditions), _GLARE_ROLLS))


if __name__ == "__main__":
    sys.exit(main())
