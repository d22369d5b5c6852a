"""The table of facts: each key with its getter, its setter, its bounds and its label.

Keys and values as in the contract of fact keys; specification sections 1 to 4, 16 and 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from companion.games.vikingjarl.fact_line import Get, Line, Put, words
from companion.games.vikingjarl.fact_lines_map import battle_of, of_battle, of_supplies, of_town
from companion.games.vikingjarl.places import TOWNS_AND_HOME, is_place
from companion.games.vikingjarl.printed import (
    DECK,
    GOODS,
    LIMITS,
    SAGAS,
    SWITCHES,
    TOKENS,
    TOWNS,
    UNITS,
    VP_TOWNS,
)
from companion.games.vikingjarl.purses import share_purses
from companion.games.vikingjarl.state import Hand, Jarl, Settlement, State
from companion.games.vikingjarl.variants import (
    FOR_TWO_SIDES,
    MOST_ROUNDS,
    TEAMS,
    play_rounds,
    play_sides,
    sides,
)
from companion.terms import CardOf, Count, NoSuchKey, Option, Pick, Place, Say, say

PHASES = ("fresh", "moved", "acted", "moved_acted", "acted_moved", "recruited")
_FEW = Count(0, 9)
_PLACE = Place(
    "north", tuple(Option(p, say("place.name", place=p)) for p in (*TOWNS_AND_HOME, *TOKENS)), True
)
_TITLES = tuple(Option(id, say(f"saga.{id}")) for id, saga in SAGAS.items() if not saga.event)


def lines(state: State) -> Mapping[str, Line]:
    """Return all facts by key; which there are depends on who plays, settled, recruits, fights."""
    jarls = tuple((j.id, tuple(j.settlements), tuple(j.recruited)) for j in state.jarls)
    return _table(jarls, battle_of(state) is not None, len(state.jarls) == len(TEAMS))


def line_of(state: State, key: str) -> Line:
    """Return one fact; raises `NoSuchKey` for a key that names nothing."""
    found = lines(state).get(key)
    if found is not None:
        return found
    id, _, rest = key.partition(".")
    parts = rest.split(".")
    if state.has(id):
        if parts[0] == "recruited" and len(parts) == 2 and is_place(parts[1]):
            return _recruited(id, parts[1])
        in_settlement = parts[0] == "settlements" and len(parts) == 3 and parts[1] in VP_TOWNS
        if in_settlement and parts[2] in GOODS:
            return _stored(id, parts[1], parts[2])
    raise NoSuchKey(key, "a fact key such as harald.silver or eirik.ship.v")


@lru_cache(maxsize=512)
def _table(
    jarls: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...], fighting: bool, four: bool
) -> Mapping[str, Line]:
    ids = tuple(id for id, _, _ in jarls)
    table: dict[str, Line] = dict(_of_turn(ids))
    for id, towns, recruiting in jarls:
        table |= _of_jarl(id, ids)
        for unit in UNITS:
            table |= _of_unit(id, unit)
        table |= _of_stores(id, towns)
        table |= {f"{id}.recruited.{place}": _recruited(id, place) for place in recruiting}
    for town in TOWNS:
        table |= of_town(town)
    table |= of_supplies()
    if fighting:
        table |= of_battle()
    table["switch.target_vp"] = Line(
        say("switch.target_vp"),
        lambda s: s.target,
        lambda s, v: setattr(s, "target", v),
        Count(1, LIMITS.longest_target),
    )
    if four:
        table["switch.variant"] = _sides()
    table["switch.rounds"] = Line(
        say("fact.rounds"), lambda s: s.rounds, play_rounds, Count(0, MOST_ROUNDS)
    )
    for name in SWITCHES:
        table[f"switch.{name}"] = _switch(name)
    return MappingProxyType(table)


# ------------------------------------------------------------------------------ turn, switches


def _of_turn(ids: tuple[str, ...]) -> dict[str, Line]:
    phase, phases = words("draw", "act", "discard")
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
        "game.winner": Line(
            say("fact.game.winner"), lambda s: "none" if s.winner is None else list(s.winner)
        ),
    }


def _put_turn(state: State, id: Any) -> None:
    state.turn = next(i for i, jarl in enumerate(state.jarls) if jarl.id == id)
    if state.phase == "draft":
        state.phase = "act"


def _sides() -> Line:
    alone = Option("none", say("fact.variant.none"))
    forms = tuple(Option(form, say(f"variant.{form}")) for form in FOR_TWO_SIDES)
    return Line(
        say("fact.variant"),
        sides,
        play_sides,
        Pick((alone, *forms)),
        {word: word for word in ("none", *FOR_TWO_SIDES)},
    )


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


# ---------------------------------------------------------------------------------- the Jarls


def _of_jarl(id: str, ids: tuple[str, ...]) -> dict[str, Line]:
    def of(name: str) -> Get:
        return lambda s: list(getattr(s.jarl(id), name))

    def to(name: str) -> Put:
        return lambda s, v: setattr(s.jarl(id), name, list(v))

    def silver(state: State) -> Count:
        return Count(0, max(0, state.silver(state.jarl(id)) + max(0, state.bank)))

    def hand(state: State) -> Count:
        return Count(0, state.hand(state.jarl(id)).size + state.deck + state.discard)

    def points(state: State) -> Count:
        return Count(0 if state.switches["vp_floor"] == "0" else -99, 99)

    def readers(state: State) -> tuple[str, ...]:
        return tuple(j.id for j in state.jarls if j.hand == state.jarl(id).hand)

    who = {"jarl": id}
    table = {
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
            lambda s, v: _put_hand(s.hand(s.jarl(id)), v),
            hand,
            disputed=lambda s: s.deck < 0,
        ),
        f"{id}.hand.titles": Line(
            Say("fact.titles", who),
            lambda s: list(s.hand(s.jarl(id)).titles),
            lambda s, v: _put_titles(s.hand(s.jarl(id)), v),
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
    return table


def _saga_on(id: str, other: str) -> Line:
    return Line(
        say("fact.saga_on", jarl=id, other=other),
        lambda s: s.jarl(id).saga_on.get(other, 0),
        lambda s, v: s.jarl(id).saga_on.__setitem__(other, v),
        _FEW,
    )


def _recruited(id: str, place: str) -> Line:
    return Line(
        say("fact.recruited", jarl=id, place=place),
        lambda s: s.jarl(id).recruited.get(place, 0),
        lambda s, v: s.jarl(id).recruited.__setitem__(place, v),
        _FEW,
    )


def _put_hand(hand: Hand, size: Any) -> None:
    hand.size = size
    if len(hand.titles) > size:
        hand.titles = []


def _put_titles(hand: Hand, titles: Any) -> None:
    hand.titles = list(titles)
    hand.size = max(hand.size, len(titles))


# --------------------------------------------------------------------------------- the units


def _of_unit(id: str, name: str) -> dict[str, Line]:
    def of(attribute: str) -> Get:
        return lambda s: getattr(s.jarl(id).unit(name), attribute)

    def to(attribute: str) -> Put:
        return lambda s, v: setattr(s.jarl(id).unit(name), attribute, v)

    def put_at(state: State, place: Any) -> None:
        unit = state.jarl(id).unit(name)
        unit.at = unit.started_in = place
        unit.trading = ""

    def put_phase(state: State, phase: Any) -> None:
        unit = state.jarl(id).unit(name)
        unit.phase = phase
        unit.stopped, unit.trading = False, ""
        if phase == "moved" and not unit.steps:
            unit.steps, unit.started_in = 1, "unknown"

    who = {"jarl": id, "unit": name}
    aboard = {"ship": "ship"} if name == "army" else dict[str, Any]()
    table = {
        f"{id}.{name}.at": Line(Say("fact.at", who), of("at"), put_at, _PLACE, aboard),
        **{f"{id}.{name}.{kind}": _cargo(id, name, kind) for kind in GOODS},
    }
    phases, ids = words(*PHASES)
    table[f"{id}.{name}.phase"] = Line(Say("fact.phase", who), of("phase"), put_phase, phases, ids)
    table[f"{id}.{name}.started_in"] = Line(
        Say("fact.started_in", who),
        of("started_in"),
        to("started_in"),
        _PLACE,
        {"ship": "ship", "unknown": "unknown"},
    )
    for number in ("steps", "bonus"):
        table[f"{id}.{name}.{number}"] = Line(
            Say(f"fact.{number}", who), of(number), to(number), _FEW
        )
    if name == "army":
        table[f"{id}.army.rode"] = Line(
            Say("fact.rode", who),
            of("rode"),
            to("rode"),
            words("true", "false")[0],
            {"true": True, "false": False},
        )
    return table


def _cargo(id: str, name: str, kind: str) -> Line:
    return Line(
        say(f"fact.cargo.{kind}", jarl=id, unit=name),
        lambda s: s.jarl(id).unit(name).hold.of(kind),
        lambda s, v: setattr(s.jarl(id).unit(name).hold, kind, v),
        _most(id, kind, lambda jarl: jarl.unit(name).hold.of(kind)),
        disputed=lambda s: s.jarl(id).room(name) < 0 or s.jarl(id).unit(name).hold.of(kind) < 0,
    )


def _most(id: str, kind: str, has: Callable[[Jarl], int]) -> Callable[[State], Count]:
    """Bound a number by what lies here and what supply or bank still hold."""

    def wants(state: State) -> Count:
        jarl = state.jarl(id)
        left = jarl.supply if kind == "v" else state.cubes(kind)
        return Count(0, max(0, has(jarl) + max(0, left)))

    return wants


# --------------------------------------------------------------------- Kaupang and Settlements


def _of_stores(id: str, settled: tuple[str, ...]) -> dict[str, Line]:
    table = {f"{id}.kaupang.{kind}": _at_home(id, kind) for kind in GOODS}
    for town in VP_TOWNS:
        table[f"{id}.settlements.{town}.damaged"] = _settlement(id, town)
        if town in settled:
            table |= {f"{id}.settlements.{town}.{kind}": _stored(id, town, kind) for kind in GOODS}
    return table


def _at_home(id: str, kind: str) -> Line:
    return Line(
        say(f"fact.kaupang.{kind}", jarl=id),
        lambda s: s.jarl(id).kaupang.of(kind),
        lambda s, v: setattr(s.jarl(id).kaupang, kind, v),
        _most(id, kind, lambda jarl: jarl.kaupang.of(kind)),
        disputed=lambda s: s.jarl(id).kaupang.of(kind) < 0,
    )


def _settlement(id: str, town: str) -> Line:
    def get(state: State) -> Any:
        settled = state.jarl(id).settlements.get(town)
        return "none" if settled is None else settled.damaged

    def put(state: State, damaged: Any) -> None:
        jarl = state.jarl(id)
        if damaged == "none":
            jarl.settlements.pop(town, None)
            return
        for other in state.jarls:
            if other.id != id:
                other.settlements.pop(town, None)
        settled = jarl.settlements.setdefault(town, Settlement())
        settled.damaged = damaged
        settled.lost = TOWNS[town].tile if damaged else 0
        state.towns[town] = replace(state.towns[town], shield="removed")

    return Line(
        say("fact.settlement", jarl=id, town=town),
        get,
        put,
        words("none", "false", "true")[0],
        {"none": "none", "false": False, "true": True},
    )


def _stored(id: str, town: str, kind: str) -> Line:
    def get(state: State) -> int:
        return state.jarl(id).in_store(town, kind)

    def put(state: State, number: Any) -> None:
        hold = state.jarl(id).store(town)
        if hold is not None:
            setattr(hold, kind, number)

    return Line(
        say(f"fact.settlement.{kind}", jarl=id, town=town),
        get,
        put,
        _most(id, kind, lambda jarl: jarl.in_store(town, kind)),
        closed=lambda s: town not in s.jarl(id).settlements,
        disputed=lambda s: get(s) < 0 or (kind == "v" and get(s) > LIMITS.garrison),
    )
