"""The scorekeeper's level: plus and minus on every number, dice and cards to look at, no flow."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.table import Table
from companion.terms import CardReading
from tests.web.playing import SEATS, Played
from tests.web.test_browser import SIDEWAYS, SMALL_TARGETS, TARGETS, sit

pytestmark = pytest.mark.browser
FRIGG = "04667269676700"


def everything(table: Table) -> list[object]:
    """Return what every seat and the big screen see, and what is asked."""
    looks = [table.look(seat) for seat in (None, *(seat.id for seat in SEATS))]
    return [(look.facts_by_key, [q.key for q in look.questions]) for look in looks]


def level(page: Page, name: str) -> None:
    page.goto("/table")
    page.locator(f"button[name=level][value={name}]").click()
    expect(page.locator(f"button[name=level][value={name}]")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_switching_in_the_middle_of_a_battle_keeps_everything(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.attack()
    before = everything(played.table)
    page = sit(visit())
    expect(page.locator("#q-battle-roll")).to_be_visible()
    level(page, "scorekeeper")
    page.click("#tab-now")
    expect(page.locator("#keeping")).to_be_visible()
    expect(page.locator(".q, .quiet-q, #offers")).to_have_count(0)
    assert everything(played.table) == before

    level(page, "guide")
    page.click("#tab-now")
    expect(page.locator("#q-battle-roll")).to_be_visible()
    assert everything(played.table) == before


def test_what_was_counted_by_hand_stays_when_the_guide_asks_again(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    level(page, "scorekeeper")
    page.click("#tab-board")
    for fact, one_more in (("gudrun-vp", "7"), ("gudrun-silver", "8"), ("gudrun-ship-v", "4")):
        page.locator(f"#more-{fact}").click()
        expect(page.locator(f"#row-{fact} output")).to_have_text(one_more)
    level(page, "guide")
    page.click("#tab-now")
    expect(page.locator("#fact-gudrun-vp .v")).to_have_text("7")
    expect(page.locator("#fact-gudrun-vp")).to_have_class("num num-big fixed")
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("8")
    assert played.fact("gudrun.ship.v") == 4
    expect(page.locator("#q-turn-end")).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_every_number_has_plus_and_minus(
    played: Played, visit: Callable[..., Page], locale: str
) -> None:
    played.turn()
    played.table.set_scorekeeper(True)
    page = sit(visit(locale=locale))
    page.click("#tab-board")
    page.locator("a[href='/numbers?all']").click()
    for store in ("ship", "army", "kaupang"):
        for kind in ("v", "wood", "iron", "mead"):
            expect(page.locator(f"#less-gudrun-{store}-{kind}")).to_be_visible()
            expect(page.locator(f"#more-gudrun-{store}-{kind}")).to_be_visible()
    text = page.locator("main").inner_text()
    assert ("Vikings on the Ship" if locale == "en" else "Wikinger auf dem Schiff") in text
    assert ("4 of 4 spaces full" if locale == "en" else "4 von 4 Plätzen voll") in text
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(SMALL_TARGETS, TARGETS) == []


def test_dice_are_only_shown_and_counted(played: Played, visit: Callable[..., Page]) -> None:
    played.attack()
    before = everything(played.table)
    page = sit(visit())
    wall = visit("/wall", 1920, 1080)
    level(page, "scorekeeper")
    page.click("#tab-board")
    played.throw("B HMH W MM", now=0.0)
    expect(page.locator(".throw .die")).to_have_count(5)
    expect(page.locator(".q")).to_contain_text("Black: 2 of 3 hit")
    expect(page.locator(".q")).to_contain_text("White: 0 of 2 hit")
    expect(page.locator("button[id^=take-]")).to_have_count(0)
    expect(wall.locator(".wnow")).to_contain_text("Black: 2 of 3 hit")
    played.table.tick(60.0)
    assert everything(played.table) == before
    page.get_by_role("button", name="Put aside").click()
    expect(page.locator(".throw")).to_have_count(0)


def test_a_throw_that_waited_is_not_taken_by_itself_any_more(played: Played) -> None:
    played.attack()
    before = everything(played.table)
    played.throw("B HMH W MM", now=0.0)
    played.table.set_scorekeeper(True)
    played.table.tick(60.0)
    assert everything(played.table) == before
    played.table.set_scorekeeper(False)
    assert played.table.look().proposals[0].complete


def test_a_tapped_card_asks_only_whose_it_was(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    level(page, "scorekeeper")
    played.store.remember("tags", "vikingjarl", FRIGG, "holmgang")
    played.table.read(CardReading("card_reader", FRIGG, "arrived", 0.0))
    page.click("#tab-board")
    expect(page.locator("section[id^=card-]")).to_contain_text("Holmgang")
    assert played.fact("gudrun.hand") == 2
    page.locator("section[id^=card-]").get_by_role("button", name="Eirik").click()
    expect(page.locator("section[id^=card-]")).to_have_count(0)
    assert played.fact("eirik.hand") == 0
    assert played.fact("discard.count") == 1
    page.locator("#play summary").click()
    page.locator("#play select").select_option("barbarians")
    page.locator("#play button").click()
    expect(page.locator("#row-gudrun-hand output")).to_have_text("1")
    level(page, "guide")
    page.click("#tab-now")
    expect(page.locator("#q-saga-target")).to_have_count(0)
    expect(page.locator("#q-turn-end")).to_be_visible()


def test_the_scorekeeper_says_whose_turn_it_is(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    level(page, "scorekeeper")
    page.click("#tab-board")
    page.locator("#whose-turn").get_by_role("button", name="Harald").click()
    expect(page.locator("#turnline")).to_contain_text("Harald's turn")
    assert played.fact("turn.jarl") == "harald"


def test_a_game_may_begin_with_the_scorekeeper(visit: Callable[..., Page]) -> None:
    page = visit("/setup")
    page.locator("label:has(input[name=level][value=scorekeeper])").click()
    page.click("#begin")
    sit(page)
    expect(page.locator("#keeping")).to_be_visible()
