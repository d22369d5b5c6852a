"""The games that the machine plays: how one begins, and what always holds in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from companion.box import GameBox, Printed
from companion.games import vikingjarl
from companion.games.vikingjarl.printed import PRINTED
from companion.store import Store
from companion.table import Table
from companion.terms import Game, Seat
from tests import toy_game
from tests.random_play.watched import Watched
from tests.vikingjarl.whole_games import holds_together

JARLS = ("gudrun", "eirik", "harald", "brage")
HOUSES: dict[str, dict[str, Any]] = {
    "as printed": {},
    "two by two": {"variant": ["two_by_two"], "switch.two_player_silver": "pooled"},
    "allied for five rounds": {"variant": ["allied", "player_turns"], "rounds": 5},
    "every second value": {
        f"switch.{name}": switch.values[1]
        for name, switch in PRINTED.switch.items()
        if name not in ("vp_floor", "silver_shortage")
    },
}


class ToyTable(Table):
    """A table with the toy game's box, since a toy ships no file."""

    def _box(self, game: str) -> GameBox:
        box = super()._box(game)
        if game == "toy":
            box.printed = {"shore.worth": Printed(1, 3)}
        return box


def open_table(store: Store, watched: bool = True) -> Table:
    """Return a table that knows both games."""
    games: list[Game] = [vikingjarl, toy_game]
    return ToyTable(store, {g.NAME: Watched(g) if watched else g for g in games})


def begin_vikingjarl(chance: random.Random) -> Callable[[Table], None]:
    def begin(table: Table) -> None:
        seats = [
            Seat(jarl, colour, "") for jarl, colour in zip(JARLS, PRINTED.colours, strict=True)
        ]
        table.start("vikingjarl", seats, HOUSES[chance.choice(sorted(HOUSES))])

    return begin


def begin_toy(chance: random.Random) -> Callable[[Table], None]:
    def begin(table: Table) -> None:
        seats = (Seat("ann", "red", "axe"), Seat("bo", "blue", "raven"))
        table.start("toy", seats, {"raids": chance.randint(3, 12)})

    return begin


def toy_holds(state: Any) -> None:
    """Nobody has less than nothing, and nobody sees a hidden choice before both are in."""
    assert set(state.silver) == set(state.seats)
    assert all(silver >= 0 for silver in state.silver.values())
    assert not state.shown or set(state.shown) == set(state.seats)


GAMES: dict[str, tuple[Callable[[random.Random], Callable[[Table], None]], Any]] = {
    "vikingjarl": (begin_vikingjarl, holds_together),
    "toy": (begin_toy, toy_holds),
}
