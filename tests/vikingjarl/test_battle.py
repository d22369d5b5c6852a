"""Battle: how many fight, how many dice, who falls, and who may go home."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from companion.games.vikingjarl.events import Rolled
from companion.terms import say
from companion.words import Words
from tests.vikingjarl.at_the_table import DONE, Table, dice, form, pick, saga, to

WORDS = Words.load()


def before_paris(vikings: int = 4) -> Table:
    """Harald's Ship lies in Paris, which three white Vikings defend; nobody holds a Saga."""
    table = Table()
    for jarl in ("harald", "gudrun", "eirik", "brage"):
        table.set(f"{jarl}.hand", 0)
    table.put(harald_ship_at="paris", harald_ship_v=vikings)
    table.must("harald.ship.act", pick("attack:paris"))
    return table


def test_two_hits_count_and_a_third_helmet_is_wasted() -> None:
    table = before_paris()
    table.must("battle.commit", form(ship=4))
    assert table.fact("battle.pool.attack.black") == 3
    assert table.fact("battle.pool.defence.white") == 2, "a town never throws more than two"
    asked = table.asks("battle.roll")
    assert asked is not None
    assert asked.detail is not None
    assert WORDS.tell(asked.detail, "en", "vikingjarl") == (
        "Throw 3 black against 2 white into the tray. At most 2 hits of a side count."
    )
    table.must("battle.roll", dice("HHH", "HM"))
    rolled = next(event for event in table.told if isinstance(event, Rolled))
    told = say("event.Rolled", **to_builtins(rolled))
    assert WORDS.tell(told, "en", "vikingjarl") == (
        "Round 1: 2 hits against 1 hit, only 2 of a side count"
    )

    assert (table.fact("battle.attackers"), table.fact("battle.defenders")) == (3, 1)
    assert table.fact("harald.ship.v") == 3
    table.undo()
    assert (table.fact("battle.attackers"), table.fact("battle.defenders")) == (4, 3)


def test_a_throw_with_a_die_too_few_is_not_guessed() -> None:
    table = before_paris()
    table.must("battle.commit", form(ship=4))

    assert table.why_not("battle.roll", dice("HH", "HM")) == ["dice"]
    assert table.why_not("battle.roll", dice("HHH", "HMM")) == ["dice"]


@pytest.mark.parametrize(
    ("attackers", "attack", "defence", "fallen"),
    [
        (3, "HMM", "MM", (0, 1)),
        (3, "HMM", "HM", (1, 1)),
        (2, "HH", "HM", (1, 2)),
        (1, "M", "HM", (1, 0)),
    ],
)
def test_the_printed_samples(
    attackers: int, attack: str, defence: str, fallen: tuple[int, int]
) -> None:
    """Their dice are pictures: the fewest helmets that give the printed losses (R78)."""
    table = before_paris(attackers)
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice(attack, defence))
    stand = table.fact("battle.attackers") or 0, table.fact("battle.defenders")

    expected = attackers - fallen[0], 3 - fallen[1]
    assert stand == expected if expected[0] else table.fact("harald.ship.v") == 0


def test_harald_withdraws_and_sails_out() -> None:
    table = before_paris()
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("MMM", "HM"))
    table.must("battle.go_on", pick("withdraw"))
    table.must("harald.ship.exit", to("sea_paris"))

    assert table.fact("harald.ship.at") == "sea_paris"
    assert table.fact("harald.ship.v") == 3
    assert table.fact("harald.silver") == 1
    assert table.fact("harald.attacked") == ["paris"], "a failed attack counts for the ban"


def test_whether_to_go_on_is_asked_once_before_each_round() -> None:
    table = before_paris()
    table.must("battle.commit", DONE)
    asked = table.asks("battle.go_on")
    assert asked is not None
    assert WORDS.tell(asked.say, "en", "vikingjarl") == "Round 1: go on or withdraw?"
    table.must("battle.go_on", pick("go_on"))
    assert table.asks("battle.go_on") is None, "it was said, now the dice are thrown"
    assert table.why_not("battle.go_on", pick("withdraw")) == ["goes_on"]
    table.must("battle.roll", dice("MMM", "HM"))

    asked = table.asks("battle.go_on")
    assert asked is not None, "the next round is another decision"
    assert WORDS.tell(asked.say, "de", "vikingjarl") == "Runde 2: weiter oder Rückzug?"
    table.must("battle.go_on", pick("go_on"))
    assert table.asks("battle.go_on") is None
    table.undo()
    table.must("battle.go_on", pick("withdraw"))
    assert table.asks("harald.ship.exit") is not None


def test_who_said_to_go_on_may_still_have_left_before_the_throw() -> None:
    table = before_paris()
    table.must("battle.commit", DONE)
    table.must("battle.go_on", pick("go_on"))
    assert not table.says("battle.go_on", pick("withdraw"))
    assert table.says("battle.go_on", pick("withdraw"), insist=True)
    assert table.asks("harald.ship.exit") is not None


def test_reserves_come_when_nobody_stands_any_more() -> None:
    table = before_paris()
    table.must("battle.commit", form(ship=2))
    table.must("battle.roll", dice("HH", "HH"))
    asked = table.asks("battle.resupply")
    assert asked is not None
    assert asked.urgency == "now"
    table.must("battle.resupply", form(ship=2))
    table.must("battle.roll", dice("HM", "M"))

    assert table.fact("harald.vp") == 1
    assert table.fact("harald.silver") == 1 + 2 * 2


def test_berserk_throws_a_red_die_for_two_rounds() -> None:
    table = Table()
    table.hold("harald", "berserk")
    table.put(harald_ship_at="paris")
    table.must("harald.saga", saga("berserk"))
    table.must("harald.ship.act", pick("attack:paris"))
    table.must("battle.commit", form(ship=1))
    pools: list[tuple[int, int]] = []
    for _ in range(3):
        pools.append((table.fact("battle.pool.attack.black"), table.fact("battle.pool.attack.red")))
        table.must("battle.roll", dice("M" * pools[-1][0], "MM", "M" * pools[-1][1]))

    assert pools == [(3, 1), (3, 1), (1, 0)]


def test_tyr_turns_a_shield_after_the_throw() -> None:
    table = before_paris()
    table.hold("harald", "tyr")
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HMM", "MM"))
    assert table.fact("battle.defenders") == 3, "the losses wait for Tyr"
    table.must("harald.saga", saga("tyr"))
    table.must("saga.die", pick("die:black:2"))

    assert table.fact("battle.defenders") == 1
    table.undo(2)
    table.must("battle.losses", DONE)
    assert table.fact("battle.defenders") == 2


def test_the_dead_of_valhalla_go_to_kaupang() -> None:
    table = Table()
    table.hold("harald", "valhalla")
    table.put(harald_ship_at="paris")
    table.must("harald.saga", saga("valhalla"))
    table.must("harald.ship.act", pick("attack:paris"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("MMM", "HH"))

    assert (table.fact("harald.ship.v"), table.fact("harald.kaupang.v")) == (2, 2)


def test_vikings_counted_wrong_in_the_middle_of_a_battle() -> None:
    """The losses wait for Tyr when somebody sees that the Ship is empty. Nobody falls twice."""
    table = before_paris(2)
    table.hold("harald", "tyr")
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("MM", "HM"))
    table.put(harald_ship_v=0)
    table.must("battle.losses", DONE)

    assert table.fact("harald.ship.v") == 0
    assert table.fact("harald.supply") == 9
    table.undo(2)
    assert table.fact("harald.ship.v") == 2
