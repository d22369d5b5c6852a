"""The table itself: the game that lies on it, what each seat may see of it, and who is told."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

import msgspec

from companion.session import Row
from companion.store import Store
from companion.table import story
from companion.table.laid_out import LaidOut
from companion.table.records import Look, MovedOn, Preview, Step
from companion.terms import (
    Answer,
    DeviceState,
    DiceReading,
    Game,
    NoSuchKey,
    Question,
    Unknown,
    say,
)

log = logging.getLogger(__name__)
_READING = msgspec.msgpack.Decoder(DiceReading)
_STARTS_PER_RUN = 1_000_000
"""Revisions are counted on over restarts: each run begins at a higher million."""


class TableCore:
    """Looks at the present position. One lock; every change is on disk before anybody is told.

    `games` are the known games by name; `wall` gives wall time in seconds, None where the clock
    is not to be trusted (a Pi just started).
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        wall: Callable[[], float | None] = time.time,
    ) -> None:
        self._store, self._games, self._wall = store, dict(games), wall
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        runs = store.recall("meta", key="runs")
        run = int(str(runs[0][1])) + 1 if runs else 1
        store.remember("meta", "runs", str(run))
        self._rev = run * _STARTS_PER_RUN
        self._devices: dict[str, DeviceState] = {}
        self._now: LaidOut | None = None
        self._resumed = None
        self._scorekeeper = bool(store.recall("meta", key="scorekeeper"))
        store.watch(self._store_changed)

    # ---- looking

    @property
    def rev(self) -> int:
        """The revision: grows with everything that a page could show differently."""
        return self._rev

    def wait(self, rev: int, timeout: float) -> int:
        """Wait until the revision is another than `rev`, at most `timeout` seconds; return it."""
        with self._changed:
            self._changed.wait_for(lambda: self._rev != rev, timeout)
            return self._rev

    def look(self, seat: str | None = None) -> Look:
        """Return all that this seat may see, at one revision."""
        with self._lock:
            now = self._now
            if now is None:
                return Look(
                    self._rev, None, 0, 0, (), seat, None, (), (), (), self._device_states()
                )
            session = now.session
            view = now.view(seat)
            return Look(
                self._rev,
                session.game.NAME,
                now.id,
                session.last_live,
                now.seats,
                seat,
                view,
                tuple(q for q in now.questions if not q.secret or seat in q.seats),
                (),
                (),
                self._device_states(),
                now.waiting(),
                session.undoable,
                session.redoable,
                self._resumed,
                self._scorekeeper,
                now.sources(seat),
            )

    def story(
        self, seat: str | None = None, limit: int = 50, before: int | None = None
    ) -> tuple[Step, ...]:
        """Return the newest steps of the story, newest first, as this seat may see them."""
        with self._lock:
            if self._now is None:
                return ()
            rows = self._now.session.rows[:before][-limit:]
            return self._now.steps(reversed(rows), seat, self._reading_of)

    def step(self, number: int, seat: str | None = None) -> Step | None:
        """Return one step, None where the log has no such row."""
        with self._lock:
            if self._now is None or not 0 <= number < self._now.session.next_number:
                return None
            rows = [self._now.session.rows[number]]
            return self._now.steps(rows, seat, self._reading_of)[0]

    def trail(self, fact_key: str, seat: str | None = None) -> tuple[Step, ...]:
        """Return the live steps after which this fact changed, newest first."""
        with self._lock:
            now = self._now
            return () if now is None else now.trail(fact_key, seat, self._reading_of)

    def preview(self, answer: Answer) -> Preview:
        """Return what this answer would lead to, tried on a copy (check, decide, apply)."""
        with self._lock:
            now = self._now
            if now is None:
                return Preview()
            state, game, box = now.session.copy(), now.session.game, now.box.pinned()
        try:
            objections = game.check(state, answer, box)
            events = game.decide(state, answer, box)
            for event in events:
                game.apply(state, event)
            changes = now.consequences(state)
        except Unknown as unknown:
            return Preview(needs=unknown.key)
        except NoSuchKey:
            raise
        except Exception:
            log.exception("the preview of %r stumbled", answer.key)
            return Preview()
        return Preview(
            story.told(events, answer.seat),
            tuple(c for c in changes if not c.readers or answer.seat in c.readers),
            objections,
        )

    def picture(self, sha256: str) -> bytes | None:
        """Return a stored JPEG."""
        return self._store.picture(sha256)

    # ---- devices and the level of help

    def set_scorekeeper(self, on: bool) -> None:
        """Switch the level of help: scorekeeper (numbers only) or guide."""
        with self._lock:
            if on:
                self._store.remember("meta", "scorekeeper", "on")
            else:
                self._store.forget("meta", key="scorekeeper")
            self._scorekeeper = on
            self._tell()

    def device_state(self, state: DeviceState) -> None:
        """Show how a device is now."""
        with self._lock:
            if self._devices.get(state.device) != state:
                self._devices[state.device] = state
                self._tell()

    def note_restored(self) -> None:
        """Take away the news that a damaged file was restored: somebody has read it."""
        with self._lock:
            self._store.noted()

    # ---- for the parts of the table (dice, cards, the clock)

    def _question(self, key: str) -> Question | None:
        if self._now is None:
            return None
        return next((q for q in self._now.questions if q.key == key), None)

    def _tell(self) -> None:
        self._rev += 1
        self._changed.notify_all()

    def _moved_on(self) -> MovedOn:
        return MovedOn(self._rev, say("table.moved_on"))

    def _store_changed(self) -> None:
        """The file that keeps everything got into trouble, or out of it."""
        with self._lock:
            self._tell()

    def _position_changed(self) -> None:
        """For the parts: the questions may be others now."""

    def _undone(self, row: Row) -> None:
        """For the parts: this row was taken back."""

    # ---- private

    def _moved(self, now: LaidOut, step: bool) -> None:
        """Work out what follows from the new position."""
        now.refresh(self._rev + 1, step)
        self._position_changed()

    def _reading_of(self, row: Row) -> DiceReading | None:
        if row.source.kind != "throw" or row.source.reading is None:
            return None
        body = self._store.reading(row.source.reading)
        if body is None:
            return None
        reading, kept = _READING.decode(body), self._store.pictures_of(row.source.reading)
        dice = (d if d.crop in kept else msgspec.structs.replace(d, crop="") for d in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(dice))

    def _device_states(self) -> tuple[DeviceState, ...]:
        states = tuple(self._devices[name] for name in sorted(self._devices))
        news = self._store.news()
        return states if news is None else (DeviceState(news.device, "ready", news), *states)
