"""A worked case as a record, read from TOML or from any mapping of the same shape."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.vikingjarl.playing import JARLS

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """A position, what happens, and what is then true.

    `before` and `after` map fact keys to values; `config` are switches, `variant` variants.
    """

    id: str
    title: str
    turn: str
    table: tuple[str, ...]
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    variant: tuple[str, ...] = ()
    rounds: int | None = None
    result: str = "ok"
    basis: str = ""


def read_case(record: Mapping[str, Any]) -> Case:
    """Read a case; raises `ValueError` where it has a part that cases do not have."""
    known = {"id", "title", "before", "turn", "table", "after", "result", "source", "basis"}
    if strange := set(record) - known - {"config", "variant", "rounds"}:
        raise ValueError(f"case {record.get('id')}: seen {sorted(strange)}, expected {known}")
    variant = record.get("variant", ())
    return Case(
        id=record["id"],
        title=record["title"],
        turn=record["turn"],
        table=tuple(record.get("table", ())),
        before=dict(_facts(record.get("before") or {}, before=True)),
        after=dict(_facts(record.get("after") or {}, before=False)),
        config={name: word(value) for name, value in (record.get("config") or {}).items()},
        variant=(variant,) if isinstance(variant, str) else tuple(variant),
        rounds=record.get("rounds"),
        result=record.get("result", "ok"),
        basis=record.get("basis", ""),
    )


def shipped_cases(pattern: str) -> list[Case]:
    """Return the cases of all files in this folder that fit a pattern, in order."""
    return [
        read_case(record)
        for file in sorted(FOLDER.glob(pattern))
        for record in tomllib.loads(file.read_text("utf-8"))["case"]
    ]


def word(value: Any) -> Any:
    """Return a switch or a truth value as a word; YAML reads `on` and `off` as truth values."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def _facts(nested: Mapping[str, Any], before: bool, path: str = "") -> Iterator[tuple[str, Any]]:
    """Flatten nested mappings and dotted keys to fact keys."""
    for name, value in nested.items():
        key = f"{path}.{name}" if path else str(name)
        if isinstance(value, Mapping):
            settlement = key.count(".") == 2 and key.split(".")[1] == "settlements"
            if settlement and before and "damaged" not in value:
                yield f"{key}.damaged", False
            yield from _facts(value, before, key)
        elif key.count(".") == 1 and key.endswith(".hand") and key.split(".")[0] in JARLS:
            if isinstance(value, list):
                yield key, len(value)
                yield f"{key}.titles", value
            else:
                yield key, value
        else:
            yield key, value
