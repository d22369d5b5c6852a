"""How sure a reading of one die may be: from what was measured to a chance between 0 and 1.

Each cue is a number that is large where the reading is good. The weights are fitted on rolls with
known truth (see README), so that of all dice given 0.9 about nine in ten are right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

KNOWN = 0.78
"""Resemblance to an enrolled face at which "it is one of them" and "it is none" are even."""
_KNOWN_STEP = 0.022
_MARGIN = 0.07
_MARGIN_STEP = 0.018
_TONE_STEP = 0.12


@dataclass(frozen=True, slots=True)
class Cues:
    """What was measured about one die.

    alike: resemblance to the best enrolled face, -1..1; ahead: by how much the best face is better
    than the best other one; tone_ahead: how much nearer the body's colour is than the next, in
    log brightness; tone_off: its distance from the enrolled colour; edges: 0..1, see
    `vision.find.Square.score`; flat: 0..1, how well it may lie flat.
    """

    alike: float
    ahead: float
    tone_ahead: float
    tone_off: float
    edges: float
    flat: float = 1.0


def chance(cues: Cues) -> float:
    """Chance that face and colour are right and the die lies flat, 0..1."""
    known = _step(cues.alike, KNOWN, _KNOWN_STEP)
    face = _step(cues.ahead, _MARGIN, _MARGIN_STEP)
    colour = _step(cues.tone_ahead, 0.25, _TONE_STEP) * _step(-cues.tone_off, -1.1, 0.12)
    return float(known * face * colour * cues.flat * 0.995)


def _step(value: float, middle: float, width: float) -> float:
    return float(1 / (1 + np.exp(-np.clip((value - middle) / width, -40, 40))))
