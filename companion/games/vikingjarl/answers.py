"""Reading the forms that answers come in: numbers by store, one title, chosen ids."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeGuard

from companion.games.vikingjarl.printed import SAGAS, TOWNS, UNITS
from companion.terms import Answer, Cards, Done, Filled, NoSuchKey, Picked, say

STORES = (*UNITS, "kaupang", *TOWNS)
"""Every store there can be: Ship, Army, Kaupang, and a Settlement by its town."""


def numbers(answer: Answer, known: Collection[str]) -> dict[str, int]:
    """Return a form of numbers by field name; raises `NoSuchKey` for a name or value of no kind."""
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(answer.value, say("expected.by_store"))
    read: dict[str, int] = {}
    for name, value in answer.value.fields.items():
        if name not in known:
            raise NoSuchKey(name, say("expected.one_of", known=list(known)))
        if not _is_number(value):
            raise NoSuchKey(str(value), say("expected.number"))
        if value:
            read[name] = value
    return read


def shares_of(answer: Answer) -> dict[str, int] | None:
    """Return a form of Vikings by store, `town` for a town's own; None for "it happened"."""
    return None if isinstance(answer.value, Done) else numbers(answer, (*STORES, "town"))


def picked(answer: Answer, known: Collection[str]) -> tuple[str, ...]:
    """Return chosen ids; raises `NoSuchKey` for one that names nothing."""
    if not isinstance(answer.value, Picked):
        raise NoSuchKey(answer.value, say("expected.one_of", known=list(known)))
    for id in answer.value.ids:
        if id not in known:
            raise NoSuchKey(id, say("expected.one_of", known=list(known)))
    return answer.value.ids


def titles(answer: Answer) -> tuple[str, ...]:
    """Return Saga titles, `unknown` among them; raises `NoSuchKey` for another word."""
    if not isinstance(answer.value, Cards | Picked):
        raise NoSuchKey(answer.value, say("expected.titles"))
    for id in answer.value.ids:
        if id not in SAGAS and id != "unknown":
            raise NoSuchKey(id, say("expected.title_or_unknown"))
    return answer.value.ids


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
