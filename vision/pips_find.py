"""Find the upper faces of dice with pips in a picture, whatever their size.

A small network looks at the picture at several scales, each half the one before; each scale is
good for dice whose upper face is 17 to 46 pixels wide there. A second one looks at what was found
and says what it is.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.seen import Picture

Floats = npt.NDArray[np.float32]

SIZES = (17.0, 46.0)
"""Width of an upper face (root of its area), in pixels, that the finder has learnt."""
FACE_PX = 48
"""Side of the crop that the reader sees, in pixels."""
FACE_REACH = 1.9
"""Side of that crop, in sides of the face: the neighbouring faces tell which one is up."""

_STRIDE = 4
_TYPICAL = 28.0  # the finder answers sizes as logarithms, in units of this
_WORTH_A_LOOK = 0.12  # chance of an upper face from which on the reader is asked
_WORTH_A_SECOND_LOOK = 0.2  # chance of pips from which on the mirrored crop is read too,
_SURE = 0.985  # up to this chance of one face
_LOOKS_AT_MOST = 80
_SMALL, _AROUND = 112, 48  # pictures narrower than this get that much more on each side
_CLASSES = 7
_MIDDLE = (FACE_PX - 1) / 2
_loaded = threading.local()


@dataclass(frozen=True, slots=True)
class Level:
    """A picture at one scale; `scale` times the original one."""

    picture: Picture
    scale: float


@dataclass(frozen=True, slots=True)
class Found:
    """What may be an upper face.

    x, y, size: centre and width in pixels of the original picture; chance: 0..1, by the finder.
    """

    x: float
    y: float
    size: float
    chance: float


class Face(NamedTuple):
    """What a place shows.

    chances: (7,) of no upper face with pips, and of 1 to 6 pips. tilt: (2,) how far the face is
    turned away from the camera: the part of its outward normal, length 1, that the picture shows,
    right and down. off: by how much that may be wrong, one deviation.
    """

    chances: Floats
    tilt: Floats
    off: float


def levels(picture: Picture, first: float) -> list[Level]:
    """The picture `first` times as large, then halved until nothing can be in it."""
    height, width = picture.shape[:2]
    result: list[Level] = []
    scale = first
    current = picture
    while True:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        if size != (current.shape[1], current.shape[0]):
            how = cv2.INTER_AREA if size[0] < current.shape[1] else cv2.INTER_CUBIC
            current = np.asarray(cv2.resize(current, size, interpolation=how), np.uint8)
        result.append(Level(current, size[0] / width))
        if min(size) < SIZES[1]:
            return result
        scale /= 2


def find_faces(level: Level) -> list[Found]:
    """Places of this level where an upper face may be, most likely first."""
    height, width = level.picture.shape[:2]
    # A die that fills a picture is found only with something around it.
    before = _AROUND if min(height, width) < _SMALL else 0
    pad_y, pad_x = before + -height % 8, before + -width % 8
    padded = cv2.copyMakeBorder(level.picture, before, pad_y, before, pad_x, cv2.BORDER_REPLICATE)
    answer = _ask("pips_find", cv2.dnn.blobFromImage(padded, 1 / 255))[0]
    heat = answer[0]
    peak = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _logit(_WORTH_A_LOOK))
    rows, columns = np.nonzero(peak)
    found: list[Found] = []
    for row, column in zip(rows, columns, strict=True):
        log_size, dx, dy = answer[1:, row, column]
        x = (int(column) + float(np.clip(dx, -1.5, 1.5))) * _STRIDE + (_STRIDE - 1) / 2 - before
        y = (int(row) + float(np.clip(dy, -1.5, 1.5))) * _STRIDE + (_STRIDE - 1) / 2 - before
        size = _TYPICAL * float(np.exp(np.clip(log_size, -1.2, 1.2)))
        if not (0 <= x < width and 0 <= y < height):
            continue
        chance = float(1 / (1 + np.exp(-heat[row, column])))
        found.append(
            Found(
                (x + 0.5) / level.scale - 0.5,
                (y + 0.5) / level.scale - 0.5,
                size / level.scale,
                chance,
            )
        )
    return sorted(found, key=lambda f: -f.chance)[:_LOOKS_AT_MOST]


def read_faces(looks: Sequence[Level], found: Sequence[Found]) -> list[Face]:
    """What each place shows."""
    if not found:
        return []
    crops: list[Picture] = []
    for place in found:
        level = _fitting(looks, place.size)
        x, y = (place.x + 0.5) * level.scale - 0.5, (place.y + 0.5) * level.scale - 0.5
        crops.append(crop_face(level.picture, x, y, place.size * level.scale))
    planes = normalised(np.stack(crops))
    answers = _ask("pips_face", planes)
    # A die and its mirror image show the same, so what may be a die is looked at twice.
    chances = _shares(answers[:, :_CLASSES])
    again = np.flatnonzero(
        (chances[:, 0] < 1 - _WORTH_A_SECOND_LOOK) & (chances[:, 1:].max(axis=1) < _SURE)
    )
    if len(again):
        mirrored = _ask("pips_face", np.ascontiguousarray(planes[again][..., ::-1]))
        mirrored[:, _CLASSES] *= -1
        answers[again] = (answers[again] + mirrored) / 2
        chances[again] = _shares(answers[again, :_CLASSES])
    off = np.exp(np.clip(answers[:, -1], -4, 1))
    return [
        Face(c, a[_CLASSES:-1], float(o)) for c, a, o in zip(chances, answers, off, strict=True)
    ]


def crop_face(picture: Picture, x: float, y: float, size: float) -> Picture:
    """What the reader sees of a face that is `size` pixels wide: (48, 48, 3)."""
    scale = FACE_PX / (FACE_REACH * size)
    matrix = np.array([[scale, 0, _MIDDLE - scale * x], [0, scale, _MIDDLE - scale * y]])
    crop = cv2.warpAffine(
        picture, matrix, (FACE_PX, FACE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def normalised(crops: Picture) -> Floats:
    """Crops (n, h, w, 3) as (n, 3, h, w), each with mean 0 and deviation 1."""
    planes = crops.transpose(0, 3, 1, 2).astype(np.float32)
    planes -= planes.mean(axis=(1, 2, 3), keepdims=True)
    return planes / (planes.std(axis=(1, 2, 3), keepdims=True) + 4)


def _shares(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def _fitting(looks: Sequence[Level], size: float) -> Level:
    """The level at which a face of `size` comes nearest to its size in the crop."""
    wanted = np.log(FACE_PX / FACE_REACH)
    return min(looks, key=lambda level: abs(np.log(size * level.scale) - wanted - 0.2))


def _ask(name: str, blob: npt.ArrayLike) -> Floats:
    # A network of OpenCV serves one thread at a time.
    net = getattr(_loaded, name, None)
    if net is None:
        path = Path(__file__).with_name(f"{name}.onnx")
        if not path.exists():
            raise FileNotFoundError(
                f"{path} is missing: install the package anew, or run python -m vision.pips_train"
            )
        # OpenCV 5 has two engines; the one of OpenCV 4 runs networks as small as these much faster.
        classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        given = () if classic is None else (classic,)
        net = cv2.dnn.readNetFromONNX(str(path), *given)
        setattr(_loaded, name, net)
    net.setInput(np.asarray(blob, np.float32))
    return np.asarray(net.forward(), np.float32)


def _logit(chance: float) -> float:
    return float(np.log(chance / (1 - chance)))
