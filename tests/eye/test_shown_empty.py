"""A tray that is called empty: doubted once with a picture, believed when somebody insists."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eye.shown_empty import ShownEmpty
from vision.teach import OneDie, Sight

NOTHING, HAND = Sight("nothing"), Sight("hand")


def die_at(x: float) -> Sight:
    feature, crop = np.zeros(288, np.float32), np.full((128, 128, 3), 90, np.uint8)
    return Sight("die", OneDie(x, 40.0, 10.0, feature, crop))


@pytest.fixture
def shown() -> ShownEmpty:
    return ShownEmpty()


def test_before_anybody_calls_it_empty_nothing_is_doubted(shown: ShownEmpty) -> None:
    assert [shown.judge(sight) for sight in (NOTHING, die_at(50), HAND)] == ["teach.empty_it"] * 3
    assert shown.number == 0


def test_an_empty_tray_is_taken_at_once(shown: ShownEmpty) -> None:
    shown.say_empty()
    assert [shown.judge(NOTHING) for _ in range(3)] == ["", "", ""]


def test_a_die_that_is_left_is_shown_until_it_is_taken_out(shown: ShownEmpty) -> None:
    shown.say_empty()
    assert shown.judge(die_at(50)) == "teach.left"
    assert shown.number == 1
    assert (shown.picture(1) or b"").startswith(b"\x89PNG")
    assert shown.judge(die_at(51)) == "teach.left"
    assert shown.number == 1, "the same die, a little moved by the noise"
    assert shown.judge(die_at(80)) == "teach.left"
    assert shown.number == 2, "another one"
    assert shown.picture(1) is None
    assert shown.judge(HAND) == "teach.empty_it"
    assert shown.judge(NOTHING) == "teach.empty_it", "that it is empty has to be said again"
    assert shown.number == 0
    shown.say_empty()
    assert shown.judge(NOTHING) == ""


def test_said_again_it_is_looked_at_again(shown: ShownEmpty) -> None:
    shown.say_empty()
    shown.judge(die_at(50))
    shown.say_empty()
    assert shown.judge(die_at(50)) == "teach.left"
    assert shown.number == 2


def test_the_table_wins(shown: ShownEmpty) -> None:
    shown.say_empty()
    shown.judge(die_at(50))
    shown.say_empty(anyhow=True)
    assert [shown.judge(sight) for sight in (die_at(50), HAND, NOTHING)] == ["", "", ""]
    shown.ask_anew()
    assert shown.judge(die_at(50)) == "teach.empty_it"


def test_a_hand_is_waited_for(shown: ShownEmpty) -> None:
    shown.say_empty()
    assert shown.judge(HAND) == "teach.hand_first"
    assert shown.judge(NOTHING) == ""
