"""Sides and rounds: two Jarls each, allies, a number of rounds, and what is pooled in a team.

Rules [Advanced and Alternative Rules]; specification section 18; R58, R62 to R64.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.games.vikingjarl.printed import LIMITS
from companion.games.vikingjarl.rulings import plain
from companion.games.vikingjarl.state import Hand, Jarl, State
from companion.terms import Objection

VARIANTS = ("two_by_two", "allied", "player_turns")
TEAMS = {"black": 1, "red": 1, "blue": 2, "yellow": 2}
ORDER = ("black", "blue", "red", "yellow")
"""Teams and playing order of the two forms for two sides, by colour (specification 18)."""
USUAL_ROUNDS, MOST_ROUNDS = 10, 50
_RULE = "Advanced and Alternative Rules"


def against_variant(jarls: int, chosen: Collection[str]) -> list[Objection]:
    """Object to both forms for two sides at once, and to sides without four Jarls."""
    against: list[Objection] = []
    if {"two_by_two", "allied"} <= set(chosen):
        against.append(plain("one_form_of_sides", _RULE))
    if {"two_by_two", "allied"} & set(chosen) and jarls != len(ORDER):
        against.append(plain("four_jarls", _RULE))
    return against


def play_variant(state: State, chosen: Sequence[str]) -> None:
    """Part the Jarls into teams, pool what the variant pools, and count rounds or not.

    In mid-game the Jarls keep the order in which they sit.
    """
    state.variant = tuple(word for word in VARIANTS if word in chosen)
    sides = "two_by_two" in state.variant or "allied" in state.variant
    for jarl in state.jarls:
        jarl.team = TEAMS[jarl.colour] if sides else 0
    counted = "player_turns" in state.variant
    state.rounds = (state.rounds or USUAL_ROUNDS) if counted else 0
    share_hands(state)
    share_purses(state)


def opponents(state: State, one: Jarl, other: Jarl) -> bool:
    """True where two Jarls are opponents: not one player's two, not allies (R63, R64)."""
    if one is other or one.id == other.id:
        return False
    if not one.team or one.team != other.team:
        return True
    return "allied" in state.variant and state.on("ally_targets")


def hand_limit(state: State, jarl: Jarl) -> int:
    """Return how many Sagas may be held after Phase 3 (R63)."""
    if "two_by_two" in state.variant and state.switches["pooled_hand_limit"] == "per_jarl":
        sharing = sum(other.hand == jarl.hand for other in state.jarls)
        return LIMITS.hand * sharing
    return LIMITS.hand


def share_hands(state: State) -> None:
    """Pool the Sagas of one player's two Jarls (R63), or part the hands again.

    A hand that is parted stays with the first Jarl of the team until people correct it.
    """
    pooled = "two_by_two" in state.variant
    for index, jarl in enumerate(state.jarls):
        keeper = _keeper(state, index) if pooled else index
        if jarl.hand != keeper:
            if pooled:
                kept, added = state.hands[keeper], state.hands[index]
                kept.size, kept.titles = kept.size + added.size, kept.titles + added.titles
                state.hands[index] = Hand()
            jarl.hand = keeper


def share_purses(state: State) -> None:
    """Put the silver of a team together, or part the purses again, as the switches say.

    A purse that is parted stays with the first Jarl of the team until people correct it.
    """
    pooled = (
        "two_by_two" in state.variant and state.switches["two_player_silver"] == "pooled"
    ) or ("allied" in state.variant and state.switches["ally_silver"] == "shared")
    for index, jarl in enumerate(state.jarls):
        keeper = _keeper(state, index) if pooled else index
        if jarl.purse != keeper:
            if pooled:
                state.purses[keeper] += state.purses[index]
                state.purses[index] = 0
            jarl.purse = keeper


def _keeper(state: State, index: int) -> int:
    """Return the place of the first Jarl of this one's team."""
    team = state.jarls[index].team
    return next((i for i, jarl in enumerate(state.jarls) if team and jarl.team == team), index)
