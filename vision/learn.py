"""Teach the reader an owner's dice: a few pictures of each face, and of the empty tray.

A set is enrolled from a folder with a `manifest.json` and kept as a folder of its own: the crops of
the faces (so that a better reader can learn from them again), one compact file, and the empty tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np

from vision.alike import FacesAlike, refuse_alike
from vision.camera import Tray
from vision.colouring import in_crops
from vision.dice_set import CROP, NAME, SCALE, DiceSet, DiceSetError, find_set
from vision.face import EDGE, FACE, describe, sample, tones
from vision.fit import MARGIN_MM, TrayFit, TrayNotSeen, find_tray
from vision.light import Floats, logarithm, soften
from vision.seen import Picture
from vision.together import View, together, view_of

__all__ = [
    "DiceSet",
    "DiceSetError",
    "FacesAlike",
    "Manifest",
    "Shot",
    "ShotError",
    "crop_of",
    "enrol",
    "find_set",
    "read_manifest",
    "white_at",
]


class Shot(msgspec.Struct, frozen=True):
    """One picture of a manifest. Other fields of the file are not used.

    kind: "empty" (the tray without dice), "die" (one die in the tray) or "crop" (a face alone,
    filling the picture); colour and face are wanted for the last two.
    """

    image: str
    kind: Literal["empty", "die", "crop"]
    colour: str | None = None
    face: str | None = None


class ShotError(DiceSetError):
    """Nothing can be learnt from one picture: `shot` tells which."""

    def __init__(self, shot: Shot, seen: str) -> None:
        self.shot = shot
        super().__init__(f"{shot.image}: {seen}")


class Manifest(msgspec.Struct, frozen=True):
    """What lies in an enrolment folder."""

    shots: tuple[Shot, ...]


def enrol(
    folder: Path, name: str, tray: Tray | None = None, shots: Sequence[Shot] | None = None
) -> DiceSet:
    """Learn a set from the pictures of a folder, as its `manifest.json` names them.

    shots: only these of them. Raises `DiceSetError` with the file at fault: manifest missing or
    wrong, picture missing or unreadable, markers not seen, no die or too little of one found;
    `FacesAlike` where two faces look too much alike.
    """
    tray = tray or Tray()
    if not NAME.fullmatch(name):
        raise DiceSetError(
            f"a set cannot be called {name!r}: use small letters, digits, '-' and '_' (at most 41)"
        )
    shots = read_manifest(folder) if shots is None else shots
    empties: list[Picture] = []
    views: list[tuple[Shot, Picture, TrayFit]] = []
    alone: list[tuple[Shot, Picture]] = []
    for shot in shots:
        picture = _picture(folder / shot.image)
        if shot.kind == "crop":
            alone.append((shot, picture))
            continue
        try:
            fit = find_tray(picture, tray, least=3)
        except (TrayNotSeen, ValueError) as error:
            raise ShotError(shot, str(error)) from error
        if shot.kind == "empty":
            empties.append(fit.rectify(picture, SCALE))
        else:
            views.append((shot, picture, fit))
    if views and not empties:
        raise DiceSetError(
            f"{folder / 'manifest.json'} names no picture of kind 'empty': add one of the tray "
            "without dice, better three"
        )
    empty = np.median(np.stack(empties), axis=0).astype(np.uint8) if empties else None
    examples = _from_views(views, empty, tray) if empty is not None else []
    examples += [_from_crop(shot, picture) for shot, picture in alone]
    colourings, crops = np.stack([e[2] for e in examples]), np.stack([e[3] for e in examples])
    edges, lighter = in_crops(crops, colourings)
    learnt = DiceSet(
        name=name,
        tray=tray,
        colours=tuple(str(s.colour) for s, _, _, _ in examples),
        faces=tuple(str(s.face) for s, _, _, _ in examples),
        features=np.stack([f for _, f, _, _ in examples]),
        tones=colourings,
        crops=crops,
        edges=edges,
        lighter=lighter,
        empty=empty,
    )
    refuse_alike(learnt)
    return learnt


def read_manifest(folder: Path) -> tuple[Shot, ...]:
    """Read and check `manifest.json` of an enrolment folder; raises `DiceSetError`."""
    path = folder / "manifest.json"
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError as error:
        raise DiceSetError(f"{path} is missing: it must name the pictures to learn from") from error
    except OSError as error:
        raise DiceSetError(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise DiceSetError(f"{path} is no manifest: {error}") from error
    for at, shot in enumerate(manifest.shots):
        where = f"{path}: shots[{at}] ({shot.image})"
        if Path(shot.image).name != shot.image or not shot.image:
            raise DiceSetError(f"{where}: 'image' must be a plain file name")
        if shot.kind == "empty":
            continue
        for field in ("colour", "face"):
            value = getattr(shot, field)
            if value is None or not NAME.fullmatch(value):
                raise DiceSetError(
                    f"{where}: '{field}' is {value!r}, expected a name of small letters, digits, "
                    "'-' and '_'"
                )
    if not any(shot.kind != "empty" for shot in manifest.shots):
        raise DiceSetError(f"{path} names no picture of kind 'die' or 'crop': nothing to learn")
    return manifest.shots


def crop_of(frame: Picture, fit: TrayFit, x: float, y: float, angle: float) -> Picture:
    """Cut one face out of a frame, turned upright, with a margin: (128, 128, 3)."""
    reach = fit.tray.die_side_mm * 0.75
    turn = np.deg2rad(angle)
    u = np.array([np.cos(turn), np.sin(turn)]) * reach
    v = np.array([-np.sin(turn), np.cos(turn)]) * reach
    middle = np.array([x, y])
    # Over one die perspective is as good as none.
    corners = np.stack([middle - u - v, middle + u - v, middle - u + v])
    source = fit.to_px(corners).astype(np.float32)
    target = np.array([(0, 0), (CROP, 0), (0, CROP)], np.float32) - np.float32(0.5)
    matrix = cv2.getAffineTransform(source, target)
    crop = cv2.warpAffine(
        frame, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def white_at(white: Floats, tray: Tray, x: float, y: float) -> Floats:
    """Log brightness of white paper at a place of the tray, (3,), from its four markers."""
    u = float(np.clip(x / tray.width_mm, 0, 1))
    v = float(np.clip(y / tray.height_mm, 0, 1))
    level = (white[0] * (1 - u) + white[1] * u) * (1 - v) + (white[3] * (1 - u) + white[2] * u) * v
    return np.log(level + 6.0).astype(np.float32)


def _picture(path: Path) -> Picture:
    if not path.exists():
        raise DiceSetError(f"{path} is missing, but the manifest names it")
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise DiceSetError(f"{path} is no picture that can be read: JPEG or PNG expected")
    return np.asarray(picture, np.uint8)


_Learnt = tuple[Shot, Floats, Floats, Picture]


def _from_views(
    views: list[tuple[Shot, Picture, TrayFit]], empty: Picture, tray: Tray
) -> list[_Learnt]:
    """Find the one die in each picture: the square whose drawing its fellows share."""
    found: list[View] = []
    for shot, picture, fit in views:
        view = view_of(picture, fit, empty, str(shot.face))
        if not len(view.places):
            raise ShotError(
                shot,
                f"no {shot.colour} die found in the tray; one die on the felt, clearly different "
                "from it, was expected",
            )
        found.append(view)
    result: list[_Learnt] = []
    uppers = together(found, tray.die_side_mm)
    for (shot, picture, fit), view, upper in zip(views, found, uppers, strict=True):
        x, y, angle = (float(value) for value in upper.place)
        face = sample(view.drawing, upper.place[None], tray.die_side_mm, SCALE, MARGIN_MM)
        colouring = tones(face)[0] - white_at(fit.white(picture), tray, x, y)
        result.append((shot, upper.feature, colouring, crop_of(picture, fit, x, y, angle)))
    return result


def _from_crop(shot: Shot, picture: Picture) -> _Learnt:
    inner = cv2.resize(picture, (FACE, FACE), interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(inner, EDGE, EDGE, EDGE, EDGE, cv2.BORDER_REPLICATE)
    faces = soften(logarithm(np.asarray(framed, np.uint8)))[None]
    colouring = tones(faces)[0] - np.log(np.float32(235 + 6))
    rim = CROP // 6
    kept = cv2.resize(picture, (CROP - 2 * rim, CROP - 2 * rim), interpolation=cv2.INTER_AREA)
    kept = cv2.copyMakeBorder(kept, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    return shot, describe(faces)[0], colouring, np.asarray(kept, np.uint8)
