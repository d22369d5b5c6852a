"""What a strict reader of JSON dislikes about a text, as a sentence in the reader's language."""

from __future__ import annotations

import re

from companion.terms import Say, say

_AT = re.compile(r"^(?P<what>.*?)(?: - at (?:key in )?`(?P<path>[^`]*)`)?$", re.DOTALL)
_KINDS: tuple[tuple[str, str], ...] = (
    ("kind", r"Expected `(?P<expected>.*)`, got `(?P<seen>.*)`"),
    ("only", r"Expected `(?P<expected>[^`]*)`"),
    ("missing", r"Object missing required field `(?P<field>.*)`"),
    ("unknown", r"Object contains unknown field `(?P<field>.*)`"),
    ("value", r"Invalid (?:enum )?value '?(?P<value>.*?)'?"),
    ("byte", r"JSON is malformed: .*\(byte (?P<byte>\d+)\)"),
    ("short", r"Input data was truncated"),
)
_LONGEST = 60


def malformed(error: Exception) -> Say:
    """Return what msgspec (or Python's decoding of UTF-8) said of a text it could not read."""
    found = _AT.match(str(error))
    what, path = (found["what"], found["path"] or "$") if found else ("", "$")
    for kind, pattern in _KINDS:
        if said := re.fullmatch(pattern, what, re.DOTALL):
            values = {name: value[:_LONGEST] for name, value in said.groupdict().items()}
            field = values.pop("field", "")
            place = f"{path}.{field}" if field else path
            return say(f"malformed.{kind}", path=place[:_LONGEST], **values)
    return say("malformed.other", path=path[:_LONGEST])
