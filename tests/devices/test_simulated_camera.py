"""The simulated tray: thrown dice tumble and come to rest, and its camera is like a real one."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import numpy as np
import pytest

from companion.devices.frames import CameraTrouble
from companion.devices.simulated_camera import SimulatedTray
from companion.words import Words
from vision.camera import Tray
from vision.fit import TrayNotSeen, find_tray
from vision.learn import find_set
from vision.reading import read_dice
from vision.steady import SettleWatch

HMM = [("black", "helmet"), ("black", "shield"), ("black", "shield"), ("red", "helmet")]


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tray(clock: Clock) -> SimulatedTray:
    return SimulatedTray(seed=4, fps=1000.0, clock=clock)


def lying(tray: SimulatedTray) -> list[tuple[str, str]]:
    return sorted((d["colour"], d["face"]) for d in tray.truth())


def test_a_throw_tumbles_for_a_while_and_then_lies_still(tray: SimulatedTray, clock: Clock) -> None:
    still = tray.throw(HMM, random.Random(1))
    assert 0.5 < still - clock.now < 1.0
    assert all(d["moving"] for d in tray.truth(clock.now + 0.3))
    assert not any(d["moving"] for d in tray.truth(still))
    clock.now = still
    assert lying(tray) == sorted(HMM)
    first, later = tray.picture(still), tray.picture(still + 1)
    assert not np.array_equal(first, later), "the noise is fresh"
    assert np.abs(first.astype(int) - later).mean() < 4


def test_faces_left_to_chance_come_from_the_seed(clock: Clock) -> None:
    throws = []
    for seed in (1, 1, 2):
        tray = SimulatedTray(seed=9, clock=clock)
        clock.now = tray.throw([("white", None)] * 3 + [("red", None)] * 2, random.Random(seed))
        throws.append([(d["face"], d["x"], d["y"]) for d in tray.truth()])
    assert throws[0] == throws[1]
    assert throws[0] != throws[2]


def test_the_dice_are_those_of_a_vikingjarl_box(clock: Clock) -> None:
    helmets = {"black": 0, "white": 0, "red": 0}
    tray, chance = SimulatedTray(seed=1, clock=clock), random.Random(3)
    for colour in helmets:
        for _ in range(20):
            tray.throw([(colour, None)] * 12, chance)
            clock.now += 2
            helmets[colour] += sum(face == "helmet" for _, face in tray.faces())
            tray.clear()
            clock.now += 2
    shares = {colour: n / 240 for colour, n in helmets.items()}
    assert shares["black"] == pytest.approx(3 / 6, abs=0.1)
    assert shares["white"] == pytest.approx(2 / 6, abs=0.1)
    assert shares["red"] == pytest.approx(4 / 6, abs=0.1)


def test_more_dice_join_and_a_hand_clears_them(tray: SimulatedTray, clock: Clock) -> None:
    clock.now = tray.throw(HMM)
    clock.now = tray.throw([("white", "shield")])
    assert len(lying(tray)) == 5
    empty = tray.picture(clock.now)
    tray.clear()
    grabbed = tray.picture(clock.now + 0.35)
    assert np.abs(grabbed.astype(int) - empty).mean() > 2, "a hand is in the picture"
    clock.now += 0.5
    assert lying(tray) == []
    # A throw right after waits until the hand is out.
    tray.throw(HMM)
    clock.now += 2.0
    assert len(lying(tray)) == 4


def test_a_face_the_dice_do_not_have_is_refused_whole(tray: SimulatedTray) -> None:
    with pytest.raises(ValueError, match="no blue die"):
        tray.throw([("black", "helmet"), ("blue", "helmet")])
    with pytest.raises(ValueError, match="there are: black helmet"):
        tray.throw([("black", "6")])
    assert tray.faces() == []
    with pytest.raises(ValueError, match="clear it"):
        tray.throw([("black", None)] * 200)
    assert tray.faces() == []
    with pytest.raises(IndexError, match="0 dice lie"):
        tray.glare(0)
    with pytest.raises(ValueError, match="marker 4"):
        tray.cover_marker(4)


def test_dice_can_be_lifted_leant_and_made_to_shine(tray: SimulatedTray, clock: Clock) -> None:
    clock.now = tray.throw(HMM)
    tray.cock(0)
    tray.glare(1)
    tray.lift(3)
    dice = tray.truth()
    assert [d["cocked"] for d in dice] == [True, False, False]
    assert [d["glare"] for d in dice] == [False, True, False]
    assert dice[0]["face"] == "helmet"
    assert dice[0]["tilt_deg"] > 14


def test_the_camera_shows_the_markers_until_one_is_covered(
    tray: SimulatedTray, clock: Clock
) -> None:
    before = find_tray(tray.picture(clock.now), Tray())
    tray.cover_marker(2)
    with pytest.raises(TrayNotSeen) as lost:
        find_tray(tray.picture(clock.now), Tray())
    assert lost.value.missing == (2,)
    tray.uncover_markers()
    tray.nudge_camera(8.0)
    after = find_tray(tray.picture(clock.now), Tray())
    middle = np.array([[100.0, 75.0]])
    assert np.abs(before.to_px(middle) - after.to_px(middle)).max() > 3


def test_a_pulled_plug_is_told_in_words_until_it_is_opened_again(tray: SimulatedTray) -> None:
    with pytest.raises(CameraTrouble, match="unplugged"):
        tray.read()
    tray.open()
    assert tray.read() is not None
    tray.unplug()
    with pytest.raises(CameraTrouble, match="unplugged") as pulled:
        tray.read()
    words = Words.load()
    assert words.tell(pulled.value.seen, "de") == "Die Würfelkamera ist ausgesteckt"
    assert words.tell(pulled.value.do, "en").startswith("Plug it in again")
    with pytest.raises(CameraTrouble, match="unplugged"):
        tray.open()
    tray.plug()
    with pytest.raises(CameraTrouble, match="unplugged"):
        tray.read()
    tray.open()
    got = tray.read()
    assert got is not None
    assert got[1].shape == (720, 960, 3)
    tray.close()


def test_a_frozen_camera_gives_nothing_until_it_goes_on(tray: SimulatedTray) -> None:
    tray.open()
    tray.freeze()
    assert tray.read() is None
    tray.freeze(False)
    assert tray.read() is not None
    tray.freeze()
    tray.unplug()
    with pytest.raises(OSError, match="unplugged"):
        tray.read()


def test_throwing_from_other_threads_never_disturbs_the_camera(clock: Clock) -> None:
    tray = SimulatedTray(seed=2, fps=1000.0, clock=clock)
    tray.open()

    def play() -> None:
        for _ in range(10):
            tray.throw([("black", None)] * 2)
            tray.hand_in()
            tray.hand_out()
            clock.now += 1.0
            tray.clear()
            clock.now += 1.0

    players = [threading.Thread(target=play) for _ in range(2)]
    for player in players:
        player.start()
    while any(p.is_alive() for p in players):
        assert tray.read() is not None
    for player in players:
        player.join(10)
    clock.now += 5.0
    assert tray.faces() == []


def test_the_watch_and_the_reader_get_along_with_it(clock: Clock, tmp_path: Path) -> None:
    tray = SimulatedTray(seed=3, clock=clock)
    dice = find_set("battle", tmp_path)
    fit = find_tray(tray.picture(clock.now), dice.tray)
    watch = SettleWatch(fit, dice.empty)
    for _ in range(12):
        clock.now += 1 / 12
        assert watch.look(clock.now, tray.picture(clock.now)) is None
    still = tray.throw(HMM, random.Random(7))
    settled = None
    while settled is None and clock.now < still + 3:
        clock.now += 1 / 12
        settled = watch.look(clock.now, tray.picture(clock.now))
    assert settled is not None
    assert settled.since >= still - 1 / 12
    seen = read_dice([tray.picture(clock.now) for _ in range(3)], dice, fit).dice
    assert sorted((s.colour, s.face) for s in seen) == sorted(HMM)


def test_scrambled_dice_make_the_reader_ask(clock: Clock, tmp_path: Path) -> None:
    tray = SimulatedTray(seed=3, scramble=True, clock=clock)
    dice = find_set("battle", tmp_path)
    fit = find_tray(tray.picture(clock.now), dice.tray)
    clock.now = tray.throw(HMM, random.Random(7))
    seen = read_dice([tray.picture(clock.now) for _ in range(3)], dice, fit).dice
    assert seen
    assert not [s for s in seen if s.certain]
