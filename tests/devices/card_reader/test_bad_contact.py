"""Spoilt answers of the chip: no card is lifted or laid by them."""

from __future__ import annotations

import pytest

from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_pn532 import Fault
from companion.devices.simulated_tags import Ntag
from tests.devices.card_reader.at_the_reader import FRIGG, CardWatcher, let_look

FAULTS: tuple[Fault, ...] = (
    "cut",
    "short",
    "noise",
    "bad_sum",
    "extra",
    "no_answer",
    "silence",
    "no_ack",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_answer_neither_lifts_a_card_nor_lays_one(
    reader: SimulatedCardReader, seen: CardWatcher, fault: Fault
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.fault(fault, command=0x4A)
    let_look(reader, 5)
    reader.fault(fault)
    let_look(reader, 5)
    assert seen.told() == [("arrived", FRIGG)]
    assert seen.all_shown() == {("ready", "")}, "one bad answer is no alarm"
    reader.take_away()
    seen.until(lambda: seen.told() == [("arrived", FRIGG), ("left", FRIGG)])


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        ("cut", "reader.garbled"),
        ("noise", "reader.garbled"),
        ("bad_sum", "reader.garbled"),
        ("no_answer", "reader.garbled"),
        ("silence", "reader.silent"),
    ],
)
def test_a_bad_contact_that_lasts_is_told_and_the_card_counts_on_when_it_heals(
    reader: SimulatedCardReader, seen: CardWatcher, fault: Fault, trouble: str
):
    reader.place(FRIGG)
    seen.until(lambda: len(seen.readings) == 1)
    reader.fault(fault, 10_000)
    seen.until(lambda: (seen.condition, seen.trouble) == ("gone", trouble))
    reader.chip.heal()
    seen.until(lambda: (seen.condition, seen.trouble) == ("ready", ""))
    let_look(reader, 20)
    assert seen.told() == [("arrived", FRIGG)]


def test_a_torn_page_does_not_matter_to_a_uid(reader: SimulatedCardReader, seen: CardWatcher):
    reader.place(FRIGG)
    for tag in reader.chip.field:
        assert isinstance(tag, Ntag)
        tag.tear(5)
    seen.until(lambda: seen.told() == [("arrived", FRIGG)])
