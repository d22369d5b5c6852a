"""A phone that listens: one open stream of revisions, and when each of them came."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Callable
from types import TracebackType


class Phone:
    """Listens to `/events` in a thread of its own while it is used as a context.

    `wanted` is asked after each revision whether what people wait for is there now.
    """

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._line.request("GET", "/events")
        self._answer = self._line.getresponse()
        if self._answer.status != 200:
            raise RuntimeError(f"the stream answered {self._answer.status}; expected 200")
        self._lock = threading.Lock()
        self._wanted: Callable[[], bool] = lambda: False
        self._seen: float | None = None
        self._came = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="phone", daemon=True)

    def __enter__(self) -> Phone:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._answer.close()
        self._line.close()

    def wait_for(self, wanted: Callable[[], bool]) -> None:
        """From now on watch for the first revision at which this is true."""
        with self._lock:
            self._wanted, self._seen = wanted, None
            self._came.clear()

    def seen_at(self, within: float) -> float:
        """Return the monotonic second of that revision; raises `TimeoutError`."""
        if not self._came.wait(within) or self._seen is None:
            raise TimeoutError(f"no phone saw it within {within:.0f} s")
        return self._seen

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while said := self._answer.readline():  # until the phone is put away
                if not said.startswith(b"data: "):
                    continue
                with self._lock:
                    if not self._came.is_set() and self._wanted():
                        # after the look, so that what came meanwhile is not counted too early
                        self._seen = time.monotonic()
                        self._came.set()
