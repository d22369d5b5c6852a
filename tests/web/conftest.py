from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from companion.words import Words
from tests.web.playing import TOKEN, PhoneOf, Played
from web import create_app
from web.serve import Server


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    played = Played(tmp_path)
    yield played
    played.store.close()


@pytest.fixture
def app(played: Played) -> Flask:
    return create_app(played.table, Words.load(), token=TOKEN, names=("langhus",))


@pytest.fixture
def phone(app: Flask) -> PhoneOf:
    return PhoneOf(app)


@pytest.fixture
def new_phone(app: Flask) -> Callable[..., PhoneOf]:
    return lambda language="en": PhoneOf(app, language)


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """The app on waitress, on a free port; its address."""
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield f"http://127.0.0.1:{server.port}"
    server.stop()


def _complaints_of(told: ConsoleMessage) -> list[str]:
    """Return errors and refused contents; a 409 is an objection, which is an answer."""
    return [told.text] if told.type == "error" and "409 (CONFLICT)" not in told.text else []


@pytest.fixture
def visit(browser: Browser, served: str) -> Iterator[Callable[..., Page]]:
    """Open a page of the table on a new phone; what its console complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/seats", wide: int = 390, high: int = 844, **more: Any) -> Page:
        size: Any = {"width": wide, "height": high}
        context = browser.new_context(viewport=size, base_url=served, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda told: complaints.extend(_complaints_of(told)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    open_page.complaints = complaints  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
