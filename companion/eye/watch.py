"""A thread that works at a lesson as long as somebody looks at its page."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.devices.tray_camera import TrayCamera

log = logging.getLogger(__name__)
_PAUSE = 0.25  # seconds between two steps of the work
_ASLEEP = 20.0  # seconds after which nobody is looking at the page any more


class Watch:
    """Calls `work` again and again; meanwhile the camera reads no throws.

    work: one step, in the watch's thread; False ends it until somebody looks again. stumbled: is
    called where a step failed unforeseen, which ends it too.
    All methods may be called from any thread.
    """

    def __init__(
        self, camera: TrayCamera, work: Callable[[], bool], stumbled: Callable[[], None]
    ) -> None:
        self._camera, self._work, self._stumbled = camera, work, stumbled
        self._looked_at = 0.0
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def wake(self) -> None:
        """Somebody looks: go on, or begin. Calls of it must not overlap."""
        self._looked_at = time.monotonic()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="teacher", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the work for good."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def _run(self) -> None:
        self._camera.hold_back(True)
        try:
            while not self._stop.wait(_PAUSE):
                asleep = time.monotonic() - self._looked_at > _ASLEEP
                if asleep or not self._work():
                    return
        except Exception:  # the page must be able to say so, and to go on
            log.exception("the teacher stumbled")
            self._stumbled()
        finally:
            self._camera.hold_back(False)
