"""The words of a request: whose language, whose names, and a table's sentences as text."""

from __future__ import annotations

from typing import Any

from flask import request, session

from companion.table import Look, Phone, Table
from companion.terms import Say, Seat, say
from companion.words import LANGUAGES, Words


class Speaker:
    """Turns what the table says into text for this request."""

    def __init__(self, table: Table, words: Words, wall_language: str) -> None:
        self._table, self.words, self._wall = table, words, wall_language

    @property
    def phone(self) -> Phone:
        """What this phone told about itself."""
        return self._table.phone(str(session.get("phone", "")))

    @property
    def language(self) -> str:
        """The phone's chosen language, else what its browser prefers; the wall has its own."""
        if request.path == "/wall":
            return self._wall
        chosen = self.phone.language
        return chosen or request.accept_languages.best_match(LANGUAGES) or "en"

    def tell(self, sentence: Say | None, game: str | None = "vikingjarl") -> str:
        """Return a sentence as text."""
        return "" if sentence is None else self.words.tell(sentence, self.language, game)

    def ui(self, key: str, **values: Any) -> str:
        """Return one of the pages' own words, `web.KEY`."""
        return self.words.tell(say(f"web.{key}", **values), self.language)

    def seat(self, look: Look) -> Seat | None:
        """Return the seat this phone shows, None where it holds none of this game."""
        return next((s for s in look.seats if s.id == look.seat), None)

    def for_templates(self) -> dict[str, Any]:
        """Return what every template may use."""
        return {
            "tell": self.tell,
            "ui": self.ui,
            "say": say,
            "language": self.language,
            "phone": self.phone,
            "form_token": session.get("form", ""),
            "path": request.path,
        }
