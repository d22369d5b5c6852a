"""Companion and tray talk over a bad line, in a time of their own: each event counts once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.tray_conversation import LOST, RESEND, TRIES, Conversation, Level
from companion.terms import TrayReading
from firmware.tray import QUIET, Tray
from firmware.wire import LEVELS, Decoder, encode

STEP = 10  # ms


class World:
    """A board, a companion, and the line between them, which may lose what is said.

    `kept` are the events that each boot can tell of, by boot.
    """

    def __init__(self) -> None:
        self.talk = Conversation("tray_controller")
        self.readings: list[TrayReading] = []
        self.kept: dict[str, list[tuple[int, str, bool]]] = {}
        self.now = 0.0
        self.losing = {"up": 0, "down": 0}  # lines still to be lost, to the companion and the board
        self.cable = True
        self._boots = 0
        self._power_up()
        self.wait(QUIET + 100)
        self.talk.opened(self.now)
        self.wait(500)
        assert self.talk.standing == "ready"

    def wait(self, ms: int, sample: int = 0, down: bool = False) -> None:
        for _ in range(ms // STEP):
            self.now += STEP / 1000
            asked = self._carried(self.talk.say(self.now), "down") if self.cable else b""
            said = self.tray.step(self._ticks(), sample, down, asked)
            if self.cable:
                came = self.talk.hear(self._carried(said, "up"), self.now)
                self.readings += came

    def throw(self, then: int = QUIET + 50) -> None:
        for _ in range(3):
            self.wait(10, 50000)
        self.wait(then)

    def press(self) -> None:
        self.wait(50, down=True)
        self.wait(50)

    def reboot(self) -> None:
        self._keep()
        self._power_up()

    def swap(self) -> None:
        """Another board lies under the tray now."""
        self._keep()
        self._power_up("e6614c311b000002")

    def unplug(self) -> None:
        self.cable = False

    def plug(self) -> None:
        if not self.cable:
            self.cable = True
            self.talk.opened(self.now)

    def end(self) -> None:
        """Heal the line, and give the two time to find together."""
        self.losing = {"up": 0, "down": 0}
        self.plug()
        self.wait(7000)
        self._keep()

    def told(self) -> list[tuple[int, str]]:
        return [(r.number, r.kind) for r in self.readings]

    def _power_up(self, board: str = "e6614c311b7e6f35") -> None:
        self._boots += 1
        self.boot = f"{self._boots:08x}"
        self._powered_at = self.now
        self.tray: Any = Tray(board, self.boot, 0)

    def _ticks(self) -> int:
        return round((self.now - self._powered_at) * 1000)

    def _carried(self, said: bytes, way: str) -> bytes:
        carried = b""
        for line in said.splitlines(keepends=True):
            if self.losing[way]:
                self.losing[way] -= 1
                carried += line[: len(line) // 2] + b"\n" * (self.losing[way] % 2)
            else:
                carried += line
        return carried

    def _keep(self) -> None:
        """Ask the board itself, past the line, what it remembers."""
        decoder, question = Decoder(), encode({"do": "replay", "id": 1, "from": 1})
        said = self.tray.step(self._ticks(), 0, False, b"\n" + question)
        lines = [line for byte in said if (line := decoder.feed(byte)) is not None]
        self.kept[self.boot] = [
            (int(str(e["number"])), str(e["kind"]), bool(e["waking"]))
            for e in lines
            if e["is"] == "event"
        ]


acts = st.lists(
    st.one_of(
        st.sampled_from([("throw",), ("press",), ("reboot",), ("unplug",), ("plug",)]),
        st.tuples(st.just("rattle")),
        st.tuples(st.just("wait"), st.sampled_from([20, 300, 1000, 4000, 6000])),
        st.tuples(st.sampled_from(["up", "down"]), st.integers(1, 6)),
    ),
    max_size=7,
)


@settings(max_examples=60)
@given(acts)
def test_each_event_is_handed_over_exactly_once_whatever_the_line_does(
    acts: list[tuple[Any, ...]],
) -> None:
    world = World()
    for act, *how_much in acts:
        if act == "wait":
            world.wait(*how_much)
        elif act == "rattle":
            world.throw(then=50)
        elif act in ("up", "down"):
            world.losing[act] += how_much[0]
        else:
            getattr(world, act)()
    world.end()

    assert world.talk.standing == "ready"
    keys = [(r.boot, r.number) for r in world.readings]
    assert len(keys) == len(set(keys)), "one was counted twice"
    assert keys == sorted(keys), "order is kept"
    for boot, kept in world.kept.items():
        told = [(r.number, r.kind) for r in world.readings if r.boot == boot]
        felt = [(n, kind) for n, kind, _ in kept]
        assert [event for event in felt if event in told] == told, "nothing was made up"
        must = [(n, kind) for n, kind, waking in kept if not waking or kind == "button"]
        if boot == world.boot:
            assert [event for event in told if event in must] == must, "the last boot told all"
        elif told:
            upto = told[-1][0]
            assert [e for e in told if e in must] == [e for e in must if e[0] <= upto], "no gap"


@settings(max_examples=40)
@given(acts)
def test_a_throw_never_stays_open(acts: list[tuple[Any, ...]]) -> None:
    """Whatever reboots and breaks: after a thrown that was told, a settled is told."""
    world = World()
    world.throw(then=50)
    for act, *how_much in acts:
        if act == "wait":
            world.wait(*how_much)
        elif act == "rattle":
            world.throw(then=50)
        elif act in ("up", "down"):
            world.losing[act] += how_much[0]
        else:
            getattr(world, act)()
    world.end()
    throws = [kind for _, kind in world.told() if kind != "button"]
    assert throws[-1:] in ([], ["settled"])


@pytest.mark.parametrize("rattles", [0, 50000], ids=["at rest", "still rattling"])
def test_a_reboot_in_mid_throw_ends_in_one_settled(rattles: int) -> None:
    world = World()
    world.throw(then=50)
    world.reboot()
    world.wait(50, rattles)
    world.wait(2000)
    assert [r.kind for r in world.readings] == ["thrown", "settled"]
    assert [r.boot for r in world.readings] == ["00000001", "00000002"]


def test_a_reboot_at_rest_says_nothing() -> None:
    world = World()
    world.reboot()
    world.wait(3000)
    assert world.talk.standing == "ready"
    assert world.readings == []


def test_a_reboot_is_noticed_though_its_hello_was_lost() -> None:
    world = World()
    world.talk.light("ask", None)
    world.throw(then=50)
    world.losing["up"] = 1
    world.reboot()
    world.wait(3000)
    assert world.tray.shown() == "ask"
    assert [r.kind for r in world.readings] == ["thrown", "settled"]


def test_what_was_felt_before_they_met_is_nobodys_throw() -> None:
    world = World()
    world.throw()
    other = Conversation("tray_controller")
    world.talk, world.readings = other, []
    other.opened(world.now)
    world.wait(2000)
    assert other.standing == "ready"
    assert world.readings == []
    world.press()
    assert [r.kind for r in world.readings] == ["button"]


def test_events_of_a_long_absence_are_told_and_the_forgotten_ones_counted() -> None:
    world = World()
    world.unplug()
    for _ in range(20):
        world.press()
    world.plug()
    world.wait(2000)
    numbers = [r.number for r in world.readings]
    assert numbers == list(range(6, 22))
    assert world.talk.notes["lost_events"] == 4


def test_an_event_that_was_lost_is_asked_for_when_the_next_beat_tells_of_it() -> None:
    world = World()
    world.losing["up"] = 1
    world.press()
    assert world.readings == []
    world.wait(2000)
    assert world.told() == [(2, "button")]


def test_a_press_of_before_the_throw_keeps_its_moment_however_late_it_is_told() -> None:
    """So the table can see that it was not meant for what is asked now."""
    world = World()
    world.wait(3000)
    world.unplug()
    pressed = world.now
    world.press()
    world.wait(2000)
    thrown = world.now
    world.throw()
    world.plug()
    world.wait(2000)
    press, throw, settled = world.readings
    assert (press.kind, throw.kind, settled.kind) == ("button", "thrown", "settled")
    assert abs(press.at - pressed) < 0.05
    assert press.at < thrown <= throw.at < settled.at


def test_a_press_of_a_boot_that_ended_while_nobody_listened_is_nobodys() -> None:
    world = World()
    world.unplug()
    world.press()
    world.reboot()
    world.wait(1000)
    world.plug()
    world.wait(2000)
    assert world.readings == []
    world.press()
    assert [(r.kind, r.boot) for r in world.readings] == [("button", "00000002")]


def test_another_board_in_its_place_counts_from_its_own_hello() -> None:
    world = World()
    world.throw()
    world.unplug()
    world.swap()
    world.wait(QUIET + 100)
    world.throw()
    world.plug()
    world.wait(2000)
    assert world.talk.notes["board"] == "e6614c311b000002"
    assert [r.boot for r in world.readings] == ["00000001"] * 2, "what it felt before is nobody's"
    world.throw()
    assert [r.kind for r in world.readings] == ["thrown", "settled"] * 2
    assert [r.boot for r in world.readings[2:]] == ["00000002"] * 2


def test_a_reboot_in_mid_throw_while_the_cable_is_out_ends_in_one_settled() -> None:
    world = World()
    world.throw(then=50)
    world.unplug()
    world.reboot()
    world.wait(1000)
    world.plug()
    world.wait(3000)
    assert [r.kind for r in world.readings] == ["thrown", "settled"]


def test_the_beat_of_a_board_at_rest_keeps_it_connected_and_the_light_on() -> None:
    world = World()
    world.talk.light("reading", None)
    world.wait(30_000)
    assert world.talk.standing == "ready"
    assert world.tray.shown() == "reading"
    assert world.talk.notes["resent"] == 0


def test_the_moment_of_an_event_is_the_boards_not_the_lines() -> None:
    world = World()
    world.wait(3000)
    world.unplug()
    pressed = world.now
    world.press()
    world.wait(3000)
    world.plug()
    world.wait(2000)
    (reading,) = world.readings
    assert abs(reading.at - pressed) < 0.05


def test_a_light_is_asked_for_until_it_is_confirmed_and_again_after_a_reboot() -> None:
    world = World()
    world.losing["down"] = TRIES - 1
    world.talk.light("reading", None)
    world.wait(round(1000 * RESEND * (TRIES + 1)))
    assert world.tray.shown() == "reading"
    assert world.talk.notes["resent"] == TRIES - 1
    world.reboot()
    world.wait(2000)
    assert world.tray.shown() == "reading"


def test_a_board_that_goes_quiet_is_no_longer_connected() -> None:
    world = World()
    world.losing["up"] = 10**6
    world.wait(round(LOST * 1000) + 3000)
    assert world.talk.standing != "ready"
    world.losing["up"] = 0
    world.wait(3000)
    assert world.talk.standing == "ready"


def test_a_throw_that_never_rests_is_noticed() -> None:
    world = World()
    for _ in range(160):
        world.throw(then=70)
    assert world.talk.shaking
    world.wait(1000)
    assert not world.talk.shaking


def test_driver_and_firmware_know_the_same_lights() -> None:
    assert get_args(Level) == LEVELS


def test_throw_after_throw_is_told() -> None:
    world = World()
    for _ in range(4):
        world.throw()
    kinds = [r.kind for r in world.readings]
    assert all(one != other for one, other in pairwise(kinds))
    assert kinds == ["thrown", "settled"] * 4
