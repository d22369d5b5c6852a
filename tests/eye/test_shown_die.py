"""When a die that somebody shows is worth a picture: it lies still, anew, and was touched since."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from companion.eye.lesson import Shown
from companion.eye.shown_die import ShownDie
from vision.fit import TrayFit, find_tray
from vision.learn import crop_of
from vision.render import render
from vision.render_battle import playing_box
from vision.render_random import enrolment_roll
from vision.seen import Picture
from vision.teach import OneDie, Sight

Place = tuple[float, float, float]
HERE: Place = (60.0, 50.0, 10.0)


@pytest.fixture(scope="module")
def tray() -> tuple[Picture, TrayFit]:
    """A picture of a tray in which a die lies, and the tray's fit."""
    box, rng = playing_box(), np.random.default_rng(4)
    picture, _ = render(box, enrolment_roll(box, ("black", "helmet"), rng), rng)
    return picture, find_tray(picture)


class Looks:
    """A person's die and the companion's looks at it."""

    def __init__(self, tray: tuple[Picture, TrayFit]) -> None:
        self.picture, self.fit = tray
        self.shown, self.before, self.told = ShownDie(), list[Shown](), ""

    def at(self, place: Place, picture: Picture | None = None) -> str:
        """Look at a die; answers what is told, and "taken" where it was."""
        picture = self.picture if picture is None else picture
        crop = crop_of(picture, self.fit, *place)
        die = OneDie(*place, np.zeros(288, np.float32), crop)
        judged = self.shown.judge(Sight("die", die), picture, self.fit, self.before, not self.told)
        self.told = judged.told or self.told
        if judged.die is None:
            return judged.told
        self.shown.take(judged.die)
        self.before.append(Shown("001.png", "die", "black", "helmet", *place))
        self.told = "teach.taken"
        return "taken"

    def at_no_die(self, kind: Literal["nothing", "hand", "several", "wall"]) -> str:
        judged = self.shown.judge(Sight(kind), self.picture, self.fit, self.before, not self.told)
        self.told = judged.told
        return judged.told


@pytest.fixture
def looks(tray: tuple[Picture, TrayFit]) -> Looks:
    return Looks(tray)


def test_a_die_is_taken_once_it_lies_still(looks: Looks) -> None:
    assert looks.at(HERE) == "teach.hold_still"
    assert looks.at((64.0, 50.0, 10.0)) == "teach.hold_still"  # it rolled on
    assert looks.at((64.0, 50.0, 20.0)) == "teach.hold_still"  # it turned
    assert looks.at((64.5, 50.5, 21.0)) == "taken"


def test_a_hand_between_two_looks_begins_the_waiting_anew(looks: Looks) -> None:
    looks.at(HERE)
    assert looks.at_no_die("hand") == "teach.hand"
    assert looks.at(HERE) == "teach.hold_still"
    assert looks.at(HERE) == "taken"


def test_an_untouched_die_is_not_taken_twice(looks: Looks) -> None:
    looks.at(HERE)
    looks.at(HERE)
    assert looks.at(HERE) == "teach.move_it"
    looks.before.clear()  # another face is asked for; that the last one was taken stays told
    looks.told = "teach.taken_last"
    looks.shown.ask_anew()
    assert [looks.at(HERE) for _ in range(3)] == ["", "", ""]
    turned_over = np.roll(looks.picture, 120, axis=1)  # something else is seen there now
    assert looks.at(HERE, turned_over) == "taken"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((65.0, 50.0, 10.0), "teach.move_it"),  # a little beside, in the same turn
        ((62.0, 50.0, 40.0), "teach.move_it"),  # turned on the spot
        ((66.0, 50.0, 40.0), "taken"),
        ((60.0, 62.0, 10.0), "taken"),
    ],
)
def test_another_picture_must_show_something_new(looks: Looks, place: Place, expected: str) -> None:
    looks.at(HERE)
    looks.at(HERE)
    looks.at_no_die("nothing")
    looks.at(place)
    assert looks.at(place) == expected


def test_a_doubted_die_waits_until_it_is_turned_over_or_somebody_insists(looks: Looks) -> None:
    pair = ("black", "helmet")
    looks.at(HERE)
    looks.shown.doubt = "shield"
    assert looks.at(HERE) == ""
    assert looks.shown.doubt == "shield"
    looks.shown.insist(pair)
    assert looks.shown.insisted(pair)
    assert looks.at(HERE) == "taken"
    looks.shown.doubt = "shield"
    assert looks.at_no_die("nothing") == "teach.nothing"
    assert looks.shown.doubt == ""
    looks.shown.ask_anew()
    assert not looks.shown.insisted(pair)
