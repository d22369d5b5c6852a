"""Measure the reader on whole drawn boxes: each is taught, its rolls read, its throws watched.

`python -m vision.trial` scores the boxes that nothing was tuned on (`vision.render_looks.SCORING`);
`--part tuning` those that the reader is tuned on. With `--folder` the boxes are kept there and
drawn only once. The boxes of one run are as their looks and seeds say, on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.fit import TrayNotSeen, find_tray
from vision.learn import enrol
from vision.reading import read_dice
from vision.render import write_box
from vision.render_looks import LOOKS, SCORING, TUNING
from vision.score import NEAR_MM, Score, score_rolls
from vision.seen import Picture
from vision.steady import SettleWatch

ROLLS = 24
"""Rolls drawn of each box."""
_NEAR_FRAMES = 5
_STILL_FRAMES = 10  # the last frame is shown on for so long: a camera does not stop either


@dataclass(slots=True)
class Sequences:
    """Throws watched: how many, noticed once and in time, and read right in the end."""

    thrown: int = 0
    once: int = 0
    in_time: int = 0
    dice: int = 0
    right: int = 0
    off: list[int] = field(default_factory=list[int])


def boxes(part: str, folder: Path, rolls: int = ROLLS) -> Iterator[tuple[str, Path]]:
    """Looks and folder of each box of a part, "tuning" or "scoring"; drawn where not yet there."""
    for looks, seeds in TUNING if part == "tuning" else SCORING:
        for seed in seeds:
            place = folder / f"{looks}-{seed}"
            if not (place / "done").exists():
                write_box(place, seed, rolls, 1, LOOKS[looks])
                (place / "done").touch()
            yield looks, place


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, teach, read, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m vision.trial", description=__doc__)
    parser.add_argument("--part", choices=("scoring", "tuning"), default="scoring")
    parser.add_argument("--folder", type=Path, help="keep the boxes here")
    parser.add_argument("--faults", action="store_true", help="list every fault")
    chosen = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as place:
        folder = chosen.folder or Path(place)
        whole, watched = Score(), Sequences()
        for looks, box in boxes(chosen.part, folder):
            dice_set = enrol(box / "enrol", "trial")
            score = score_rolls(box / "rolls", lambda p, d=dice_set: read_dice([p], d))
            watch(box, dice_set, watched)
            _join(whole, looks, score)
            if chosen.faults:
                sys.stdout.writelines(f"{box.name} {fault}\n" for fault in score.faults)
    sys.stdout.write(f"{whole.table()}\n\n{told(watched)}\n")
    return 0


def watch(box: Path, dice_set: Any, watched: Sequences) -> None:
    """Watch the sequences of a box frame by frame, and read the dice where they came to rest."""
    for path in sorted((box / "sequences").glob("*/truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        frames = [_picture(path.parent / name) for name in truth["frames"]]
        watched.thrown += 1
        watched.dice += truth["n_dice"]
        try:
            fit = find_tray(frames[-1], dice_set.tray)
        except TrayNotSeen:
            continue
        watcher = SettleWatch(fit, dice_set.empty)
        events = [
            watcher.look(k / truth["fps"], f)
            for k, f in enumerate(frames + frames[-1:] * _STILL_FRAMES)
        ]
        settled = [e for e in events if e is not None]
        watched.once += len(settled) == 1
        if settled:
            off = round(settled[-1].since * truth["fps"]) - truth["rest_frame"]
            watched.off.append(off)
            watched.in_time += abs(off) <= _NEAR_FRAMES
        for die in read_dice(frames[-3:], dice_set, fit).dice:
            watched.right += any(
                np.hypot(die.x - t["x"], die.y - t["y"]) < NEAR_MM
                and (die.colour, die.face) == (t["colour"], t["face"])
                for t in truth["dice"]
            )


def told(watched: Sequences) -> str:
    """One line about the sequences."""
    return (
        f"{watched.thrown} throws: {watched.once} noticed once, {watched.in_time} within "
        f"{_NEAR_FRAMES} frames (off by {min(watched.off, default=0)} to "
        f"{max(watched.off, default=0)}), final faces right {watched.right}/{watched.dice}"
    )


def _join(whole: Score, looks: str, score: Score) -> None:
    for difficulty, tally in score.tallies.items():
        whole.add_tally(f"{looks} {difficulty}", tally)
    whole.claims += score.claims
    whole.faults += score.faults


def _picture(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(f"{path}: not a picture that can be read")
    return np.asarray(picture, np.uint8)


if __name__ == "__main__":
    sys.exit(main())
