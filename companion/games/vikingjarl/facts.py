"""Every shown number: its key, what it may be, and how people correct it.

The keys are a contract; their getters and setters stand in `fact_lines`. Derived numbers are read
only: one corrects what they follow from.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

from companion.games.vikingjarl.alternative_rules import VARIANTS
from companion.games.vikingjarl.events import Corrected
from companion.games.vikingjarl.fact_line import Line, Part
from companion.games.vikingjarl.fact_lines import line_of, lines, lines_together
from companion.games.vikingjarl.places import is_place
from companion.games.vikingjarl.printed import KINDS, SAGAS
from companion.games.vikingjarl.rulings import objection
from companion.games.vikingjarl.state import State
from companion.terms import (
    Answer,
    Cards,
    Count,
    Done,
    Fact,
    NoSuchKey,
    Number,
    Objection,
    Pick,
    Picked,
    Place,
    Placed,
    Value,
    Wants,
    say,
)

_RULE = "Correction"
Set: TypeAlias = int | str | bool | list[str] | None
"""What a fact may be set to; None is unknown."""


Seen: TypeAlias = tuple[Fact, tuple[str, ...] | None]
"""A fact, and the only seats that see it (None: everybody)."""


def facts(state: State) -> tuple[Seen, ...]:
    """Return all facts in a stable order.

    What the parts of the state decide that are as they were when last looked at is not looked at
    again: most of them are, from one step to the next.
    """
    parts: dict[Part, Hashable] = {}
    found: dict[str, Seen] = {}
    for group in lines_together(state):
        for part in group.reads:
            if part not in parts:
                parts[part] = part(state)
        read = tuple([parts[part] for part in group.reads])
        if not read:
            found.update(_shown(group.lines, state))
            continue
        last = group.last
        if last is None or last[0] != read:
            group.last = last = (read, _shown(group.lines, state))
        found.update(last[1])
    return tuple([found[key] for key in lines(state) if key in found])


def _shown(lines: Mapping[str, Line], state: State) -> dict[str, Seen]:
    shown: dict[str, Seen] = {}
    for key, line in lines.items():
        if line.shown is not None and not line.shown(state):
            continue
        value, wants = line.get(state), line.wants_now(state)
        disputed = line.disputed is not None and line.disputed(state)
        disputed = disputed or _impossible(value, wants)
        readers = None if line.readers is None else line.readers(state)
        shown[key] = Fact(key, line.label, value, wants, disputed), readers
    return shown


def _impossible(value: Set, wants: Wants | None) -> bool:
    """True for less than there can be, such as after steps that were kept as they happened."""
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return value < (wants.low if isinstance(wants, Count) else 0)


def check_correction(state: State, answer: Answer) -> list[Objection]:
    """Object to a derived number and to more than pieces and coins allow. Raises `NoSuchKey`."""
    key = answer.key.removeprefix("fact:")
    line = line_of(state, key)
    if line.put is None:
        return [objection("derived", _RULE)]
    if isinstance(answer.value, Done):
        return [objection("say_what", _RULE)]
    wants = line.wants_now(state)
    value = _plain(line, wants, answer.value)
    if line.against is not None and (against := line.against(state, value)):
        return against
    if isinstance(wants, Count) and isinstance(value, int) and not wants.low <= value <= wants.high:
        return [objection("bounds", _RULE, low=wants.low, high=wants.high, n=value)]
    return []


def decide_correction(state: State, answer: Answer) -> tuple[Any, ...]:
    """The table shows this number; pieces and coins stay hard limits even so."""
    key = answer.key.removeprefix("fact:")
    line = line_of(state, key)
    if line.put is None or isinstance(answer.value, Done):
        return ()
    wants = line.wants_now(state)
    value = _plain(line, wants, answer.value)
    if line.against is not None and line.against(state, value):
        return ()
    if isinstance(wants, Count) and isinstance(value, int):
        value = max(wants.low, min(value, wants.high))
    readers = None if line.readers is None else line.readers(state)
    return (Corrected(key, value, readers),)


def correct(state: State, key: str, value: Any) -> None:
    """Set a fact to what the table shows."""
    line = line_of(state, key)
    if line.put is not None:
        line.put(state, value)


def _plain(line: Line, wants: Any, value: Value) -> Set:
    """Read an answer in the form the fact has; raises `NoSuchKey` for what names nothing."""
    if line.is_list:
        return _list(line, value)
    match wants, value:
        case _, Picked(("unknown",)) if line.may_be_unknown:
            return None
        case Count(), Number(number):
            return number
        case Place(), Placed(place):
            if is_place(place) or place in line.words:
                return place
            raise NoSuchKey(place, say("expected.place"))
        case Pick(), Number(number) if str(number) in line.words:
            return str(number)
        case Pick(), Picked((word,)) if word.lower() in line.words:
            return line.words[word.lower()]
        case Count(), _:
            raise NoSuchKey(value, say("expected.number"))
        case Place(), _:
            raise NoSuchKey(value, say("expected.place"))
        case _:
            raise NoSuchKey(value, say("expected.one_of", known=list(line.words)))


def _list(line: Line, value: Value) -> Set:
    if not isinstance(value, Picked | Cards):
        raise NoSuchKey(value, say("expected.list"))
    if line.may_be_unknown and value.ids in {("unknown",), ()}:
        return None
    for id in value.ids:
        if id in SAGAS if line.is_list == "titles" else line.is_list == "places" and is_place(id):
            continue
        if id in {"kinds": KINDS, "variants": VARIANTS}.get(line.is_list, ()):
            continue
        raise NoSuchKey(id, say(f"expected.{line.is_list}"))
    return list(value.ids)
