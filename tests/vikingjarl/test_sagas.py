"""Sagas: played at their moment, aimed, answered, and spent."""

from __future__ import annotations

import pytest

from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, saga, to


def with_sagas(*titles: str) -> Table:
    """Harald holds these Sagas, the others none."""
    table = Table()
    table.hold("harald", *titles)
    for jarl in ("gudrun", "eirik", "brage"):
        table.set(f"{jarl}.hand", 0)
    return table


def test_pirates_take_silver_where_the_red_die_shows_a_helmet() -> None:
    table = with_sagas("pirates")
    table.put(harald_ship_at="sea_a", gudrun_ship_at="sea_a")
    table.must("harald.saga", saga("pirates"))
    table.must("saga.target", pick("gudrun"))
    table.must("saga.roll", dice(red="H"))

    assert (table.fact("harald.silver"), table.fact("gudrun.silver")) == (3, 0)
    assert table.fact("harald.ship.phase") == "acted", "the Ship's Action"
    table.undo()
    table.must("saga.roll", dice(red="M"))
    assert table.fact("gudrun.silver") == 2


def test_odins_wrath_is_answered_by_frigg() -> None:
    table = with_sagas("odins_wrath")
    table.hold("gudrun", "frigg")
    table.put(gudrun_vp=2)
    table.must("harald.saga", saga("odins_wrath"))
    table.must("saga.target", pick("gudrun"))
    table.must("gudrun.cancel", saga("frigg"))

    assert table.fact("gudrun.vp") == 2
    assert (table.fact("harald.hand"), table.fact("gudrun.hand")) == (0, 0)
    assert table.fact("discard.count") == 2
    table.undo()
    table.must("gudrun.cancel", pick("pass"))
    assert (table.fact("gudrun.vp"), table.fact("gudrun.hand")) == (1, 1)


def test_one_saga_on_each_opponent_a_turn() -> None:
    table = with_sagas("odins_wrath", "odins_wrath")
    table.put(gudrun_vp=2, eirik_vp=2)
    table.must("harald.saga", saga("odins_wrath"))
    table.must("saga.target", pick("gudrun"))
    table.must("harald.saga", saga("odins_wrath"))

    assert table.why_not("saga.target", pick("gudrun")) == ["one_saga"]
    table.must("saga.target", pick("eirik"))
    assert table.fact("eirik.vp") == 1


def test_a_saga_that_finds_nothing_stays_in_the_hand() -> None:
    table = with_sagas("loki")
    assert table.why_not("harald.saga", saga("loki")) == ["no_target"]
    table.put(eirik_hand=1)
    table.must("harald.saga", saga("loki"))
    table.must("saga.target", pick("eirik"))

    assert (table.fact("harald.hand"), table.fact("eirik.hand")) == (1, 0)


def test_a_storm_blows_the_active_ship_away_unless_njord_answers() -> None:
    table = with_sagas("njord")
    table.hold("eirik", "aegir")
    table.put(harald_ship_at="sea_a")
    table.must("eirik.saga", saga("aegir"))
    table.must("saga.unit", pick("ship"))
    table.must("saga.zone.ship", to("sea_b"))
    table.must("harald.cancel", pick("pass"))
    assert table.fact("harald.ship.at") == "sea_b"
    assert table.fact("harald.ship.steps") == 0, "a storm is no Movement"

    table.undo()
    table.must("harald.cancel", saga("njord"))
    assert table.fact("harald.ship.at") == "sea_a"


def test_freyr_clears_the_town_that_is_entered() -> None:
    table = with_sagas("freyr")
    table.put(gudrun_ship_at="paris", harald_ship_at="sea_paris")
    assert table.why_not("harald.ship.move", to("paris")) == ["occupied"]
    table.must("harald.saga", saga("freyr"))
    table.must("saga.target", pick("gudrun"))
    if table.asks("saga.place"):
        table.must("saga.place", pick("paris"))
    table.must("saga.zone.ship", to("sea_paris"))
    table.must("harald.ship.move", to("paris"))

    assert table.fact("gudrun.ship.at") == "sea_paris"
    assert table.fact("harald.ship.at") == "paris"


