"""Since when each question and each fact stands as it is, so that two phones never cross."""

from __future__ import annotations

from collections.abc import Iterable

from companion.terms import Change, Question


class Standing:
    """Revisions at which questions opened, changed or closed, and facts changed."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[Question, int]] = {}
        self._closed: dict[str, int] = {}
        self._facts: dict[str, int] = {}
        self.step_since = 0

    def note(
        self, rev: int, questions: Iterable[Question], changes: Iterable[Change], stepped: bool
    ) -> None:
        """Note what is true from revision `rev` on."""
        now = {question.key: question for question in questions}
        for key in [key for key in self._asked if key not in now]:
            self._closed[key] = rev
            del self._asked[key]
        for key, question in now.items():
            was = self._asked.get(key)
            if was is None or was[0] != question:
                self._asked[key] = (question, rev)
        for change in changes:
            self._facts[change.key] = rev
        if stepped:
            self.step_since = rev

    def changed_since(self, key: str, rev: int) -> bool:
        """True where the question or fact of this answer key is another than at `rev`."""
        if key.startswith("fact:"):
            return self._facts.get(key.removeprefix("fact:"), 0) > rev
        if key in self._asked:
            return self._asked[key][1] > rev
        return self._closed.get(key, 0) > rev
