"""Who may ask and who may change: host, origin, the form's token, the programs' token."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from flask import request, session

_SAFE = {"GET", "HEAD", "OPTIONS"}


class Refusal(Exception):
    """A request that cannot be served: what was seen, what was expected, what to do."""

    def __init__(self, status: int, seen: str, expected: str, do: str) -> None:
        super().__init__(seen)
        self.status, self.seen, self.expected, self.do = status, seen, expected, do

    def as_json(self) -> dict[str, str]:
        """Return the error as programs read it."""
        return {"seen": self.seen, "expected": self.expected, "do": self.do}


class Guard:
    """Checks each request before anything else looks at it."""

    def __init__(self, token: str, names: Sequence[str]) -> None:
        self._token = token
        self._names = {
            "localhost",
            *(n.lower() for n in names),
            *(f"{n.lower()}.local" for n in names),
        }

    def check(self) -> None:
        """Refuse a foreign host; for changes also a foreign origin or a missing form token."""
        host = urlsplit(f"//{request.host}").hostname or ""
        if not self._known(host):
            raise Refusal(
                403,
                f"host {host!r}",
                "the table's address or own name",
                "Open the table by its address, or add the name to `names` in table.toml.",
            )
        if "phone" not in session:
            session["phone"] = secrets.token_hex(8)
            session["form"] = secrets.token_hex(16)
            session.permanent = True
        if request.method in _SAFE or self.is_program():
            return
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise Refusal(
                403,
                f"origin {origin!r}",
                f"the table itself, {request.host}",
                "Answer from the table's own pages.",
            )
        given = request.form.get("form", "") or request.headers.get("X-Form", "")
        if not hmac.compare_digest(given, str(session["form"])):
            raise Refusal(
                403,
                "a form without this phone's token",
                "a form of this page",
                "Load the page again and answer once more.",
            )

    def is_program(self) -> bool:
        """True for a request with the service's token."""
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return bool(given) and hmac.compare_digest(given.encode(), self._token.encode())

    def _known(self, host: str) -> bool:
        if host.lower() in self._names:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True
