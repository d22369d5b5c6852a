"""What programs say and hear: JSON with clear errors, and no seat's secrets without its right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from companion.words import Words
from tests.web.playing import TOKEN, PhoneOf, Played, words_of
from web import create_app

BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def program(app: Flask) -> FlaskClient:
    return app.test_client()


def post(client: FlaskClient, path: str, body: Any, headers: dict[str, str] = BEARER) -> Any:
    return client.post(path, json=body, headers=headers)


def get(client: FlaskClient, path: str, headers: dict[str, str] = BEARER) -> Any:
    return client.get(path, headers=headers)


def test_the_state_tells_everything_of_a_seat(played: Played, program: FlaskClient) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    played.devices()
    state = get(program, "/api/state?seat=gudrun").json
    assert state["rev"] == played.table.rev
    assert state["turn"] == "gudrun"
    assert {"key": "gudrun.vp", "label": "Victory points", "value": 6} in state["facts"]
    roll = next(q for q in state["questions"] if q["key"] == "battle.roll")
    assert roll["wants"]["counts"] == {"black": 3, "white": 2}
    assert state["proposals"][0]["question"] == "battle.roll"
    assert {d["device"] for d in state["devices"]} >= {"tray_camera", "card_reader"}
    assert state["result"] is None


def test_an_answer_is_taken_and_told_with_its_revision(
    played: Played, program: FlaskClient
) -> None:
    played.turn()
    body = {"key": "fact:gudrun.silver", "value": {"type": "number", "value": 3}, "id": "once"}
    first = post(program, "/api/answer", body)
    assert first.status_code == 200
    assert first.json["rev"] == played.table.rev
    again = post(program, "/api/answer", body)
    assert again.json["rev"] == first.json["rev"], "the same id counts once"


def test_the_rules_object_with_409_and_insist_is_taken(
    played: Played, program: FlaskClient
) -> None:
    played.turn()
    fields = {"from": "ship", "to": "kaupang", "kind": "v", "number": 4}
    body = {"key": "gudrun.transfer", "value": {"type": "filled", "fields": fields}}
    body["seat"] = "gudrun"
    refused = post(program, "/api/answer", body)
    assert refused.status_code == 409
    assert refused.json["objections"][0]["say"]
    assert refused.json["objections"][0]["rule"]
    assert {"seen", "expected", "do"} <= set(refused.json)
    assert post(program, "/api/answer", body | {"insist": True}).status_code == 200


def test_an_old_revision_is_told_with_409_and_no_objections(
    played: Played, program: FlaskClient
) -> None:
    played.turn()
    rev = played.table.rev
    value = {"type": "number", "value": 3}
    post(program, "/api/answer", {"key": "fact:gudrun.silver", "value": value})
    late = {"key": "fact:gudrun.silver", "value": {"type": "number", "value": 4}, "rev": rev}
    refused = post(program, "/api/answer", late)
    assert refused.status_code == 409
    assert "objections" not in refused.json
    assert refused.json["seen"]
    assert played.fact("gudrun.silver") == 3


def test_a_key_that_names_nothing_is_422(played: Played, program: FlaskClient) -> None:
    played.turn()
    for key in ("fact:nobody.silver", "nonsense", "fact:", "box:nothing", "", "turn.", "\u0000"):
        told = post(program, "/api/answer", {"key": key, "value": {"type": "done"}})
        assert told.status_code == 422, (key, told.json)
        assert {"seen", "expected", "do"} == set(told.json)


def test_undo_and_redo_for_programs(played: Played, program: FlaskClient) -> None:
    played.turn()
    assert post(program, "/api/undo", {}).status_code == 200
    assert played.fact("gudrun.hand") == 1
    assert post(program, "/api/redo", {}).status_code == 200
    assert played.fact("gudrun.hand") == 2
    vp = next(s for s in played.table.story(None) if s.key == "fact:gudrun.vp")
    assert post(program, "/api/undo", {"to": vp.number}).status_code == 200
    assert played.fact("gudrun.vp") == 0
    assert post(program, "/api/undo", {"to": 99999}).status_code == 409


def test_a_phone_sees_only_the_seats_it_holds(played: Played, phone: PhoneOf) -> None:
    played.turn()
    assert phone.client.get("/api/state").status_code == 200
    assert phone.client.get("/api/state?seat=gudrun").status_code == 403
    phone.sit("gudrun")
    assert phone.client.get("/api/state?seat=gudrun").status_code == 200
    assert phone.client.get("/api/state?seat=eirik").status_code == 403
    assert phone.client.get("/api/state?seat=nobody").status_code == 422


def test_a_phone_answers_only_for_its_seats_and_with_its_mark(
    played: Played, phone: PhoneOf
) -> None:
    played.turn()
    phone.sit("gudrun")
    body = {"key": "turn.end", "value": {"type": "done"}, "seat": "gudrun"}
    assert post(phone.client, "/api/answer", body, {}).status_code == 403
    mark = {"X-Form": phone.mark()}
    assert post(phone.client, "/api/answer", body | {"seat": "eirik"}, mark).status_code == 403
    assert post(phone.client, "/api/answer", body, mark).status_code == 200


BROKEN = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"{}",
    b'{"key": 3}',
    b'{"key": "turn.end"}',
    b'{"key": "turn.end", "value": 3}',
    b'{"key": "turn.end", "value": {"type": "strange"}}',
    b'{"key": "turn.end", "value": {"type": "number", "value": 1e999}}',
    b'{"key": "turn.end", "value": {"type": "number", "value": 99999999999999999999999}}',
    b'{"key": "turn.end", "value": {"type": "number", "value": 9223372036854775807}}',
    b'{"key": "turn.end", "value": {"type": "number", "value": "3"}}',
    b'{"key": "turn.end", "value": {"type": "number", "value": true}}',
    b'{"key": "turn.end", "value": {"type": "done"}, "more": 1}',
    b'{"key": "turn.end", "value": {"type": "done"}, "rev": -99999999999999999999}',
    b'{"key": "\\ud800", "value": {"type": "done"}}',
    b'{"key": "\xff\xfe", "value": {"type": "done"}}',
    b'{"key": "turn.end", "value": {"type": "done"}, "person": "\\ud83d"}',
    b"[" * 5000,
    b'{"value": ' * 3000,
    b'{"key": "turn.end", "value": {"type": "written", "text": "' + b"x" * 5000 + b'"}}',
    b'{"key": "turn.end", "value": {"type": "cards", "ids": [' + b'"a",' * 500 + b'"a"]}}',
)


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_request_is_told_what_to_mend(
    played: Played, program: FlaskClient, body: bytes
) -> None:
    played.turn()
    rev = played.table.rev
    told = program.post("/api/answer", data=body, headers=BEARER)
    assert told.status_code == 422, told.text
    assert {"seen", "expected", "do"} == set(told.json or {})
    assert played.table.rev == rev


def test_too_much_is_413(played: Played, program: FlaskClient) -> None:
    told = program.post("/api/answer", data=b"x" * 100_000, headers=BEARER)
    assert told.status_code == 413
    assert {"seen", "expected", "do"} == set(told.json or {})


@pytest.fixture(scope="module")
def anything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    played = Played(tmp_path_factory.mktemp("anything"))
    played.attack()
    yield create_app(played.table, Words.load(), token=TOKEN).test_client()
    played.store.close()


KEYS = ("gudrun.transfer", "battle.roll", "fact:gudrun.silver", "gudrun.saga", "battle.commit")
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
KINDS = {
    "number": "value",
    "placed": "place",
    "picked": "ids",
    "cards": "ids",
    "filled": "fields",
    "written": "text",
    "dice": "dice",
}


@given(st.sampled_from(KEYS), st.sampled_from(sorted(KINDS)), ODD, st.booleans())
def test_whatever_is_sent_is_answered_in_words(
    anything: FlaskClient, key: str, kind: str, odd: Any, insist: bool
) -> None:
    body = {"key": key, "value": {"type": kind, KINDS[kind]: odd}, "insist": insist}
    told = anything.post("/api/answer", data=json.dumps(body), headers=BEARER)
    assert told.status_code in {200, 409, 422}, told.text


def test_programs_may_speak_german(played: Played, program: FlaskClient) -> None:
    played.turn()
    told = get(program, "/api/state?seat=nobody", BEARER | {"Accept-Language": "de"})
    assert "kein Platz" in told.json["seen"]


def test_the_stray_path_is_json_for_programs(program: FlaskClient) -> None:
    told = get(program, "/api/nothing")
    assert told.status_code == 404
    assert told.json["seen"] == "There is no page /api/nothing."


def test_no_game_yet_is_a_calm_state(program: FlaskClient, tmp_path: Path) -> None:
    state = get(program, "/api/state", {}).json
    assert state["game"] is None
    assert state["facts"] == []
    told = post(program, "/api/answer", {"key": "turn.end", "value": {"type": "done"}})
    assert told.status_code == 409


def test_who_gave_no_name_is_told_in_the_language_of_the_reader(
    played: Played, program: FlaskClient, phone: PhoneOf, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    answer = {"key": "fact:gudrun.silver", "value": {"type": "number", "value": 3}}
    post(program, "/api/answer", answer, BEARER | {"Accept-Language": "de"})
    number = played.table.look(None).step
    assert "a program" in words_of(phone.get(f"/step/{number}"))
    assert "ein Programm" in words_of(new_phone("de").get(f"/step/{number}"))
    assert "Gesetzt: ein Programm" in words_of(new_phone("de").get("/fact/gudrun.silver"))
    phone.send("/undo", {"to": str(number)})
    story = words_of(new_phone("de").get("/story"))
    assert "jemand" in story
    assert "somebody" not in story


@pytest.mark.parametrize("preview", [True, False])
@pytest.mark.parametrize("place", ["answer", "missing"])
def test_a_new_answer_to_the_past_for_a_seat_that_is_not_there_is_refused(
    played: Played, program: FlaskClient, place: str, preview: bool
) -> None:
    played.turn()
    step = played.table.look(None).step
    silver = {"key": "fact:gudrun.silver", "value": {"type": "number", "value": 3}}
    plan: dict[str, Any] = {"step": step, "answer": silver | {"seat": "gudrun"}}
    if place == "answer":
        plan["answer"] = silver | {"seat": "ragnar"}
    else:
        plan["missing"] = [{"step": step, "answer": silver | {"seat": "ragnar"}}]
    refused = post(program, "/api/rewrite", {"plan": plan, "preview": preview})
    assert refused.status_code == 422
    assert refused.json["seen"] == "ragnar is no seat of this game."
    assert "gudrun" in refused.json["expected"]
    assert played.table.look(None).step == step


def test_a_phone_puts_the_past_right_for_its_own_seats_only(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    step = played.table.look(None).step
    silver = {"key": "fact:eirik.silver", "value": {"type": "number", "value": 3}, "seat": "eirik"}
    body = {"plan": {"step": step, "answer": silver}, "preview": True}
    told = phone.client.post("/api/rewrite", json=body, headers={"X-Form": phone.mark()})
    assert told.status_code == 403
