"""The chip of the card reader, reached through nfcpy: opened, searched for a card, and let go.

The one place that knows nfcpy. Its opening is our own: a chip whose program was killed sits at
another line speed until its power is pulled, so all speeds are tried, and the chip is brought
back to 115200 and stays there. nfcpy's `connect` is not used, for it cannot be stopped in time;
`search` looks once. Whatever nfcpy raises becomes one of the three exceptions below.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import logging
import termios
import threading
import time
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, cast

import serial

Why = Literal["missing", "forbidden", "taken", "no_port", "silent", "other", "garbled", "failed"]

_nfc_clf = cast(Any, importlib.import_module("nfc.clf"))  # nfcpy has no types
_nfc_pn532 = cast(Any, importlib.import_module("nfc.clf.pn532"))
_nfc_transport = cast(Any, importlib.import_module("nfc.clf.transport"))

log = logging.getLogger(__name__)
_chip_log = logging.getLogger(f"{__name__}.chip")
_chip_log.setLevel(logging.CRITICAL)  # nfcpy calls every hiccup an error; we count them instead

HOME_SPEED = 115200
_SPEEDS = (HOME_SPEED, 921600, 460800, 230400)
_SHORT = 0.12  # seconds: a chip answers within 15 ms, an adapter adds its 16 ms
_WAKE = b"\x55\x55" + bytes(14)  # a sleeping chip loses some bytes until it is awake
_FLUSH = bytes(280)  # fills up a frame that a killed program left unfinished: 264 bytes at most
_ACK = bytes.fromhex("0000ff00ff00")
_BY_ERRNO: dict[int | None, Why] = {
    errno.ENOENT: "missing",
    errno.ENODEV: "missing",
    errno.ENXIO: "missing",
    errno.EIO: "missing",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EBUSY: "taken",
    errno.EAGAIN: "taken",
    errno.EISDIR: "no_port",
    errno.ENOTTY: "no_port",
    errno.EINVAL: "no_port",
}


class NotOpened(Exception):
    """The chip could not be opened: why, and in the system's words what happened."""

    def __init__(self, why: Why, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}")
        self.why: Why = why
        self.detail = detail


class Garbled(Exception):
    """One answer of the chip could not be used; the next may be good."""


class ReaderLost(Exception):
    """The port is gone: unplugged, or without power."""


class Found(NamedTuple):
    """A card in the field: its UID in lower-case hex, and its SAK (ISO/IEC 14443-3), 0 to 255."""

    uid: str
    sak: int


