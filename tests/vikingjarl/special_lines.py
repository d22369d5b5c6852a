"""Lines that are no single answer: alternatives from one position, and tables of dice by number."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.vikingjarl.notation import NotationError

_OPTION = re.compile(r"option (\d+): (.*)")
_PLAYED = re.compile(r"option (\d+) is played")


def options(table: Iterable[str]) -> dict[str, list[str]]:
    """Return for each numbered option its alternatives, each as a line of the notation."""
    found = (_OPTION.fullmatch(line) for line in table)
    return {one[1]: _alternatives(one[2]) for one in found if one}


def without_options(table: Iterable[str]) -> list[str]:
    """Return the lines that are played: those that are no option, and the chosen option's own."""
    lines = list(table)
    offered = options(lines)
    played: list[str] = []
    for line in lines:
        if chosen := _PLAYED.fullmatch(line):
            played.append(offered[chosen[1]][0])
        elif not _OPTION.fullmatch(line):
            played.append(line)
    return played


def dice_tables(result: str) -> list[tuple[str, list[int]]]:
    """Read `stepped 1 2 2 3 3; town 1 2 2`: white dice for 1, 2, 3 ... defenders."""
    tables: list[tuple[str, list[int]]] = []
    for part in result.split(";"):
        name, *counts = part.split()
        tables.append((name, [int(count) for count in counts]))
    return tables


def asks_for_dice_tables(table: Iterable[str]) -> bool:
    """Tell whether a case is about the number of dice only."""
    return any(line.startswith("expected pools for") for line in table)


def _alternatives(text: str) -> list[str]:
    lines = [""]
    for part in (part.strip() for part in text.split(",")):
        if found := re.fullmatch(r"(ship|army)(?: with army)?", part):
            lines = [f"{line}{found[1]} " for line in lines]
        elif found := re.fullmatch(r"(\d) steps", part):
            lines = [f"move {line}{found[1]} steps into " for line in lines]
        elif found := re.fullmatch(r"(ship|army) (\d) steps to (\w+)", part):
            lines = [f"{line}move {found[1]} {found[2]} steps into {found[3]}, " for line in lines]
        elif found := re.fullmatch(r"(ship|army) to (\w+) or (\w+)", part):
            lines = [
                f"{line}move {found[1]} {place}, " for line in lines for place in found.groups()[1:]
            ]
        elif (found := re.fullmatch(r"army leaves ship(?: in \w+)?", part)) or re.fullmatch(
            r"\w+", part
        ):
            lines = [f"{line}{part}, " for line in lines]
        else:
            raise NotationError(f"option {text!r}: {part!r} is not understood")
    return [line.strip(", ") for line in lines]
