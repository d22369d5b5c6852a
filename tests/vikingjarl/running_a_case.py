"""Plays a worked case through facts and answers only, and tells what went otherwise.

A position is set through facts, the lines are given as answers, and all facts are compared before
and after. The same code drives the bare rules and a running companion (see `playing`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.vikingjarl import contract
from tests.vikingjarl.cases import Case
from tests.vikingjarl.notation import Reader
from tests.vikingjarl.playing import JARLS, Asked, NoSuchKey, Playing, Refused, Start, Taken
from tests.vikingjarl.special_lines import (
    asks_for_dice_tables,
    dice_tables,
    options,
    without_options,
)
from tests.vikingjarl.steps import (
    Give,
    Look,
    NewGame,
    SetFact,
    Step,
    Value,
    number,
    picked,
    placed,
)

ENDS_A_RUN = re.compile(r"roll |try |turn |end turn|saga holmgang .*roll ")


class CaseFailed(AssertionError):
    """What a case says and what the table shows do not agree."""


def run_case(case: Case, start: Start, eager: bool = False) -> None:
    """Play a case; raises `CaseFailed` saying what was expected and what was seen.

    With `eager`, a deed is begun as soon as its question is open, even while a window waits;
    otherwise windows are closed first. A case must hold both ways.
    """
    if asks_for_dice_tables(case.table):
        _check_dice_tables(case, start)
        return
    for lines in options(case.table).values():
        for line in lines:
            alternative = replace(case, table=(line,), after={}, result="ok")
            Run(alternative, start, eager).play_unchecked()
    Run(replace(case, table=tuple(without_options(case.table))), start, eager).play()


def set_up(case: Case, start: Start) -> Playing:
    """Start a game and bring it into the case's position."""
    choices: dict[str, Any] = {"variant": list(case.variant)} if case.variant else {}
    playing = start(choices | ({"rounds": case.rounds} if case.rounds else {}))
    facts = all_facts(playing)
    for key in sorted(key for key in facts if contract.settable(key)):
        wanted = contract.blank(key)
        if wanted is not None and contract.plain(key, facts[key]) != wanted:
            _set(playing, key, wanted)
    for name, value in case.config.items():
        _set(playing, f"switch.{name}", value)
    for key in sorted(case.before, key=_turn_to_set):
        _set_before(playing, key, case.before[key])
    _set(playing, "turn.jarl", case.turn)
    _set(playing, "turn.phase", "act")
    shown = all_facts(playing)
    for key, value in case.before.items():
        if contract.plain(key, shown.get(key)) != contract.plain(key, value):
            raise CaseFailed(f"{key} was set to {value!r} and shows {shown.get(key)!r}")
    return playing


def all_facts(playing: Playing) -> dict[str, Any]:
    """Return what all seats and the shared screen see together."""
    facts: dict[str, Any] = {}
    for seat in (None, *JARLS):
        for key, value in playing.facts(seat).items():
            if facts.get(key) is None or value not in (None, []):
                facts[key] = value
    return facts


