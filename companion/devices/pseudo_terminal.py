"""A cable to pull and plug: a pseudo-terminal behind a device path that stays the same.

A driver opens `path` as it opens a USB adapter. Pulling the cable takes the device file away under
its nose; plugging in again brings a new one under the same name, as udev's links do.
"""

from __future__ import annotations

import os
import select
import shutil
import tempfile
import termios
import threading
import tty
import weakref
from pathlib import Path

_SPEEDS = {
    getattr(termios, name): int(name[1:])
    for name in dir(termios)
    if name.startswith("B") and name[1:].isdigit()
}
_LETTING_GO = 1.0  # seconds, at most, until a woken reader has let go of its end


class PseudoTerminal:
    """The device's end of a serial cable. One thread reads; any thread may pull, plug and write.

    `name` is the last part of the device path.
    """

    def __init__(self, name: str) -> None:
        folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
        self._link = folder / name
        self._lock = threading.Lock()
        self._ends: tuple[int, int] | None = None  # ours, and the one the host opens
        self._watched: tuple[int, int] | None = None  # the ends that a reader waits on
        self._let_go = threading.Condition(self._lock)
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._waker, False)
        self._forget = weakref.finalize(self, _leave_nothing, folder, (self._wake, self._waker))

    @property
    def path(self) -> str:
        """The device path for the driver; it exists while the cable is in."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        """True while the cable is in."""
        return self._ends is not None

    @property
    def speed(self) -> int:
        """The line speed in baud that the host set; 0 without a cable or for an odd speed."""
        with self._lock:
            return _SPEEDS.get(termios.tcgetattr(self._ends[1])[5], 0) if self._ends else 0

    def plug(self) -> None:
        """Plug the cable in; nothing happens where it is in already."""
        with self._lock:
            if self._ends is not None:
                return
            # the host's end stays open here, so that hosts may come and go and the speed stays
            self._ends = os.openpty()
            tty.setraw(self._ends[1])
            os.set_blocking(self._ends[0], False)
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(os.ttyname(self._ends[1]))
        self.wake()

    def unplug(self) -> None:
        """Pull the cable; nothing happens where it is out already."""
        with self._lock:
            if self._ends is None:
                return
            self._link.unlink(missing_ok=True)
            ends, self._ends = self._ends, None
        self.wake()
        # an end that somebody still waits on stays open: the host would see no hang-up yet
        with self._let_go:
            self._let_go.wait_for(lambda: self._watched is not ends, _LETTING_GO)
        for end in ends:
            os.close(end)

    def close(self) -> None:
        """Pull the cable for good and leave no file behind; no thread may read any more."""
        self.unplug()
        self._forget()

    def wake(self) -> None:
        """Let a waiting `read` return at once."""
        try:
            os.write(self._waker, b"x")
        except BlockingIOError:
            return  # it is being woken already

    def read(self, seconds: float | None) -> bytes:
        """Return what the host sent, waiting at most so long (None: for ever).

        Returns nothing where the time is up, `wake` was called, or the cable is pulled or plugged.
        """
        with self._lock:
            self._watched = ends = self._ends
        try:
            ready, _, _ = select.select([self._wake, *(ends[:1] if ends else ())], [], [], seconds)
        except OSError:
            return b""  # pulled between the two lines above
        finally:
            with self._let_go:
                self._watched = None
                self._let_go.notify_all()
        if self._wake in ready:
            os.read(self._wake, 4096)
            return b""
        with self._lock:
            # the number of a closed end may already name something else: never read from that
            if not ready or ends is None or self._ends is not ends:
                return b""
            try:
                return os.read(ends[0], 4096)
            except OSError:
                return b""

    def write(self, said: bytes) -> None:
        """Send to the host; what does not fit because nobody listens is lost, as on a real line."""
        with self._lock:
            while said and self._ends is not None:
                try:
                    said = said[os.write(self._ends[0], said) :]
                except OSError:
                    return


def _leave_nothing(folder: Path, descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
    shutil.rmtree(folder, ignore_errors=True)
