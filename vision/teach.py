"""Look at what somebody shows while a set is taught live, knowing no die and no empty tray yet.

`vision.learn` finds the face exactly once all shots are there; here it matters that the shot is
worth keeping: an empty tray with nothing left in it; or one die, alone, flat on the felt, no hand,
and which face it looks like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.dice_set import SCALE
from vision.doubts import doubts
from vision.edges import Edges
from vision.face import centre, describe, sample, turned
from vision.find import find_squares
from vision.fit import MARGIN_MM, TrayFit
from vision.learn import crop_of
from vision.light import Floats, as_if_empty, compare, halved, logarithm, soften
from vision.seen import Picture, SeenDie

Kind = Literal["die", "nothing", "hand", "several", "wall"]
_HALF = SCALE / 2
_CANDIDATES = 6
_ALONE = 0.45  # score of the square that a lone die must reach
# Score and weakest side of a square that must be a die though nobody knows the felt: on 297 drawn
# empty trays the most die-like has 0.60 and 0.18, of 898 dice nine in ten have 0.71 and 0.62.
_LEFT, _LEFT_EACH = 0.57, 0.38
_FROM_WALL_MM = 6.0  # the wall's shadow, and the die's own side in the wall's dark, mislead


@dataclass(frozen=True, slots=True, eq=False)
class OneDie:
    """A die that lies alone.

    x, y: of its upper face in tray millimetres; angle: degrees, 0..90; feature: (288,) what is
    drawn on it, see `vision.face`; crop: (128, 128, 3) its picture with a margin.
    """

    x: float
    y: float
    angle: float
    feature: Floats
    crop: Picture


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What lies in the tray: one die alone, nothing, a hand, more than one die, or one at the wall.

    `die` is there for one die alone only: a die at the wall shows its face less well.
    """

    kind: Kind
    die: OneDie | None = None


def look_for_left(frame: Picture, fit: TrayFit) -> Sight:
    """Look whether something is left in a tray that somebody calls empty: "hand", "die", "nothing".

    No picture of this tray is at hand to compare with, so its felt is taken to be even; what lies
    on the rim cannot be told. The die is the plainest of those that are left, wherever it lies.
    """
    side = fit.tray.die_side_mm
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    half, margin = halved(drawing), round(MARGIN_MM * _HALF)
    change = compare(half, as_if_empty(half, margin), margin, seen=False)
    squares = find_squares(Edges(drawing, SCALE, MARGIN_MM), change, side, closely=True)
    plain = [s for s in squares if s.score >= _LEFT and s.sides[0] >= _LEFT_EACH]
    if not plain:
        codes = {warning.code for warning in doubts(change, (), fit, _HALF)}
        return Sight("hand" if "hand_in_picture" in codes else "nothing")
    places = np.array([(s.x, s.y, s.angle) for s in plain])
    faces = sample(drawing, places, side, SCALE, MARGIN_MM)
    # The shadow beside a die may be as plain a square, but nothing is drawn on it.
    drawn = faces.reshape(len(faces), -1).std(axis=1)
    at = int((drawn + [s.score for s in plain]).argmax())
    best, feature = plain[at], describe(faces[at : at + 1])[0]
    crop = crop_of(frame, fit, best.x, best.y, best.angle)
    return Sight("die", OneDie(best.x, best.y, best.angle % 90, feature, crop))


def look_for_one(
    frame: Picture, fit: TrayFit, empty: Picture, fellows: Sequence[Floats] = ()
) -> Sight:
    """Look at one frame in which at most one die should lie.

    empty: straight drawing of the empty tray, as `TrayFit.rectify` gives it at `SCALE`.
    fellows: descriptions of the same face from shots before, which help to find its middle.
    """
    side = fit.tray.die_side_mm
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    half, before = halved(drawing), halved(soften(logarithm(empty)))
    change = compare(half, before, round(MARGIN_MM * _HALF))
    edges = Edges(drawing, SCALE, MARGIN_MM)
    squares = find_squares(edges, change, side, closely=True)[:_CANDIDATES]
    bank = turned(np.stack(list(fellows))).reshape(-1, len(fellows[0])) if fellows else None
    best, place, feature = None, np.zeros(3), np.zeros(0, np.float32)
    if squares:
        places = np.array([(s.x, s.y, s.angle) for s in squares])
        features = describe(sample(drawing, places, side, SCALE, MARGIN_MM))
        worth = np.array([s.score for s in squares])
        if bank is not None:
            worth = 0.4 * worth + (features @ bank.T).max(axis=1)
        at = int(worth.argmax())
        best, place, feature = squares[at], places[at], features[at]
        if bank is not None:
            place = centre(drawing, bank, place[None], side, SCALE, MARGIN_MM)[0]
            feature = describe(sample(drawing, place[None], side, SCALE, MARGIN_MM))[0]
    if best is not None and best.score < _ALONE:
        best = None
    x, y, angle = (float(value) for value in place)
    seen = [] if best is None else [SeenDie(None, None, x, y, 1.0, angle=angle % 90)]
    left = {warning.code for warning in doubts(change, seen, fit, _HALF)}
    if "hand_in_picture" in left:
        return Sight("hand")
    if best is None:
        return Sight("several" if left else "nothing")
    if left:
        return Sight("several")
    if not _free(x, y, fit):
        return Sight("wall")
    crop = crop_of(frame, fit, x, y, angle)
    return Sight("die", OneDie(x, y, angle % 90, feature, crop))


def alike(feature: Floats, others: Sequence[Floats]) -> float:
    """How much a face looks like the most alike of others, in any turn: -1..1, -1 without any."""
    if not others:
        return -1.0
    return float((turned(np.stack(list(others))).reshape(-1, len(feature)) @ feature).max())


def _free(x: float, y: float, fit: TrayFit) -> bool:
    near = fit.tray.die_side_mm / 2 + _FROM_WALL_MM
    return near <= x <= fit.tray.width_mm - near and near <= y <= fit.tray.height_mm - near


def feature_at(frame: Picture, fit: TrayFit, x: float, y: float, angle: float) -> Floats:
    """Describe what is drawn on a face whose place is known, (288,)."""
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    place = np.array([[x, y, angle]])
    return describe(sample(drawing, place, fit.tray.die_side_mm, SCALE, MARGIN_MM))[0]
