from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from companion.demo import Demo
from companion.eye import TrayCheck

PATIENCE = 60.0  # seconds to wait for what must come; generous, for a busy machine


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    demo = Demo(tmp_path / "state", "127.0.0.1", 0, seed=7)
    demo.start()
    yield demo
    demo.stop()


@pytest.fixture
def address(demo: Demo) -> str:
    return f"http://127.0.0.1:{demo.service.server.port}"


def until(met: Callable[[], Any]) -> Any:
    """Wait until something is there, and return it."""
    end = time.monotonic() + PATIENCE
    while not (got := met()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)  # between looks
    return got


def findings(check: TrayCheck) -> list[str] | None:
    """The keys of what is found now; None while nothing is seen."""
    seen = check.look()
    return None if seen is None else [say.key for say, _ in seen.findings]


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open pages on a phone of their own; what its console complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **more: Any) -> Page:
        size: Any = {"width": 390, "height": 844}
        context = browser.new_context(viewport=size, base_url=address, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on(
            "console", lambda told: complaints.append(told.text) if told.type == "error" else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
