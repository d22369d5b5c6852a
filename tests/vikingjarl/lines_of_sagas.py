"""How lines of Sagas read, and of what they ask."""

from __future__ import annotations

import re

from tests.vikingjarl.clauses import (
    BATTLE_SAGAS,
    CANCELS,
    JARL,
    Clause,
    Memory,
    Pattern,
    give,
    kind_of,
)
from tests.vikingjarl.playing import (
    JARLS,
)
from tests.vikingjarl.situation import (
    fact_look,
)
from tests.vikingjarl.steps import (
    Give,
    Kind,
    Situation,
    Step,
    cards,
    filled,
    picked,
    placed,
)


def play(memory: Memory, clause: Clause, title: str, by: str, rest: str) -> list[Step]:
    memory.saga, memory.saga_by, memory.subject = title, by, by
    in_battle = title in BATTLE_SAGAS

    def key(now: Situation) -> str:
        may_cancel = title in ("bragi", "njord") and f"{by}.cancel" in now.open
        return f"{by}.cancel" if title in CANCELS or may_cancel else f"{by}.saga"

    kind: Kind = "reply" if title in CANCELS else "deed"
    steps: list[Step] = [Give(clause.text, key, cards(title), kind, by, in_battle=in_battle)]
    targets = re.search(r"\bon ([a-z_]+)(?: and ([a-z_]+))?", rest)
    if targets:
        named = [target for target in targets.groups() if target in JARLS]
        steps.append(give(clause, "saga.target", picked(*named), "choice", by))
    if found := re.search(r"while moving (ship|army) (\w+)", rest):
        steps.append(give(clause, "saga.place", placed(found[2]), "choice", by))
    return steps


def saga_unit(memory: Memory, clause: Clause, first: str, second: str | None) -> list[Step]:
    units = picked(*(unit for unit in (first, second) if unit))
    return [give(clause, "saga.unit", units, "choice")]


def saga_zone(memory: Memory, clause: Clause, unit: str, place: str) -> list[Step]:
    return [
        give(clause, "saga.unit", picked(unit), "choice"),
        give(clause, f"saga.zone.{unit}", placed(place), "reply"),
    ]


def saga_place(memory: Memory, clause: Clause, place: str) -> list[Step]:
    return [give(clause, "saga.place", picked(place), "choice")]


def saga_take(memory: Memory, clause: Clause, what: str) -> list[Step]:
    return [give(clause, "saga.take", picked(what), "choice")]


def saga_kind_to(memory: Memory, clause: Clause, kind: str, to: str) -> list[Step]:
    return [
        give(clause, "saga.take", picked(kind), "choice"),
        give(clause, "saga.to", picked(to), "choice"),
    ]


def saga_two_to(memory: Memory, clause: Clause, _count: str, to: str) -> list[Step]:
    def key(now: Situation) -> str:
        return "saga.place" if "saga.place" in now.open else "saga.to"

    return [give(clause, key, picked(to), "choice")]


def saga_bring(memory: Memory, clause: Clause, what: str, to: str) -> list[Step]:
    brought = {kind_of(kind): int(n) for n, kind in re.findall(r"(\d) (\w+)", what)}

    def key(now: Situation) -> str:
        return "saga.place" if "saga.place" in now.open else "saga.to"

    return [
        give(clause, "saga.bring", filled(brought), "choice"),
        give(clause, key, picked(to), "choice"),
    ]


def saga_die(memory: Memory, clause: Clause, colour: str, index: str) -> list[Step]:
    return [give(clause, "saga.die", picked(f"die:{colour}:{index}"), "choice")]


def limit(memory: Memory, clause: Clause, unit: str, most: str) -> list[Step]:
    own = 3 if unit == "ship" else 2
    return [fact_look(clause.text, f"{memory.saga_by}.{unit}.bonus", int(most) - own)]


def passes(memory: Memory, clause: Clause, jarl: str) -> list[Step]:
    memory.subject = jarl
    return [give(clause, f"{jarl}.cancel", picked("pass"), "window", jarl)]


def removes(memory: Memory, clause: Clause, jarl: str | None, rest: str) -> list[Step]:
    memory.subject = jarl = jarl or memory.subject
    shares: dict[str, int] = {}
    for n, store in re.findall(r"(\d+) from (\w+)", rest):
        shares[store] = shares.get(store, 0) + int(n)
    return [give(clause, f"{jarl}.remove", filled(shares), "choice", jarl)]


def keeps(memory: Memory, clause: Clause, jarl: str, title: str) -> list[Step]:
    return [give(clause, f"{jarl}.keep", cards(*title.split(" and ")), "choice", jarl)]


def discards(memory: Memory, clause: Clause, jarl: str | None, titles: str) -> list[Step]:
    jarl = jarl or memory.jarl
    named = re.split(r" and ", titles)
    return [give(clause, f"{jarl}.discard", cards(*named), "reply", jarl)]


def discards_for_silver(memory: Memory, clause: Clause, jarl: str | None, title: str) -> list[Step]:
    jarl = jarl or memory.jarl
    return [give(clause, f"{jarl}.discard_for_silver", cards(title), "deed", jarl)]


def nothing(memory: Memory, clause: Clause) -> list[Step]:
    return []


PATTERNS: list[Pattern] = [
    (rf"saga (\w+) by ({JARL})(.*)", play),
    (r"(ship|army)(?: and (ship|army))?", saga_unit),
    (r"(ship|army) -> (\w+)", saga_zone),
    (r"place (\w+)", saga_place),
    (r"(?:choice|take) (\w+)", saga_take),
    (r"(wood|iron|mead) to (\w+)", saga_kind_to),
    (r"(\d) to (\w+)", saga_two_to),
    (
        r"(\d (?:vikings?|wood|iron|mead)(?: and \d (?:vikings?|wood|iron|mead))?) to (\w+)",
        saga_bring,
    ),
    (r"(black|red) die (\d)(?: -> helmet)?", saga_die),
    (r"(ship|army) limit (\d)", limit),
    (rf"({JARL}) passes", passes),
    (rf"(?:({JARL}) )?(?:removes|gives|loses) (.*)", removes),
    (rf"({JARL}) keeps (.+)", keeps),
    (
        rf"(?:({JARL}) )?(?:discards?|throws? away) (\w+) for (?:1 )?silver",
        discards_for_silver,
    ),
    (rf"(?:({JARL}) )?discards? (.*)", discards),
    (r"random card|no sagas|no dice|read aloud", nothing),
]
