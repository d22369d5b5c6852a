"""How to win: come home with the points in the own turn, or have the most when the rounds are over.

Rules [How to Win the Game; Advanced and Alternative Rules]; specification 17 and 18, R61 to R64.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import picked
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.printed import JARLS
from companion.games.vikingjarl.rulings import plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Done, NoSuchKey, Objection, say

_RULE = "How to Win the Game"


def points(state: State, jarl: Jarl) -> int:
    """Return the points that count against the target: the team's sum where Jarls are allied."""
    if "allied" in state.variant and jarl.team:
        return sum(other.vp for other in state.jarls if other.team == jarl.team)
    return jarl.vp


def winners(state: State, jarl: Jarl) -> tuple[str, ...]:
    """Return who wins with this Jarl: its ally too, its own name first."""
    allies = [j.id for j in state.jarls if j.team and j.team == jarl.team and j.id != jarl.id]
    return (jarl.id, *allies) if "allied" in state.variant else (jarl.id,)


def enter_kaupang(course: Course, jarl: Jarl) -> None:
    """A unit came home by its own step, in its own turn: with the points, that wins."""
    state = course.now
    if state.rounds or state.winner is not None or state.active.id != jarl.id:
        return
    if points(state, jarl) >= state.target:
        course.tell(e.Won(winners(state, jarl)))


def wait_at_home(course: Course) -> None:
    """By switch, a unit that waits in Kaupang wins as the target is reached (R61)."""
    before = course.before
    if not before.on("win_waiting_unit") or before.rounds or before.winner is not None:
        return
    state, jarl = course.now, course.before.active
    if state.active.id != jarl.id or state.winner is not None:
        return
    reached = points(before, jarl) < before.target <= points(state, state.active)
    if reached and state.active.units_in("kaupang"):
        course.tell(e.Won(winners(state, state.active)))


def end_of_rounds(course: Course) -> bool:
    """The agreed rounds are over: the most points win, ties are shared (R62). False before."""
    if not course.before.rounds:
        return False
    state = course.now
    if state.round <= state.rounds:
        return False
    most = max(points(state, jarl) for jarl in state.jarls)
    course.tell(e.Won(tuple(jarl.id for jarl in state.jarls if points(state, jarl) == most)))
    return True


# ------------------------------------------------------------------------- ended by agreement


def check_ending(state: State, answer: Answer) -> list[Objection]:
    """A game ends with a victory; people may end it earlier all the same."""
    _ = _agreed(state, answer)
    return [plain("over" if state.winner is not None else "nobody_won", _RULE)]


def decide_ending(course: Course, answer: Answer) -> None:
    """The game is over, for those whom the table calls the winners, or for nobody."""
    agreed = _agreed(course.before, answer)
    course.tell(e.Won(agreed) if agreed else e.Ended())


def _agreed(state: State, answer: Answer) -> tuple[str, ...]:
    if isinstance(answer.value, Done):
        return ()
    ids = picked(answer, JARLS)
    for id in ids:
        if not state.has(id):
            raise NoSuchKey(id, say("expected.jarl"))
    return tuple(dict.fromkeys(ids))
