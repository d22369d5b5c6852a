"""How many dice each side throws, and what they show.

Rules [Battle; Pillage and VP]; specification 6.2 and 6.3, R1, R2, R41.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import LIMITS, POOLS
from companion.terms import Die

FACES = ("helmet", "shield")
COLOURS = ("black", "white", "red")
_BLACK = (0, 1, 2, 3)
_TOWN = (0, 1, 2)
_DEFENCE = {
    "stepped": (0, 1, 2, 2, 3),
    "equal_max3": (0, 1, 2, 3),
    "cap2": (0, 1, 2),
}
"""White dice for 0, 1, 2 ... Jarl defenders; the last figure holds for all above (R1)."""


def attack_pool(battle: Battle) -> Mapping[str, int]:
    """Return the attacker's dice by colour. Berserk gives 3 black and 1 red in rounds 1 and 2."""
    if battle.berserk and battle.round < POOLS.rounds and battle.attackers:
        return POOLS.berserk
    return {"black": _figure(_BLACK, battle.attackers)}


def defence_pool(battle: Battle, defence_dice: str) -> Mapping[str, int]:
    """Return the defender's dice by colour; Shield Wall and Stronghold hold for two rounds."""
    if battle.round < POOLS.rounds:
        if battle.shield_wall:
            return POOLS.shield_wall
        if battle.stronghold:
            return POOLS.stronghold
    table = _DEFENCE[defence_dice] if battle.defender else _TOWN
    return {"white": _figure(table, battle.defenders)}


def hits(faces: Sequence[str]) -> int:
    """Return the hits of a throw: helmets, at most two ("best two apply")."""
    return min(LIMITS.hits, faces.count("helmet"))


def by_side(
    dice: Sequence[Die], attack: Mapping[str, int], defence: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """Part a throw into the attack's black and red faces and the defence's faces.

    The last value is False where both sides threw red dice and nobody said whose is whose; then
    the first red die counts for the attack.
    """
    black = tuple(die.face for die in dice if die.colour == "black")
    white = [die.face for die in dice if die.colour == "white"]
    red = [die for die in dice if die.colour == "red"]
    if not (attack.get("red") and defence.get("red")):
        faces = tuple(die.face for die in red)
        if attack.get("red"):
            return black, faces, tuple(white), True
        return black, (), (*white, *faces), True
    told = all(die.side in ("attack", "defence") for die in red)
    if told:
        mine = tuple(die.face for die in red if die.side == "attack")
        theirs = [die.face for die in red if die.side == "defence"]
    else:
        mine, theirs = tuple(die.face for die in red[:1]), [die.face for die in red[1:]]
    clear = told or len({die.face for die in red}) < 2
    return black, mine, (*white, *theirs), clear


def counts(dice: Sequence[Die]) -> dict[str, int]:
    """Return how many dice of each colour were thrown."""
    found: dict[str, int] = {}
    for die in dice:
        found[die.colour] = found.get(die.colour, 0) + 1
    return found


def together(attack: Mapping[str, int], defence: Mapping[str, int]) -> dict[str, int]:
    """Return both pools as one count by colour, without zeros."""
    found: dict[str, int] = {}
    for pool in (attack, defence):
        for colour, number in pool.items():
            if number:
                found[colour] = found.get(colour, 0) + number
    return found


def _figure(table: tuple[int, ...], number: int) -> int:
    return table[min(max(number, 0), len(table) - 1)]
