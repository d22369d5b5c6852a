"""The live stream: tells each page the revision, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from companion.table import Table

MOST_STREAMS = 32
"""Half of the server's threads; further phones poll, which is a full citizen."""
_BEAT = 2.0  # seconds; a closed stream is noticed at the next beat


def live(table: Table) -> Blueprint:
    """Return `/events` (a stream of revisions), `/rev` (for polling) and `/healthz`."""
    site = Blueprint("live", __name__)
    places = threading.BoundedSemaphore(MOST_STREAMS)

    @site.get("/events")
    def events() -> ResponseReturnValue:
        if not places.acquire(blocking=False):
            return Response("poll /rev instead", 503, {"Retry-After": "2"})
        stream = Response(_revisions(table), mimetype="text/event-stream")
        stream.call_on_close(places.release)
        return stream

    @site.get("/rev")
    def rev() -> ResponseReturnValue:
        return jsonify(rev=table.rev)

    @site.get("/healthz")
    def healthz() -> ResponseReturnValue:
        return jsonify(ok=True, rev=table.rev)

    _ = (events, rev, healthz)
    return site


def _revisions(table: Table) -> Iterator[str]:
    seen = table.rev
    yield f"data: {seen}\n\n"
    while True:
        now = table.wait(seen, _BEAT)
        yield f"data: {now}\n\n" if now != seen else ": beat\n\n"
        seen = now
