"""Attack Other Jarls: Army against Army in the open, on land and at sea."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, dice, pick, to


def meeting(mine: int, theirs: int) -> Table:
    """Harald's and Gudrun's Armies stand in one land zone; neither holds a Saga."""
    table = Table()
    table.put(harald_hand=0, gudrun_hand=0)
    table.put(harald_army_at="land_a", gudrun_army_at="land_a")
    table.put(harald_army_v=mine, gudrun_army_v=theirs)
    return table


def test_the_winner_has_a_point_and_takes_three_silver() -> None:
    table = meeting(2, 1)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HM", "M"))
    table.must("battle.loot", pick("silver"))

    assert table.fact("harald.vp") == 1
    assert (table.fact("harald.silver"), table.fact("gudrun.silver")) == (3, 0)
    assert table.fact("gudrun.army.at") == "land_a", "both stay"
    table.undo()
    assert table.fact("gudrun.silver") == 2


def test_or_one_cube_of_the_losers_army() -> None:
    table = meeting(2, 1)
    table.put(gudrun_army_iron=2)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("HM", "M"))
    assert table.why_not("battle.loot", pick("iron", "silver")) == ["one_cube_or_silver"]
    table.must("battle.loot", pick("iron"))

    assert (table.fact("harald.army.iron"), table.fact("gudrun.army.iron")) == (1, 1)


def test_a_defender_wins_and_loots_as_well() -> None:
    table = meeting(1, 2)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.roll", dice("M", "HM"))
    table.must("battle.loot", pick("silver"))

    assert table.fact("gudrun.vp") == 1
    assert (table.fact("harald.silver"), table.fact("gudrun.silver")) == (0, 3)


def test_an_army_without_vikings_is_beaten_without_a_throw() -> None:
    table = meeting(2, 0)
    table.must("harald.army.act", pick("attack:gudrun"))
    table.must("battle.commit", DONE)
    table.must("battle.loot", pick("silver"))

    assert table.fact("harald.vp") == 0, "no point, for nobody stood there"
    assert table.fact("harald.silver") == 3


def test_nobody_is_attacked_in_kaupang_or_in_a_town() -> None:
    table = meeting(2, 1)
    for place in ("kaupang", "ribe"):
        table.put(harald_army_at=place, gudrun_army_at=place)
        assert table.why_not("harald.army.act", pick("attack:gudrun")) == ["only_in_the_open"]


def test_at_sea_both_armies_must_be_aboard() -> None:
    table = meeting(2, 1)
    table.put(harald_ship_at="sea_a", harald_army_at="ship", gudrun_ship_at="sea_a")
    assert table.why_not("harald.ship.act", pick("attack:gudrun")) == ["armies_together"]
    table.put(gudrun_army_at="ship")
    assert table.why_not("harald.ship.act", pick("attack:gudrun")) == []


def test_the_zone_was_another_one() -> None:
    """The attack was told for the wrong place. It is taken back, and so is its Action."""
    table = meeting(2, 1)
    table.must("harald.army.act", pick("attack:gudrun"))
    assert table.fact("harald.army.phase") == "acted"
    table.undo()
    table.must("harald.army.move", to("land_b"))

    assert table.fact("harald.army.phase") == "moved"
    assert table.asks("battle.commit") is None
