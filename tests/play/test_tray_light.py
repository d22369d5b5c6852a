"""The tray's light says what the table waits for."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.demo import Demo
from companion.service import QUIET_BEFORE_SETTLED
from companion.terms import Answer, Done, Filled, Picked, Placed, Seat
from firmware.tray import QUIET

pytestmark = pytest.mark.slow
SEATS = (Seat("harald", "red", "axe"), Seat("gudrun", "blue", "raven"))


def shows(demo: Demo, level: str) -> None:
    end = time.monotonic() + 20.0  # seconds; how long a busy machine may take
    while demo.controller.shown != level:
        assert time.monotonic() < end, f"the light shows {demo.controller.shown}"
        time.sleep(0.05)  # between looks


def test_the_light_asks_for_a_roll_and_rests_otherwise(tmp_path: Path) -> None:
    demo = Demo(tmp_path / "demo", "127.0.0.1", 0, seed=7)
    demo.start()
    try:
        table = demo.service.table
        table.start("vikingjarl", SEATS, {})
        shows(demo, "idle")
        for answer in (
            Answer("setup.draft", Done()),
            Answer("turn.draw", Done(), "harald"),
            Answer("harald.ship.move", Placed("lindisfarne"), "harald"),
            Answer("harald.ship.act", Picked(("attack:lindisfarne",)), "harald"),
            Answer("battle.commit", Filled({"ship": 4}), "harald"),
        ):
            table.answer(answer)
        shows(demo, "reading")
        demo.throw([("black", "helmet"), ("white", "shield")])
        shows(demo, "ask")
    finally:
        demo.stop()


def test_the_service_knows_how_long_the_board_waits_before_it_says_settled() -> None:
    assert QUIET_BEFORE_SETTLED * 1000 == QUIET
