"""Whatever the companion believes can be set by hand, and taken back."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.vikingjarl.facts import check_correction
from companion.games.vikingjarl.printed import SWITCHES
from companion.games.vikingjarl.state import Jarl, Settlement, State, Unit
from companion.terms import Answer, Cards, Done, Filled, Number, Picked, Placed, Value
from tests.vikingjarl.at_the_table import Table


def test_a_round_that_was_miscounted_is_set_right() -> None:
    """Five rounds are agreed. After the second the token lies on 4: it is the fourth."""
    table = Table({"variant": ["player_turns"], "rounds": 5})
    assert table.fact("turn.round") is None, "the first round needs no word"
    for _ in range(4):
        table.must("turn.end", Done())
        table.must("turn.draw", Done())
    assert table.fact("turn.round") == 2

    table.set("turn.round", 4)
    assert table.fact("turn.round") == 4
    table.undo()
    assert table.fact("turn.round") == 2


def test_a_round_set_to_the_last_ends_the_game_with_its_last_turn() -> None:
    table = Table({"variant": ["player_turns"], "rounds": 5})
    table.set("turn.round", 5)
    table.set("turn.jarl", Picked(("brage",)))
    table.set("gudrun.vp", 2)
    table.must("turn.end", Done())

    assert table.fact("game.winner") == ["gudrun"]


def test_no_round_where_none_is_counted() -> None:
    table = Table()

    assert table.why_not("fact:turn.round", Number(2)) == ["no_rounds"]
    assert table.says("fact:turn.round", Number(2), insist=True), "nothing crashes"
    assert table.fact("turn.round") is None


def test_a_longer_evening_is_agreed_in_the_middle() -> None:
    table = Table({"variant": ["player_turns"], "rounds": 3})
    table.set("turn.round", 3)
    assert table.why_not("fact:switch.rounds", Number(2)) == ["bounds"], "round 3 is being played"
    table.set("switch.rounds", 6)
    table.set("turn.jarl", Picked(("brage",)))
    table.must("turn.end", Done())

    assert table.fact("game.winner") == "none"
    assert table.fact("turn.round") == 4


def test_four_players_become_two_sides_and_four_again() -> None:
    """Red and Black, Blue and Yellow agree on an alliance after the first turn."""
    table = Table()
    table.set("harald.vp", 6)
    table.set("brage.vp", 4)
    table.set("switch.variant", Picked(("allied",)))
    assert [jarl.team for jarl in table.state.jarls] == [1, 2, 2, 1]
    table.set("harald.ship.at", Placed("sea_kaupang"))
    table.must("harald.ship.move", Placed("kaupang"))
    assert table.fact("game.winner") == ["harald", "brage"]

    table.undo(3)
    assert table.fact("switch.variant") == []
    assert [jarl.team for jarl in table.state.jarls] == [0, 0, 0, 0]
    table.set("harald.ship.at", Placed("sea_kaupang"))
    table.must("harald.ship.move", Placed("kaupang"))
    assert table.fact("game.winner") == "none"


def test_two_players_pool_their_sagas_in_mid_game() -> None:
    """What both Jarls held is one hand of the player; parted again, it stays with the first."""
    table = Table()
    table.hold("harald", "tyr")
    table.hold("brage", "frigg", "thor")
    table.set("switch.variant", Picked(("two_by_two",)))
    assert table.fact("harald.hand") == table.fact("brage.hand") == 3
    assert table.fact("brage.hand.titles", "brage") == ["tyr", "frigg", "thor"]

    table.set("switch.variant", Picked(()))
    assert (table.fact("harald.hand"), table.fact("brage.hand")) == (3, 0)
    table.undo(2)
    assert table.fact("brage.hand.titles", "brage") == ["frigg", "thor"]


@pytest.mark.parametrize(
    ("jarls", "chosen", "why"),
    [
        (4, ("two_by_two", "allied"), "one_form_of_sides"),
        (3, ("allied",), "four_jarls"),
        (2, ("two_by_two",), "four_jarls"),
    ],
)
def test_a_variant_that_cannot_be_is_not_even_insisted_on(
    jarls: int, chosen: tuple[str, ...], why: str
) -> None:
    table = Table(jarls=jarls)

    assert table.why_not("fact:switch.variant", Picked(chosen)) == [why]
    assert table.says("fact:switch.variant", Picked(chosen), insist=True)
    assert table.fact("switch.variant") == []


# ------------------------------------------------- small marks of a turn, shown on no page


def test_a_ship_that_was_stopped_by_mistake_sails_on() -> None:
    """Harald takes the token of Vinland. It was Gudrun's long ago: his Movement is not over."""
    table = Table()
    table.must("harald.ship.move", Placed("vinland"))
    assert table.asks("harald.ship.move") is None
    table.set("harald.ship.stopped", Picked(("false",)))
    assert table.asks("harald.ship.move") is not None
    table.undo()
    assert table.asks("harald.ship.move") is None


