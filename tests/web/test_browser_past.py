"""The past put right on a phone: a die amended, a Saga struck out, the three ways, undone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.terms import Cards, Dice, Die, Done
from tests.web.playing import Played
from tests.web.test_browser import SIDEWAYS, sit

pytestmark = pytest.mark.browser
ROLL, SAGA, END = 12, 13, 14
"""The steps of this evening: the battle's roll, Freyja, and the end of Gudrun's turn."""


@pytest.fixture
def won(played: Played) -> Played:
    """Gudrun took Jorvik at once, played Freyja for 2 Vikings at home, and ended her turn."""
    played.attack()
    black = [Die("black", face) for face in ("helmet", "helmet", "shield")]
    white = [Die("white", "shield")] * 2
    played.say("battle.roll", Dice((*black, *white)), "gudrun")
    played.say("gudrun.saga", Cards(("freyja",)), "gudrun")
    played.say("turn.end", Done(), "gudrun")
    return played


def open_step(page: Page, number: int) -> None:
    page.goto("/story")
    page.locator(f"#step-{number} a[data-sheet]").click()
    page.locator("#over #put-right").click()
    expect(page.locator("#past-h")).to_have_text(f"Put step {number} right")


def one_die_was_a_shield(page: Page) -> None:
    """Say that the second black die showed a shield: only one defender fell."""
    open_step(page, ROLL)
    die = page.locator("#amend .by-hand-die").nth(1)
    expect(die.locator("input[value=helmet]")).to_be_checked()
    die.locator("label", has_text="Shield").click()
    page.locator("#amend button").last.click()
    expect(page.locator("#stop")).to_contain_text(f"Step {END} no longer fits")


def keep_picture(page: Page, name: str) -> None:
    """Keep a screenshot where somebody wants to look at it."""
    if folder := os.environ.get("COMPANION_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
    assert page.evaluate(SIDEWAYS) <= 0


def test_a_saga_in_the_middle_never_happened_and_undo_brings_it_back(
    won: Played, visit: Callable[..., Page]
) -> None:
    page = sit(visit())
    assert (won.fact("gudrun.kaupang.v"), won.fact("gudrun.hand")) == (2, 1)
    open_step(page, SAGA)
    keep_picture(page, "past-saga")
    page.locator("#strike-out").click()
    expect(page.locator("#forward")).to_contain_text("2 → 0")
    assert won.fact("gudrun.kaupang.v") == 2  # nothing is changed yet
    keep_picture(page, "past-strike")
    page.locator("#do").click()
    expect(page.locator(f"#step-{SAGA}")).to_contain_text("struck out")
    assert (won.fact("gudrun.kaupang.v"), won.fact("gudrun.hand")) == (0, 2)
    expect(page.locator(f"#step-{END}")).not_to_contain_text("struck out")  # the later step stands
    keep_picture(page, "past-story")
    page.locator("#undo").click()
    expect(page.locator(f"#step-{SAGA}")).not_to_contain_text("struck out")
    assert (won.fact("gudrun.kaupang.v"), won.fact("gudrun.hand")) == (2, 1)


def test_an_amended_die_offers_three_ways_and_each_is_undone(
    won: Played, visit: Callable[..., Page]
) -> None:
    page = sit(visit())
    score = won.fact("gudrun.vp")

    one_die_was_a_shield(page)
    keep_picture(page, "past-three-ways")
    expect(page.locator("#way-missing")).to_contain_text("Say what happened instead")
    page.locator("#missing-offers summary").click()
    for jarl in ("gudrun", "eirik"):  # both may play a Saga: the offer says whose
        saga = page.locator(f"#missing-{jarl}-saga p").first
        expect(saga).to_contain_text(f"Play a Saga {jarl.title()}")
    page.locator("#way-keep #keep").click()
    expect(page.locator(f"#step-{END}")).to_contain_text("kept as it happened")
    expect(page.locator(f"#step-{ROLL}")).to_contain_text("amended")
    assert won.fact("gudrun.vp") != score  # Jorvik did not fall
    keep_picture(page, "past-kept")
    page.locator("#undo").click()
    expect(page.locator(f"#step-{ROLL}")).not_to_contain_text("amended")
    assert won.fact("gudrun.vp") == score

    one_die_was_a_shield(page)
    page.locator("#way-back #go-back").click()
    expect(page.locator(f"#step-{END}")).to_contain_text("struck out")
    page.goto("/now")
    expect(page.locator("#q-battle-roll")).to_be_visible()  # the battle goes on
    page.goto("/story")
    page.locator("#undo").click()
    expect(page.locator(f"#step-{END}")).not_to_contain_text("struck out")
    assert won.fact("gudrun.vp") == score

    one_die_was_a_shield(page)
    page.locator("#missing-battle-losses button").click()  # nobody plays Tyr
    missing = page.locator("#missing-battle-roll")
    expect(missing).to_be_visible()
    for die in missing.locator(".by-hand-die").all():
        die.locator("label", has_text="Helmet").click()
    missing.locator("button").last.click()
    expect(page.locator("#forward")).to_be_visible()
    keep_picture(page, "past-missing")
    page.locator("#do").click()
    expect(page.locator(f"#step-{ROLL}")).to_contain_text("amended")
    expect(page.locator(f"#step-{END}")).not_to_contain_text("kept")
    assert won.fact("gudrun.vp") == score  # the second round took it after all
    page.locator("#undo").click()
    expect(page.locator(f"#step-{ROLL}")).not_to_contain_text("amended")
    assert won.fact("gudrun.vp") == score


def test_without_script_the_past_is_put_right_as_well(
    won: Played, visit: Callable[..., Page]
) -> None:
    page = sit(visit(java_script_enabled=False))
    page.goto(f"/again/{SAGA}")
    page.locator("#strike-out").click()
    page.locator("#do").click()
    page.wait_for_url("**/story?told=put_right")
    assert won.fact("gudrun.kaupang.v") == 0
