"""What makes ordinary dice hard to read in plain photographs, one thing at a time.

`python -m vision.pips_hardships` draws dice without a tray's markers and prints a table;
`--photographs FOLDER --list FILE --part tuning` spoils photographs in the same ways instead. The
tests hold every line of the drawn ones to a floor.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.fit import find_tray
from vision.pips import read_pips
from vision.pips_hardships_light import SPOILT
from vision.render import Roll, random_box, render
from vision.render_art import Artwork, artwork
from vision.render_faces import DieKind, Print
from vision.render_looks import UNSEEN, Looks
from vision.render_place import scatter
from vision.render_stage import Colour
from vision.seen import Picture

__all__ = ["BODIES", "DRAWN", "SPOILT", "Line", "Shown", "measure", "photographs", "plain_picture"]

SEED = 880
"""Seeds of the drawn pictures: from here on."""
PICTURES = 12
"""Drawn pictures of each hardship."""

BODIES: dict[str, Colour] = {
    "ivory": (190, 214, 224),
    "white": (226, 228, 230),
    "black": (38, 36, 36),
    "red": (40, 36, 170),
    "blue": (150, 70, 30),
    "green": (70, 104, 40),
    "yellow": (50, 190, 220),
    "purple": (120, 50, 90),
    "orange": (40, 110, 225),
}
_DARK_INK: Colour = (34, 34, 38)
_LIGHT_INK: Colour = (226, 232, 232)
_PRINT = Print(
    paper=BODIES,
    ink={c: _DARK_INK if sum(b) > 420 else _LIGHT_INK for c, b in BODIES.items()},
    sticker_mm=0.0,
    frame="none",
    icon_mm=13.0,
)
_FACES = ("1", "6", "2", "5", "3", "4")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and what a person reads in it.

    faces: of the dice with pips that lie flat, "1" to "6". odd: pixels (n, 2) of dice that lean.
    """

    picture: Picture
    faces: Counter[str]
    odd: tuple[tuple[float, float], ...] = ()


@dataclass(slots=True)
class Line:
    """What came of one hardship.

    pictures, exact: how many, and how many with every die right and no other. dice, right: dice
    that lie flat, and those read right. extra: read and not there, or read wrong. wrong: of those
    the certain ones. unsure: right ones that are asked about. odd, told, certain: dice that lean,
    those said to be cocked, those certain all the same.
    """

    pictures: int = 0
    exact: int = 0
    dice: int = 0
    right: int = 0
    extra: int = 0
    wrong: int = 0
    unsure: int = 0
    odd: int = 0
    told: int = 0
    certain: int = 0


def measure(shown: Iterable[Shown]) -> Line:
    """Read pictures and count."""
    line = Line()
    for one in shown:
        read = list(read_pips(one.picture).dice)
        for x, y in one.odd:
            line.odd += 1
            for die in [d for d in read if np.hypot(d.x - x, d.y - y) < 0.4 * _reach(one)]:
                read.remove(die)
                line.told += die.cocked
                line.certain += die.certain
        seen = Counter(str(d.face) for d in read)
        sure = Counter(str(d.face) for d in read if d.certain)
        line.pictures += 1
        line.exact += seen == one.faces
        line.dice += one.faces.total()
        line.right += (seen & one.faces).total()
        line.extra += (seen - one.faces).total()
        line.wrong += (sure - one.faces).total()
        line.unsure += (seen & one.faces).total() - (sure & one.faces).total()
    return line


def _reach(one: Shown) -> float:
    """About the width of a die in a drawn picture: the tray is 200 mm wide, a die 16."""
    return one.picture.shape[1] * 0.08


# --------------------------------------------------------------------------------- drawn pictures