def test_a_visit_that_has_begun_is_set_by_hand() -> None:
    """The Ship has acted in Ribe: without the visit it deals no more, with it it does."""
    deal = Filled({"buy.v.ship": 1})
    table = Table()
    table.set("harald.ship.at", Placed("ribe"))
    table.set("harald.ship.v", 2)
    table.set("harald.ship.phase", Picked(("acted",)))
    assert table.why_not("harald.ship.trade", deal) == ["action_used"]
    table.set("harald.ship.trading", Placed("ribe"))
    assert table.why_not("harald.ship.trade", deal) == []
    table.set("harald.ship.trading", Placed("none"))
    assert table.why_not("harald.ship.trade", deal) == ["action_used"]
    table.undo()
    assert table.why_not("harald.ship.trade", deal) == []


def test_a_pillage_that_nobody_told_pays_its_silver_treasure() -> None:
    table = Table()
    table.hold("harald", "silver_treasure")
    treasure = Cards(("silver_treasure",))
    assert table.why_not("harald.saga", treasure) == ["no_pillage"]
    table.set("harald.pillaged", Picked(("true",)))
    table.must("harald.saga", treasure)
    assert table.fact("harald.silver") == 4
    table.undo(2)
    assert table.why_not("harald.saga", treasure) == ["no_pillage"]


def test_what_a_damage_cost_comes_back_with_the_repair() -> None:
    """Where the house gives back what was lost: Man cost only 2 of its 5 points."""
    table = Table({"switch.repair_returns": "amount_lost"})
    table.set("harald.settlements.man.damaged", Picked(("true",)))
    table.set("harald.ship.at", Placed("man"))
    table.set("harald.settlements.man.lost", 2)
    table.must("harald.ship.act", Picked(("repair:man",)))
    assert table.fact("harald.vp") == 2
    table.undo(2)
    table.must("harald.ship.act", Picked(("repair:man",)))
    assert table.fact("harald.vp") == 5


def test_the_unit_that_moved_last_is_set_by_hand() -> None:
    """Only the last move may be told to have taken more steps."""
    table = Table()
    assert table.asks("move.steps") is None
    table.set("turn.moved", Picked(("ship",)))
    table.set("harald.ship.steps", 1)
    table.must("move.steps", Number(3))
    assert table.fact("harald.ship.steps") == 3
    table.undo(3)
    assert table.asks("move.steps") is None


# ------------------------------------------------------------------------ nothing is left out

FOLLOWS = {
    "colour": "chosen at set-up",
    "sign": "belongs to the colour",
    "id": "the Jarl's own name",
    "team": "follows from switch.variant",
    "hand": "JARL.hand; pooled by switch.variant",
    "purse": "JARL.silver; pooled by its switch",
    "unit": "the parts of a unit have keys of their own",
    "hold": "each kind has a key",
    "jarls": "each has keys of its own",
    "hands": "JARL.hand, JARL.hand.titles",
    "purses": "JARL.silver",
    "switches": "switch.NAME",
    "target": "switch.target_vp",
    "towns": "town.TOWN.shield and so on",
    "tokens": "map.PLACE_token",
    "discard": "discard.count",
    "bottom": "follows from the deck when it was built",
    "stack": "what is being resolved is answered, or undone",
    "winner": "follows from coming home, or from game.end",
    "ship": "JARL.ship.at and so on",
    "army": "JARL.army.at and so on",
    "kaupang": "JARL.kaupang.KIND",
    "settlements": "JARL.settlements.TOWN.KIND",
    "turn": "turn.jarl",
    "phase": "turn.phase",
    "moved": "turn.moved",
    "variant": "switch.variant",
    "rounds": "switch.rounds",
    "round": "turn.round",
    "started_in": "JARL.UNIT.started_in",
}


@pytest.mark.parametrize("part", [State, Jarl, Unit, Settlement])
def test_every_part_of_the_state_has_a_key_or_a_reason(part: Any) -> None:
    table = Table()
    table.set("harald.settlements.man.damaged", Picked(("true",)))
    stems = {Jarl: "harald", Unit: "harald.ship", Settlement: "harald.settlements.man"}
    for name in part.__struct_fields__:
        key = "harald.army.rode" if name == "rode" else f"{stems.get(part, 'turn')}.{name}"
        if name in FOLLOWS:
            continue
        key += {"saga_on": ".gudrun", "recruited": ".kaupang"}.get(name, "")
        asked = Answer(f"fact:{key}", Done())
        said = [o.say.key for o in check_correction(table.state, asked)]
        assert said == ["objection.say_what"], f"{key} cannot be set by hand"


@pytest.mark.parametrize("name", SWITCHES)
def test_every_house_rule_is_changed_in_the_game_and_taken_back(name: str) -> None:
    table = Table()
    usual = table.fact(f"switch.{name}")
    for value in SWITCHES[name].values[1:]:
        said: Value = Picked((value,))
        table.set(f"switch.{name}", said)
        assert table.fact(f"switch.{name}") == value
        table.undo()
        assert table.fact(f"switch.{name}") == usual
