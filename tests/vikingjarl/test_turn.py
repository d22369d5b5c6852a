"""Gameplay: draw a Saga, move and act, discard down to three."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, pick, saga, to


def test_a_turn_begins_with_drawing() -> None:
    table = Table()
    table.must("turn.end", DONE)

    assert table.fact("turn.jarl") == "gudrun"
    assert table.why_not("gudrun.ship.move", to("sea_kaupang")) == ["phase.draw"]
    table.must("turn.draw", DONE)
    table.must("gudrun.ship.move", to("sea_kaupang"))
    assert table.fact("gudrun.hand") == 2


def test_five_in_hand_go_down_to_three() -> None:
    table = Table()
    table.hold("harald", "tyr", "thor", "frigg", "njord", "loki")
    table.must("turn.end", DONE)
    assert table.fact("turn.phase") == "discard"
    assert table.why_not("harald.discard", saga("tyr")) == ["discard_count"]
    assert table.why_not("harald.discard", saga("tyr", "balder")) == ["not_in_hand"]
    table.must("harald.discard", saga("tyr", "loki"))

    assert table.fact("turn.jarl") == "gudrun"
    assert table.fact("discard.count") == 2
    assert table.fact("harald.hand.titles", "harald") == ["thor", "frigg", "njord"]
    table.undo(2)
    assert table.fact("harald.hand") == 5
    assert table.fact("turn.phase") == "act"


def test_a_saga_with_the_silver_sign_brings_a_coin() -> None:
    """The sign is printed on the card; the box is asked once for each title."""
    table = Table()
    table.box.told["tyr.symbol"], table.box.told["thor.symbol"] = "yes", "no"
    table.hold("harald", "tyr", "thor")
    assert table.why_not("harald.discard_for_silver", saga("thor")) == ["no_symbol"]
    table.must("harald.discard_for_silver", saga("tyr"))

    assert table.fact("harald.silver") == 2
    assert table.fact("harald.hand") == 1
    table.undo()
    assert (table.fact("harald.silver"), table.fact("harald.hand")) == (1, 2)


def test_the_gods_are_angry_at_everybody() -> None:
    """Who has Vikings loses two of them; Brage, who has one, loses a point instead."""
    table = Table()
    table.put(brage_ship_v=1, brage_vp=3)
    table.must("turn.end", DONE)
    table.must("turn.draw", saga("gods_are_angry"))

    assert table.fact("brage.vp") == 2
    assert table.fact("brage.ship.v") == 1
    assert [table.fact(f"{jarl}.ship.v") for jarl in ("harald", "gudrun", "eirik")] == [2, 2, 2]
    table.undo()
    assert table.fact("brage.vp") == 3
    assert table.fact("harald.ship.v") == 4


def test_the_turn_was_somebody_elses() -> None:
    """They forgot Eirik. He takes the turn; nobody is asked twice."""
    table = Table()
    table.must("turn.end", DONE)
    assert not table.says("turn.start", pick("eirik"))
    assert table.says("turn.start", pick("eirik"), insist=True)

    assert table.fact("turn.jarl") == "eirik"
    assert table.fact("turn.phase") == "draw"
    table.undo()
    assert table.fact("turn.jarl") == "gudrun"


def test_a_new_turn_forgets_what_the_last_one_counted() -> None:
    table = Table()
    table.put(harald_attacked=pick("paris"), harald_army_phase="moved")
    table.set("harald.sagas_bought", 2)
    table.set("harald.saga_on.gudrun", 1)
    table.must("turn.end", DONE)
    assert table.fact("harald.last_attacked") == ["paris"], "for the ban of the next own turn"
    for _ in ("gudrun", "eirik", "brage"):
        table.must("turn.draw", DONE)
        table.must("turn.end", DONE)

    assert table.fact("harald.army.phase") == "fresh"
    assert table.fact("harald.sagas_bought") == 0
    assert table.fact("harald.saga_on.gudrun") == 0
