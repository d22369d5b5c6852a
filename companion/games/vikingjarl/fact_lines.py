"""The table of facts: each key with its getter, its setter, its bounds and its label.

Keys and values as in the contract of fact keys; specification sections 4, 16.2, 18, 21 and 22.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from companion.games.vikingjarl.alternative_rules import (
    MOST_ROUNDS,
    VARIANTS,
    against_variant,
    play_variant,
    share_purses,
)
from companion.games.vikingjarl.fact_line import (
    Line,
    Part,
    decided_by,
    never,
    words,
)
from companion.games.vikingjarl.fact_lines_jarl import of_jarl, recruited
from companion.games.vikingjarl.fact_lines_map import battle_of, of_battle, of_supplies, of_town
from companion.games.vikingjarl.fact_lines_units import lost, stored
from companion.games.vikingjarl.places import is_place
from companion.games.vikingjarl.printed import GOODS, LIMITS, SWITCHES, TOWNS, UNITS, VP_TOWNS
from companion.games.vikingjarl.rulings import plain
from companion.games.vikingjarl.state import State
from companion.terms import Count, NoSuchKey, Objection, Option, Pick, say

_VARIANT_RULE = "Advanced and Alternative Rules"


def lines(state: State) -> Mapping[str, Line]:
    """Return all facts by key; which there are depends on who plays, settled, recruits, fights."""
    return _table(*_there_is(state))


@dataclass
class Together:
    """Lines that the same parts of the state decide: what those were, and what was shown then."""

    reads: tuple[Part, ...]
    lines: dict[str, Line]
    last: tuple[tuple[Hashable, ...], Mapping[str, Any]] | None = None


def lines_together(state: State) -> tuple[Together, ...]:
    """Return all facts, gathered by the parts of the state that decide them."""
    return _groups(*_there_is(state))


_Jarls: TypeAlias = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]


def _there_is(state: State) -> tuple[_Jarls, bool]:
    jarls = tuple((j.id, tuple(j.settlements), tuple(j.recruited)) for j in state.jarls)
    return jarls, battle_of(state) is not None


@lru_cache(maxsize=512)
def _groups(jarls: _Jarls, fighting: bool) -> tuple[Together, ...]:
    groups: dict[tuple[Part, ...], Together] = {}
    for key, line in _table(jarls, fighting).items():
        groups.setdefault(line.reads, Together(line.reads, {})).lines[key] = line
    return tuple(groups.values())


def line_of(state: State, key: str) -> Line:
    """Return one fact; raises `NoSuchKey` for a key that names nothing."""
    found = lines(state).get(key)
    if found is not None:
        return found
    id, _, rest = key.partition(".")
    parts = rest.split(".")
    if state.has(id):
        if parts[0] == "recruited" and len(parts) == 2 and is_place(parts[1]):
            return recruited(id, parts[1])
        in_settlement = parts[0] == "settlements" and len(parts) == 3 and parts[1] in VP_TOWNS
        if in_settlement and parts[2] in GOODS:
            return stored(id, parts[1], parts[2])
        if in_settlement and parts[2] == "lost":
            return lost(id, parts[1])
    raise NoSuchKey(key, say("expected.fact_key"))


@lru_cache(maxsize=512)
def _table(jarls: _Jarls, fighting: bool) -> Mapping[str, Line]:
    ids = tuple(id for id, _, _ in jarls)
    table = _of_turn(ids) | _of_variant()
    for id, settled, recruiting in jarls:
        table |= of_jarl(id, ids, settled, recruiting)
    for town in TOWNS:
        table |= decided_by(of_town(town), towns)
    table |= of_supplies()
    if fighting:
        table |= of_battle()
    table["switch.target_vp"] = Line(
        say("switch.target_vp"),
        lambda s: s.target,
        lambda s, v: setattr(s, "target", v),
        Count(1, LIMITS.longest_target),
    )
    table |= decided_by({f"switch.{name}": _switch(name) for name in SWITCHES}, switches)
    return MappingProxyType(table)


def towns(state: State) -> Hashable:
    """All shields: a part of the state."""
    return tuple(state.towns.values())


def switches(state: State) -> Hashable:
    """All house rules: a part of the state."""
    return tuple(state.switches.values())


# ---------------------------------------------------------------------- turn, variant, switches


def _of_turn(ids: tuple[str, ...]) -> dict[str, Line]:
    phase, phases = words("draw", "act", "discard")
    moved, units = words("none", *UNITS)
    return {
        "turn.jarl": Line(
            say("fact.turn.jarl"),
            lambda s: s.active.id,
            _put_turn,
            Pick(tuple(Option(id, say("seat.name", jarl=id)) for id in ids)),
            {id: id for id in ids},
        ),
        "turn.phase": Line(
            say("fact.turn.phase"),
            lambda s: "draw" if s.phase == "draft" else s.phase,
            lambda s, v: setattr(s, "phase", v),
            phase,
            phases,
        ),
        "turn.moved": Line(
            say("fact.turn.moved"),
            lambda s: s.moved[1] if s.moved and s.moved[0] == s.active.id else "none",
            lambda s, v: setattr(s, "moved", None if v == "none" else (s.active.id, v)),
            moved,
            units,
            shown=never,
        ),
        "game.winner": Line(
            say("fact.game.winner"), lambda s: "none" if s.winner is None else list(s.winner)
        ),
    }


def _put_turn(state: State, id: Any) -> None:
    state.turn = next(i for i, jarl in enumerate(state.jarls) if jarl.id == id)
    if state.phase == "draft":
        state.phase = "act"


def _of_variant() -> dict[str, Line]:
    def counted(state: State) -> bool:
        return state.rounds > 0

    def against(state: State, _value: Any) -> list[Objection]:
        return [] if counted(state) else [plain("no_rounds", _VARIANT_RULE)]

    return {
        "switch.variant": Line(
            say("setup.variant"),
            lambda s: list(s.variant),
            play_variant,
            Pick(tuple(Option(v, say(f"variant.{v}")) for v in VARIANTS), 0, 2),
            is_list="variants",
            against=lambda s, v: against_variant(len(s.jarls), v),
        ),
        "switch.rounds": Line(
            say("setup.rounds"),
            lambda s: s.rounds,
            lambda s, v: setattr(s, "rounds", v),
            lambda s: Count(max(1, min(s.round, s.rounds)), MOST_ROUNDS),
            against=against,
            shown=counted,
        ),
        "turn.round": Line(
            say("fact.turn.round"),
            lambda s: min(s.round, s.rounds),  # past the last one the game is over
            lambda s, v: setattr(s, "round", v),
            lambda s: Count(1, max(1, s.rounds)),
            against=against,
            shown=lambda s: counted(s) and s.round > 1,  # absent is the first, like all defaults
        ),
    }


def _switch(name: str) -> Line:
    values = SWITCHES[name].values

    def put(state: State, value: Any) -> None:
        state.switches[name] = value
        share_purses(state)

    return Line(
        say(f"switch.{name}"),
        lambda s: s.switches[name],
        put,
        Pick(tuple(Option(v, say(f"switch.{name}.{v}")) for v in values)),
        {v: v for v in values},
    )