def plain_picture(
    seed: int,
    conditions: set[str],
    count: int = 5,
    colours: Sequence[str] = ("ivory",),
    looks: Looks = UNSEEN,
    art: Artwork | None = None,
) -> Shown:
    """Dice on felt, drawn as `vision.render` draws a tray, without rim and markers.

    conditions: as `vision.render_place.scatter` takes them; `art`: another drawing than pips.
    """
    rng = np.random.default_rng([seed, 17])
    box = random_box(seed, looks)
    faces = _FACES if art is None else tuple(art.icons)[:1] * 6
    names = [colours[k % len(colours)] for k in range(count)]
    kinds = tuple(
        DieKind(k, c, faces, BODIES[c], 2.2, 0.5, print=_PRINT) for k, c in enumerate(names)
    )
    box = replace(box, kinds=kinds, artwork=art or artwork("pips"))
    lying = tuple(scatter(box, count, conditions, rng))
    frame, truth = render(box, replace(Roll.empty(box), dice=lying), rng)
    fit = find_tray(frame)
    wide, high = fit.tray.width_mm, fit.tray.height_mm
    corners = fit.to_px(np.array([[0.0, 0.0], [wide, 0.0], [wide, high], [0.0, high]]), 0.0)
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    flat = [d for d in truth["dice"] if not d["cocked"]]
    odd = [d for d in truth["dice"] if d["cocked"]]
    places = fit.to_px(np.array([[d["x"], d["y"]] for d in odd]).reshape(-1, 2))
    return Shown(
        np.ascontiguousarray(frame[top:bottom, left:right]),
        Counter(d["face"] for d in flat) if art is None else Counter(),
        tuple((float(x - left), float(y - top)) for x, y in places),
    )


def _lying(conditions: set[str], count: int, *colours: str) -> Callable[[int, Looks], Shown]:
    return lambda seed, looks: plain_picture(seed, conditions, count, colours or ("ivory",), looks)


def _symbols(seed: int, looks: Looks) -> Shown:
    """Dice with two symbols: none of them has pips."""
    names = looks.drawings
    art = artwork(names[seed % len(names)])
    return plain_picture(seed, {"touching"}, 6, tuple(BODIES), looks, art)


@cache
def _unspoiled(seed: int, looks: Looks) -> Shown:
    return plain_picture(seed, {"touching"}, 5, ("ivory", "red", "black"), looks)


def _spoiled(name: str) -> Callable[[int, Looks], Shown]:
    def draw(seed: int, looks: Looks) -> Shown:
        plain = _unspoiled(seed, looks)
        return replace(plain, picture=SPOILT[name](plain.picture, np.random.default_rng(seed)))

    return draw


DRAWN: dict[str, Callable[[int, Looks], Shown]] = {
    "apart": _lying(set(), 5),
    "touching": _lying({"touching"}, 6),
    "twenty, touching": _lying({"touching"}, 20, "ivory", "green", "red", "black"),
    "every colour": _lying({"touching"}, 9, *BODIES),
    "one leans": _lying({"cocked"}, 5),
    "symbols": _symbols,
    **{name: _spoiled(name) for name in SPOILT},
}
"""Every drawn hardship by name: makes the picture of a seed."""


# -------------------------------------------------------------------------------------- photographs


def photographs(folder: Path, listing: Path, part: str) -> list[Shown]:
    """Photographs of `folder`, with the truth of its MANIFEST.csv, that `listing` gives to a part.

    listing: lines "PART FILE".
    """
    with (folder / "MANIFEST.csv").open(newline="") as lines:
        truth = {row["file"]: row["label"] for row in csv.DictReader(lines)}
    result: list[Shown] = []
    for line in listing.read_text().splitlines():
        named = line.split()
        if named[:1] == [part]:
            picture = cv2.imread(str(folder / named[1]), cv2.IMREAD_COLOR)
            if picture is None:
                raise OSError(f"{folder / named[1]}: not a picture that can be read")
            result.append(Shown(np.asarray(picture, np.uint8), Counter(truth[named[1]].split())))
    return result


