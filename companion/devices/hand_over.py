"""The hand-over between a device and the table: bounded, with a delivery thread of its own.

A slow commit never stalls a poll. When the queue is full the oldest reading gives way and is
counted, for a reader that outruns the table has seen something that nobody waits for any more. Of
several states that wait only the newest is told, so a loose plug pushes no reading out.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from companion.terms import DeviceState, Reading

log = logging.getLogger(__name__)
_DEPTH = 64  # readings that may wait
_WITHIN = 1.0  # seconds in which what waits is delivered at the end


class HandOver:
    """An `Outlet` that delivers in its own thread; call `close` to end it.

    `lost` counts the readings that gave way.
    """

    def __init__(
        self, read: Callable[[Reading], None], show: Callable[[DeviceState], None], name: str
    ) -> None:
        self._read, self._show = read, show
        self._news = threading.Condition()
        self._waiting: deque[Reading | DeviceState] = deque()
        self._closed = False
        self.lost = 0
        self._thread = threading.Thread(target=self._deliver, name=f"hand-over {name}", daemon=True)
        self._thread.start()

    def reading(self, reading: Reading) -> None:
        """Hand over one reading; order is kept."""
        with self._news:
            if self._closed:
                return
            readings = [thing for thing in self._waiting if not isinstance(thing, DeviceState)]
            if len(readings) >= _DEPTH:
                self._waiting.remove(readings[0])
                self.lost += 1
            self._waiting.append(reading)
            self._news.notify_all()

    def state(self, state: DeviceState) -> None:
        """Say how the device is now."""
        with self._news:
            if self._closed:
                return
            older = [thing for thing in self._waiting if isinstance(thing, DeviceState)]
            for one in older:
                self._waiting.remove(one)
            self._waiting.append(state)
            self._news.notify_all()

    def close(self) -> None:
        """Deliver what is waiting and end; at most a second, what waits longer is lost."""
        until = time.monotonic() + _WITHIN
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread is threading.current_thread():
            return
        self._thread.join(until - time.monotonic())
        with self._news:
            self.lost += sum(not isinstance(thing, DeviceState) for thing in self._waiting)
            self._waiting.clear()

    def _deliver(self) -> None:
        while (thing := self._next()) is not None:
            try:
                if isinstance(thing, DeviceState):
                    self._show(thing)
                else:
                    self._read(thing)
            except Exception:  # one bad reading must not end the delivery
                log.exception("could not deliver %r", type(thing).__name__)

    def _next(self) -> Reading | DeviceState | None:
        with self._news:
            self._news.wait_for(lambda: self._closed or self._waiting)
            return self._waiting.popleft() if self._waiting else None
