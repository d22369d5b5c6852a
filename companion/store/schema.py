"""What the tables are, and the numbered steps by which an older file becomes a newer one.

A new file is made by the same steps, so that a file has one form however old it is. The steps are
SQL; the few functions they may call (`FUNCTIONS`) read the stored records, which SQL cannot.
"""

from __future__ import annotations

import functools
import json
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

STEPS: tuple[str, ...] = (
    # 1: games, their logs, what devices saw, and what is remembered over games.
    """
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
    """,
    # 2: a reading knows its game and its pictures, so that pictures of old games can go; games know
    # their order on the table; each row carries a checksum, so that damage is noticed row by row.
    # A throw that was never taken belongs to the game of the taken one before it, else after it.
    """
    ALTER TABLE games ADD COLUMN laid INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET laid = id;
    UPDATE games SET laid = (SELECT MAX(id) + 1 FROM games)
      WHERE id = (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'current');
    CREATE TABLE shown (reading INTEGER NOT NULL, sha256 TEXT NOT NULL,
      PRIMARY KEY (reading, sha256));
    INSERT OR IGNORE INTO shown
      SELECT readings.id, named.value FROM readings, json_each(pictures_of(readings.body)) AS named;
    DELETE FROM shown WHERE sha256 NOT IN (SELECT sha256 FROM pictures);
    ALTER TABLE readings ADD COLUMN game INTEGER NOT NULL DEFAULT 0;
    CREATE TEMP TABLE taken AS
      SELECT reading_of(body) AS reading, MIN(game) AS game FROM entries
      WHERE reading_of(body) IS NOT NULL GROUP BY 1;
    UPDATE readings SET game = COALESCE(
      (SELECT game FROM taken WHERE reading <= readings.id ORDER BY reading DESC LIMIT 1),
      (SELECT game FROM taken WHERE reading > readings.id ORDER BY reading LIMIT 1),
      0);
    DROP TABLE taken;
    ALTER TABLE meta ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE entries ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE readings ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE box ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tags ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE pending ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE phones ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE answered ADD COLUMN crc INTEGER NOT NULL DEFAULT 0;
    UPDATE meta SET crc = crc_of('meta', key, value);
    UPDATE games SET crc = crc_of('games', id, game, started, laid);
    UPDATE entries SET crc = crc_of('entries', game, number, body);
    UPDATE readings SET crc = crc_of('readings', id, body, game);
    UPDATE box SET crc = crc_of('box', game, key, value);
    UPDATE tags SET crc = crc_of('tags', game, uid, card);
    UPDATE pending SET crc = crc_of('pending', id, game, body);
    UPDATE phones SET crc = crc_of('phones', phone, body);
    UPDATE answered SET crc = crc_of('answered', id, outcome);
    """,
)
SCHEMA = len(STEPS)
_KINDS: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "REAL": (float, type(None)),
}


class Column(msgspec.Struct, frozen=True):
    """One column: its declared kind, its place in the primary key (0: none)."""

    name: str
    kind: str
    key: int


class Shape(msgspec.Struct, frozen=True):
    """The columns of one table; `numbered` where the first one is SQLite's own row number."""

    table: str
    columns: tuple[Column, ...]

    @property
    def numbered(self) -> bool:
        """True where the key is the row number itself, which a stored row does not repeat."""
        keys = [column for column in self.columns if column.key]
        return len(keys) == 1 and keys[0].kind == "INTEGER"

    @property
    def checked(self) -> bool:
        """True where each row carries its checksum as the last column."""
        return self.columns[-1].name == "crc"

    def fits(self, row: Sequence[object]) -> bool:
        """True where these values, without a checksum, are of the kinds that the columns hold."""
        columns = self.columns[:-1] if self.checked else self.columns
        return len(row) == len(columns) and all(
            isinstance(value, _KINDS[column.kind])
            for value, column in zip(row, columns, strict=True)
        )


def crc_of(table: str, *values: Any) -> int:
    """Return the checksum (CRC-32) of one row of a table, its `crc` column left out."""
    return zlib.crc32(msgspec.msgpack.encode((table, *values)))


def ready(database: sqlite3.Connection) -> None:
    """Give a connection the functions that the steps and checks call."""
    for name, (arguments, function) in FUNCTIONS.items():
        database.create_function(name, arguments, function, deterministic=True)


def schema_of(database: sqlite3.Connection) -> int:
    """Return the number of the last step this file has taken; 0 for a file without any."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def upgrade(database: sqlite3.Connection, to: int = SCHEMA) -> None:
    """Take all missing steps up to `to`, in one transaction."""
    steps = STEPS[schema_of(database) : to]
    ready(database)
    database.execute("BEGIN IMMEDIATE")
    try:
        for sql in "".join(steps).split(";"):
            database.execute(sql)
        database.execute(f"PRAGMA user_version = {to}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


@functools.cache
def shapes(schema: int = SCHEMA) -> dict[str, Shape]:
    """Return the tables of a schema by name, read from an empty file that its steps made."""
    empty = sqlite3.connect(":memory:", isolation_level=None)
    try:
        upgrade(empty, schema)
        names = [
            str(row[0])
            for row in empty.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: _shape(empty, name) for name in names}
    finally:
        empty.close()


def first_bad_row(database: sqlite3.Connection) -> str:
    """Return the name of the first table with a row whose checksum is wrong, "" where none is."""
    for name, shape in shapes(schema_of(database)).items():
        if shape.checked:
            columns = ", ".join(column.name for column in shape.columns[:-1])
            sql = f"SELECT 1 FROM {name} WHERE crc IS NOT crc_of('{name}', {columns}) LIMIT 1"
            if database.execute(sql).fetchone():
                return name
    return ""


def _shape(database: sqlite3.Connection, name: str) -> Shape:
    rows = database.execute(f"PRAGMA table_info({name})").fetchall()
    return Shape(name, tuple(Column(row[1], row[2], row[5]) for row in rows))


def _pictures_of(body: bytes) -> str:
    """Return the pictures that a stored reading names, as a JSON list."""
    reading: Any = _decoded(body)
    if not isinstance(reading, dict):
        return "[]"
    fields: dict[str, Any] = reading  # pyright: ignore[reportUnknownVariableType]
    dice: list[dict[str, Any]] = fields.get("dice") or []
    names = [fields.get("frame"), *(die.get("crop") for die in dice)]
    return json.dumps(sorted({name for name in names if name}))


def _reading_of(body: bytes) -> int | None:
    """Return the number of the reading that a stored entry came from."""
    entry: Any = _decoded(body)
    if not isinstance(entry, dict):
        return None
    fields: dict[str, Any] = entry  # pyright: ignore[reportUnknownVariableType]
    source: dict[str, Any] = fields.get("source") or {}
    return source.get("reading")


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.msgpack.decode(body)
    except msgspec.DecodeError:
        return None


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "crc_of": (-1, crc_of),
    "pictures_of": (1, _pictures_of),
    "reading_of": (1, _reading_of),
}
