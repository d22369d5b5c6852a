"""The bench runs from end to end in its tiny size; how fast it is, no test says."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from companion.session import Row
from companion.store import Store
from companion.table import Table, Taken
from tests.bench.__main__ import PARTS, main
from tests.bench.evening import GAMES, evening
from tests.bench.figure import Aim, Figure, as_table
from tests.bench.random_play import SEATS, full_box

SLOW = {"start", "dice", "room"}


@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=[pytest.mark.slow] if part in SLOW else []) for part in PARTS],
)
def test_each_part_measures_something(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    assert main(["--tiny", "--only", part, "--json", str(file)]) == 0
    written = json.loads(file.read_text("utf-8"))
    assert written["machine"]["cores"] >= 1
    assert written["figures"]
    table = capsys.readouterr().out
    for figure in written["figures"]:
        assert figure["value"] > 0, figure
        assert figure["name"] in table


def test_the_table_says_what_missed_its_aim() -> None:
    table = as_table(
        [
            Figure("quick", 40_000, "/s", Aim("over", 30_000)),
            Figure("slow", 3.0, "s", Aim("under", 2.0)),
            Figure("told", 0.25, "ms", how="by the way"),
        ]
    ).splitlines()
    assert table[2].split() == ["quick", "40,000", "/s", ">", "30,000", "1.33"]
    assert table[3].split() == ["slow", "3.00", "s", "<", "2", "1.50", "missed"]
    assert table[4].split() == ["told", "0.250", "ms", "by", "the", "way"]


@pytest.mark.slow
def test_peers_that_cannot_be_installed_are_told_in_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # as without a network
    assert main(["--tiny", "--only", "random", "--peers"]) == 0
    told = capsys.readouterr()
    assert [line.partition(":")[0] for line in told.err.splitlines() if "could not" in line] == [
        "catanatron could not be measured",
        "chess could not be measured",
    ]
    table = told.out.splitlines()
    assert any(line.startswith("random play, answers") for line in table)
    assert all("elsewhere" in line for line in table if line.startswith("peer"))


def test_an_evening_has_the_rows_that_a_table_writes(tmp_path: Path) -> None:
    rows = evening(60)
    store = Store(tmp_path / "companion.sqlite")
    for key, value in full_box().told.items():
        store.remember("box", "vikingjarl", key, msgspec.msgpack.encode(value))
    table = Table(store, GAMES, wall=lambda: None)
    game = table.start("vikingjarl", SEATS, {})
    for row in rows[1:]:
        assert row.answer is not None
        assert isinstance(table.answer(row.answer), Taken)
    written = [msgspec.msgpack.decode(body, type=Row) for body in store.entries(game)]
    store.close()
    assert written[1:] == rows[1:]
    assert any(row.changes for row in rows)
    assert any(row.known for row in rows)
