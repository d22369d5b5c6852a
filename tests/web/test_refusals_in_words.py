"""Whatever a program or a form sends wrong: what was seen and expected is told in its language."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.playing import TOKEN, Played


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def number(value: int) -> dict[str, Any]:
    return {"type": "number", "value": value}


def picked(*ids: str) -> dict[str, Any]:
    return {"type": "picked", "ids": list(ids)}


def refused(client: FlaskClient, path: str, body: Any, language: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept-Language": language}
    answer = client.post(path, headers=headers, json=body)
    assert answer.status_code == 422, answer.text
    assert isinstance(answer.json, dict)
    return answer.json


WRONG: list[tuple[str, Any, str, str]] = [
    ("box:paris.defenders", number(99), "Die Zahl 99", "eine ganze Zahl von 1 bis 3"),
    ("box:paris.defenders", {"type": "done"}, "„Am Tisch geschehen“", "eine ganze Zahl von"),
    ("box:atlantis.silver", number(1), "atlantis.silver", "der Schlüssel eines aufgedruckten"),
    ("fact:gudrun.silver", picked(), "Eine leere Wahl", "eine ganze Zahl"),
    ("fact:gudrun.ship.at", {"type": "placed", "place": "mars"}, "mars", "eine Stadt, kaupang"),
    ("fact:gudrun.shoes", number(2), "gudrun.shoes", "der Schlüssel eines Werts"),
    ("gudrun.dance", {"type": "done"}, "gudrun.dance", "der Schlüssel einer Frage"),
    ("gudrun.transfer", number(1), "Die Zahl 1", "die Felder from, to, kind und number"),
    ("battle.roll", {"type": "written", "text": "3 hits"}, "„3 hits“", "Würfel"),
    ("battle.go_on", picked("flee"), "Die Wahl flee", "eines von go_on und withdraw"),
    ("turn.start", picked("thor"), "thor", "eines von harald"),
    ("turn.start", {"type": "filled", "fields": {"who": 1}}, "Die Felder who", "eines von har"),
]


@pytest.mark.parametrize(("key", "value", "seen", "expected"), WRONG)
def test_an_answer_that_names_nothing_is_told_in_german(
    played: Played, client: FlaskClient, key: str, value: Any, seen: str, expected: str
) -> None:
    played.attack()
    told = refused(client, "/api/answer", {"key": key, "value": value}, "de")
    assert told["seen"].startswith(seen)
    assert expected in told["expected"]


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, value, _, _ in WRONG])
def test_both_languages_tell_it_without_a_word_of_the_other(
    played: Played, client: FlaskClient, key: str, value: Any
) -> None:
    played.attack()
    body = {"key": key, "value": value}
    english, german = (refused(client, "/api/answer", body, lang) for lang in ("en", "de"))
    for part in ("seen", "expected", "do"):
        assert english[part] != german[part]
        assert "(" not in english[part], "an answer as Python writes it"


def test_a_step_that_does_not_stand_is_told_in_german(played: Played, client: FlaskClient) -> None:
    played.attack()
    told = refused(client, "/api/rewrite", {"plan": {"step": 99}, "preview": True}, "de")
    assert told["seen"] == "99 bezeichnet hier nichts."
    assert told["expected"] == "Erwartet: die Nummer eines Schritts, der gilt"


def test_a_page_that_takes_answers_only_says_so(played: Played, client: FlaskClient) -> None:
    played.turn()
    answer = client.get("/api/answer", headers={"Accept-Language": "de"})
    assert answer.status_code == 405
    assert isinstance(answer.json, dict)
    assert "GET" in answer.json["seen"]


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("{", "kein JSON, oder es bricht ab"),
        ("{}", "$.key fehlt"),
        ('{"key": 1}', "str ist erwartet bei $.key, nicht int"),
        ('{"key" 1}', "kein lesbares JSON ab Byte 7"),
        ('{"key": "x", "value": {"type": "done"}, "mood": 1}', "niemand kennt $.mood"),
        ('{"key": "x", "value": {"type": "song"}}', "„song“ passt nicht bei $.value.type"),
        ('{"key": "x", "value": {"type": 1}}', "str ist erwartet bei $.value.type"),
        (b'{"key": "\xff"}', "etwas passt nicht bei $"),
    ],
)
def test_a_body_that_is_not_as_it_must_be_is_told_in_german(
    played: Played, client: FlaskClient, body: str | bytes, seen: str
) -> None:
    played.turn()
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept-Language": "de"}
    answer = client.post("/api/answer", headers=headers, data=body)
    assert answer.status_code == 422
    assert isinstance(answer.json, dict)
    assert answer.json["seen"] == f"Die Anfrage ist nicht, wie sie sein muss: {seen}."
    assert answer.json["expected"].startswith("JSON mit: key, value")
