"""Refuse a set in which nothing tells two faces apart."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from vision.dice_set import DiceSet, DiceSetError
from vision.face import turned
from vision.known import known, resemblance
from vision.light import Floats

ALIKE = 0.98
"""Faces whose drawings resemble each other more than this on the whole are looked at closely."""

_APART = 0.1  # by so much they must differ then in what tells them apart


class FacesAlike(DiceSetError):
    """Two faces of one colour cannot be told apart: `colour`, `first`, `second` name them."""

    def __init__(self, colour: str, first: str, second: str, seen: str) -> None:
        self.colour, self.first, self.second = colour, first, second
        super().__init__(
            f"faces '{first}' and '{second}' of the {colour} dice look too alike ({seen}) to be "
            "told apart: check that the pictures are named right, or mark one of them (a line "
            "under it, a dot)"
        )


def refuse_alike(learnt: DiceSet) -> None:
    """Raise `FacesAlike` where faces resemble each other as much as pictures of one face do.

    Frame, ring or disc may fill most of a face and make any two alike on the whole; only where what
    is left without them does not tell the pictures apart either are two faces the same.
    """
    alike = resemblance(turned(learnt.features), learnt.features)
    colours, faces = np.array(learnt.colours), np.array(learnt.faces)
    rest = known(learnt).rest.reshape(len(faces), 4, -1)
    telling = resemblance(rest, rest[:, 0])
    same_face = faces[:, None] == faces[None]
    own = np.where(same_face, alike, -1).max(axis=1)
    own = own[own > 0]
    usual = 1 - float(np.median(own)) if len(own) > 3 else 0.0
    limit = 1 - max(3.0 * usual, 1 - ALIKE)
    for colour in learnt.colour_names:
        for first, second in itertools.combinations(learnt.faces_of(colour), 2):
            mine = np.flatnonzero((colours == colour) & (faces == first))
            other = np.flatnonzero((colours == colour) & (faces == second))
            near = float(np.median(alike[np.ix_(mine, other)].max(axis=1)))
            if near > limit and _apart(telling, mine, other, faces) < _APART:
                seen = f"{near:.3f}, at most {limit:.3f}"
                raise FacesAlike(colour, first, second, seen)


def _apart(
    telling: Floats,
    mine: npt.NDArray[np.int64],
    other: npt.NDArray[np.int64],
    faces: npt.NDArray[np.str_],
) -> float:
    """By how much pictures of two faces resemble their fellows more than the other face, median.

    Dice of other colours are fellows, too: mostly they carry the same drawings.
    """
    if min(len(mine), len(other)) < 2:
        return 0.0
    margins: list[float] = []
    for own, else_ in ((mine, other), (other, mine)):
        same, not_same = faces == faces[own[0]], faces == faces[else_[0]]
        margins += [float(telling[i, same].max() - telling[i, not_same].max()) for i in own]
    return float(np.median(margins))
