"""A game under watch: what only reads must leave the state as it was, to the last byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.terms import Answer, Box, Game, Objection, Question, Seat, View


class Watched:
    """A game whose `questions`, `check`, `decide` and `view` are seen to change nothing."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.NAME, self.EVENTS = game.NAME, game.EVENTS
        self.looked = 0

    def setup(self, seats: Sequence[Seat], choices: dict[str, Any]) -> Any:
        return self._game.setup(seats, choices)

    def questions(self, state: Any, box: Box) -> tuple[Question, ...]:
        return self._same(state, lambda: self._game.questions(state, box), "questions")

    def check(self, state: Any, answer: Answer, box: Box) -> tuple[Objection, ...]:
        return self._same(state, lambda: self._game.check(state, answer, box), answer.key)

    def decide(self, state: Any, answer: Answer, box: Box) -> tuple[Any, ...]:
        return self._same(state, lambda: self._game.decide(state, answer, box), answer.key)

    def apply(self, state: Any, event: Any) -> None:
        self._game.apply(state, event)

    def view(self, state: Any, box: Box, seat: str | None) -> View:
        return self._same(state, lambda: self._game.view(state, box, seat), "view")

    def _same(self, state: Any, look: Any, what: str) -> Any:
        before = msgspec.msgpack.encode(state)
        try:
            return look()
        finally:
            self.looked += 1
            assert msgspec.msgpack.encode(state) == before, f"{what} changed the state"
