"""The chip of the simulated card reader: what a PN532 says on its serial line, byte by byte.

Frames and commands follow NXP's PN532 user manual (UM0701-02, chapters 6 and 7). The chip keeps
its line speed until it is told another one or loses power, sleeps after power-up and PowerDown
until bytes wake it, and hears only noise at a wrong speed. It knows no thread and no port:
bytes go in, bytes come out.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from typing import Literal

from companion.devices.simulated_tags import Ntag, Tag

ACK_FRAME = bytes.fromhex("0000ff00ff00")
NACK_FRAME = bytes.fromhex("0000ffff0000")
ERROR_FRAME = bytes.fromhex("0000ff01ff7f8100")
SPEEDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
_DEAF = 5  # bytes that are lost while the chip wakes
_FIFO, _RX_MODE = 0x6339, 0x6303
_TIMEOUT, _CRC_ERROR = 0x01, 0x02

Fault = Literal[
    "cut",  # only the first three bytes of the answer
    "short",  # the answer without its last three bytes
    "noise",  # the answer with bytes that a bad contact made up
    "bad_sum",  # a wrong checksum
    "extra",  # a 00 too many before the answer
    "no_answer",  # acknowledged, then nothing
    "silence",  # not even acknowledged
    "no_ack",  # answered without acknowledging
]


class SimulatedPn532:
    """A PN532 with its antenna. `field` are the cards on it; `searches` counts looks for a card."""

    def __init__(self) -> None:
        self.field: list[Tag] = []
        self.searches = 0
        self.commands: deque[int] = deque(maxlen=400)  # the newest command codes, for tests
        self._faults: list[tuple[Fault, int | None]] = []
        self._lock = threading.RLock()
        self._pull = False
        self.power_up()

    def power_up(self) -> None:
        """Lose all but the cards, as when the cable is plugged in."""
        with self._lock:
            self.speed = 115200
            self._next_speed: int | None = None
            self._heard = bytearray()
            self._asleep = _DEAF
            self._selected: Tag | None = None
            self._registers: dict[int, int] = {}
            self._last = b""

    def fault(self, kind: Fault, answers: int = 1, command: int | None = None) -> None:
        """Spoil the next `answers` answers, to the given command code only where one is named."""
        with self._lock:
            for _ in range(answers):
                self._faults.append((kind, command))

    def heal(self) -> None:
        """Spoil no further answers."""
        with self._lock:
            self._faults.clear()

    def pull_in_mid_read(self) -> None:
        """Take the next card that tells its UID away before the reader can speak to it again."""
        with self._lock:
            self._pull = True

    def put(self, tag: Tag) -> None:
        """Lay a card on the antenna."""
        with self._lock:
            self.field.append(tag)

    def lift(self) -> None:
        """Take all cards away."""
        with self._lock:
            self.field.clear()

    def receive(self, data: bytes, speed: int) -> bytes:
        """Hear bytes sent at a line speed, and return what the chip sends back at its own."""
        with self._lock:
            # a pseudo-terminal tells its speed of now, not that of the bytes: the acknowledgement
            # that ends a change of speed may seem to come at the new one already
            ends_change = self._next_speed == speed and data.startswith(ACK_FRAME)
            matched = speed == self.speed or ends_change
            if not matched:
                data = bytes(secrets.choice((0x00, 0x80, 0xE0, 0xF8)) for _ in data[::4])
            if self._asleep:
                deaf = min(self._asleep, len(data))
                self._asleep -= deaf
                data = data[deaf:]
            self._heard += data
            sent = b""
            while (frame := self._next_frame()) is not None:
                sent += self._hear(frame)
            return sent if matched else b""

    # ---- frames

    def _next_frame(self) -> bytes | None:
        """Cut the next whole frame off what was heard, from start code to the last checksum."""
        while (start := self._heard.find(b"\x00\xff")) >= 0:
            del self._heard[:start]
            heard = self._heard
            if len(heard) < 4:
                return None
            length = bytes(heard[2:4])
            if length in (b"\x00\xff", b"\xff\x00"):
                size = 4
            elif length == b"\xff\xff":
                if len(heard) < 7:
                    return None
                size = 7 + (heard[4] << 8 | heard[5]) + 1 if sum(heard[4:7]) & 0xFF == 0 else 0
            else:
                size = 4 + heard[2] + 1 if sum(length) & 0xFF == 0 else 0
            if not size:  # no frame after all: look for the next start code
                del heard[:2]
                continue
            if len(heard) < size:
                return None
            frame = bytes(heard[:size])
            del heard[:size]
            return frame
        del self._heard[:-1]
        return None

    def _hear(self, frame: bytes) -> bytes:
        if frame[2:4] == b"\x00\xff":  # the host acknowledges
            if self._next_speed is not None:
                self.speed, self._next_speed = self._next_speed, None
            return b""
        if frame[2:4] == b"\xff\x00":  # the host wants the last answer again
            return self._last
        data = frame[7:] if frame[2:4] == b"\xff\xff" else frame[4:]
        if sum(data) & 0xFF or len(data) < 3 or data[0] != 0xD4:
            return b""
        code, told = data[1], data[2:-1]
        self.commands.append(code)
        answer = self._obey(code, told)
        if answer is None:
            self._last = ERROR_FRAME
        else:
            self._last = _frame(bytes([0xD5, code + 1]) + answer)
        return self._spoilt(code)

    def _spoilt(self, code: int) -> bytes:
        for number, (fault, command) in enumerate(self._faults):
            if command in (None, code):
                del self._faults[number]
                return _spoil(fault, self._last)
        return ACK_FRAME + self._last

    # ---- commands

    def _obey(self, code: int, told: bytes) -> bytes | None:
        """Return the answer's data, or None for a command it does not know."""
        match code:
            case 0x00:  # Diagnose: the line test sends everything back
                return told if told[:1] == b"\x00" else b"\x00"
            case 0x02:  # GetFirmwareVersion: PN532, 1.6, all three card types
                return b"\x32\x01\x06\x07"
            case 0x06:  # ReadRegister
                return bytes(
                    self._registers.get(told[at] << 8 | told[at + 1], 0)
                    for at in range(0, len(told), 2)
                )
            case 0x08:  # WriteRegister
                for at in range(0, len(told), 3):
                    self._registers[told[at] << 8 | told[at + 1]] = told[at + 2]
                return b""
            case 0x10:  # SetSerialBaudrate
                self._next_speed = SPEEDS[told[0]]
                return b""
            case 0x12 | 0x14:  # SetParameters, SAMConfiguration
                return b""
            case 0x16:  # PowerDown
                self._asleep, self._selected = _DEAF, None
                return b"\x00"
            case 0x32:  # RFConfiguration: item 1 is the field
                if told[:1] == b"\x01" and not told[1] & 1:
                    self._selected = None
                return b""
            case 0x4A:
                return self._search(told[1], told[2:])
            case 0x40:  # InDataExchange
                status, said = self._speak(told[1:], True)
                return bytes([status]) + said
            case 0x42:  # InCommunicateThru
                status, said = self._speak(told, bool(self._registers.get(_RX_MODE, 0) & 0x80))
                return bytes([status]) + said
            case 0x44 | 0x52:  # InDeselect, InRelease
                self._selected = None
                return b"\x00"
            case _:
                return None

    def _search(self, kind: int, wanted: bytes) -> bytes:
        """InListPassiveTarget for at most one card."""
        self._selected = None
        self._registers[_RX_MODE] = 0x80
        self._registers[_FIFO] = 0x26 if kind == 0 else 0x00  # the question itself is left in it
        if kind != 0:
            return b"\x00"
        self.searches += 1
        # two cards disturb each other: now one wins, now the other
        self.field = self.field[1:] + self.field[:1]
        for tag in self.field:
            uid = tag.meet()
            if wanted and wanted not in (uid, b"\x88" + uid):
                continue
            self._selected = tag
            self._registers[_FIFO] = 0x00
            if self._pull:
                self._pull = False
                self.field.remove(tag)
            return b"\x01\x01" + tag.sens_res + bytes([tag.sel_res, len(uid)]) + uid
        return b"\x00"

    def _speak(self, command: bytes, checks: bool) -> tuple[int, bytes]:
        """Pass a command to the selected card; `checks`: the chip checks the CRC itself."""
        tag = self._selected
        said = tag.answer(command) if tag is not None and tag in self.field else None
        if said is None:
            return _TIMEOUT, b""
        if len(said) == 1 and isinstance(tag, Ntag):  # four bits without a CRC
            return (_CRC_ERROR, b"") if checks else (0, said)
        return 0, said if checks else said + _crc_a(said)


