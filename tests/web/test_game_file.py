"""What becomes of the game file is told on the pages: restored, without room, well again."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from companion.words import Words
from tests.web.playing import TOKEN, PhoneOf, Played, form_with, words_of
from web import create_app


@pytest.fixture
def after_damage(tmp_path: Path) -> Played:
    """A game was played, its file was damaged, and the companion started again."""
    before = Played(tmp_path)
    before.turn()
    second = bytes(before.store.entries(1)[2])
    before.store.close()
    path = tmp_path / "companion.sqlite"
    body = path.read_bytes()
    at = body.index(second)
    path.write_bytes(body[:at] + b"\xc1" * 20 + body[at + 20 :])
    return Played(tmp_path)


@pytest.mark.parametrize(
    ("language", "told"), [("en", "game 1 up to step 1"), ("de", "Partie 1 bis Schritt 1")]
)
def test_the_table_page_tells_of_a_restored_file_until_somebody_has_noted_it(
    after_damage: Played, language: str, told: str
) -> None:
    app: Flask = create_app(after_damage.table, Words.load(), token=TOKEN)
    phone = PhoneOf(app, language)
    page = phone.get("/table")
    assert told in words_of(page)
    assert "companion.damaged-1.sqlite" in words_of(page)
    address, fields = form_with(page, 'id="noted"')
    assert told not in words_of(phone.client.post(address, data=fields, follow_redirects=True).text)
    after_damage.store.close()
