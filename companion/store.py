"""Everything that must survive the power cord: one SQLite file, durable before anybody is told.

WAL mode with `synchronous=FULL`: when `append` returns, the row is on the disk (DESIGN 5). Only
the table writes; readers may come from any thread.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

SCHEMA = 1
_TABLES = """
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
"""


class StoreTrouble(Exception):
    """The database cannot be used; says what was seen and what to do."""


class Store:
    """The database file of one state folder. Raises `StoreTrouble` where it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self.set_aside: Path | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise StoreTrouble(
                    f"cannot open {path}: {error}; the folder must exist and be writable"
                ) from error
            self.set_aside = path.with_suffix(".damaged")
            path.replace(self.set_aside)
            for tail in ("-wal", "-shm"):
                Path(f"{path}{tail}").unlink(missing_ok=True)
            self._db = self._open()
        except OSError as error:
            raise StoreTrouble(f"cannot use {path.parent}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def step(self) -> Generator[None]:
        """Make all writes inside one durable step, or none of them."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    # ---- games and their logs

    def new_game(self, game: str, started: float) -> int:
        """Return the id of a new game."""
        cursor = self._run("INSERT INTO games (game, started) VALUES (?, ?)", game, started)
        return int(cursor.lastrowid or 0)

    def games(self) -> list[tuple[int, str, float, int]]:
        """Return (id, game, started, entries) of every game, newest first."""
        return self._run(
            "SELECT g.id, g.game, g.started, COUNT(e.number) FROM games g "
            "LEFT JOIN entries e ON e.game = g.id GROUP BY g.id ORDER BY g.id DESC"
        ).fetchall()

    def append(self, game: int, number: int, body: bytes) -> None:
        """Write one entry; a number that stands already is an `IntegrityError`."""
        self._run("INSERT INTO entries VALUES (?, ?, ?)", game, number, body)

    def entries(self, game: int) -> list[bytes]:
        """Return the bodies of a game's entries in order."""
        rows = self._run("SELECT body FROM entries WHERE game = ? ORDER BY number", game)
        return [row[0] for row in rows.fetchall()]

    # ---- readings and pictures

    def add_reading(self, body: bytes, pictures: dict[str, bytes]) -> int:
        """Keep a reading with its pictures and return its number."""
        with self.step():
            for sha256, jpeg in pictures.items():
                self._run("INSERT OR IGNORE INTO pictures VALUES (?, ?)", sha256, jpeg)
            cursor = self._run("INSERT INTO readings (body) VALUES (?)", body)
        return int(cursor.lastrowid or 0)

    def reading(self, number: int) -> bytes | None:
        """Return one reading."""
        row = self._run("SELECT body FROM readings WHERE id = ?", number).fetchone()
        return row[0] if row else None

    def picture(self, sha256: str) -> bytes | None:
        """Return one JPEG."""
        row = self._run("SELECT jpeg FROM pictures WHERE sha256 = ?", sha256).fetchone()
        return row[0] if row else None

    # ---- what is remembered over games

    def remember(self, table: str, *row: object) -> None:
        """Put one row into `meta`, `box`, `tags`, `phones`, `answered` or `pending`."""
        marks = ", ".join("?" * len(row))
        self._run(f"INSERT OR REPLACE INTO {_known(table)} VALUES ({marks})", *row)

    def recall(self, table: str, **where: object) -> list[tuple[object, ...]]:
        """Return the rows of one of these tables that match."""
        clause = " AND ".join(f"{column} = ?" for column in where)
        sql = f"SELECT * FROM {_known(table)}" + (f" WHERE {clause}" if clause else "")
        return self._run(sql, *where.values()).fetchall()

    def forget(self, table: str, **where: object) -> None:
        """Remove the rows of one of these tables that match."""
        clause = " AND ".join(f"{column} = ?" for column in where)
        self._run(f"DELETE FROM {_known(table)} WHERE {clause}", *where.values())

    # ---- private

    def _run(self, sql: str, *values: object) -> sqlite3.Cursor:
        with self._lock:
            return self._db.execute(sql, values)

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            if database.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("quick_check found damage")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                database.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
            elif version != SCHEMA:
                raise StoreTrouble(
                    f"{self.path} has schema {version}, this program knows {SCHEMA}; "
                    "use the newer program, or another state folder"
                )
        except BaseException:
            database.close()
            raise
        return database


def _known(table: str) -> str:
    if table not in {"meta", "box", "tags", "phones", "answered", "pending"}:
        raise ValueError(f"no such table: {table!r}")
    return table
