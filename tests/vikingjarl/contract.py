"""The fact keys of Vikingjarl: what may be set, what stands there in a blank position."""

from __future__ import annotations

import re
from typing import Any

from tests.vikingjarl.steps import Value, cards, number, picked, placed

KINDS = r"(wood|iron|mead)"
CARGO = r"(v|wood|iron|mead)"
JARL = r"(harald|gudrun|eirik|brage)"

# pattern, value of the blank position (None: unknown), settable, bookkeeping
_FACTS: list[tuple[str, Any, bool, bool]] = [
    (r"turn\.jarl", None, True, True),
    (r"turn\.phase", "act", True, True),
    (r"turn\.round", None, True, True),
    (r"game\.winner", [], False, True),
    (r"switch\.\w+", None, True, False),
    (JARL + r"\.(vp|silver|hand)", 0, True, False),
    (JARL + r"\.hand\.titles", [], True, False),
    (JARL + r"\.supply", None, False, True),
    (JARL + r"\.(ship|army)\.at", "kaupang", True, False),
    (JARL + rf"\.(ship|army|kaupang)\.{CARGO}", 0, True, False),
    (JARL + r"\.(ship|army)\.phase", "fresh", True, False),
    (JARL + r"\.(ship|army)\.started_in", "kaupang", True, True),
    (JARL + r"\.(ship|army)\.(steps|bonus)", 0, True, True),
    (JARL + r"\.army\.rode", "false", True, True),
    (JARL + r"\.settlements\.\w+\.damaged", "none", True, False),
    (JARL + rf"\.settlements\.\w+\.{CARGO}", 0, True, False),
    (JARL + r"\.(last_attacked|attacked|laid)", [], True, True),
    (JARL + r"\.(sagas_bought|saga_on\.\w+|recruited\.\w+)", 0, True, True),
    (
        r"town\.(dorestad|birka|ribe|nidaros|truso|dublin|santiago)\.shield",
        "hidden",
        True,
        True,
    ),
    (r"town\.\w+\.shield", "hidden", True, False),
    (r"town\.\w+\.(defenders|vp|reward|sells)", None, True, True),
    (r"map\.(vinland|midjardarhaf)_token", "there", True, False),
    (r"bank\.silver", 40, False, True),
    (rf"bank\.{KINDS}", 10, False, True),
    (r"deck\.count", 59, True, True),
    (r"discard\.count", 0, True, True),
    (r"deck\.total", 59, False, True),
    (r"deck\.top_pile", 28, False, True),
    (r"deck\.bottom_pile", 31, False, True),
    (r"battle\..+", None, False, True),
]
_LISTS = r"\w+\.(last_attacked|attacked)|town\.\w+\.sells"
_PLACES = r"\w+\.(ship|army)\.(at|started_in)"


class NotAFact(LookupError):
    """A key that the contract does not name."""


def blank(key: str) -> Any:
    """Return what a fact is in the blank position, in plain form; None for unknown."""
    return _line(key)[1]


def settable(key: str) -> bool:
    """Tell whether people may set this fact; the others follow from them."""
    return _line(key)[2]


def compared(key: str) -> bool:
    """Tell whether a case that does not name this fact says that it stays."""
    _, _, is_settable, bookkeeping = _line(key)
    return is_settable and not bookkeeping


def plain(key: str, value: Any) -> Any:
    """Return a fact's value so that two writings of one value compare equal."""
    if key == "game.winner":
        listed = [value] if isinstance(value, str) and value != "none" else value
        return sorted(listed) if isinstance(listed, list) else []
    if value is None or value == "unknown":
        return blank(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return sorted(str(one) for one in value)
    return str(value) if key.startswith("switch.") else value


def answer_value(key: str, value: Any) -> Value:
    """Return the answer that sets a fact to a value."""
    if re.fullmatch(r"\w+\.(hand\.titles|laid)", key):
        return cards(*value)
    if re.fullmatch(_PLACES, key):
        return placed(value)
    if isinstance(value, bool):
        return picked("true" if value else "false")
    if isinstance(value, int):
        return number(value)
    if value is None:
        return picked() if re.fullmatch(_LISTS, key) else picked("unknown")
    return picked(*value) if isinstance(value, list) else picked(value)


def _line(key: str) -> tuple[str, Any, bool, bool]:
    for line in _FACTS:
        if re.fullmatch(line[0], key):
            return line
    raise NotAFact(key)