def _frame(data: bytes) -> bytes:
    size = len(data)
    if size > 255:
        head = b"\xff\xff" + size.to_bytes(2, "big")
        head += bytes([-sum(head[2:]) & 0xFF])
    else:
        head = bytes([size, -size & 0xFF])
    return b"\x00\x00\xff" + head + data + bytes([-sum(data) & 0xFF, 0x00])


def _spoil(fault: Fault, answer: bytes) -> bytes:
    match fault:
        case "cut":
            return ACK_FRAME + answer[:3]
        case "short":
            return ACK_FRAME + answer[:-3]
        case "noise":
            made_up = bytes(b ^ secrets.randbelow(255) + 1 for b in answer[5:])
            return ACK_FRAME + answer[:5] + made_up
        case "bad_sum":
            return ACK_FRAME + answer[:-2] + bytes([answer[-2] ^ 0x5A]) + answer[-1:]
        case "extra":
            return ACK_FRAME + b"\x00" + answer
        case "no_answer":
            return ACK_FRAME
        case "silence":
            return b""
        case "no_ack":
            return answer


def _crc_a(data: bytes) -> bytes:
    """Return the two bytes of CRC_A (ISO/IEC 14443-3, annex B)."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return (crc & 0xFFFF).to_bytes(2, "little")
