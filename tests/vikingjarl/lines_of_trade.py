"""How lines of trade and recruitment read."""

from __future__ import annotations

import re

from tests.vikingjarl.clauses import (
    TRADE_TOWNS,
    UNITS,
    Clause,
    Memory,
    Pattern,
    give,
    kind_of,
    store_at,
)
from tests.vikingjarl.situation import (
    dealing_unit,
    only_unit,
    place_of,
    selling_unit,
    store_holding,
    trading_unit,
    unit_in,
)
from tests.vikingjarl.steps import (
    Situation,
    Step,
    Value,
    filled,
)


def buy(memory: Memory, clause: Clause, verb: str, rest: str) -> list[Step]:
    jarl = memory.jarl
    said = " ".join((rest, *(note for note in clause.notes if note in UNITS)))
    if found := re.search(r"\b(wood|iron|mead|vikings?|sagas?)\b", said):
        memory.item = found[1]
    item = kind_of(memory.item)
    count = int((re.findall(r"^(\d+)\b", rest) or ["1"])[0])
    afar = re.search(r"\bfor (\w+)", said)
    inside = re.search(r"\bin (\w+)", said)
    unit = re.search(r"\bwith (ship|army)|(?:^| )(ship|army)$", said)
    store = re.search(r"\b(?:to|from) (?:the |own )?(\w+)", said)
    named = (unit[1] or unit[2]) if unit and (unit[1] or not re.search(r"to \w+$", said)) else None
    if not (named or inside or afar or store) and memory.price:
        afar_place, named = memory.price.get("for"), memory.price.get("unit")
        place = memory.price.get("in") or afar_place
    else:
        place = inside[1] if inside else afar[1] if afar else None
        afar_place = afar[1] if afar else None
    memory.price = {
        name: text for name, text in (("for", afar_place), ("in", place), ("unit", named)) if text
    }
    into = store[1] if store else None

    def trader(now: Situation) -> str | None:
        if named:
            return named
        if into in UNITS and verb == "buy":
            return dealing_unit(now, jarl, into)
        if place:
            return unit_in(now, jarl, place)
        return selling_unit(now, jarl, item) if verb == "sell" else trading_unit(now, jarl)

    def key(now: Situation) -> str:
        return (
            f"{jarl}.{unit}.trade" if not afar_place and (unit := trader(now)) else (f"{jarl}.buy")
        )

    def value(now: Situation) -> Value:
        if key(now).endswith(".buy"):
            thing = "v" if item == "v" else item
            return filled({f"{thing}.{place or into}": count})
        who = trader(now) or "ship"
        if item == "saga":
            return filled({f"{verb}.saga": count})
        where = store_at(into, place_of(now, jarl, who)) if into else who
        if verb == "sell" and not into and not now.facts.get(f"{jarl}.{who}.{item}"):
            where = store_holding(now, jarl, item, place_of(now, jarl, who)) or who
        return filled({f"{verb}.{item}.{where}": count})

    return [give(clause, key, value, "deed", jarl)]


def recruit(memory: Memory, clause: Clause, count: str | None, rest: str) -> list[Step]:
    jarl = memory.jarl
    place = re.search(r"\bin (\w+)", rest)
    unit = re.search(r"\bwith (ship|army)", rest)
    to = re.search(r"\bto (?:the |own )?(\w+)", rest)
    if place:
        memory.place = place[1]
    if unit:
        memory.recruits = unit[1]
    here, who, many = memory.place, memory.recruits or None, int(count or 1)

    def recruiter(now: Situation) -> str:
        return who or only_unit(now, jarl, here)

    def value(now: Situation) -> Value:
        to_default = recruiter(now) if here in TRADE_TOWNS else here
        return filled({store_at(to[1], here) if to else to_default: many})

    return [give(clause, lambda now: f"{jarl}.{recruiter(now)}.recruit", value, "deed", jarl)]


PATTERNS: list[Pattern] = [
    (r"(buy|sell) (.*)", buy),
    (r"recruit (?:(\d+)|another) ?(.*)", recruit),
]
