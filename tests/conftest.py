"""Options for all tests."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

settings.register_profile("shared machine", deadline=None)  # a busy machine is no fault
settings.load_profile("shared machine")
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long tests at full length")
    parser.addoption(
        "--pictures", metavar="FOLDER", help="keep pictures of the whole game in this folder"
    )


def pytest_collection_finish() -> None:
    """Keep the many collected cases out of the garbage collector's rounds.

    Its pauses would stall the simulated chips, which live in this process beside the tests.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """True where the long tests run at full length (`make soak`)."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def pictures(request: pytest.FixtureRequest) -> Path | None:
    """Where pictures of pages are kept, None where nobody asked for them."""
    folder = request.config.getoption("--pictures")
    if folder is None:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


def chromium_path() -> str:
    """Return where the system's Chromium is; fails the test where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("Chromium is missing: install it with apt install chromium")
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all browser tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGS)
        yield browser
        browser.close()
