"""Read ordinary dice: pips 1 to 6 on bodies of any colour, without teaching them first.

In the tray (its four markers seen) places are millimetres; in any other photograph they are pixels,
and a warning says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.fit import TrayFit, TrayNotSeen, check_frame, find_tray
from vision.learn import crop_of
from vision.pips_colour import body_colour, lamplight
from vision.pips_find import SIZES, Face, Floats, Found, Level, find_faces, levels, read_faces
from vision.pips_lie import Lie, in_the_tray, on_a_table
from vision.seen import Picture, ReadWarning, SeenDie, TrayReading

__all__ = ["read_pips"]

_LARGEST_PX = 1280  # a photograph is looked at no larger than this
_CLOSER = 2.0  # so much larger, where it holds no dice or tiny ones
_NOT_TINY = 24.0  # pixels
_SMALL_PICTURE = 500_000  # pixels up to which looking at the finest scale costs next to nothing
_IN_THE_TRAY_PX = 26.0  # about the width at which faces are looked for in the tray
_SURE = 0.9
_LIKELY = 0.6  # less likely things are not mentioned
_LIKELY_BESIDE = 0.4  # the same where sure dice of that width lie in the picture
_WORTH_AGAIN = 0.2  # chance from which on a doubtful place is read again,
_WIDER = (1.0, 1.15, 1.3)  # so many times as wide as the sure dice
_LIKELY_DRAWN_UP = 0.75  # the same for things so small that they had to be drawn up
_MAY_LEAN_AT_MOST = 0.89  # confidence of a die that may lean: it is asked about
_COCKED_AT_MOST = 0.3  # confidence of a die that is cocked or on the rim
_APART = 0.75  # centres of two upper faces are further apart than this, in their mean width
_BESIDE = 0.9  # faces of one die are nearer to each other than this, in their mean width
_UNLIKE = 2.4  # dice of one picture differ in width by less than this factor
_ALIKE = 1.4  # two looks at one die give its width with less than this between them
_CLEAR = 0.5  # chance of an upper face from which on a place is read first
_CROP = 128
_OUTSIDE_MM = 1.5


def read_pips(frame: Picture, fit: TrayFit | None = None) -> TrayReading:
    """Read the dice with pips in one picture.

    frame: (h, w, 3) uint8 in blue, green, red; without `fit` it may be small, down to one die.
    fit: where the tray lies in it; without, its markers are looked for in the picture.

    Only upper faces count. `colour` is a name that fits the body ("white", "red", ...). Never
    raises for what a camera can do: a frame that cannot be read becomes a warning.
    """
    left = top = 0
    if fit is None and frame.ndim == 3 and frame.dtype == np.uint8:
        frame, left, top = _with_room(frame)
    try:
        check_frame(frame)
    except ValueError as error:
        return TrayReading((), (ReadWarning("frame_unreadable", {"seen": str(error)}),))
    if fit is not None and (frame.shape[1], frame.shape[0]) != fit.size:
        text = f"{frame.shape[1]} x {frame.shape[0]} pixels, the tray was found in {fit.size}"
        return TrayReading((), (ReadWarning("frame_unreadable", {"seen": text}),))
    warnings: list[ReadWarning] = []
    if fit is None:
        fit = _tray_in(frame, warnings)
    if fit is None:
        cast = lamplight(frame)
        seen = _look_for_any_size(frame)
        lying = on_a_table((frame.shape[1], frame.shape[0]), seen)
        dice = [
            _plain_die(frame, cast, s, lie)
            for s, lie in zip(seen, lying, strict=True)
            if not (lie.side or (lie.leans and _is_side(s, seen)) or _doubtful(s, lie))
        ]
        dice = [replace(die, x=die.x - left, y=die.y - top) for die in dice]
        warnings.append(ReadWarning("positions_in_pixels"))
    else:
        white = fit.white(frame).mean(axis=0)
        seen = _look_for_size(frame, fit)
        places = fit.to_mm(np.array([(f.x, f.y) for f, _ in seen]).reshape(-1, 2))
        lying = in_the_tray(frame, fit, places, [face for _, face in seen])
        dice = [
            _tray_die(frame, fit, white, s, (float(x), float(y)), lie)
            for s, (x, y), lie in zip(seen, places, lying, strict=True)
        ]
    ordered = tuple(sorted(dice, key=lambda d: (d.x, d.y)))
    return TrayReading(ordered, tuple(warnings), "px" if fit is None else "mm")


def _with_room(frame: Picture) -> tuple[Picture, int, int]:
    """A die cut out closely, with as much around it as a frame has at least; what is left and top.

    A picture so small that no die can be read in it stays as it is.
    """
    height, width = frame.shape[:2]
    if min(height, width) < SIZES[0]:
        return frame, 0, 0
    left, top = max(0, 160 - width + 1) // 2, max(0, 120 - height + 1) // 2
    if not left and not top:
        return frame, 0, 0
    wider = cv2.copyMakeBorder(frame, top, top, left, left, cv2.BORDER_REPLICATE)
    return np.asarray(wider, np.uint8), left, top


def _tray_in(frame: Picture, warnings: list[ReadWarning]) -> TrayFit | None:
    try:
        return find_tray(frame)
    except TrayNotSeen as error:
        seen = {"seen": list(error.seen), "missing": list(error.missing)}
        if not error.seen:
            return None
    try:
        fit = find_tray(frame, least=3)
    except TrayNotSeen:
        return None
    warnings.append(ReadWarning("markers_missing", seen))
    return fit


_Seen = tuple[Found, Face]


def _look_for_any_size(frame: Picture) -> list[_Seen]:
    first = min(1.0, _LARGEST_PX / max(frame.shape[:2]))
    looks = levels(frame, first)
    finest, coarser = looks[0], looks[1:]
    seen = _read(looks, [f for level in coarser for f in find_faces(level)], [])
    # Large dice make the costly look for the smallest ones unnecessary.
    small = finest.picture.shape[0] * finest.picture.shape[1] < _SMALL_PICTURE
    if small or not _large_dice(seen, finest, 1.1 * SIZES[1]):
        seen = _read(looks, find_faces(finest), seen)
    if not _large_dice(seen, finest, _NOT_TINY):
        # A whole table from a phone or a webcam: worth a closer look, drawn up where need be.
        looks = levels(frame, first * _CLOSER)
        least = _LIKELY if looks[0].scale <= 1 else _LIKELY_DRAWN_UP
        closer = _read(looks, find_faces(looks[0]), seen)
        seen += [(f, face) for f, face in closer[len(seen) :] if _worth(f, face) > least]
    return _choose(seen + _at_their_size(looks, seen))


def _at_their_size(looks: Sequence[Level], seen: list[_Seen]) -> list[_Seen]:
    """Doubtful places again, about as wide as the sure dice: one large pip misleads the finder."""
    sure = [f for f, face in seen if _worth(f, face) > _SURE]
    if len(sure) < 2:
        return []
    typical = float(np.median([f.size for f in sure]))
    doubtful = [f for f, face in seen if _worth(f, face) < _LIKELY and f.chance > _WORTH_AGAIN]
    tries: list[Found] = []
    for place in sorted(doubtful, key=lambda f: -f.chance):
        moved = [replace(place, size=typical * wider) for wider in _WIDER]
        if all(_apart(moved[0], f) for f in [*sure, *tries]):
            tries += moved
    return list(zip(tries, read_faces(looks, tries), strict=True))


def _read(looks: Sequence[Level], found: list[Found], seen: list[_Seen]) -> list[_Seen]:
    """What was seen, and the faces at the places that were found, as far as they matter."""
    # The same die is found at several scales: it is read where it was found best.
    best: list[Found] = []
    for place in sorted(found, key=lambda f: -f.chance):
        if not any(_same(place, f) for f in best):
            best.append(place)
    for few in ([f for f in best if f.chance > _CLEAR], [f for f in best if f.chance <= _CLEAR]):
        sure = [(f, face) for f, face in seen if _worth(f, face) > _SURE]
        sizes = [f.size for f, _ in sure]
        least = min(sizes, default=0.0) / _UNLIKE
        left = [
            f
            for f in few
            if f.size > least and not any(_same(f, k) or _covers(f, k) for k, _ in sure)
        ]
        seen = seen + list(zip(left, read_faces(looks, left), strict=True))
    return seen


def _same(one: Found, other: Found) -> bool:
    return not _apart(one, other) and 1 / _ALIKE < one.size / other.size < _ALIKE


def _covers(place: Found, sure: Found) -> bool:
    """Whether this place can hold no die, since a sure one, found more clearly, lies there."""
    return sure.chance > place.chance and not _apart(place, sure)


def _large_dice(seen: list[_Seen], level: Level, least: float) -> bool:
    """Whether there are dice, and most are wider than `least` pixels at this level."""
    sure = [f.size * level.scale for f, face in seen if _worth(f, face) > _SURE]
    return bool(sure) and float(np.median(sure)) > least


def _look_for_size(frame: Picture, fit: TrayFit) -> list[_Seen]:
    """Look at the one scale at which the tray's dice have the best size."""
    side = fit.tray.die_side_mm * fit.px_per_mm
    # Shrinking by a whole number is several times faster.
    level = levels(frame, 1 / max(1, round(side / _IN_THE_TRAY_PX)))[0]
    found = [f for f in find_faces(level) if 0.65 < f.size / side < 1.5]
    return _choose(list(zip(found, read_faces([level], found), strict=True)))


