"""A short evening on simulated devices, played in a browser at phone size.

Lindisfarne as the rulebook prints it, a doubtful die, Holmgang on the reader, Odin's Wrath
answered by Frigg, and all of it undone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.demo import Demo
from companion.terms import Done, Filled, Number, Picked, Placed
from tests.play.panel import Panel
from tests.play.phones import LONG, PHONE, WALL, Looker, Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DEVICES = ("tray_camera", "card_reader", "tray_controller")


def begin(browser: Browser, address: str) -> Looker:
    """Set up the game as the page offers it: Harald and Gudrun, 4 Vikings on each Ship."""
    host = Looker(browser, address, PHONE)
    host.press(host.open("/setup").locator("#begin"))
    return host


def test_a_short_evening(browser: Browser, demo: tuple[Demo, str], pictures: Path | None) -> None:
    _, address = demo
    begin(browser, address)
    harald = Phone(browser, address, "harald", "Signe")
    gudrun = Phone(browser, address, "gudrun", "Jonas")
    panel = Panel(browser, address)
    harald.answer("setup.draft", Done())
    harald.correct("harald.ship.at", Placed("sea_lindisfarne_jorvik"))
    harald.answer("turn.draw", Done())

    harald.answer("harald.ship.move", Placed("lindisfarne"))
    harald.answer("harald.ship.act", Picked(("attack:lindisfarne",)))
    harald.answer("battle.commit", Filled({"ship": 4}))
    panel.throw("B MMM W H", doubtful=True)
    page = harald.go("now")
    page.locator(".ask-die").first.wait_for()
    harald.look_over("a-doubtful-die", pictures)
    settle_doubts(harald)
    go_on_from_losses(harald)
    assert harald.shows("harald.ship.v") == "3"

    asked = harald.asked("battle.roll").inner_text()
    panel.throw("B HMM W M")
    harald.take_throw(asked)
    assert harald.shows("harald.silver") == "4"  # 1 from the set-up and 3 survivors
    assert harald.shows("harald.ship.v") == "3"
    harald.look_over("the-trail-of-silver", pictures)

    panel.tap("holmgang")
    harald.answer("saga.target", Picked(("gudrun",)))
    asked = harald.asked("saga.roll").inner_text()
    panel.throw("R H")
    harald.take_throw(asked)
    assert gudrun.shows("gudrun.ship.v") == "2"

    harald.correct("harald.vp", Number(3))
    harald.answer("turn.end", Done())
    gudrun.answer("turn.draw", Done())
    harald.correct("harald.hand", Number(1))
    panel.tap("odins_wrath")
    gudrun.answer("saga.target", Picked(("harald",)))
    assert not gudrun.go("now").locator("input[value='harald.cancel']").count()
    harald.asked("harald.cancel")
    panel.tap("frigg")
    expect(harald.go("story").locator(".story")).to_contain_text("with Frigg", timeout=LONG)
    assert harald.shows("harald.vp") == "3"
    assert gudrun.shows("gudrun.hand") == "1"

    wall = Looker(browser, address, WALL)
    wall.open("/wall")
    wall.look_over("after-frigg-wall", pictures)
    for name in ("now", "board", "table", "story"):
        harald.go(name)
        harald.look_over(f"after-frigg-{name}", pictures)

    while harald.go("now").locator("form[action='/undo']").count():
        harald.undo()
    assert harald.shows("harald.silver") == "1"
    assert harald.asked("setup.draft").count()
    assert harald.complaints == gudrun.complaints == panel.complaints == wall.complaints == []


def settle_doubts(phone: Phone) -> None:
    """Say what the doubtful dice show: the one under the glare is the white helmet."""
    page = phone.page
    while page.locator(".ask-die").count():
        asked = page.locator(".ask-die").first.inner_text()
        face = "shield" if "black" in asked else "helmet"
        left = page.locator(".ask-die").count() - 1
        phone.press(page.locator(f".doubt button[name=face][value={face}]").first)
        expect(page.locator(".ask-die")).to_have_count(left)


def go_on_from_losses(phone: Phone) -> None:
    """Where Tyr could still be played the losses wait; say that they are done."""
    phone.catch_up()
    if phone.page.locator("#q-battle-losses").count():
        phone.press(phone.asked("battle.losses").locator("button").first)


def test_pulled_plugs_are_seen_and_the_game_goes_on_by_hand(
    browser: Browser, demo: tuple[Demo, str], pictures: Path | None
) -> None:
    _, address = demo
    begin(browser, address)
    phone = Phone(browser, address, "harald", "Signe")
    panel = Panel(browser, address)
    for device in DEVICES:
        panel.plug(device, "unplug")
    for device in DEVICES:
        line = phone.go("table").locator(f"#device-{device}")
        expect(line).to_contain_text(re.compile("gone|waiting"), timeout=LONG)
    phone.look_over("devices-gone", pictures)
    phone.answer("setup.draft", Done())
    phone.answer("turn.draw", Done())
    for device in DEVICES:
        panel.plug(device, "plug")
    for device in DEVICES:
        line = phone.go("table").locator(f"#device-{device}")
        expect(line).to_contain_text("Awake", timeout=LONG)
