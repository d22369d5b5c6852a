"""How sure a reading of one die may be: from what was measured to a chance between 0 and 1.

Each cue is clipped to the span in which it says something and weighted; the weights are fitted on
rolls with known truth (see README), so that of all dice given 0.9 about nine in ten are right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Cues(NamedTuple):
    """What was measured about one die.

    alike: resemblance to the nearest example as a whole, -1..1. match: resemblance to the best
    face in what tells faces apart, -1..1; ahead: by how much it is better than the next face.
    tone_off: distance from the colour's examples in log brightness; tone_ahead: how much further
    the next colour is. edges, weakest: how clearly the four sides, and the weakest of them, are
    seen, 0..1. beside: share of the worst strip along a side that shows something a flat die would
    not. room: millimetres to the nearest wall or die. parallel: 1 where it lies along
    a wall as a leaning die does, else 0. burnt: share of the face that is too bright. narrow: how
    much better than the square a narrower face fits. covered: share of the face that is no felt and
    no shadow; kept: how far the felt's grain is seen through it, -1..1.
    """

    alike: float
    match: float
    ahead: float
    tone_ahead: float
    tone_off: float
    edges: float
    weakest: float
    beside: float
    room: float
    parallel: float
    burnt: float
    narrow: float
    covered: float
    kept: float


# Cue; where it begins and ends to count (a cue may count downwards); weight over that span.
_WEIGHTS: tuple[tuple[str, float, float, float], ...] = (
    ("match", 0.15, 0.8, 8.62),
    ("ahead", 0.05, 0.55, 1.50),
    ("tone_ahead", 0.0, 0.3, 2.00),
    ("tone_off", 0.9, 0.15, 0.85),
    ("alike", 0.7, 0.97, 1.47),
    ("edges", 0.45, 0.75, 1.00),
    ("weakest", 0.3, 0.65, 0.50),
    ("parallel", 1.0, 0.0, 2.10),
    ("leaning", 0.5, 0.1, 3.42),
    ("beside", 0.95, 0.5, 1.22),
    ("burnt", 0.5, 0.05, 0.50),
)
_BASE = -17.75


def chance(cues: Cues) -> float:
    """Chance that face and colour are right and the die lies flat, 0..1."""
    values = {**cues._asdict(), "leaning": cues.beside * cues.parallel}
    total = _BASE
    for name, start, end, weight in _WEIGHTS:
        total += weight * float(np.clip((values[name] - start) / (end - start), 0, 1))
    return float(1 / (1 + np.exp(-total)))


def leans(cues: Cues) -> bool:
    """Whether a die leans more likely than not: what it leans on and its own side both show it."""
    return cues.beside * cues.parallel > 0.4 or cues.beside > 0.8


def face_chances(match: npt.NDArray[np.float32], cues: Cues) -> list[float]:
    """Chance of each face from its match, best first; they sum up to less than 1: none of them."""
    weights = np.exp((match - match[0]) / 0.12)
    one_of_them = 1 / (1 + np.exp(-(cues.match - 0.40) / 0.08))
    return [float(w * one_of_them / weights.sum()) for w in weights]
