"""A game that brings no pages of its own is shown all the same, and so is what goes wrong in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.store import Store
from companion.table import Table
from companion.terms import Answer, Picked, Seat
from companion.words import Words
from tests import toy_game
from tests.web.playing import PhoneOf, form_with, words_of
from web import create_app

SEATS = (Seat("ann", "red", "axe", "Ann"), Seat("bo", "blue", "raven", "Bo"))
TOLD: dict[str, dict[str, Any]] = {
    "en": {"silver": "Silver", "hide": "Where do you hide?", "cave": "Cave", "wood": "Wood"}
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    store = Store(tmp_path / "companion.sqlite")
    table = Table(store, {"toy": toy_game})
    table.start("toy", SEATS, {})
    yield table
    store.close()


@pytest.fixture
def toy(table: Table) -> Flask:
    words = Words.load()
    words.add_game("toy", TOLD)
    return create_app(table, words, token="")


def test_every_page_shows_a_game_without_pages_of_its_own(toy: Flask) -> None:
    phone = PhoneOf(toy)
    phone.sit("ann", "Ann")
    for path in ("/now", "/board", "/numbers", "/table", "/story", "/wall", "/fact/ann.silver"):
        assert "Ann" in words_of(phone.get(path)), path
    assert "Silver" in words_of(phone.get("/board"))


def test_a_secret_question_is_answered_unseen_by_the_others(table: Table, toy: Flask) -> None:
    ann, bo = PhoneOf(toy), PhoneOf(toy)
    ann.sit("ann", "Ann")
    bo.sit("bo", "Bo")
    action, fields = form_with(ann.get("/now"), "ann.hide")
    ann.client.post(action, data=fields | {"value": "cave"})
    assert "cave" in words_of(ann.get("/fact/ann.hidden")).lower()
    for path in ("/now", "/story", "/table", "/wall"):
        assert "cave" not in words_of(bo.get(path)).lower().replace("cave wood", ""), path
    assert bo.client.get("/fact/ann.hidden").status_code == 404


def test_an_empty_token_lets_no_program_in(toy: Flask) -> None:
    for given in ("Bearer ", "Bearer", "Bearer x"):
        headers = {"Authorization": given}
        assert toy.test_client().post("/api/undo", json={}, headers=headers).status_code == 403


def test_what_stumbles_is_calm_and_keeps_the_game(
    table: Table, toy: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = PhoneOf(toy)
    phone.sit("ann", "Ann")
    toy.config["PROPAGATE_EXCEPTIONS"] = False
    table.answer(Answer("ann.hide", Picked(("cave",)), "ann"))

    def broken(*_: object) -> None:
        raise RuntimeError("a game with a mistake in it")

    monkeypatch.setattr(toy_game, "view", broken)
    table.set_scorekeeper(True)
    told = phone.client.get("/now")
    assert told.status_code == 500
    assert "The game itself is safe" in words_of(told.text)
    assert "mistake" not in told.text
    action, fields = form_with(told.text, 'id="undo"')
    monkeypatch.undo()
    assert "Undone." in words_of(phone.client.post(action, data=fields, follow_redirects=True).text)
