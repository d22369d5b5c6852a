"""What can be wrong with the file that keeps everything: what was seen, what was expected, to do.

At start such a trouble ends the program (exit 2). In mid-game it refuses the one answer that could
not be kept, and stands on the Table page until writing succeeds again.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Literal

from companion.terms import Trouble, say

DEVICE = "store"
"""The name under which the Table page shows the file among the devices."""

_LITTLE = 64 * 1024
"""Bytes; SQLite wants about half of that beside the file before it writes anything."""

Kind = Literal["full", "read_only", "busy", "damaged", "newer", "in_use", "gone", "failed"]

_KINDS: dict[int, Kind] = {  # primary result codes, https://www.sqlite.org/rescode.html
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
_ADVICE: dict[Kind, tuple[str, str]] = {
    "full": ("room to write", "make room on its disk"),
    "read_only": ("a file that may be written", "give its user the right to write to the folder"),
    "busy": ("one program at a time", "end the other program that uses it"),
    "damaged": ("a whole file", "start the companion again; it restores what can be read"),
    "newer": ("a schema this program knows", "use the newer program, or another state folder"),
    "in_use": ("one program alone", "end the other companion that uses this folder"),
    "gone": ("the file where it was", "put it back, or start the companion again"),
    "failed": ("a disk that reads and writes", "look at the disk and its cable"),
}


class StoreTrouble(Exception):
    """The file cannot be used. Its text tells what was seen, what was expected, and what to do."""

    def __init__(self, kind: Kind, path: Path, seen: str) -> None:
        expected, do = _ADVICE[kind]
        super().__init__(f"{path}: {seen}; expected {expected}; {do}")
        self.kind: Kind = kind
        self.trouble = Trouble(
            DEVICE, say(f"store.{kind}", file=path.name, why=seen), say(f"store.{kind}.do")
        )


class NotKept(StoreTrouble):
    """Something could not be written: nothing of it is on the disk, and nothing of it counts."""


def kind_of(error: sqlite3.Error, path: Path) -> Kind:
    """Return what an error of SQLite about this file means for the people at the table."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_ERROR and not isinstance(error, sqlite3.OperationalError):
        return "damaged"  # ours: what SQLite took for whole is not
    kind = _KINDS.get(code, "failed")
    return "full" if kind == "failed" and _is_full(path.parent) else kind


def _is_full(folder: Path) -> bool:
    """A full disk also shows where SQLite only says that reading or writing failed."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LITTLE
