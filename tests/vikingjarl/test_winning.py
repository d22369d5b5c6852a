"""How to Win the Game: come home with the points, or agree that it is over."""

from __future__ import annotations

from tests.vikingjarl.at_the_table import DONE, Table, pick, saga, to


def test_ten_points_and_a_unit_that_enters_kaupang() -> None:
    table = Table()
    table.put(harald_vp=10, harald_ship_at="sea_kaupang")
    table.must("harald.ship.move", to("kaupang"))

    assert table.fact("game.winner") == ["harald"]
    assert table.questions() == ()
    assert table.why_not("harald.ship.move", to("sea_a"))[0] == "over"
    table.undo()
    assert table.fact("game.winner") == "none"
    assert table.asks("harald.ship.move") is not None


def test_nine_points_win_nothing() -> None:
    table = Table()
    table.put(harald_vp=9, harald_ship_at="sea_kaupang")
    table.must("harald.ship.move", to("kaupang"))

    assert table.fact("game.winner") == "none"


def test_a_number_set_by_hand_never_wins_by_itself() -> None:
    """Both units wait in Kaupang as somebody sets the score to 12."""
    table = Table()
    table.put(harald_vp=12)
    assert table.fact("game.winner") == "none"
    table.must("harald.ship.move", to("sea_kaupang"))
    table.must("harald.ship.move", to("kaupang"))

    assert table.fact("game.winner") == ["harald"]


def test_nobody_wins_in_anothers_turn() -> None:
    """Gudrun sails home with her ten points although it is Harald's turn."""
    table = Table()
    table.put(gudrun_vp=10, gudrun_ship_at="sea_kaupang")
    assert table.says("gudrun.ship.move", to("kaupang"), insist=True)
    assert table.fact("game.winner") == "none"


def test_two_allies_add_their_points() -> None:
    table = Table({"variant": ["allied"]})
    table.put(brage_vp=4, harald_vp=6, brage_army_at="land_kaupang")
    table.must("brage.army.move", to("kaupang"))

    assert table.fact("game.winner") == ["brage", "harald"]


def test_a_longer_game_is_agreed_in_the_middle() -> None:
    table = Table()
    table.set("switch.target_vp", 20)
    table.put(harald_vp=12, harald_ship_at="sea_kaupang")
    table.must("harald.ship.move", to("kaupang"))

    assert table.fact("game.winner") == "none"


def test_the_evening_is_over_without_a_winner() -> None:
    """It is late. They end it; the companion says that nobody came home, and lets them."""
    table = Table()
    table.hold("harald", "odins_wrath")
    table.put(gudrun_vp=1)
    table.must("harald.saga", saga("odins_wrath"))
    assert table.why_not("game.end", DONE) == ["nobody_won"]
    assert table.says("game.end", DONE, insist=True)
    assert table.fact("game.winner") == []
    assert table.questions() == ()

    table.undo()
    table.must("saga.target", pick("gudrun"))
    table.must("gudrun.cancel", pick("pass"))
    assert table.fact("gudrun.vp") == 0


def test_the_table_says_who_has_won() -> None:
    table = Table()
    assert table.says("game.end", pick("gudrun", "eirik"), insist=True)

    assert table.fact("game.winner") == ["gudrun", "eirik"]
