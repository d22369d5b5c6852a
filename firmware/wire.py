"""How tray and companion speak: one printable line per message, with a checksum behind it.

    {"do":"light","id":7,"level":"ask"}*1b2c

A line is a compact JSON object, a star, four lower-case hex digits of the CRC-16 over all bytes
before the star, and a line feed; at most `LIMIT` bytes with the line feed. Only printable ASCII
travels, so no byte can mean Ctrl-C to MicroPython. The checksum counts over the bytes as they
came, for the two sides order the keys of a JSON object differently.

This file runs unchanged under MicroPython on the board and under CPython in the companion; it
therefore does without typing, dataclasses, enum and __future__.
"""

import json

PROTOCOL = 1  # raised when an older companion could no longer understand
DEVICE = "viking-tray"  # who says hello
LEVELS = ("idle", "thrown", "reading", "ask", "colour")
EVENTS = ("thrown", "settled", "button")
LIMIT = 200  # bytes of a line with its line feed

_BRACE, _STAR, _FEED, _RETURN = 0x7B, 0x2A, 0x0A, 0x0D


def crc16(data: bytes) -> int:
    """Return the CRC-16 CCITT (polynomial 1021, seed FFFF, not reflected) of the bytes."""
    crc = 0xFFFF
    for byte in data:
        low = (crc >> 8) ^ byte
        low ^= low >> 4
        crc = ((crc << 8) ^ (low << 12) ^ (low << 5) ^ low) & 0xFFFF
    return crc


def encode(message: dict[str, object]) -> bytes:
    """Return the line for a message.

    Raises `ValueError` where the line would be longer than `LIMIT` or not printable ASCII.
    """
    text = json.dumps(message, separators=(",", ":")).encode()
    for byte in text:
        if not 0x20 <= byte <= 0x7E:
            raise ValueError("byte %02x in a message; only printable ASCII may travel" % byte)
    line = text + b"*%04x\n" % crc16(text)
    if len(line) > LIMIT:
        raise ValueError("a line of %d bytes; at most %d may travel" % (len(line), LIMIT))
    return line


class Decoder:
    """Puts lines together from single bytes, and counts in `bad` those that cannot be trusted.

    A line is bad when it is torn, oversize, not printable, wrongly summed, or no JSON object.
    Whatever came before, the next whole line is understood.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._line = bytearray()
        self._spoilt = False

    def feed(self, byte: int) -> dict[str, object] | None:
        """Take one byte, 0 to 255; return the message that it completes, or None."""
        if byte == _FEED:
            line = bytes(self._line)
            spoilt, self._spoilt, self._line = self._spoilt, False, bytearray()
            if line.endswith(b"\r"):  # a terminal's line end is as good as ours
                line = line[:-1]
            if not line and not spoilt:
                return None
            message = None if spoilt else _trusted(line)
            if message is None:
                self.bad += 1
            return message
        if self._spoilt:
            return None
        printable = 0x20 <= byte <= 0x7E
        if len(self._line) >= LIMIT - 1 or not (printable or byte == _RETURN):
            self._spoilt, self._line = True, bytearray()
        else:
            self._line.append(byte)
        return None


def _trusted(line: bytes) -> dict[str, object] | None:
    if len(line) < 5 or line[0] != _BRACE or line[-5] != _STAR or b"\r" in line:
        return None
    text = line[:-5]
    if b"%04x" % crc16(text) != line[-4:]:
        return None
    try:
        return json.loads(text.decode())
    except ValueError:
        return None
