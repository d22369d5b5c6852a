"""What happened last, in one line: under the map of the big screen, and on every phone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table import Table
from companion.terms import Say
from web.speaking import Speaker

_ROOM = 120
"""Characters of the line; the big screen has room for about 135 of its size."""
_BACK = 5
"""Steps to look back for one that tells anything."""
_NOTES = {"table.undo": "undone", "table.void.back": "undone", "table.redo": "redone"}


class Latest(msgspec.Struct, frozen=True):
    """The number of a step, and what it did as one line.

    `note` is the note that tells the same to the phone that asked for the step, "" for none.
    """

    step: int
    line: str
    note: str = ""


def latest(table: Table, speaker: Speaker, seat: str | None) -> Latest | None:
    """Return what the newest step that tells anything did, None before there is one.

    A step with an outcome begins with it; further sentences follow as far as there is room.
    """
    for limit in (1, _BACK):  # the newest one nearly always tells something
        for step in table.story(seat, limit):
            told = from_outcome(speaker, step.told)
            lines = speaker.lines_of(msgspec.structs.replace(step, told=tuple(told)))
            if lines:
                note = _NOTES.get(step.told[0].key if step.told else "", "")
                return Latest(step.number, _one_line(lines), note)
    return None


def from_outcome(speaker: Speaker, told: Sequence[Say]) -> Sequence[Say]:
    """Return the sentences from the one on that tells how it came out; all where none does.

    Such a sentence has a word `outcome.EVENT` in the game's files, which is told instead.
    """
    for number, sentence in enumerate(told):
        word = f"outcome.{sentence.key.removeprefix('event.')}"
        if speaker.knows(word):
            return (Say(word, sentence.values), *told[number + 1 :])
    return told


def _one_line(lines: Sequence[str]) -> str:
    said = f"{lines[0]}."
    for line in lines[1:]:
        if len(said) + len(line) + 2 > _ROOM:
            break
        said += f" {line}."
    return said
