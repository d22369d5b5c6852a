"""Read a throw: pictures of the tray in, dice with their certainty out.

The front door of this package. One frame is enough; with several, what they agree on counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.camera import Tray
from vision.certainty import is_ghost
from vision.dice_set import SCALE, DiceSet
from vision.doubts import doubts
from vision.edges import Edges
from vision.face import centre, describe, sample
from vision.find import OVERLAP_MM, Square, choose, find_squares, overlap_mm
from vision.fit import MARGIN_MM, TrayFit, TrayNotSeen, check_frame, find_tray
from vision.flat import under
from vision.glare import through_glare
from vision.judge import Scene, burnt, judge
from vision.known import Known, known
from vision.learn import white_at
from vision.light import Change, Floats, as_if_empty, compare, halved, logarithm, other_tray, soften
from vision.seen import CERTAIN, Picture, ReadWarning, SeenDie, TrayReading

__all__ = [
    "CERTAIN",
    "DiceSet",
    "ReadWarning",
    "SeenDie",
    "Tray",
    "TrayFit",
    "TrayNotSeen",
    "TrayReading",
    "find_tray",
    "read_dice",
]

_HALF = SCALE / 2  # pixels per millimetre of what is compared with the empty tray
_SAME_DIE_MM = 5.0
_PLAIN = 0.85  # resemblance that is enough by itself
_CENTRED = 0.94  # resemblance from which on a square is where its drawing is
_WORTH_A_TRY = 0.35
_TRIES = 24
_CLEAR_ALL = 0.78  # edges so clear, and each of them so clear, are a die's whatever it shows
_CLEAR_EACH = 0.66
_BURNT = 0.4  # share of a face that is too bright to show anything
_BURNT_ALL = 0.64  # edges so clear are enough around such a face
_BURNT_EACH = 0.5
_LIT_EDGES, _LIT_LIKE = 0.6, 0.74  # edges and resemblance through glare that are enough together
# Resemblance of a drawing seen from aside, and where it lies; so many of them are looked at. Their
# middles are further than this from those of other dice, in sides of a die.
_SEEN_ASIDE, _SURELY, _AROUND, _APART = 0.6, 0.92, 4, 0.6
_FAR_ASIDE = ((2.5, 12.0), (1.2, 6.0), (0.6, 3.0))  # millimetres and degrees, each round
_DIE_LIKE = 0.66  # resemblance above which a square is taken for a die without further signs


def read_dice(
    frames: Sequence[Picture], dice_set: DiceSet, where: TrayFit | Tray | None = None
) -> TrayReading:
    """Read the dice that lie in the tray.

    frames: one or more pictures of the same throw, (h, w, 3) uint8 in blue, green, red.
    dice_set: the dice to expect.
    where: the tray's place in these frames, or its measures (then it is looked for in each frame);
        by default the measures that the set was enrolled with.

    Never raises for what a camera can do: a frame that cannot be read, or shows too few markers,
    becomes a warning. Raises `ValueError` where `frames` is empty.
    """
    if not len(frames):
        raise ValueError("no frame to read: at least one picture is expected")
    warnings: list[ReadWarning] = []
    looks: list[list[SeenDie]] = []
    for number, frame in enumerate(frames):
        fit = _fit(frame, number, where or dice_set.tray, warnings)
        if fit is None:
            continue
        dice, doubtful = _read_frame(frame, fit, dice_set)
        looks.append(dice)
        warnings += doubtful
    dice = _agree(looks, warnings) if looks else ()
    return TrayReading(dice, _once(warnings))


def _fit(
    frame: Picture, number: int, where: TrayFit | Tray, warnings: list[ReadWarning]
) -> TrayFit | None:
    try:
        check_frame(frame)
    except ValueError as error:
        warnings.append(ReadWarning("frame_unreadable", {"frame": number, "seen": str(error)}))
        return None
    if isinstance(where, TrayFit):
        size = (frame.shape[1], frame.shape[0])
        if size != where.size:
            text = f"{size[0]} x {size[1]} pixels, the tray was found in {where.size}"
            warnings.append(ReadWarning("frame_unreadable", {"frame": number, "seen": text}))
            return None
        return where
    try:
        return find_tray(frame, where)
    except TrayNotSeen as error:
        seen = {"seen": list(error.seen), "missing": list(error.missing)}
        warnings.append(ReadWarning("markers_missing", seen))
    try:
        return find_tray(frame, where, least=3)
    except TrayNotSeen:
        return None


def _read_frame(
    frame: Picture, fit: TrayFit, dice_set: DiceSet
) -> tuple[list[SeenDie], list[ReadWarning]]:
    laid_out = known(dice_set)
    scene = lay_out(frame, fit, laid_out)
    found = find_dice(scene, laid_out)
    judged = judge(scene, found, dice_set, laid_out)
    dice = [die for die, cues in judged if not is_ghost(cues)]
    return dice, doubts(scene.change, dice, fit, _HALF)


def lay_out(frame: Picture, fit: TrayFit, laid_out: Known) -> Scene:
    """Lay a frame out for finding and judging dice: straight, set against the empty tray."""
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    half = halved(drawing)
    margin = round(MARGIN_MM * _HALF)
    change = None
    if laid_out.empty is not None and laid_out.empty.shape == half.shape:
        change = compare(half, laid_out.empty, margin)
    if change is None or other_tray(change, margin):
        change = compare(half, as_if_empty(half, margin), margin, seen=False)
    return Scene(frame, fit, drawing, Edges(half, _HALF, MARGIN_MM), change, fit.white(frame))


def find_dice(scene: Scene, laid_out: Known) -> list[Square]:
    """The squares of a frame that are dice: their edges are there and they look like a face."""
    side = scene.fit.tray.die_side_mm
    squares = find_squares(scene.edges, scene.change, side)
    places = np.array([(s.x, s.y, s.angle) for s in squares]).reshape(-1, 3)
    alike = laid_out.alike(describe(sample(scene.drawing, places, side, SCALE, MARGIN_MM)))
    # Edges alone may be drawn aside by a visible side face or a hard shadow: try around there.
    near = np.flatnonzero((alike > _WORTH_A_TRY) & (alike < _CENTRED))
    plain = places[alike >= _CENTRED, :2]
    apart = [i for i in near if not (np.hypot(*(plain - places[i, :2]).T) < side / 2).any()]
    near = np.array(apart[:_TRIES], np.int64)
    places[near] = centre(
        scene.drawing, laid_out.bank, places[near], side, SCALE, MARGIN_MM, steps=((2.0, 6.0),)
    )
    alike[near] = laid_out.alike(
        describe(sample(scene.drawing, places[near], side, SCALE, MARGIN_MM))
    )
    squares = [
        replace(s, x=float(x), y=float(y), angle=float(a % 90))
        for s, (x, y, a) in zip(squares, places, strict=True)
    ]
    worth = [float(a) + 0.5 * s.score for a, s in zip(alike, squares, strict=True)]
    found: list[Square] = []
    for i in choose(squares, worth, side):
        square = squares[i]
        if (
            alike[i] > _PLAIN
            or (alike[i] > _DIE_LIKE and _stands_out(square, scene.change, side))
            or _is_bare(square, scene, side)
        ):
            found.append(square)
        elif (lit := _lit(square, scene, laid_out)) is not None:
            found.append(lit)
    return found + _left_over(scene, laid_out, squares, alike, found)


def _left_over(
    scene: Scene, laid_out: Known, squares: list[Square], alike: Floats, found: list[Square]
) -> list[Square]:
    """The dice that none of the squares lies on: a drawing seen from aside is looked for around.

    Where dice touch, or are as dark as the felt, the edges that are seen may be those of others.
    """
    side = scene.fit.tray.die_side_mm
    at = np.array([(s.x, s.y, s.angle) for s in squares]).reshape(-1, 3)
    dice = np.array([(f.x, f.y) for f in found]).reshape(-1, 2)
    apart = np.hypot(*(at[:, None, :2] - dice[None]).T).T
    free = np.flatnonzero((alike > _SEEN_ASIDE) & (apart > _APART * side).all(axis=1))
    left = free[np.argsort(-alike[free])][:_AROUND]
    if not len(left):
        return []
    places = centre(
        scene.drawing, laid_out.bank, at[left], side, SCALE, MARGIN_MM, steps=_FAR_ASIDE
    )
    seen = laid_out.alike(describe(sample(scene.drawing, places, side, SCALE, MARGIN_MM)))
    moved = [
        replace(s, x=float(x), y=float(y), angle=float(a % 90))
        for s, (x, y, a) in zip([squares[i] for i in left], places, strict=True)
    ]
    result: list[Square] = []
    for i in np.argsort(-seen):
        one = moved[i]
        if seen[i] > _SURELY and all(overlap_mm(one, f, side) < OVERLAP_MM for f in found + result):
            result.append(one)
    return result


def _stands_out(square: Square, change: Change, side: float) -> bool:
    """Whether a square is more than a shadow: brighter somewhere, or of another colour."""
    half = int(side * 0.35 * _HALF)
    x, y = int((square.x + MARGIN_MM) * _HALF), int((square.y + MARGIN_MM) * _HALF)
    part = (slice(max(0, y - half), y + half), slice(max(0, x - half), x + half))
    if float(change.thing[part].mean()) > 0.5:
        return True
    light = change.brighter[part]
    drawn = float(np.percentile(light, 95) - np.percentile(light, 5)) > 0.45
    return drawn and float((change.thing[part]).mean()) > 0.08


def _lit(square: Square, scene: Scene, laid_out: Known) -> Square | None:
    """Where a square is a die whose face shows only when it is looked at through glare, or None."""
    side = scene.fit.tray.die_side_mm
    place = np.array([square.x, square.y, square.angle])
    if square.score < _LIT_EDGES or not _covers(place, scene, side):
        return None
    white = white_at(scene.white, scene.fit.tray, square.x, square.y)
    seen = through_glare(scene.drawing, place, side, laid_out, white)
    if seen.alike < _LIT_LIKE:
        return None
    x, y, angle = (float(value) for value in seen.place)
    return replace(square, x=x, y=y, angle=angle % 90)


def _covers(place: npt.NDArray[np.float64], scene: Scene, side: float) -> bool:
    """Whether nothing of the felt is seen where a square is."""
    return float(under(scene.change.thing.astype(np.float32), place[None], side, _HALF)[0]) >= 0.95


def _is_bare(square: Square, scene: Scene, side: float) -> bool:
    """Whether a square is surely a die although its face shows nothing: glare has burnt it out."""
    if square.score < _BURNT_ALL or square.sides[0] < _BURNT_EACH:
        return False
    at = np.array([(square.x, square.y, square.angle)])
    if not _covers(at[0], scene, side):
        return False
    if square.score >= _CLEAR_ALL and square.sides[0] >= _CLEAR_EACH:
        return True
    return burnt(sample(scene.drawing, at, side, SCALE, MARGIN_MM)[0]) > _BURNT


def _agree(looks: list[list[SeenDie]], warnings: list[ReadWarning]) -> tuple[SeenDie, ...]:
    """Join what several frames show: a die counts as sure as the frames agree about it."""
    groups: list[list[SeenDie]] = []
    for dice in looks:
        for die in dice:
            for group in groups:
                if np.hypot(group[0].x - die.x, group[0].y - die.y) < _SAME_DIE_MM:
                    group.append(die)
                    break
            else:
                groups.append([die])
    result: list[SeenDie] = []
    for group in groups:
        votes: dict[tuple[str | None, str | None], float] = {}
        for die in group:
            key = (die.colour, die.face)
            votes[key] = votes.get(key, 0.0) + die.confidence + 1e-6
        winner = max(votes, key=lambda k: votes[k])
        sure = votes[winner] / len(looks)
        if len(votes) > 1 or len(group) < len(looks):
            place = {"x": group[0].x, "y": group[0].y}
            warnings.append(ReadWarning("frames_disagree", place))
            sure = min(sure, 0.6)
        best = max((d for d in group if (d.colour, d.face) == winner), key=lambda d: d.confidence)
        result.append(replace(best, confidence=round(sure, 3)))
    return tuple(sorted(result, key=lambda d: (d.x, d.y)))


def _once(warnings: list[ReadWarning]) -> tuple[ReadWarning, ...]:
    """Each warning once: the same place seen in several frames is one."""
    result: list[ReadWarning] = []
    for warning in warnings:
        x, y = warning.values.get("x"), warning.values.get("y")
        for other in result:
            if other.code != warning.code:
                continue
            if x is None or y is None:
                same = other.values == warning.values
            else:
                same = np.hypot(other.values["x"] - x, other.values["y"] - y) < 10
            if same:
                break
        else:
            result.append(warning)
    return tuple(result)
