"""Whose silver is whose: purses are apart unless the house pools them in a team.

Rules [Advanced and Alternative Rules]; R63, R64.
"""

from __future__ import annotations

from companion.games.vikingjarl.state import State


def share_purses(state: State) -> None:
    """Put the silver of a team together, or part the purses again, as the switches say.

    A purse that is parted stays with the first Jarl of the team until people correct it.
    """
    pooled = (
        "two_by_two" in state.variant and state.switches["two_player_silver"] == "pooled"
    ) or ("allied" in state.variant and state.switches["ally_silver"] == "shared")
    for index, jarl in enumerate(state.jarls):
        keeper = index
        if pooled and jarl.team:
            keeper = next(i for i, other in enumerate(state.jarls) if other.team == jarl.team)
        if jarl.purse != keeper:
            if pooled:
                state.purses[keeper] += state.purses[index]
                state.purses[index] = 0
            jarl.purse = keeper
