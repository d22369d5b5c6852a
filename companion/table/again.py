"""Deciding forward: what the later steps come to when a step in the middle is changed (DESIGN 5).

From the changed step on, every answer is checked and decided again, with the box values that it
read at first. What still fits but now meets an objection is kept, with the objection. Where an
answer no longer fits, deciding stops, unless the plan says how to go on. Nothing here changes the
log: the result is what a void or an amend would store.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from companion.box import GameBox
from companion.session import LiveStep, Mark, Redone, Session
from companion.table.fitting import fits
from companion.table.past import Missing, Rewrite, Stop
from companion.terms import Answer, NoSuchKey, Objection, Say, Unknown, say

log = logging.getLogger(__name__)


class Line:
    """The present line with a change in it: the steps that follow, or where deciding stopped.

    `redone` are the steps from the changed one on; `left_out` the steps that are no more;
    `refused` what the rules say against a new answer (which then may be insisted on); `stop` the
    first step that no longer fits; `needs` a printed value that a new answer waits for.
    """

    def __init__(
        self, session: Session, box: GameBox, plan: Rewrite, told: Mapping[str, int | str]
    ) -> None:
        self.redone: list[Redone] = []
        self.left_out: list[int] = []
        self.refused: tuple[Objection, ...] = ()
        self.stop: Stop | None = None
        self.needs = ""
        self._game, self._box, self._plan, self._told = session.game, box, plan, dict(told)
        self._start, self._control = session.start, session.next_number
        self._rows = session.rows[:]
        self._steps = session.live()
        numbers = [step.row.number for step in self._steps]
        for number in (plan.step, *(given.step for given in plan.missing)):
            if number not in numbers:
                raise NoSuchKey(str(number), say("expected.step"))
        self._first = numbers.index(plan.step)
        self._events: list[Any] = []
        for step in self._steps[: self._first]:
            self._events += step.events
        self.state = self._fold(self._events)
        self._was = self._fold(()), 0
        self._decide_forward()

    # ---- private

    def _decide_forward(self) -> None:
        plan = self._plan
        missing: dict[int, list[Missing]] = {}
        for given in plan.missing:
            missing.setdefault(given.step, []).append(given)
        if plan.changes:
            missing.setdefault(plan.step, []).insert(0, Missing(plan.step, plan.answer))
        for place, step in enumerate(self._steps[self._first :], self._first):
            settled = False
            for given in missing.get(step.row.number, ()):
                settled = given.answer is None or given.answer.key == _key(step)
                settled = settled or (place == self._first and plan.changes)
                if given.answer is None:
                    self.left_out.append(step.row.number)
                elif not self._said(given.answer, step if settled else None):
                    return
                if settled:
                    break
            if settled:
                continue
            why = self._again(step, place)
            if why is None:
                continue
            if plan.way == "keep" or step.mark == "kept":
                self._keep(step)
            elif plan.way == "back":
                self.left_out += [later.row.number for later in self._steps[place:]]
                return
            else:
                asked = self._game.questions(self.state, self._box)
                self.stop = Stop(step.row.number, _key(step), why, asked, self.needs)
                return

    def _said(self, answer: Answer, step: LiveStep | None) -> bool:
        """Take an answer that is new here, in the place of a step or before it."""
        box = self._box.pinned()
        try:
            self.refused = self._game.check(self.state, answer, box)
            if self.refused and not answer.insist:
                return False
            events = self._game.decide(self.state, answer, box)
            self._apply(events)
        except Unknown as unknown:
            self.needs = unknown.key
            return False
        except NoSuchKey:
            raise
        except Exception:
            log.exception("%s stumbled over %r", self._game.NAME, answer)
            self.refused = (Objection(say("table.stumbled"), ""),)
            return False
        number = step.row.number if step else self._control
        self._note(number, events, "amended", self.refused, box.read, answer)
        self.refused = ()
        return True

    def _again(self, step: LiveStep, place: int) -> Say | None:
        """Decide a later answer again; return why it no longer fits, None where it does."""
        said = step.row.answer
        if said is None:
            return say("table.stop.gone")
        box = self._box.pinned({**step.row.known, **self._told})
        try:
            why = self._misfit(said, self.state)
            if why is not None and self._misfit(said, self._before(place)) is None:
                return why
            objections = self._game.check(self.state, said, box)
            forced = msgspec.structs.replace(said, insist=True) if objections else said
            events = self._game.decide(self.state, forced, box)
            self._apply(events)
        except Unknown as unknown:
            self.needs = unknown.key
            return say("table.stop.needs", key=unknown.key)
        except NoSuchKey as error:
            return say("table.stop.gone", seen=error.seen)
        except Exception:
            log.exception("%s stumbled over %r again", self._game.NAME, said)
            return say("table.stumbled")
        same = msgspec.msgpack.encode(events) == step.row.events
        mark: Mark = step.mark if same else "again"
        self._note(step.row.number, events, mark, objections, box.read, self._kept_answer(step))
        return None

    def _misfit(self, said: Answer, state: Any) -> Say | None:
        """Return why an answer does not fit this position; corrections always do."""
        if said.key.startswith("fact:"):
            return None
        asked = next((q for q in self._game.questions(state, self._box) if q.key == said.key), None)
        if asked is None:
            return say("table.stop.closed")
        return None if fits(asked, said.value) else say("table.stop.other", asked=asked.say)

    def _keep(self, step: LiveStep) -> None:
        """Leave a step as it happened; where its events cannot be, it is left out."""
        try:
            self._apply(step.events)
        except Exception:
            log.exception("step %s cannot stay as it happened", step.row.number)
            self.left_out.append(step.row.number)
            return
        row = step.row
        kept = self._kept_answer(step)
        self._note(row.number, step.events, "kept", row.objections, row.known, kept)

    def _kept_answer(self, step: LiveStep) -> Answer | None:
        """Return the answer to be stored again, None where the step's own row says the same."""
        logged = self._rows[step.row.number].answer
        return None if logged == step.row.answer else step.row.answer

    def _note(
        self,
        number: int,
        events: Sequence[Any],
        mark: Mark,
        objections: tuple[Objection, ...],
        known: Mapping[str, int | str],
        answer: Answer | None,
    ) -> None:
        encoded = msgspec.msgpack.encode(tuple(events))
        self.redone.append(Redone(number, encoded, mark, answer, objections, dict(known)))

    def _apply(self, events: Iterable[Any]) -> None:
        """Apply a step's events, all or none."""
        applied = len(self._events)
        try:
            for event in events:
                self._game.apply(self.state, event)
                self._events.append(event)
        except Exception:
            del self._events[applied:]
            self.state = self._fold(self._events)
            raise

    def _before(self, place: int) -> Any:
        """Return the state in which a step was answered at first; asked for in their order."""
        was, done = self._was
        for step in self._steps[done:place]:
            for event in step.events:
                self._game.apply(was, event)
        self._was = was, place
        return was

    def _fold(self, events: Iterable[Any]) -> Any:
        state = self._game.setup(self._start.seats, self._start.choices)
        for event in events:
            self._game.apply(state, event)
        return state


def _key(step: LiveStep) -> str:
    return step.row.answer.key if step.row.answer else ""
