"""Sentences before they are worded: a key of the word files and its values."""

from __future__ import annotations

from typing import Any

import msgspec


class Say(msgspec.Struct, frozen=True):
    """A sentence to be spoken in the reader's language: a key of the word files and its values.

    A value is a number, a text that people typed, another `Say`, or a sequence of these. How a
    value is worded (a town's name, a seat's name, "1 Viking") is the template's choice, see
    `companion.words`.
    """

    key: str
    values: dict[str, Any] = {}


def say(key: str, /, **values: Any) -> Say:
    """Build a `Say` with its values by name."""
    return Say(key, values)