class Run:
    """One case at the table. It is also the situation that steps look at."""

    def __init__(self, case: Case, start: Start, eager: bool = False) -> None:
        self.case, self.start, self.eager = case, start, eager
        self.playing = set_up(case, start)
        self.reader = Reader(case.turn)
        self.left: list[Step] = []
        self.taken = 0
        self.weak: list[str] = []
        self._facts: dict[str, Any] | None = None
        self._open: dict[str, Asked] | None = None

    @property
    def facts(self) -> dict[str, Any]:
        if self._facts is None:
            self._facts = all_facts(self.playing)
        return self._facts

    @property
    def open(self) -> dict[str, Asked]:
        if self._open is None:
            self._open = {asked.key: asked for asked in self.playing.questions()}
        return self._open

    def play(self) -> None:
        before = self.facts
        self.play_unchecked()
        self._pass_windows()
        self._compare(before)
        self._check_result()

    def play_unchecked(self) -> None:
        for line in self.case.table:
            if line.startswith("try "):
                self._try(line)
            else:
                self.left += self.reader.read(line)
                if ENDS_A_RUN.match(line):
                    self._give_all()
        self._give_all()

    # ----------------------------------------------------------------------------- giving answers

    def _give_all(self) -> None:
        while self.left:
            if not self._advance(may_pass=True):
                self._drop_or_fail()

    def _advance(self, may_pass: bool) -> bool:
        """Do one thing: the next step that fits what is open, or pass one window."""
        self._answer_printed_questions()
        for index, step in enumerate(self.left):
            if self._fits_now(step, first=index == 0):
                del self.left[index]
                self._do(step)
                return True
            if not isinstance(step, Look) and not self._may_be_overtaken(step):
                break
        return may_pass and self._pass_one()

    def _fits_now(self, step: Step, first: bool) -> bool:
        match step:
            case NewGame() | SetFact():
                return first
            case Look(before_roll=waits):
                return first and (not waits or "battle.roll" in self.open)
            case Give():
                if self._key(step) not in self.open:
                    return False
                if step.kind != "deed":
                    # a roll closes what stands before it, so the lines before it come first
                    return first or self._key(step) != "battle.roll" or self._only_optional(step)
                begin_now = self.eager and "battle.losses" not in self.open
                waiting = {asked.key for asked in self._windows()}
                answers_it = step.in_battle or self._key(step) in waiting
                return self._only_optional(step) and (begin_now or answers_it or not waiting)

    def _may_be_overtaken(self, step: Step) -> bool:
        """Tell whether the table may ask for a later answer of the same run first."""
        return isinstance(step, Give) and step.kind != "deed"

    def _only_optional(self, step: Step) -> bool:
        """Tell whether everything before this step may be left out."""
        before = self.left[: self.left.index(step)]
        return all(isinstance(one, Give) and one.kind in ("choice", "window") for one in before)

    def _drop_or_fail(self) -> None:
        """Nothing fits: leave out what need not be asked, or begin a deed that nobody offers."""
        step = self.left.pop(0)
        match step:
            case Give(kind="choice" | "window"):
                return
            case Give(kind="deed"):
                self._do(step)
            case Look():
                self._do(step)
            case _:
                self._fail(f"{step.text!r} is not asked; open are {self._open_text()}")

    def _do(self, step: Step) -> None:
        match step:
            case NewGame(choices=choices):
                self.playing = self.start(choices)
                self._changed()
            case SetFact(text, key, value):
                self._must(text, key, value, None)
            case Look(text=text, look=look):
                if wrong := look(self):
                    self._fail(f"{text!r}: {wrong}")
            case Give():
                self._must(
                    step.text, self._key(step), self._value(step), self._seat(step), step.insist
                )

    def _must(
        self, text: str, key: str, value: Value, seat: str | None, insist: bool = False
    ) -> None:
        outcome = self.playing.answer(key, value, seat, insist)
        self._changed()
        if not isinstance(outcome, Taken):
            self._fail(f"{text!r}: {seat} answers {key} with {value}: {outcome}")
        self.taken += not key.startswith("box:")

    def _pass_windows(self) -> None:
        while self._pass_one():
            pass

    def _pass_one(self) -> bool:
        for asked in self._windows():
            value = dict(asked.default) if asked.default else picked("pass")
            seat = asked.seats[0] if asked.seats else None
            self._must(f"the window {asked.key} passes", asked.key, value, seat)
            return True
        return False

    def _windows(self) -> list[Asked]:
        return [
            asked
            for asked in self.open.values()
            if asked.urgency == "now" and (asked.default or asked.key.endswith(".cancel"))
        ]

    def _answer_printed_questions(self) -> None:
        """Give what the lines say of the map as soon as the table wants it."""
        for step in list(self.left):
            if isinstance(step, SetFact) and step.key in self.open:
                self.left.remove(step)
                self._do(step)

    # ---------------------------------------------------------------------------------- refusals

    def _try(self, line: str) -> None:
        while self.left and self._advance(may_pass=False):
            pass
        text = line.removeprefix("try ").removeprefix("to ")
        read = self.reader.read(text, trying=True)
        steps: list[Step] = [step for step in read if isinstance(step, Give | SetFact)]
        if not steps:
            self._fail(f"{line!r}: nothing in it is an answer")
        if not (isinstance(steps[0], Give) and self._key(steps[0]) in self.open):
            self._give_all()
            self._pass_windows()
        before, taken = dict(self.facts), self.taken
        refused = self._try_steps(line, steps)
        self.playing.undo(self.taken - taken)
        self.taken = taken
        self._changed()
        if not refused:
            self._fail(f"{line!r}: expected an objection, every answer was taken")
        if changed := _differences(before, self.facts):
            self._fail(f"{line!r}: refused, yet changed: {changed}")

    def _try_steps(self, line: str, steps: list[Step]) -> bool:
        left = list(steps)
        while left:
            step = next((one for one in left if self._is_open(one)), None)
            if step is None and self._pass_one():
                continue
            step = step or left[0]
            left.remove(step)
            if isinstance(step, SetFact):
                self._do(step)
                continue
            assert isinstance(step, Give)
            closed = self._key(step) not in self.open
            outcome = self.playing.answer(
                self._key(step), self._value(step), self._seat(step), step.insist
            )
            self._changed()
            match outcome:
                case Refused(objections=objections):
                    if not all(rule for _, rule in objections):
                        self._fail(f"{line!r}: an objection without its rule: {objections}")
                    if closed and step.kind == "choice":
                        self.weak.append(f"{line!r} met only a closed {self._key(step)}")
                    return True
                case Taken():
                    self.taken += 1
                case _:
                    self._fail(f"{line!r}: {outcome}")
        return False

    def _is_open(self, step: Step) -> bool:
        return isinstance(step, SetFact) or (
            isinstance(step, Give) and self._key(step) in self.open
        )

    # --------------------------------------------------------------------------------- comparing

    def _compare(self, before: Mapping[str, Any]) -> None:
        after = self.facts
        wrong: list[str] = []
        for key, value in self.case.after.items():
            seen = contract.plain(key, after.get(key))
            if seen != contract.plain(key, value):
                wrong.append(f"{key}: expected {value!r}, seen {seen!r}")
        for key in sorted(set(before) | set(after)):
            if key in self.case.after or not contract.compared(key):
                continue
            was = contract.plain(key, before.get(key))
            now = contract.plain(key, after.get(key))
            if was != now and not self._follows(key):
                wrong.append(f"{key}: expected unchanged {was!r}, seen {now!r}")
        if wrong:
            self._fail("; ".join(wrong))

    def _follows(self, key: str) -> bool:
        """Titles follow a hand that the case gives as a number; a lost place has no cargo."""
        if key.endswith(".hand.titles"):
            return False
        return key.startswith("switch.")

    def _check_result(self) -> None:
        result = self.case.result
        expected = [jarl for jarl in re.findall(r"\bwin (\w+)", result) if jarl in JARLS]
        seen = contract.plain("game.winner", self.facts.get("game.winner"))
        if expected and set(self.case.variant) & {"allied", "two_by_two"}:
            seen = [jarl for jarl in seen if jarl in expected]
        if seen != expected and "game.winner" not in self.case.after:
            self._fail(f"game.winner: expected {expected}, seen {seen}")
        if result.startswith("prompt go on") and "battle.go_on" not in self.open:
            self._fail(f"expected go on or withdraw to be open, open are {self._open_text()}")
        if pools := re.search(r"next pools (.*)", result):
            self._check_pools(pools[1])

    def _check_pools(self, written: str) -> None:
        sides = {"B": "attack.black", "W": "defence.white"}
        for letter, count in re.findall(r"([BW]) (\d)", written):
            key = f"battle.pool.{sides[letter]}"
            if self.facts.get(key) != int(count):
                self._fail(f"{key}: expected {count}, seen {self.facts.get(key)}")

    # ----------------------------------------------------------------------------------- private

    def _key(self, step: Give) -> str:
        return step.key if isinstance(step.key, str) else step.key(self)

    def _value(self, step: Give) -> Value:
        return step.value(self) if callable(step.value) else step.value

    def _seat(self, step: Give) -> str | None:
        """The seat asked; for an offer, the Jarl in the key or in the line."""
        key = self._key(step)
        asked = self.open.get(key)
        named = step.seat or (key.split(".")[0] if key.split(".")[0] in JARLS else None)
        if asked and asked.seats and (step.kind != "deed" or named not in asked.seats):
            return named if named in asked.seats else asked.seats[0]
        return named or self.reader.jarl

    def _changed(self) -> None:
        self._facts = self._open = None

    def _open_text(self) -> str:
        return ", ".join(f"{one.key} ({one.urgency})" for one in self.open.values())

    def _fail(self, what: str) -> None:
        raise CaseFailed(f"{self.case.id} ({self.case.title}): {what}")


