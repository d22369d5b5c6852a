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
    faces of this colour differed when they were taught. veil: how bright a reflection the face was
    seen through, 0 where it was read as it is; alike, match, ahead and the tones are then what
    `vision.glare` says. shown: share of what tells the face apart that is not burnt out, 0..1.
    agreed: False where faces much alike were looked at closely (`vision.fine`), and that did not
    tell the same face clearly.
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
    veil: float = 0.0
    shown: float = 1.0
    agreed: bool = True


class Weighing(NamedTuple):
    """How cues become a chance.

    weights: cue; where it begins and ends to count (a cue may count downwards); weight over that
    span. said, true: what weights and base say, and how often dice of which they say it were right
    on the tuning boxes; as logarithms of the odds. What is below 0.9 stays there.
    """

    weights: tuple[tuple[str, float, float, float], ...]
    base: float
    said: tuple[float, ...]
    true: tuple[float, ...]


# The weights were fitted to stay unsure of unknown drawings, too: so they say too little of known
# ones.
PLAIN = Weighing(
    weights=(
        ("match", 0.15, 0.8, 5.53),
        ("ahead", 0.0, 0.25, 1.84),
        ("ahead", 0.2, 0.7, 0.78),
        ("tone_off", 1.2, 0.2, 1.84),
        ("alike", 0.7, 0.97, 1.24),
        ("alike", 0.95, 0.99, 3),
        ("weakest", 0.3, 0.65, 2.77),
        ("parallel", 1.0, 0.0, 1.53),
        ("leaning", 0.5, 0.1, 3.42),
        ("beside", 0.95, 0.5, 1.71),
        ("propped", 0.16, 0.03, 0.71),
    ),
    base=-18.29,
    said=(-6.21, -4.60, -2.94, -1.73, -0.85, 0.00, 0.85, 1.73, 2.20, 2.94, 4.18, 5.29),
    true=(-6.36, -4.05, -1.16, 0.10, 0.61, 1.41, 2.19, 2.19, 2.22, 3.77, 5.91, 7.05),
)
"""For faces that are read as they are."""

GLARE = Weighing(
    weights=(
        ("match", 0.2, 0.7, 8.67),
        ("ahead", 0.0, 0.4, 3.42),
        ("shown", 0.2, 0.95, 0),
        ("alike", 0.75, 0.95, 0),
        ("tone_ahead", 0.0, 0.08, 0.56),
        ("parallel", 1.0, 0.0, 0.99),
        ("leaning", 0.5, 0.1, 2.78),
        ("beside", 0.95, 0.5, 0.85),
    ),
    base=-13.03,
    said=(-6.21, -4.60, -2.94, -1.73, -0.85, 0.00, 0.85, 1.73, 2.20, 2.94, 4.18, 5.29),
    true=(-5.64, -3.83, -0.58, 0.05, 0.05, 1.48, 1.48, 2.19, 2.21, 4.20, 4.38, 5.30),
)
"""For faces that are read through glare."""

# At most, of a die that lies along a wall as leaning ones do, or that may have either of two
# colours or faces: it is asked about.
_ASKED = 0.89
_LIKE_TWO = 0.1  # colours no further apart than this
_ENOUGH = 0.40  # match from which on a drawing is more likely one of the set's than not
_ENOUGH_VEILED = 0.30  # the same through glare
_ENOUGH_SHOWN = 0.3  # share of a drawing that must not be burnt out
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
        for name, start, end, _ in weighing(cues).weights
    ]


def weighing(cues: Cues) -> Weighing:
    """How these cues are weighed."""
    return GLARE if cues.veil else PLAIN


def face_sure(cues: Cues) -> float:
    """Chance that face and colour are right, as far as the die lies flat, 0..1."""
    by = weighing(cues)
    total = by.base + sum(w[3] * span for w, span in zip(by.weights, spans(cues), strict=True))
    return float(1 / (1 + np.exp(-np.interp(total, by.said, by.true))))


def chance(cues: Cues) -> float:
    """Chance that face and colour are right and the die lies flat, 0..1."""
    sure = face_sure(cues)
    of_two = not cues.veil and cues.tone_ahead < _LIKE_TWO
    return min(sure, _ASKED) if cues.parallel or of_two or not cues.agreed else sure


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
    enough = _ENOUGH_VEILED if cues.veil else _ENOUGH
    one_of_them = 1 / (1 + np.exp(-(cues.match - enough) / 0.08))
    # Of a drawing that is burnt out nothing can be said, however well the rest of it fits.
    one_of_them /= 1 + np.exp(-(cues.shown - _ENOUGH_SHOWN) / 0.05)
    return [float(w * one_of_them / weights.sum()) for w in weights]
