"""The store: games and their logs, readings and pictures, and what is remembered over games.

WAL mode with `synchronous=FULL`: when `append` returns, the row is on the disk (DESIGN 5). Only
the table writes; readers may come from any thread.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.store.opening import open_file
from companion.store.restoring import Restored
from companion.store.schema import crc_of, shapes
from companion.store.trouble import DEVICE, NotKept, StoreTrouble, kind_of
from companion.terms import Say, Trouble, say

LAST_GAMES = 20
"""Pictures are kept for the games that were last on the table, this many."""
_REMEMBERED = frozenset({"meta", "box", "tags", "phones", "answered", "pending"})
_RESTORED = msgspec.json.Decoder(Restored)


class Store:
    """The database file of one state folder. Raises `StoreTrouble` where it cannot be used.

    `restored` is what became of a damaged file, until somebody has noted it. Whatever cannot be
    written raises `NotKept` and leaves no trace; `trouble` tells why, until something is written
    again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: Trouble | None = None
        self._lock = threading.RLock()
        self._writing = False
        self._watcher: Callable[[], None] = lambda: None
        self._db, self._held = open_file(path)
        self._place = path.stat().st_ino
        news = self.recall("meta", key="restored")
        self.restored = _RESTORED.decode(str(news[0][1])) if news else None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()
            self._held.close()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Have `watcher` called whenever `trouble` or `restored` has changed."""
        self._watcher = watcher

    @contextmanager
    def step(self) -> Generator[None]:
        """Make all writes inside one durable step, or none of them. Raises `NotKept`."""
        with self._lock:
            if self._db.in_transaction:  # a part of a larger step
                yield
                return
        before = self.trouble
        try:
            with self._lock, self._durably():
                yield
        finally:
            if self.trouble != before:
                self._watcher()

    def probe(self) -> None:
        """Find out whether writing succeeds again; where it does, the trouble is over."""
        try:
            self.remember("meta", "probe", "x" * 8192)
            self.forget("meta", key="probe")
        except NotKept:
            return

    # ---- games and their logs

    def new_game(self, game: str, started: float) -> int:
        """Return the id of a new game, the last one of the order on the table."""
        with self.step():
            id = int(self._run("SELECT COALESCE(MAX(id), 0) + 1 FROM games")[0][0])
            self._put("games", id, game, float(started), self._next_laid())
        return id

    def games(self) -> list[tuple[int, str, float, int]]:
        """Return (id, game, started, entries) of every game, newest first."""
        return self._run(
            "SELECT g.id, g.game, g.started, COUNT(e.number) FROM games g "
            "LEFT JOIN entries e ON e.game = g.id GROUP BY g.id ORDER BY g.id DESC"
        )

    def lay(self, game: int) -> None:
        """Note that this game lies on the table now; pictures of long left games go."""
        with self.step():
            row = self._run("SELECT id, game, started FROM games WHERE id = ?", game)[0]
            self._put("games", *row, self._next_laid())
            self.remember("meta", "current", str(game))
            last = "SELECT id FROM games ORDER BY laid DESC LIMIT ?"
            self._run(
                "DELETE FROM shown WHERE reading IN "
                f"(SELECT id FROM readings WHERE game NOT IN ({last}))",
                LAST_GAMES,
            )
            if self._run("SELECT changes()")[0][0]:
                self._run("DELETE FROM pictures WHERE sha256 NOT IN (SELECT sha256 FROM shown)")

    def append(self, game: int, number: int, body: bytes) -> None:
        """Write one entry; a number that stands already is an `IntegrityError`."""
        with self.step():
            crc = crc_of("entries", game, number, body)
            self._run("INSERT INTO entries VALUES (?, ?, ?, ?)", game, number, body, crc)

    def entries(self, game: int) -> list[bytes]:
        """Return the bodies of a game's entries in order."""
        rows = self._run("SELECT body FROM entries WHERE game = ? ORDER BY number", game)
        return [row[0] for row in rows]

    # ---- readings and pictures

    def add_reading(self, body: bytes, pictures: dict[str, bytes], game: int = 0) -> int:
        """Keep a reading of a game (0: of none) with its pictures and return its number."""
        with self.step():
            number = int(self._run("SELECT COALESCE(MAX(id), 0) + 1 FROM readings")[0][0])
            self._put("readings", number, body, game)
            for sha256, jpeg in pictures.items():
                self._run("INSERT OR IGNORE INTO pictures VALUES (?, ?)", sha256, jpeg)
                self._run("INSERT OR IGNORE INTO shown VALUES (?, ?)", number, sha256)
        return number

    def reading(self, number: int) -> bytes | None:
        """Return one reading."""
        rows = self._run("SELECT body FROM readings WHERE id = ?", number)
        return rows[0][0] if rows else None

    def pictures_of(self, reading: int) -> frozenset[str]:
        """Return the pictures of a reading that are still kept."""
        rows = self._run("SELECT sha256 FROM shown WHERE reading = ?", reading)
        return frozenset(row[0] for row in rows)

    def picture(self, sha256: str) -> bytes | None:
        """Return one JPEG."""
        rows = self._run("SELECT jpeg FROM pictures WHERE sha256 = ?", sha256)
        return rows[0][0] if rows else None

    # ---- what is remembered over games

    def remember(self, table: str, *row: object) -> None:
        """Put one row into `meta`, `box`, `tags`, `phones`, `answered` or `pending`."""
        self._put(_known(table), *row)

    def wait(self, game: int, body: bytes) -> int:
        """Keep an answer that waits for a printed value, and return its number in `pending`."""
        with self.step():
            number = int(self._run("SELECT COALESCE(MAX(id), 0) + 1 FROM pending")[0][0])
            self._put("pending", number, game, body)
        return number

    def recall(self, table: str, **where: object) -> list[tuple[object, ...]]:
        """Return the rows of one of these tables that match."""
        clause = " AND ".join(f"{column} = ?" for column in where)
        sql = f"SELECT * FROM {_known(table)}" + (f" WHERE {clause}" if clause else "")
        return [row[:-1] for row in self._run(sql, *where.values())]

    def forget(self, table: str, **where: object) -> None:
        """Remove the rows of one of these tables that match."""
        clause = " AND ".join(f"{column} = ?" for column in where)
        with self.step():
            self._run(f"DELETE FROM {_known(table)} WHERE {clause}", *where.values())

    # ---- a damaged file that was restored

    @property
    def set_aside(self) -> Path | None:
        """Where the damaged file lies, until somebody has noted it."""
        return self.path.with_name(self.restored.aside) if self.restored else None

    def noted(self) -> None:
        """Take the news of the restored file away: somebody has read it."""
        self.forget("meta", key="restored")
        self.restored = None
        self._watcher()

    def news(self) -> Trouble | None:
        """Return what the Table page should tell of this file, None where all is well."""
        if self.trouble is not None:
            return self.trouble
        if (restored := self.restored) is None:
            return None
        back = [
            say("store.restored.game" if g.kept else "store.restored.gone", id=g.id, n=g.kept - 1)
            for g in restored.games
            if g.lost or not g.kept
        ]
        whole = sum(not game.lost and game.kept > 0 for game in restored.games)
        sentences: list[Say] = [say("store.restored.whole", n=whole)] if whole else []
        sentences += back if restored.games else [say("store.restored.nothing")]
        if restored.pictures_lost:
            sentences.append(say("store.restored.pictures", n=restored.pictures_lost))
        seen = say("store.restored", file=restored.aside, back=sentences)
        return Trouble(DEVICE, seen, say("store.restored.do"))

    # ---- private

    def _in_place(self) -> bool:
        try:
            return self.path.stat().st_ino == self._place
        except OSError:
            return False

    def _put(self, table: str, *row: object) -> None:
        if not shapes()[table].fits(row):
            raise TypeError(f"{row!r} is no row of {table}: its checksum would not be found again")
        marks = ", ".join("?" * (len(row) + 1))
        with self.step():
            sql = f"INSERT OR REPLACE INTO {table} VALUES ({marks})"
            self._run(sql, *row, crc_of(table, *row))

    def _next_laid(self) -> int:
        return int(self._run("SELECT COALESCE(MAX(laid), 0) + 1 FROM games")[0][0])

    def _run(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            if self._writing or _is_our_fault(error):
                raise
            trouble = StoreTrouble(kind_of(error, self.path), self.path, str(error))
            self.trouble = trouble.trouble
        self._watcher()
        raise trouble

    @contextmanager
    def _durably(self) -> Generator[None]:
        self._writing = True
        try:
            if not self._in_place():  # SQLite would go on writing where nobody finds it again
                raise NotKept("gone", self.path, "the file is not there any more")
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:  # some errors of SQLite have taken it back already
                self._db.execute("ROLLBACK")
            if isinstance(error, NotKept):
                self.trouble = error.trouble
            if not isinstance(error, sqlite3.DatabaseError) or _is_our_fault(error):
                raise
            refused = NotKept(kind_of(error, self.path), self.path, str(error))
            self.trouble = refused.trouble
            raise refused from error
        finally:
            self._writing = False
        self.trouble = None


def _is_our_fault(error: sqlite3.DatabaseError) -> bool:
    return isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError)


def _known(table: str) -> str:
    if table not in _REMEMBERED:
        raise ValueError(f"no such table: {table!r}")
    return table
