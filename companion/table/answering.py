"""Answers at the table: checked, decided, on the disk before anybody is told; undone and redone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.session import Row
from companion.table.kept_games import TableOfGames
from companion.table.laid_out import LaidOut
from companion.table.records import Outcome, Refused, Taken
from companion.terms import Answer, NoSuchKey, Objection, Source, Unknown, say

log = logging.getLogger(__name__)
_OUTCOME = msgspec.msgpack.Decoder(Outcome)


class TableOfAnswers(TableOfGames):
    """The table with what people say to it."""

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
        value = now.box.tell(key, answer.value)
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
