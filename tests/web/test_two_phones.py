"""Two phones at one table, in real browsers: at once, asleep, doubly tapped, in one seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.terms import Number
from tests.web.playing import Played
from tests.web.test_browser import sit

pytestmark = pytest.mark.browser


def open_number(page: Page, key: str) -> None:
    page.goto("/table")
    page.locator(f"#fact-{key.replace('.', '-')}").first.click()
    expect(page.locator("#over #set")).to_be_visible()


def set_number(page: Page, number: int) -> None:
    page.locator("#over #in-value").fill(str(number))
    page.locator("#over #set").click()
    expect(page.locator("#over #set")).to_have_count(0)


def steps_of(played: Played) -> int:
    return played.table.story(limit=1)[0].number


def test_of_two_who_change_one_number_the_second_is_told_and_nothing_is_lost(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    gudrun, harald = sit(visit()), sit(visit(), "harald", "Jonas")
    open_number(gudrun, "gudrun.silver")
    open_number(harald, "gudrun.silver")
    before = steps_of(played)
    set_number(gudrun, 3)
    set_number(harald, 9)
    expect(harald.locator("#note")).to_contain_text("moved on")
    expect(harald.locator("#fact-gudrun-silver .v").first).to_have_text("3")
    expect(gudrun.locator("#fact-gudrun-silver .v").first).to_have_text("3")
    assert (played.fact("gudrun.silver"), steps_of(played)) == (3, before + 1)


def test_two_who_change_different_numbers_both_count(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    gudrun, harald = sit(visit()), sit(visit(), "harald", "Jonas")
    open_number(gudrun, "gudrun.silver")
    open_number(harald, "harald.vp")
    set_number(gudrun, 3)
    set_number(harald, 4)
    for page in (gudrun, harald):
        expect(page.locator("#fact-gudrun-silver .v").first).to_have_text("3")
        expect(page.locator("#fact-harald-vp .v").first).to_have_text("4")


def test_a_double_tap_is_one_tap(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    page.goto("/numbers?all")
    before = steps_of(played)
    # both taps leave before the first answer is back, as from a nervous finger
    page.evaluate("""() => { const more = document.querySelector('#more-gudrun-silver');
        more.click(); more.click(); }""")
    expect(page.locator("#more-gudrun-silver")).to_have_attribute("value", "9")
    assert (played.fact("gudrun.silver"), steps_of(played)) == (8, before + 1)


def test_a_phone_without_link_shows_it_and_is_right_again_when_it_wakes(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    asleep, awake = sit(visit()), sit(visit(), "harald", "Jonas")
    expect(asleep.locator("#fact-gudrun-silver .v")).to_have_text("7")
    asleep.context.set_offline(True)
    open_number(awake, "gudrun.silver")
    set_number(awake, 2)
    played.say("fact:gudrun.vp", Number(9))
    expect(asleep.locator("#no-link")).to_be_visible()
    asleep.context.set_offline(False)
    expect(asleep.locator("#fact-gudrun-silver .v")).to_have_text("2")
    expect(asleep.locator("#seatbar")).to_contain_text("9")
    expect(asleep.locator("#no-link")).to_be_hidden()
    # what it does now is judged by what it sees now
    open_number(asleep, "gudrun.silver")
    set_number(asleep, 5)
    expect(awake.locator("#fact-gudrun-silver .v").first).to_have_text("5")
    visit.complaints.clear()  # type: ignore[attr-defined]  # of the link that was cut


def test_two_phones_hold_one_seat_and_both_speak_for_it(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.attack()
    first = sit(visit())
    second = sit(visit(), "gudrun", "Tom")
    expect(second.locator("#two-devices")).to_contain_text("Signe, Tom")
    played.throw("B HMM W MM", unsure=4)
    for page in (first, second):
        expect(page.locator(".throw")).to_be_visible()
    second.get_by_role("button", name="Helmet Round 1").click()
    for page in (first, second):
        expect(page.locator(".throw")).to_have_count(0)
    first.goto("/story")
    expect(first.locator(".story")).to_contain_text("Tom")


def test_a_seventh_tab_of_one_browser_still_opens_and_follows(
    played: Played, browser: Browser, served: str, visit: Callable[..., Page]
) -> None:
    """A browser keeps six connections to a server: streams must not use them all up."""
    played.turn()
    first = sit(visit())
    tabs = [first]
    for _ in range(7):
        tab = first.context.new_page()
        tab.set_default_timeout(15_000)
        tab.goto("/now")
        tabs.append(tab)
    played.say("fact:gudrun.silver", Number(3))
    for tab in tabs:
        expect(tab.locator("#fact-gudrun-silver .v")).to_have_text("3", timeout=15_000)
