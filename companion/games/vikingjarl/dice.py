"""How many dice each side throws, and what they show.

Rules [Battle; Pillage and VP]; specification 6.2 and 6.3, R1, R2.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.vikingjarl.printed import LIMITS
from companion.games.vikingjarl.state import Battle
from companion.terms import Die

FACES = ("helmet", "shield")


def pools(battle: Battle) -> dict[str, dict[str, int]]:
    """Return the dice of both sides by colour. A town never throws more than two (R2)."""
    black = min(3, battle.attackers)
    white = min(2, battle.defenders)
    return {"attack": {"black": black}, "defence": {"white": white}}


def hits(dice: Sequence[Die]) -> int:
    """Return the hits of a throw: helmets, at most two ("best two apply")."""
    return min(LIMITS.hits, sum(die.face == "helmet" for die in dice))
