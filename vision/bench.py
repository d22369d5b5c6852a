"""How long looking takes: settle watch, full read, and a plain blob reader on the same frames.

`python -m vision.bench` draws its own frames, works on one thread, and prints milliseconds.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.fit import find_tray
from vision.learn import enrol
from vision.reading import read_dice
from vision.render import Box, random_box, random_roll, render, write_enrolment
from vision.render_random import scatter
from vision.seen import Picture
from vision.steady import SettleWatch

_SEED = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; `--repeat` takes the median of so many runs."""
    parser = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("--repeat", type=int, default=15)
    repeat = max(3, parser.parse_args(arguments).repeat)
    cv2.setNumThreads(1)
    box = random_box(_SEED)
    rng = np.random.default_rng(_SEED)
    with tempfile.TemporaryDirectory() as place:
        write_enrolment(box, Path(place), rng, shots=4)
        dice_set = enrol(Path(place), "bench")
    frame = _eight_dice(box, rng)
    fit = find_tray(frame)
    wide = np.asarray(cv2.resize(frame, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
    watch = SettleWatch(find_tray(wide), dice_set.empty)
    ticks = iter(range(10**9))
    count = len(read_dice([frame], dice_set, fit).dice)
    rows = [
        ("settle watch, 1280 x 720", _ms(lambda: watch.look(next(ticks) / 30, wide), repeat)),
        (
            f"find the tray, {frame.shape[1]} x {frame.shape[0]}",
            _ms(lambda: find_tray(frame), repeat),
        ),
        (f"full read, {count} symbol dice", _ms(lambda: read_dice([frame], dice_set, fit), repeat)),
        ("plain blob reader, same frame", _ms(lambda: _blobs(frame), repeat)),
        ("plain Hough circles, same frame", _ms(lambda: _circles(frame), repeat)),
    ]
    pips = _twenty_pips(rng)
    rows.append(("plain blob reader, 20 D6", _ms(lambda: _blobs(pips), repeat)))
    read_pips = _pip_reader(pips)
    if read_pips is not None:
        rows.append(("full read, 20 D6", _ms(lambda: read_pips(pips, None), repeat)))
    for name, ms in rows:
        sys.stdout.write(f"{name:<36}{ms:>8.2f} ms\n")
    ratio = rows[2][1] / rows[3][1]
    sys.stdout.write(f"full read / plain blob reader{ratio:>16.2f}\n")
    if read_pips is not None:
        sys.stdout.write(f"20 D6 / plain blob reader{rows[-1][1] / rows[5][1]:>20.2f}\n")
    return 0


def _pip_reader(frame: Picture) -> Callable[..., object] | None:
    """The reader of pips, imported late: the reader of symbol dice does not need it."""
    try:
        read_pips = importlib.import_module("vision.pips").read_pips
        read_pips(frame, None)
    except (ModuleNotFoundError, FileNotFoundError) as error:
        sys.stdout.write(f"(no reader of pips: {error})\n")
        return None
    return read_pips


def _ms(call: Callable[[], object], repeat: int) -> float:
    """Median milliseconds of a call, after one to warm up."""
    call()
    times: list[float] = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def _eight_dice(box: Box, rng: np.random.Generator) -> Picture:
    plan = random_roll(box, "easy", _SEED)
    plan = replace(plan, dice=scatter(box, 8, set(), rng), hand=None)
    return render(box, plan, rng)[0]


def _twenty_pips(rng: np.random.Generator) -> Picture:
    """Twenty dice with pips, drawn flat: five rows of four on grey."""
    picture = np.full((720, 960, 3), 90, np.uint8)
    picture += rng.integers(0, 12, picture.shape, np.uint8)
    for k in range(20):
        x, y = 160 + 190 * (k % 4), 90 + 130 * (k // 4)
        cv2.rectangle(picture, (x, y), (x + 60, y + 60), (225, 228, 230), -1)
        for dx, dy in _PIPS[k % 6]:
            cv2.circle(
                picture, (x + 30 + 17 * dx, y + 30 + 17 * dy), 6, (30, 30, 34), -1, cv2.LINE_AA
            )
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


_PIPS = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)


def _blobs(frame: Picture) -> int:
    """What a tutorial does: round blobs of about a pip's size."""
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = 0.6
    detector = cv2.SimpleBlobDetector.create(settings)
    return len(detector.detect(cv2.medianBlur(frame, 7)))


def _circles(frame: Picture) -> int:
    """The other tutorial: Hough circles of about a pip's size."""
    grey = cv2.medianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), 5)
    found = cv2.HoughCircles(grey, cv2.HOUGH_GRADIENT, 1, 8, None, 120, 18, 3, 12)
    return 0 if found is None else found.shape[1]


if __name__ == "__main__":
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # NumPy reads these once, when it is loaded: so begin again with them set.
        os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
        os.execv(sys.executable, [sys.executable, "-m", "vision.bench", *sys.argv[1:]])
    sys.exit(main())
