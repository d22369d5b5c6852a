"""A whole game of two seats on two phones, with dice in the tray and Sagas on the reader.

One phone speaks English, the other German. `--pictures FOLDER` keeps what they and the big screen
show at the moments that matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.demo import Demo
from tests.play.panel import Panel
from tests.play.phones import PHONE, WALL, Looker, Phone, expect
from tests.play.whole_game import (
    GAME,
    SEATS,
    Chapter,
    Deed,
    Looks,
    Says,
    Takes,
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
                asked = self.phones[seat].asked("battle.roll").inner_text()
                self.panel.throw(dice)
                self.phones[seat].take_throw(asked)
            case Takes(seat, _):
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
def evening(browser: Browser, demo: tuple[Demo, str], pictures: Path | None) -> Iterator[Evening]:
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
    german = evening.gudrun.whole_story()
    assert len(german) == len(story)
    assert not [line for line in german if "Nichts, was erzählt wird" in line]
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


def nobody_else_sees_the_hand(evening: Evening) -> None:
    """Harald told his own phone what he holds; nothing that others can load knows it."""
    board = evening.harald.go("board").locator("#mine")
    expect(board).to_contain_text("Freya (Freyr), Shield Wall")
    titles = {"freyr", "shield_wall", "Freya (Freyr)", "Shield Wall", "Schildwall"}
    pages = ["now", "board", "table", "story", "numbers?all", "wall", "fact/harald.hand"]
    newest = evening.harald.go("story").locator(".step").first.get_attribute("id")
    last = int(str(newest).removeprefix("step-"))
    steps = [f"step/{number}" for number in range(last - 9, last + 1)]
    for looker in (evening.gudrun, evening.wall):
        for path in (*pages, *steps):
            loaded = looker.load(path)
            assert loaded.ok, path
            text = re.sub(r"<select.*?</select>", "", loaded.text(), flags=re.DOTALL)
            assert not [title for title in titles if title in text], path
        shown = {fact["key"] for fact in looker.load("api/state").json()["facts"]}
        assert "harald.hand" in shown
        assert "harald.hand.titles" not in shown
        assert looker.load("fact/harald.hand.titles").status == 404
        assert looker.load("api/state?seat=harald").status == 403


def the_hand_knows_what_was_played(evening: Evening) -> None:
    expect(evening.harald.go("board").locator("#mine")).to_contain_text("none told")


def the_wall_shows_a_hall(evening: Evening) -> None:
    expect(evening.wall.page.locator(".hallmark.seat-red use")).to_have_attribute(
        "href", re.compile("#hall$")
    )
    expect(evening.wall.page.locator("#map-ship-harald")).to_be_visible()


def the_wall_shows_it_broken(evening: Evening) -> None:
    expect(evening.wall.page.locator(".hallmark.seat-red use")).to_have_attribute(
        "href", re.compile("#broken$")
    )
    expect(evening.wall.page.locator("#wall-harald")).to_contain_text("damaged")
    expect(evening.wall.page.locator("#wall-gudrun")).to_contain_text("Kaupang 2 Vikings")


def everybody_sees_who_won(evening: Evening) -> None:
    expect(evening.wall.page.locator(".wnow")).to_contain_text("Harald came home and won")
    expect(evening.harald.go("now").locator("#result")).to_contain_text("Harald came home and won")
    expect(evening.gudrun.go("now").locator("#result")).to_contain_text("gewonnen: Harald")
    assert not evening.harald.page.locator("form[action='/answer']").count()


AFTERWARDS: dict[str, Callable[[Evening], None]] = {
    "Harald settles Hjaltland": the_wall_shows_a_hall,
    "Gudrun lies off Hjaltland and finds a coin": the_corrected_coin_shows_a_hand,
    "Harald beats Orkneyjar": nobody_else_sees_the_hand,
    "Hjaltland falls": the_wall_shows_it_broken,
    "Frigg answers Freyr": the_hand_knows_what_was_played,
    "Harald fights for Hjaltland and repairs it": the_wall_shows_a_hall,
    "Harald comes home": everybody_sees_who_won,
}