def _worth(found: Found, face: Face) -> float:
    """Chance that this is an upper face with pips, by finder and reader together."""
    return float((1 - face.chances[0]) * found.chance**0.4)


def _choose(seen: list[_Seen]) -> list[_Seen]:
    """Take each die once, and drop what is too unlikely or of another size than the sure ones."""
    worth = [_worth(found, face) for found, face in seen]
    order = sorted(range(len(seen)), key=lambda i: -worth[i])
    taken: list[int] = []
    for i in order:
        if worth[i] < _LIKELY:
            break
        if all(_apart(seen[i][0], seen[k][0]) for k in taken):
            taken.append(i)
    sure = [np.log(seen[i][0].size) for i in taken if worth[i] > _SURE * worth[taken[0]]]
    if sure:
        typical = float(np.exp(np.median(sure)))
        taken = [i for i in taken if 1 / _UNLIKE < seen[i][0].size / typical < _UNLIKE]
        # Dice lie beside dice: a place of their size needs less to be worth a question.
        for i in order:
            if worth[i] < _LIKELY_BESIDE:
                break
            alike = 1 / _ALIKE < seen[i][0].size / typical < _ALIKE
            if alike and all(_between(seen[i][0], seen[k][0]) > _BESIDE for k in taken):
                taken.append(i)
    return [seen[i] for i in taken]


