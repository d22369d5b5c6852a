"""Reading the forms that answers come in: numbers by store, one title, chosen ids."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeGuard

from companion.games.vikingjarl.printed import SAGAS, TOWNS, UNITS
from companion.terms import Answer, Cards, Done, Filled, NoSuchKey, Picked

STORES = (*UNITS, "kaupang", *TOWNS)
"""Every store there can be: Ship, Army, Kaupang, and a Settlement by its town."""


def numbers(answer: Answer, known: Collection[str]) -> dict[str, int]:
    """Return a form of numbers by field name; raises `NoSuchKey` for a name or value of no kind."""
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(type(answer.value).__name__, "numbers by store")
    read: dict[str, int] = {}
    for name, value in answer.value.fields.items():
        if name not in known:
            raise NoSuchKey(name, f"one of {', '.join(known)}")
        if not _is_number(value):
            raise NoSuchKey(str(value), "a number")
        if value:
            read[name] = value
    return read


def shares_of(answer: Answer) -> dict[str, int] | None:
    """Return a form of Vikings by store, `town` for a town's own; None for "it happened"."""
    return None if isinstance(answer.value, Done) else numbers(answer, (*STORES, "town"))


def picked(answer: Answer, known: Collection[str]) -> tuple[str, ...]:
    """Return chosen ids; raises `NoSuchKey` for one that names nothing."""
    if not isinstance(answer.value, Picked):
        raise NoSuchKey(type(answer.value).__name__, f"one of {', '.join(known)}")
    for id in answer.value.ids:
        if id not in known:
            raise NoSuchKey(id, f"one of {', '.join(known)}")
    return answer.value.ids


def titles(answer: Answer) -> tuple[str, ...]:
    """Return Saga titles, `unknown` among them; raises `NoSuchKey` for another word."""
    if not isinstance(answer.value, Cards | Picked):
        raise NoSuchKey(type(answer.value).__name__, "Saga titles")
    for id in answer.value.ids:
        if id not in SAGAS and id != "unknown":
            raise NoSuchKey(id, "a Saga title, or unknown")
    return answer.value.ids


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
