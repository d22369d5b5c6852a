"""The tray controller: tells when the tray felt a throw and its rest, and lights the ring.

One thread owns the serial port. Only a board that said hello counts as connected; a pulled cable,
a reboot or a silent line heal by themselves, and every event is handed over exactly once.
What is said on the line stands in `companion.devices.tray_conversation`.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import termios
import time
from pathlib import Path
from typing import Literal, TypeAlias

import serial

from companion.devices.port import Outlet
from companion.devices.rounds import Rounds
from companion.devices.tray_conversation import Colour, Conversation, Level, Standing
from companion.terms import Condition, DeviceState, Say, Trouble
from firmware.wire import LEVELS, PROTOCOL

log = logging.getLogger(__name__)
DEVICE = "tray_controller"
_NotOpened: TypeAlias = Literal["missing", "forbidden", "busy", "no_serial", "failed"]
_Answering: TypeAlias = Literal["silent", "stranger", "bare", "newer", "older"]
Wrong: TypeAlias = _NotOpened | _Answering | Literal["lost", "broken", "shaking", "stumbled"]
"""What may be wrong: the words `tray.<this>` and `tray.<this>.do`."""
_PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0)  # seconds between tries to open it
_LOOK = 0.05  # seconds that a read waits, and so the delay of a light or a stop
_PATIENCE = 10.0  # seconds without a hello until the port is opened anew
_NOTES = 5.0  # seconds between two tellings of mere figures
_LEAVE: tuple[Standing, ...] = ("stranger", "bare", "newer", "older")  # others may need the port

_OPENING: dict[int | None, _NotOpened] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.ENODEV: "missing",
    errno.ENXIO: "missing",
    errno.EACCES: "forbidden",
    errno.EPERM: "forbidden",
    errno.EBUSY: "busy",
    errno.EAGAIN: "busy",
    errno.EISDIR: "no_serial",
    None: "no_serial",  # what pyserial says of a file that has no line speed
}


class TrayController:
    """Driver of the tray controller. `port` is any device path, best one under /dev/serial/by-id.

    The port is held alone: a second program is told that it is busy.
    """

    device = DEVICE

    def __init__(self, port: str) -> None:
        self.port = port
        self._talk = Conversation(DEVICE)
        self._rounds = Rounds("tray controller", _PAUSES)
        self._shown: tuple[Condition, Trouble | None] | None = None
        self._notes: dict[str, str | int | float] = {}
        self._noted_at = 0.0
        self._was_ready = False

    def start(self, outlet: Outlet) -> None:
        """Begin in the background."""
        self._rounds.begin(lambda: self._once(outlet), lambda: self._stumbled(outlet))

    def stop(self) -> None:
        """End the thread and let go of the port; within a second."""
        self._rounds.end()

    def light(self, level: Level, colour: Colour | None = None) -> None:
        """Light the ring, now or as soon as the board is there; the newest wish counts.

        `colour` is (red, green, blue), 0 to 255 each, and needed by the level `colour`. Raises
        `ValueError` where the level or colour is none.
        """
        if level not in LEVELS:
            raise ValueError(f"light level {level!r}; expected one of {', '.join(LEVELS)}")
        if colour is None and level == "colour":
            raise ValueError("the light level 'colour' needs a colour; give (red, green, blue)")
        if colour is not None and (len(colour) != 3 or not all(c in range(256) for c in colour)):
            raise ValueError(f"light colour {colour!r}; expected three numbers from 0 to 255")
        self._talk.light(level, colour)

    # ---- the thread

    def _once(self, outlet: Outlet) -> None:
        if self._shown is None:
            self._show(outlet, "waiting", None)
        if self._connect(outlet):
            self._rounds.tries = 0

    def _connect(self, outlet: Outlet) -> bool:
        """Open the port and talk until it breaks; True where the board had answered."""
        line: serial.Serial | None = None
        try:
            line = serial.Serial(
                self.port, 115200, timeout=_LOOK, write_timeout=0.5, exclusive=True
            )
            return self._serve(line, outlet)
        except (OSError, termios.error) as error:
            log.info("tray controller %s: %s", self.port, error)
            self._lost(outlet, line, error)
            return line is not None and self._talk.standing == "ready"
        finally:
            _close(line)

    def _serve(self, line: serial.Serial, outlet: Outlet) -> bool:
        """Talk until the stop, or until there is nobody to talk to; True where somebody was."""
        talk = self._talk
        talk.opened(time.monotonic())
        ready_at: float | None = None
        began = time.monotonic()
        while not self._rounds.ending.is_set():
            data = line.read(max(1, line.in_waiting))
            now = time.monotonic()
            for reading in talk.hear(data, now):
                outlet.reading(reading)
            said = talk.say(now)
            if said:
                line.write(said)
            self._show_standing(outlet, now)
            if talk.standing == "ready":
                ready_at = now
            elif talk.standing in _LEAVE or now - (ready_at or began) > _PATIENCE:
                break
        return ready_at is not None

    # ---- how it is

    def _show_standing(self, outlet: Outlet, now: float) -> None:
        standing = self._talk.standing
        if standing == "greeting":
            return  # too early to say; what was shown still holds
        if standing == "ready":
            self._was_ready = True
            shaking = self._trouble("shaking") if self._talk.shaking else None
            self._show(outlet, "ready", shaking, now)
        elif standing in ("newer", "older"):
            self._show(
                outlet,
                self._away(),
                self._trouble(
                    standing,
                    firmware=self._talk.firmware,
                    spoken=self._talk.protocol,
                    expected=PROTOCOL,
                ),
            )
        else:
            self._show(outlet, self._away(), self._trouble(standing))

    def _lost(self, outlet: Outlet, line: serial.Serial | None, error: Exception) -> None:
        if self._rounds.ending.is_set():
            return
        if line is not None:
            what = "lost" if self._was_ready else "broken"
        else:
            what = _OPENING.get(getattr(error, "errno", None), "failed")
            if what == "missing" and self._was_ready:
                what = "lost"
        values: dict[str, str | int] = {}
        if what == "forbidden":
            values["group"] = _group_of(self.port)
        elif what in ("failed", "broken"):
            values["detail"] = str(error)
        self._show(outlet, self._away(), self._trouble(what, **values))

    def _show(
        self, outlet: Outlet, condition: Condition, trouble: Trouble | None, now: float = 0.0
    ) -> None:
        notes = self._talk.notes
        told = {key: value for key, value in notes.items() if key != "peak"}
        stale = told != self._notes and now - self._noted_at > _NOTES
        if (condition, trouble) != self._shown or stale:
            self._shown = (condition, trouble)
            self._notes, self._noted_at = told, now
            outlet.state(DeviceState(DEVICE, condition, trouble, notes))

    def _stumbled(self, outlet: Outlet) -> None:
        self._show(outlet, self._away(), self._trouble("stumbled"))

    def _away(self) -> Condition:
        return "gone" if self._was_ready else "waiting"

    def _trouble(self, what: Wrong, **values: str | int) -> Trouble:
        values["port"] = self.port
        return Trouble(
            DEVICE, Say(f"tray.{what}", dict(values)), Say(f"tray.{what}.do", dict(values))
        )


def _close(line: serial.Serial | None) -> None:
    if line is None:
        return
    with contextlib.suppress(OSError, termios.error):  # the cable may be out
        line.reset_output_buffer()  # else closing waits for a board that reads no more
    try:
        line.close()
    except (OSError, termios.error) as error:
        log.warning("closing the tray controller: %s", error)


def _group_of(port: str) -> str:
    """Return the group that may use the port, `dialout` where nobody can tell."""
    try:
        return Path(port).group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"