def test_vikingjarl_trades_a_viking_of_theirs_for_one_of_mine() -> None:
    table = with_sagas("vikingjarl")
    table.must("harald.saga", saga("vikingjarl"))
    table.must("saga.target", pick("gudrun", "eirik"))

    assert (table.fact("gudrun.ship.v"), table.fact("eirik.ship.v")) == (3, 3)
    assert table.fact("harald.kaupang.v") == 2
    table.undo(2)
    assert table.fact("gudrun.ship.v") == 4


@pytest.mark.parametrize(("place", "came"), [("kaupang", 2), ("man", 1)])
def test_freyja_sends_two_vikings_or_what_fits(place: str, came: int) -> None:
    table = with_sagas("freyja")
    table.set("harald.settlements.man.damaged", False)
    table.put(harald_settlements_man_v=3)
    table.must("harald.saga", saga("freyja"))
    table.must("saga.to", pick(place))

    store = "kaupang" if place == "kaupang" else "settlements.man"
    assert table.fact(f"harald.{store}.v") == came + (0 if place == "kaupang" else 3)


def test_longships_bring_no_fifth_viking_by_themselves() -> None:
    """The only Viking of Kaupang and a full garrison: there is nowhere to go."""
    table = with_sagas("longships")
    table.set("harald.settlements.man.damaged", False)
    table.put(harald_settlements_man_v=4, harald_kaupang_v=1)
    assert table.why_not("harald.saga", saga("longships")) == ["no_target"]
    table.put(harald_settlements_man_v=3)
    table.must("harald.saga", saga("longships"))

    assert table.fact("harald.settlements.man.v") == 4
    assert table.fact("harald.kaupang.v") == 0


def test_longships_relieve_a_settlement_under_attack() -> None:
    table = Table()
    table.put(harald_hand=0, gudrun_kaupang_v=2, harald_ship_at="man")
    table.hold("gudrun", "longships")
    table.set("gudrun.settlements.man.damaged", False)
    table.must("harald.ship.act", pick("attack:man"))
    table.must("battle.commit", DONE)
    table.must("gudrun.saga", saga("longships"))
    table.must("saga.bring", form(v=2))

    assert table.fact("battle.defenders") == 2
    assert table.fact("gudrun.kaupang.v") == 0


def test_ragnarok_leaves_one_saga_to_each() -> None:
    table = with_sagas("tyr", "thor", "frigg")
    table.put(gudrun_hand=2)
    table.must("turn.end", DONE)
    table.must("turn.draw", saga("ragnarok"))
    table.must("harald.keep", saga("frigg"))
    table.must("gudrun.keep", saga("unknown"))

    assert table.fact("harald.hand.titles", "harald") == ["frigg"]
    assert (table.fact("harald.hand"), table.fact("gudrun.hand")) == (1, 1)
    assert table.fact("turn.phase") == "act"


def test_a_title_that_was_told_wrong_is_put_right() -> None:
    table = with_sagas("tyr")
    assert table.why_not("harald.saga", saga("holmgang")) == ["not_in_hand"]
    table.set("harald.hand.titles", saga("holmgang"))
    assert table.why_not("harald.saga", saga("holmgang")) == []
    table.undo()
    assert table.why_not("harald.saga", saga("holmgang")) == ["not_in_hand"]


def test_more_cards_in_hands_than_the_deck_has_left_come_off_the_discards() -> None:
    """Fifty-nine cards there are; none is made of air when a hand is corrected."""
    table = with_sagas()
    table.set("deck.count", 2)
    table.put(gudrun_hand=5)

    assert table.fact("deck.count") == 0
    assert table.fact("discard.count") == 59 - 5
