"""The card reader: tells when a card was laid on it, and when it was taken away.

One thread owns the chip. It looks ten times a second, does nothing else, and comes back by itself
after a pulled plug, a killed program or a bad contact. Only the UID of a card is read: which card
it is, the table knows.
"""

from __future__ import annotations

import grp
import logging
import time
from pathlib import Path
from typing import Literal, TypeAlias

from companion.devices.card_presence import CardPresence, Happening
from companion.devices.pn532 import HOME_SPEED, Found, Garbled, NotOpened, Pn532, ReaderLost, Why
from companion.devices.port import Outlet
from companion.devices.rounds import Rounds
from companion.terms import CardReading, Condition, DeviceState, Say, Trouble, say

log = logging.getLogger(__name__)
DEVICE = "card_reader"
Wrong: TypeAlias = Why | Literal["lost", "stumbled", "phone", "two", "pulled"]
"""What may be wrong: the words `reader.<this>` and `reader.<this>.do`."""
_PAUSES = (0.2, 0.5, 1.0, 2.0)  # seconds between tries to open it
_IN_A_ROW = 3  # so many unusable answers in a row, and the reader is opened anew
_SOON = 0.03  # seconds until the second look at a card that has just come
_HINT = 4.0  # seconds that a hint about a card stays after its cause
_CLASSIC = frozenset((0x08, 0x09, 0x18, 0x28, 0x38, 0x88))  # SAK of MIFARE Classic and its like


