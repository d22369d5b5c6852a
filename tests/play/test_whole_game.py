"""A whole game of two seats on two phones, with dice in the tray and Sagas on the reader."""

from __future__ import annotations

import time
import pytest
from playwright.sync_api import Browser

from companion.demo import Demo
from tests.play.panel import Panel
from tests.play.phones import LONG, PHONE, WALL, Looker, Phone, expect
from tests.play.whole_game import GAME, Chapter, Deed, Says, Taps, Throws, Undoes

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Evening:
    def __init__(self, browser: Browser, address: str) -> None:
        self.host = Looker(browser, address, PHONE)
        self.host.open("/setup")
        self.host.page.locator("input[name='ship.2']").fill("3")
        self.host.press(self.host.page.locator("#begin"))
        self.phones = {
            "harald": Phone(browser, address, "harald", "Signe"),
            "gudrun": Phone(browser, address, "gudrun", "Jonas", locale="de-DE"),
        }
        self.wall = Looker(browser, address, WALL)
        self.wall.open("/wall")
        self.panel = Panel(browser, address)

    def do(self, deed: Deed) -> None:
        phone = self.phones[deed.seat]
        match deed:
            case Says(_, key, value) if key.startswith("fact:"):
                phone.correct(key.removeprefix("fact:"), value)
            case Says(_, key, value):
                phone.answer(key, value)
            case Throws(_, dice):
                self.panel.throw(dice)
                phone.take_throw()
            case Taps(_, card):
                hands = int(phone.go("now").locator(f"#fact-{phone.seat}-hand .v").inner_text())
                self.panel.tap(card)
                expect(phone.page.locator(f"#fact-{phone.seat}-hand .v")).to_have_text(str(hands - 1))
            case Undoes(_, steps):
                for _ in range(steps):
                    phone.undo()


def test_two_phones_play_a_whole_game(browser: Browser, demo: tuple[Demo, str]) -> None:
    _, address = demo
    t0=time.monotonic()
    evening = Evening(browser, address)
    for chapter in GAME:
        print(chapter.name, time.monotonic()-t0)
        for deed in chapter.deeds:
            t=time.monotonic()
            evening.do(deed)
            print("   ", deed, round(time.monotonic()-t,2))
    print(time.monotonic()-t0)
    print("\n".join(evening.phones["harald"].whole_story()))
