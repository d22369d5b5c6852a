"""The simulated card reader: a PN532 on a pseudo-terminal, with a hand that lays cards on it.

The real driver opens `port` as it opens a USB adapter. Pulling the plug takes the device file
away under its nose; plugging in again brings a new one under the same name, and a chip that was
without power.
"""

from __future__ import annotations

import threading
import time

from companion.devices.pseudo_terminal import PseudoTerminal
from companion.devices.simulated_pn532 import Fault, SimulatedPn532
from companion.devices.simulated_tags import TagKind, make_tag


class SimulatedCardReader:
    """A card reader to plug in and out. `port` is its device path, `chip` its PN532.

    `hand` is how long (seconds) a hand needs between taking a card away and laying down the next;
    so the same card, tapped twice, is two placements as it is at a table.
    """

    def __init__(self, hand: float = 0.8) -> None:
        self.chip = SimulatedPn532()
        self._hand = hand
        self._cable = PseudoTerminal("card-reader")
        self.port = self._cable.path
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        self._lifted = float("-inf")
        self._coming: threading.Timer | None = None

    def start(self) -> None:
        """Plug it in."""
        if self._thread is None:
            self.plug()
            self._thread = threading.Thread(target=self._serve, name="simulated PN532", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Pull the plug for good and leave nothing behind."""
        self._end.set()
        with self._lock:
            self._drop_coming()
        if self._thread is not None:
            self._cable.wake()
            self._thread.join(1.0)
        self._cable.close()

    def plug(self) -> None:
        """Plug the cable in; nothing happens where it is in already."""
        with self._lock:
            if not self._cable.plugged:
                self.chip.power_up()
                self._cable.plug()

    def unplug(self) -> None:
        """Pull the cable; nothing happens where it is out already."""
        self._cable.unplug()

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

    def _serve(self) -> None:
        while not self._end.is_set():
            try:
                heard = self._cable.read(None)
            except OSError:
                continue  # pulled in the very moment
            if heard:
                self._cable.write(self.chip.receive(heard, self._cable.speed))
