"""Judge one die: its colour, its face, whether it lies flat, and how sure all that is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.camera import Tray
from vision.certainty import Cues, chance, face_chances, face_sure, is_ghost, leans
from vision.colouring import edges_of, lighter
from vision.dice_set import SCALE, DiceSet
from vision.edges import Edges
from vision.face import centre, describe, sample, tones
from vision.find import Square
from vision.fine import ALIKE, Fine, closely
from vision.fit import MARGIN_MM, TrayFit
from vision.flat import narrower, parallel, room_mm, strips, under
from vision.glare import through_glare
from vision.known import Known
from vision.learn import crop_of, white_at
from vision.light import Change, Floats
from vision.seen import CERTAIN, Picture, SeenDie

_CENTRED = 0.975  # resemblance from which on a face is where it seems to be
_FURTHER = ((1.5, 5.0), (0.75, 3.0), (0.4, 1.5))
_COCKED = 0.45  # of the dice that seem to lean, so many lie flat
_NOT_SO = 0.02  # where no face is told, or the die lies on the rim, nothing can be right
_OUTSIDE_MM = 2.5  # a die whose middle is no further inside than this lies on the rim
_LIKE_TWO = 0.15  # two colours that are so nearly alike may be one under glare
_VEIL = 0.08  # brightness of a reflection, white paper being 1, below which there is no glare
_FACE = 0.83  # resemblance below which glare lies on no face that is known
_EDGED = 0.6  # edges so clear are looked at again even where little else speaks for a die
_NEAR_FACES, _FAR_OFF = 0.3, 0.6  # how much the best face is ahead; how well it matches
_NOTHING = 0.01  # no fine lines are known of a face that lies over the drawing no better
_CLEARLY = 0.05  # by how much fine lines must lie better over one face than over the next
_BRIGHT, _FACE_BEHIND = 0.25, 0.77  # from such a veil on nothing but a lamp can be meant
_LEANS_MM = 1.8  # how much nearer to the wall than a flat die can be


class Scene(NamedTuple):
    """One frame, laid out for reading: all that judging a die may look at."""

    frame: Picture
    fit: TrayFit
    drawing: Floats
    edges: Edges
    change: Change
    white: Floats


_HIDDEN = 0.5  # share of a face that is too bright to tell what colour lies under it


def judge(
    scene: Scene, squares: list[Square], dice_set: DiceSet, known: Known
) -> list[tuple[SeenDie, Cues]]:
    """Judge the dice found at `squares`; the cues are kept for fitting `vision.certainty`."""
    if not squares:
        return []
    tray = scene.fit.tray
    side = tray.die_side_mm
    places = np.array([(s.x, s.y, s.angle) for s in squares])
    places = centre(scene.drawing, known.bank, places, side, SCALE, MARGIN_MM)
    faces = sample(scene.drawing, places, side, SCALE, MARGIN_MM)
    features = describe(faces)
    # The square may have been drawn to the rounded body's outline, up to two millimetres aside.
    apart = np.flatnonzero(known.alike(features) < _CENTRED)
    if len(apart):
        places[apart] = centre(
            scene.drawing, known.bank, places[apart], side, SCALE, MARGIN_MM, steps=_FURTHER
        )
        faces[apart] = sample(scene.drawing, places[apart], side, SCALE, MARGIN_MM)
        features[apart] = describe(faces[apart])
    colourings, edges, light = tones(faces), edges_of(faces), lighter(faces)
    change = scene.change
    room = room_mm(places, tray)
    beside = strips(change, places, scene.fit, SCALE / 2).max(axis=1)
    narrow = narrower(scene.edges, places, side)
    covered = under(change.thing.astype(np.float32), places, side, SCALE / 2)
    kept = under(change.kept, places, side, SCALE / 2)
    result: list[tuple[SeenDie, Cues]] = []
    for i, square in enumerate(squares):
        x, y = float(places[i, 0]), float(places[i, 1])
        white = white_at(scene.white, tray, x, y)
        off = known.colour_distances(features[i], colourings[i] - white, edges[i] - white, light[i])
        look = _Look(places[i], known.match(features[i], int(off.argmin())), off)
        cues = Cues(
            alike=float((known.bank @ features[i]).max()),
            match=look.best,
            ahead=look.ahead,
            tone_ahead=look.tone_ahead,
            tone_off=float(off[look.colour]),
            edges=square.score,
            weakest=square.sides[0],
            beside=float(beside[i]),
            room=float(room[i]),
            parallel=float(parallel(places[i], tray)),
            burnt=burnt(faces[i]),
            narrow=float(narrow[i]),
            covered=float(covered[i]),
            kept=float(kept[i]),
            telling=float(known.telling[look.colour]),
        )
        doubtful = face_sure(cues) < CERTAIN or cues.tone_ahead < _LIKE_TWO
        if doubtful and (not is_ghost(cues) or cues.edges > _EDGED):
            found = np.array([square.x, square.y, square.angle])
            look, cues = _again(scene, look, cues, known, white, found)
        if known.telling[look.colour] < ALIKE or (not cues.veil and _close_call(cues)):
            look, cues = _closely(scene, look, cues, closely(dice_set))
        result.append((_said(scene, look, dice_set, cues), cues))
    return result


class _Look(NamedTuple):
    """What one look at a face says: (3,) place and angle, (faces,) match, (colours,) distance."""

    place: npt.NDArray[np.float64]
    match: Floats
    off: Floats

    @property
    def colour(self) -> int:
        return int(self.off.argmin())

    @property
    def ranked(self) -> npt.NDArray[np.int64]:
        """The faces that a die of this colour has, best first."""
        order = np.argsort(-self.match)
        return order[self.match[order] > -1]

    @property
    def best(self) -> float:
        return float(self.match.max())

    @property
    def ahead(self) -> float:
        """By how much the best face is better than the next."""
        ranked = self.match[self.ranked]
        second = float(ranked[1]) if len(ranked) > 1 else 0.0
        return self.best - max(second, -0.2)

    @property
    def tone_ahead(self) -> float:
        """By how much the best colour is nearer than the next."""
        near = np.sort(self.off)
        return float(near[1] - near[0]) if len(near) > 1 else 1.0


def _again(
    scene: Scene,
    look: _Look,
    cues: Cues,
    known: Known,
    white: Floats,
    found: npt.NDArray[np.float64],
) -> tuple[_Look, Cues]:
    """Look again at a doubtful face as if there was glare on it; the surer look counts.

    found: (3,) where its square was found: a doubtful face may have been moved aside since then.
    Where two colours are nearly alike, the second look counts: colours shrink under glare.
    """
    side = scene.fit.tray.die_side_mm
    both = [through_glare(scene.drawing, at, side, known, white) for at in (look.place, found)]
    seen = max(both, key=lambda each: each.alike)
    least = _FACE if seen.veil < _BRIGHT else _FACE_BEHIND
    if seen.veil < _VEIL or seen.alike < least:
        return look, cues
    match = seen.match.copy()
    match[~known.possible[int(seen.off.argmin())]] = -1.0
    second = _Look(seen.place, match, seen.off)
    through = cues._replace(
        alike=seen.alike,
        match=second.best,
        ahead=second.ahead,
        tone_ahead=second.tone_ahead,
        tone_off=float(seen.off.min()),
        veil=seen.veil,
        shown=seen.shown,
    )
    surer = face_sure(through) > face_sure(cues)
    return (second, through) if surer or cues.tone_ahead < _LIKE_TWO else (look, cues)


def _close_call(cues: Cues) -> bool:
    """Whether two faces are so near, or the best is so far off, that a closer look is due."""
    return cues.ahead < _NEAR_FACES or cues.match < _FAR_OFF


def _closely(scene: Scene, look: _Look, cues: Cues, fine: Fine) -> tuple[_Look, Cues]:
    """Look closely at a face that others are much like: what fine lines say is named.

    A set whose pictures are lost shows none: then the face stays and is asked about.
    """
    near = fine.match(scene.drawing, look.place, scene.fit.tray.die_side_mm, look.colour)
    if near.max() < _NOTHING:
        return look, cues._replace(agreed=False)
    first, second = np.argsort(-near)[:2] if len(near) > 1 else (0, 0)
    match, best = look.match.copy(), int(look.match.argmax())
    match[first], match[best] = match[best], match[first]
    clear = near[first] - near[second] > _CLEARLY or len(near) < 2
    agreed = bool(first == best and clear)
    return _Look(look.place, match, look.off), cues._replace(agreed=agreed)


def _said(scene: Scene, look: _Look, dice_set: DiceSet, cues: Cues) -> SeenDie:
    """What is said about a die."""
    x, y, angle = float(look.place[0]), float(look.place[1]), float(look.place[2] % 90)
    names = [dice_set.face_names[f] for f in look.ranked]
    chances = face_chances(look.match[look.ranked], cues)
    tray = scene.fit.tray
    on_rim = not _within(x, y, tray, _OUTSIDE_MM)
    cocked = not on_rim and (leans(cues) or _off_wall(x, y, angle, tray) < -_LEANS_MM)
    confidence = chance(cues)
    unsure = chances[0] < 0.2
    if on_rim or unsure:
        confidence = min(confidence, _NOT_SO)
    elif cocked:
        confidence = min(confidence, _COCKED)
    return SeenDie(
        # glare that hides the face hides the colour as well
        colour=None if unsure and cues.burnt > _HIDDEN else dice_set.colour_names[look.colour],
        face=None if unsure else names[0],
        x=round(x, 2),
        y=round(y, 2),
        confidence=round(confidence, 3),
        cocked=cocked,
        on_rim=on_rim,
        likely=tuple((n, round(c, 3)) for n, c in zip(names[:3], chances, strict=False)),
        angle=round(angle, 1),
        crop=crop_of(scene.frame, scene.fit, x, y, angle),
    )


def burnt(face: Floats) -> float:
    """Share of a sampled face that is as bright as the sensor can tell, 0..1."""
    return float((face[4:-4, 4:-4].min(axis=2) > np.log(248 + 6)).mean())


def _within(x: float, y: float, tray: Tray, by: float) -> bool:
    return by <= x <= tray.width_mm - by and by <= y <= tray.height_mm - by


def _off_wall(x: float, y: float, angle: float, tray: Tray) -> float:
    """Room between a die and the nearest wall in millimetres; below 0 it is too near."""
    turn = np.deg2rad(angle)
    reach = tray.die_side_mm / 2 * (abs(np.cos(turn)) + abs(np.sin(turn)))
    return float(min(x, y, tray.width_mm - x, tray.height_mm - y) - reach)
