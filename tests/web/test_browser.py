"""The pages in a real browser: phone and big screen, with and without script, in both themes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, FloatRect, Page, expect

from companion.terms import Number, Placed
from companion.words import Words
from tests.conftest import CHROMIUM_ARGS, chromium_path
from tests.web.playing import SEATS, TOKEN, Played
from web import create_app
from web.serve import Server

pytestmark = pytest.mark.browser
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
PAGES = (
    "/now",
    "/board",
    "/board?pick=ship:iron",
    "/numbers",
    "/numbers?all",
    "/table",
    "/rules",
    "/story",
    "/seats",
    "/setup",
    "/fact/gudrun.vp",
    "/fact/gudrun.hand.titles",
    "/fact/gudrun.ship.at",
    "/step/3",
)
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
TARGETS = (
    "button, .btn, .num, .cell, .tabs a, summary, select, label.face, label.tickbox,"
    " label.seat-row, input:not([type=hidden]):not(.off):not([type=checkbox]):not([type=radio])"
)
SMALL_TARGETS = """targets => [...document.querySelectorAll(targets)]
    .filter(e => e.checkVisibility())
    .map(e => [e.outerHTML.slice(0, 90), e.getBoundingClientRect()])
    .filter(([_, r]) => r.width < 43.5 || r.height < 43.5)
    .map(([html, r]) => `${html} ${r.width} x ${r.height}`)"""


def named(path: str) -> str:
    return path.strip("/").translate(str.maketrans("/?:", "---"))


def sit(page: Page, seat: str = "gudrun", person: str = "Signe") -> Page:
    page.locator(f"#seat-{seat}").click()
    page.fill("#person", person)
    page.click("#sit")
    page.wait_for_url("**/now")
    return page


def test_a_phone_takes_a_seat_and_plays(played: Played, visit: Callable[..., Page]) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    page = sit(visit())
    expect(page.locator("#seatbar")).to_contain_text("Signe · red axe")
    page.get_by_role("button", name="Helmet Round 1").click()
    expect(page.locator(".throw")).to_have_count(0)
    page.get_by_role("link", name="Story").click()
    expect(page.locator(".story")).to_contain_text("die set by hand")


def test_without_script_everything_goes_by_forms(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    page = sit(visit(java_script_enabled=False))
    page.get_by_role("button", name="Helmet Round 1").click()
    page.get_by_role("link", name="Table", exact=True).click()
    page.locator("#fact-gudrun-silver").click()
    page.locator("#in-value").fill("3")
    page.locator("#set").click()
    assert played.fact("gudrun.silver") == 3
    page.locator("#undo").click()
    assert played.fact("gudrun.silver") == 7


def test_another_phones_change_arrives_by_itself(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("7")
    played.say("fact:gudrun.silver", Number(3))
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")
    wall = visit("/wall", 1920, 1080)
    expect(wall.locator("#wall-gudrun .vp")).to_have_text("6")
    played.say("fact:gudrun.vp", Number(9))
    expect(wall.locator("#wall-gudrun .vp")).to_have_text("9")


def test_what_is_typed_and_open_stays_while_the_page_is_renewed(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    move = page.locator("#q-gudrun-ship-move")
    move.locator("summary").click()
    place = move.locator("input[name='value.written']")
    place.click()
    place.press_sequentially("sea b")
    played.say("fact:gudrun.silver", Number(3))
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")
    expect(place).to_have_value("sea b")
    expect(place).to_be_focused()
    expect(move).to_have_attribute("open", "")


def test_a_number_opens_its_sheet_over_the_page(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    page.locator("#fact-gudrun-silver").click()
    expect(page.locator("#over h2")).to_contain_text("Silver: 7")
    played.say("fact:eirik.silver", Number(4))
    expect(page.locator("#over h2")).to_be_visible()
    page.locator("#over [data-step='1']").click()
    page.locator("#over [data-step='1']").click()
    page.locator("#over #set").click()
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("9")
    expect(page.locator("#over h2")).to_have_count(0)
    assert page.url.endswith("/now?told=set")
    page.locator("#fact-gudrun-silver").click()
    expect(page.locator("#over h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#over h2")).to_have_count(0)
    expect(page.locator("#fact-gudrun-silver")).to_be_focused()


def test_a_note_goes_when_the_table_goes_on(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    page.goto("/now?told=aside")
    expect(page.locator("#note")).to_contain_text("Put aside.")
    played.tap("04aabbccddee00")
    expect(page.locator("form[action='/card']").first).to_be_visible()
    expect(page.locator("#note")).to_have_count(0, timeout=15_000)  # it may be read first
    page.reload()
    expect(page.locator("#note")).to_have_count(0)


def test_a_form_tells_where_it_leads_while_it_is_filled(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    page.locator("#q-gudrun-transfer summary").click()
    form = page.locator("#q-gudrun-transfer form")
    form.locator("select[name=to]").select_option("kaupang")
    expect(form.locator(".lead")).to_contain_text("1 Viking")
    for _ in range(4):
        form.locator("[data-step='1']").click()
    expect(form.locator(".lead-against")).to_be_visible()


def test_an_objection_stays_until_it_is_decided(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    page.locator("#q-gudrun-transfer summary").click()
    form = page.locator("#q-gudrun-transfer form")
    form.locator("select[name=to]").select_option("kaupang")
    form.locator("input[name=number]").fill("9")
    form.locator("button:not([type])").click()
    expect(page.locator("#objection")).to_be_visible()
    assert page.url.endswith("/now")
    played.say("fact:eirik.silver", Number(4))
    page.wait_for_timeout(300)
    expect(page.locator("#objection")).to_be_visible()
    page.locator("#anyway").click()
    expect(page.locator("#objection")).to_have_count(0)
    assert played.fact("gudrun.kaupang.v") == 3


def test_any_touch_stops_the_shortening_line(played: Played, visit: Callable[..., Page]) -> None:
    played.attack()
    page = sit(visit())
    played.throw("B HMM W MM", now=1e9)
    expect(page.locator(".grace-line")).to_be_visible()
    page.locator("h2").first.click()
    expect(page.locator(".grace-line")).to_have_count(0)
    assert played.table.look(None).proposals[0].grace_until is None


def test_the_lost_link_is_told_and_untold_by_itself(
    played: Played, app: Flask, visit: Callable[..., Page]
) -> None:
    played.turn()
    server = Server(app, "127.0.0.1", 0)
    server.start()
    page = sit(visit(f"http://127.0.0.1:{server.port}/seats"))
    server.stop()
    banner = page.get_by_text("No link to the table. Trying again.")
    expect(banner).to_be_visible()
    expect(page.locator(".as-of")).to_be_visible()
    app.extensions["ending_streams"].clear()
    again = Server(app, "127.0.0.1", server.port)
    again.start()
    played.say("fact:gudrun.silver", Number(2))
    expect(banner).to_be_hidden()
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("2")
    again.stop()
    visit.complaints[:] = [  # type: ignore[attr-defined]
        told
        for told in visit.complaints  # type: ignore[attr-defined]
        if "net::ERR" not in told and "Failed to fetch" not in told
    ]


def test_a_phone_that_slept_catches_up(played: Played, visit: Callable[..., Page]) -> None:
    played.turn()
    page = sit(visit())
    page.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => window.seen})")
    page.evaluate("window.seen = 'hidden'; document.dispatchEvent(new Event('visibilitychange'))")
    played.say("fact:gudrun.silver", Number(2))
    page.wait_for_timeout(400)
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("7")
    page.evaluate("window.seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("2")
    expect(page.locator("html.stale")).to_have_count(0)


@pytest.mark.parametrize(("wide", "locale"), [(320, "en"), (390, "en"), (320, "de")])
def test_no_page_scrolls_sideways_and_targets_are_large(
    played: Played, visit: Callable[..., Page], wide: int, locale: str
) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    played.devices()
    page = sit(visit(wide=wide, locale=locale))
    for path in PAGES:
        page.goto(path)
        assert page.evaluate(SIDEWAYS) <= 0, path
        assert page.evaluate(SMALL_TARGETS, TARGETS) == [], path


def test_twice_as_large_text_still_fits(
    played: Played, browser: Browser, served: str, tmp_path: Path
) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    played.devices()
    settings = tmp_path / "Default" / "Preferences"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"webkit": {"webprefs": {"default_font_size": 32}}}))
    context = browser.browser_type.launch_persistent_context(
        str(tmp_path),
        executable_path=chromium_path(),
        args=CHROMIUM_ARGS,
        viewport={"width": 390, "height": 844},
        base_url=served,
    )
    page = context.new_page()
    page.goto("/seats")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    sit(page)
    SCREENSHOTS.mkdir(exist_ok=True)
    for at in PAGES:
        page.goto(at)
        assert page.evaluate(SIDEWAYS) <= 0, at
        page.screenshot(path=SCREENSHOTS / f"large-{named(at)}.png", full_page=True)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_every_page(played: Played, visit: Callable[..., Page], theme: str) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    played.devices()
    SCREENSHOTS.mkdir(exist_ok=True)
    page = sit(visit(color_scheme=theme))
    for path in PAGES:
        page.goto(path)
        page.screenshot(path=SCREENSHOTS / f"phone-{named(path)}-{theme}.png", full_page=True)
    wall = visit("/wall", 1920, 1080, color_scheme=theme)
    wall.screenshot(path=SCREENSHOTS / f"wall-{theme}.png")
    assert wall.evaluate(SIDEWAYS) <= 0
    assert wall.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    crops = wall.locator(".wdice img")
    assert crops.count() == 5
    loaded = crops.evaluate_all("all => all.every(e => e.complete && e.naturalWidth > 0)")
    assert loaded


def test_the_big_screen_is_only_for_looking(played: Played, visit: Callable[..., Page]) -> None:
    played.attack()
    wall = visit("/wall", 1920, 1080)
    assert wall.locator("form, button, input, a").count() == 0
    expect(wall.locator("#map-ship-gudrun")).to_be_visible()
    expect(wall.locator("#stone-harald")).to_be_visible()


@pytest.mark.parametrize("at_home", [1, 2, 3])
def test_a_ship_off_lindisfarne_is_seen_beside_ships_off_kaupang(
    played: Played, visit: Callable[..., Page], at_home: int
) -> None:
    played.turn()
    for seat in ("eirik", "harald", "brage"):
        home = seat in ("eirik", "harald", "brage")[:at_home]
        played.say(f"fact:{seat}.ship.at", Placed("kaupang" if home else "cork"))
    played.say("fact:gudrun.ship.at", Placed("lindisfarne"))
    wall = visit("/wall", 1920, 1080)
    there = wall.locator("#map-ship-gudrun").bounding_box()
    sign = wall.locator("#map-ship-gudrun .ship-sign").bounding_box()
    name = wall.get_by_text("Lindisfarne", exact=True).first.bounding_box()
    assert there
    assert sign
    assert name
    for seat in ("eirik", "harald", "brage")[:at_home]:
        ship = wall.locator(f"#map-ship-{seat}").bounding_box()
        other = wall.locator(f"#map-ship-{seat} .ship-sign").bounding_box()
        assert ship
        assert other
        assert not overlap(ship, sign), seat
        assert not overlap(there, other), seat
        assert not overlap(ship, name), seat


@pytest.mark.parametrize("name", ["langhus.local", "raspberrypi.local", "192.168.178.201"])
@pytest.mark.parametrize(("wide", "high"), [(1920, 1080), (1280, 720)])
def test_the_address_to_type_stands_in_one_line(
    tmp_path: Path, browser: Browser, name: str, wide: int, high: int
) -> None:
    played = Played(tmp_path)
    played.table.start("vikingjarl", SEATS, {"first": "gudrun"})
    names = ("langhus", "raspberrypi")
    server = Server(
        create_app(played.table, Words.load(), token=TOKEN, names=names), "127.0.0.1", 0
    )
    server.start()
    launched = browser.browser_type.launch(
        executable_path=chromium_path(),
        args=[*CHROMIUM_ARGS, f"--host-resolver-rules=MAP {name} 127.0.0.1"],
    )
    page = launched.new_page(viewport={"width": wide, "height": high})
    page.goto(f"http://{name}:{server.port}/wall")
    address = page.locator(".addr")
    expect(address).to_have_text(f"{name}:{server.port}")
    written, room = address.locator("text").bounding_box(), page.locator(".jo-qr").bounding_box()
    launched.close()
    server.stop()
    played.store.close()
    assert written
    assert room
    assert written["x"] + written["width"] <= room["x"] + room["width"]


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )
