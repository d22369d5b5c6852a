"""The games that are kept: one lies on the table, the others wait, and files carry them about."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.box import GameBox
from companion.session import Row, Session
from companion.store import Store
from companion.table.core import TableCore
from companion.table.export import box_of, export_game, import_game
from companion.table.game_file import read_game_file
from companion.table.laid_out import LaidOut
from companion.table.records import GameLine
from companion.terms import (
    Answer,
    Game,
    Seat,
    say,
)

log = logging.getLogger(__name__)
_ROW = msgspec.msgpack.Decoder(Row)


class TableOfGames(TableCore):
    """The table with the games that it keeps. The last one played lies on it from the start."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        wall: Callable[[], float | None] = time.time,
    ) -> None:
        super().__init__(store, games, wall)
        self._open_last_game()

    def games(self) -> tuple[GameLine, ...]:
        """Return every kept game, newest first."""
        with self._lock:
            current = self._now.id if self._now else 0
            return tuple(
                GameLine(id, game, started, rows, id == current)
                for id, game, started, rows in self._store.games()
                if game in self._games
            )

    def start(
        self, game: str, seats: Sequence[Seat], choices: Mapping[str, Any], person: str = ""
    ) -> int:
        """Start a new game and return its id; raises `CannotStart` for what cannot be."""
        with self._lock:
            if game not in self._games:
                raise ValueError(f"no game {game!r}; known are {', '.join(self._games)}")
            row = Row(
                0,
                "start",
                game=game,
                seats=tuple(seats),
                choices=dict(choices),
                person=person,
                at=self._wall(),
            )
            session = Session(self._games[game], [row])  # raises before anything is kept
            laid = LaidOut(0, session, self._box(game))
            self._work_out(laid)
            with self._store.step():
                laid.id = id = self._store.new_game(game, row.at or 0.0)
                self._store.append(id, 0, msgspec.msgpack.encode(row))
                self._store.lay(id)
            self._lay_out(laid)
            self._resumed = None
            self._tell()
            return id

    def resume(self, id: int) -> None:
        """Lay a kept game on the table; raises `ValueError` where there is none with this id."""
        with self._lock:
            names = {line.id: line.game for line in self.games()}
            if id not in names:
                raise ValueError(f"no game {id} is kept; kept are {sorted(names)}")
            rows = [_ROW.decode(body) for body in self._store.entries(id)]
            laid = LaidOut(id, Session(self._games[names[id]], rows), self._box(names[id]))
            self._work_out(laid)
            self._store.lay(id)
            self._lay_out(laid)
            self._resumed = say("table.resumed", step=laid.session.last_live)
            self._tell()

    def export(self, id: int, pictures: bool = False) -> bytes:
        """Return a kept game as a file, see `companion.table.export`. Raises `GameFileTrouble`."""
        return export_game(self._store, self._games, self._box, id, pictures)

    def bring(self, body: bytes) -> int:
        """Keep the game of such a file as a new one and return its id; the table stays as it is.

        Raises `GameFileTrouble`, and `NotKept` where there is no room.
        """
        file = read_game_file(body, self._games, self._box)
        with self._lock:
            id = import_game(self._store, file)
            self._tell()
            return id

    # ---- private

    def _lay_out(self, now: LaidOut) -> None:
        """Put a game on the table that is worked out."""
        self._now = now
        self._moved(now, step=False)

    def _work_out(self, now: LaidOut) -> None:
        """Find the answers that wait; nothing is shown yet."""
        for number, game, body in self._store.recall("pending", game=now.id):
            if isinstance(body, bytes) and isinstance(number, int) and game == now.id:
                answer, needs = msgspec.msgpack.decode(body, type=tuple[Answer, str])
                now.pending.append((number, answer, needs))

    def _open_last_game(self) -> None:
        kept = [line.id for line in self.games()]
        current = self._store.recall("meta", key="current")
        wanted = int(str(current[0][1])) if current else 0
        if kept:
            try:
                self.resume(wanted if wanted in kept else kept[0])
            except Exception:
                log.exception("the last game could not be laid out")

    def _box(self, game: str) -> GameBox:
        return box_of(self._store, game)
