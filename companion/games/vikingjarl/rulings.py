"""What a chapter says to an answer: its objections, and the events that follow all the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.terms import Objection, say


class Ruling(NamedTuple):
    """Objections (empty: the rules agree) and events (what is true if it happened anyway)."""

    objections: tuple[Objection, ...] = ()
    events: tuple[Any, ...] = ()


def objection(word: str, rule: str, /, **values: Any) -> Objection:
    """Return an objection; `rule` is its place in the rulebook and the ruling."""
    return Objection(say(f"objection.{word}", **values), rule)


def refused(word: str, rule: str, events: Iterable[Any] = (), /, **values: Any) -> Ruling:
    """Return a ruling with one objection."""
    return Ruling((objection(word, rule, **values),), tuple(events))
