"""Who may change something: foreign hosts and pages may not, and looking changes nothing."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.playing import TOKEN, PhoneOf, Played, words_of

STRICT = "default-src 'none'"


@pytest.mark.parametrize(
    "host",
    ["192.168.4.1:8080", "10.0.0.7", "[fe80::1]:8080", "localhost", "langhus", "langhus.local:80"],
)
def test_the_table_answers_to_its_numbers_and_names(played: Played, app: Flask, host: str) -> None:
    played.turn()
    assert app.test_client().get("/wall", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "langhus.evil.example", "local", "x.local", "["])
def test_a_foreign_name_is_refused(played: Played, app: Flask, host: str) -> None:
    played.turn()
    told = app.test_client().get("/wall", headers={"Host": host})
    assert told.status_code in {400, 403}
    assert "facts" not in told.text
    assert "Gudrun" not in told.text


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://localhost:1", "http://"]
)
def test_a_form_of_another_page_changes_nothing(
    played: Played, phone: PhoneOf, origin: str
) -> None:
    played.turn()
    phone.sit("gudrun")
    rev = played.table.rev
    told = phone.client.post("/undo", data={"mark": phone.mark()}, headers={"Origin": origin})
    assert told.status_code == 403
    assert played.table.rev == rev


def test_a_form_without_the_phones_mark_changes_nothing(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    rev = played.table.rev
    for mark in ({}, {"mark": ""}, {"mark": "wrong"}, {"mark": "\u00e4\u00f6"}):
        told = phone.client.post("/undo", data=mark)
        assert told.status_code == 403
        assert "Load the page again" in words_of(told.text)
    assert played.table.rev == rev


def test_another_phones_mark_is_not_mine(played: Played, app: Flask) -> None:
    played.turn()
    mine, other = PhoneOf(app), PhoneOf(app)
    told = mine.client.post("/undo", data={"mark": other.mark()})
    assert told.status_code == 403


@pytest.mark.parametrize("given", ["", "wrong", "Bearer", "Bearer wrong", f"Basic {TOKEN}"])
def test_a_program_needs_the_token(played: Played, app: Flask, given: str) -> None:
    played.turn()
    headers = {"Authorization": given}
    told = app.test_client().post("/api/undo", json={}, headers=headers)
    assert told.status_code == 403


def test_looking_changes_nothing(played: Played, app: Flask, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=1)
    phone.sit("gudrun")
    rev, story = played.table.rev, len(played.table.story(None, 1000))
    fill = {"number": "1", "key": "gudrun.vp", "name": "0" * 64, "filename": "look.css"}
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint == "live.events":
            continue
        _, path = rule.build({k: fill[k] for k in rule.arguments}) or ("", "/")
        with phone.client.get(path) as told:
            assert told.status_code in {200, 303, 404}, path
    assert played.table.rev == rev
    assert len(played.table.story(None, 1000)) == story


def test_every_change_is_a_post_with_a_mark(played: Played, app: Flask, phone: PhoneOf) -> None:
    played.turn()
    rev = played.table.rev
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            assert "GET" not in (rule.methods or ()) or rule.rule == "/setup"
            assert phone.client.post(rule.rule).status_code == 403, rule.rule
    assert played.table.rev == rev


def test_pages_allow_nothing_from_elsewhere(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    for path in ("/now", "/wall", "/static/look.css", "/api/state", "/nothing"):
        with phone.client.get(path) as answer:
            policy, text = answer.headers["Content-Security-Policy"], answer.get_data(as_text=True)
            assert answer.headers["Referrer-Policy"] == "same-origin"
        assert policy.startswith(STRICT)
        assert "unsafe" not in policy
        assert "http" not in policy
        assert " style=" not in text
        assert " onclick=" not in text
        assert "<script>" not in text


def test_cookies_stay_with_the_table(played: Played, app: Flask) -> None:
    played.turn()
    cookie = app.test_client().get("/seats").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    for path in ("/healthz", "/static/look.css"):
        with app.test_client().get(path) as answer:
            assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_a_form_never_leads_to_another_host(played: Played, phone: PhoneOf, back: str) -> None:
    played.turn()
    told = phone.client.post("/touch", data={"mark": phone.mark(), "back": back})
    assert told.headers["Location"] == "/now"


def test_odd_forms_are_told_what_to_mend(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    rev = played.table.rev
    odd = [
        ("/answer", {"key": "fact:gudrun.vp", "value": "many"}),
        ("/answer", {"key": "fact:gudrun.vp", "value": "9" * 40}),
        ("/answer", {"key": "fact:gudrun.vp"}),
        ("/answer", {"key": "fact:nobody.vp", "value": "1"}),
        ("/answer", {"key": "nonsense"}),
        ("/answer", {}),
        ("/answer", {"key": "x" * 5000}),
        ("/die", {"proposal": "1", "die": "x"}),
        ("/throw", {}),
        ("/card", {"proposal": "-"}),
        ("/seat", {"seat": "nobody"}),
        ("/language", {"language": "xx"}),
        ("/game", {"resume": "77"}),
        ("/undo", {"to": "1e9"}),
        ("/setup", {"target_vp": "many"}),
    ]
    for path, fields in odd:
        told = phone.send(path, fields)
        assert told.status_code == 422, (path, fields, told.status_code)
        assert "The companion stumbled" not in told.text
    assert played.table.rev == rev


def test_what_is_gone_meanwhile_is_calm(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    for path, fields in [
        ("/die", {"proposal": "9", "die": "0", "face": "helmet"}),
        ("/throw", {"proposal": "9"}),
        ("/card", {"proposal": "9", "title": "aegir"}),
        ("/go-on", {"key": "battle.commit"}),
        ("/undo", {"to": "9999"}),
    ]:
        told = phone.send(path, fields)
        assert told.status_code == 200
        assert "The table moved on meanwhile" in words_of(told.text), path
