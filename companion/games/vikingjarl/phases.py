"""What a unit may still do this turn: Movement and one Action in either order, or recruit.

A place that was entered last turn is no different: the Action may come first there too (R82).
Rules [Gameplay, Phase 2]; specification 4.1; R25.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.state import Jarl, Phase, Unit

AFTER_STEP: dict[str, Phase] = {
    "fresh": "moved",
    "moved": "moved",
    "acted": "acted_moved",
    "acted_moved": "acted_moved",
}
"""The phase after an own step, by the one before; a unit in another phase does not move."""
AFTER_ACTION: dict[str, Phase] = {"fresh": "acted", "moved": "moved_acted"}
"""The phase after an Action, by the one before; a unit in another phase does not act."""


def may_act(unit: Unit) -> bool:
    """True for a unit with its Action left."""
    return unit.phase in AFTER_ACTION


def spend_action(course: Course, jarl: Jarl, name: str) -> None:
    """Use a unit's Action."""
    phase = jarl.unit(name).phase
    course.tell(e.ActionSpent(jarl.id, name, AFTER_ACTION.get(phase, phase)))
