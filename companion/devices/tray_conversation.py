"""What is said between companion and tray controller: greeting, lights, and events exactly once.

No port and no thread is in here: bytes that came go in, bytes to send and readings come out, and
`now` is the monotonic second. One `Conversation` lives as long as its driver, over all pulled
cables, for it remembers which events were handed over.

Events are numbered in each boot of the board. A number already seen is dropped; a gap, seen in an
event or in the `next` of a beat, is asked for again. What the board has forgotten is counted.
After a reboot everything is new. What a board feels while it wakes may be the rest of a throw that
the last boot told: such a `thrown` counts only where none is under way, the first `settled` only
where one is.
"""

from __future__ import annotations

from collections import deque
from typing import Literal, TypeAlias

from companion.terms import TrayReading
from firmware.wire import DEVICE, EVENTS, PROTOCOL, Decoder, encode

Level = Literal["idle", "thrown", "reading", "ask", "colour"]
Colour: TypeAlias = tuple[int, int, int]
Standing = Literal["greeting", "ready", "silent", "stranger", "bare", "newer", "older"]

RESEND, TRIES = 0.3, 3  # seconds until a request is sent again, and how often it is sent
BEAT = 1.0  # seconds between beats to the board
LOST = 3.0  # seconds without a trusted line, and the board has gone quiet
BREATH = 1.0  # seconds between two rounds of greeting
STILL_SHAKING = 15.0  # seconds after a throw, and rest should long have come

_PROMPT = b">>> "  # of a MicroPython that runs no program


