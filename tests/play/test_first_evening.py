"""A short evening on simulated devices, played in a browser at phone size.

Lindisfarne as the rulebook prints it, a doubtful die, Holmgang on the reader, Odin's Wrath
answered by Frigg, and all of it undone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from companion.demo import Demo

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
PHONE: ViewportSize = {"width": 390, "height": 844}
WALL: ViewportSize = {"width": 1920, "height": 1080}
LONG = 30_000  # milliseconds to wait for what a device must bring; generous


class Phone:
    """One phone at the table, in a browser of its own."""

    def __init__(self, browser: Browser, address: str, seat: str, person: str) -> None:
        self.context = browser.new_context(viewport=PHONE, locale="en-GB")
        self.page: Page = self.context.new_page()
        self.address = address
        self.violations: list[str] = []
        self.page.on(
            "console",
            lambda message: (
                self.violations.append(message.text)
                if "Content Security Policy" in message.text
                else None
            ),
        )
        self.page.goto(address)
        self.page.click(f"#seat-{seat}")
        self.page.fill("#person", person)
        self.page.click("#sit")
        self.page.wait_for_url("**/now*")

    def press(self, button: Locator) -> None:
        """Press a button and wait until the table has answered."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            button.click(timeout=LONG)
        self.page.wait_for_load_state("domcontentloaded")

    def now(self) -> Page:
        self.page.goto(f"{self.address}/now")
        return self.page

    def answer(self, key: str, button: str | None = None, **fields: str) -> None:
        """Answer a question through its form, whether it stands open or is folded away."""
        form = self.now().locator(f"form:has(input[name=key][value='{key}'])").first
        form.wait_for(state="attached", timeout=LONG)
        for folded in self.page.locator(f"details:has(input[name=key][value='{key}'])").all():
            folded.evaluate("(details) => { details.open = true; }")
        for name, value in fields.items():
            field = form.locator(f"[name='{name}']").first
            if field.evaluate("(element) => element.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        if button is None:
            self.press(form.locator("button:not([type=button])").first)
        else:
            self.press(form.locator(f"button[value='{button}']"))

    def set(self, fact: str, **fields: str) -> None:
        self.page.goto(f"{self.address}/fact/{fact}")
        form = self.page.locator("#sheet form").first
        for name, value in fields.items():
            form.locator(f"[name='{name}']").first.fill(value)
        self.press(form.locator("#set"))

    def value(self, fact: str) -> str:
        self.page.goto(f"{self.address}/fact/{fact}")
        title = self.page.locator("#sheet h2").inner_text()
        return title.rpartition(": ")[2]

    def story(self) -> str:
        """Return what the story tells, newest first."""
        self.page.goto(f"{self.address}/story")
        return self.page.locator(".story").inner_text()

    def shot(self, name: str) -> None:
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=str(SCREENSHOTS / f"{name}.png"), full_page=True)


def panel(phone: Phone, **fields: str) -> None:
    """Play the physical table on the demo's panel."""
    phone.page.goto(f"{phone.address}/demo")
    if "dice" in fields:
        phone.page.fill("#dice", fields["dice"])
        if fields.get("doubtful"):
            phone.page.check("#doubtful")
        phone.press(phone.page.locator("#throw"))
    if "card" in fields:
        phone.page.select_option("#title", fields["card"])
        phone.press(phone.page.locator("#tap"))


