"""Which form of the game is played: each Jarl alone, two players with two Jarls each, or allied.

Rules [Advanced and Alternative Rules]; specification section 18, R63, R64.
"""

from __future__ import annotations

from companion.games.vikingjarl.purses import share_purses
from companion.games.vikingjarl.state import State

VARIANTS = ("two_by_two", "allied", "player_turns")
MOST_ROUNDS = 50
FOR_TWO_SIDES = ("two_by_two", "allied")
"""The forms that need four Jarls in two teams; at most one of them is played."""
TEAMS = {"black": 1, "red": 1, "blue": 2, "yellow": 2}
ORDER = ("black", "blue", "red", "yellow")
"""Teams and playing order of the two forms for two sides, by colour (specification 18)."""


def sides(state: State) -> str:
    """Return which form for two sides is played, "none" where each Jarl plays alone."""
    return next((word for word in state.variant if word in FOR_TWO_SIDES), "none")


def play_sides(state: State, form: str) -> None:
    """Play on in teams of two, or each alone ("none"); the turns keep their order.

    Hands and purses are put together or parted as the form says. A pool that is parted stays with
    the first Jarl of the team until people correct it.
    """
    rounds = tuple(word for word in state.variant if word not in FOR_TWO_SIDES)
    state.variant = rounds if form == "none" else (form, *rounds)
    for jarl in state.jarls:
        jarl.team = 0 if form == "none" else TEAMS[jarl.colour]
    _share_hands(state)
    share_purses(state)


def play_rounds(state: State, rounds: int) -> None:
    """Play a number of rounds, or to the target (0)."""
    others = tuple(word for word in state.variant if word != "player_turns")
    state.variant = (*others, "player_turns") if rounds else others
    state.rounds = rounds


def _share_hands(state: State) -> None:
    pooled = sides(state) == "two_by_two"
    for index, jarl in enumerate(state.jarls):
        keeper = index
        if pooled:
            keeper = next(i for i, other in enumerate(state.jarls) if other.team == jarl.team)
        if jarl.hand != keeper:
            if pooled:
                own, pool = state.hands[index], state.hands[keeper]
                pool.size += own.size
                pool.titles = [*pool.titles, *own.titles]
                own.size, own.titles = 0, []
            jarl.hand = keeper
