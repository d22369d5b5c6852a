"""How lines of movement and loading read."""

from __future__ import annotations

import re

from tests.vikingjarl.clauses import (
    UNITS,
    Clause,
    Memory,
    Pattern,
    count_of,
    give,
    kind_of,
)
from tests.vikingjarl.situation import (
    fact_look,
    place_of,
)
from tests.vikingjarl.steps import (
    Situation,
    Step,
    Value,
    done,
    filled,
    number,
    placed,
)


def move(memory: Memory, clause: Clause, unit: str, rest: str | None) -> list[Step]:
    memory.unit = unit
    return _steps(memory, clause, rest or "")


def move_on(memory: Memory, clause: Clause, rest: str) -> list[Step]:
    return _steps(memory, clause, rest)


def _steps(memory: Memory, clause: Clause, rest: str) -> list[Step]:
    rest = rest.removeprefix("to ").removeprefix("into ")
    unit, jarl, far = memory.unit, memory.jarl, 1
    if found := re.fullmatch(r"(\d) steps?,? (?:in)?to (\w+)", rest):
        far, rest = int(found[1]), found[2]
    elif not rest or " " in rest:
        rest = f"sea_beyond_{jarl}" if unit == "ship" else f"land_beyond_{jarl}"
    written = [int(n) for note in clause.notes for n in re.findall(r"steps (\d)", note)]
    total = [int(n) for note in clause.notes for n in re.findall(r"total (\d)", note)]
    memory.moving = True
    before = memory.moved.get((jarl, unit), 0)
    memory.moved[jarl, unit] = before + far
    steps: list[Step] = [give(clause, f"{jarl}.{unit}.move", placed(rest), "deed", jarl)]
    if far > 1:
        steps.append(give(clause, "move.steps", number(far), "choice", jarl))
    if written and not memory.trying:
        expected = total[0] if total else written[0]
        steps.append(fact_look(clause.text, f"{jarl}.{unit}.steps", expected))
    return steps


def board(memory: Memory, clause: Clause) -> list[Step]:
    return [give(clause, f"{memory.jarl}.board", done(), "deed", memory.jarl)]


def land(memory: Memory, clause: Clause) -> list[Step]:
    memory.unit = "army"
    return [give(clause, f"{memory.jarl}.land", done(), "deed", memory.jarl)]


def transfer(
    memory: Memory,
    clause: Clause,
    verb: str,
    count: str,
    kind: str,
    source: str | None,
    to: str | None,
) -> list[Step]:
    jarl = memory.jarl

    def value(now: Situation) -> Value:
        unit = source if verb == "unload" and source in UNITS else to
        unit = unit if unit in UNITS else "ship"
        here = place_of(now, jarl, unit)
        start = source or (unit if verb == "unload" else here)
        end = to or (here if verb == "unload" else unit)
        fields = {"from": start, "to": end, "kind": kind_of(kind), "number": count_of(count)}
        return filled(fields)

    return [give(clause, f"{jarl}.transfer", value, "deed", jarl)]


PATTERNS: list[Pattern] = [
    (r"move (ship|army)(?: (.+))?", move),
    (r"moves? (?!ship|army)(\w+)", move_on),
    (r"board army(?: on ship)?", board),
    (r"army (?:leaves|goes ashore from) ship(?: in \w+)?", land),
    (
        r"(load|unload|transfer|shift) (\d+|a) (\w+?)s?(?: from (\w+))?(?: (?:to|into) (\w+))?",
        transfer,
    ),
]
