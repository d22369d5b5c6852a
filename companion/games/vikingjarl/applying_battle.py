"""Make events of battles true: who attacked where, and what is being resolved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.state import State


def _attack_declared(state: State, event: e.AttackDeclared) -> None:
    if not event.target or event.place in state.towns:
        state.jarl(event.jarl).attacked.append(event.place)


def _began(state: State, event: e.Began) -> None:
    state.stack.append(event.frame)


def _became(state: State, event: e.Became) -> None:
    if state.stack:
        state.stack[-1] = event.frame


def _resolved(state: State, _event: e.Resolved) -> None:
    if state.stack:
        state.stack.pop()


APPLY_BATTLE: dict[type, Callable[[State, Any], None]] = {
    e.AttackDeclared: _attack_declared,
    e.Began: _began,
    e.Became: _became,
    e.Resolved: _resolved,
}