def _check_dice_tables(case: Case, start: Start) -> None:
    """Read the white dice of positions with 1, 2, 3 ... defenders."""
    for name, expected in dice_tables(case.result):
        seen = [_white_dice(case, start, name, count + 1) for count in range(len(expected))]
        if seen != expected:
            raise CaseFailed(f"{case.id}: white dice of {name}: expected {expected}, seen {seen}")


def _white_dice(case: Case, start: Start, name: str, defenders: int) -> int | None:
    jarl, other = "harald", "brage"
    if name == "town":
        before = {f"{jarl}.ship.at": "gijon", f"{jarl}.ship.v": 3}
        table = (
            f"map shield gijon -> defenders {defenders}, value 1",
            "attack gijon with ship, commit 3",
        )
        config = {}
    else:
        before = {f"{one}.army.at": "land_a" for one in (jarl, other)}
        before |= {f"{jarl}.army.v": 3, f"{other}.army.v": defenders}
        table = (f"attack {other} army with army, commit 3 vs {defenders}",)
        config = {"defence_dice": name}
    position = replace(case, turn=jarl, before=before, table=table, after={}, config=config)
    run = Run(position, start)
    run.play_unchecked()
    return run.facts.get("battle.pool.defence.white")


def _set_before(playing: Playing, key: str, value: Any) -> None:
    _set(playing, key, value)
    if key.endswith(".phase") and value == "moved":
        stem = key.removesuffix(".phase")
        shown = all_facts(playing)
        if shown.get(f"{stem}.started_in") not in (None, "unknown"):
            _must_set(playing, f"{stem}.started_in", placed("unknown"))
        if shown.get(f"{stem}.steps") != 1:
            _must_set(playing, f"{stem}.steps", number(1))


def _set(playing: Playing, key: str, value: Any) -> None:
    _must_set(playing, key, contract.answer_value(key, value))


def _must_set(playing: Playing, key: str, value: Value) -> None:
    outcome = playing.answer(f"fact:{key}", value, None)
    if isinstance(outcome, Refused | NoSuchKey) or outcome != Taken():
        raise CaseFailed(f"the fact {key} could not be set to {value}: {outcome}")


def _turn_to_set(key: str) -> tuple[int, str]:
    """Order: Settlements, where units are, their phases, then the rest with hands before titles."""
    if ".settlements." in key:
        return (0, "" if key.endswith(".damaged") else key)
    order = {"at": 1, "phase": 2}
    return (order.get(key.split(".")[-1], 3), key)


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    changed = [
        f"{key}: {before.get(key)!r} -> {after.get(key)!r}"
        for key in sorted(set(before) | set(after))
        if before.get(key) != after.get(key)
    ]
    return "; ".join(changed)
