"""One file keeps everything: older files are lifted, newer ones left alone, old pictures go."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.store import LAST_GAMES, Store, StoreTrouble
from companion.store.schema import SCHEMA
from companion.table import Table
from companion.terms import Answer, Dice, DiceReading, Die, Number, Picked, SeenDie
from tests.table.conftest import SEATS, ToyTable

SCHEMA_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (id INTEGER PRIMARY KEY, game TEXT NOT NULL, started REAL);
CREATE TABLE entries (game INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (game, number));
CREATE TABLE readings (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE pictures (sha256 TEXT PRIMARY KEY, jpeg BLOB NOT NULL);
CREATE TABLE box (game TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (game, key));
CREATE TABLE tags (game TEXT NOT NULL, uid TEXT NOT NULL, card TEXT NOT NULL,
  PRIMARY KEY (game, uid));
CREATE TABLE pending (id INTEGER PRIMARY KEY, game INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE phones (phone TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE answered (id TEXT PRIMARY KEY, outcome BLOB NOT NULL);
PRAGMA user_version = 1;
"""
"""What the first program wrote. It never changes any more."""
ROLL = Dice((Die("black", "helmet"), Die("black", "helmet"), Die("black", "shield")))


def thrown(settle: int, game: str = "") -> tuple[DiceReading, set[str]]:
    """Return a certain throw of three dice, each with its picture, and the pictures' names."""
    crops = [f"jpeg of die {die}, throw {settle} {game}".encode() for die in range(3)]
    names = [hashlib.sha256(crop).hexdigest() for crop in crops]
    dice = tuple(
        SeenDie("black", "helmet", 0.98, 20.0 * i, 30.0, crop=name) for i, name in enumerate(names)
    )
    kept = dict(zip(names, crops, strict=True))
    return DiceReading("tray_camera", "battle", dice, settle, 1.0, pictures=kept), set(names)


def as_schema_1(path: Path) -> None:
    """Write the rows of a closed file as the first program would have written them."""
    old = path.with_suffix(".old")
    new, now = sqlite3.connect(old), sqlite3.connect(path)
    new.executescript(SCHEMA_1)
    new.execute("PRAGMA journal_mode = WAL")
    tables = [row[0] for row in new.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in new.execute(f"PRAGMA table_info({table})")]
        rows = now.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        marks = ", ".join("?" * len(columns))
        new.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    new.commit()
    new.close()
    now.close()
    path.unlink()
    old.replace(path)


def schema_in(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[60:64], "big")


def test_a_file_of_the_first_schema_is_lifted_and_nothing_of_it_is_lost(
    raiding: ToyTable, open_table: Callable[[], ToyTable], tmp_path: Path
) -> None:
    raiding.answer(Answer("box:shore.worth", Number(2)))
    seen, names = thrown(1)
    raiding.read(seen, now=10.0)
    raiding.tick(14.0)
    raiding.answer(Answer("fact:bo.silver", Number(5), person="Bo"), id="tap-1")
    raiding.undo()
    raiding.keep_phone("signe's", raiding.phone("signe's"))
    table = open_table()
    before, story = table.look(), table.story()
    path = tmp_path / "companion.sqlite"
    table.close_store()
    as_schema_1(path)
    assert schema_in(path) == 1

    table = open_table()
    after = table.look()
    assert after.view == before.view
    assert after.redoable == before.redoable
    assert after.devices == ()
    assert table.story() == story
    assert set(table.story()[-1].pictures) == set()
    throw = next(step for step in table.story() if step.source.kind == "throw")
    assert set(throw.pictures) == names
    assert throw.source.reading is not None
    assert schema_in(path) == SCHEMA
    assert not list(tmp_path.glob("*.schema-*")), "the copy stands only as long as it is needed"
    assert not list(tmp_path.glob("*.damaged-*"))


def test_a_lift_that_finds_no_room_leaves_the_old_file_as_it_was(
    raiding: ToyTable, open_table: Callable[[], ToyTable], tmp_path: Path
) -> None:
    path, before = tmp_path / "companion.sqlite", raiding.look()
    open_table().close_store()
    as_schema_1(path)
    old = path.read_bytes()
    (tmp_path / "companion.schema-1.sqlite").mkdir()  # where the copy should go stands a folder
    (tmp_path / "companion.schema-1.sqlite" / "mine.txt").write_text("keep")
    with pytest.raises(StoreTrouble):
        Store(path)
    assert path.read_bytes() == old
    (tmp_path / "companion.schema-1.sqlite" / "mine.txt").unlink()
    (tmp_path / "companion.schema-1.sqlite").rmdir()
    assert open_table().look().view == before.view


