"""Cards on the reader, at the wire: nfcpy and pyserial talk to the simulated chip."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.devices.simulated_card_reader import SimulatedCardReader
from tests.devices.card_reader.at_the_reader import FRIGG, TYR, CardWatcher, let_look


def test_a_card_arrives_and_leaves(reader: SimulatedCardReader, seen: CardWatcher):
    before = time.monotonic()
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])
    let_look(reader, 5)
    reader.take_away()
    seen.until(lambda: seen.told() == [("arrived", FRIGG), ("left", FRIGG)])
    arrived, left = seen.readings
    assert before <= arrived.at <= left.at <= time.monotonic()
    assert (arrived.device, arrived.note) == ("card_reader", None)
    seen.until(lambda: seen.states[-1].notes.get("contact") == 100)


def test_a_card_that_stays_counts_once(reader: SimulatedCardReader, seen: CardWatcher):
    reader.place(FRIGG)
    let_look(reader, 80)
    assert seen.told() == [("arrived", FRIGG)]


def test_the_same_card_laid_again_counts_again(reader: SimulatedCardReader, seen: CardWatcher):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.take_away()
    seen.until(lambda: len(seen.readings) == 2)
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 3)
    assert [kind for kind, _ in seen.told()] == ["arrived", "left", "arrived"]


def test_one_card_in_place_of_another(reader: SimulatedCardReader, seen: CardWatcher):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.take_away()
    reader.place(TYR)
    seen.until(lambda: len(seen.readings) == 3)
    assert seen.told() == [("arrived", FRIGG), ("left", FRIGG), ("arrived", TYR)]


def test_a_hand_that_taps_the_same_card_twice_makes_two_placements(
    drive: Callable[[str], CardWatcher],
):
    reader = SimulatedCardReader()
    try:
        reader.start()
        seen = drive(reader.port)
        reader.place(FRIGG)
        seen.until(lambda: len(seen.readings) == 1)
        reader.take_away()
        reader.place(FRIGG)
        seen.until(lambda: len(seen.readings) == 3)
        assert [kind for kind, _ in seen.told()] == ["arrived", "left", "arrived"]
    finally:
        reader.stop()


def test_a_card_pulled_away_in_mid_read_books_nothing(
    reader: SimulatedCardReader, seen: CardWatcher
):
    reader.pull_in_mid_read()
    reader.place(FRIGG)
    seen.until(lambda: seen.trouble == "reader.pulled")
    assert seen.readings == []
    assert seen.condition == "ready"
    reader.place(FRIGG)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)] and seen.trouble == "")


def test_two_cards_at_once_book_nothing_until_one_is_alone(
    reader: SimulatedCardReader, seen: CardWatcher
):
    reader.chip.fault("no_answer", 1)  # the driver must not look between the two cards
    reader.place(FRIGG)
    reader.place(TYR)
    seen.until(lambda: seen.trouble == "reader.two")
    let_look(reader, 20)
    assert seen.readings == []
    reader.take_away()
    reader.place(TYR)
    seen.until(lambda: seen.told() == [("arrived", TYR)])


def test_a_starter_kit_card_counts_by_its_uid_with_a_word_on_what_to_buy(
    reader: SimulatedCardReader, seen: CardWatcher
):
    reader.place("a1b2c3d4", "Classic 1K")
    seen.until(lambda: seen.told() == [("arrived", "a1b2c3d4")])
    note = seen.readings[0].note
    assert note is not None
    assert note.key == "reader.classic"


def test_a_phone_is_no_card(reader: SimulatedCardReader, seen: CardWatcher):
    reader.place("08000000", "phone")
    seen.until(lambda: seen.trouble == "reader.phone")
    let_look(reader, 20)
    assert seen.readings == []
