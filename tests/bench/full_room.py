"""A full room: as many phones as streams are held open for, more that poll, and a step each second.

The companion runs as a process of its own, at the end of a long evening. A listening phone only
hears revisions; a polling one asks for the revision as often as the pages do, and fetches its page
where it is another. Time runs from the moment at which the step is sent until the revision that it
made is seen; so the step's own way to the disk is in it.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.evening import evening, keep
from tests.bench.figure import Figure
from tests.bench.running import Running, line_to
from tests.bench.sizes import Sizes

_POLL = 2.0  # seconds between two questions of a polling phone, as in web/static/live.js
_REST = 1.0  # seconds between two steps


class Listeners:
    """Many open streams, heard in one thread; `heard` are (second, phone, revision)."""

    def __init__(self, port: int, count: int) -> None:
        self.heard: list[tuple[float, int, int]] = []
        self._ways = selectors.DefaultSelector()
        self._left = [b""] * count
        self._end = threading.Event()
        for phone in range(count):
            line = socket.create_connection(("127.0.0.1", port), timeout=60)
            line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            line.setblocking(False)
            self._ways.register(line, selectors.EVENT_READ, phone)
        self._thread = threading.Thread(target=self._listen, name="listeners", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Put all phones away."""
        self._end.set()
        self._thread.join()
        for key in list(self._ways.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._ways.close()

    def _listen(self) -> None:
        while not self._end.is_set():
            for key, _ in self._ways.select(0.1):
                at = time.monotonic()
                assert isinstance(key.fileobj, socket.socket)
                came = key.fileobj.recv(65536)
                if not came:
                    self._ways.unregister(key.fileobj)
                    key.fileobj.close()
                    continue
                *lines, self._left[key.data] = (self._left[key.data] + came).split(b"\n")
                self.heard += [
                    (at, key.data, int(line.removeprefix(b"data: ")))
                    for line in lines
                    if line.startswith(b"data: ")
                ]


class Polling:
    """One phone that asks for the revision again and again; `heard` as for `Listeners`.

    `asked` are the milliseconds that each such question took, `fetched` those of each page.
    """

    def __init__(self, port: int, phone: int, first: float) -> None:
        self.heard: list[tuple[float, int, int]] = []
        self.asked: list[float] = []
        self.fetched: list[float] = []
        self._port, self._phone, self._first = port, phone, first
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._poll, name=f"polling {phone}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Put the phone away."""
        self._end.set()
        self._thread.join()

    def _poll(self) -> None:
        seen = 0
        self._end.wait(self._first)
        while not self._end.is_set():
            body, took = _get(self._port, "/rev")
            self.asked.append(took)
            rev = int(body.partition(b":")[2].strip(b"} \n"))
            if rev != seen:
                self.heard.append((time.monotonic(), self._phone, rev))
                self.fetched.append(_get(self._port, "/now")[1])
                seen = rev
            self._end.wait(_POLL)


def full_room(sizes: Sizes) -> list[Figure]:
    """Measure how fast each step is seen, and how busy the companion is with it."""
    with tempfile.TemporaryDirectory() as place:
        keep(evening(sizes.evening), Path(place))
        with Running("run", Path(place)) as running:
            listeners = Listeners(running.port, sizes.streams)
            polling = [
                Polling(running.port, phone, _POLL * phone / sizes.polling)
                for phone in range(sizes.polling)
            ]
            time.sleep(_REST)  # all have taken their seats
            busy, began = running.processor_seconds(), time.monotonic()
            steps = [_step(running, number) for number in range(sizes.seconds)]
            share = (running.processor_seconds() - busy) / (time.monotonic() - began)
            time.sleep(_POLL)  # the last poll has come
            for phone in (listeners, *polling):
                phone.close()
    streams = _spans(steps, listeners.heard, sizes.streams)
    polls = [span for one in polling for span in _spans(steps, one.heard, 1)]
    room = f"{sizes.streams} streams, {sizes.polling} polling, {sizes.seconds} steps"
    asked = [span for one in polling for span in one.asked]
    fetched = [span for one in polling for span in one.fetched]
    missed = sizes.streams * len(steps) - len(streams)
    return [
        Figure("full room, step to stream, median", median(streams), "ms", how=room),
        Figure(
            "full room, step to stream, worst", max(streams), "ms", how=f"{missed} steps unheard"
        ),
        Figure(
            "full room, step to poll, median",
            median(polls),
            "ms",
            how=f"a phone polls each {_POLL:.0f} s",
        ),
        Figure("full room, step to poll, worst", max(polls), "ms"),
        Figure(
            "  of that, one poll",
            median(asked),
            "ms",
            how=f"worst {max(asked):.0f} ms; its page {median(fetched):.0f} ms",
        ),
        Figure("full room, processor share", share * 100, "%", how="of one core"),
    ]


def _step(running: Running, number: int) -> tuple[float, int]:
    """Correct a number by hand; return the second at which it was sent, and its revision."""
    began = time.monotonic()
    value: dict[str, Any] = {"type": "number", "value": 5 + number % 2}
    told = running.say({"key": "fact:harald.silver", "value": value})
    time.sleep(max(0.0, began + _REST - time.monotonic()))
    return began, int(told["rev"])


def _spans(
    steps: list[tuple[float, int]], heard: list[tuple[float, int, int]], phones: int
) -> list[float]:
    """Return the milliseconds from each step until each phone first heard of it, or of a later."""
    spans: list[float] = []
    for sent, rev in steps:
        for phone in range(phones):
            with contextlib.suppress(StopIteration):
                at = next(
                    at for at, who, seen in heard if (phones == 1 or who == phone) and seen >= rev
                )
                spans.append((at - sent) * 1000)
    return spans


def _get(port: int, path: str) -> tuple[bytes, float]:
    """Return the body of a page and the milliseconds it took."""
    began = time.perf_counter()
    with line_to(port) as line:
        line.request("GET", path)
        answer = line.getresponse()
        body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}; expected 200")
    return body, (time.perf_counter() - began) * 1000
