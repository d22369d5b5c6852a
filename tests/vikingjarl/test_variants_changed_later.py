"""Advanced and Alternative Rules: the form of the game may change in the middle of it."""

from __future__ import annotations

from companion.games import vikingjarl
from companion.terms import Done, Picked
from tests.vikingjarl.at_the_table import Table


def test_four_players_become_two_sides_and_part_again() -> None:
    table = Table()
    table.set("gudrun.hand", 2)
    hands = [table.fact(f"{id}.hand") for id in ("harald", "eirik", "gudrun", "brage")]
    table.set("switch.variant", Picked(("two_by_two",)))
    assert table.fact("harald.hand") == table.fact("brage.hand") == hands[0] + hands[3]
    assert table.fact("gudrun.hand") == table.fact("eirik.hand") == hands[1] + hands[2]
    assert table.fact("deck.total") == 59

    table.set("switch.variant", Picked(("none",)))
    assert table.fact("harald.hand") == hands[0] + hands[3]
    assert table.fact("brage.hand") == 0
    assert table.fact("deck.total") == 59


def test_allies_count_their_points_together() -> None:
    table = Table({"target_vp": 8})
    for jarl, points in (("harald", 5), ("brage", 4)):  # red and black are one team
        table.set(f"{jarl}.vp", points)
    picture = vikingjarl.view(table.state, table.box, None).picture
    assert picture.jarls[0].points == 5
    table.set("switch.variant", Picked(("allied",)))
    picture = vikingjarl.view(table.state, table.box, None).picture
    assert picture.jarls[0].points == 9


def test_rounds_may_be_agreed_later_and_given_up_again() -> None:
    table = Table()
    table.set("switch.rounds", 1)
    table.set("brage.vp", 3)
    for _ in range(4):
        table.must("turn.end", Done())
        if table.questions():
            table.must("turn.draw", Done())
    assert table.fact("game.winner") == ["brage"]


def test_two_jarls_are_no_two_sides() -> None:
    table = Table(jarls=2)
    assert table.fact("switch.variant") is None
    assert table.fact("switch.rounds") == 0
