"""The cards of the simulated reader: stickers with their memory, starter-kit cards, and phones.

Layout and commands of the NTAG213, 215 and 216 follow NXP's data sheet NTAG213/215/216 (memory in
chapter 8, commands in chapters 9 and 10). Answers are given as they go over the air, without CRC.
"""

from __future__ import annotations

import secrets
from typing import Literal

ACK, NAK = b"\x0a", b"\x00"  # four bits each

TagKind = Literal["NTAG213", "NTAG215", "NTAG216", "Classic 1K", "Classic 4K", "phone"]
_PAGES = {"NTAG213": 45, "NTAG215": 135, "NTAG216": 231}
_SIZE = {"NTAG213": 0x12, "NTAG215": 0x3E, "NTAG216": 0x6D}  # NDEF bytes / 8, in page 3
_STORAGE = {"NTAG213": 0x0F, "NTAG215": 0x11, "NTAG216": 0x13}  # in the answer to GET_VERSION


class Tag:
    """One card. `uid` are its 4, 7 or 10 bytes; a phone tells other ones at every meeting."""

    sens_res = bytes.fromhex("0004")
    sel_res = 0x08

    def __init__(self, uid: bytes) -> None:
        self.uid = uid

    def meet(self) -> bytes:
        """Answer a search: the field came on, and the card tells its UID."""
        return self.uid

    def answer(self, command: bytes) -> bytes | None:
        """Answer one command of the reader; None where the card keeps silent."""
        return None


class Ntag(Tag):
    """An NTAG213, 215 or 216 as it leaves the factory. `memory` holds all its pages."""

    sens_res = bytes.fromhex("0044")
    sel_res = 0x00

    def __init__(self, uid: bytes, kind: TagKind = "NTAG213") -> None:
        super().__init__(uid)
        self.kind = kind
        self.pages = _PAGES[kind]
        self._listens = True
        self.memory = bytearray(self.pages * 4)
        check0 = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        check1 = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
        self.memory[0:12] = uid[:3] + bytes([check0]) + uid[3:] + bytes([check1, 0x48, 0, 0])
        self.memory[12:16] = bytes([0xE1, 0x10, _SIZE[kind], 0x00])
        self.memory[16:24] = bytes.fromhex(
            "0103a00c340300fe" if kind == "NTAG213" else "0300fe0000000000"
        )
        self.memory[-16:-12] = bytes.fromhex("040000ff")  # configuration: no password
        self.memory[-8:-4] = b"\xff\xff\xff\xff"  # the password, which nobody may read

    def meet(self) -> bytes:
        """Answer a search; a card that fell silent listens again."""
        self._listens = True
        return self.uid

    def answer(self, command: bytes) -> bytes | None:
        """Answer READ, FAST_READ, WRITE, GET_VERSION and READ_SIG; anything else is refused.

        A card that refused, or was told to halt, is silent until it is searched again.
        """
        if not self._listens:
            return None
        said = self._said(command)
        self._listens = said is not None and said != NAK
        return said

    def tear(self, page: int) -> None:
        """Leave a page as it is when the card is lifted in mid-write: half old, half new."""
        self.memory[page * 4 + 2 : page * 4 + 4] = secrets.token_bytes(2)

    def _said(self, command: bytes) -> bytes | None:
        match command[:1], command[1:]:
            case b"\x30", rest if len(rest) == 1 and rest[0] < self.pages:
                shown = self._shown()
                return (shown * 2)[rest[0] * 4 : rest[0] * 4 + 16]  # reading on starts over
            case b"\x3a", rest if len(rest) == 2 and rest[0] <= rest[1] < self.pages:
                return self._shown()[rest[0] * 4 : rest[1] * 4 + 4]
            case b"\xa2", rest if len(rest) == 5 and 2 <= rest[0] < self.pages:
                self._write(rest[0], rest[1:])
                return ACK
            case b"\x60", b"":
                return bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, _STORAGE[self.kind], 0x03])
            case b"\x3c", b"\x00":
                return bytes(32)
            case b"\x50", b"\x00":
                return None  # halt
            case _:
                return NAK

    def _shown(self) -> bytes:
        return bytes(self.memory[:-8]) + bytes(8)  # password and its answer read as zeros

    def _write(self, page: int, data: bytes) -> None:
        at = page * 4
        if page in (2, 3):  # lock bytes and capability bits can be set, never cleared
            old = self.memory[at : at + 4]
            data = bytes(a | b for a, b in zip(old, data, strict=True))
            data = bytes(old[:2]) + data[2:] if page == 2 else data
        self.memory[at : at + 4] = data


class Classic(Tag):
    """A MIFARE Classic card of a starter kit: it tells its UID, and nothing without a key."""

    def __init__(self, uid: bytes, kind: TagKind = "Classic 1K") -> None:
        super().__init__(uid)
        if kind == "Classic 4K":
            self.sens_res, self.sel_res = bytes.fromhex("0002"), 0x18


class Phone(Tag):
    """A phone or bank card: a new random UID whenever the field comes on."""

    sel_res = 0x20

    def meet(self) -> bytes:
        """Answer a search with four bytes of which only the first is always 08."""
        self.uid = b"\x08" + secrets.token_bytes(3)
        return self.uid


def make_tag(uid: str, kind: TagKind = "NTAG213") -> Tag:
    """Make a card; `uid` is hex of 7 bytes for an NTAG, and of 4 or 7 for a Classic.

    Raises `ValueError` where the UID does not fit.
    """
    raw = bytes.fromhex(uid)
    if kind == "phone":
        return Phone(raw)
    lengths = (4, 7) if kind.startswith("Classic") else (7,)
    if len(raw) not in lengths:
        raise ValueError(
            f"the UID {uid!r} has {len(raw)} bytes; a {kind} has {' or '.join(map(str, lengths))}: "
            f"write {lengths[-1] * 2} hex digits"
        )
    return Classic(raw, kind) if kind.startswith("Classic") else Ntag(raw, kind)
