"""A note such as "Put aside." reaches the phone that asked for it, whatever arrives first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, Response, expect

from companion.terms import Number
from tests.web.playing import Played
from tests.web.test_browser import sit

pytestmark = pytest.mark.browser


class Slow:
    """The way from the server to the phones, on which some answers are held for a while.

    The server has done its work then; only its answer is late, as on a busy machine.
    """

    def __init__(self, app: Flask) -> None:
        self._through = app.wsgi_app
        app.wsgi_app = self
        self._holds: list[tuple[str, str, threading.Event, threading.Event]] = []

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked = (environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if "told=" in environ["QUERY_STRING"]:
            asked = (asked[0], f"{asked[1]}?told")
        hold = next((h for h in self._holds if h[:2] == asked and not h[2].is_set()), None)
        answer = self._through(environ, start_response)
        if hold is None:
            return answer
        body = [b"".join(answer)]
        hold[2].set()
        assert hold[3].wait(30.0)
        return body

    def hold(self, method: str, path: str) -> tuple[threading.Event, threading.Event]:
        """Hold the next answer to this; return events: it is held, and let it go."""
        held, go = threading.Event(), threading.Event()
        self._holds.append((method, path, held, go))
        return held, go

    def let_all_go(self) -> None:
        """Hold nothing any more."""
        for *_, go in self._holds:
            go.set()


@pytest.fixture
def slow(app: Flask) -> Iterator[Slow]:
    slow = Slow(app)
    yield slow
    slow.let_all_go()


def test_the_tables_page_comes_before_the_answer(
    played: Played, slow: Slow, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    held, go = slow.hold("POST", "/undo")
    page.locator("#undo").click()
    assert held.wait(30.0)
    played.say("fact:gudrun.silver", Number(3))
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")
    go.set()
    expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")


def test_the_tables_page_comes_after_the_answer(
    played: Played, slow: Slow, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    held, go = slow.hold("GET", "/now")
    with page.expect_response(is_the_tables) as late:
        page.locator("#undo").click()
        assert held.wait(30.0)
        expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")
        go.set()
    late.value.finished()
    settled(page)
    expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")


def test_an_older_page_of_the_table_comes_after_the_answer(
    played: Played, slow: Slow, visit: Callable[..., Page]
) -> None:
    """What the other phone changed is not on it yet when the finger comes down."""
    played.turn()
    page = sit(visit())
    held, go = slow.hold("GET", "/now")
    played.say("fact:gudrun.silver", Number(3))
    assert held.wait(30.0)
    with page.expect_response(is_the_tables) as late:
        page.locator("#undo").click()
        expect(page.locator("#note")).to_contain_text("The table moved on meanwhile.")
        played.say("fact:eirik.silver", Number(9))
        go.set()
    late.value.finished()
    settled(page)
    expect(page.locator("#note")).to_contain_text("The table moved on meanwhile.")
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")


def test_an_answer_that_is_late_leaves_no_old_page_standing(
    played: Played, slow: Slow, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    held, go = slow.hold("GET", "/now?told")
    page.locator("#undo").click()
    assert held.wait(30.0)
    played.say("fact:gudrun.silver", Number(3))
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")
    go.set()
    expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")


def test_a_note_can_be_read_though_the_table_goes_on_at_once_and_goes_then(
    played: Played, visit: Callable[..., Page]
) -> None:
    played.turn()
    page = sit(visit())
    page.clock.install()
    page.reload()
    page.locator("#undo").click()
    expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")
    page.clock.pause_at(page.evaluate("Date.now() / 1000"))
    played.say("fact:gudrun.silver", Number(3))
    expect(page.locator("#fact-gudrun-silver .v")).to_have_text("3")
    expect(page.locator("#note")).to_contain_text("Undone. Nothing is lost.")
    page.clock.run_for(5000)
    expect(page.locator("#note")).to_have_count(0)
    assert page.url.endswith("/now")


def is_the_tables(answer: Response) -> bool:
    """True for a page that the phone fetched because the table told of a change."""
    return answer.request.method == "GET" and answer.url.endswith("/now")


def settled(page: Page) -> None:
    """Wait until the phone has dealt with what arrived, and asked once more."""
    page.wait_for_function("fetch('/rev').then(() => new Promise(requestAnimationFrame))")
