"""How sure a reading of one die may be: from what was measured to a chance between 0 and 1.

Each cue is clipped to the span in which it says something and weighted; the sum is then set against
what was true. Both were fitted on the tuning boxes (`vision.render_looks.TUNING`) and the first
twenty rolls of box-c (`vision.weigh`); README tells how well that holds elsewhere.
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
    no shadow; kept: how far the felt's grain is seen through it, -1..1. telling: by how much the
    faces of this colour differed when they were taught.
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
    telling: float


# Cue; where it begins and ends to count (a cue may count downwards); weight over that span.
_WEIGHTS: tuple[tuple[str, float, float, float], ...] = (
    ("match", 0.15, 0.8, 4.51),
    ("ahead", 0.0, 0.25, 2.80),
    ("ahead", 0.2, 0.7, 0.49),
    ("tone_off", 0.9, 0.15, 1.89),
    ("alike", 0.7, 0.97, 2.03),
    ("alike", 0.95, 0.99, 1.74),
    ("edges", 0.45, 0.75, 1.29),
    ("weakest", 0.3, 0.65, 2.62),
    ("parallel", 1.0, 0.0, 1.03),
    ("leaning", 0.5, 0.1, 3.97),
    ("beside", 0.95, 0.5, 0.83),
    ("propped", 0.16, 0.03, 0.84),
)
_BASE = -18.53
# What the weights say, and how often dice of which they say it were right on the tuning boxes; as
# logarithms of the odds. The weights were fitted to stay unsure of unknown drawings, too: so they
# say too little of known ones. What is below 0.9 stays there.
_SAID = (-6.21, -4.60, -2.94, -1.73, -0.85, 0.00, 0.85, 1.73, 2.20, 2.94, 4.18, 5.29)
_TRUE = (-6.05, -3.72, -1.20, -0.92, 0.30, 1.20, 1.84, 2.15, 2.17, 3.85, 5.15, 6.20)
_MAY_LEAN = 0.89  # at most, of a die that lies along a wall as leaning ones do: it is asked about
_NEAR_MM = 8.0  # a die further than this from all others and the walls leans on nothing


def spans(cues: Cues) -> list[float]:
    """How far each cue is along the span in which it counts, 0..1, in the order of the weights."""
    values = {
        **cues._asdict(),
        "leaning": cues.beside * cues.parallel,
        "propped": cues.narrow if cues.room < _NEAR_MM else 0.0,
    }
    return [
        min(1.0, max(0.0, (values[name] - start) / (end - start)))
        for name, start, end, _ in _WEIGHTS
    ]


def chance(cues: Cues) -> float:
    """Chance that face and colour are right and the die lies flat, 0..1."""
    total = _BASE + sum(w[3] * span for w, span in zip(_WEIGHTS, spans(cues), strict=True))
    sure = float(1 / (1 + np.exp(-np.interp(total, _SAID, _TRUE))))
    return min(sure, _MAY_LEAN) if cues.parallel else sure


def is_ghost(cues: Cues) -> bool:
    """Whether what looked a little like a die is a shadow's edge or a wall's.

    The felt is seen through it, or it covers little and its sides are hardly there. Of 2,900 dice
    in the tuning boxes this takes none for a ghost, and leaves one ghost of four.
    """
    faint = cues.covered < 0.5 or (cues.edges < 0.55 and cues.covered < 0.85)
    return cues.alike < 0.86 and (cues.kept > 0.25 or faint)


def leans(cues: Cues) -> bool:
    """Whether a die leans more likely than not: what it leans on and its own side both show it."""
    return cues.beside * cues.parallel > 0.4 or cues.beside > 0.8


def face_chances(match: npt.NDArray[np.float32], cues: Cues) -> list[float]:
    """Chance of each face from its match, best first; they sum up to less than 1: none of them."""
    weights = np.exp((match - match[0]) / 0.12)
    one_of_them = 1 / (1 + np.exp(-(cues.match - 0.40) / 0.08))
    return [float(w * one_of_them / weights.sum()) for w in weights]
