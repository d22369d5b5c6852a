"""The game that lies on the table now, with everything that follows from its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from companion.box import GameBox
from companion.session import LiveStep, Redone, Row, Session
from companion.table import story
from companion.table.past import StepAgain
from companion.table.records import Pending, Step
from companion.table.standing import Standing
from companion.terms import Answer, Change, DiceReading, Question, Seat, Source, View, say

ReadingOf = Callable[[Row], DiceReading | None]


class LaidOut:
    """One game with its questions, its facts, and what each live step changed.

    `pending` are answers that wait for a printed value: number, answer, key of the value.
    `past_changed` is the revision of the last undo, redo, void or amend; `later` are the keys of
    printed values that people put off: their questions stand behind as offers.
    """

    def __init__(self, id: int, session: Session, box: GameBox) -> None:
        self.id, self.session, self.box = id, session, box
        self.questions: tuple[Question, ...] = ()
        self.standing = Standing()
        self.pending: list[tuple[int, Answer, str]] = []
        self.past_changed = 0
        self.later: set[str] = set()
        self.facts = self._gather(session.game.setup(session.start.seats, session.start.choices))
        self._changes: dict[LiveStep, tuple[Change, ...]] = {}
        self._foreseen: tuple[Any, story.Gathered] | None = None
        self._note_changes()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of this game."""
        return self.session.start.seats

    def view(self, seat: str | None) -> View:
        """Return what a seat may see."""
        return self.session.game.view(self.session.state, self.box, seat)

    def refresh(self, rev: int, step: bool) -> None:
        """Work out what follows from the new position, which will be told as revision `rev`."""
        session = self.session
        asked = session.game.questions(session.state, self.box)
        boxes = self._box_questions()
        urgent = [q for q in boxes if q.urgency == "now"]
        self.questions = (*urgent, *asked, *(q for q in boxes if q.urgency == "offer"))
        before = self.facts
        self._note_changes()
        self.standing.note(rev, self.questions, story.changed(before, self.facts), step)

    def live_row(self, number: int) -> Row | None:
        """Return the row of a live step as it stands now, None where no such step is live."""
        return next((s.row for s in self.session.live() if s.row.number == number), None)

    def changes(self, step: LiveStep) -> tuple[Change, ...]:
        """Return what a live step changed."""
        kept = step.row.changes
        return self._changes.get(step, ()) if kept is None else kept

    def foresee(self, state: Any) -> tuple[Change, ...]:
        """Return what a step into this state, which is about to be kept, changes."""
        facts = self._gather(state)
        self._foreseen = (state, facts)
        return story.changed(self.facts, facts)

    def foresee_again(self, first: int, steps: Iterable[Redone]) -> tuple[Redone, ...]:
        """Return steps decided again, from the live step `first` on, with what each changes."""
        session, state = self.session, self.session.fold(before=first)
        facts, told = self._gather(state), list[Redone]()
        for step in steps:
            for event in session.events_of(Row(step.number, "answer", events=step.events)):
                session.game.apply(state, event)
            before, facts = facts, self._gather(state)
            told.append(msgspec.structs.replace(step, changes=story.changed(before, facts)))
        return tuple(told)

    def trail(self, fact_key: str, seat: str | None, reading_of: ReadingOf) -> tuple[Step, ...]:
        """Return the live steps after which this fact changed, newest first."""
        found: list[Step] = []
        for live in reversed(self.session.live()):
            own = tuple(
                c
                for c in self.changes(live)
                if c.key == fact_key and (not c.readers or seat in c.readers)
            )
            if own:
                step = self._step(live.row, live, seat, reading_of)
                found.append(msgspec.structs.replace(step, changes=own))
        return tuple(found)

    def steps(
        self, rows: Iterable[Row], seat: str | None, reading_of: ReadingOf
    ) -> tuple[Step, ...]:
        """Return rows of the log as lines of the story, the live ones as they stand now."""
        live = {step.row.number: step for step in self.session.live()}
        return tuple(
            self._step(row, live.get(row.number), seat, reading_of)
            if row.kind == "answer"
            else self._step(row, None, seat, reading_of)
            for row in rows
        )

    def again(self, redone: Redone, seat: str | None) -> StepAgain:
        """Return a step that was decided again as a line of its preview."""
        row = Row(redone.number, "answer", redone.answer, redone.events)
        told = story.told(self.session.events_of(row), seat)
        return StepAgain(redone.number, told, redone.mark, redone.objections)

    def consequences(self, state: Any) -> tuple[Change, ...]:
        """Return the facts that would be others in this state, with those who may see them."""
        return story.changed(self.facts, self._gather(state))

    def waiting(self) -> tuple[Pending, ...]:
        """Return the answers that wait for a printed value."""
        return tuple(Pending(number, a.key, needs) for number, a, needs in self.pending)

    def sources(self, seat: str | None) -> dict[str, Source]:
        """Return where each fact's present value came from; set by hand is `corrected`."""
        sources: dict[str, Source] = {}
        for live in self.session.live():
            row = live.row
            by_hand = row.answer is not None and row.answer.key.startswith("fact:")
            source = msgspec.structs.replace(row.source, corrected=True) if by_hand else row.source
            for change in self.changes(live):
                if not change.readers or seat in change.readers:
                    sources[change.key] = source
        return sources

    # ---- private

    def _step(
        self, row: Row, live: LiveStep | None, seat: str | None, reading_of: ReadingOf
    ) -> Step:
        now = live.row if live else row
        changes = self.changes(live) if live else ()
        return story.step_of(self.session, now, live, changes, reading_of(now), seat)

    def _box_questions(self) -> tuple[Question, ...]:
        needed = dict.fromkeys(needs for _, _, needs in self.pending)
        return tuple(
            Question(
                f"box:{key}",
                (),
                say("table.ask_box", key=key),
                self.box.printed[key].wants,
                urgency="offer" if key in self.later else "now",
                done=False,
                detail=say("table.ask_once"),
            )
            for key in needed
            if key in self.box.printed
        )

    def _note_changes(self) -> None:
        """Work out what every live step changed that was not worked out yet, and the facts now."""
        steps = self.session.live()
        bare = (n for n, step in enumerate(steps) if not self._known(step))
        fresh = next(bare, len(steps))
        if fresh < len(steps):
            self._walk(steps, fresh)
        elif self._foreseen is not None and self._foreseen[0] is self.session.state:
            self.facts = self._foreseen[1]
        else:
            self.facts = self._gather(self.session.state)
        self._foreseen = None

    def _known(self, step: LiveStep) -> bool:
        return step.row.changes is not None or step in self._changes

    def _walk(self, steps: list[LiveStep], fresh: int) -> None:
        """Fold the steps, and compare the facts before and after each from `fresh` on."""
        game, start = self.session.game, self.session.start
        state = game.setup(start.seats, start.choices)
        for step in steps[:fresh]:
            for event in step.events:
                game.apply(state, event)
        self.facts = self._gather(state)
        for step in steps[fresh:]:
            for event in step.events:
                game.apply(state, event)
            before, self.facts = self.facts, self._gather(state)
            self._changes[step] = story.changed(before, self.facts)

    def _gather(self, state: Any) -> story.Gathered:
        game, box = self.session.game, self.box
        return story.gathered(lambda s: game.view(state, box, s), [s.id for s in self.seats])
