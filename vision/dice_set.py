"""The dice that the reader knows: examples of each face, kept in a folder and loaded by name."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.camera import Tray
from vision.colouring import in_crops
from vision.light import Floats
from vision.seen import Picture

SCALE = 3.0
"""Pixels per millimetre of the straight drawing that faces are read from."""
CROP = 128
"""Pixels along a kept crop; the face's side is two thirds of it."""
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")
"""What a set, a colour or a face may be called."""


class DiceSetError(ValueError):
    """A set cannot be learnt or loaded: says what was seen, what was expected and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceSet:
    """Dice that the reader knows.

    name: of the set; tray: the measures it was enrolled with.
    colours, faces: (n,) names, one entry per example.
    features: (n, 288) descriptions of the examples, see `vision.face`.
    tones: (n, 8, 8, 3) their coarse colouring, log brightness relative to white paper.
    crops: (n, 128, 128, 3) the examples as seen.
    edges: (n, 4, 3) colour of their rounded edges, like `tones`; lighter: (n, 24, 24) how much
        lighter their drawing is than what surrounds it; see `vision.colouring`.
    empty: straight drawing of the empty tray at `SCALE`, or None where none was shown.
    """

    name: str
    tray: Tray
    colours: tuple[str, ...]
    faces: tuple[str, ...]
    features: Floats
    tones: Floats
    crops: npt.NDArray[np.uint8]
    edges: Floats
    lighter: Floats
    empty: Picture | None

    @property
    def colour_names(self) -> tuple[str, ...]:
        """Body colours, in alphabetical order."""
        return tuple(sorted(set(self.colours)))

    @property
    def face_names(self) -> tuple[str, ...]:
        """Faces, in alphabetical order."""
        return tuple(sorted(set(self.faces)))

    def faces_of(self, colour: str) -> tuple[str, ...]:
        """Faces that dice of one colour have."""
        return tuple(
            sorted({f for c, f in zip(self.colours, self.faces, strict=True) if c == colour})
        )

    def examples(self, colour: str, face: str) -> int:
        """How many examples of one face were learnt."""
        pairs = zip(self.colours, self.faces, strict=True)
        return sum((c, f) == (colour, face) for c, f in pairs)

    def save(self, folder: Path) -> None:
        """Keep the set in `folder`: crops, `faces.npz`, `set.json`, `empty.png`."""
        (folder / "crops").mkdir(parents=True, exist_ok=True)
        for old in (folder / "crops").glob("*.png"):
            old.unlink()
        for i, (colour, face) in enumerate(zip(self.colours, self.faces, strict=True)):
            cv2.imwrite(str(folder / "crops" / f"{i:03d}-{colour}-{face}.png"), self.crops[i])
        if self.empty is not None:
            cv2.imwrite(str(folder / "empty.png"), self.empty)
        np.savez_compressed(
            folder / "faces.npz",
            features=self.features.astype(np.float16),
            tones=self.tones.astype(np.float16),
        )
        kept = {
            "name": self.name,
            "tray": asdict(self.tray),
            "examples": [
                {"colour": c, "face": f} for c, f in zip(self.colours, self.faces, strict=True)
            ],
        }
        (folder / "set.json").write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")

    @classmethod
    def load(cls, folder: Path) -> DiceSet:
        """Load a kept set. Raises `DiceSetError` where a file is missing or damaged."""
        try:
            kept = msgspec.json.decode((folder / "set.json").read_bytes(), type=_Kept)
            with np.load(folder / "faces.npz", allow_pickle=False) as arrays:
                features = arrays["features"].astype(np.float32)
                tones = arrays["tones"].astype(np.float32)
        except FileNotFoundError as error:
            raise DiceSetError(
                f"no dice set in {folder} ({Path(error.filename).name} is missing): enrol it first"
            ) from error
        except (msgspec.DecodeError, OSError, KeyError, ValueError) as error:
            raise DiceSetError(
                f"the dice set in {folder} is damaged ({error}): enrol it again"
            ) from error
        if not len(features) == len(tones) == len(kept.examples):
            raise DiceSetError(
                f"the dice set in {folder} is damaged: {len(kept.examples)} examples named, "
                f"{len(features)} described; enrol it again"
            )
        names = [f"{i:03d}-{e.colour}-{e.face}.png" for i, e in enumerate(kept.examples)]
        crops = [cv2.imread(str(folder / "crops" / n), cv2.IMREAD_COLOR) for n in names]
        blank = np.zeros((CROP, CROP, 3), np.uint8)
        seen = np.stack([blank if c is None else c for c in crops]).astype(np.uint8)
        edges, lighter = in_crops(seen, tones)
        empty = None
        if (folder / "empty.png").exists():
            empty = cv2.imread(str(folder / "empty.png"), cv2.IMREAD_COLOR)
        return cls(
            name=kept.name,
            tray=kept.tray,
            colours=tuple(e.colour for e in kept.examples),
            faces=tuple(e.face for e in kept.examples),
            features=features,
            tones=tones,
            crops=seen,
            edges=edges,
            lighter=lighter,
            empty=None if empty is None else np.asarray(empty, np.uint8),
        )


class _Example(msgspec.Struct, frozen=True):
    colour: str
    face: str


class _Kept(msgspec.Struct, frozen=True):
    name: str
    tray: Tray
    examples: tuple[_Example, ...]


def find_set(name: str, folder: Path) -> DiceSet:
    """Load a set by name: the owner's own from `folder`, else one that is shipped.

    Raises `DiceSetError` where there is none of that name, or it is damaged.
    """
    if not NAME.fullmatch(name):
        raise DiceSetError(f"{name!r} is no name of a dice set")
    shipped = Path(__file__).parent / "dice"
    for place in (folder, shipped):
        if (place / name / "set.json").exists():
            return DiceSet.load(place / name)
    known = sorted({p.parent.name for f in (folder, shipped) for p in f.glob("*/set.json")})
    listed = f"known sets: {', '.join(known)}" if known else "no set is known yet"
    raise DiceSetError(f"no dice set '{name}' ({listed}): enrol it with 'companion dice enrol'")
