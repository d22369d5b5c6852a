"""How lines of attacks, battles, settling and repairs read."""

from __future__ import annotations

import re

from tests.vikingjarl.clauses import (
    JARL,
    KINDS,
    Clause,
    Memory,
    Pattern,
    give,
)
from tests.vikingjarl.situation import (
    fact_look,
    only_unit,
    shares,
    wants_type,
)
from tests.vikingjarl.steps import (
    Situation,
    Step,
    Value,
    dice,
    filled,
    picked,
    placed,
)


def attack(
    memory: Memory,
    clause: Clause,
    target: str,
    _how: str | None,
    first: str | None,
    second: str | None,
) -> list[Step]:
    jarl = memory.jarl
    memory.target = target
    memory.fighting = tuple(unit for unit in (first, second) if unit)

    def key(now: Situation) -> str:
        return f"{jarl}.{first or only_unit(now, jarl, target)}.act"

    steps: list[Step] = [give(clause, key, picked(f"attack:{target}"), "deed", jarl)]
    if second:
        units = picked(*memory.fighting)
        steps.append(give(clause, "battle.units", units, "choice", jarl))
    return steps


def settle(memory: Memory, clause: Clause, verb: str, town: str, unit: str | None) -> list[Step]:
    jarl = memory.jarl
    memory.target, memory.fighting = town, (unit,) if unit else ()

    def key(now: Situation) -> str:
        return f"{jarl}.{unit or only_unit(now, jarl, town)}.act"

    return [give(clause, key, picked(f"{verb}:{town}"), "deed", jarl)]


def first_fought(memory: Memory, clause: Clause, jarl: str) -> list[Step]:
    return [give(clause, "battle.first", picked(jarl), "choice", memory.jarl)]


def commit(memory: Memory, clause: Clause, rest: str, against: str | None) -> list[Step]:
    fighting = memory.fighting or ("ship",)
    count = int(re.findall(r"\d+", rest)[0])
    said = " ".join((rest, *clause.notes))
    split = {unit: int(n) for n, unit in re.findall(r"(\d+) (?:from )?(ship|army)", said)}
    if found := re.search(r"(?:both|all) from (ship|army)", said):
        split = {found[1]: count}
    if not split and len(fighting) == 1:
        split = {fighting[0]: count}

    def value(now: Situation) -> Value:
        if split:
            return filled(split)
        left, put = count, {}
        for unit in fighting:
            put[unit] = min(left, now.facts.get(f"{memory.jarl}.{unit}.v", 0))
            left -= put[unit]
        return filled(put)

    steps: list[Step] = [give(clause, "battle.commit", value, "reply", memory.jarl)]
    if not memory.trying:
        steps.append(fact_look(clause.text, "battle.attackers", sum(split.values()) or count))
        if against:
            steps.append(fact_look(clause.text, "battle.defenders", int(against)))
    return steps


def defend(memory: Memory, clause: Clause, count: str) -> list[Step]:
    def value(now: Situation) -> Value:
        return filled(shares(now, "battle.defend", int(count)))

    return [give(clause, "battle.defend", value, "reply")]


def defenders(memory: Memory, clause: Clause, count: str) -> list[Step]:
    return [fact_look(clause.text, "battle.defenders", int(count))]


def go_on(memory: Memory, clause: Clause) -> list[Step]:
    return [give(clause, "battle.go_on", picked("go_on"), "window", memory.jarl)]


def left(
    memory: Memory, clause: Clause, attackers: str, defenders: str | None = None
) -> list[Step]:
    steps: list[Step] = [fact_look(clause.text, "battle.attackers", int(attackers))]
    if defenders:
        steps.append(fact_look(clause.text, "battle.defenders", int(defenders)))
    return steps


def withdraw(memory: Memory, clause: Clause) -> list[Step]:
    return [give(clause, "battle.go_on", picked("withdraw"), "reply", memory.jarl)]


def resupply(memory: Memory, clause: Clause, rest: str) -> list[Step]:
    shares = {unit: int(n) for n, unit in re.findall(r"(\d+) from (ship|army|\w+)", rest)}
    return [give(clause, "battle.resupply", filled(shares), "reply")]


def losses(memory: Memory, clause: Clause, rest: str) -> list[Step]:
    shares = {unit: int(n) for n, unit in re.findall(r"(\d+) from (\w+)", rest)}
    return [give(clause, "battle.losses", filled(shares), "reply")]


def roll(memory: Memory, clause: Clause, thrown: str) -> list[Step]:
    value = dice(thrown)
    alone = [die["colour"] for die in value["dice"]] == ["red"] and " vs " not in thrown
    return [give(clause, "saga.roll" if alone else "battle.roll", value, "reply")]


def loot(
    memory: Memory, clause: Clause, who: str | None, count: str | None, what: str, more: str
) -> list[Step]:
    taken = {what: int(count or 1)}
    taken |= {kind: int(n) for n, kind in re.findall(r"(\d+) (\w+)", more)}

    def value(now: Situation) -> Value:
        wants = wants_type(now, "battle.loot")
        as_form = wants == "form" if wants else count is not None and what in KINDS
        return filled(taken) if as_form else picked(what)

    return [give(clause, "battle.loot", value, "reply", who)]


def leave(memory: Memory, clause: Clause, who: str | None, unit: str, place: str) -> list[Step]:
    def key(now: Situation) -> str:
        ending = f".{unit}.exit"
        asked = [key for key in now.open if key.endswith(ending)]
        jarl = who or memory.jarl
        return f"{jarl}{ending}" if who or len(asked) != 1 else asked[0]

    return [give(clause, key, placed(place), "reply", who)]


PATTERNS: list[Pattern] = [
    (
        r"attack (\w+)( army| ship| at sea)?(?: with (ship|army)(?: and (ship|army))?)?",
        attack,
    ),
    (r"(settle|repair) (\w+)(?: with (ship|army))?", settle),
    (rf"({JARL})'s (?:ship|army|units?).* first", first_fought),
    (rf"({JARL}) first", first_fought),
    (
        r"commit (\d+(?: from \w+(?: and \d+ from \w+)?)?)(?: vs (?:garrison |units )?(\d+))?",
        commit,
    ),
    (r"defend (\d+)", defend),
    (r"(?:town )?(?:defenders|garrison) (\d+)", defenders),
    (r"go on", go_on),
    (r"(\d+) left", left),
    (r"(\d+) against (\d+)", left),
    (r"withdraw(?: .*)?", withdraw),
    (rf"(?:(?:{JARL}) )?resupply (.*)", resupply),
    (r"(?:losses|loses?) (.*)", losses),
    (r"roll (.*)", roll),
    (rf"(?:({JARL}) )?loots? (?:(\d+) )?(\w+)((?: and \d+ \w+)*)", loot),
    (rf"(?:forced )?exit (?:({JARL})(?:'s)? )?(ship|army) -> (\w+)", leave),
]
