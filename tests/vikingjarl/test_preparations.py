"""Preparations and Setup: who sits where, with what, and the draft."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, pick


def test_who_begins_has_one_coin_and_who_is_last_has_four() -> None:
    table = Table({"first": "eirik"}, draft=False)

    assert table.fact("turn.jarl") == "eirik"
    order = ("eirik", "brage", "harald", "gudrun")
    assert [table.fact(f"{jarl}.silver") for jarl in order] == [1, 2, 3, 4]
    assert table.fact("bank.silver") == 30


def test_the_first_four_vikings_are_divided_as_wished() -> None:
    table = Table({"ship.harald": 1}, draft=False)

    assert (table.fact("harald.ship.v"), table.fact("harald.army.v")) == (1, 3)
    assert table.fact("harald.supply") == 5, "the marker is not counted"


def test_after_the_draft_everybody_holds_one_saga() -> None:
    table = Table(draft=False)
    asked = table.asks("setup.draft")
    assert asked is not None
    assert asked.say.values == {"n": 5, "jarl": "brage"}, "the last of four draws five"
    table.must("setup.draft", DONE)

    assert [table.fact(f"{jarl}.hand") for jarl in ("harald", "gudrun")] == [1, 1]
    assert table.fact("deck.count") == 55
    assert table.fact("deck.top_pile") == 24
    table.undo()
    assert table.fact("deck.count") == 59


def test_in_the_form_of_two_sides_the_colours_give_the_order() -> None:
    """Black, Blue, Red, Yellow: with the usual colours Brage, Gudrun, Harald, Eirik."""
    table = Table({"variant": ["two_by_two"], "first": "harald"}, draft=False)

    assert [jarl.id for jarl in table.state.jarls] == ["brage", "gudrun", "harald", "eirik"]


def test_a_viking_too_many_on_a_ship_is_put_right_by_hand() -> None:
    table = Table({"ship.harald": 4}, draft=False)
    table.put(harald_ship_v=2, harald_army_v=2)

    assert (table.fact("harald.ship.v"), table.fact("harald.army.v")) == (2, 2)
    table.undo(2)
    assert (table.fact("harald.ship.v"), table.fact("harald.army.v")) == (4, 0)


def test_the_draft_comes_before_everything_and_only_once() -> None:
    table = Table(draft=False)
    assert [question.key for question in table.questions()] == ["setup.draft"]
    assert table.why_not("turn.end", DONE) == ["phase.draft"]
    table.must("setup.draft", DONE)
    assert table.why_not("setup.draft", DONE) == ["drafted"]
    assert table.why_not("turn.start", pick("gudrun")) == ["out_of_turn"]
