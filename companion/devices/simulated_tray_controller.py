"""The simulated tray controller: the board's own program behind a pseudo-terminal.

`firmware.tray` runs as on the board; this file plays what the board stands in: the piezo that
rattles when dice fall, the button, the power and the cable. The real driver opens `port`.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections import deque
from typing import Any, Literal

from companion.devices.pseudo_terminal import PseudoTerminal
from firmware.tray import Tray

Fault = Literal[
    "torn",  # the first half of a line, and no end
    "noise",  # bytes that a bad contact made up, in the middle of a line
    "lost",  # the line never comes
    "twice",  # the line comes a second time
]
PIXELS = 16
_LEAST = 0.15  # seconds that the shortest throw rattles ...
_LEAST_SAMPLES = 75  # ... and the samples in that time; a busy computer takes longer for them
_HIT, _RING = 0.05, 0.02  # seconds between two hits of falling dice, and that each is felt
_AWAKE, _ASLEEP = 0.002, 0.01  # seconds between two samples while it rattles, and else


class SimulatedTrayController:
    """A tray controller to plug in and out. `port` is its device path.

    It is without power until `start`. `seed`: of what the piezo feels.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._cable = PseudoTerminal("tray-controller")
        self.port = self._cable.path
        self.board = secrets.token_hex(8)
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self._tray: Any = None  # firmware.tray.Tray; None without power
        self._powered_at = 0.0
        self._rattle = (0.0, 0.0)  # from and until, monotonic seconds
        self._rattling = 0  # samples that the rattle still lasts at the least
        self._down = False
        self._faults: deque[Fault] = deque()
        self._silent = False
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Plug it in."""
        if self._thread is None:
            self.plug()
            self._thread = threading.Thread(target=self._live, name="simulated tray", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Pull the plug and leave nothing behind."""
        self._end.set()
        if self._thread is not None:
            self._cable.wake()
            self._thread.join(1.0)
        self._cable.close()

    # ---- what people do

    def throw(self) -> None:
        """Dice fall into the tray and rattle until `settle`, at most ten seconds."""
        now = time.monotonic()
        with self._lock:
            self._rattle, self._rattling = (now, now + 10.0), _LEAST_SAMPLES
        self._cable.wake()

    def settle(self, at: float | None = None) -> None:
        """The dice lie still from this monotonic second on (None: now, or when just felt)."""
        with self._lock:
            began, until = self._rattle
            wanted = time.monotonic() if at is None else at
            self._rattle = (began, min(until, max(began + _LEAST, wanted)))

    def press(self, seconds: float = 0.1) -> None:
        """Press the button and let it go after so long."""
        with self._lock:
            self._down = True
        release = threading.Timer(seconds, self._release)
        release.daemon = True
        release.start()

    def plug(self) -> None:
        """Plug the cable in; a board without power boots."""
        with self._lock:
            if self._tray is None:
                self._boot()
        self._cable.plug()

    def unplug(self, powered: bool = False) -> None:
        """Pull the cable; `powered` boards live on without it."""
        self._cable.unplug()
        if not powered:
            with self._lock:
                self._tray = None

    def reboot(self, cable: bool = True) -> None:
        """Restart the board; `cable`: its USB port goes away and comes back, as a Pico's does."""
        if cable:
            self.unplug()
            self.plug()
        else:
            with self._lock:
                self._boot()

    # ---- what goes wrong

    def fault(self, kind: Fault, lines: int = 1) -> None:
        """Spoil the next lines of the board."""
        with self._lock:
            self._faults.extend(kind for _ in range(lines))

    def silence(self, silent: bool = True) -> None:
        """The board says and hears nothing, as a hung one; False ends it."""
        with self._lock:
            self._silent = silent

    def say(self, data: bytes) -> None:
        """Send bytes that are not the board's."""
        self._cable.write(data)

    # ---- what people see

    @property
    def shown(self) -> str:
        """The level that the light shows; `dark` without power."""
        with self._lock:
            return "dark" if self._tray is None else self._tray.shown()

    @property
    def ring(self) -> list[tuple[int, int, int]]:
        """The light, one (red, green, blue) of 0 to 255 per pixel."""
        with self._lock:
            if self._tray is None:
                return [(0, 0, 0)] * PIXELS
            return self._tray.ring(self._ticks(), PIXELS)

    # ---- private

    def _boot(self) -> None:
        self._powered_at = time.monotonic()
        self._tray = Tray(self.board, secrets.token_hex(4), 0)

    def _ticks(self) -> int:
        return round((time.monotonic() - self._powered_at) * 1000)

    def _release(self) -> None:
        with self._lock:
            self._down = False

    def _live(self) -> None:
        while not self._end.is_set():
            rattles = self._rattling > 0 or time.monotonic() < self._rattle[1] + 0.1
            heard = self._cable.read(_AWAKE if rattles else _ASLEEP)
            with self._lock:
                if self._tray is None:
                    continue
                heard = b"" if self._silent else heard
                said = self._tray.step(self._ticks(), self._sample(), self._down, heard)
                spoken = b"" if self._silent else self._spoilt(said)
            if spoken:
                self._cable.write(spoken)

    def _sample(self) -> int:
        """Return what the piezo gives now: hits that ring off, and a little hum of the line."""
        now = time.monotonic()
        began, until = self._rattle
        hum = self._chance.randrange(300)
        self._rattling = max(0, self._rattling - 1)
        if not began <= now < until and not self._rattling:
            return hum
        since = (now - began) % _HIT
        strength = max(0.0, 1 - since / _RING) * 40000
        return hum + round(strength * self._chance.uniform(0.6, 1.0))

    def _spoilt(self, said: bytes) -> bytes:
        if not self._faults:
            return said
        lines: list[bytes] = []
        for line in said.splitlines(keepends=True):
            kind = self._faults.popleft() if self._faults else None
            half = len(line) // 2
            if kind == "torn":
                lines.append(line[:half])
            elif kind == "noise":
                lines.append(line[:half] + b"\x00\x03~\xff" + line[half:])
            elif kind == "twice":
                lines.append(line + line)
            elif kind is None:
                lines.append(line)
        return b"".join(lines)
