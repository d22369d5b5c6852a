"""How long looking takes: settle watch, full read, and a plain blob reader on the same frames.

`python -m vision.bench` draws its own frames, works on one thread, and prints milliseconds of
processor time; the ratios are those of the medians.
"""

from __future__ import annotations

import argparse
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
from vision.pips import read_pips
from vision.reading import read_dice
from vision.render import Box, Roll, random_box, random_roll, render, write_enrolment
from vision.render_art import artwork
from vision.render_battle import pip_dice
from vision.render_random import scatter
from vision.seen import Picture
from vision.steady import SettleWatch

_SEED = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; `--repeat` is how often each thing is done."""
    parser = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    parser.add_argument("--repeat", type=int, default=25)
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
    tray, plain = _twenty_in_the_tray(box, rng), _twenty_pips(rng)
    tray_fit = find_tray(tray)
    count = len(read_dice([frame], dice_set, fit).dice)
    in_tray, in_photo = len(read_pips(tray, tray_fit).dice), len(read_pips(plain).dice)
    size = f"{frame.shape[1]} x {frame.shape[0]}"
    jobs: list[tuple[str, Callable[[], object]]] = [
        ("settle watch, 1280 x 720", lambda: watch.look(next(ticks) / 30, wide)),
        (f"find the tray, {size}", lambda: find_tray(frame)),
        (f"full read, {count} symbol dice", lambda: read_dice([frame], dice_set, fit)),
        ("  plain blob reader", lambda: _blobs(frame)),
        ("  plain Hough circles", lambda: _circles(frame)),
        (f"full read, {in_tray} D6 in the tray", lambda: read_pips(tray, tray_fit)),
        ("  plain blob reader", lambda: _blobs(tray)),
        (f"full read, {in_photo} D6, plain photograph", lambda: read_pips(plain)),
        ("  plain blob reader", lambda: _blobs(plain)),
    ]
    sys.stdout.write(f"{size}, one thread, {repeat} times each, processor time\n")
    sys.stdout.write(f"{'':<38}{'median':>10}{'best':>10}\n")
    medians: list[float] = []
    for name, job in jobs:
        times = _ms(job, repeat)
        medians.append(float(np.median(times)))
        sys.stdout.write(f"{name:<38}{medians[-1]:>7.2f} ms{times[0]:>7.2f} ms\n")
    ratios = (
        ("symbol dice: read / plain blob reader", 2, 3),
        ("symbol dice: read / plain Hough circles", 2, 4),
        ("D6 in the tray: read / plain blob reader", 5, 6),
        ("D6, photograph: read / plain blob reader", 7, 8),
    )
    for name, own, plain_one in ratios:
        sys.stdout.write(f"{name:<48}{medians[own] / medians[plain_one]:>10.2f}\n")
    return 0


def _ms(call: Callable[[], object], repeat: int) -> list[float]:
    """Milliseconds of the processor's time of each of some calls, shortest first, one to warm up.

    What other programs take of the processor is not in it, what they take of its cache is.
    """
    call()
    times: list[float] = []
    for _ in range(repeat):
        start = time.process_time()
        call()
        times.append(1000 * (time.process_time() - start))
    return sorted(times)


def _eight_dice(box: Box, rng: np.random.Generator) -> Picture:
    plan = random_roll(box, "easy", _SEED)
    plan = replace(plan, dice=scatter(box, 8, set(), rng), hand=None)
    return render(box, plan, rng)[0]


def _twenty_in_the_tray(box: Box, rng: np.random.Generator) -> Picture:
    dice = pip_dice(["ivory"] * 12 + ["green"] * 8)
    full = replace(box, kinds=dice, artwork=artwork("pips"))
    lying = tuple(scatter(full, 20, {"touching"}, rng))
    return render(full, replace(Roll.empty(full), dice=lying), rng)[0]


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
