"""Read faces through glare: a lamp's reflection lies over a drawing like a bright, blurred veil.

In linear light a reflection is added to what is there: the steps of the drawing stay as large as
they were, and so do the differences between the colours. In log brightness, which the reader works
in otherwise, both shrink. So where a face is doubtful it is looked at again in linear light, with
all that is smooth taken away; what is as bright as the sensor can tell is unknown and is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.colouring import edges_of, on_disc
from vision.dice_set import SCALE
from vision.face import EDGE, FACE, TONES, around, describe_known, sample, tones
from vision.fit import MARGIN_MM
from vision.known import Known
from vision.light import Floats, linear

_BLUR_MM = 1.7  # what is smoother than this is the reflection, what is finer is drawn
_WINDOW_MM = 17.0  # of the drawing around a face, to every side
_BURNT = 0.993  # share of the sensor's range from which on it cannot tell any more
_SHARPEN = 3.0  # cameras press bright steps together: this power of what they give spreads them
_KNOWN = 0.4  # share of a cell that must be seen
_LEAST_CELLS = 6
_STEPS = ((2.5, 5.0), (1.5, 5.0), (0.75, 3.0), (0.4, 1.5))  # millimetres and degrees, each round
_NEAREST = 4  # examples of a colour that are tried
_SHIFT, _TURN = 2, 5.0  # pixels and degrees by which an example laid over a face may be off
_OVERLAY = 1.2  # how much that counts beside the directions of the drawing's edges
_GAMMA = 2.2
_BRIGHTNESS = (0.25, 0.4, 0.6, 0.8, 1.0, 1.3)  # of the die's own light, against its examples
_VEIL_COSTS = 0.05
_DARKNESS_COSTS = 0.015
_EDGE_COSTS = 0.25  # the edge around the face is mostly clear of the reflection
_DRAWN_COSTS = 0.25  # light on dark is no dark on light, however bright the lamp
_BURNT_EDGE = np.log(np.float32(248 + 6))  # log brightness from which on an edge tells nothing


@dataclass(frozen=True, slots=True, eq=False)
class Through:
    """One face as it is seen through glare.

    place: (3,) centre x, y in tray millimetres and angle. alike: resemblance to the nearest example
    in the cells that are seen, -1..1; match: (faces,) the same in what tells faces apart, and how
    well each lies over what is drawn. shown: share of what tells the best face apart that is not
    burnt out, 0..1. off: (colours,) how far each colour is from explaining what is seen, 0 at best;
    veil: how bright the reflection is then, white paper being 1.
    """

    place: npt.NDArray[np.float64]
    alike: float
    match: Floats
    shown: float
    off: Floats
    veil: float


def through_glare(
    drawing: Floats,
    place: npt.NDArray[np.float64],
    side_mm: float,
    known: Known,
    white: Floats,
) -> Through:
    """Look at one face again, as if a lamp was mirrored in it.

    drawing: (h, w, 3) log brightness, straight; place: (3,) centre x, y in tray millimetres and
    angle in degrees; white: (3,) log brightness of white paper there.
    """
    corner = np.floor((place[:2] - _WINDOW_MM + MARGIN_MM) * SCALE).astype(int).clip(0)
    far = corner + round(2 * _WINDOW_MM * SCALE)
    window = np.ascontiguousarray(drawing[corner[1] : far[1], corner[0] : far[0]])
    steps = _steps(window)
    moved = place - np.array([*(corner / SCALE), 0.0])
    best = moved
    for step, turn in _STEPS:
        tries = best + around(step, turn)
        features, seen = _describe(steps, tries, side_mm)
        best = tries[int(_alike(features, seen, known.bank).max(axis=1).argmax())]
    features, seen = _describe(steps, best[None], side_mm)
    alike = _alike(features, seen, known.bank)[0]
    match, shown = _match(features[0], seen[0], known)
    face = sample(window, best[None], side_mm, SCALE, MARGIN_MM)
    off, veil = _colours(tones(face)[0], alike, known, white)
    edge = edges_of(face)[0]
    clear = edge.min(axis=1) < _BURNT_EDGE
    if clear.any():
        off += np.float32(_EDGE_COSTS) * known.edge_distances(edge[clear] - white)
    overlaid = _overlaid(steps, best, side_mm, known)
    drawn = np.array([overlaid[rows].max() for rows in known.by_colour], np.float32)
    off += np.float32(_DRAWN_COSTS) * (1 - drawn)
    own = known.colours == off.argmin()
    each = [_both(float(match[rows].max()), overlaid[rows[own[rows]]]) for rows in known.by_face]
    return Through(
        place=best + (place - moved),
        alike=float(alike.max()),
        match=np.array(each, np.float32),
        shown=shown,
        off=off,
        veil=veil,
    )


def _steps(window: Floats) -> Floats:
    """What is finely drawn, in linear light, and what of it is known: (h, w, 6)."""
    light = linear(window)
    clear = (light < _BURNT).astype(np.float32)
    light = light**_SHARPEN
    size = _BLUR_MM * SCALE
    share = np.maximum(cv2.GaussianBlur(clear, (0, 0), size), 1e-3)
    fine = light - cv2.GaussianBlur(light * clear, (0, 0), size) / share
    return np.concatenate([fine, clear], axis=2, dtype=np.float32)


def _describe(
    steps: Floats, places: npt.NDArray[np.float64], side_mm: float
) -> tuple[Floats, Floats]:
    """Descriptions (n, 288) and how far each of their cells is seen, (n, 36)."""
    both = [
        sample(np.ascontiguousarray(p), places, side_mm, SCALE, MARGIN_MM)
        for p in np.split(steps, 2, 2)
    ]
    return describe_known(both[0], both[1] > 0.999)


def _overlaid(
    steps: Floats, place: npt.NDArray[np.float64], side_mm: float, known: Known
) -> Floats:
    """How well each example fits when it is laid over the drawing, light on light, (rows,), -1..1.

    It is shifted by up to two pixels and turned by up to five degrees. Under a lamp this tells
    faint drawings that their directions alone do not.
    """
    places = place + np.array([(0.0, 0.0, turn) for turn in (-_TURN, 0.0, _TURN)])
    fine, clear = (
        sample(np.ascontiguousarray(p), places, side_mm, SCALE, MARGIN_MM)
        for p in np.split(steps, 2, 2)
    )
    light = (fine * clear).sum(axis=3) / np.maximum(clear.sum(axis=3), 1)
    moves = range(EDGE - _SHIFT, EDGE + _SHIFT + 1)
    tries = [light[:, y : y + FACE, x : x + FACE] for y in moves for x in moves]
    return np.asarray((known.lighter @ on_disc(np.concatenate(tries)).T).max(axis=1), np.float32)


def _both(match: float, overlaid: Floats) -> float:
    """What directions and overlay say of one face together; overlaid: of its own colour's dice."""
    if not len(overlaid):
        return match
    return float((match + _OVERLAY * overlaid.max()) / (1 + _OVERLAY))


