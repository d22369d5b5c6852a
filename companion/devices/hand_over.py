"""The hand-over between a device and the table: bounded, with a delivery thread of its own.

A slow commit never stalls a poll. When the queue is full the oldest reading gives way and is
counted, for a reader that outruns the table has seen something that nobody waits for any more.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from companion.terms import DeviceState, Reading

log = logging.getLogger(__name__)
_DEPTH = 64


class HandOver:
    """An `Outlet` that delivers in its own thread; call `close` to end it."""

    def __init__(
        self, read: Callable[[Reading], None], show: Callable[[DeviceState], None], name: str
    ) -> None:
        self._read, self._show = read, show
        self._queue: queue.Queue[Reading | DeviceState | None] = queue.Queue(_DEPTH)
        self.lost = 0
        self._thread = threading.Thread(target=self._deliver, name=f"hand-over {name}", daemon=True)
        self._thread.start()

    def reading(self, reading: Reading) -> None:
        """Hand over one reading; order is kept."""
        self._put(reading)

    def state(self, state: DeviceState) -> None:
        """Say how the device is now."""
        self._put(state)

    def close(self) -> None:
        """Deliver what is waiting and end; at most a second."""
        self._put(None)
        self._thread.join(1.0)

    def _put(self, thing: Reading | DeviceState | None) -> None:
        while True:
            try:
                self._queue.put_nowait(thing)
                return
            except queue.Full:
                try:
                    self._queue.get_nowait()
                    self.lost += 1
                except queue.Empty:
                    continue

    def _deliver(self) -> None:
        while (thing := self._queue.get()) is not None:
            try:
                if isinstance(thing, DeviceState):
                    self._show(thing)
                else:
                    self._read(thing)
            except Exception:  # one bad reading must not end the delivery
                log.exception("could not deliver %r", type(thing).__name__)
