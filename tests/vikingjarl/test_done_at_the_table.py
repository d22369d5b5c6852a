"""What happened at the table without a word to the companion, and what only one seat may see."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import vikingjarl
from companion.games.vikingjarl.printed import PRINTED
from companion.terms import (
    CannotStart,
    Cards,
    Count,
    Done,
    Filled,
    Number,
    Picked,
    Placed,
    Seat,
)
from companion.words import Words
from tests.vikingjarl.at_the_table import Table, dice


def pillage() -> Table:
    table = Table()
    table.set("harald.ship.at", Placed("lindisfarne"))
    table.must("harald.ship.act", Picked(("attack:lindisfarne",)))
    table.must("battle.commit", Done())
    return table


def test_a_throw_that_nobody_wrote_down_asks_who_still_stands() -> None:
    table = pillage()
    table.must("battle.roll", Done())
    asked = table.asks("battle.survivors")
    assert asked is not None
    table.must("battle.survivors", Filled({"attackers": 3, "defenders": 0}))

    assert table.fact("harald.ship.v") == 3
    assert table.fact("harald.silver") == 1 + 3
    assert table.fact("battle.round") is None


def test_more_than_two_of_a_side_never_fall_in_one_throw() -> None:
    table = pillage()
    table.must("battle.roll", Done())

    assert not table.says("battle.survivors", Filled({"attackers": 1, "defenders": 1}))
    assert table.says("battle.survivors", Filled({"attackers": 1, "defenders": 1}), insist=True)
    assert table.fact("harald.ship.v") == 1


def test_a_red_die_that_nobody_wrote_down_asks_what_it_showed() -> None:
    table = Table()
    table.hold("harald", "holmgang")
    table.must("harald.saga", Cards(("holmgang",)))
    table.must("saga.target", Picked(("gudrun",)))
    table.must("saga.roll", Done())
    table.must("saga.hit", Picked(("helmet",)))

    assert table.fact("gudrun.ship.v") == 2


def test_a_saga_done_at_the_table_is_over() -> None:
    table = Table()
    table.hold("harald", "odins_wrath")
    table.set("gudrun.vp", 2)
    table.must("harald.saga", Cards(("odins_wrath",)))
    table.must("saga.target", Done())

    assert table.fact("gudrun.vp") == 2
    assert table.fact("harald.hand") == 0
    assert table.asks("turn.end") is not None


def test_five_on_four_spaces_are_shown_and_disputed() -> None:
    table = Table()
    table.set("harald.ship.wood", 1)
    shown = vikingjarl.view(table.state, table.box, None)
    facts = {fact.key: fact for fact in shown.facts}

    assert facts["harald.ship.wood"].disputed
    assert shown.picture.jarls[0].ship.spaces == ("viking",) * 4 + ("wood",)


def test_coins_are_a_hard_limit_even_when_insisted_on() -> None:
    table = Table()
    fact = next(
        f for f in vikingjarl.view(table.state, table.box, None).facts if f.key == "gudrun.silver"
    )
    assert fact.set_by == Count(0, 2 + 30)
    assert not table.says("fact:gudrun.silver", Number(99))
    assert table.says("fact:gudrun.silver", Number(99), insist=True)

    assert table.fact("gudrun.silver") == 32
    assert table.fact("bank.silver") == 0


def test_titles_of_a_hand_are_for_its_own_seat() -> None:
    table = Table()
    table.hold("gudrun", "frigg", "tyr")

    assert table.fact("gudrun.hand.titles", "gudrun") == ["frigg", "tyr"]
    assert table.fact("gudrun.hand.titles", "harald") is None
    assert table.fact("gudrun.hand.titles", None) is None
    assert table.told[0].readers == ("gudrun",)
    for seat, titles in (("gudrun", ("frigg", "tyr")), ("harald", ())):
        picture = vikingjarl.view(table.state, table.box, seat).picture
        assert picture.jarls[1].titles == titles


def test_who_could_answer_gives_nothing_away() -> None:
    """The window is the same whether or not the hand holds Frigg; an empty hand needs none."""
    asked: list[Any] = []
    for hand in (("frigg",), ("thor",)):
        table = Table()
        table.hold("harald", "odins_wrath")
        table.hold("gudrun", *hand)
        table.set("gudrun.vp", 2)
        table.must("harald.saga", Cards(("odins_wrath",)))
        table.must("saga.target", Picked(("gudrun",)))
        asked.append(table.asks("gudrun.cancel"))
    assert asked[0] == asked[1] is not None

    table = Table()
    table.hold("harald", "odins_wrath")
    table.hold("gudrun")
    table.set("gudrun.vp", 2)
    table.must("harald.saga", Cards(("odins_wrath",)))
    table.must("saga.target", Picked(("gudrun",)))
    assert table.fact("gudrun.vp") == 1


def test_a_doubtful_red_die_is_asked_for_by_side() -> None:
    table = Table()
    table.hold("harald", "berserk")
    table.hold("gudrun", "shield_wall")
    table.set("harald.army.at", Placed("land_a"))
    table.set("gudrun.army.at", Placed("land_a"))
    table.set("harald.army.v", 2)
    table.must("harald.saga", Cards(("berserk",)))
    table.must("harald.army.act", Picked(("attack:gudrun",)))
    table.must("battle.commit", Done())
    table.must("gudrun.saga", Cards(("shield_wall",)))
    asked = table.asks("battle.roll")
    assert asked is not None
    assert asked.wants.counts == {"black": 3, "red": 2, "white": 3}  # type: ignore[union-attr]

    assert not table.says("battle.roll", dice("MMM", "MMM", "HM"))
    assert table.says("battle.roll", dice("MMM", "MMM", "MM"))


def test_two_or_three_jarls_may_play() -> None:
    for jarls in (2, 3):
        table = Table(jarls=jarls)
        assert table.fact("bank.silver") == {2: 37, 3: 34}[jarls]
        assert table.fact("brage.vp") is None


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"first": "ragnar"}, "Seen to begin: ragnar. Expected: one of Harald,"),
        ({"target_vp": 28}, "Points to win: 28 was seen. Expected: 1 to 27."),
        ({"rounds": "ten"}, "Rounds, where they are counted: ten was seen."),
        ({"ship.harald": 5}, "Vikings of Harald on the Ship, the others in the Army: 5 was"),
        ({"colour.harald": "blue"}, "Colours seen: blue, blue"),
        ({"jarls": ["harald"]}, "Seen: Harald. Expected: the Jarls of the seats"),
        ({"variant": ["allied", "two_by_two"]}, "Seen: Allied, 2 against 2 and Two players"),
        ({"variant": ["solo"]}, "Variants seen: solo. Expected: some of"),
        ({"switch.berserk": "on"}, "House rule seen: switch.berserk."),
        ({"switch.vp_floor": "maybe"}, "maybe was seen. Expected: one of"),
    ],
)
def test_a_set_up_that_cannot_be_says_what_was_seen(choices: dict[str, Any], words: str) -> None:
    seats = [Seat(id, c, "") for id, c in zip(PRINTED.jarls, PRINTED.colours, strict=True)]
    with pytest.raises(CannotStart) as refused:
        vikingjarl.setup(seats, choices)
    assert words in Words.load().tell(refused.value.say, "en", "vikingjarl")


def test_the_set_up_page_starts_with_what_set_up_takes() -> None:
    start = {field.name: field.start for field in vikingjarl.setup_form().fields}
    seats = [Seat(id, c, "") for id, c in zip(PRINTED.jarls, PRINTED.colours, strict=True)]

    assert vikingjarl.setup(seats, start) == vikingjarl.setup(seats, {})


def test_the_next_fitting_throw_takes_the_losses_that_wait() -> None:
    """While Tyr could follow, nobody need say so: throwing again is enough."""
    table = Table()
    table.hold("harald", "tyr")
    table.set("harald.ship.at", Placed("paris"))
    table.must("harald.ship.act", Picked(("attack:paris",)))
    table.must("battle.commit", Done())
    table.must("battle.roll", dice("HMM", "HM"))
    waits, throw = table.asks("battle.losses"), table.asks("battle.roll")
    assert waits is not None
    assert waits.urgency == "now"
    assert throw is not None
    assert throw.urgency == "offer"
    assert not table.says("battle.roll", dice("HH", "MM"))
    table.must("battle.roll", dice("HHM", "MM"))

    assert table.fact("harald.ship.v") == 3
    assert table.fact("harald.silver") == 1 + 3 * 2
    assert table.fact("harald.vp") == 1
