"""Play with little room on the disk, then with more; tell each outcome. Run by test_no_room.

The room is a limit on the size of files; the child sets it for itself, so nobody else is touched.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from companion.games import vikingjarl
from companion.store import NotKept, Store
from companion.table import Table, Taken
from companion.terms import Answer, Number, Seat


def main(state: str, room: str) -> None:
    table = Table(Store(Path(state) / "companion.sqlite"), {"vikingjarl": vikingjarl})
    table.start("vikingjarl", (Seat("harald", "red", "axe"), Seat("gudrun", "blue", "raven")), {})
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), hard))
    refused = 0
    for number in range(400):
        before = table.look()
        try:
            outcome = table.answer(Answer("fact:harald.silver", Number(number % 20)))
            assert isinstance(outcome, Taken)
            sys.stdout.write(f"taken {outcome.step}\n")
        except NotKept as trouble:
            after = table.look()
            assert (after.view, after.step, after.questions) == (
                before.view,
                before.step,
                before.questions,
            )
            assert [state.device for state in after.devices] == ["store"]
            refused += 1
            sys.stdout.write(f"refused {trouble.kind}\n")
            if refused == 5:
                resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            if refused > 5:
                raise
        sys.stdout.flush()
    assert table.look().devices == ()


if __name__ == "__main__":
    main(*sys.argv[1:])