def take_throw(phone: Phone) -> None:
    """Take the throw by tap once it is read, unless the grace time was quicker."""
    for _ in range(LONG // 250):
        page = phone.now()
        ready = page.locator("button[id^=take-]")
        if ready.count():
            phone.press(ready.first)
            return
        doubt = page.locator(".doubt button[name=face]")
        if doubt.count():  # a person looks at the picture; here the likeliest face is right
            phone.press(doubt.first)
            return
        if not page.locator("section[id^=throw-], #q-battle-roll, #q-saga-roll").count():
            return
        page.wait_for_timeout(250)
    pytest.fail("the throw was never ready to be taken")


def test_a_short_evening(browser: Browser, demo: tuple[Demo, str]) -> None:
    _, address = demo
    host = browser.new_context(viewport=PHONE, locale="en-GB").new_page()
    host.goto(f"{address}/setup")
    host.click("#begin")
    eirik = Phone(browser, address, "harald", "Signe")
    gudrun = Phone(browser, address, "gudrun", "Jonas")
    eirik.answer("setup.draft")
    eirik.set("harald.ship.at", **{"value.written": "sea_lindisfarne_jorvik"})
    eirik.answer("turn.draw")

    eirik.answer("harald.ship.move", value="lindisfarne")
    eirik.answer("harald.ship.act", button="attack:lindisfarne")
    eirik.answer("battle.commit", ship="4")
    eirik.shot("phone-battle")

    panel(eirik, dice="B MMM W H", doubtful="yes")
    page = eirik.now()
    doubtful = page.locator(".ask-die").first
    doubtful.wait_for(timeout=LONG)
    eirik.shot("phone-doubtful-die")
    eirik.press(page.locator(".doubt button[name=face][value=helmet]").first)
    finish_losses(eirik)
    assert eirik.value("harald.ship.v") == "3"

    panel(eirik, dice="B HMM W M")
    take_throw(eirik)
    finish_losses(eirik)
    assert eirik.value("harald.silver") == "4"  # 1 from the set-up and 3 survivors
    assert eirik.value("harald.ship.v") == "3"
    eirik.shot("phone-silver-trail")

    panel(eirik, card="holmgang")
    eirik.answer("saga.target", button="gudrun")
    panel(eirik, dice="R H")
    take_throw(eirik)
    assert gudrun.value("gudrun.ship.v") == "2", eirik.story()

    eirik.set("harald.vp", value="3")
    eirik.answer("turn.end")
    gudrun.answer("turn.draw")
    eirik.set("harald.hand", value="1")
    panel(gudrun, card="odins_wrath")
    gudrun.answer("saga.target", button="harald")
    assert not gudrun.now().locator("input[value='harald.cancel']").count()
    panel(eirik, card="frigg")
    eirik.page.goto(f"{address}/story")
    expect(eirik.page.locator(".story")).to_contain_text("Frigg", timeout=LONG)
    assert eirik.value("harald.vp") == "3"
    assert gudrun.value("gudrun.hand") == "1"
    eirik.shot("phone-after-frigg")

    wall = browser.new_context(viewport=WALL).new_page()
    wall.goto(f"{address}/wall")
    SCREENSHOTS.mkdir(exist_ok=True)
    wall.screenshot(path=str(SCREENSHOTS / "wall.png"))
    for name in ("now", "board", "table", "story"):
        eirik.page.goto(f"{address}/{name}")
        eirik.shot(f"phone-{name}")

    for _ in range(60):
        undo = eirik.now().locator("form[action='/undo'] button")
        if not undo.count():
            break
        eirik.press(undo.first)
    assert eirik.value("harald.silver") == "1"
    assert eirik.now().locator("input[value='setup.draft']").count()
    assert eirik.violations == []
    assert gudrun.violations == []


def finish_losses(phone: Phone) -> None:
    """Where Tyr could still be played the losses wait; go on."""
    page = phone.now()
    page.wait_for_timeout(300)
    waiting = page.locator("form[action='/go-on']:has(input[value='battle.losses']) button")
    if waiting.count():
        phone.press(waiting.first)


def test_pulled_plugs_are_seen_and_the_game_goes_on_by_hand(
    browser: Browser, demo: tuple[Demo, str]
) -> None:
    _, address = demo
    host = browser.new_context(viewport=PHONE, locale="en-GB").new_page()
    host.goto(f"{address}/setup")
    host.click("#begin")
    phone = Phone(browser, address, "harald", "Signe")
    for device in ("tray_camera", "card_reader", "tray_controller"):
        phone.page.goto(f"{address}/demo")
        phone.page.click(f"form:has(input[value={device}]) button[value=unplug]")
    for device in ("tray_camera", "card_reader", "tray_controller"):
        phone.page.goto(f"{address}/table")
        line = phone.page.locator(f"#device-{device}")
        expect(line).to_contain_text(re.compile("gone|waiting"), timeout=LONG)
    phone.shot("phone-devices-gone")
    phone.answer("setup.draft")
    phone.answer("turn.draw")
    for device in ("card_reader", "tray_camera", "tray_controller"):
        phone.page.goto(f"{address}/demo")
        phone.page.click(f"form:has(input[value={device}]) button[value=plug]")
    for device in ("tray_camera", "card_reader", "tray_controller"):
        phone.page.goto(f"{address}/table")
        expect(phone.page.locator(f"#device-{device}")).to_contain_text("Awake", timeout=LONG)
