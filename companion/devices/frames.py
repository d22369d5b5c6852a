"""What gives frames to the tray camera's driver, and how a live camera is read: newest frame only.

A camera keeps a few frames in a queue, and a stream more; whoever reads it now and then gets old
ones. So a live camera is read all the time, in a thread of its own that alone touches it, and only
the newest frame is kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.terms import Say, say
from vision.seen import Picture

log = logging.getLogger(__name__)
STALLED = 5.0
"""Seconds without a frame after which a live camera counts as lost."""
_WAIT = 0.5  # seconds that one `read` waits for a frame, at the most
Figures = dict[str, str | int | float]


class CameraTrouble(OSError):
    """A camera cannot be opened or read: `seen` says what was met, `do` what to do about it."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(f"{key} {values}")
        self.seen: Say = say(f"camera.{key}", **values)
        self.do: Say = say(f"camera.{key}.do", **values)


class FrameSource(Protocol):
    """Where frames come from: a camera, a file, a folder, or a simulated tray."""

    def open(self) -> None:
        """Open it; raises `OSError` while it is not there, best a `CameraTrouble`."""
        ...

    def read(self) -> tuple[float, Picture] | None:
        """Return the newest frame, (h, w, 3) uint8 BGR, and the monotonic second it began.

        None where none came in time; raises `OSError` when the camera is lost.
        """
        ...

    def close(self) -> None:
        """Let go of it."""
        ...

    def figures(self) -> Figures:
        """Return what is worth showing about it, by name, such as what light it holds."""
        ...


class Camera(Protocol):
    """One opened camera. Only the thread that reads it calls `grab` and `release`."""

    def grab(self) -> tuple[float, Picture] | None:
        """Wait for the next frame and return it with the monotonic second its exposure began.

        None for a frame that shall not count, such as one taken while the light is still found.
        Raises `CameraTrouble` when there are no more.
        """
        ...

    def release(self) -> None:
        """Let go of the hardware."""
        ...

    def figures(self) -> Figures:
        """Return what is worth showing about it."""
        ...


class LiveSource:
    """A `FrameSource` over a camera that `connect` opens. `connect` raises `CameraTrouble`.

    at: how the camera is called when it is lost.
    """

    def __init__(self, connect: Callable[[], Camera], at: str) -> None:
        self._connect, self._at = connect, at
        self._reading: _Reading | None = None

    def open(self) -> None:
        """Open the camera and begin to read it."""
        self.close()
        self._reading = _Reading(self._connect(), self._at)

    def read(self) -> tuple[float, Picture] | None:
        """Return the newest frame once; None after half a second without one."""
        if self._reading is None:
            raise CameraTrouble("lost", at=self._at)
        return self._reading.newest()

    def close(self) -> None:
        """Let the reading end; it lets go of the camera as soon as it can."""
        if self._reading is not None:
            self._reading.end()
            self._reading = None

    def figures(self) -> Figures:
        """Return the camera's own figures."""
        return {} if self._reading is None else self._reading.camera.figures()


class _Reading:
    """The thread that reads one opened camera until `end`."""

    def __init__(self, camera: Camera, at: str) -> None:
        self.camera, self._at = camera, at
        self._fresh = threading.Condition()
        self._newest: tuple[float, Picture] | None = None
        self._trouble: CameraTrouble | None = None
        self._ended = False
        self._alive = time.monotonic()
        self._thread = threading.Thread(target=self._read_on, name="frames", daemon=True)
        self._thread.start()

    def newest(self) -> tuple[float, Picture] | None:
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None or self._trouble, _WAIT)
            got, self._newest = self._newest, None
            if got is None and self._trouble is not None:
                raise self._trouble
            if got is None and time.monotonic() - self._alive > STALLED:
                raise CameraTrouble("lost", at=self._at)
            return got

    def end(self) -> None:
        self._ended = True
        self._thread.join(_WAIT)

    def _read_on(self) -> None:
        try:
            while not self._ended:
                got = self.camera.grab()
                with self._fresh:
                    self._alive = time.monotonic()
                    if got is not None:
                        self._newest = got
                        self._fresh.notify_all()
        except CameraTrouble as trouble:
            self._fail(trouble)
        except Exception:  # a camera's library may raise anything; the driver opens it again
            log.exception("reading %s", self._at)
            self._fail(CameraTrouble("lost", at=self._at))
        finally:
            try:
                self.camera.release()
            except Exception:
                log.exception("letting go of %s", self._at)

    def _fail(self, trouble: CameraTrouble) -> None:
        with self._fresh:
            self._trouble = trouble
            self._fresh.notify_all()
