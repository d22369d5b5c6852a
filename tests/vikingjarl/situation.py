"""Looking at the table while a case runs: which unit can do it, what stands where, what is open."""

from __future__ import annotations

import re
from typing import Any

from tests.vikingjarl.steps import Look, Situation

COLOURS = {"B": "black", "W": "white", "R": "red"}


def place_of(now: Situation, jarl: str, unit: str) -> str:
    """Return where a unit stands; an Army aboard stands where its Ship is."""
    at = now.facts[f"{jarl}.{unit}.at"]
    return now.facts[f"{jarl}.ship.at"] if unit == "army" and at == "ship" else at


def unit_in(now: Situation, jarl: str, place: str) -> str | None:
    """Return an own unit at a place, the one with its Action left before another."""
    here = [unit for unit in ("ship", "army") if place_of(now, jarl, unit) == place]
    idle = [unit for unit in here if now.facts[f"{jarl}.{unit}.phase"] in ("fresh", "moved")]
    return next(iter(idle + here), None)


def only_unit(now: Situation, jarl: str, target: str) -> str:
    """Return the only unit that can reach a target: a place, or another Jarl in the open."""
    if f"{target}.ship.at" not in now.facts:
        return unit_in(now, jarl, target) or "ship"
    theirs = {place_of(now, target, unit) for unit in ("ship", "army")}
    return "army" if place_of(now, jarl, "army") in theirs else "ship"


def dealing_unit(now: Situation, jarl: str, unit: str) -> str:
    """Return who trades when goods go to `unit`: whoever has begun to, in that place."""
    other = "army" if unit == "ship" else "ship"
    together = place_of(now, jarl, unit) == place_of(now, jarl, other)
    open_trades = [key for key in now.open if key.endswith(".trade")]
    begun = now.facts[f"{jarl}.{other}.phase"] in ("acted", "moved_acted")
    if together and begun and f"{jarl}.{other}.trade" in open_trades:
        return other
    return unit


def trading_unit(now: Situation, jarl: str) -> str:
    """Return the own unit that may trade; where several may, the one outside Kaupang."""
    able = [unit for unit in ("ship", "army") if f"{jarl}.{unit}.trade" in now.open]
    abroad = [unit for unit in able if place_of(now, jarl, unit) != "kaupang"]
    return (abroad + able + ["ship"])[0]


def selling_unit(now: Situation, jarl: str, kind: str) -> str:
    """Return the unit that can sell a cube: the one that holds it, else one at its store."""
    for unit in ("ship", "army"):
        if now.facts[f"{jarl}.{unit}.{kind}"]:
            return unit
    for unit in ("ship", "army"):
        if store_holding(now, jarl, kind, place_of(now, jarl, unit)):
            return unit
    return trading_unit(now, jarl)


def store_holding(now: Situation, jarl: str, kind: str, place: str) -> str | None:
    """Return the own store at a place, or the unit there, that holds a cube of this kind."""
    stores = {"kaupang": f"{jarl}.kaupang.{kind}"}
    if now.facts.get(stores.get(place, f"{jarl}.settlements.{place}.{kind}")):
        return place
    for unit in ("ship", "army"):
        if place_of(now, jarl, unit) == place and now.facts[f"{jarl}.{unit}.{kind}"]:
            return unit
    return None


def wants_type(now: Situation, key: str) -> str | None:
    """Return the form a question asks for, None where it is not open."""
    asked = now.open.get(key)
    return asked.wants["type"] if asked and asked.wants else None


def shares(now: Situation, key: str, count: int) -> dict[str, int]:
    """Spread a number over the fields of an open form, in its order, as far as each goes."""
    asked = now.open.get(key)
    if not asked or not asked.wants or asked.wants["type"] != "form":
        return {"army": count}
    put: dict[str, int] = {}
    for field in asked.wants["fields"]:
        put[field["name"]] = min(count, field["wants"]["high"])
        count -= put[field["name"]]
    if count and put:
        put[next(iter(put))] += count
    return put


# ----------------------------------------------------------------------------- figures to check


def fact_look(text: str, key: str, expected: Any) -> Look:
    """Check a fact, where the table shows it at all: a battle that is over shows no figures."""

    def look(now: Situation) -> str | None:
        if key not in now.facts or now.facts[key] is None:
            return None
        seen = now.facts[key]
        return None if seen == expected else f"{key} is {seen!r}, the line says {expected!r}"

    return Look(text, look)


def pool_look(text: str, written: str) -> Look:
    """Check the dice that are asked for; a side that the line leaves out is not checked."""
    expected: dict[str, int] = {}
    for colour, count in re.findall(r"([BWR]) (\d)", written):
        if colour == "R":
            side = "defence" if any(key.endswith("white") for key in expected) else "attack"
        else:
            side = "attack" if colour == "B" else "defence"
        expected[f"battle.pool.{side}.{COLOURS[colour]}"] = int(count)

    def look(now: Situation) -> str | None:
        seen = {key: now.facts.get(key) or 0 for key in expected}
        return None if seen == expected else f"the pool is {seen}, the line says {expected}"

    return Look(text, look, before_roll=True)


def prompt_look(text: str, jarl: str, words: str) -> Look:
    """Check that a question is open, for that seat only."""

    def look(now: Situation) -> str | None:
        endings = _prompt_keys(words)
        asked = [
            one
            for one in now.open.values()
            if any(one.key.endswith(ending) for ending in endings) and jarl in one.seats
        ]
        if not asked:
            return f"nothing like {endings} is open for {jarl}; open are {sorted(now.open)}"
        wide = [one.key for one in asked if one.seats != (jarl,)]
        return f"{wide} is open for others too" if wide else None

    return Look(text, look)


def _prompt_keys(words: str) -> tuple[str, ...]:
    for said, endings in (
        (r"answer|cancel|frigg|balder|heimdall|bragi|njord", (".cancel",)),
        (r"withdraw|go on", ("battle.go_on",)),
        (r"resupply", ("battle.resupply",)),
        (r"loot", ("battle.loot",)),
        (r"exit|leave", (".exit",)),
        (r"remove|give|lose", (".remove",)),
        (r"keep", (".keep",)),
        (r"discard", (".discard",)),
        (r"shield|flip", (".flip",)),
        (r"commit", ("battle.commit",)),
        (r"tyr", ("battle.losses",)),
        (r"unit", ("saga.unit",)),
        (r"roll|dice", ("battle.roll", "saga.roll")),
    ):
        if re.search(said, words.lower()):
            return endings
    return ("",)
