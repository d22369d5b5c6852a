"""How well a set tells its own examples apart: each is read by what the others have taught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.dice_set import DiceSet
from vision.face import describe, face_in_crop
from vision.known import Known, known
from vision.light import Floats
from vision.seen import Picture


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


def prove(dice_set: DiceSet, only: Sequence[int] | None = None) -> Proof:
    """Read each example, or only those at these places, by a set that was taught without it.

    Faces of which there is one example only cannot be proved and do not count.
    """
    right = total = 0
    mixed: Counter[tuple[str, str, str, str]] = Counter()
    for i, (colour, face) in enumerate(zip(dice_set.colours, dice_set.faces, strict=True)):
        if dice_set.examples(colour, face) < 2 or (only is not None and i not in only):
            continue
        others = without(dice_set, i)
        laid_out = known.__wrapped__(others)  # each is used once: it must not push out the set
        read = _read(laid_out, others, dice_set, i)
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
        edges=dice_set.edges[rows],
        lighter=dice_set.lighter[rows],
    )


def face_read(dice_set: DiceSet, feature: Floats, colour: str) -> str:
    """Return which face a description (288,) is read as, on a die of this colour."""
    laid_out = known(dice_set)
    scores = laid_out.match(feature, dice_set.colour_names.index(colour))
    return dice_set.face_names[int(scores.argmax())]


def feature_of(crop: Picture) -> Floats:
    """Describe a kept crop, (128, 128, 3) with a quarter of the face's side around it: (288,)."""
    return describe(face_in_crop(crop)[None])[0]


def _read(laid_out: Known, others: DiceSet, dice_set: DiceSet, at: int) -> tuple[str, str]:
    """Colour and face that `others` take the example at this place for."""
    feature = dice_set.features[at]
    seen = dice_set.tones[at], dice_set.edges[at], dice_set.lighter[at]
    colour = int(laid_out.colour_distances(feature, *seen).argmin())
    face = int(laid_out.match(feature, colour).argmax())
    return others.colour_names[colour], others.face_names[face]
