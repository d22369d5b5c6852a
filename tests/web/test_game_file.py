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


@pytest.mark.parametrize(
    ("language", "told"), [("en", "is not there any more"), ("de", "ist nicht mehr da")]
)
def test_an_answer_that_cannot_be_kept_is_refused_with_a_word_and_a_way_on(
    played: Played, app: Flask, language: str, told: str
) -> None:
    played.turn()
    phone = PhoneOf(app, language)
    phone.sit("gudrun")
    before, story = played.fact("gudrun.silver"), played.table.story()
    away = played.store.path.with_suffix(".away")
    played.store.path.rename(away)
    silver = {"key": "fact:gudrun.silver", "value": "9", "rev": str(played.table.rev)}
    refused = phone.send("/answer", silver)
    assert refused.status_code == 507
    assert told in words_of(refused.text)
    assert told in words_of(phone.get("/table"))
    assert (played.fact("gudrun.silver"), played.table.story()) == (before, story)
    away.rename(played.store.path)
    assert phone.send("/answer", silver | {"rev": str(played.table.rev)}).status_code == 200
    assert played.fact("gudrun.silver") == 9
    assert told not in words_of(phone.get("/table"))


def test_a_program_is_told_what_was_seen_expected_and_to_do(played: Played, app: Flask) -> None:
    played.turn()
    played.store.path.rename(played.store.path.with_suffix(".away"))
    answer = {"key": "fact:gudrun.silver", "value": {"type": "number", "value": 9}}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    told = app.test_client().post("/api/answer", json=answer, headers=headers)
    assert told.status_code == 507
    assert set(told.json or {}) == {"seen", "expected", "do"}
    state = app.test_client().get("/api/state", headers=headers).json or {}
    assert [device["device"] for device in state["devices"]] == ["store"]


def test_a_file_that_is_damaged_in_mid_game_is_told(played: Played, app: Flask) -> None:
    played.turn()
    phone = PhoneOf(app)
    phone.sit("gudrun")
    log = played.store.path.with_name("companion.sqlite-wal")
    for file in (played.store.path, log):
        file.write_bytes(b"\xaa" * file.stat().st_size)
    told = phone.client.get(f"/picture/{'0' * 64}.jpg")
    assert told.status_code == 507
    assert "Start the companion again" in words_of(told.text)
    assert "is damaged" in words_of(phone.get("/table"))
    played.store.close()
    again = Played(played.store.path.parent)
    assert again.store.restored is not None
    again.store.close()
