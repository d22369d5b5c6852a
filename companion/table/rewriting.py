"""Changing the past: void a step, amend an answer, decide again with another printed value."""

from __future__ import annotations

import msgspec

from companion.session import Row
from companion.table.again import Line
from companion.table.answering import TableOfAnswers
from companion.table.laid_out import LaidOut
from companion.table.past import Forward, Missing, Rewrite, Said, StepAgain, Stop
from companion.table.records import Outcome, PrintedValue, Refused, Stopped, Taken
from companion.terms import Answer, Change, Dice, NoSuchKey, Source, say


class TableOfThePast(TableOfAnswers):
    """The table, with its past open to correction (DESIGN 5, "Void and amend decide forward")."""

    def said_at(self, step: int, seat: str | None = None) -> Said | None:
        """Return what was asked and said at a live step.

        None where it does not stand, or where question or fact are a secret from this seat.
        """
        with self._lock:
            now = self._now
            row = now.live_row(step) if now else None
            if now is None or row is None or row.answer is None:
                return None
            state, said = now.session.fold(before=step), row.answer
            game = now.session.game
            asked = next((q for q in game.questions(state, now.box) if q.key == said.key), None)
            if asked is not None and asked.secret and seat not in asked.seats:
                return None
            fact = said.key.removeprefix("fact:")
            if fact != said.key:
                facts = game.view(state, now.box, seat).facts
                found = next((f for f in facts if f.key == fact), None)
                return Said(step, said, None, found) if found else None
            return Said(step, said, asked)

    def preview_rewrite(self, plan: Rewrite, seat: str | None = None) -> Forward:
        """Return what this change of the past leads to; nothing is changed.

        Raises `NoSuchKey` for a step that does not stand, or a key or value that names nothing.
        """
        with self._lock:
            now, rev = self._now, self._rev
            if now is None:
                raise NoSuchKey(str(plan.step), say("expected.step"))
            line = self._line(now, plan)
            ways = ("keep", "back") if line.stop else ()
            keep, back = [
                self._line(now, msgspec.structs.replace(plan, way=way)).state for way in ways
            ] or [None, None]

            def seen(state: object) -> tuple[Change, ...]:
                changes = now.consequences(state) if state is not None else ()
                return tuple(c for c in changes if not c.readers or seat in c.readers)

            return Forward(
                rev,
                () if line.stop or line.needs or line.refused else seen(line.state),
                self._steps_again(now, line, seat),
                _for(line.stop, seat),
                seen(keep),
                seen(back),
                line.refused,
                line.needs,
            )

    def rewrite(
        self,
        plan: Rewrite,
        person: str = "",
        rev: int | None = None,
        id: str | None = None,
        seat: str | None = None,
    ) -> Outcome:
        """Void a step, amend an answer, or decide again; the whole change is one step of the log.

        `Stopped` where a later step no longer fits and the plan does not say how to go on;
        `Refused` where the rules dislike a new answer; `MovedOn` where the step no longer stands,
        or the past was changed since `rev`. Undo takes the change back like any other.
        """
        with self._lock:
            return self._once(id, lambda: self._rewrite(plan, person, seat, rev, id))

    def printed_values(self) -> tuple[PrintedValue, ...]:
        """Return every value that is printed on the components of this game, as it is known."""
        with self._lock:
            now = self._now
            if now is None:
                return ()
            otherwise: dict[str, int] = {}
            for step in now.session.live():
                for key, value in step.row.known.items():
                    if value != now.box.get(key):
                        otherwise.setdefault(key, step.row.number)
            return tuple(
                PrintedValue(
                    key,
                    now.box.get(key),
                    printed.wants,
                    key in now.box.told,
                    printed.second_hand,
                    otherwise.get(key),
                )
                for key, printed in now.box.printed.items()
            )

    def later(self, key: str, id: str | None = None) -> Outcome:
        """Put the question `box:KEY` off: it stands behind as an offer, and its answer waits."""
        with self._lock:
            now, question = self._now, self._question(key)
            if now is None or question is None or not key.startswith("box:"):
                return self._once(id, self._moved_on)
            now.later.add(key.removeprefix("box:"))
            self._moved(now, step=False)
            self._tell()
            return Taken(self._rev)

    def drop_waiting(self, number: int, id: str | None = None) -> Outcome:
        """Give up an answer that waits for a printed value; it was never logged."""
        with self._lock:
            now = self._now
            if now is None or number not in [waiting for waiting, _, _ in now.pending]:
                return self._once(id, self._moved_on)
            self._store.forget("pending", id=number)
            now.pending = [p for p in now.pending if p[0] != number]
            self._moved(now, step=False)
            self._tell()
            return Taken(self._rev)

    # ---- private

    def _rewrite(
        self, plan: Rewrite, person: str, seat: str | None, rev: int | None, id: str | None
    ) -> Outcome:
        now = self._now
        row = now.live_row(plan.step) if now else None
        if now is None or row is None:
            return self._moved_on()
        if rev is not None and now.past_changed > rev:
            return self._moved_on()
        line = self._line(now, _by(plan, person, row))
        if line.refused:
            return Refused(self._rev, line.refused)
        stop = _for(line.stop, seat)
        if stop is None and line.needs:
            stop = Stop(plan.step, "", say("table.stop.needs", key=line.needs), (), line.needs)
        if stop is not None:
            return Stopped(self._rev, stop)
        kind = "void" if plan.answer is None and not plan.box else "amend"
        control, _ = now.session.row_for(
            kind,
            target=plan.step,
            answer=plan.answer,
            again=now.foresee_again(plan.step, line.redone),
            way=plan.way,
            person=person,
            at=self._wall(),
        )
        return self._commit(now, control, id)

    def _line(self, now: LaidOut, plan: Rewrite) -> Line:
        if plan.box and plan.box not in now.box.printed:
            raise NoSuchKey(plan.box, say("expected.box_key"))
        value = now.box.get(plan.box) if plan.box else None
        return Line(now.session, now.box, plan, {} if value is None else {plan.box: value})

    def _steps_again(self, now: LaidOut, line: Line, seat: str | None) -> tuple[StepAgain, ...]:
        """Return the steps that would stand otherwise than they do, in order."""
        was = {step.row.number: step.row for step in now.session.live()}
        steps = [StepAgain(number, (), "left_out") for number in line.left_out]
        for redone in line.redone:
            row = was.get(redone.number)
            if row is None or (row.events, row.objections) != (redone.events, redone.objections):
                steps.append(now.again(redone, seat))
        return tuple(sorted(steps, key=lambda step: step.number))


def _by(plan: Rewrite, person: str, row: Row) -> Rewrite:
    """Put the person's name, and where the dice came from, on the new answers."""
    reading = row.source.kind == "throw" and plan.answer is not None
    source = (
        msgspec.structs.replace(row.source, corrected=True)
        if reading and isinstance(plan.answer and plan.answer.value, Dice)
        else Source("hand", corrected=True)
    )

    def named(answer: Answer | None, source: Source) -> Answer | None:
        return answer and msgspec.structs.replace(answer, person=person, source=source)

    return msgspec.structs.replace(
        plan,
        answer=named(plan.answer, source),
        missing=tuple(
            Missing(given.step, named(given.answer, Source("hand", corrected=True)))
            for given in plan.missing
        ),
    )


def _for(stop: Stop | None, seat: str | None) -> Stop | None:
    """Cut what a seat may not see of a stop."""
    if stop is None:
        return None
    asked = tuple(q for q in stop.questions if not q.secret or seat in q.seats)
    return msgspec.structs.replace(stop, questions=asked)
