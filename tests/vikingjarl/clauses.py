"""Parts of a line, and what a reader remembers from the lines before."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.vikingjarl.steps import Give, Kind, Step

JARL = "harald|gudrun|eirik|brage"
KINDS = ("wood", "iron", "mead")
UNITS = ("ship", "army")
TRADE_TOWNS = ("dorestad", "birka", "ribe", "nidaros", "truso", "dublin", "santiago")
BATTLE_SAGAS = ("berserk", "valhalla", "tyr", "shield_wall", "stronghold", "longships")
CANCELS = ("frigg", "balder", "heimdall")


@dataclass
class Clause:
    """A part of a line between commas, with what stood in brackets behind it."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass
class Memory:
    """Whose turn it is, and what "another" and "removes" refer to."""

    jarl: str
    trying: bool = False
    saga: str = ""
    saga_by: str = ""
    subject: str = ""
    unit: str = "ship"
    moving: bool = False
    item: str = ""
    price: dict[str, str] = field(default_factory=dict)
    place: str = ""
    fighting: tuple[str, ...] = ()
    target: str = ""
    recruits: str = ""
    moved: dict[tuple[str, str], int] = field(default_factory=dict)


Pattern: TypeAlias = tuple[str, Callable[..., list[Step]]]


def give(clause: Clause, key: Any, value: Any, kind: Kind, seat: str | None = None) -> Give:
    return Give(clause.text, key, value, kind, seat)


def bare(part: str) -> str:
    """Return a line without what stands in brackets."""
    return " ".join(re.sub(r"\([^()]*\)", "", part).split())


def clauses_of(part: str) -> list[Clause]:
    """Split at commas outside brackets; `to STORE` belongs to the clause before it."""
    clauses: list[Clause] = []
    for text in re.split(r",(?![^()]*\))", part):
        notes = tuple(re.findall(r"\(([^()]*)\)", text))
        words = bare(text)
        if words.startswith("to ") and clauses:
            before = clauses.pop()
            clauses.append(Clause(f"{before.text} {words}", before.notes + notes))
        elif words:
            clauses.append(Clause(words, notes))
    return clauses


def kind_of(word: str) -> str:
    """Return the cargo id of a word: `v` for Vikings, the kind of a cube, `saga`."""
    singular = word.removesuffix("s")
    return "v" if singular == "viking" else singular


def count_of(word: str) -> int:
    return 1 if word in ("a", "another") else int(word)


def store_at(name: str, here: str) -> str:
    """Return the STORE that `settlement` or `kaupang store` means at this place."""
    return here if name in ("settlement", "store") else name
