"""The simulated card reader: a PN532 on a pseudo-terminal, with a hand that lays cards on it.

The real driver opens `port` as it opens a USB adapter. Pulling the plug takes the device file
away under its nose; plugging in again brings a new one under the same name, and a chip that was
without power.
"""

from __future__ import annotations

import os
import select
import shutil
import tempfile
import termios
import threading
import time
import tty
import weakref
from pathlib import Path

from companion.devices.simulated_pn532 import SPEEDS, Fault, SimulatedPn532
from companion.devices.simulated_tags import TagKind, make_tag

_SPEED_OF = {
    getattr(termios, f"B{speed}"): speed for speed in SPEEDS if hasattr(termios, f"B{speed}")
}


class SimulatedCardReader:
    """A card reader to plug in and out. `port` is its device path, `chip` its PN532.

    `hand` is how long (seconds) a hand needs between taking a card away and laying down the next;
    so the same card, tapped twice, is two placements as it is at a table.
    """

    def __init__(self, hand: float = 0.8) -> None:
        self.chip = SimulatedPn532()
        self._hand = hand
        self._folder = Path(tempfile.mkdtemp(prefix="card-reader-"))
        self._forget = weakref.finalize(self, shutil.rmtree, self._folder, True)
        self.port = str(self._folder / "card-reader")
        self._lock = threading.RLock()
        self._cable: _Cable | None = None
        self._lifted = float("-inf")
        self._coming: threading.Timer | None = None

    def start(self) -> None:
        """Plug it in."""
        self.plug()

    def stop(self) -> None:
        """Pull the plug and leave nothing behind."""
        with self._lock:
            self._drop_coming()
            self.unplug()
            self._forget()

    def plug(self) -> None:
        """Plug the cable in; nothing happens where it is in already."""
        with self._lock:
            if self._cable is None:
                self.chip.power_up()
                self._cable = _Cable(self.chip, Path(self.port))

    def unplug(self) -> None:
        """Pull the cable; nothing happens where it is out already."""
        with self._lock:
            if self._cable is not None:
                self._cable.pull()
                self._cable = None

    def place(self, uid: str, kind: TagKind = "NTAG213") -> None:
        """Lay a card on the reader; a second one lies beside the first.

        `uid` is hex: 7 bytes for an NTAG. Raises `ValueError` where it does not fit.
        """
        tag = make_tag(uid, kind)
        with self._lock:
            wait = self._lifted + self._hand - time.monotonic()
            self._drop_coming()
            if wait <= 0:
                self.chip.put(tag)
                return
            self._coming = threading.Timer(wait, self.chip.put, (tag,))
            self._coming.daemon = True
            self._coming.start()

    def take_away(self) -> None:
        """Take all cards away."""
        with self._lock:
            self._drop_coming()
            if self.chip.field:
                self._lifted = time.monotonic()
            self.chip.lift()

    def pull_in_mid_read(self) -> None:
        """Pull the next card away as soon as it has told its UID, before anything more."""
        self.chip.pull_in_mid_read()

    def fault(self, kind: Fault, answers: int = 1, command: int | None = None) -> None:
        """Spoil the next answers of the chip, see `companion.devices.simulated_pn532.Fault`."""
        self.chip.fault(kind, answers, command)

    def _drop_coming(self) -> None:
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None


class _Cable:
    """One plugging in: a pseudo-terminal under a stable name, and the thread behind it."""

    def __init__(self, chip: SimulatedPn532, link: Path) -> None:
        self._chip, self._link = chip, link
        # the other end stays open here, so that a host may come and go and the line keeps its speed
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)  # a host that does not listen must not hold the chip up
        self._wake, self._pulled = os.pipe()
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._theirs))
        self._thread = threading.Thread(target=self._serve, name="simulated PN532", daemon=True)
        self._thread.start()

    def pull(self) -> None:
        self._link.unlink(missing_ok=True)
        os.write(self._pulled, b"x")
        self._thread.join()
        for descriptor in (self._ours, self._theirs, self._wake, self._pulled):
            os.close(descriptor)

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._ours, self._wake], [], [])
            if self._wake in ready:
                return
            try:
                heard = os.read(self._ours, 4096)
                speed = _SPEED_OF.get(termios.tcgetattr(self._theirs)[5], 0)
                said = self._chip.receive(heard, speed)
                while said:
                    said = said[os.write(self._ours, said) :]
            except OSError:
                continue  # the host went away in mid-sentence
