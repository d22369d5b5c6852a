"""How the file is opened: made, lifted to the present schema, or restored where it is damaged.

Whoever opens it alone looks at every page and every row first. A second program may use the file
beside (listing or exporting games while the table runs), but never changes its form.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import sqlite3
from pathlib import Path
from typing import IO

from companion.store.pages import log_is_damaged, schema_number
from companion.store.restoring import finish, log_of, made, make, restore
from companion.store.schema import SCHEMA, first_bad_row, ready, schema_of, upgrade
from companion.store.trouble import Kind, StoreTrouble, kind_of

log = logging.getLogger(__name__)
_NO_SCHEMA = 10_000
"""No program will ever count as far: a number from here on is damage."""


def open_file(path: Path) -> tuple[sqlite3.Connection, IO[bytes]]:
    """Return a connection to the file, made or mended where needed, and the lock that it holds.

    Raises `StoreTrouble`; a file of a newer schema is left as it is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_suffix(".lock").open("ab")
    except OSError as error:
        raise StoreTrouble(_kind_of(error), path, str(error)) from error
    try:
        alone = _alone(lock)
        _refuse_newer(path)
        if alone:
            _put_in_order(path)
        database = _connect(path)
        fcntl.flock(lock, fcntl.LOCK_SH)
    except sqlite3.Error as error:
        lock.close()
        raise StoreTrouble(kind_of(error, path), path, str(error)) from error
    except OSError as error:
        lock.close()
        raise StoreTrouble(_kind_of(error), path, str(error)) from error
    except BaseException:
        lock.close()
        raise
    return database, lock


def _alone(lock: IO[bytes]) -> bool:
    """Take the lock for this program alone, or else share it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(lock, fcntl.LOCK_SH)
        return False
    return True


def _refuse_newer(path: Path) -> None:
    schema = schema_number(path, log_of(path))
    if schema is not None and SCHEMA < schema < _NO_SCHEMA:
        raise StoreTrouble("newer", path, f"it has schema {schema}, this program knows {SCHEMA}")


def _put_in_order(path: Path) -> None:
    """Make the file, finish what was cut off, restore it where damaged, lift an older schema."""
    if made(path).exists():
        finish(path)
    if not path.exists() and not _size(log_of(path)):
        make(path, SCHEMA, {}, {})
        finish(path)
        return
    damage = _damage(path)
    if damage:
        restored = restore(path)
        log.warning("%s was damaged (%s); set aside as %s", path, damage, restored.aside)
        return
    _lift(path)


def _damage(path: Path) -> str:
    """Return what is damaged about a file, "" where it is whole."""
    if not _size(path):
        return "it is empty"
    if log_is_damaged(log_of(path)):
        return "its log is broken"
    # read only: a damaged file is set aside as it was found
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        ready(database)
        found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            return " ".join(str(found).split())
        if not 1 <= schema_of(database) <= SCHEMA:
            return "it is not a file of this program"
        table = first_bad_row(database)
        return f"a row of {table} is not as it was written" if table else ""
    except sqlite3.Error as error:
        if kind_of(error, path) != "damaged":
            raise
        return str(error)
    finally:
        database.close()


def _lift(path: Path) -> None:
    """Lift an older schema to the present one; a copy stands by until the new one is proved."""
    database = sqlite3.connect(path, isolation_level=None)
    try:
        schema = schema_of(database)
        if schema == SCHEMA:
            return
        copy = path.with_name(f"{path.stem}.schema-{schema}{path.suffix}")
        _copy(database, copy)
        try:
            upgrade(database)
        except BaseException:
            copy.unlink()  # the steps were taken back, the old file is as it was
            raise
        whole = database.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        if not whole or first_bad_row(database):
            raise sqlite3.DatabaseError(f"the lifted file is not whole; its old form is {copy}")
        copy.unlink()
        log.info("%s was lifted from schema %d to %d", path, schema, SCHEMA)
    finally:
        database.close()


def _copy(database: sqlite3.Connection, to: Path) -> None:
    to.unlink(missing_ok=True)
    copy = sqlite3.connect(to)
    try:
        database.backup(copy)
    except BaseException:
        to.unlink(missing_ok=True)
        raise
    finally:
        copy.close()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        ready(database)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA secure_delete = ON")  # so that no old row comes back (`restoring`)
        schema = schema_of(database)
        if schema != SCHEMA:
            raise StoreTrouble("in_use", path, f"it has schema {schema} and must be lifted")
        database.execute("BEGIN IMMEDIATE")  # fails here, not in mid-game, where nothing may write
        database.execute("ROLLBACK")
    except BaseException:
        database.close()
        raise
    return database


def _kind_of(error: OSError) -> Kind:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "full"
    return "read_only" if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM) else "failed"
