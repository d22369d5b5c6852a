"""The table itself: takes answers, dice and cards, keeps them, and tells everybody."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.box import GameBox
from companion.session import Row, Session
from companion.store import Store
from companion.table import story
from companion.table.export import box_of, export_game, import_game
from companion.table.game_file import read_game_file
from companion.table.laid_out import LaidOut
from companion.table.records import (
    GameLine,
    Look,
    MovedOn,
    Outcome,
    Preview,
    Refused,
    Step,
    Taken,
)
from companion.terms import (
    Answer,
    DeviceState,
    DiceReading,
    Game,
    NoSuchKey,
    Objection,
    Question,
    Seat,
    Source,
    Unknown,
    say,
)

log = logging.getLogger(__name__)
_ROW = msgspec.msgpack.Decoder(Row)
_OUTCOME = msgspec.msgpack.Decoder(Outcome)
_READING = msgspec.msgpack.Decoder(DiceReading)
_STARTS_PER_RUN = 1_000_000
"""Revisions are counted on over restarts: each run begins at a higher million."""


class TableCore:
    """Answers, undo, looks. One lock; every change is on disk before anybody is told.

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
        self._open_last_game()
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

    def games(self) -> tuple[GameLine, ...]:
        """Return every kept game, newest first."""
        with self._lock:
            current = self._now.id if self._now else 0
            return tuple(
                GameLine(id, game, started, rows, id == current)
                for id, game, started, rows in self._store.games()
                if game in self._games
            )

    # ---- answering

    def answer(self, answer: Answer, rev: int | None = None, id: str | None = None) -> Outcome:
        """Take an answer to a question, a fact (`fact:KEY`) or a printed value (`box:KEY`).

        `rev` is the revision that the person saw: if the question or fact changed since, nothing
        is done (`MovedOn`). `id` makes a repeated request return the first outcome. Raises
        `NoSuchKey` for a key or value that names nothing.
        """
        with self._lock:
            return self._once(id, lambda: self._answer(answer, rev, id))

    def go_on(
        self, key: str, person: str = "", seat: str | None = None, id: str | None = None
    ) -> Outcome:
        """Answer an open question with its default, as the table does."""
        with self._lock:
            question = self._question(key)
            if question is None or question.default is None:
                return self._moved_on()
            return self.answer(
                Answer(key, question.default, seat, person, source=Source("table")), id=id
            )

    def undo(
        self,
        to: int | None = None,
        person: str = "",
        rev: int | None = None,
        id: str | None = None,
    ) -> Outcome:
        """Take back the last change, or everything from step `to` on. Nothing is deleted."""
        with self._lock:
            return self._once(id, lambda: self._undo(to, person, rev, id))

    def redo(self, person: str = "", rev: int | None = None, id: str | None = None) -> Outcome:
        """Bring back what the last undo took."""
        with self._lock:
            return self._once(id, lambda: self._redo(person, rev, id))

    # ---- games and devices

    def start(
        self, game: str, seats: Sequence[Seat], choices: Mapping[str, Any], person: str = ""
    ) -> int:
        """Start a new game and return its id; raises `ValueError` for choices that cannot be."""
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

    def _once(self, id: str | None, act: Callable[[], Outcome]) -> Outcome:
        if id is not None:
            earlier = self._store.recall("answered", id=id)
            if earlier and isinstance(earlier[0][1], bytes):
                return _OUTCOME.decode(earlier[0][1])
        return act()

    def _answer(self, answer: Answer, rev: int | None, id: str | None) -> Outcome:
        now = self._now
        if answer.key.startswith("box:"):
            return self._tell_box(answer, id)
        if now is None:
            return self._moved_on()
        if rev is not None and now.standing.changed_since(answer.key, rev):
            return self._moved_on()
        return self._decide(now, answer, id, {})

    def _decide(
        self,
        now: LaidOut,
        answer: Answer,
        id: str | None,
        known: Mapping[str, int | str],
        waited: int | None = None,
    ) -> Outcome:
        """Check, decide and keep an answer. `waited` is its number in `pending`, if it waited."""
        session, box = now.session, now.box.pinned(known)
        try:
            objections = session.game.check(session.state, answer, box)
            if objections and not answer.insist:
                return Refused(self._rev, objections)
            events = session.game.decide(session.state, answer, box)
            state = session.copy()
            for event in events:
                session.game.apply(state, event)
            changes = now.foresee(state)
        except Unknown as unknown:
            return self._keep_waiting(now, answer, unknown.key, id, waited)
        except NoSuchKey:
            raise
        except Exception:
            log.exception("%s stumbled over %r", session.game.NAME, answer)
            return Refused(self._rev, (Objection(say("table.stumbled"), ""),))
        row, _ = session.row_for(
            "answer",
            answer=answer,
            events=events,
            objections=objections,
            known=box.read,
            person=answer.person,
            source=answer.source,
            at=self._wall(),
            changes=changes,
        )
        return self._commit(now, row, id, state, waited=waited)

    def _commit(
        self,
        now: LaidOut,
        row: Row,
        id: str | None,
        state: Any = None,
        told: Mapping[str, int | str] | None = None,
        waited: int | None = None,
    ) -> Taken:
        """Keep a row, with what it `told` of the box and the waiting answer it settles, or nothing.

        Memory changes only after all of it is on the disk.
        """
        taken = Taken(self._rev + 1, row.number)
        told = told or {}
        with self._store.step():
            self._store.append(now.id, row.number, msgspec.msgpack.encode(row))
            for key, value in told.items():
                game = now.session.game.NAME
                self._store.remember("box", game, key, msgspec.msgpack.encode(value))
            if waited is not None:
                self._store.forget("pending", id=waited)
            if id is not None:
                self._store.remember("answered", id, msgspec.msgpack.encode(taken))
        now.box.told.update(told)
        now.pending = [p for p in now.pending if p[0] != waited]
        now.session.add(row, state)
        if row.kind not in {"answer", "box"}:
            now.past_changed = taken.rev
        self._resumed = None
        self._moved(now, step=True)
        self._tell()
        return taken

    def _undo(self, to: int | None, person: str, rev: int | None, id: str | None) -> Outcome:
        now = self._now
        if now is None or now.session.undoable is None:
            return self._moved_on()
        if rev is not None and to is None and now.standing.step_since > rev:
            return self._moved_on()
        first = now.session.undoable if to is None else to
        target, live = now.session.before(first), now.session.live()
        if target is not None:
            row, _ = now.session.row_for("undo", target=target, person=person, at=self._wall())
        elif any(step.row.number == first for step in live):
            # what lies before it was amended since: no earlier version ends there
            row, _ = now.session.row_for(
                "void", target=first, way="back", person=person, at=self._wall()
            )
        else:
            return self._moved_on()
        taken = self._commit(now, row, id)
        left = {step.row.number for step in now.session.live()}
        for lost in live:
            if lost.row.number not in left:
                self._undone(lost.row)
        return taken

    def _redo(self, person: str, rev: int | None, id: str | None) -> Outcome:
        now = self._now
        if now is None or now.session.redoable is None:
            return self._moved_on()
        if rev is not None and now.standing.step_since > rev:
            return self._moved_on()
        target = now.session.redoable
        row, _ = now.session.row_for("redo", target=target, person=person, at=self._wall())
        return self._commit(now, row, id)

    def _tell_box(self, answer: Answer, id: str | None) -> Outcome:
        now = self._now
        if now is None:
            return self._moved_on()
        key = answer.key.removeprefix("box:")
        try:
            value = now.box.tell(key, answer.value)
        except KeyError:
            raise NoSuchKey(answer.key, "the key of a printed value") from None
        except ValueError as error:
            raise NoSuchKey(str(answer.value), str(error)) from error
        row, _ = now.session.row_for("box", answer=answer, person=answer.person, at=self._wall())
        taken = self._commit(now, row, id, told={key: value})
        for number, waiting, needs in list(now.pending):
            if needs == key:
                outcome = self._decide(now, waiting, None, {}, waited=number)
                if not isinstance(outcome, Taken):
                    self._store.forget("pending", id=number)
                    now.pending = [p for p in now.pending if p[0] != number]
                    self._moved(now, step=False)
                    self._tell()
        return taken

    def _keep_waiting(
        self, now: LaidOut, answer: Answer, needs: str, id: str | None, waited: int | None
    ) -> Outcome:
        outcome = Taken(self._rev + 1, None, pending=True)
        with self._store.step():
            number = self._store.wait(now.id, msgspec.msgpack.encode((answer, needs)))
            if waited is not None:
                self._store.forget("pending", id=waited)
            if id is not None:
                self._store.remember("answered", id, msgspec.msgpack.encode(outcome))
        now.pending = [p for p in now.pending if p[0] != waited]
        now.pending.append((number, answer, needs))
        self._moved(now, step=False)
        self._tell()
        return outcome

    def _moved(self, now: LaidOut, step: bool) -> None:
        """Work out what follows from the new position."""
        now.refresh(self._rev + 1, step)
        self._position_changed()

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
