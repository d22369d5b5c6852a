"""The deck of Sagas: what can still be drawn, and how it is built anew.

Rules [Sagas, How to shuffle the deck]; specification 16.2, R34.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.state import State


def drawable(state: State) -> int:
    """Return how many Sagas can still be taken, with the discards that come back (R34)."""
    rebuilt = state.switches["deck_exhausted"] == "rebuild"
    return max(0, state.deck) + (state.discard if rebuilt else 0)


def rebuild_if_empty(course: Course) -> bool:
    """Build the deck anew from the discards where it is empty (R34); False where none is left."""
    state = course.now
    if state.deck > 0:
        return True
    if not state.discard or state.switches["deck_exhausted"] == "no_more_draws":
        return False
    events = min(state.discard, 3)  # both angry gods and Ragnarok lie in the bottom pile
    bottom = (state.discard - events + 1) // 2 + events
    course.tell(e.DeckRebuilt(state.discard, bottom))
    return True
