"""The facts of a Jarl: points, silver, hand, and what it did this turn.

Keys and values as in the contract of fact keys; specification sections 1 to 4, 15 and 16.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.vikingjarl.fact_line import (
    YES_NO,
    Get,
    Line,
    Put,
    decided_by,
    never,
    words,
)
from companion.games.vikingjarl.fact_lines_units import of_stores, of_unit
from companion.games.vikingjarl.printed import (
    DECK,
    KINDS,
    SAGAS,
    TOWNS,
    UNITS,
)
from companion.games.vikingjarl.state import Hand, State
from companion.terms import CardOf, Count, Option, Pick, Say, say

_FEW = Count(0, 9)
_TITLES = tuple(Option(id, say(f"saga.{id}")) for id, saga in SAGAS.items() if not saga.event)


def of_jarl(
    id: str, ids: tuple[str, ...], settled: tuple[str, ...], recruiting: tuple[str, ...]
) -> dict[str, Line]:
    """Return all facts of one Jarl among those who play; cargo only of Settlements it has."""
    table = _of_person(id, ids)
    its_own = _of_doings(id, ids)
    for unit in UNITS:
        its_own |= of_unit(id, unit)
    its_own |= of_stores(id, settled)
    its_own |= {f"{id}.recruited.{place}": recruited(id, place) for place in recruiting}

    def whole(state: State) -> bytes:
        return msgspec.msgpack.encode(state.jarl(id))

    return table | decided_by(its_own, whole, cubes)


def cubes(state: State) -> tuple[int, ...]:
    """What the bank still holds of each kind: a part of the state, and a bound of every store."""
    return tuple(state.cubes(kind) for kind in KINDS)


# -------------------------------------------------------------------------------- the Jarl itself


def _of_person(id: str, ids: tuple[str, ...]) -> dict[str, Line]:
    def silver(state: State) -> Count:
        return Count(0, max(0, state.silver(state.jarl(id)) + max(0, state.bank)))

    def hand(state: State) -> Count:
        return Count(0, state.hand(state.jarl(id)).size + state.deck + state.discard)

    def points(state: State) -> Count:
        return Count(0 if state.switches["vp_floor"] == "0" else -99, 99)

    def readers(state: State) -> tuple[str, ...]:
        return tuple(j.id for j in state.jarls if j.hand == state.jarl(id).hand)

    who = {"jarl": id}
    return {
        f"{id}.vp": Line(
            Say("fact.vp", who),
            lambda s: s.jarl(id).vp,
            lambda s, v: setattr(s.jarl(id), "vp", v),
            points,
            disputed=lambda s: s.jarl(id).vp < 0 and s.switches["vp_floor"] == "0",
        ),
        f"{id}.silver": Line(
            Say("fact.silver", who),
            lambda s: s.silver(s.jarl(id)),
            lambda s, v: s.purses.__setitem__(s.jarl(id).purse, v),
            silver,
            disputed=lambda s: s.silver(s.jarl(id)) < 0,
        ),
        f"{id}.hand": Line(
            Say("fact.hand", who),
            lambda s: s.hand(s.jarl(id)).size,
            lambda s, v: _put_hand(s, s.hand(s.jarl(id)), v),
            hand,
            disputed=lambda s: s.deck < 0,
        ),
        f"{id}.hand.titles": Line(
            Say("fact.titles", who),
            lambda s: list(s.hand(s.jarl(id)).titles),
            lambda s, v: _put_titles(s, s.hand(s.jarl(id)), v),
            CardOf("saga", _TITLES, 0, DECK),
            is_list="titles",
            readers=readers,
        ),
        f"{id}.supply": Line(
            Say("fact.supply", who),
            lambda s: s.jarl(id).supply,
            disputed=lambda s: s.jarl(id).supply < 0,
        ),
    }


# -------------------------------------------------------------------------------- what it did


def _of_doings(id: str, ids: tuple[str, ...]) -> dict[str, Line]:
    def of(name: str) -> Get:
        return lambda s: list(getattr(s.jarl(id), name))

    def to(name: str) -> Put:
        return lambda s, v: setattr(s.jarl(id), name, list(v))

    who, table = {"jarl": id}, dict[str, Line]()
    for name in ("last_attacked", "attacked"):
        options = tuple(Option(t, say("place.name", place=t)) for t in TOWNS)
        table[f"{id}.{name}"] = Line(
            Say(f"fact.{name}", who), of(name), to(name), Pick(options, 0, 9), is_list="places"
        )
    laid = CardOf("saga", tuple(o for o in _TITLES if o.id in ("berserk", "valhalla")), 0, 2)
    table[f"{id}.laid"] = Line(
        Say("fact.laid", who), of("laid"), to("laid"), laid, is_list="titles"
    )
    table[f"{id}.sagas_bought"] = Line(
        Say("fact.sagas_bought", who),
        lambda s: s.jarl(id).sagas_bought,
        lambda s, v: setattr(s.jarl(id), "sagas_bought", v),
        _FEW,
    )
    for other in ids:
        if other != id:
            table[f"{id}.saga_on.{other}"] = _saga_on(id, other)
    table[f"{id}.pillaged"] = Line(
        Say("fact.pillaged", who),
        lambda s: s.jarl(id).pillaged,
        lambda s, v: setattr(s.jarl(id), "pillaged", v),
        words("true", "false")[0],
        YES_NO,
        shown=never,
    )
    return table


def _saga_on(id: str, other: str) -> Line:
    return Line(
        say("fact.saga_on", jarl=id, other=other),
        lambda s: s.jarl(id).saga_on.get(other, 0),
        lambda s, v: s.jarl(id).saga_on.__setitem__(other, v),
        _FEW,
    )


def recruited(id: str, place: str) -> Line:
    """Return the fact how many Vikings a place gave this turn."""
    return Line(
        say("fact.recruited", jarl=id, place=place),
        lambda s: s.jarl(id).recruited.get(place, 0),
        lambda s, v: s.jarl(id).recruited.__setitem__(place, v),
        _FEW,
    )


def _put_hand(state: State, hand: Hand, size: Any) -> None:
    """Correct a hand from and to the deck; what the deck lacks comes off the discards."""
    hand.size = size
    if len(hand.titles) > size:
        hand.titles = []
    state.discard = max(0, min(state.discard, DECK - state.held))


def _put_titles(state: State, hand: Hand, titles: Any) -> None:
    hand.titles = list(titles)
    _put_hand(state, hand, max(hand.size, len(titles)))
