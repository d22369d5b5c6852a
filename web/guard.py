"""Who may ask and who may change: host, origin, the form's token, the programs' token."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from flask import request, session

from companion.terms import Say

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_BARE = frozenset({"static", "live.events", "live.rev", "live.healthz"})
"""Endpoints that need no phone: they neither set a cookie nor read one."""


class Refusal(Exception):
    """A request that cannot be served: what was seen, what was expected, what to do.

    `key` names three words, `web.refused.KEY.seen`, `.expected` and `.do`, with these values.
    """

    def __init__(self, status: int, key: str, /, **values: str | int | Say) -> None:
        super().__init__(f"{key} {values}")
        self.status, self.key, self.values = status, key, values

    def say(self, part: str) -> Say:
        """Return the sentence of one part: `seen`, `expected` or `do`."""
        return Say(f"web.refused.{self.key}.{part}", dict(self.values))


class Guard:
    """Checks each request before anything else looks at it.

    Phones change things by forms of our own pages: the form carries the token of the phone's
    cookie, and `Origin` is the host that was asked. Programs carry the service's token.
    """

    def __init__(self, token: str, names: Sequence[str]) -> None:
        self._token = token.encode()
        own = {name.lower().rstrip(".") for name in names}
        self._names = {"localhost", *own, *(f"{name}.local" for name in own if "." not in name)}

    def check(self) -> None:
        """Refuse a foreign host; for changes also a foreign origin or a missing form token."""
        host = _host_of(request.host)
        if not self._known(host):
            raise Refusal(403, "host", host=host[:80])
        if self.is_program() or request.endpoint in _BARE:
            return
        if "phone" not in session or "form" not in session:
            session["phone"], session["form"] = secrets.token_hex(8), secrets.token_hex(16)
            session.permanent = True
        if request.method in _SAFE:
            return
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
            raise Refusal(403, "origin", origin=origin[:80], host=request.host)
        given = request.headers.get("X-Form") or request.form.get("mark", "")
        if not hmac.compare_digest(given.encode(), str(session["form"]).encode()):
            raise Refusal(403, "form")

    def is_program(self) -> bool:
        """True for a request with the service's token."""
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self._token:
            return False
        return hmac.compare_digest(given.strip().encode(), self._token)

    def _known(self, host: str) -> bool:
        if host in self._names:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True


def _host_of(netloc: str) -> str:
    try:
        return (urlsplit(f"//{netloc}").hostname or "").rstrip(".")
    except ValueError:
        return ""
