"""How well a set tells its own examples apart: each is read by what the others have taught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice_set import SCALE, DiceSet
from vision.face import describe, sample
from vision.known import Known, known
from vision.light import Floats, logarithm, soften
from vision.seen import Picture

_SIDE_MM = 16.0  # any die: its crop is as large whatever its side


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of the examples that were read.

    right: of `total` were read as what they are. mixed_up: (colour, face, colour read, face read)
    of the others, the most frequent first.
    """

    right: int
    total: int
    mixed_up: tuple[tuple[str, str, str, str], ...] = ()

    @property
    def share(self) -> float:
        """Right ones of all, 0..1; 1 where there were none."""
        return self.right / self.total if self.total else 1.0


def prove(dice_set: DiceSet) -> Proof:
    """Read each example by a set that was taught without it.

    Faces of which there is one example only cannot be proved and do not count.
    """
    right = total = 0
    mixed: Counter[tuple[str, str, str, str]] = Counter()
    for i, (colour, face) in enumerate(zip(dice_set.colours, dice_set.faces, strict=True)):
        if dice_set.examples(colour, face) < 2:
            continue
        others = without(dice_set, i)
        laid_out = known.__wrapped__(others)  # each is used once: it must not push out the set
        read = _read(laid_out, others, dice_set.features[i], dice_set.tones[i])
        total += 1
        right += read == (colour, face)
        if read != (colour, face):
            mixed[(colour, face, *read)] += 1
    return Proof(right, total, tuple(pair for pair, _ in mixed.most_common()))


def without(dice_set: DiceSet, index: int) -> DiceSet:
    """Return the set without one of its examples."""
    keep = [i for i in range(len(dice_set.faces)) if i != index]
    return chosen(dice_set, keep)


def chosen(dice_set: DiceSet, keep: Sequence[int]) -> DiceSet:
    """Return the set with only these of its examples."""
    rows: npt.NDArray[np.int64] = np.array(keep, np.int64)
    return replace(
        dice_set,
        colours=tuple(dice_set.colours[i] for i in keep),
        faces=tuple(dice_set.faces[i] for i in keep),
        features=dice_set.features[rows],
        tones=dice_set.tones[rows],
        crops=dice_set.crops[rows],
    )


def face_read(dice_set: DiceSet, feature: Floats, colour: str) -> str:
    """Return which face a description (288,) is read as, on a die of this colour."""
    laid_out = known(dice_set)
    scores = laid_out.match(feature, dice_set.colour_names.index(colour))
    return dice_set.face_names[int(scores.argmax())]


def feature_of(crop: Picture) -> Floats:
    """Describe a kept crop, (128, 128, 3) with a quarter of the face's side around it: (288,)."""
    # Drawn as finely as the straight drawing that faces are otherwise read from.
    wide = round(1.5 * _SIDE_MM * SCALE)
    small = cv2.resize(crop, (wide, wide), interpolation=cv2.INTER_AREA)
    drawing = soften(logarithm(np.asarray(small, np.uint8)))
    middle = np.array([[0.75 * _SIDE_MM, 0.75 * _SIDE_MM, 0.0]])
    return describe(sample(drawing, middle, _SIDE_MM, SCALE, 0.0))[0]


def _read(laid_out: Known, dice_set: DiceSet, feature: Floats, tones: Floats) -> tuple[str, str]:
    colour = int(laid_out.colour_distances(tones, feature).argmin())
    face = int(laid_out.match(feature, colour).argmax())
    return dice_set.colour_names[colour], dice_set.face_names[face]
