from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.words import Words
from tests.web.playing import TOKEN, PhoneOf, Played
from web import create_app


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
