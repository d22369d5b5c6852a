"""How much is measured: enough for steady figures, or just enough to see that it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Counts, and `seconds` where something goes on for a while."""

    seeds: int  # games at random
    answers: int  # in each of them
    warming: int  # answers before anything is counted
    evening: int  # steps
    repeats: int  # of one replay
    durable: int  # steps on the disk
    starts: int  # of the service
    trays: int  # cameras of different speed, with and without a controller
    throws: int  # into each tray
    cards: int  # on the reader
    streams: int  # phones that listen
    polling: int  # phones that ask again and again
    seconds: int  # of the full room, one step in each


WHOLE = Sizes(
    seeds=7,
    answers=20_000,
    warming=5_000,
    evening=500,
    repeats=15,
    durable=200,
    starts=5,
    trays=3,
    throws=10,
    cards=20,
    streams=32,
    polling=8,
    seconds=20,
)
TINY = Sizes(
    seeds=1,
    answers=60,
    warming=10,
    evening=15,
    repeats=3,
    durable=5,
    starts=1,
    trays=1,
    throws=1,
    cards=1,
    streams=3,
    polling=2,
    seconds=2,
)