class Conversation:
    """Both halves of the talk, over any number of connections.

    `standing` is how it goes; only `ready` is connected. `notes` are figures to show.
    """

    def __init__(self, device: str) -> None:
        self.standing: Standing = "greeting"
        self.shaking = False  # a throw that does not come to rest
        self.firmware = ""
        self.protocol = 0
        self._device = device
        self._board: str = ""
        self._boot: str = ""
        self._expected = 1  # the number of the next event to hand over
        self._board_next = 1  # the number that the board will give next
        self._thrown_at: float | None = None  # a throw that has not come to rest
        self._wanted: tuple[Level, Colour | None] = ("idle", None)
        self._lit: tuple[Level, Colour | None] | None = None  # what the board has confirmed
        self._id = 0
        self._lost = self._resent = self._refused = self._bad = 0
        self._board_notes: dict[str, int] = {}
        self._decoder = Decoder()
        self.opened(0.0)

    def opened(self, now: float) -> None:
        """Begin anew on a line just opened: nothing counts as connected before the hello."""
        self._bad += self._decoder.bad
        self._decoder = Decoder()
        self._tail = b""
        self._heard_any = False
        self._heard_at = now
        self._beat_at = now
        self._replay_at = now
        self._behind: deque[float] = deque(maxlen=16)  # host second minus board second
        self._request: _Request | None = None
        self._next_round = now
        self._flush = b"\n"  # ends whatever a former host left unfinished
        self.standing = "greeting"

    def light(self, level: Level, colour: Colour | None) -> None:
        """Ask for a light; the newest wish is sent until the board confirms it."""
        self._wanted = (level, colour)

    @property
    def notes(self) -> dict[str, str | int | float]:
        """Figures for the Table page: who answers, and what went wrong on the line."""
        notes: dict[str, str | int | float] = {}
        if self.firmware:
            notes |= {"firmware": self.firmware, "board": self._board, "boot": self._boot}
        counted = {
            "bad_lines": self._bad + self._decoder.bad,
            "resent": self._resent,
            "lost_events": self._lost,
            "refused": self._refused,
        }
        return notes | self._board_notes | counted

    # ---- hearing

    def hear(self, data: bytes, now: float) -> list[TrayReading]:
        """Take what came; return the readings it completes, in the order of the board."""
        if data:
            self._heard_any = True
            self._tail = (self._tail + data)[-len(_PROMPT) :]
        readings: list[TrayReading] = []
        for byte in data:
            message = self._decoder.feed(byte)
            if message is not None:
                readings += self._understand(message, now)
        return readings

    def _understand(self, message: dict[str, object], now: float) -> list[TrayReading]:
        kind = message.get("is")
        if kind == "hello":
            self._greeted(message, now)
            return []
        if self.standing != "ready":
            return []  # before the hello nobody knows whose numbers these are
        if kind in ("beat", "event") and message.get("boot") != self._boot:
            self._greet_again(now)  # it has booted, and its hello was lost
            return []
        self._heard_at = now
        if kind == "beat":
            self._beaten(message, now)
        elif kind == "event":
            return self._event(message, now)
        elif kind in ("done", "refused", "replay"):
            self._answered(str(kind), message, now)
        return []

    def _greeted(self, hello: dict[str, object], now: float) -> None:
        if hello.get("device") != DEVICE:
            self.standing = "stranger"
            return
        self.firmware = str(hello.get("firmware", "?"))
        self.protocol = _whole(hello.get("protocol"), 0)
        if self.protocol != PROTOCOL:
            self.standing = "newer" if self.protocol > PROTOCOL else "older"
            return
        board, boot = str(hello.get("board", "")), str(hello.get("boot", ""))
        if hello.get("id") is None or (self.standing == "ready" and boot != self._boot):
            self._greet_again(now)  # it has just booted: what it says next is an answer
            return
        if self.standing == "ready":
            return  # the answer to a hello that was sent twice
        self._request = None
        coming = _whole(hello.get("next"), 1)
        if board != self._board:
            # what another board felt before we met it is nobody's throw
            self._expected, self._thrown_at = coming, None
        elif boot != self._boot:
            self._expected = 1
        self._board, self._boot, self._board_next = board, boot, coming
        self._lit = None
        self._heard_at = now
        self._behind.clear()
        self._tune(hello, now)
        if self._thrown_at is not None:
            self._thrown_at = now  # it has anew so long to come to rest
        self.standing = "ready"

    def _greet_again(self, now: float) -> None:
        self._request, self._next_round = None, now
        self._heard_any, self._tail = False, b""
        self.standing = "greeting"

    def _beaten(self, beat: dict[str, object], now: float) -> None:
        self._board_next = _whole(beat.get("next"), self._board_next)
        self._board_notes = {
            "bad_lines_heard": _whole(beat.get("bad"), 0),
            "peak": _whole(beat.get("peak"), 0),
        }
        self._tune(beat, now)

    def _event(self, event: dict[str, object], now: float) -> list[TrayReading]:
        number = _whole(event.get("number"), 0)
        kind = event.get("kind")
        self._board_next = max(self._board_next, number + 1)
        if number != self._expected:
            return []  # seen already, or before it something is missing that is asked for again
        self._expected += 1
        if kind not in EVENTS:
            return []  # a younger firmware feels something that we have no word for
        at = self._moment(event, now)
        if kind != "button":
            under_way = self._thrown_at is not None
            self._thrown_at = now if kind == "thrown" else None
            if event.get("waking") is True and under_way == (kind == "thrown"):
                return []
        return [TrayReading(self._device, kind, self._boot, number, at)]

    def _answered(self, kind: str, message: dict[str, object], now: float) -> None:
        asked = self._request
        if asked is None or message.get("id") != asked.id:
            return
        self._request = None
        if kind == "replay":
            oldest = _whole(message.get("from"), self._expected)
            if oldest > self._expected:
                self._lost += oldest - self._expected
                self._expected = oldest
            self._replay_at = now + RESEND  # the events themselves are still on their way
        elif asked.do == "light":
            self._lit = asked.light
            self._refused += kind == "refused"
        else:
            self._refused += 1

    def _tune(self, message: dict[str, object], now: float) -> None:
        ticks = message.get("ticks")
        if isinstance(ticks, int):
            self._behind.append(now - ticks / 1000)

    def _moment(self, event: dict[str, object], now: float) -> float:
        """Return the host's second of an event; the fastest of the last beats had least delay."""
        ticks = event.get("ticks")
        if not isinstance(ticks, int) or not self._behind:
            return now
        return min(now, ticks / 1000 + min(self._behind))

    # ---- saying

    def say(self, now: float) -> bytes:
        """Return what to send at this moment."""
        self._look(now)
        said, self._flush = self._flush, b""
        asked = self._request
        if asked is None:
            asked = self._request = self._next_request(now)
        if asked is not None and now >= asked.due:
            if asked.sent:
                self._resent += 1
            asked.sent += 1
            asked.due = now + RESEND
            said += asked.line
        if self.standing == "ready" and now >= self._beat_at:
            self._beat_at = now + BEAT
            said += encode({"do": "beat"})
        return said

    def _look(self, now: float) -> None:
        """Notice what did not come."""
        self.shaking = self._thrown_at is not None and now - self._thrown_at > STILL_SHAKING
        asked = self._request
        unanswered = asked is not None and asked.sent >= TRIES and now >= asked.due
        if self.standing == "ready":
            if unanswered or now - self._heard_at > LOST:
                self._greet_again(now)
        elif unanswered and self.standing not in ("newer", "older"):
            self._request, self._next_round = None, now + BREATH
            if self._tail == _PROMPT:
                self.standing = "bare"
            else:
                self.standing = "stranger" if self._heard_any else "silent"
            self._heard_any = False

    def _next_request(self, now: float) -> _Request | None:
        if self.standing in ("newer", "older"):
            return None
        if self.standing != "ready":
            if now < self._next_round:
                return None
            return self._ask("hello", now, protocol=PROTOCOL)
        if self._board_next > self._expected and now >= self._replay_at:
            return self._ask("replay", now, **{"from": self._expected})
        if self._lit != self._wanted:
            level, colour = self._wanted
            wish: dict[str, object] = {"level": level}
            if colour is not None:
                wish["colour"] = list(colour)
            request = self._ask("light", now, **wish)
            request.light = self._wanted
            return request
        return None

    def _ask(self, do: str, now: float, **more: object) -> _Request:
        self._id = self._id % 999999 + 1
        return _Request(do, self._id, encode({"do": do, "id": self._id, **more}), now)


class _Request:
    """What was asked and waits for its answer."""

    def __init__(self, do: str, number: int, line: bytes, now: float) -> None:
        self.do, self.id, self.line, self.due = do, number, line, now
        self.sent = 0
        self.light: tuple[Level, Colour | None] | None = None


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise
