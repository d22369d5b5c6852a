"""Make an event true in the state: plain arithmetic, no rule (DESIGN 4)."""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.applying_battle import APPLY_BATTLE
from companion.games.vikingjarl.applying_cards import APPLY_CARDS
from companion.games.vikingjarl.applying_pieces import APPLY_PIECES
from companion.games.vikingjarl.state import State

_APPLY = APPLY_CARDS | APPLY_PIECES | APPLY_BATTLE
_TOLD_ONLY = (
    e.CardPassed,
    e.CardEnded,
    e.CubesForfeited,
    e.SagaChosen,
    e.Committed,
    e.WentOn,
    e.Rolled,
    e.DieTurned,
    e.Fell,
    e.Resupplied,
    e.BattleEnded,
)
"""Events that are a sentence of the story; their changes are told by others."""


def apply(state: State, event: Any) -> None:
    """Change the state by one event."""
    if not isinstance(event, _TOLD_ONLY):
        _APPLY[type(event)](state, event)
