"""Why the rules dislike an answer, and what every answer of the own turn has in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Filled, Form, Objection, Question, say


def objection(key: str, rule: str, **values: Any) -> Objection:
    """Return an objection; `rule` is its place in the rulebook and the ruling."""
    return Objection(say(f"objection.{key}", **values), rule)


@cache
def plain(key: str, rule: str) -> Objection:
    """Return an objection without values, made once."""
    return Objection(say(f"objection.{key}"), rule)


def own_turn(state: State, jarl: Jarl) -> list[Objection]:
    """Object to an answer outside the Jarl's own Movement and Action, or amid something else.

    Rules [Gameplay]; specification 4.
    """
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    against: list[Objection] = []
    if jarl.id != state.active.id:
        against.append(objection("not_your_turn", "Gameplay; R32", jarl=jarl.id))
    elif state.phase != "act":
        against.append(plain(f"phase.{state.phase}", "Gameplay"))
    if state.stack:
        against.append(plain("resolving", "Gameplay"))
    return against


def can_be_filled(question: Question, against: Callable[[Answer], list[Objection]]) -> bool:
    """True where a form of numbers has a line of which at least 1 meets no objection.

    An offer that nothing can come of is not made.
    """
    form = question.wants
    return isinstance(form, Form) and any(
        not against(Answer(question.key, Filled({field.name: 1}))) for field in form.fields
    )