def _alike(features: Floats, seen: Floats, bank: Floats) -> Floats:
    """Resemblance (n, rows) of descriptions to known ones in the cells that are seen, -1..1."""
    known = np.repeat(seen > _KNOWN, features.shape[1] // seen.shape[1], axis=1)
    count = known.sum(axis=1, keepdims=True)
    mean = (features * known).sum(axis=1, keepdims=True) / np.maximum(count, 1)
    features = (features - mean) * known
    weights = known.astype(np.float32)
    size = np.sqrt(
        np.maximum((weights @ (bank * bank).T) - (weights @ bank.T) ** 2 / np.maximum(count, 1), 0)
    ) * np.linalg.norm(features, axis=1, keepdims=True)
    result = np.asarray(features @ bank.T / (size + 1e-6), np.float32)
    result[(seen > _KNOWN).sum(axis=1) < _LEAST_CELLS] = 0
    return result


def _match(feature: Floats, seen: Floats, known: Known) -> tuple[Floats, float]:
    """How each example matches in what tells faces apart, (rows,), and how much of that is seen."""
    cells = seen > _KNOWN
    if cells.sum() < _LEAST_CELLS:
        return np.full(len(known.bank), -1.0, np.float32), 0.0
    chosen = np.repeat(cells, len(feature) // len(seen))
    bank = known.bank[:, chosen]
    middle = bank.mean(axis=1, keepdims=True)
    bank = bank - middle
    shared = known.shared[:, chosen]
    shared = shared - shared.mean(axis=1, keepdims=True)
    own = feature[chosen] - feature[chosen].mean()
    own *= np.linalg.norm(bank, axis=1).mean() / (np.linalg.norm(own) + 1e-6)
    left = _unit(own - shared)
    rest = _unit(bank - shared[known.colours])
    match = np.einsum("ij,ij->i", rest, left[known.colours])
    best = int(match.argmax())
    telling = known.bank[best] - known.shared[known.colours[best]]
    telling = (telling * telling).reshape(len(seen), -1).sum(axis=1)
    return match, float(telling @ np.minimum(seen, 1) / (telling.sum() + 1e-6))


def _unit(rows: Floats) -> Floats:
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)


def _colours(colouring: Floats, alike: Floats, known: Known, white: Floats) -> tuple[Floats, float]:
    """How far each colour is from explaining a colouring (8, 8, 3) with a veil over it.

    Answers (colours,), and the veil of the best.
    """
    chosen = [rows[np.argsort(-alike[rows])[:_NEAREST]] for rows in known.by_colour]
    seen = np.exp((colouring - white) * _GAMMA)
    brightest = np.exp((np.log(np.float32(255 + 6)) - white) * _GAMMA)
    examples = np.exp(known.tones[np.concatenate(chosen)] * _GAMMA)
    cost, veil = _veiled(seen, brightest, examples)
    starts = np.cumsum([0, *(len(rows) for rows in chosen[:-1])])
    return np.minimum.reduceat(cost, starts).astype(np.float32), float(veil[cost.argmin()])


def _veiled(seen: Floats, brightest: Floats, examples: Floats) -> tuple[Floats, Floats]:
    """What it costs to take a colouring (8, 8, 3) for each example (n, 8, 8, 3) under a veil.

    All in linear light, white paper being 1; brightest: (3,) what the sensor can tell at most.
    """
    clear = seen < brightest * np.float32(0.97)
    clear_share = clear / np.maximum(clear.sum(axis=2, keepdims=True), 1)
    none = ~clear.any(axis=2)
    given = np.sqrt(np.minimum(seen, brightest) + np.float32(0.01))
    count = len(examples)
    cost, veil = np.full(count, np.inf, np.float32), np.zeros(count, np.float32)
    for brightness in _BRIGHTNESS:
        body = examples * np.float32(brightness)
        # The veil has the lamp's colour: what it must add, in the colours that are not burnt out.
        added = ((seen - body) * clear_share).sum(axis=3)
        added = np.where(none, (brightest - body).max(axis=3), added)
        added = np.maximum(added, 0).transpose(1, 2, 0).astype(np.float32)
        smooth = cv2.GaussianBlur(added, (0, 0), 1.2).reshape(TONES, TONES, -1).transpose(2, 0, 1)
        told = np.sqrt(np.minimum(body + smooth[..., None], brightest) + np.float32(0.01))
        apart = (np.abs(told - given).mean(axis=3) * _disc()).sum(axis=(1, 2))
        mean = (np.minimum(smooth, 1) * _disc()).sum(axis=(1, 2))
        total = apart + _VEIL_COSTS * mean + _DARKNESS_COSTS * abs(np.log(brightness))
        better = total < cost
        cost[better], veil[better] = total[better], mean[better]
    return cost, veil


@cache
def _disc() -> Floats:
    """Weights of a colouring's cells, those outside the face's circle 0; they sum up to 1."""
    ys, xs = np.mgrid[0:TONES, 0:TONES] - (TONES - 1) / 2
    inside = (np.hypot(xs, ys) < TONES * 0.52).astype(np.float32)
    return inside / inside.sum()
