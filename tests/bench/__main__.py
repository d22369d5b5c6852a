"""How fast the companion is, on this machine: `python -m tests.bench`, or `make bench`.

Measures and prints; it is no test and fails nothing. `PEERS=1 make bench` measures other game
engines beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.card_to_phone import card_to_phone
from tests.bench.dice_to_phone import dice_to_phone
from tests.bench.durable_step import durable_step
from tests.bench.figure import Figure, as_json, as_table
from tests.bench.first_page import first_page
from tests.bench.full_room import full_room
from tests.bench.machine import machine, told
from tests.bench.peers import peers
from tests.bench.random_play import random_play
from tests.bench.replay import replay
from tests.bench.sizes import TINY, WHOLE, Sizes

PARTS: dict[str, Callable[[Sizes], list[Figure]]] = {
    "random": random_play,
    "replay": replay,
    "durable": durable_step,
    "start": first_page,
    "dice": dice_to_phone,
    "card": card_to_phone,
    "room": full_room,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the wanted parts one after the other and print one table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--peers", action="store_true", help="other engines beside random play")
    parser.add_argument("--tiny", action="store_true", help="only see that everything runs")
    given = parser.parse_args(arguments)
    sizes = TINY if given.tiny else WHOLE
    about = machine()
    figures: list[Figure] = []
    for name in given.only:
        sys.stderr.write(f"measuring: {name}\n")
        figures += PARTS[name](sizes)
        if name == "random" and given.peers:  # side by side: right after ours
            sys.stderr.write("measuring: peers\n")
            figures += peers(sizes)
    sys.stdout.write(f"{told(about)}\n\n{as_table(figures)}")
    if given.json is not None:
        given.json.write_text(as_json(figures, about), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
