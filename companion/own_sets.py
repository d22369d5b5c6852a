"""The sets of dice that the owners taught: how one is put in the place of another."""

from __future__ import annotations

import shutil
from pathlib import Path

from vision.dice_set import DiceSet


def keep_set(learnt: DiceSet, folder: Path) -> None:
    """Save a set beside the old one and put it in its place: never half of a set."""
    fresh, old = folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    learnt.save(fresh)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
