"""Variants and house rules: chosen when a game is set up, changed later as a step of the story."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.playing import Played
from tests.web.test_browser import SIDEWAYS, sit

pytestmark = pytest.mark.browser
WORDS = {
    "en": ("Allied, 2 against 2", "White dice for 1 to 5 Jarl defenders"),
    "de": ("Verbündet, 2 gegen 2", "Weiße Würfel für 1 bis 5 Verteidiger"),
}


def set_up(page: Page, variant: str) -> None:
    """Four Jarls sit down to 12 points, with one house rule of their own."""
    for row, jarl in ((3, "eirik"), (4, "brage")):
        page.locator(f"select[name='jarl.{row}']").select_option(jarl)
    page.locator("input[name=target_vp]").fill("12")
    page.locator(f"label:has(input[name=variant][value={variant}])").click()
    page.locator("#house-rules summary").click()
    page.locator("select[name='switch.defence_dice']").select_option("cap2")
    page.click("#begin")
    page.wait_for_url("**/seats")


@pytest.mark.parametrize("locale", ["en", "de"])
def test_what_was_chosen_stands_in_the_house_rules(
    played: Played, visit: Callable[..., Page], locale: str
) -> None:
    page = visit("/setup", locale=locale)
    allied, dice = WORDS[locale]
    expect(page.locator("main")).to_contain_text(allied)
    set_up(page, "allied")
    sit(page)
    expect(page.locator("#seatbar")).to_contain_text(re.compile("(of|von) 12"))
    page.goto("/rules")
    expect(page.locator("#fact-switch-variant")).to_have_text(
        re.compile(allied.partition(",")[0], re.IGNORECASE)
    )
    expect(page.locator("#rules")).to_contain_text(dice)
    assert played.fact("switch.defence_dice") == "cap2"
    assert page.evaluate(SIDEWAYS) <= 0
    page.click("#fact-switch-variant")
    expect(page.locator("#over input[value=allied]")).to_be_checked()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_change_in_the_game_is_a_step_that_can_be_undone(
    played: Played, visit: Callable[..., Page], locale: str
) -> None:
    played.turn()
    page = sit(visit(locale=locale))
    page.goto("/rules")
    page.click("#fact-switch-variant")
    for variant in ("two_by_two", "player_turns"):
        page.locator(f"#over label:has(input[value={variant}])").click()
    page.locator("#over #set").click()
    expect(page.locator("#fact-switch-variant")).to_have_text(
        re.compile({"en": "two Jarls each", "de": "je zwei Jarls"}[locale])
    )
    assert played.fact("gudrun.hand") == 3  # red with black: one pooled hand
    page.click("#fact-switch-win_waiting_unit")
    page.locator("#over button[value=on]").click()
    expect(page.locator("#over h2")).to_have_count(0)
    page.click("#fact-switch-rounds")
    page.locator("#over #in-value").fill("7")
    page.locator("#over #set").click()
    expect(page.locator("#fact-switch-rounds")).to_have_text("7")

    page.goto("/story")
    newest = page.locator(".step").nth(0)
    expect(newest).to_contain_text({"en": "Rounds", "de": "Runden"}[locale])
    expect(newest).to_contain_text("10 → 7")
    expect(newest.locator(".step-n use")).to_have_attribute("href", re.compile("#s-hand$"))
    for _ in range(3):
        number = page.locator(".step").count()
        page.locator("#undo").click()
        expect(page.locator(".step")).to_have_count(number + 1)
    assert played.fact("switch.variant") == []
    assert played.fact("switch.win_waiting_unit") == "off"
    assert not played.fact("switch.rounds")
    assert played.fact("gudrun.hand") == 2
