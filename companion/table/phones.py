"""The phones at the table: which seats they hold, whose they are, which language they speak."""

from __future__ import annotations

import msgspec

from companion.table.records import Look, Phone
from companion.table.rewriting import TableOfThePast
from companion.terms import NoSuchKey, say

_PHONE = msgspec.msgpack.Decoder(Phone)


class TableWithPhones(TableOfThePast):
    """The table and the phones around it."""

    def look(self, seat: str | None = None) -> Look:
        """Return all that this seat may see, at one revision."""
        with self._lock:
            held, names = self._held()
            return msgspec.structs.replace(super().look(seat), taken_seats=held, sitting=names)

    def phone(self, phone: str) -> Phone:
        """Return what this phone told about itself."""
        rows = self._store.recall("phones", phone=phone)
        body = rows[0][1] if rows else None
        return _PHONE.decode(body) if isinstance(body, bytes) else Phone()

    def keep_phone(self, phone: str, about: Phone) -> None:
        """Remember what a phone told: seats, person, language."""
        with self._lock:
            self._store.remember("phones", phone, msgspec.msgpack.encode(about))
            self._tell()

    def sit(self, phone: str, seat: str, person: str = "") -> None:
        """Give a seat to a phone; several phones may hold one. Raises `NoSuchKey`."""
        with self._lock:
            known = [s.id for s in self._now.seats] if self._now else []
            if seat not in known:
                raise NoSuchKey(seat, say("expected.one_of", known=known))
            old = self.phone(phone)
            seats = old.seats if seat in old.seats else (*old.seats, seat)
            self.keep_phone(
                phone,
                msgspec.structs.replace(old, seats=seats, seat=seat, person=person or old.person),
            )

    def rise(self, phone: str, seat: str) -> None:
        """Take a seat from a phone."""
        old = self.phone(phone)
        seats = tuple(s for s in old.seats if s != seat)
        shown = old.seat if old.seat in seats else (seats[0] if seats else None)
        self.keep_phone(phone, msgspec.structs.replace(old, seats=seats, seat=shown))

    def _held(self) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
        """Return how many phones hold each seat, and whose they are."""
        held: dict[str, int] = {}
        names: dict[str, tuple[str, ...]] = {}
        for _, body in self._store.recall("phones"):
            if isinstance(body, bytes):
                phone = _PHONE.decode(body)
                for seat in phone.seats:
                    held[seat] = held.get(seat, 0) + 1
                    if phone.person and phone.person not in names.get(seat, ()):
                        names[seat] = (*names.get(seat, ()), phone.person)
        return held, names
