"""The live stream: tells each page the revision, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Blueprint, Flask, Response, jsonify
from flask.typing import ResponseReturnValue

from companion.table import Table

MOST_STREAMS = 32
"""Half of the server's threads; further phones poll, which is a full citizen."""
_BEAT = 2.0
"""Seconds between signs of life; a phone that left is noticed at the next one."""
_GLANCE = 0.25
"""Seconds until a stream notices that the server ends."""


def live(table: Table) -> Blueprint:
    """Return `/events` (a stream of revisions), `/rev` (for polling) and `/healthz`."""
    site = Blueprint("live", __name__)
    places = threading.BoundedSemaphore(MOST_STREAMS)
    ending = threading.Event()
    site.record_once(lambda setup: setup.app.extensions.update(ending_streams=ending))

    @site.get("/events")
    def events() -> ResponseReturnValue:
        if not places.acquire(blocking=False):
            return Response("poll /rev instead", 503, {"Retry-After": "2"})
        stream = Response(_revisions(table, ending), mimetype="text/event-stream")
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


def end_streams(app: Flask) -> None:
    """Let every open stream of this app end."""
    app.extensions["ending_streams"].set()


def _revisions(table: Table, ending: threading.Event) -> Iterator[str]:
    seen = table.rev
    yield f"data: {seen}\n\n"
    quiet = 0.0
    while not ending.is_set():
        now = table.wait(seen, _GLANCE)
        quiet += _GLANCE
        if now != seen:
            seen, quiet = now, 0.0
            yield f"data: {seen}\n\n"
        elif quiet >= _BEAT:
            quiet = 0.0
            yield ": beat\n\n"
