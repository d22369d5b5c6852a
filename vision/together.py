"""Find the upper faces that several pictures of one die each show, by what their drawings share.

The edges of a die, of its side and of its drawing offer several squares in each picture, and lie up
to a millimetre off. What the pictures of one face have in common says which square it is, and where
its middle lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.dice_set import SCALE
from vision.edges import Edges
from vision.face import centre, describe, sample, turned
from vision.find import find_squares
from vision.fit import MARGIN_MM, TrayFit
from vision.light import Floats, compare, halved, logarithm, soften
from vision.seen import Picture

_CANDIDATES = 10


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What one picture offers.

    face: the name of what it shows; drawing: (h, w, 3) straight log brightness; places: (n, 3) the
    squares' centres in tray millimetres and degrees; worth: (n,) how good a square each is, 0..1;
    features: (n, 288) what is drawn on each, see `vision.face`. n is 0 where no die is found.
    """

    face: str
    drawing: Floats
    places: npt.NDArray[np.float64]
    worth: Floats
    features: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Upper:
    """The upper face that a picture shows: its place (3,) as in `View`, and its description."""

    place: npt.NDArray[np.float64]
    feature: Floats


def view_of(frame: Picture, fit: TrayFit, empty: Picture, face: str = "") -> View:
    """Look for squares in the picture of one die; empty: a straight drawing of the empty tray."""
    side = fit.tray.die_side_mm
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    before = halved(soften(logarithm(empty)))
    change = compare(halved(drawing), before, round(MARGIN_MM * SCALE / 2))
    # There is time to look closely: every other reading hangs on where these faces are cut out.
    edges = Edges(drawing, SCALE, MARGIN_MM)
    squares = find_squares(edges, change, side, closely=True)[:_CANDIDATES]
    places = np.array([(s.x, s.y, s.angle) for s in squares], np.float64).reshape(-1, 3)
    features = describe(sample(drawing, places, side, SCALE, MARGIN_MM))
    return View(face, drawing, places, np.array([s.score for s in squares], np.float32), features)


def together(views: Sequence[View], side_mm: float) -> list[Upper]:
    """Return the upper face of each view, where views of the same face agree best.

    side_mm: of the dice. Raises `ValueError` where a view offers no square.
    """
    if any(not len(view.places) for view in views):
        raise ValueError("a view without any square shows no die")
    pick = [0] * len(views)
    for _ in range(3):
        pick = [_agreeing(i, views, pick) for i in range(len(views))]
    places = [view.places[k] for view, k in zip(views, pick, strict=True)]
    features = [view.features[k] for view, k in zip(views, pick, strict=True)]
    for _ in range(2):
        for i, view in enumerate(views):
            fellows = _fellows(i, views, features)
            if fellows is not None:
                start = places[i][None]
                moved = centre(view.drawing, fellows, start, side_mm, SCALE, MARGIN_MM, 3)
                places[i] = moved[0]
                features[i] = describe(sample(view.drawing, moved, side_mm, SCALE, MARGIN_MM))[0]
    return [Upper(place, feature) for place, feature in zip(places, features, strict=True)]


def _fellows(i: int, views: Sequence[View], features: list[Floats]) -> Floats | None:
    """Descriptions of the other examples of the same face, in all turns."""
    same = [features[j] for j, view in enumerate(views) if j != i and view.face == views[i].face]
    return turned(np.stack(same)).reshape(-1, len(same[0])) if same else None


def _agreeing(i: int, views: Sequence[View], pick: list[int]) -> int:
    view = views[i]
    worth = 0.4 * view.worth
    fellows = _fellows(i, views, [v.features[k] for v, k in zip(views, pick, strict=True)])
    if fellows is not None:
        alike = (view.features @ fellows.T).reshape(len(worth), -1, 4).max(axis=2)
        worth = worth + np.sort(alike, axis=1)[:, -4:].mean(axis=1)
    return int(worth.argmax())
