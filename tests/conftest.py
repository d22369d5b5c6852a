"""Options for all tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long tests at full length")


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """True where the long tests run at full length (`make soak`)."""
    return bool(request.config.getoption("--soak"))
