"""What can be wrong with the file that keeps everything: what was seen, what was expected, to do.

At start such a trouble ends the program (exit 2). In mid-game it refuses the one answer that could
not be kept, and stands on the Table page until writing succeeds again.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

from companion.terms import Trouble, say

DEVICE = "store"
"""The name under which the Table page shows the file among the devices."""

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


def kind_of(error: sqlite3.Error) -> Kind:
    """Return what an error of SQLite means for the people at the table."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF == sqlite3.SQLITE_ERROR and isinstance(error, sqlite3.DatabaseError):
        return "failed" if isinstance(error, sqlite3.OperationalError) else "damaged"
    return _KINDS.get(code & 0xFF, "failed")
