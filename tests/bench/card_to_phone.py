"""How long from a tag in the reader's field until a phone hears of its card.

The real driver speaks to the simulated PN532 over a pseudo-terminal. It looks for cards ten times a
second, and believes a card that it saw in two looks: how long that takes by itself is told, too.
"""

from __future__ import annotations

import random
import time
from statistics import median

from companion.devices.card_reader import CardReader
from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.table import Table
from tests.bench.dice_to_phone import awake, serving, until
from tests.bench.figure import Aim, Figure
from tests.bench.phone import Phone
from tests.bench.sizes import Sizes

_UID = "04a1b2c3d4e5f6"
_PATIENCE = 30.0  # seconds until a card that is never seen ends the bench
_LEAVES = 1.0  # seconds until a card that was taken away has left for the driver
_EVERY = 0.1  # seconds between two looks of the driver, as it comes


def card_to_phone(sizes: Sizes) -> list[Figure]:
    """Measure a known card, laid down at any moment between two looks."""
    reader = SimulatedCardReader(hand=0.0)
    reader.start()
    chance = random.Random(4)
    try:
        with (
            serving([CardReader(reader.port, every=_EVERY)]) as service,
            Phone(service.server.port) as phone,
        ):
            service.store.remember("tags", "vikingjarl", _UID, "holmgang")
            awake(service.table, "card_reader")
            spans = [
                _tap(service.table, reader, phone, chance.random() * _EVERY)
                for _ in range(sizes.cards)
            ]
    finally:
        reader.stop()
    return [
        Figure(
            "tag in the field to phone",
            median(spans),
            "ms",
            Aim("under", 150),
            f"{len(spans)} cards, {min(spans):.0f} to {max(spans):.0f}; "
            f"two looks {_EVERY * 1000:.0f} ms apart must see it",
        )
    ]


def _tap(table: Table, reader: SimulatedCardReader, phone: Phone, wait: float) -> float:
    """Lay the card down after `wait` seconds; return the milliseconds until the phone heard."""
    time.sleep(wait)  # cards come at any moment between two looks of the reader
    phone.wait_for(lambda: bool(table.look().cards))
    laid = time.monotonic()
    reader.place(_UID)
    took = phone.seen_at(_PATIENCE) - laid
    reader.take_away()
    for card in table.look().cards:
        table.dismiss(card.id)
    until(lambda: not table.look().cards, "no card on the table")
    time.sleep(_LEAVES)  # the reader has noticed that it is gone
    return took * 1000
