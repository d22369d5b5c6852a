"""A damaged file: set aside under a number of its own, and what can be read of it put back.

Row by row: each page of the old file that is still whole gives its rows (`companion.store.pages`).
A row is believed where its checksum agrees (in files older than checksums: where it looks right).
Of each game those entries are kept that follow one another from the first on; a gap ends them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from companion.store.pages import Pages, schema_number
from companion.store.schema import SCHEMA, Column, Shape, crc_of, shapes, upgrade

Row = tuple[Any, ...]
_LASTING = frozenset({"entries", "readings", "pictures", "shown"})
"""Tables whose rows never change: an older version of a page is as good as the newest."""


class GameBack(msgspec.Struct, frozen=True):
    """What came back of one game: how many entries, and of how many more one knows."""

    id: int
    kept: int
    lost: int


class Restored(msgspec.Struct, frozen=True):
    """What became of a damaged file: its new name, its games, and how many pictures are gone."""

    aside: str
    games: tuple[GameBack, ...]
    pictures_lost: int = 0


def restore(path: Path) -> Restored:
    """Set the file at `path` aside and put what can be read of it in its place.

    Nothing is removed before its successor is whole on the disk, so that this may be cut off at any
    moment and done again. Raises `OSError` and `sqlite3.Error` where there is no room or right.
    """
    aside = _set_aside(path)
    try:
        pages = Pages(aside, log_of(aside))
        schema, rows = _believable(pages, schema_number(aside, log_of(aside)))
        restored = Restored(aside.name, *_whole_games(schema, rows, pages))
        make(path, schema, rows, {"restored": msgspec.json.encode(restored).decode()})
    except BaseException:
        _remove(aside)  # the damaged file still lies in its place
        raise
    finish(path)
    return restored


def make(path: Path, schema: int, rows: dict[str, dict[Row, Row]], told: dict[str, str]) -> None:
    """Make a new file with these rows of a schema, lifted to the present one, beside its place.

    `told` are rows for `meta`. `finish` puts it in its place.
    """
    making = path.with_name(f"{path.name}.making")
    _remove(making)
    database = sqlite3.connect(making, isolation_level=None)
    try:
        upgrade(database, schema)
        database.execute("BEGIN")
        for name, found in rows.items():
            marks = ", ".join("?" * len(shapes(schema)[name].columns))
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", found.values())
        database.execute("COMMIT")
        upgrade(database)
        for key, value in told.items():
            row = (key, value, crc_of("meta", key, value))
            database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", row)
    except BaseException:
        database.close()
        _remove(making)
        raise
    finally:
        database.close()
    with making.open("rb") as file:
        os.fsync(file.fileno())
    making.replace(made(path))


def made(path: Path) -> Path:
    """Return the name of a file that is whole and only has to take its place."""
    return path.with_name(f"{path.name}.made")


def finish(path: Path) -> None:
    """Put a file that was made in its place. The old log goes first: it is not the new file's."""
    _remove(path.with_name(f"{path.name}.making"))
    for old in (log_of(path), Path(f"{path}-shm")):
        old.unlink(missing_ok=True)
    made(path).replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def log_of(path: Path) -> Path:
    """Return the name of a file's write-ahead log."""
    return Path(f"{path}-wal")


def _remove(path: Path) -> None:
    for old in (path, log_of(path), Path(f"{path}-shm")):
        old.unlink(missing_ok=True)


def _set_aside(path: Path) -> Path:
    number = 1
    if not path.exists():
        path.touch()
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        if aside.samefile(path):  # this very file, set aside by a start that was cut off
            return aside
        number += 1
    for old, new in ((log_of(path), log_of(aside)), (path, aside)):
        if old.exists():
            new.unlink(missing_ok=True)
            try:
                new.hardlink_to(old)  # needs no room, and the old name is only given up at the end
            except OSError:
                shutil.copy2(old, new)
    return aside


def _believable(pages: Pages, known: int | None) -> tuple[int, dict[str, dict[Row, Row]]]:
    """Return the schema of a damaged file, and by table and key the rows that can be believed."""
    every = list(range(SCHEMA, 0, -1))
    schemas = [schema for schema in every if schema == known] or every
    found: dict[str, dict[Row, Row]] = {}
    for schema in schemas:
        found = {name: {} for name in shapes(schema)}
        alike: dict[int, list[Shape]] = {}
        for shape in shapes(schema).values():
            alike.setdefault(len(shape.columns), []).append(shape)
        for leaf in pages.leaves():
            for number, columns in leaf.cells:
                for shape in alike.get(len(columns), ()):
                    row = _row_of(shape, number, columns)
                    if row is not None:
                        _take(shape, row, found, leaf.final)
        if any(found.values()):
            return schema, found
    return SCHEMA, found