def _apart(one: Found, other: Found) -> bool:
    """Whether both can be upper faces: two dice cannot stand in the same place."""
    return _between(one, other) > _APART


def _doubtful(one: _Seen, lie: Lie) -> bool:
    """Whether what is mentioned only for the dice beside it does not lie in their plane."""
    return _worth(*one) < _LIKELY and lie.may_lean


def _is_side(one: _Seen, seen: list[_Seen]) -> bool:
    """Whether a face that lies another way than the rest is the side of a surer die beside it."""
    return any(
        _worth(*other) > _worth(*one) and _between(one[0], other[0]) < _BESIDE for other in seen
    )


def _between(one: Found, other: Found) -> float:
    """How far two faces are apart, in their mean width."""
    return float(np.hypot(one.x - other.x, one.y - other.y)) / ((one.size + other.size) / 2)


def _confidence(found: Found, face: Face) -> float:
    return float(face.chances[1:].max() * min(1.0, found.chance / 0.6) ** 0.5 * 0.995)


def _likely(face: Face) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-face.chances[1:])[:3]
    return tuple((str(k + 1), round(float(face.chances[k + 1]), 3)) for k in order)


def _plain_die(frame: Picture, cast: npt.NDArray[np.floating], seen: _Seen, lie: Lie) -> SeenDie:
    found, face = seen
    scale = _CROP / (1.5 * found.size)
    middle = (_CROP - 1) / 2
    matrix = np.array([[scale, 0, middle - scale * found.x], [0, scale, middle - scale * found.y]])
    crop = cv2.warpAffine(
        frame, matrix, (_CROP, _CROP), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return SeenDie(
        colour=body_colour(frame, found.x, found.y, found.size, cast=cast),
        face=str(1 + int(face.chances[1:].argmax())),
        x=round(found.x, 1),
        y=round(found.y, 1),
        confidence=_as_it_lies(_confidence(found, face), lie),
        cocked=lie.leans,
        likely=_likely(face),
        crop=np.asarray(crop, np.uint8),
    )


def _tray_die(
    frame: Picture, fit: TrayFit, white: Floats, seen: _Seen, place: tuple[float, float], lie: Lie
) -> SeenDie:
    found, face = seen
    x, y = place
    width, height = fit.tray.width_mm, fit.tray.height_mm
    on_rim = not (
        -_OUTSIDE_MM <= x <= width + _OUTSIDE_MM and -_OUTSIDE_MM <= y <= height + _OUTSIDE_MM
    )
    confidence = _confidence(found, face)
    return SeenDie(
        colour=body_colour(frame, found.x, found.y, found.size, white),
        face=str(1 + int(face.chances[1:].argmax())),
        x=round(x, 2),
        y=round(y, 2),
        confidence=_as_it_lies(min(confidence, _COCKED_AT_MOST) if on_rim else confidence, lie),
        cocked=not on_rim and lie.leans,
        on_rim=on_rim,
        likely=_likely(face),
        crop=crop_of(frame, fit, x, y, 0.0),
    )


def _as_it_lies(confidence: float, lie: Lie) -> float:
    """What a reading is worth of a die that leans or may lean."""
    most = _COCKED_AT_MOST if lie.leans else _MAY_LEAN_AT_MOST if lie.may_lean else 1.0
    return round(min(confidence, most), 3)
