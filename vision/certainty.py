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
    a wall as a leaning die does, else 0. burnt: share of the face that is too bright.
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


# Cue, span in which it counts, weight over that span (fitted).
_WEIGHTS: dict[str, tuple[float, float, float]] = {
    "match": (0.2, 0.75, 4.0),
    "ahead": (0.1, 0.5, 3.0),
    "tone_ahead": (0.0, 0.35, 3.0),
}
_BASE = -5.5


def chance(cues: Cues) -> float:
    """Chance that face and colour are right and the die lies flat, 0..1."""
    total = _BASE
    for name, (low, high, weight) in _WEIGHTS.items():
        value = getattr(cues, name)
        total += weight * float(np.clip((value - low) / (high - low), 0, 1))
    return float(1 / (1 + np.exp(-total)))


def face_chances(match: npt.NDArray[np.float32], cues: Cues) -> list[float]:
    """Chance of each face from its match, best first; they sum up to less than 1: none of them."""
    weights = np.exp((match - match[0]) / 0.12)
    one_of_them = 1 / (1 + np.exp(-(cues.match - 0.40) / 0.08))
    return [float(w * one_of_them / weights.sum()) for w in weights]
