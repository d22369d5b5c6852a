"""On the Table page a game is saved to the phone, and brought from there to another table."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from companion.table import LARGEST
from companion.terms import Number
from companion.words import Words
from tests.web.playing import PhoneOf, Played, picture, words_of
from web import create_app


@pytest.fixture
def saved(played: Played) -> bytes:
    """A game with a throw, as a file."""
    played.attack()
    played.throw("B HMM W MM", now=10.0)
    played.table.tick(100.0)
    return played.table.export(1, pictures=True)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Played:
    return Played(tmp_path / "elsewhere")


def bring(phone: PhoneOf, body: bytes) -> TestResponse:
    """Send the form of the Table page with a file."""
    parts = {'name="mark"': phone.mark().encode(), 'name="file"; filename="game.json"': body}
    lines = [
        b"--cut\r\nContent-Disposition: form-data; %s\r\n\r\n%s\r\n" % (name.encode(), part)
        for name, part in parts.items()
    ]
    sent, kind = b"".join(lines) + b"--cut--\r\n", "multipart/form-data; boundary=cut"
    return phone.client.post("/games", data=sent, content_type=kind, follow_redirects=True)


def test_the_page_offers_each_game_with_and_without_its_pictures(
    saved: bytes, phone: PhoneOf
) -> None:
    page = phone.get("/table")
    assert 'href="/games/1.json"' in page
    assert 'href="/games/1.json?pictures=yes"' in page
    plain, full = (phone.client.get(f"/games/1.json{more}") for more in ("", "?pictures=yes"))
    assert plain.mimetype == "application/json"
    assert plain.headers["Content-Disposition"] == 'attachment; filename="vikingjarl-1.json"'
    assert json.loads(plain.data)["pictures"] == {}
    assert full.data == saved


def test_a_brought_game_stands_in_the_list_and_can_be_played_on(
    saved: bytes, played: Played, elsewhere: Played
) -> None:
    phone = PhoneOf(create_app(elsewhere.table, Words.load(), token=""))
    page = bring(phone, saved)
    assert page.status_code == 200
    assert elsewhere.table.look().game is None, "nothing was laid on the table"
    phone.send("/game", {"resume": "1"})
    assert elsewhere.table.look("gudrun").view == played.table.look("gudrun").view
    phone.sit("gudrun")
    assert "Gudrun" in words_of(phone.get("/now"))
    elsewhere.store.close()


def test_the_game_on_the_table_stays_and_the_page_tells_where_the_new_one_is(
    saved: bytes, played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    for language, told in (("en", "The game is here"), ("de", "Die Partie ist da")):
        phone = new_phone(language)
        phone.get("/table")
        data = {"mark": phone.mark(), "file": (io.BytesIO(saved), "game.json")}
        headers = {"Accept-Language": language}
        page = phone.client.post("/games", data=data, headers=headers, follow_redirects=True)
        assert told in words_of(page.text)
    assert [line.current for line in played.table.games()] == [False, False, True]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"Dear Signe", "The file cannot be read"),
        (b'{"format": "a letter"}', "This is not a game of a companion"),
        (b'{"format": "viking companion game", "version": 2}', "The file has version 2"),
    ],
)
def test_another_file_is_refused_with_a_word_and_a_way_on(
    played: Played, phone: PhoneOf, body: bytes, told: str
) -> None:
    played.turn()
    refused = bring(phone, body)
    assert refused.status_code == 422
    assert told in words_of(refused.text)
    assert len(played.table.games()) == 1


def test_no_file_and_no_such_game_are_told(played: Played, phone: PhoneOf) -> None:
    played.turn()
    nothing = phone.client.post("/games", data={"mark": phone.mark()})
    assert nothing.status_code == 422
    assert "No file was chosen" in words_of(nothing.text)
    missing = phone.client.get("/games/7.json")
    assert missing.status_code == 404
    assert "No game 7 is kept" in words_of(missing.text)


def test_a_file_may_be_larger_than_a_form_but_not_without_end(
    played: Played, phone: PhoneOf
) -> None:
    played.turn()
    assert bring(phone, b" " * 200_000).status_code == 422, "it was read"
    refused = bring(phone, b" " * (LARGEST + 100_000))
    assert refused.status_code == 413
    assert "At most 64 MB" in words_of(refused.text)
    form = phone.client.post("/undo", data={"mark": phone.mark(), "more": "x" * 200_000})
    assert form.status_code == 413
    assert "At most 64 kB" in words_of(form.text)


@pytest.mark.parametrize(
    ("mark", "origin"), [("wrong", None), ("", None), (None, "http://evil.example")]
)
def test_a_file_from_another_page_is_not_taken(
    saved: bytes, played: Played, phone: PhoneOf, mark: str | None, origin: str | None
) -> None:
    phone.get("/table")
    data = {"mark": phone.mark() if mark is None else mark, "file": (io.BytesIO(saved), "g.json")}
    headers = {"Origin": origin} if origin else {}
    assert phone.client.post("/games", data=data, headers=headers).status_code == 403
    assert len(played.table.games()) == 1


def test_a_foreign_name_gets_no_game(saved: bytes, app: Flask) -> None:
    told = app.test_client().get("/games/1.json", headers={"Host": "evil.example"})
    assert told.status_code == 403
    assert b"entries" not in told.data


def test_a_game_without_room_is_told_and_not_half_there(
    saved: bytes, played: Played, phone: PhoneOf
) -> None:
    away = played.store.path.with_suffix(".away")
    played.store.path.rename(away)
    refused = bring(phone, saved)
    assert refused.status_code == 507
    assert "is not there any more" in words_of(refused.text)
    away.rename(played.store.path)
    assert len(played.table.games()) == 1


@pytest.mark.browser
def test_a_game_is_saved_and_brought_in_a_browser(
    saved: bytes, played: Played, visit: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit("/table")
    page.click("#save-1 summary")
    with page.expect_download() as download:
        page.click("#save-1 a[href$='pictures=yes']")
    download.value.save_as(tmp_path / "game.json")
    assert (tmp_path / "game.json").read_bytes() == saved
    page.click("#bring summary")
    page.set_input_files("#bring input[type=file]", tmp_path / "game.json")
    page.click("#bring button")
    page.wait_for_selector("#note")
    assert page.locator("#game-2").is_visible()
    page.click("#game-2 button")
    page.wait_for_url(lambda url: "/table" not in url)
    assert played.table.look().game_id == 2
    crop = played.table.story()[0].pictures[0]
    assert played.table.picture(crop) == picture("black", "helmet", 0)


def test_a_long_evening_is_brought_as_well(played: Played, phone: PhoneOf) -> None:
    """A file of several hundred steps is larger than any other form may be."""
    played.turn()
    phone.sit("gudrun")
    for number in range(300):
        played.say("fact:gudrun.silver", Number(number % 9))
    saved = played.table.export(played.table.look().game_id)
    assert len(saved) > 150_000
    before = len(played.table.games())
    assert bring(phone, saved).status_code == 200
    assert len(played.table.games()) == before + 1