class CardReader:
    """Driver of a PN532 on a serial port.

    `port` is any device path, best one under /dev/serial/by-id. `first_answer` is how long
    (seconds) the chip may take to say who it is; `every` the time between two looks for a card.
    """

    device = DEVICE

    def __init__(self, port: str, *, first_answer: float = 1.5, every: float = 0.1) -> None:
        self.port = port
        self._first_answer, self._every = first_answer, every
        self._rounds = Rounds("card reader", _PAUSES)
        self._chip: Pn532 | None = None
        self._presence = CardPresence()
        self._kinds: dict[str, int] = {}  # SAK by UID, of the cards that come or lie there
        self._notes: dict[str, str | int | float] = {}
        self._shown: object = None
        self._was_ready, self._lost_at = False, 0.0
        self._hint: tuple[Trouble, float] | None = None
        self._unusable = 0
        self._looks = self._sights = self._looks_then = 0  # how often the lying card answers

    def start(self, outlet: Outlet) -> None:
        """Begin in the background."""
        self._rounds.begin(lambda: self._once(outlet), lambda: self._stumbled(outlet))

    def stop(self) -> None:
        """End the thread and let go of the port; within a second."""
        self._rounds.end(self._wake)

    def _wake(self) -> None:
        chip = self._chip
        if chip is not None:
            chip.cancel()

    # ---- the thread

    def _once(self, outlet: Outlet) -> None:
        """Open the reader, look for cards until it is lost, and say why."""
        chip = self._chip = Pn532(self.port, self._first_answer, self._rounds.ending)
        try:
            chip.open()
            self._opened(outlet, chip)
            self._watch(outlet, chip)
        except NotOpened as error:
            log.info("card reader %s: %s", self.port, error)
            self._show(outlet, self._away(), self._not_opened(error))
        except ReaderLost as error:
            log.info("card reader %s is gone: %s", self.port, error)
            self._show(outlet, self._away(), self._trouble("lost"))
        except Garbled as error:
            log.info("card reader %s: %s", self.port, error)
            self._show(outlet, self._away(), self._trouble("garbled"))
        finally:
            if self._rounds.tries == 0:
                self._lost_at = time.monotonic()
            chip.close()

    def _opened(self, outlet: Outlet, chip: Pn532) -> None:
        at = time.monotonic()
        if self._was_ready:
            self._tell(outlet, self._presence.back(at, at - self._lost_at))
        self._rounds.tries = 0
        self._notes |= {"firmware": chip.firmware, "speed": HOME_SPEED}
        if chip.found_at != HOME_SPEED:
            self._notes["found_at"] = chip.found_at

    def _watch(self, outlet: Outlet, chip: Pn532) -> None:
        """Look for cards until the reader is lost; raises `Garbled` and `ReaderLost`."""
        in_a_row = 0
        while not self._rounds.ending.is_set():
            began = time.monotonic()
            try:
                found = chip.search()
            except Garbled as error:
                # neither a sight nor a miss: one bad answer must not lift a card
                in_a_row += 1
                self._notes["unusable"] = self._unusable = self._unusable + 1
                if in_a_row >= _IN_A_ROW:
                    raise
                log.debug("unusable answer: %s", error)
            else:
                in_a_row = 0
                self._looked(outlet, found, began)
            self._show_ready(outlet, began)
            pause = min(_SOON, self._every) if self._presence.coming else self._every
            self._rounds.ending.wait(max(0.0, pause - (time.monotonic() - began)))

    def _looked(self, outlet: Outlet, found: Found | None, at: float) -> None:
        if found is not None and _is_phone(found):
            self._hint = self._trouble("phone"), at
            found = None
        if found is not None:
            self._kinds[found.uid] = found.sak
        if self._presence.lying is not None:
            self._looks += 1
            if found is not None and found.uid == self._presence.lying:
                self._sights, self._looks_then = self._sights + 1, self._looks
        self._tell(outlet, self._presence.saw(found.uid if found else None, at))

    def _tell(self, outlet: Outlet, happenings: list[Happening]) -> None:
        for kind, uid, at in happenings:
            if kind == "two":
                self._hint = self._trouble("two"), at
            elif kind == "pulled":
                self._hint = self._trouble("pulled"), time.monotonic()
            elif kind == "arrived":
                self._hint = None
                self._looks = self._sights = self._looks_then = 0
                sak = self._kinds.get(uid)
                self._kinds = {}
                classic = say("reader.classic") if sak in _CLASSIC else None
                outlet.reading(CardReading(DEVICE, uid, "arrived", at, classic))
            else:
                if self._looks_then:  # percent; the misses after the last sight do not count
                    self._notes["contact"] = round(100 * self._sights / self._looks_then)
                outlet.reading(CardReading(DEVICE, uid, "left", at))

    # ---- how it is

    def _show_ready(self, outlet: Outlet, now: float) -> None:
        if self._hint is not None and now - self._hint[1] > _HINT:
            self._hint = None
        self._was_ready = True
        self._show(outlet, "ready", self._hint[0] if self._hint else None)

    def _show(self, outlet: Outlet, condition: Condition, trouble: Trouble | None) -> None:
        now = condition, trouble, self._notes.get("contact")
        if now != self._shown and not self._rounds.ending.is_set():
            self._shown = now
            outlet.state(DeviceState(DEVICE, condition, trouble, dict(self._notes)))

    def _stumbled(self, outlet: Outlet) -> None:
        self._show(outlet, self._away(), self._trouble("stumbled"))

    def _away(self) -> Condition:
        return "gone" if self._was_ready else "waiting"

    def _not_opened(self, error: NotOpened) -> Trouble:
        if error.why == "missing":
            return self._trouble("lost" if self._was_ready else "missing")
        if error.why == "forbidden":
            return self._trouble("forbidden", group=_group_of(self.port))
        if error.why == "failed":
            return self._trouble("failed", detail=error.detail)
        return self._trouble(error.why)

    def _trouble(self, what: Wrong, **values: str) -> Trouble:
        told: dict[str, str] = {"port": self.port, **values}
        return Trouble(DEVICE, Say(f"reader.{what}", told), Say(f"reader.{what}.do", told))


def _is_phone(found: Found) -> bool:
    """ISO/IEC 14443-3: a UID of four bytes that begins with 08 is made up anew each time."""
    return len(found.uid) == 8 and found.uid.startswith("08")


def _group_of(port: str) -> str:
    """Return the group that may use the port, `dialout` where nobody can tell."""
    try:
        return grp.getgrgid(Path(port).stat().st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"
