"""The album of misread dice: what people corrected, kept on this machine and nowhere else.

Each picture is a die's crop as the camera saw it, with the face that a person said it shows. With
them a set can be taught again, unless that would make it worse.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.terms import SeenDie
from vision.colouring import in_crops
from vision.dice_set import CROP, DiceSet
from vision.face import turned
from vision.proof import Proof, face_read, feature_of, prove, without
from vision.seen import Picture

log = logging.getLogger(__name__)
_A_FACE = 0.05  # below this the crop shows a place where nobody knows whether a die lies there


class Correction(msgspec.Struct, frozen=True):
    """One misread die.

    id: of its picture, sha256. set, colour: of the die. face: what a person said it shows. read:
    what the camera had read, "" where it would not say. confidence: how sure it was, 0..1.
    """

    id: str
    set: str
    colour: str
    face: str
    read: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Taught:
    """What teaching a set again comes to.

    dice_set: the set with the album's pictures. new: so many of them were not in it before.
    before, after: how it reads its own examples; album_before, album_after: how it reads the
    album's pictures, each without itself. suspects: pictures that look like another face than was
    said. left_out: pictures of colours or faces that the set does not have.
    """

    dice_set: DiceSet
    new: int
    before: Proof
    after: Proof
    album_before: Proof
    album_after: Proof
    suspects: tuple[Correction, ...]
    left_out: tuple[Correction, ...]

    @property
    def worse(self) -> bool:
        """Whether the set would read anything less well than it does now."""
        examples = self.after.right < self.before.right
        return examples or self.album_after.right < self.album_before.right


class Album:
    """The album in a folder: a picture and a line about it for each correction."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, set_name: str, seen: SeenDie, face: str, jpeg: bytes) -> None:
        """Keep a die that a person corrected; never raises, for the game goes on."""
        picture = _decoded(jpeg)
        if seen.confidence < _A_FACE or not seen.colour or picture is None:
            return
        name = hashlib.sha256(jpeg).hexdigest()
        entry = Correction(
            name, set_name, seen.colour, face, seen.face or "", round(seen.confidence, 3)
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # The picture first: a line without its picture would be of no use.
            (self._folder / f"{name}.jpg").write_bytes(jpeg)
            (self._folder / f"{name}.json").write_bytes(msgspec.json.encode(entry) + b"\n")
        except OSError as error:
            log.warning("the album in %s cannot be kept: %s", self._folder, error)

    def corrections(self, set_name: str = "") -> list[Correction]:
        """Return what is kept, of one set or of all, in the order of sets, colours and faces."""
        found: list[Correction] = []
        for path in self._folder.glob("*.json"):
            try:
                entry = msgspec.json.decode(path.read_bytes(), type=Correction)
            except (OSError, msgspec.DecodeError) as error:
                log.warning("%s is left out of the album: %s", path, error)
                continue
            if entry.id == path.stem and set_name in ("", entry.set):
                found.append(entry)
        return sorted(found, key=lambda e: (e.set, e.colour, e.face, e.id))

    def picture(self, entry: Correction) -> Picture | None:
        """Return the crop of a correction, (128, 128, 3); None where it is gone or damaged."""
        try:
            return _decoded((self._folder / f"{entry.id}.jpg").read_bytes())
        except OSError:
            return None

    def export(self, file: Path) -> int:
        """Write everything into a new zip file; returns how many. Raises `FileExistsError`."""
        entries = self.corrections()
        with zipfile.ZipFile(file, "x") as archive:
            archive.writestr("album.json", msgspec.json.format(msgspec.json.encode(entries)))
            for entry in entries:
                archive.write(self._folder / f"{entry.id}.jpg", f"{entry.id}.jpg")
        return len(entries)

    def clear(self) -> int:
        """Throw everything away; returns how many there were."""
        count = len(self.corrections())
        shutil.rmtree(self._folder, ignore_errors=True)
        return count

    def teach(self, dice_set: DiceSet) -> Taught:
        """Return the set with this album's pictures of it, and how it reads before and after."""
        usable: list[tuple[Correction, Picture]] = []
        left_out: list[Correction] = []
        for entry in self.corrections(dice_set.name):
            picture = self.picture(entry)
            fits = entry.face in dice_set.faces_of(entry.colour)
            if picture is None or not fits:
                left_out.append(entry)
            else:
                usable.append((entry, picture))
        at = [_index_of(picture, dice_set) for _, picture in usable]
        fresh = [pair for pair, place in zip(usable, at, strict=True) if place is None]
        taught = _with(dice_set, fresh)
        own = len(dice_set.faces)
        places = [_index_of(picture, taught) for _, picture in usable]
        was = _read_album(dice_set, usable, at)
        now = _read_album(taught, usable, places)
        suspects = tuple(
            entry for (entry, _), read in zip(usable, now, strict=True) if read != entry.face
        )
        return Taught(
            taught,
            len(fresh),
            prove(dice_set),
            prove(taught, range(own)),
            _proof(usable, was),
            _proof(usable, now),
            suspects,
            tuple(left_out),
        )


def _with(dice_set: DiceSet, fresh: Sequence[tuple[Correction, Picture]]) -> DiceSet:
    """Add pictures as examples of their faces."""
    if not fresh:
        return dice_set
    features = np.stack([feature_of(picture) for _, picture in fresh])
    # A crop no longer knows the light of its frame: it teaches the drawing, and takes its colouring
    # from the example of the same colour and face that looks most like it.
    tones = np.stack(
        [
            dice_set.tones[_nearest(dice_set, entry, feature)]
            for (entry, _), feature in zip(fresh, features, strict=True)
        ]
    )
    crops = np.stack([picture for _, picture in fresh])
    edges, lighter = in_crops(crops, tones)
    return replace(
        dice_set,
        colours=(*dice_set.colours, *(entry.colour for entry, _ in fresh)),
        faces=(*dice_set.faces, *(entry.face for entry, _ in fresh)),
        features=np.concatenate([dice_set.features, features]).astype(np.float32),
        tones=np.concatenate([dice_set.tones, tones]).astype(np.float32),
        crops=np.concatenate([dice_set.crops, crops]),
        edges=np.concatenate([dice_set.edges, edges]),
        lighter=np.concatenate([dice_set.lighter, lighter]),
    )


def _nearest(dice_set: DiceSet, entry: Correction, feature: np.ndarray) -> int:
    like = (turned(feature[None])[0] @ dice_set.features.T).max(axis=0)
    pairs = zip(dice_set.colours, dice_set.faces, strict=True)
    same = np.array([pair == (entry.colour, entry.face) for pair in pairs])
    return int(np.where(same, like, -2.0).argmax())


def _read_album(
    dice_set: DiceSet,
    usable: Sequence[tuple[Correction, Picture]],
    places: Sequence[int | None],
) -> list[str]:
    """Return what each picture is read as by the set, without itself where it is an example."""
    read: list[str] = []
    for (entry, picture), place in zip(usable, places, strict=True):
        others = dice_set if place is None else without(dice_set, place)
        read.append(face_read(others, feature_of(picture), entry.colour))
    return read


def _proof(usable: Sequence[tuple[Correction, Picture]], read: Sequence[str]) -> Proof:
    right = sum(entry.face == face for (entry, _), face in zip(usable, read, strict=True))
    return Proof(right, len(usable))


def _index_of(picture: Picture, dice_set: DiceSet) -> int | None:
    """Return at which place a picture is an example of the set already."""
    same = np.flatnonzero((dice_set.crops == picture).all(axis=(1, 2, 3)))
    return int(same[0]) if len(same) else None


def _decoded(jpeg: bytes) -> Picture | None:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if picture is None or picture.shape != (CROP, CROP, 3):
        return None
    return np.asarray(picture, np.uint8)
