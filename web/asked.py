"""What every form says beside its answer: its key, the revision it saw, where to go back to."""

from __future__ import annotations

from typing import Any

from flask import request

from companion.table import Look
from companion.terms import NoSuchKey
from web.guard import Refusal
from web.values import bounded, whole


def word(name: str) -> str:
    """Return a short text of the form, "" where there is none; raises `Refusal` for a long one."""
    found = request.form.get(name, "").strip()
    bounded(found)
    return found


def rev() -> int | None:
    """Return the revision that the phone saw, None where the form does not tell."""
    return whole(request.form, "rev", -1) if request.form.get("rev") else None


def once() -> str | None:
    """Return the id that makes a double tap count once."""
    return word("once") or None


def insists() -> bool:
    """True where people say that they did it anyway."""
    return "insist" in request.form


def back(default: str = "/now") -> str:
    """Return the page to go back to: a path of ours, never another host."""
    path: Any = request.form.get("back") or default
    ours = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path.partition("?")[0] if ours else default


def seat_for(look: Look, asked: tuple[str, ...]) -> str | None:
    """Answer as the own seat where it is asked, else for the seat that is asked."""
    return look.seat if not asked or look.seat in asked else asked[0]


def no_such(error: NoSuchKey) -> Refusal:
    """Return the refusal of a key or id that names nothing, or of an answer of another form."""
    if isinstance(error.seen, str):
        return Refusal(422, "nothing", seen=error.seen, expected=error.expected)
    return Refusal(422, "misfit", seen=error.seen, expected=error.expected)
