"""The thread of a driver: it opens its device round after round, until it is told to end.

What all drivers promise is kept here once: nothing that goes wrong ends the thread or leaves it,
the pause between two tries grows while the device stays away, and the end comes within a second.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)
_WITHIN = 1.0  # seconds in which a thread has to end


class Rounds:
    """One thread, begun at most once; `name` is its name and the driver's in the log.

    `pauses` are the seconds between two rounds: the first after a device that was there, each
    further one while it stays away. A round that found its device sets `tries` to 0. `ending` is
    set when the thread shall end: a round looks at it often, or waits on it.
    """

    def __init__(self, name: str, pauses: Sequence[float]) -> None:
        self.name, self.tries = name, 0
        self.ending = threading.Event()
        self._pauses = tuple(pauses)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, once: Callable[[], None], stumbled: Callable[[], None]) -> None:
        """Run `once` again and again in the background; `stumbled` follows what it raised.

        Does nothing where it runs already; raises `RuntimeError` after the end.
        """
        with self._lock:
            if self.ending.is_set():
                raise RuntimeError(f"the {self.name} was stopped; make a new driver to start again")
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, args=(once, stumbled), name=self.name, daemon=True
                )
                self._thread.start()

    def end(self, wake: Callable[[], None] | None = None) -> None:
        """End the thread, within a second; from any thread, and as often as one likes.

        `wake` ends what a round may be waiting for.
        """
        with self._lock:
            self.ending.set()
            thread = self._thread
        if wake is not None:
            with contextlib.suppress(Exception):  # the device may be gone in this very moment
                wake()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_WITHIN)

    def _run(self, once: Callable[[], None], stumbled: Callable[[], None]) -> None:
        while not self.ending.is_set():
            try:
                once()
            except Exception:  # whatever it was, the next round may do
                log.exception("the %s stumbled", self.name)
                try:
                    stumbled()
                except Exception:
                    log.exception("the %s could not say so", self.name)
            self.ending.wait(self._pauses[min(self.tries, len(self._pauses) - 1)])
            self.tries += 1
