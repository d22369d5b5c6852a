"""The controller's program, step by step in its own time: throws, rest, button, light, replay."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.tray import KEPT, QUIET, STRONG, Tray
from firmware.wire import LIMIT, Decoder, encode

LOUD, HUM = 40000, 300


class Played:
    """A tray whose time we turn, a millisecond per step. `lines` are what it said."""

    def __init__(self) -> None:
        self.tray: Any = Tray("e6614c311b7e6f35", "5f01c3aa", 0)
        self.now = 0
        self.down = False
        self.lines: list[dict[str, Any]] = []
        self._decoder = Decoder()

    def wait(self, ms: int, sample: int = HUM, heard: bytes = b"") -> None:
        for _ in range(ms):
            self.now += 1
            said = self.tray.step(self.now, sample, self.down, heard)
            heard = b""
            for byte in said:
                if (line := self._decoder.feed(byte)) is not None:
                    self.lines.append(line)
        assert self._decoder.bad == 0

    def tell(self, **message: object) -> list[dict[str, Any]]:
        """Say something to the tray; return what it answers at once."""
        before = len(self.lines)
        self.wait(1, heard=encode(message))
        return self.lines[before:]

    def beat(self, ms: int, sample: int = HUM) -> None:
        """Let time pass with a host that is there."""
        for _ in range(ms // 500):
            self.tell(do="beat")
            self.wait(499, sample)
        self.wait(ms % 500, sample)

    def events(self) -> list[tuple[int, str]]:
        return [(e["number"], e["kind"]) for e in self.lines if e["is"] == "event"]

    def throw(self) -> None:
        for _ in range(6):
            self.wait(10, LOUD)
            self.wait(40)
        self.wait(QUIET)


@pytest.fixture
def played() -> Played:
    """A tray that has woken and whose host said hello."""
    tray = Played()
    tray.wait(QUIET + 10)
    tray.tell(do="hello", id=1, protocol=1)
    tray.lines.clear()
    return tray


def test_it_says_hello_when_it_boots() -> None:
    tray = Played()
    tray.wait(1)
    hello = tray.lines[0]
    assert hello["is"] == "hello"
    assert "id" not in hello
    assert (hello["device"], hello["boot"], hello["next"]) == ("viking-tray", "5f01c3aa", 1)


def test_the_longest_hello_fits_a_line() -> None:
    tray: Any = Tray("f" * 16, "f" * 8, 0)
    century = 100 * 366 * 86400 * 1000
    said = tray.step(century, 0, False, encode({"do": "hello", "id": 999999, "protocol": 1}))
    assert max(len(line) for line in said.splitlines()) < LIMIT


def test_a_throw_is_felt_once_and_its_rest_once(played: Played) -> None:
    played.throw()
    assert played.events() == [(2, "thrown"), (3, "settled")]


def test_rest_is_told_when_it_has_been_quiet_for_a_while(played: Played) -> None:
    played.wait(50, LOUD)
    stopped = played.now
    played.wait(QUIET)
    settled = played.lines[-1]
    assert settled["kind"] == "settled"
    assert settled["ticks"] == stopped + QUIET


def test_a_die_that_still_rocks_holds_the_rest_back(played: Played) -> None:
    played.wait(50, LOUD)
    for _ in range(8):
        played.wait(QUIET - 50)
        played.wait(3, STRONG // 2)
    assert [kind for _, kind in played.events()] == ["thrown"]
    played.wait(QUIET)
    assert [kind for _, kind in played.events()] == ["thrown", "settled"]


def test_a_spark_on_the_wire_is_no_throw(played: Played) -> None:
    for _ in range(10):
        played.wait(1, 65535)
        played.wait(100)
    assert played.events() == []


def test_a_hand_on_the_table_is_no_throw(played: Played) -> None:
    played.wait(300, STRONG - 1)
    assert played.events() == []


def test_what_is_felt_before_the_first_rest_of_a_boot_is_marked() -> None:
    quiet, rattling = Played(), Played()
    rattling.wait(100, LOUD)
    for tray in (quiet, rattling):
        tray.wait(QUIET + 1)
        tray.tell(do="replay", id=1, **{"from": 1})
        tray.throw()
    marks = [
        [(e["kind"], e["waking"]) for e in tray.lines if e["is"] == "event"]
        for tray in (quiet, rattling)
    ]
    later = [("thrown", False), ("settled", False)]
    assert marks == [[("settled", True), *later], [("thrown", True), ("settled", True), *later]]


def test_a_press_counts_once_however_the_contact_bounces(played: Played) -> None:
    for down in (True, False, True, False, True):
        played.down = down
        played.wait(3)
    played.wait(200)
    played.down = False
    played.wait(100)
    assert played.events() == [(2, "button")]


def test_a_light_is_set_and_the_request_echoed(played: Played) -> None:
    assert played.tell(do="light", id=7, level="reading") == [{"is": "done", "id": 7}]
    assert played.tray.shown() == "reading"
    one = played.tray.ring(0, 16)
    assert one == played.tray.ring(777, 16), "the camera wants a light that stands still"
    assert len(set(one)) == 1
    assert len(one) == 16


def test_the_same_command_twice_does_no_harm(played: Played) -> None:
    for _ in range(3):
        answer = played.tell(do="light", id=8, level="colour", colour=[30, 60, 90])
        assert answer == [{"is": "done", "id": 8}]
    assert played.tray.ring(0, 2) == [(10, 20, 30)] * 2


def test_a_felt_throw_shows_at_once_and_the_wish_comes_back(played: Played) -> None:
    played.tell(do="light", id=9, level="ask")
    played.wait(20, LOUD)
    assert played.tray.shown() == "thrown"
    played.wait(QUIET)
    assert played.tray.shown() == "ask"


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"level": "disco"}, "level"),
        ({}, "level"),
        ({"level": ["ask"]}, "level"),
        ({"level": "colour"}, "colour"),
        ({"level": "colour", "colour": [1, 2]}, "colour"),
        ({"level": "colour", "colour": [1, 2, 256]}, "colour"),
        ({"level": "colour", "colour": [1, 2, -1]}, "colour"),
        ({"level": "colour", "colour": [1, 2, "3"]}, "colour"),
        ({"level": "ask", "colour": 5}, "colour"),
    ],
)
def test_a_wrong_light_is_refused_and_changes_nothing(
    played: Played, wish: dict[str, object], why: str
) -> None:
    played.tell(do="light", id=1, level="reading")
    assert played.tell(do="light", id=2, **wish) == [{"is": "refused", "id": 2, "why": why}]
    assert played.tray.shown() == "reading"


@pytest.mark.parametrize("more", [{}, {"from": "x"}])
def test_an_unknown_command_is_refused(played: Played, more: dict[str, object]) -> None:
    for do in ("replay", "dance", 5, None):
        answer = played.tell(do=do, id=3, **more)
        assert answer == [{"is": "refused", "id": 3, "why": "command"}]


@pytest.mark.parametrize("request_id", [None, "x", -1, 10**6, True, 1.5, [1]])
def test_a_command_without_a_number_is_not_answered(played: Played, request_id: object) -> None:
    assert played.tell(do="light", id=request_id, level="reading") == []
    assert played.tray.shown() == "idle"


def test_events_can_be_asked_for_again(played: Played) -> None:
    played.throw()
    answer = played.tell(do="replay", id=4, **{"from": 2})
    assert answer[0] == {"is": "replay", "id": 4, "from": 2}
    assert [(e["number"], e["kind"]) for e in answer[1:]] == [(2, "thrown"), (3, "settled")]
    assert answer[1:] == [e for e in played.lines if e["is"] == "event"][:2], "told the same again"


def test_the_newest_events_are_kept_and_it_says_from_where(played: Played) -> None:
    for _ in range(KEPT + 4):
        played.down = True
        played.wait(50)
        played.down = False
        played.wait(50)
    answer = played.tell(do="replay", id=5, **{"from": 1})
    oldest = 1 + (KEPT + 4) - KEPT + 1  # the rest of the boot was the first
    assert answer[0]["from"] == oldest
    assert [e["number"] for e in answer[1:]] == list(range(oldest, oldest + KEPT))
    assert played.tell(do="replay", id=6, **{"from": 99}) == [{"is": "replay", "id": 6, "from": 99}]


def test_without_a_host_the_light_goes_idle_and_nothing_is_said(played: Played) -> None:
    played.tell(do="light", id=1, level="ask")
    played.beat(8000)
    assert played.tray.shown() == "ask"
    played.wait(5000)
    assert played.tray.shown() == "idle"
    said = len(played.lines)
    played.throw()
    played.wait(3000)
    assert len(played.lines) == said, "nobody listens"
    assert played.tell(do="hello", id=2, protocol=1)[0]["next"] == 4, "but it was felt"


def test_it_beats_each_second_and_counts_what_it_could_not_read(played: Played) -> None:
    played.wait(1, heard=b"nonsense\n" + b"{}*0000\n")
    played.wait(2, 1234)
    played.beat(4000)
    beats = [line for line in played.lines if line["is"] == "beat"]
    assert len(beats) == 4
    assert {beat["bad"] for beat in beats} == {2}
    assert [beat["peak"] for beat in beats] == [1234, HUM, HUM, HUM]
    assert beats[-1]["next"] == 2


def test_the_light_is_always_within_bounds(played: Played) -> None:
    for level in ("idle", "thrown", "reading", "ask", "colour"):
        played.tell(do="light", id=1, level=level, colour=[255, 255, 255])
        for now in range(0, 2000, 37):
            ring = played.tray.ring(now, 16)
            assert len(ring) == 16
            assert all(0 <= part <= 85 for pixel in ring for part in pixel), level
