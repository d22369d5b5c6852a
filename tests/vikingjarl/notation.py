"""The short notation of the worked cases: one line of what happens at the table, as answers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tests.vikingjarl import lines_of_battle, lines_of_movement, lines_of_sagas, lines_of_trade
from tests.vikingjarl.clauses import (
    Clause,
    Memory,
    bare,
    clauses_of,
)
from tests.vikingjarl.playing import (
    JARLS,
)
from tests.vikingjarl.situation import (
    pool_look,
    prompt_look,
)
from tests.vikingjarl.steps import (
    Give,
    NewGame,
    NotationError,
    SetFact,
    Situation,
    Step,
    Value,
    cards,
    done,
    filled,
    number,
    picked,
)

_PATTERNS = [
    *lines_of_movement.PATTERNS,
    *lines_of_battle.PATTERNS,
    *lines_of_trade.PATTERNS,
    *lines_of_sagas.PATTERNS,
]


class Reader:
    """Reads the lines of one case in order, and remembers what "another" refers to."""

    def __init__(self, jarl: str) -> None:
        self.memory = Memory(jarl)

    @property
    def jarl(self) -> str:
        """The Jarl whose turn it is at this line."""
        return self.memory.jarl

    def read(self, line: str, trying: bool = False) -> list[Step]:
        """Return the steps of a line without its leading `try`; raises `NotationError`."""
        self.memory.trying = trying
        steps: list[Step] = []
        line = " ".join(line.split())
        if line.startswith("count titles"):
            return []
        for part in re.split(r";(?![^()]*\))", line):
            whole = self._whole(part)
            steps += whole if whole is not None else self._clauses(part)
        return steps

    def _whole(self, part: str) -> list[Step] | None:
        words = bare(part)
        jarl = self.memory.jarl
        if found := re.match(
            r"(?:setup|set up) for (\d) jarls, first player (\w+)(.*)", words, re.I
        ):
            count, first, rest = found.groups()
            choices: dict[str, Any] = {"jarls": list(JARLS[: int(count)]), "first": first}
            if vikings := re.search(r"put (\d) vikings on the ship", rest, re.I):
                choices |= {f"ship.{jarl}": int(vikings[1]) for jarl in JARLS[: int(count)]}
            self.memory.jarl = first
            return [NewGame(part, choices)]
        if words.startswith("draft"):
            return [Give(part, "setup.draft", done(), "reply")]
        if re.match(r"(build the deck|confirm )", words):
            return []
        if found := re.match(r"flip shield (\w+) -> (.*)", words):
            return [self._flip(part, *found.groups())]
        if found := re.match(r"map shield (\w+) -> defenders (\d+), (?:value|silver) (\d+)", words):
            town, defenders, silver = found.groups()
            return [
                SetFact(part, f"box:{town}.defenders", number(int(defenders))),
                SetFact(part, f"box:{town}.silver", number(int(silver))),
            ]
        if found := re.match(r"card (\w+) symbol (yes|no)", words):
            return [SetFact(part, f"box:{found[1]}.symbol", picked(found[2]))]
        if found := re.match(r"(\w+) shows (.*)", words):
            kinds = re.findall(r"wood|iron|mead", found[2])
            return [SetFact(part, f"fact:town.{found[1]}.sells", picked(*kinds))]
        if found := re.match(r"expected pool (.*)", words):
            return [pool_look(part, found[1])]
        if found := re.match(r"prompt (\w+)(.*)", words):
            return [prompt_look(part, found[1], found[2])]
        if found := re.match(r"turn (\w+)$", words):
            self.memory.jarl = jarl = found[1]
            self.memory.moved.clear()
            return [
                Give(
                    part,
                    "turn.start",
                    picked(self.memory.jarl),
                    "deed",
                    self.memory.jarl,
                    insist=True,
                ),
                SetFact(part, "fact:turn.phase", picked("act")),
            ]
        if words.startswith("end turn"):
            return [Give(part, "turn.end", done(), "deed", jarl)]
        if found := re.match(r"phase 3(?:,)?(?: discard to (\d+))?", words):
            steps: list[Step] = [Give(part, "turn.end", done(), "deed", jarl)]
            if found[1]:
                steps.append(self._discard_to(part, int(found[1])))
            return steps
        if re.match(r"draw (1|a) saga", words):
            return [
                SetFact(part, "fact:turn.phase", picked("draw")),
                Give(part, "turn.draw", done(), "deed", jarl),
            ]
        if found := re.match(r"(\w+) draws (\w+)", words):
            return [
                SetFact(part, "fact:turn.phase", picked("draw")),
                Give(part, "turn.draw", cards(found[2]), "deed", found[1]),
            ]
        return None

    def _flip(self, part: str, town: str, shows: str) -> Give:
        key = f"town.{town}.flip"
        if "defenders" in shows or "vp" in shows:
            read = {name: re.search(rf"{name} (\d+)", shows) for name in ("defenders", "vp")}
            if not all(read.values()):
                raise NotationError(f"{part!r}: expected defenders n, vp n, reward r")
            figures: dict[str, Any] = {name: int(found[1]) for name, found in read.items() if found}
            reward = re.search(r"reward (?:\d )?(none|silver|wood|iron|mead)", shows)
            figures["reward"] = reward[1] if reward else "none"
            return Give(part, key, filled(figures), "reply", self.memory.jarl)
        return Give(
            part, key, picked(*re.findall(r"wood|iron|mead", shows)), "reply", self.memory.jarl
        )

    def _discard_to(self, part: str, keep: int) -> Give:
        jarl = self.memory.jarl

        def value(now: Situation) -> Value:
            return cards(*["unknown"] * (now.facts[f"{jarl}.hand"] - keep))

        return Give(part, f"{jarl}.discard", value, "reply", jarl)

    def _clauses(self, part: str) -> list[Step]:
        steps: list[Step] = []
        for clause in clauses_of(part):
            steps += self._clause(clause)
        return _one_choice_of_units(steps)

    def _clause(self, clause: Clause) -> list[Step]:
        moving, self.memory.moving = self.memory.moving, False
        if moving and re.fullmatch(r"\w+", clause.text):
            return lines_of_movement.move_on(self.memory, clause, clause.text)
        for pattern, line in _PATTERNS:
            if found := re.fullmatch(pattern, clause.text):
                return line(self.memory, clause, *found.groups())
        raise NotationError(f"{clause.text!r}: no such line in the notation")


def _one_choice_of_units(steps: list[Step]) -> list[Step]:
    """Join `ship -> a, army -> b` into one choice of both units."""
    chosen = [one for one in steps if isinstance(one, Give) and one.key == "saga.unit"]
    if len(chosen) < 2:
        return steps
    units = [unit for one in chosen if isinstance(one.value, dict) for unit in one.value["ids"]]
    joined = replace(chosen[0], value=picked(*units))
    return [joined if one is chosen[0] else one for one in steps if one not in chosen[1:]]
