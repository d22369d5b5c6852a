"""A dice set laid out for reading: what its faces share is set apart from what tells them apart.

The frame, ring or disc that every face of a set carries fills most of a description, and the body
of the die the rest of it. Their mean is what the set's faces share; what remains decides between
faces, and so does whether a drawing is one of them at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.colouring import edge_distances, on_disc
from vision.dice_set import DiceSet
from vision.face import FACE, tone_distance, turn_tones, turned
from vision.light import Floats, halved, logarithm, soften

_OTHER_COLOUR = 0.06  # a drawing learnt from dice of another colour counts this much less
_NEAREST = 3  # examples that speak for a colour
# How much the edge, and light on dark or dark on light, count beside the coarse colouring.
_EDGE, _LIGHTER = 1.0, 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A set's examples in their four turns, one per row.

    bank: (rows, 288) descriptions; rest: (rows, 288) what is left of them without `shared`, of
    length 1; shared: (colours, 288); colours, faces: (rows,) indices of names; tones: (rows, 8, 8,
    3) colourings; edges: (examples, 4, 3) colours of the rounded edges; lighter: (rows, 448) where
    the drawing is lighter than what surrounds it; possible: (colours, faces) which faces dice of a
    colour have; empty: the empty tray as `vision.light.compare` wants it, or None. telling:
    (colours,) by how much the examples of a colour resemble their fellows more than other faces, 1
    where there is but one face. taken: (rows,) how much of its colour's shared part each example in
    `rest` holds. by_colour, by_face: the rows of each.
    """

    empty: Floats | None
    bank: Floats
    rest: Floats
    shared: Floats
    colours: npt.NDArray[np.int64]
    faces: npt.NDArray[np.int64]
    tones: Floats
    edges: Floats
    lighter: Floats
    possible: npt.NDArray[np.bool_]
    telling: Floats
    taken: Floats
    by_colour: tuple[npt.NDArray[np.int64], ...]
    by_face: tuple[npt.NDArray[np.int64], ...]

    def alike(self, features: Floats) -> Floats:
        """Resemblance of descriptions (n, 288) to the nearest example, (n,): is it a die's face?"""
        return (features @ self.bank.T).max(axis=1) if len(features) else np.zeros(0, np.float32)

    def match(self, feature: Floats, colour: int) -> Floats:
        """How well each face matches one description on a die of this colour, (faces,), -1..1.

        Faces that dice of this colour do not have get -1.
        """
        # The description without what the faces of each example's colour share.
        left = np.linalg.norm(feature - self.shared, axis=1)[self.colours] + 1e-6
        same = (self.rest @ feature - self.taken) / left
        same -= np.where(self.colours == colour, 0, _OTHER_COLOUR)
        result = np.array([same[rows].max() for rows in self.by_face], np.float32)
        result[~self.possible[colour]] = -1.0
        return result

    def colour_distances(
        self, feature: Floats, colouring: Floats, edge: Floats, lighter: Floats
    ) -> Floats:
        """Distance in colour to each colour's examples, turned as this die lies, (colours,).

        feature: (288,) description of the face; colouring: (8, 8, 3) and edge: (4, 3) its colours
        in log brightness beside white paper; lighter: (24, 24), see `vision.colouring`.
        """
        alike = self.bank @ feature
        chosen = [rows[np.argsort(-alike[rows])[:_NEAREST]] for rows in self.by_colour]
        rows = np.concatenate(chosen)
        against = 1 - self.lighter[rows] @ on_disc(lighter[None])[0]
        near = tone_distance(colouring, self.tones[rows]), against
        starts = np.cumsum([0, *(len(rows) for rows in chosen[:-1])])
        coarse, drawn = (np.minimum.reduceat(each, starts) for each in near)
        total = coarse + _LIGHTER * drawn + _EDGE * self.edge_distances(edge)
        return np.asarray(total, np.float32)

    def edge_distances(self, edge: Floats) -> Floats:
        """Distance of an edge's colours (sides, 3) to each colour's nearest example's: 0..0.4."""
        apart = edge_distances(edge, self.edges)
        return np.array([apart[rows // 4].min() for rows in self.by_colour], np.float32)


@lru_cache(maxsize=4)
def known(dice_set: DiceSet) -> Known:
    """Lay out a set; kept for as long as it is in use."""
    colour_names, face_names = dice_set.colour_names, dice_set.face_names
    colours = np.array([colour_names.index(c) for c in dice_set.colours])
    faces = np.array([face_names.index(f) for f in dice_set.faces])
    possible = np.zeros((len(colour_names), len(face_names)), bool)
    possible[colours, faces] = True
    in_turns = turned(dice_set.features)
    shared = shared_part(in_turns, colours, faces)
    rest = in_turns - shared[colours][:, None]
    rest /= np.linalg.norm(rest, axis=2, keepdims=True) + 1e-6
    width = in_turns.shape[2]
    of_row, face_of_row = np.repeat(colours, 4), np.repeat(faces, 4)
    flat = rest.reshape(-1, width)
    return Known(
        empty=None if dice_set.empty is None else halved(soften(logarithm(dice_set.empty))),
        bank=in_turns.reshape(-1, width),
        rest=flat,
        shared=shared,
        colours=of_row,
        faces=face_of_row,
        tones=turn_tones(dice_set.tones).reshape(-1, *dice_set.tones.shape[1:]),
        edges=dice_set.edges,
        lighter=on_disc(turn_tones(dice_set.lighter).reshape(-1, FACE, FACE)),
        possible=possible,
        telling=_telling(rest, colours, faces),
        taken=np.einsum("ij,ij->i", flat, shared[of_row]).astype(np.float32),
        by_colour=tuple(np.flatnonzero(of_row == c) for c in range(len(colour_names))),
        by_face=tuple(np.flatnonzero(face_of_row == f) for f in range(len(face_names))),
    )


def _telling(rest: Floats, colours: npt.NDArray[np.int64], faces: npt.NDArray[np.int64]) -> Floats:
    alike = resemblance(rest, rest[:, 0])
    result = np.ones(int(colours.max()) + 1, np.float32)
    for colour in range(len(result)):
        here = colours == colour
        margins = [
            float(alike[i, here & (faces == faces[i])].max() - alike[i, other].max())
            for i in np.flatnonzero(here)
            if (other := here & (faces != faces[i])).any() and (faces[here] == faces[i]).sum() > 1
        ]
        if margins:
            result[colour] = np.median(margins)
    return result


def resemblance(in_turns: Floats, others: Floats) -> Floats:
    """Resemblance of examples in the best of four turns, (n, n); -1 of each to itself.

    in_turns: (n, 4, 288); others: (n, 288).
    """
    count = len(others)
    alike = in_turns.reshape(-1, others.shape[1]) @ others.T
    alike = alike.reshape(count, 4, count).max(axis=1)
    np.fill_diagonal(alike, -1)
    return alike


def shared_part(
    in_turns: Floats, colours: npt.NDArray[np.int64], faces: npt.NDArray[np.int64]
) -> Floats:
    """What the faces of each colour share, (colours, 288), from (examples, 4, 288).

    Each face counts alike, however often it was shown. A colour with one face only shares what the
    whole set shares; where the whole set has one face, nothing.
    """

    def mean_of(chosen: npt.NDArray[np.bool_]) -> Floats:
        parts = [in_turns[chosen & (faces == f)].mean(axis=(0, 1)) for f in set(faces[chosen])]
        return np.mean(parts, axis=0)

    whole = mean_of(np.ones(len(faces), bool))
    if len(set(faces)) < 2:
        whole = np.zeros_like(whole)
    return np.stack(
        [
            mean_of(colours == c) if len(set(faces[colours == c])) > 1 else whole
            for c in range(int(colours.max()) + 1)
        ]
    ).astype(np.float32)