def test_a_file_of_a_newer_schema_is_told_and_never_touched(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "companion.sqlite"
    assert isinstance(table, ToyTable)
    table.close_store()
    future = sqlite3.connect(path)
    future.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    future.close()
    before = {file.name: file.read_bytes() for file in tmp_path.glob("*.sqlite*")}
    with pytest.raises(StoreTrouble, match=rf"has schema {SCHEMA + 1}.*expected.*use the newer"):
        Store(path)
    assert {file.name: file.read_bytes() for file in tmp_path.glob("*.sqlite*")} == before


def test_a_newer_schema_that_stands_only_in_the_log_is_not_touched_either(
    table: Table, tmp_path: Path
) -> None:
    path = tmp_path / "companion.sqlite"
    assert isinstance(table, ToyTable)
    table.close_store()
    future = sqlite3.connect(path)
    future.execute("PRAGMA wal_autocheckpoint = 0")
    future.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    torn = {file: file.read_bytes() for file in tmp_path.glob("*.sqlite*")}
    future.close()
    for file in tmp_path.glob("*.sqlite*"):
        file.unlink()
    for file, body in torn.items():
        if not file.name.endswith("-shm"):
            file.write_bytes(body)
    assert schema_in(path) == SCHEMA
    with pytest.raises(StoreTrouble, match=f"has schema {SCHEMA + 1}"):
        Store(path)
    assert (tmp_path / "companion.sqlite-wal").read_bytes() == torn[Path(f"{path}-wal")]


def test_pictures_are_kept_for_the_last_twenty_games_on_the_table(
    open_table: Callable[[], ToyTable],
) -> None:
    table = open_table()
    pictures: dict[int, set[str]] = {}
    for number in range(1, LAST_GAMES + 3):
        id = table.start("toy", SEATS, {})
        seen, pictures[id] = thrown(number, f"of game {id}")
        table.read(seen, now=1.0)
    assert kept(table, pictures) == list(pictures)[2:]
    table.resume(1)  # its own pictures went long ago, and it displaces another
    assert kept(table, pictures) == list(pictures)[3:]
    table.resume(4)
    table.start("toy", SEATS, {})
    assert kept(table, pictures) == [4, *list(pictures)[5:]], (
        "a game played again is not an old one"
    )


def kept(table: Table, pictures: dict[int, set[str]]) -> list[int]:
    """Return the games all of whose pictures are there; of the others none may be."""
    there = {
        id: [table.picture(name) is not None for name in names] for id, names in pictures.items()
    }
    assert all(all(found) or not any(found) for found in there.values())
    return [id for id, found in there.items() if all(found)]


def test_a_step_whose_pictures_are_gone_is_still_told(open_table: Callable[[], ToyTable]) -> None:
    table = open_table()
    first = play_a_throw(table, 1)
    assert len(table.story()[0].pictures) == 3
    told = table.story()
    for _ in range(LAST_GAMES):
        table.start("toy", SEATS, {})
    table.resume(first)
    assert table.story()[0].pictures == ()
    assert [step.told for step in table.story()] == [step.told for step in told]


def play_a_throw(table: Table, settle: int) -> int:
    id = table.start("toy", SEATS, {})
    for seat in ("ann", "bo"):
        table.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat))
    table.answer(Answer("box:shore.worth", Number(2)))
    table.read(thrown(settle)[0], now=10.0)
    table.tick(14.0)
    assert table.story()[0].source.kind == "throw"
    return id


def test_the_game_that_was_started_last_lies_on_the_table_after_a_restart(
    open_table: Callable[[], ToyTable],
) -> None:
    first = open_table().start("toy", SEATS, {})
    assert open_table().look().game_id == first
    second = open_table().start("toy", SEATS, {})
    assert open_table().look().game_id == second


def test_each_game_keeps_the_answers_that_wait_in_it(open_table: Callable[[], ToyTable]) -> None:
    table = open_table()
    games: list[int] = []
    for _ in range(2):
        games.append(table.start("toy", SEATS, {}))
        for seat in ("ann", "bo"):
            table.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat))
        table.answer(Answer("raid.roll", ROLL, "ann"))
    for game in games:
        table = open_table()
        table.resume(game)
        assert [waiting.key for waiting in table.look().pending] == ["raid.roll"]


def test_what_its_checksum_could_not_find_again_is_not_written(tmp_path: Path) -> None:
    store = Store(tmp_path / "companion.sqlite")
    with pytest.raises(TypeError, match="no row of meta"):
        store.remember("meta", "runs", 5)
    assert store.recall("meta", key="runs") == []
    store.close()
