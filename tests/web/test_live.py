"""The stream over the real server: it tells the revision, frees its place, and ends at once."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from companion.terms import Number
from tests.web.playing import Played
from web.live import MOST_STREAMS
from web.serve import Server


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


class Stream:
    """One open `/events`."""

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._line.request("GET", "/events")
        self.answer = self._line.getresponse()

    def revision(self) -> int:
        """Wait for the next revision; signs of life are passed over."""
        while True:
            said = self.answer.readline()
            assert said, "the stream ended"
            if said.startswith(b"data: "):
                return int(said.removeprefix(b"data: "))

    def close(self) -> None:
        """Leave the room."""
        self.answer.close()
        self._line.close()


def test_the_stream_tells_the_revision_and_each_change(played: Played, server: Server) -> None:
    played.turn()
    stream = Stream(server.port)
    assert stream.answer.status == 200
    assert stream.revision() == played.table.rev
    played.say("fact:gudrun.silver", Number(3))
    assert stream.revision() == played.table.rev
    stream.close()


def test_a_quiet_stream_gives_signs_of_life(played: Played, server: Server) -> None:
    played.turn()
    stream = Stream(server.port)
    stream.revision()
    assert stream.answer.readline() == b"\n"
    assert stream.answer.readline() == b": beat\n"
    stream.close()


def test_streams_are_capped_and_pages_stay_quick(played: Played, server: Server) -> None:
    played.turn()
    streams = [Stream(server.port) for _ in range(MOST_STREAMS)]
    assert {s.answer.status for s in streams} == {200}
    for stream in streams:
        stream.revision()
    one_more = Stream(server.port)
    assert one_more.answer.status == 503
    one_more.close()
    assert _get(server.port, "/rev")[0] == 200, "polling is a full citizen"
    assert _get(server.port, "/wall")[0] == 200
    for stream in streams:
        stream.close()
    status = 503
    for _ in range(200):  # each left place is free again after its next sign of life
        again = Stream(server.port)
        status = again.answer.status
        again.close()
        if status == 200:
            break
        threading.Event().wait(0.1)
    assert status == 200


def test_the_server_ends_with_streams_open(played: Played, app: Flask) -> None:
    played.turn()
    server = Server(app, "127.0.0.1", 0)
    server.start()
    streams = [Stream(server.port) for _ in range(4)]
    for stream in streams:
        stream.revision()
    ending = threading.Thread(target=server.stop)
    ending.start()
    ending.join(20.0)
    assert not ending.is_alive()
    with contextlib.suppress(ConnectionError):
        assert b"data" not in streams[0].answer.read(), "nothing more is told"
    for stream in streams:
        stream.close()
    with pytest.raises(OSError):  # noqa: PT011 - any way of not answering is right
        _get(server.port, "/rev")


def test_a_taken_port_is_told_at_once(played: Played, app: Flask, server: Server) -> None:
    with pytest.raises(OSError, match="in use"):
        Server(app, "127.0.0.1", server.port)


def test_health_is_told_without_a_cookie(played: Played, server: Server) -> None:
    status, body = _get(server.port, "/healthz")
    assert status == 200
    assert b'"ok":true' in body.replace(b" ", b"")


def test_a_request_that_is_too_large_does_not_harm(played: Played, server: Server) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    line.request("POST", "/answer", body=b"x" * 2_000_000)
    assert line.getresponse().status in {403, 413}
    line.close()
    assert _get(server.port, "/healthz")[0] == 200


def _get(port: int, path: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()