def _take(shape: Shape, row: Row, found: dict[str, dict[Row, Row]], final: bool) -> None:
    key = tuple(value for value, c in zip(row, shape.columns, strict=True) if c.key)
    if final:
        found[shape.table][key] = row
    elif shape.table in _LASTING:
        found[shape.table].setdefault(key, row)


def _row_of(shape: Shape, number: int, columns: tuple[object, ...]) -> Row | None:
    """Return a stored row as a row of this table, None where it is none, or damaged."""
    row: Row = (number, *columns[1:]) if shape.numbered and columns[0] is None else columns
    row = tuple(_as(column, value) for column, value in zip(shape.columns, row, strict=True))
    if not shape.fits(row[:-1] if shape.checked else row):
        return None
    if shape.table == "pictures":
        return row if hashlib.sha256(row[1]).hexdigest() == row[0] else None
    if shape.table == "shown":
        return row if len(row[1]) == 64 else None
    if shape.checked:
        try:
            return row if crc_of(shape.table, *row[:-1]) == row[-1] else None
        except (OverflowError, UnicodeEncodeError):
            return None
    return row if _looks_right(shape.table, row) else None


def _as(column: Column, value: object) -> object:
    """SQLite stores a whole number in a REAL column as an integer."""
    return float(value) if column.kind == "REAL" and isinstance(value, int) else value


def _looks_right(table: str, row: Row) -> bool:
    """For files without checksums: true where the record in this row is of this table's kind."""
    try:
        return all(
            _is_record(table, msgspec.msgpack.decode(value))
            for value in row
            if isinstance(value, bytes)
        )
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _is_record(table: str, record: object) -> bool:
    if table in _MARKS:
        return isinstance(record, dict) and _MARKS[table] in record
    return isinstance(record, list if table == "pending" else (int, str))


_MARKS = {"entries": "number", "readings": "device", "phones": "seats", "answered": "rev"}
"""A field by which a record of each table can be known."""


def _whole_games(
    schema: int, rows: dict[str, dict[Row, Row]], pages: Pages
) -> tuple[tuple[GameBack, ...], int]:
    """Leave of each game what follows without a gap; return what came back, and pictures lost."""
    entries, games = rows["entries"], rows["games"]
    known = set(entries) | _entries_in(pages.index_rows(), {game for game, _ in entries})
    numbers: dict[int, list[int]] = {id: [] for (id,) in games}
    for game, number in known:
        numbers.setdefault(game, []).append(number)
    back: list[GameBack] = []
    for id in sorted(numbers):
        kept = 0
        while (id, kept) in entries:
            kept += 1
        beyond = [number for number in numbers[id] if number >= kept]
        back.append(GameBack(id, kept, len(beyond)))
        for number in beyond:
            entries.pop((id, number), None)
        if not kept:
            games.pop((id,), None)
        elif (id,) not in games:
            games[(id,)] = _game_row(schema, id, entries[(id, 0)][2])
    if any(game.lost for game in back):
        rows["answered"].clear()  # a repeated answer must not be told of a step that is gone
    there = {id for (id,) in games}
    for key in [key for key, row in rows["pending"].items() if row[1] not in there]:
        del rows["pending"][key]
    pictures = {sha256 for (sha256,) in rows["pictures"]}
    shown = rows.get("shown", {})
    gone = [key for key in shown if key[1] not in pictures]
    for key in gone:
        del shown[key]
    return tuple(back), len({sha256 for _, sha256 in gone})


def _entries_in(index: Iterable[tuple[object, ...]], games: set[Any]) -> set[Row]:
    """Return the entries that the index of their table names, of games that are known."""
    named: set[Row] = set()
    for columns in index:
        match columns:
            case (int(game), int(number), int()) if game in games and 0 <= number < 1_000_000:
                named.add((game, number))
            case _:
                continue
    return named


def _game_row(schema: int, id: int, start: bytes) -> Row:
    """Return the row of a game whose own is lost, as its first entry tells it."""
    body: dict[str, Any] = msgspec.msgpack.decode(start)
    told: Row = (id, str(body.get("game", "")), float(body.get("at") or 0.0))
    if schema == 1:
        return told
    laid = (*told, id)
    return (*laid, crc_of("games", *laid))
