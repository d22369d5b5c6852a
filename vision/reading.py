"""Read a throw: pictures of the tray in, dice with their certainty out.

The front door of this package. One frame is enough; with several, what they agree on counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Tray
from vision.certainty import KNOWN, Cues, chance
from vision.face import centre, describe, sample, tone_distance, tones, turn_tones, turned
from vision.find import Square, choose, find_squares
from vision.fit import MARGIN_MM, TrayFit, TrayNotSeen, check_frame, find_tray
from vision.learn import SCALE, DiceSet, crop_of, white_at
from vision.light import Change, Floats, compare, halved, logarithm, soften
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
_DIE_LIKE = 0.60  # resemblance above which a square is taken for a die without further signs
_OTHER_COLOUR = 0.03  # a drawing learnt from dice of another colour counts this much less
_LOOK_MM = 20.0  # how far around the tray's inside things are noticed
_HAND_DICE = 3.0  # something unexplained and larger than so many dice is a hand


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
        dice, doubts = _read_frame(frame, fit, dice_set)
        looks.append(dice)
        warnings += doubts
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


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A dice set, laid out for reading."""

    empty: Floats | None
    bank: Floats  # (examples * 4, features)
    colours: npt.NDArray[np.int64]  # per row of the bank
    faces: npt.NDArray[np.int64]
    tones: Floats  # (examples * 4, 8, 8, 3)


@lru_cache(maxsize=4)
def _known(dice_set: DiceSet) -> _Known:
    colour_names, face_names = dice_set.colour_names, dice_set.face_names
    colours = np.array([colour_names.index(c) for c in dice_set.colours])
    faces = np.array([face_names.index(f) for f in dice_set.faces])
    return _Known(
        empty=None if dice_set.empty is None else halved(soften(logarithm(dice_set.empty))),
        bank=turned(dice_set.features).reshape(-1, dice_set.features.shape[1]),
        colours=np.repeat(colours, 4),
        faces=np.repeat(faces, 4),
        tones=turn_tones(dice_set.tones).reshape(-1, *dice_set.tones.shape[1:]),
    )


def _read_frame(
    frame: Picture, fit: TrayFit, dice_set: DiceSet
) -> tuple[list[SeenDie], list[ReadWarning]]:
    known = _known(dice_set)
    tray = fit.tray
    side = tray.die_side_mm
    drawing = soften(logarithm(fit.rectify(frame, SCALE)))
    half = halved(drawing)
    margin = round(MARGIN_MM * _HALF)
    if known.empty is not None and known.empty.shape == half.shape:
        empty = known.empty
    else:
        middle = half[margin:-margin:2, margin:-margin:2].reshape(-1, 3)
        empty = np.empty_like(half)
        empty[:] = np.median(middle, axis=0)
    change = compare(half, empty, margin)
    squares = find_squares(drawing, change, side, SCALE, MARGIN_MM)
    places = np.array([(s.x, s.y, s.angle) for s in squares]).reshape(-1, 3)
    features = describe(sample(drawing, places, side, SCALE, MARGIN_MM))
    alike = (features @ known.bank.T).max(axis=1) if len(squares) else np.zeros(0)
    worth = [float(a) + 0.5 * s.score for a, s in zip(alike, squares, strict=True)]
    taken = choose(squares, worth, side)
    dice_at = [i for i in taken if alike[i] > _DIE_LIKE and _stands_out(squares[i], change, side)]
    centred = centre(drawing, known.bank, places[dice_at], side, SCALE, MARGIN_MM)
    faces = sample(drawing, centred, side, SCALE, MARGIN_MM)
    white = fit.white(frame)
    dice = [
        _judge(place, face, squares[i], known, dice_set, white, tray, frame, fit)
        for i, place, face in zip(dice_at, centred, faces, strict=True)
    ]
    dice = [d for d in dice if d is not None]
    return dice, _doubts(change, dice, fit)


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


