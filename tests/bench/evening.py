"""A long evening of Vikingjarl: so many answers that people gave, as the log keeps them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import msgspec

from companion.games import vikingjarl
from companion.session import Row, Session
from companion.store import Store
from companion.table import Table
from companion.table.laid_out import LaidOut
from companion.terms import Answer, Box, Game
from tests.bench.random_play import SEATS, full_box
from tests.vikingjarl.at_random import answer_of

GAMES: Mapping[str, Game] = {"vikingjarl": vikingjarl}


def evening(steps: int, seed: int = 1) -> list[Row]:
    """Return the start row and `steps` answers, all taken without an objection, as a table writes.

    Each row has the printed values that were read and the facts that came out otherwise.
    """
    chance = random.Random(seed)
    session = Session(vikingjarl, [Row(0, "start", game="vikingjarl", seats=SEATS)])
    laid = LaidOut(0, session, full_box())
    while session.next_number <= steps:
        answer = some_answer(session, laid.box, chance)
        box = laid.box.pinned()
        vikingjarl.check(session.state, answer, box)
        events, state = vikingjarl.decide(session.state, answer, box), session.copy()
        for event in events:
            vikingjarl.apply(state, event)
        row, _ = session.row_for(
            "answer", answer=answer, events=events, known=box.read, changes=laid.foresee(state)
        )
        session.add(row, state)
        laid.refresh(row.number, step=True)
    return session.rows


def some_answer(session: Session, box: Box, chance: random.Random) -> Answer:
    """Return an answer at random that meets no objection; raises `ValueError` once it is won."""
    asked = vikingjarl.questions(session.state, box)
    if not asked:
        raise ValueError("this evening was won before its last step: try another seed")
    while True:
        answer = answer_of(chance.choice(asked), chance)
        if not vikingjarl.check(session.state, answer, box):
            return answer


def keep(rows: list[Row], folder: Path) -> None:
    """Write an evening into the database of a state folder, with its box told."""
    store = Store(folder / "companion.sqlite")
    with store.step():
        game = store.new_game("vikingjarl", 0.0)
        for row in rows:
            store.append(game, row.number, msgspec.msgpack.encode(row))
        for key, value in full_box().told.items():
            store.remember("box", "vikingjarl", key, msgspec.msgpack.encode(value))
    store.close()


def table_of(folder: Path) -> tuple[Table, Store]:
    """Lay the last game of a state folder on a table; the store is to be closed afterwards."""
    store = Store(folder / "companion.sqlite")
    return Table(store, GAMES), store
