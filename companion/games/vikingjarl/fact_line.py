"""What makes a fact: how it is read and set, what may be set, who sees it, when it is disputed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from companion.games.vikingjarl.state import State
from companion.terms import Objection, Option, Pick, Say, Wants, say

Get: TypeAlias = Callable[[State], Any]
Put: TypeAlias = Callable[[State, Any], None]
Part: TypeAlias = Callable[[State], Hashable]
"""A part of the state, as a value that is another where anything of the part is."""
YES_NO = {"true": True, "false": False}
"""What the two words of a truth value mean."""


@dataclass(frozen=True)
class Line:
    """One fact. Without `put` it is derived; `wants` may depend on the state.

    `words` maps what may be picked to the value it means; `readers` are the only seats that see
    it; `shown` is false where it means nothing now, or is too small for a page: it may be set all
    the same. `against` says why a value cannot be at all (no such Settlement), not even insisted
    on; `disputed` is true where the arithmetic of the log has made it impossible.

    `reads` are the parts of the state that decide what is shown: while they are as they were, so is
    the fact (none named: it may be anything).
    """

    label: Say
    get: Get
    put: Put | None = None
    wants: Wants | Callable[[State], Wants] | None = None
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])
    is_list: Literal["", "titles", "places", "kinds", "variants"] = ""
    may_be_unknown: bool = False
    readers: Callable[[State], tuple[str, ...]] | None = None
    shown: Callable[[State], bool] | None = None
    against: Callable[[State, Any], list[Objection]] | None = None
    disputed: Callable[[State], bool] | None = None
    reads: tuple[Part, ...] = ()

    def wants_now(self, state: State) -> Wants | None:
        """Return what may be set now, None for a derived fact."""
        return self.wants(state) if callable(self.wants) else self.wants


def decided_by(lines: Mapping[str, Line], *reads: Part) -> dict[str, Line]:
    """Return these facts as decided by those parts of the state."""
    return {key: replace(line, reads=reads) for key, line in lines.items()}


def words(*words: str) -> tuple[Pick, dict[str, Any]]:
    """Return a choice of words, and the value that each of them means: itself."""
    return Pick(tuple(Option(w, say(f"word.{w}")) for w in words)), {w: w for w in words}


def never(_state: State) -> bool:
    """Tell that a fact is set, but shown nowhere."""
    return False
