"""Many cards as people look for one: by name, in the language of whoever looks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from companion.table import Look
from companion.terms import CardOf, Option
from web.speaking import Speaker

_UNNAMED = "unknown"
_AS_TWO = str.maketrans({"æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ø": "o"})


def cards_by_name(speaker: Speaker, options: Sequence[Option]) -> list[Option]:
    """Return the cards that may be named, in the order of their names.

    A card that stays unnamed keeps its place before or behind all others.
    """
    unnamed = [option for option in options if option.id == _UNNAMED]
    named = [option for option in options if option.id != _UNNAMED]
    named.sort(key=lambda option: _letters(speaker.tell(option.say)))
    first = bool(options) and options[0].id == _UNNAMED
    return [*unnamed, *named] if first else [*named, *unnamed]


def cards_asked_for(speaker: Speaker, look: Look) -> list[Option]:
    """Return the titles that any open question would take, each once, in the order of names."""
    asked = (q.wants.options for q in look.questions if isinstance(q.wants, CardOf))
    titles = {option.id: option for options in asked for option in options}
    titles.pop(_UNNAMED, None)
    return cards_by_name(speaker, list(titles.values()))


def _letters(name: str) -> str:
    """Return what a name is sorted by: "Ægir" stands with A, "Ö" with O."""
    apart = unicodedata.normalize("NFD", name.casefold().translate(_AS_TWO))
    return "".join(c for c in apart if not unicodedata.combining(c))