def _pasted(photos: Sequence[Shown], rng: np.random.Generator) -> Shown:
    """Dice of several photographs cut out and laid against each other on one of them.

    Where they lie is what the reader finds in the untouched photograph.
    """
    side, gap, reach = 90, 1.12, 0.62
    ground = photos[int(rng.integers(len(photos)))].picture
    patch = ground[: ground.shape[0] // 4, : ground.shape[1] // 2]
    canvas = np.asarray(cv2.resize(patch, (1280, 960), interpolation=cv2.INTER_CUBIC), np.uint8)
    faces: Counter[str] = Counter()
    for k in range(9):
        photo = photos[int(rng.integers(len(photos)))]
        dice = read_pips(photo.picture).dice
        die = dice[int(rng.integers(len(dice)))]
        assert die.crop is not None
        # The crop is one and a half sides wide.
        wide = round(1.5 * side)
        crop = cv2.resize(die.crop, (wide, wide), interpolation=cv2.INTER_AREA)
        mask = np.zeros((wide, wide), np.float32)
        cv2.circle(mask, (wide // 2, wide // 2), round(reach * side), 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None]
        x = round(420 + (k % 3) * gap * side + rng.normal(0, 3))
        y = round(280 + (k // 3) * gap * side + rng.normal(0, 3))
        spot = canvas[y : y + wide, x : x + wide]
        spot[:] = np.asarray(crop * mask + spot * (1 - mask), np.uint8)
        faces[str(die.face)] += 1
    return Shown(canvas, faces)


def _side_by_side(photos: Sequence[Shown], rng: np.random.Generator) -> Shown:
    """Four photographs as one."""
    four = [photos[int(k)] for k in rng.permutation(len(photos))[:4]]
    cells = [_square(p.picture, 800) for p in four]
    picture = np.vstack([np.hstack(cells[:2]), np.hstack(cells[2:])])
    faces: Counter[str] = Counter()
    for one in four:
        faces += one.faces
    return Shown(np.asarray(picture, np.uint8), faces)


def _square(picture: Picture, side: int) -> Picture:
    share = side / max(picture.shape[:2])
    fitting = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    below, beside = (side - n for n in fitting.shape[:2])
    return np.asarray(
        cv2.copyMakeBorder(fitting, 0, below, 0, beside, cv2.BORDER_REPLICATE), np.uint8
    )


def _spoil_photographs(photos: list[Shown]) -> Iterable[tuple[str, Line]]:
    for name, spoil in SPOILT.items():
        rng = np.random.default_rng(len(name))
        yield name, measure(replace(p, picture=spoil(p.picture, rng)) for p in photos)
    for name, compose in (("pasted together", _pasted), ("side by side", _side_by_side)):
        rng = np.random.default_rng(len(name))
        yield name, measure(compose(photos, rng) for _ in range(len(photos)))


def _row(name: str, n: Line) -> str:
    odd = f"{n.told}/{n.certain}/{n.odd}" if n.odd else "-"
    exact, right = f"{n.exact}/{n.pictures}", f"{n.right}/{n.dice}"
    return f"{name:<24}{exact:>8}{right:>10}{n.extra:>7}{n.wrong:>14}{n.unsure:>8}{odd:>10}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all and print."""
    parser = argparse.ArgumentParser(prog="python -m vision.pips_hardships", description=__doc__)
    parser.add_argument("--photographs", type=Path, metavar="FOLDER")
    parser.add_argument("--list", type=Path, metavar="FILE", help="lines: part, file")
    parser.add_argument("--part", default="tuning")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    sys.stdout.write(
        f"{'':<24}{'exact':>8}{'right':>10}{'extra':>7}{'wrong >= 0.9':>14}{'unsure':>8}"
        f"{'lean: told/certain/all':>24}\n"
    )
    if given.photographs:
        for name, line in _spoil_photographs(
            photographs(given.photographs, given.list, given.part)
        ):
            sys.stdout.write(_row(name, line) + "\n")
        return 0
    for name, draw in DRAWN.items():
        line = measure(draw(SEED + k, UNSEEN) for k in range(PICTURES))
        sys.stdout.write(_row(name, line) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