def _judge(
    place: npt.NDArray[np.float64],
    face: Floats,
    square: Square,
    known: _Known,
    dice_set: DiceSet,
    white: Floats,
    tray: Tray,
    frame: Picture,
    fit: TrayFit,
) -> SeenDie | None:
    x, y, angle = float(place[0]), float(place[1]), float(place[2] % 90)
    plain = describe(face[None])[0] @ known.bank.T
    colouring = tones(face[None])[0] - white_at(white, tray, x, y)
    off = _colour_distances(colouring, plain, known, len(dice_set.colour_names))
    order = np.argsort(off)
    colour = int(order[0])
    tone_ahead = float(off[order[1]] - off[order[0]]) if len(order) > 1 else 1.0
    alike = plain - _OTHER_COLOUR * (known.colours != colour)
    names = dice_set.face_names
    has = {names.index(f) for f in dice_set.faces_of(dice_set.colour_names[colour])}
    scores = {f: float(alike[known.faces == f].max()) for f in has}
    ranked = sorted(scores, key=lambda f: -scores[f])
    ahead = scores[ranked[0]] - scores[ranked[1]] if len(ranked) > 1 else 0.3
    confidence = chance(
        Cues(
            alike=scores[ranked[0]],
            ahead=ahead,
            tone_ahead=tone_ahead,
            tone_off=float(off[colour]),
            edges=square.score,
        )
    )
    on_rim = not (-1.5 <= x <= tray.width_mm + 1.5 and -1.5 <= y <= tray.height_mm + 1.5)
    weights = np.exp((np.array([scores[f] for f in ranked]) - scores[ranked[0]]) / 0.03)
    known_share = 1 / (1 + np.exp(-(scores[ranked[0]] - KNOWN) / 0.03))
    likely = tuple(
        (names[f], round(float(w * known_share / weights.sum()), 3))
        for f, w in zip(ranked[:3], weights, strict=False)
    )
    unsure = scores[ranked[0]] < KNOWN - 0.04
    return SeenDie(
        colour=dice_set.colour_names[colour],
        face=None if unsure else names[ranked[0]],
        x=round(x, 2),
        y=round(y, 2),
        confidence=round(min(confidence, 0.3) if on_rim or unsure else confidence, 3),
        on_rim=on_rim,
        likely=likely,
        angle=round(angle, 1),
        crop=crop_of(frame, fit, x, y, angle),
    )


def _colour_distances(colouring: Floats, alike: Floats, known: _Known, colours: int) -> Floats:
    """Distance to each colour's examples that look most like this die, turned as it lies."""
    result = np.empty(colours, np.float32)
    for colour in range(colours):
        rows = np.flatnonzero(known.colours == colour)
        best = rows[np.argsort(-alike[rows])[:3]]
        result[colour] = tone_distance(colouring, known.tones[best]).min()
    return result


def _doubts(change: Change, dice: list[SeenDie], fit: TrayFit) -> list[ReadWarning]:
    """What is in the tray and no die: a hand, or a place that cannot be explained."""
    side = fit.tray.die_side_mm
    mask = change.thing.astype(np.uint8)
    edge = round((MARGIN_MM - _LOOK_MM) * _HALF)
    mask[:edge] = mask[-edge:] = 0
    mask[:, :edge] = mask[:, -edge:] = 0
    for die in dice:
        centre = ((die.x + MARGIN_MM) * _HALF, (die.y + MARGIN_MM) * _HALF)
        reach = (side + 12) * _HALF
        box = cv2.boxPoints((centre, (reach, reach), die.angle))
        cv2.fillPoly(mask, [np.rint(box).astype(np.int32)], 0)
    size = round(4 * _HALF)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    # Fingers are one hand.
    joined = cv2.dilate(mask, np.ones((4 * size, 4 * size), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    doubts: list[ReadWarning] = []
    for label in range(1, count):
        ys, xs = np.nonzero((labels == label) & (mask > 0))
        area = len(xs) / _HALF**2
        x, y = float(xs.mean()) / _HALF - MARGIN_MM, float(ys.mean()) / _HALF - MARGIN_MM
        values = {"x": round(x, 1), "y": round(y, 1), "area_mm2": round(area)}
        reaches_out = (
            min(xs.min(), ys.min()) < edge + _HALF
            or xs.max() >= mask.shape[1] - edge - _HALF
            or ys.max() >= mask.shape[0] - edge - _HALF
        )
        if area > _HAND_DICE * side * side or (reaches_out and area > side * side):
            doubts.append(ReadWarning("hand_in_picture", values))
        elif area > 0.3 * side * side and _inside(x, y, fit.tray):
            doubts.append(ReadWarning("unexplained_place", values))
    return doubts


def _inside(x: float, y: float, tray: Tray) -> bool:
    return 0 <= x <= tray.width_mm and 0 <= y <= tray.height_mm


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
