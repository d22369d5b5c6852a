"""A whole game of two seats on two phones, with dice in the tray and Sagas on the reader.

One phone speaks English, the other German. `--pictures FOLDER` keeps what they and the big screen
show at the moments that matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.demo import Demo
from companion.words import Words
from tests.play.panel import Panel
from tests.play.phones import PHONE, WALL, Looker, Phone, expect
from tests.play.whole_game import (
    GAME,
    SEATS,
    Chapter,
    Deed,
    Looks,
    Says,
    Taps,
    Throws,
    Undoes,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]
H, G = "harald", "gudrun"


class Evening:
    """Two phones, the big screen, and the physical table on the demo's panel."""

    def __init__(self, browser: Browser, address: str, pictures: Path | None) -> None:
        self.pictures = pictures
        self.set_up(Looker(browser, address, PHONE))
        self.harald = Phone(browser, address, H, "Signe")
        self.gudrun = Phone(browser, address, G, "Jonas", locale="de-DE")
        self.phones = {H: self.harald, G: self.gudrun}
        self.wall = Looker(browser, address, WALL)
        self.wall.open("/wall")
        self.panel = Panel(browser, address)

    def set_up(self, host: Looker) -> None:
        """Harald begins; one of Gudrun's Vikings joins her Army."""
        page = host.open("/setup")
        host.look_over("setup", self.pictures)
        page.locator("input[name='person.1']").fill("Signe")
        page.locator("input[name='person.2']").fill("Jonas")
        page.locator("input[name='ship.2']").fill("3")
        host.press(page.locator("#begin"))

    def do(self, deed: Deed) -> None:
        match deed:
            case Says(seat, key, value) if key.startswith("fact:"):
                self.phones[seat].correct(key.removeprefix("fact:"), value)
            case Says(seat, key, value):
                self.phones[seat].answer(key, value)
            case Throws(seat, dice):
                self.panel.throw(dice)
                self.phones[seat].take_throw()
            case Taps(seat, card):
                hand = self.phones[seat].go("now").locator(f"#fact-{seat}-hand .v")
                held = int(hand.inner_text())
                self.panel.tap(card)
                expect(hand).to_have_text(str(held - 1))
            case Undoes(seat, steps):
                for _ in range(steps):
                    self.phones[seat].undo()
            case Looks(at, page):
                self.look(at, page)

    def look(self, at: str, page: str) -> None:
        for seat, phone in self.phones.items():
            phone.go(page)
            phone.look_over(f"{at}-{seat}", self.pictures)
        self.wall.catch_up()
        self.wall.look_over(f"{at}-wall", self.pictures)

    def wall_stands(self) -> tuple[tuple[int, ...], ...]:
        """Return victory points, silver and Sagas of each as the big screen shows them."""
        self.wall.catch_up()
        boards = [self.wall.page.locator(f"#wall-{s.id} .board-num p") for s in SEATS]
        return tuple(tuple(int(n) for n in board.all_inner_texts()) for board in boards)


@pytest.fixture
def evening(
    browser: Browser, demo: tuple[Demo, str], pictures: Path | None
) -> Iterator[Evening]:
    evening = Evening(browser, demo[1], pictures)
    yield evening
    for looker in (*evening.phones.values(), evening.wall, evening.panel):
        looker.context.close()


def test_two_phones_play_a_whole_game(evening: Evening) -> None:
    for chapter in GAME:
        for deed in chapter.deeds:
            evening.do(deed)
        assert evening.wall_stands() == chapter.stands, chapter.name
        if chapter.name in AFTERWARDS:
            AFTERWARDS[chapter.name](evening)
    story = evening.harald.whole_story()
    assert not [line for line in story if "Nothing changed" in line]
    tells_in_order(story, GAME)
    for looker in (*evening.phones.values(), evening.wall, evening.panel):
        assert looker.complaints == []


def tells_in_order(story: list[str], chapters: tuple[Chapter, ...]) -> None:
    """Each chapter's sentences stand in the story, one chapter after the other."""
    lines = iter(story)
    for chapter in chapters:
        for sentence in chapter.tells:
            assert any(sentence in line for line in lines), f"{chapter.name}: {sentence}"


# ------------------------------------------------------- what else is looked at after a chapter


def the_corrected_coin_shows_a_hand(evening: Evening) -> None:
    own = evening.gudrun.go("now").locator("#fact-gudrun-silver")
    expect(own).to_have_class(re.compile("fixed"))
    expect(own.locator("use")).to_have_attribute("href", re.compile("#s-hand$"))
    others = evening.harald.go("table").locator("#fact-gudrun-silver use")
    expect(others).to_have_attribute("href", re.compile("#s-hand$"))




AFTERWARDS = {
    "Gudrun lies off Hjaltland and finds a coin": the_corrected_coin_shows_a_hand,
}
