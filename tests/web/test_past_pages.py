"""Forms that put the past right, and what the box says, looked up, put off, corrected."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.terms import Cards, Done, Filled, Number, Picked, Placed
from tests.web.playing import PhoneOf, Played, form_with, words_of
from tests.web.test_programs import post


@pytest.fixture
def program(phone: PhoneOf) -> FlaskClient:
    return phone.client


def attack_gijon(played: Played) -> None:
    """Gudrun's Ship attacks Gijon; what the map prints there nobody told yet."""
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("gijon"))
    played.say("gudrun.ship.act", Picked(("attack:gijon",)), "gudrun")
    while not played.table.look().pending:
        asked = played.table.look("gudrun").questions[0]
        assert asked.default is not None
        played.say(asked.key, asked.default, "gudrun")


def test_a_correction_is_put_right_like_any_step(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    played.say("fact:gudrun.silver", Number(9))
    number = played.table.story(limit=1)[0].number
    action, fields = form_with(phone.get(f"/again/{number}"), 'value="amend"')
    page = phone.send(action, fields | {"value": "4"})
    assert "9 → 4" in words_of(page.text)
    assert played.fact("gudrun.silver") == 9
    action, fields = form_with(page.text, 'id="do"')
    phone.send(action, fields)
    assert played.fact("gudrun.silver") == 4
    assert played.table.step(number).standing == "amended"  # type: ignore[union-attr]


def test_what_the_rules_dislike_can_be_said_anyway(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    fields_of = {"from": "ship", "to": "kaupang", "kind": "v", "number": 1}
    played.say("gudrun.transfer", Filled(dict(fields_of)), "gudrun")
    number = played.table.story(limit=1)[0].number
    action, fields = form_with(phone.get(f"/again/{number}"), 'value="amend"')
    page = phone.send(action, fields | fields_of_form(fields_of | {"number": 4}))
    assert 'id="objection"' in page.text
    action, fields = form_with(page.text, 'id="anyway"')
    page = phone.send(action, fields | {"insist": "1"})
    action, fields = form_with(page.text, 'id="do"')
    phone.send(action, fields)
    step = played.table.step(number)
    assert step is not None
    assert step.standing == "amended"
    assert step.objections


def fields_of_form(fields: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in fields.items()}


def test_a_step_that_is_gone_has_no_page(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    played.say("fact:gudrun.silver", Number(9))
    number = played.table.story(limit=1)[0].number
    page = phone.get(f"/again/{number}")
    played.table.undo()
    assert phone.client.get(f"/again/{number}").status_code == 404
    action, fields = form_with(page, 'value="void"')
    assert phone.send(action, fields).status_code == 422
    assert phone.client.get("/again/999").status_code == 404


@pytest.mark.parametrize(
    "plan", ["{", "[]", '{"step": "three"}', '{"step": 1, "more": 2}', "x" * 30000]
)
def test_a_plan_that_is_none_is_told(played: Played, phone: PhoneOf, plan: str) -> None:
    played.turn()
    phone.sit("gudrun")
    refused = phone.send("/again", {"step": "1", "act": "keep", "plan": plan})
    assert refused.status_code == 422
    assert played.fact("gudrun.silver") == 7


def test_what_the_box_says_is_put_off_given_up_and_corrected(
    played: Played, phone: PhoneOf
) -> None:
    attack_gijon(played)
    phone.sit("gudrun")
    page = phone.get("/now")
    assert played.table.look().pending
    action, fields = form_with(page, 'id="later"')
    phone.send(action, fields | {"key": "box:gijon.defenders"})
    asked = next(q for q in played.table.look().questions if q.key == "box:gijon.defenders")
    assert asked.urgency == "offer"

    action, fields = form_with(phone.get("/now"), 'name="pending"')
    phone.send(action, fields | {"pending": str(played.table.look().pending[0].id)})
    assert not played.table.look().pending

    action, fields = form_with(phone.get("/box/gijon.defenders"), 'value="box:gijon.defenders"')
    phone.send(action, fields | {"value": "2"})
    told = next(v for v in played.table.printed_values() if v.key == "gijon.defenders")
    assert (told.value, told.told) == (2, True)
    assert phone.send(action, fields | {"value": "77", "once": "another"}).status_code == 422
    assert phone.client.get("/box/rome.defenders").status_code == 404
    assert "Gijon" in words_of(phone.get("/box"))


def test_the_past_is_decided_again_with_the_right_value(played: Played, phone: PhoneOf) -> None:
    attack_gijon(played)
    played.say("box:gijon.defenders", Number(1))
    played.say("box:gijon.silver", Number(1))
    assert not played.table.look().pending
    phone.sit("gudrun")
    action, fields = form_with(phone.get("/box/gijon.defenders"), 'value="box:gijon.defenders"')
    phone.send(action, fields | {"value": "3"})
    page = phone.get("/box/gijon.defenders")
    assert "decided with another value" in words_of(page)
    action, fields = form_with(page, 'id="decide-again"')
    page = phone.send(action, fields).text
    action, fields = form_with(page, 'id="do"')
    phone.send(action, fields)
    assert played.fact("battle.defenders") == 3
    value = next(v for v in played.table.printed_values() if v.key == "gijon.defenders")
    assert value.otherwise is None


def test_a_program_looks_first_and_then_puts_the_past_right(
    played: Played, program: FlaskClient
) -> None:
    played.attack()
    played.say("battle.roll", Done(), "gudrun")
    played.say("gudrun.saga", Cards(("freyja",)), "gudrun")
    number = played.table.story(limit=1)[0].number
    looked = post(program, "/api/rewrite", {"plan": {"step": number}, "preview": True})
    assert looked.status_code == 200
    assert any(c["key"] == "gudrun.hand" for c in looked.json["changes"])
    done = post(program, "/api/rewrite", {"plan": {"step": number}, "rev": looked.json["rev"]})
    assert done.status_code == 200
    late = post(program, "/api/rewrite", {"plan": {"step": number}})
    assert late.status_code == 409
    wrong = post(program, "/api/rewrite", {"plan": {"step": 999}, "preview": True})
    assert (wrong.status_code, set(wrong.json)) == (422, {"seen", "expected", "do"})
    stopped = post(program, "/api/rewrite", {"plan": {"step": 1}})
    assert stopped.status_code == 409
    assert stopped.json["stop"]["step"] > 1
    assert stopped.json["why"]


def test_a_number_of_a_battle_that_is_over_is_gone_not_unknown(
    played: Played, phone: PhoneOf
) -> None:
    played.attack()
    played.say("battle.roll", Done(), "gudrun")
    survivors = Filled({"attackers": 3, "defenders": 0})
    played.say("battle.survivors", survivors, "gudrun")
    number = played.table.story(limit=1)[0].number
    phone.sit("gudrun")
    told = words_of(phone.get(f"/step/{number}"))
    assert "Rounds fought 0 → –" in told
    assert "?" not in told


def test_a_drawn_saga_is_shown_to_nobody(played: Played, phone: PhoneOf) -> None:
    played.begin()
    phone.sit("gudrun")
    asked = phone.get("/now").partition('id="q-turn-draw"')[2].partition("</section>")[0]
    told = words_of(f"<section{asked}")
    assert "Show nobody a drawn Saga" in told
    assert "Tap the card on the reader" not in told
