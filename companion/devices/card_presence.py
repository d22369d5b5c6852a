"""Which card lies on the reader: it arrives once, and leaves once, however shaky the contact.

Pure: it is told what each look at the antenna saw and when, and says what that means. A card
arrives when it was seen twice; it leaves after several misses in a row that also took some time,
for a card may answer only every second look. Cards that take turns are two cards at once: then
nothing is booked.
"""

from __future__ import annotations

from collections import deque
from typing import Literal, NamedTuple

_SIGHTS = 2  # looks that must see a card before it has arrived
_SIGHTS_AFTER_CHANGE = 4  # the same, right after another card was seen
_MISSES = 4  # looks in a row that must miss it before it has left ...
_GONE = 0.5  # ... and seconds since it was last seen
_RESTLESS = 2.0  # seconds in which changes from card to card are counted
_CHANGES = 3  # so many changes are two cards, not one hand that swaps them
_OUTAGE = 10.0  # seconds without a reader after which nobody knows whether the card was moved


class Happening(NamedTuple):
    """What a look meant.

    `arrived` and `left` are for a card, `at` its first or last sight (monotonic seconds);
    `pulled` is a card that was gone before it had arrived; `two` are cards that take turns.
    """

    kind: Literal["arrived", "left", "pulled", "two"]
    uid: str
    at: float


class CardPresence:
    """The card on the reader, over time. `lying` is its UID, or None."""

    def __init__(self) -> None:
        self.lying: str | None = None
        self._last = 0.0
        self._misses = 0
        self._coming: str | None = None
        self._first = 0.0
        self._sights = 0
        self._coming_misses = 0
        self._coming_last = 0.0
        self._before: str | None = None
        self._changes: deque[float] = deque()

    @property
    def coming(self) -> bool:
        """True while a card was seen that has not arrived yet: the next look decides."""
        return self._coming is not None

    def saw(self, uid: str | None, at: float) -> list[Happening]:
        """Take in one look: the UID that was seen, or None."""
        while self._changes and at - self._changes[0] > _RESTLESS:
            self._changes.popleft()
        found: list[Happening] = []
        changed = uid is not None and self._before is not None and uid != self._before
        if uid is not None:
            self._before = uid
        if changed:
            self._changes.append(at)
            if len(self._changes) >= _CHANGES and uid is not None:
                found.append(Happening("two", uid, at))
        if uid is not None and uid == self.lying:
            self._last, self._misses = at, 0
            self._coming = None
            return found
        found += self._missed(at)
        if uid is None:
            return found + self._missed_coming(at)
        return found + self._seen_coming(uid, at)

    def back(self, at: float, outage: float) -> list[Happening]:
        """The reader is back after `outage` seconds; a card that lay there counts on."""
        self._coming = self._before = None
        self._changes.clear()
        if self.lying is not None and outage > _OUTAGE:
            return self._leave()
        self._last, self._misses = max(self._last, at), 0
        return []

    # ---- private

    def _missed(self, at: float) -> list[Happening]:
        if self.lying is None:
            return []
        self._misses += 1
        gone = self._misses >= _MISSES and at - self._last >= _GONE
        return self._leave() if gone else []

    def _leave(self) -> list[Happening]:
        assert self.lying is not None
        left = Happening("left", self.lying, self._last)
        if self._before == self.lying:
            self._before = None  # what comes after an empty reader is no change from card to card
        self.lying, self._misses = None, 0
        return [left]

    def _missed_coming(self, at: float) -> list[Happening]:
        if self._coming is None:
            return []
        self._coming_misses += 1
        if self._coming_misses < _MISSES or at - self._coming_last < _GONE:
            return []
        pulled = Happening("pulled", self._coming, self._coming_last)
        self._coming = self._before = None
        return [pulled]

    def _seen_coming(self, uid: str, at: float) -> list[Happening]:
        if uid != self._coming:
            self._coming, self._first, self._sights = uid, at, 0
        self._sights += 1
        self._coming_last, self._coming_misses = at, 0
        if len(self._changes) >= _CHANGES:
            self._sights = 0  # two cards: which of them is meant?
            self._first = at
            return []
        if self._sights < (_SIGHTS_AFTER_CHANGE if self._changes else _SIGHTS):
            return []
        found = self._leave() if self.lying is not None else []
        self.lying, self._last, self._misses = uid, at, 0
        self._coming = None
        return [*found, Happening("arrived", uid, self._first)]