class Pn532:
    """One opened chip, held by one thread; only `cancel` may be called from another."""

    def __init__(self, port: str, first_answer: float, stop: threading.Event) -> None:
        self.port = port
        self.firmware = ""  # such as "1.6"
        self.found_at = HOME_SPEED  # the line speed at which the chip was found
        self._first_answer = first_answer
        self._serial: serial.Serial | None = None
        self._clf: Any = None
        self._target: Any = _nfc_clf.RemoteTarget("106A")
        self._acknowledged = False
        self._stop = stop
        self._closing = threading.Lock()

    def open(self) -> None:
        """Find the chip on its line and make it ready; raises `NotOpened`."""
        try:
            self._open_port()
            self._find()
            self._ready()
        except NotOpened:
            self.close()
            raise
        except (OSError, termios.error) as error:  # the latter is none of the former
            self.close()
            raise NotOpened("missing", str(error)) from error

    def search(self) -> Found | None:
        """Look once for a card; raises `Garbled` and `ReaderLost`. Takes 10 ms, at most 1.4 s."""
        try:
            target = self._clf.sense(self._target, iterations=1)
        except _nfc_clf.CommunicationError:
            return None  # the card was lost in mid-talk: this look did not see it
        except (termios.error, serial.SerialException) as error:
            raise ReaderLost(str(error)) from error
        except Exception as error:  # OSError, IndexError, TypeError, UnboundLocalError: all seen
            raise Garbled(repr(error)) from error
        if target is None or not target.sdd_res:
            return None
        uid, sak = bytes(target.sdd_res), bytes(target.sel_res)
        if len(uid) not in (4, 7, 10) or len(sak) != 1:
            raise Garbled(f"a UID of {len(uid)} bytes")
        return Found(uid.hex(), sak[0])

    def cancel(self) -> None:
        """End the search that runs, after `stop` was set. From any thread."""
        with self._closing:
            if self._serial is not None:
                self._serial.cancel_read()

    def close(self) -> None:
        """Switch the field off and let go of the port; never raises.

        The chip is not powered down: it stays awake at 115200, where the next opening looks first.
        """
        if self._clf is not None:
            with contextlib.suppress(Exception):  # the port may be gone
                self._clf.device.mute()
        self._clf = None
        with self._closing, contextlib.suppress(Exception):
            if self._serial is not None:
                port, self._serial = self._serial, None
                port.close()

    # ---- private

    def _open_port(self) -> None:
        try:
            opened = serial.Serial(
                self.port, HOME_SPEED, timeout=0.05, write_timeout=0.5, exclusive=True
            )
        except serial.SerialException as error:
            # pyserial tells no number where a file is no serial port
            why = "no_port" if error.errno is None else _BY_ERRNO.get(error.errno, "failed")
            raise NotOpened(why, str(error)) from error
        except ValueError as error:
            raise NotOpened("no_port", str(error)) from error
        with self._closing:
            self._serial = opened

    def _find(self) -> None:
        """Ask at every speed, first in haste, then with the patience a slow adapter needs."""
        heard = False
        for speed, wait, before in _tries(self._first_answer):
            version = self._ask_at(speed, before, wait)
            if version:
                self.found_at = speed
                if speed == HOME_SPEED or self._bring_home():
                    self.firmware = f"{version[1]}.{version[2]}"
                    return
            heard = heard or version is not None
        if self._acknowledged:  # it speaks as a PN532 does, but not in whole sentences
            raise NotOpened("garbled", "acknowledged, but no whole answer")
        raise NotOpened("other" if heard else "silent")

    def _ask_at(self, speed: int, before: bytes, wait: float) -> bytes | None:
        self._port.baudrate = speed
        return self._ask(0x02, b"", wait, before + _WAKE)

    def _bring_home(self) -> bool:
        """Tell the chip to go to 115200, follow it, and return whether it is there."""
        if not self._ask(0x10, bytes([4]), _SHORT):
            return False
        self._port.write(_ACK)  # the chip changes when its answer was acknowledged
        self._port.flush()
        time.sleep(0.02)
        return bool(self._ask_at(HOME_SPEED, b"", _SHORT))

    def _ready(self) -> None:
        if not self._ask(0x14, b"\x01\x00\x00", _SHORT):  # SAMConfiguration: normal mode
            raise NotOpened("garbled", "no answer to SAMConfiguration")
        line = _nfc_transport.TTY()
        line.tty = self._port
        try:
            chipset = _nfc_pn532.Chipset(line, logger=_chip_log)
            device = _nfc_pn532.Device(chipset, logger=_chip_log)
        except (serial.SerialException, termios.error):
            raise
        except Exception as error:  # half answers: OSError, IndexError and the like
            raise NotOpened("garbled", repr(error)) from error
        device._path = self.port
        self._clf = _nfc_clf.ContactlessFrontend()
        self._clf.device = device

    def _ask(self, code: int, data: bytes, wait: float, before: bytes = b"") -> bytes | None:
        """Send one command; return the data of its answer.

        b"" where something came that is no answer to it, None where nothing came at all.
        """
        port = self._port
        port.reset_input_buffer()
        body = bytes([0xD4, code]) + data
        head = bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF])
        port.write(before + head + body + bytes([-sum(body) & 0xFF, 0]))
        heard = bytearray()
        until = time.monotonic() + wait
        while time.monotonic() < until:
            if self._stop.is_set():
                raise NotOpened("failed", "stopped")
            heard += port.read(max(1, port.in_waiting))
            for answer in _answers(bytes(heard)):
                if answer[:2] == bytes([0xD5, code + 1]):
                    return answer[2:] or b"\x00"
        self._acknowledged = self._acknowledged or _ACK in heard
        return b"" if heard else None

    @property
    def _port(self) -> serial.Serial:
        assert self._serial is not None
        return self._serial


def _tries(first_answer: float) -> Iterator[tuple[int, float, bytes]]:
    """Yield speed, seconds to wait, and bytes to send before, in the order to try."""
    for speed in _SPEEDS:
        yield speed, _SHORT, b""
    yield HOME_SPEED, first_answer, _FLUSH
    for speed in _SPEEDS:
        yield speed, _SHORT, _FLUSH


def _answers(heard: bytes) -> Iterator[bytes]:
    """Yield what stands in every whole normal frame: identifier, code and data."""
    at = heard.find(b"\x00\xff")
    while at >= 0 and len(heard) >= at + 4:
        size = heard[at + 2]
        body = heard[at + 4 : at + 5 + size]
        whole = size and (size + heard[at + 3]) & 0xFF == 0 and len(body) == size + 1
        if whole and sum(body) & 0xFF == 0:
            yield body[:-1]
        at = heard.find(b"\x00\xff", at + 1)
