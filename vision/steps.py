"""Draw how a frame becomes faces: `python -m vision.steps FILE` makes the picture of the README."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.edges import Edges
from vision.find import find_squares
from vision.fit import MARGIN_MM, find_tray
from vision.known import known
from vision.learn import enrol
from vision.light import compare, halved, logarithm, soften
from vision.reading import read_dice
from vision.render import random_box, random_roll, render, write_enrolment
from vision.seen import Picture

_SEED, _ROLL = 41, 41_101
_SCALE = 1.5
_WIDTH = 384


def main(arguments: Sequence[str] | None = None) -> int:
    """Four panels: the frame, what differs from the empty tray, the squares, what is read."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) != 1:
        sys.stderr.write("python -m vision.steps FILE.jpg: one file to write was expected\n")
        return 2
    box, rng = random_box(_SEED), np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as place:
        write_enrolment(box, Path(place), rng, shots=3)
        dice_set = enrol(Path(place), "steps")
    frame, _ = render(box, random_roll(box, "medium", _ROLL), rng)
    fit = find_tray(frame)
    half = halved(soften(logarithm(fit.rectify(frame, 2 * _SCALE))))
    empty = known(dice_set).empty
    assert empty is not None
    change = compare(half, empty, round(MARGIN_MM * _SCALE))
    straight = fit.rectify(frame, _SCALE)
    changed = straight.copy()
    changed[~change.mask] //= 4
    side = fit.tray.die_side_mm
    squares = straight.copy()
    for square in find_squares(Edges(half, _SCALE, MARGIN_MM), change, side):
        _outline(squares, square.x, square.y, square.angle, side, (60, 200, 255))
    read = straight.copy()
    for die in read_dice([frame], dice_set, fit).dice:
        colour = (80, 220, 80) if die.certain else (60, 60, 240)
        _outline(read, die.x, die.y, die.angle, side, colour)
        at = (round((die.x + MARGIN_MM - 11) * _SCALE), round((die.y + MARGIN_MM - 11) * _SCALE))
        name = f"{die.face} {die.confidence:.2f}"
        cv2.putText(read, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.32, colour, 1, cv2.LINE_AA)
    panels = [_sized(p) for p in (frame, changed, squares, read)]
    whole = np.vstack([np.hstack(panels[:2]), np.hstack(panels[2:])])
    if not cv2.imwrite(given[0], whole, [cv2.IMWRITE_JPEG_QUALITY, 85]):
        raise OSError(f"{given[0]} could not be written; is its folder there and writable?")
    return 0


def _outline(
    picture: Picture, x: float, y: float, angle: float, side: float, colour: tuple[int, int, int]
) -> None:
    middle = ((x + MARGIN_MM) * _SCALE, (y + MARGIN_MM) * _SCALE)
    corners = cv2.boxPoints((middle, (side * _SCALE, side * _SCALE), angle))
    cv2.polylines(picture, [np.rint(corners).astype(np.int32)], True, colour, 1, cv2.LINE_AA)


def _sized(picture: Picture) -> Picture:
    height = round(picture.shape[0] * _WIDTH / picture.shape[1])
    small = cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (_WIDTH, 300)), np.uint8)


if __name__ == "__main__":
    sys.exit(main())
