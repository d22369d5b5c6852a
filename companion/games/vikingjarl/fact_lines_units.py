"""The facts of a Jarl's units and stores: where they are, what they hold, what they did this turn.

Keys and values as in the contract of fact keys; specification sections 4, 5, 10 and 15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.vikingjarl.fact_line import YES_NO, Get, Line, Put, never, words
from companion.games.vikingjarl.places import TOWNS_AND_HOME, wants_place
from companion.games.vikingjarl.printed import GOODS, LIMITS, TOKENS, TOWNS, VP_TOWNS
from companion.games.vikingjarl.rulings import objection
from companion.games.vikingjarl.state import Jarl, Settlement, State
from companion.terms import Count, Objection, Option, Place, Say, say

PHASES = ("fresh", "moved", "acted", "moved_acted", "acted_moved", "recruited")
_FEW = Count(0, 9)
_PLACE = Place(
    "north", tuple(Option(p, say("place.name", place=p)) for p in (*TOWNS_AND_HOME, *TOKENS)), True
)
_SHIP_ZONES, _ARMY_ZONES = wants_place("ship"), wants_place("army")
_ARMY_PLACES = Place(
    _ARMY_ZONES.map, (Option("ship", say("within.ship")), *_ARMY_ZONES.allowed), _ARMY_ZONES.free
)


def of_unit(id: str, name: str) -> dict[str, Line]:
    """Return the facts of a Ship or an Army."""

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
    places = _SHIP_ZONES if name == "ship" else _ARMY_PLACES
    aboard = {"ship": "ship"} if name == "army" else dict[str, Any]()
    table = {
        f"{id}.{name}.at": Line(Say("fact.at", who), of("at"), put_at, places, aboard),
        **{f"{id}.{name}.{kind}": _cargo(id, name, kind) for kind in GOODS},
    }
    phases, ids = words(*PHASES)
    table[f"{id}.{name}.phase"] = Line(Say("fact.phase", who), of("phase"), put_phase, phases, ids)
    table[f"{id}.{name}.started_in"] = Line(
        Say("fact.started_in", who),
        of("started_in"),
        to("started_in"),
        places,
        {"ship": "ship", "unknown": "unknown"},
    )
    for number in ("steps", "bonus"):
        table[f"{id}.{name}.{number}"] = Line(
            Say(f"fact.{number}", who), of(number), to(number), _FEW
        )
    if name == "army":
        table[f"{id}.army.rode"] = Line(
            Say("fact.rode", who), of("rode"), to("rode"), words("true", "false")[0], YES_NO
        )
    table[f"{id}.{name}.stopped"] = Line(
        Say("fact.stopped", who),
        of("stopped"),
        to("stopped"),
        words("true", "false")[0],
        YES_NO,
        shown=never,
    )
    table[f"{id}.{name}.trading"] = Line(
        Say("fact.trading", who),
        lambda s: s.jarl(id).unit(name).trading or "none",
        lambda s, v: setattr(s.jarl(id).unit(name), "trading", "" if v == "none" else v),
        _PLACE,
        {"none": "none"},
        shown=never,
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


def of_stores(id: str, settled: tuple[str, ...]) -> dict[str, Line]:
    """Return the facts of Kaupang and of Settlements; cargo only where there is one."""
    table = {f"{id}.kaupang.{kind}": _at_home(id, kind) for kind in GOODS}
    for town in VP_TOWNS:
        table[f"{id}.settlements.{town}.damaged"] = _settlement(id, town)
        if town in settled:
            table |= {f"{id}.settlements.{town}.{kind}": stored(id, town, kind) for kind in GOODS}
            table[f"{id}.settlements.{town}.lost"] = lost(id, town)
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


def stored(id: str, town: str, kind: str) -> Line:
    """Return the fact how much of a kind lies in a Settlement; there must be one."""

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
        against=_no_settlement(id, town),
        disputed=lambda s: get(s) < 0 or (kind == "v" and get(s) > LIMITS.garrison),
    )


def lost(id: str, town: str) -> Line:
    """Return the points that a Settlement's damage really cost; a repair may return them (R19)."""

    def get(state: State) -> int:
        settled = state.jarl(id).settlements.get(town)
        return settled.lost if settled else 0

    def put(state: State, points: Any) -> None:
        settled = state.jarl(id).settlements.get(town)
        if settled is not None:
            settled.lost = points

    return Line(
        say("fact.settlement.lost", jarl=id, town=town),
        get,
        put,
        Count(0, TOWNS[town].tile),
        shown=never,
        against=_no_settlement(id, town),
    )


def _no_settlement(id: str, town: str) -> Callable[[State, Any], list[Objection]]:
    def against(state: State, _value: Any) -> list[Objection]:
        if town in state.jarl(id).settlements:
            return []
        return [objection("no_settlement", "Correction", town=town)]

    return against
