from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.box import GameBox, Printed
from companion.store import Store
from companion.table import Table
from companion.terms import Answer, Picked, Seat
from tests import toy_game

SEATS = (Seat("ann", "red", "axe"), Seat("bo", "blue", "raven"))


class ToyTable(Table):
    """A table with the toy game's box, since a toy ships no file."""

    def _box(self, game: str) -> GameBox:
        box = super()._box(game)
        box.printed = {"shore.worth": Printed(1, 3)}
        return box

    def box(self) -> GameBox:
        return self._box("toy")

    def kept_in(self) -> Store:
        return self._store

    def close_store(self) -> None:
        self._store.close()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Callable[[], ToyTable]]:
    stores: list[Store] = []

    def again() -> ToyTable:
        for store in stores:
            store.close()
        stores.append(Store(tmp_path / "companion.sqlite"))
        return ToyTable(stores[-1], {"toy": toy_game}, grace=4.0, patience=30.0)

    yield again
    for store in stores:
        store.close()


@pytest.fixture
def table(open_table: Callable[[], ToyTable]) -> ToyTable:
    table = open_table()
    table.start("toy", SEATS, {})
    return table


@pytest.fixture
def raiding(table: ToyTable) -> ToyTable:
    """Both have hidden: the first raid may be rolled."""
    table.answer(Answer("ann.hide", Picked(("cave",)), "ann"))
    table.answer(Answer("bo.hide", Picked(("wood",)), "bo"))
    return table


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB (a tmpfs); only root may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1000k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a small disk here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)
