"""The variant is a house rule like others: changed on the page of rules, a step like every step."""

from __future__ import annotations

from tests.web.playing import PhoneOf, Played, form_with, words_of


def test_allies_are_agreed_on_the_page_of_rules(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun", "Signe")
    assert "/fact/switch.variant" in phone.get("/rules")
    sheet = phone.get("/fact/switch.variant")
    assert "Allied, 2 against 2" in words_of(sheet)
    path, fields = form_with(sheet, 'id="set"')
    phone.send(path, fields | {"value": "allied"})

    assert played.fact("switch.variant") == ["allied"]
    assert "allied" in words_of(phone.get("/rules"))
    played.table.undo()
    assert played.fact("switch.variant") == []
