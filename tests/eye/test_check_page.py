"""Setting up camera and lamp: the page says in plain words what hinders, and is green otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.demo import Demo
from companion.devices.tray_camera import TrayCamera
from companion.eye import TrayCheck
from companion.words import LANGUAGES, Words
from tests.eye.conftest import findings, until
from vision.check import CODES

SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
LONG = 60_000  # milliseconds


@pytest.fixture
def check(demo: Demo, tmp_path: Path) -> TrayCheck:
    (camera,) = (d for d in demo.service.drivers if isinstance(d, TrayCamera))
    check = TrayCheck(camera, tmp_path / "state" / "camera.json")
    until(lambda: findings(check) == [])
    return check


def post(client: FlaskClient, path: str) -> int:
    page = client.get("/camera").get_data(as_text=True)
    mark = re.search(r'name="mark" value="(\w+)"', page)
    assert mark is not None
    return client.post(path, data={"mark": mark[1]}).status_code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_its_sentence_and_says_what_to_do(language: str) -> None:
    words = Words.load()
    for code in (*CODES, "hand"):
        assert words.has(f"check.{code}", language), code
        assert words.has(f"check.{code}.do", language), code


def test_a_missing_corner_is_told_by_its_place(demo: Demo, check: TrayCheck) -> None:
    demo.tray.cover_marker(3)
    until(lambda: findings(check) == ["check.corners_missing"])
    client = demo.service.app.test_client()
    page = client.get("/camera").get_data(as_text=True)
    assert "The camera sees only three corners. Missing: front left." in page
    page = client.get("/camera", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Die Kamera sieht nur drei Ecken. Es fehlt: vorn links." in page
    demo.tray.uncover_markers()
    until(lambda: findings(check) == [])


def test_a_hand_over_the_tray_is_told(demo: Demo, check: TrayCheck) -> None:
    until(lambda: findings(check) == [])
    demo.tray.hand_in()
    until(lambda: "check.hand" in (findings(check) or []))
    page = demo.service.app.test_client().get("/camera").get_data(as_text=True)
    assert "A hand or something else is over the tray." in page
    assert 'id="well"' not in page
    demo.tray.hand_out()
    until(lambda: findings(check) == [])


def test_a_nudge_is_told_once_the_place_is_remembered(demo: Demo, check: TrayCheck) -> None:
    client = demo.service.app.test_client()
    assert post(client, "/camera/keep") == 303
    until(lambda: (seen := check.look()) and seen.kept and not seen.findings)
    demo.tray.nudge_camera(8.0)
    until(lambda: findings(check) == ["check.nudged"])
    assert post(client, "/camera/keep") == 303
    until(lambda: findings(check) == [])


def test_a_half_seen_tray_is_not_remembered(demo: Demo, check: TrayCheck, tmp_path: Path) -> None:
    demo.tray.cover_marker(0)
    until(lambda: findings(check) == ["check.corners_missing"])
    client = demo.service.app.test_client()
    assert post(client, "/camera/keep") == 409
    assert not (tmp_path / "state" / "camera.json").exists()


def test_a_damaged_memory_is_as_none(demo: Demo, check: TrayCheck, tmp_path: Path) -> None:
    (tmp_path / "state" / "camera.json").write_text("{")
    seen = until(check.look)
    assert not seen.kept
    assert check.keep()
    until(lambda: (seen := check.look()) and seen.kept)


def test_what_the_reader_sees_is_drawn_where_it_lies(demo: Demo, check: TrayCheck) -> None:
    demo.throw([("black", "helmet"), ("white", "shield")])
    until(lambda: len(demo.tray.faces()) == 2)

    def drawn_where_they_lie() -> bool:
        """Both dice with their faces, at most 8 pixels from where they came to rest."""
        seen = check.look()
        dice = [line for line in seen.outlines if line.kind == "die"] if seen else []
        if {(die.colour, die.face) for die in dice} != {("black", "helmet"), ("white", "shield")}:
            return False
        truth = sorted(tuple(die["px"]) for die in demo.tray.truth())
        middles = sorted(tuple(np.mean(die.points, axis=0)) for die in dice)
        return bool(np.abs(np.array(truth) - np.array(middles)).max() < 8)

    until(drawn_where_they_lie)
    seen = check.look()
    assert seen is not None
    still = check.still(seen.number)
    assert still is not None
    picture = cv2.imdecode(np.frombuffer(still, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[:2] == (seen.size[1], seen.size[0])


def test_without_a_camera_its_trouble_is_shown(demo: Demo, check: TrayCheck) -> None:
    demo.tray.unplug()
    until(lambda: check.look() is None and check.trouble)
    page = demo.service.app.test_client().get("/camera").get_data(as_text=True)
    assert "The tray camera is unplugged" in page
    assert 'id="keep"' not in page
    demo.tray.plug()
    until(lambda: findings(check) == [])


def test_light_is_measured_anew_by_opening_the_camera_again(demo: Demo, check: TrayCheck) -> None:
    (camera,) = (d for d in demo.service.drivers if isinstance(d, TrayCamera))
    first = until(camera.newest)
    assert post(demo.service.app.test_client(), "/camera/anew") == 303
    until(lambda: (now := camera.newest()) and now[0] > first[0] and findings(check) == [])


def test_a_gone_still_is_no_page(demo: Demo, check: TrayCheck) -> None:
    assert demo.service.app.test_client().get("/camera/still/999.jpg").status_code == 404


@pytest.mark.browser
def test_the_page_looks_again_by_itself(demo: Demo, phone: Callable[..., Page]) -> None:
    page = phone("/table", locale="en-GB")
    page.click("#to-camera")
    expect(page.locator("#well")).to_be_visible(timeout=LONG)
    SCREENSHOTS.mkdir(exist_ok=True)
    demo.throw([("red", "helmet"), ("white", "shield"), ("black", "shield")])
    expect(page.locator("#dice-seen .tag")).to_have_count(3, timeout=LONG)
    page.screenshot(path=SCREENSHOTS / "camera-well.png", full_page=True)
    demo.tray.cover_marker(3)
    expect(page.locator("#findings")).to_contain_text("Missing: front left", timeout=LONG)
    page.screenshot(path=SCREENSHOTS / "camera-corner.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    demo.tray.uncover_markers()
    expect(page.locator("#well")).to_be_visible(timeout=LONG)
    page.click("#keep")
    expect(page.locator("#seen")).to_contain_text("is remembered", timeout=LONG)


@pytest.mark.browser
def test_without_script_a_link_looks_again(demo: Demo, phone: Callable[..., Page]) -> None:
    page = phone("/camera", java_script_enabled=False, locale="de-DE")
    for _ in range(60):
        if page.locator("#well").count():
            break
        page.click("#again")
    expect(page.locator("#well")).to_contain_text("Die Kamera sieht alles")
    loaded = page.locator(".through img").evaluate("image => image.complete && image.naturalWidth")
    assert loaded == 960
