"""Deck and hand sizes are open, hands are secret; whoever likes keeps the own hand on the phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.playing import Played
from tests.web.test_browser import SIDEWAYS, sit

pytestmark = pytest.mark.browser
TOLD = {"en": "Frigg, Shield Wall", "de": "Frigg, Schildwall"}
SIZES = {"gudrun": "2", "eirik": "1", "harald": "1", "brage": "1"}


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_person_tells_the_own_phone_what_the_hand_holds(
    played: Played, visit: Callable[..., Page], locale: str
) -> None:
    played.turn()
    own = sit(visit(locale=locale))
    other = sit(visit(locale=locale), "eirik", "Maike")
    own.click("#tab-board")
    own.locator("#mine a[href='/fact/gudrun.hand.titles']").click()
    for title in ("frigg", "shield_wall"):
        own.locator(f"#over label:has(input[value={title}])").click()
    own.locator("#over #set").click()
    expect(own.locator("#mine")).to_contain_text(TOLD[locale])
    assert own.evaluate(SIDEWAYS) <= 0

    other.goto("/story")
    expect(other.locator(".step").first).not_to_contain_text("Frigg")
    other.goto("/now")
    expect(other.locator("main")).not_to_contain_text(TOLD[locale])
    for path in ("/table", "/board", "/fact/gudrun.hand"):
        other.goto(path)
        expect(other.locator("main")).not_to_contain_text("Frigg")
    refused = other.request.get("/fact/gudrun.hand.titles")
    assert refused.status == 404


@pytest.mark.parametrize("locale", ["en", "de"])
def test_everybody_sees_how_many_cards_lie_where(
    played: Played, visit: Callable[..., Page], locale: str
) -> None:
    played.turn()
    page = sit(visit(locale=locale), "brage", "Tom")
    page.click("#tab-table")
    for seat, size in SIZES.items():
        expect(page.locator(f"#fact-{seat}-hand .v")).to_have_text(size)
    expect(page.locator("#fact-deck-count .v")).to_have_text("54")
    expect(page.locator("#fact-discard-count .v")).to_have_text("0")
    wall = visit("/wall", 1920, 1080)
    for seat, size in SIZES.items():
        expect(wall.locator(f"#wall-{seat} .held").last).to_have_text(size)


def test_a_card_that_is_played_leaves_the_told_hand(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    page.goto("/fact/gudrun.hand.titles")
    for title in ("freyja", "njord"):
        page.locator(f"label:has(input[value={title}])").click()
    page.locator("#set").click()
    page.wait_for_url("**/now*")
    page.locator("#q-gudrun-saga summary").click()
    page.locator("#q-gudrun-saga select").select_option("njord")
    page.locator("#q-gudrun-saga form button").click()
    expect(page.locator("#fact-gudrun-hand .v")).to_have_text("1")
    page.click("#tab-board")
    expect(page.locator("#mine")).to_contain_text("Known Sagas: Freyja")
    expect(page.locator("#mine")).not_to_contain_text("Njord")
