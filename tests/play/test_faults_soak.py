"""Plugs are pulled and put in at random while a game goes on: nothing is left behind by it."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import random
import threading
import time
from collections import Counter
from functools import _lru_cache_wrapper  # the only name of what `cache` makes
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.demo import Demo
from tests.devices.watching import open_files
from tests.play.plugs import DEVICES, Plugs, RandomPlay, until

pytestmark = pytest.mark.slow
MB = 1024 * 1024
MAY_GROW = {"soak": 16 * MB, "share": 32 * MB}
"""What resident memory may grow by from the warm-up to the end.

Not nothing: the heap's arenas of a dozen threads and the store's page cache fill up as chance has
it, by a few MB, and by more while the warm-up was short. But in the soak a mere 40 kB for each of
400 faults is too much, and in a share of 20 faults one drawn frame for each (8 MB).
"""


class Held(NamedTuple):
    """What this process holds while everything is plugged in and ready."""

    threads: Counter[str]
    files: list[str]
    memory: int  # bytes, resident

    @classmethod
    def now(cls) -> Held:
        _forget_positions()
        names = Counter(thread.name for thread in threading.enumerate())
        return cls(names, open_files(), min(_memory() for _ in range(12)))

    def __str__(self) -> str:
        threads, files = sum(self.threads.values()), len(self.files)
        return f"{threads} threads, {files} open files, {self.memory / MB:.1f} MB"


def _memory() -> int:
    """Return what is resident; the caller takes the least of some, for a frame at work is 8 MB."""
    time.sleep(0.1)  # the next frame
    gc.collect()
    with contextlib.suppress(AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)  # what was freed goes back to the system
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _forget_positions() -> None:
    """Empty the caches of the game: each new position fills them, with or without devices."""
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and one.__module__.startswith("companion.games"):
            one.cache_clear()


class Faults:
    """Pulls and puts plugs at random, with throws and cards in between."""

    def __init__(self, demo: Demo, chance: random.Random) -> None:
        self._demo, self._chance = demo, chance
        self._plugs = Plugs(demo)
        self._pulled: set[str] = set()
        self.count = 0

    def go_on(self, faults: int) -> None:
        """Pull so many plugs and put each in again, in any order; then all are in and ready."""
        until_count = self.count + faults
        while self.count < until_count:
            self._play()
            device = self._chance.choice(DEVICES)
            if device in self._pulled:
                self._put(device)
            else:
                self._pull(device)
            time.sleep(self._chance.choice((0.0, 0.02, 0.2, 0.5, 1.0)))  # any moment will do
        for device in sorted(self._pulled):
            self._put(device)
        self._plugs.until_all_ready()

    def _pull(self, device: str) -> None:
        if device == "tray_controller" and self._chance.random() < 0.5:
            self._demo.controller.unplug(powered=True)
        else:
            self._plugs.pull(device)
        self._pulled.add(device)
        self.count += 1

    def _put(self, device: str) -> None:
        self._plugs.put(device)
        self._pulled.discard(device)

    def _play(self) -> None:
        if self._chance.random() < 0.3:
            dice: list[tuple[str, str | None]] = [("black", None), ("white", None), ("red", None)]
            self._demo.throw(self._chance.sample(dice, self._chance.randint(1, 3)))
        if self._chance.random() < 0.3:
            self._demo.tap(f"04{self._chance.getrandbits(48):012x}")
        if self._chance.random() < 0.1:
            self._demo.controller.press()


@pytest.mark.parametrize("seed", [20])
def test_devices_come_back_and_nothing_is_left_behind(
    tmp_path: Path,
    seed: int,
    soak: bool,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    warm, measured = (100, 400) if soak else (10, 20)
    chance = random.Random(seed)
    raised: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, raised.append
    demo = Demo(tmp_path / "demo", "127.0.0.1", 0, seed=seed)
    demo.start()
    play = RandomPlay(demo.service.table, seed)
    faults = Faults(demo, chance)
    began = time.monotonic()
    try:
        faults.go_on(0)
        start = Held.now()
        faults.go_on(warm)
        warmed = settled(start)
        faults.go_on(measured)
        end = settled(start)
        play.stop()
        demo.controller.settle()
        plugs = Plugs(demo)
        plugs.throw_counts([("black", "helmet"), ("white", "shield")])
        plugs.card_counts("04c0ffee000001")
    finally:
        demo.stop()
        threading.excepthook = hook
    with capsys.disabled():
        took = time.monotonic() - began
        print(  # noqa: T201 - the figures of `make soak`
            f"\n{faults.count} faults in {took:.0f} s, seed {seed}; {play.games} games, "
            f"{play.answers} answers\nat the start: {start}\nafter {warm} faults: {warmed}\n"
            f"at the end: {end}"
        )
    assert not raised
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert end.threads == start.threads, f"seed {seed}"
    assert len(end.files) == len(start.files), f"seed {seed}: {end.files}"
    may_grow = MAY_GROW["soak" if soak else "share"]
    assert end.memory - warmed.memory < may_grow, f"seed {seed}: {warmed}, then {end}"


def settled(start: Held) -> Held:
    """Return what is held once the short threads (a hand, a press) have ended."""
    until(lambda: Counter(t.name for t in threading.enumerate()) == start.threads, Held.now)
    return Held.now()
