"""The Battlezone: who can be placed in it, who waits on units, and who bears the losses.

Rules [Battle]; specification 6.1, 6.4 and 6.6; R4, R5, R17, R68, R74.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.games.vikingjarl.actions import joinable
from companion.games.vikingjarl.dice import hits
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import LIMITS, POOLS
from companion.games.vikingjarl.state import State


def battle_at(state: State, *steps: str) -> Battle | None:
    """Return the battle that waits at one of these steps, None where there is none."""
    battle = state.top
    return battle if isinstance(battle, Battle) and battle.step in steps else None


def available(state: State, battle: Battle, *, defender: bool = False) -> dict[str, int]:
    """Return the Vikings that may be placed, by store; `town` are a town's white Vikings."""
    if not defender:
        jarl = state.jarl(battle.attacker)
        return {name: n for name in battle.units if (n := jarl.unit(name).hold.v) > 0}
    if not battle.defender:
        return {"town": battle.strong} if battle.strong else {}
    jarl = state.jarl(battle.defender)
    return {store: n for store in battle.stores if (n := jarl.in_store(store, "v")) > 0}


def waiting(state: State, battle: Battle, *, defender: bool = False) -> dict[str, int]:
    """Return the Vikings that could still be brought up, by store.

    An own unit that has not joined yet may bring up its Vikings too; it spends its Action (R68).
    """
    side = battle.guard if defender else battle.front
    ready = available(state, battle, defender=defender)
    if not defender:
        jarl = state.jarl(battle.attacker)
        kind = "field" if battle.kind == "field" else "town"
        for name in joinable(state, jarl, battle.units[0], kind, battle.place):
            if name not in battle.units:
                ready[name] = jarl.unit(name).hold.v
    elif not battle.defender:
        return {}
    return {store: left for store, n in ready.items() if (left := n - side.get(store, 0)) > 0}


def all_up_to_five(ready: Mapping[str, int]) -> dict[str, int]:
    """Return all Vikings up to the five places of a side, store after store (R4)."""
    left, placed = LIMITS.battlezone, dict[str, int]()
    for store, number in ready.items():
        if min(number, left):
            placed[store] = min(number, left)
            left -= placed[store]
    return placed


def spread(side: Mapping[str, int], lost: int) -> dict[str, int]:
    """Return losses by store: the one with most Vikings in the zone bears them first."""
    left = dict(side)
    borne: dict[str, int] = {}
    for _ in range(min(lost, sum(left.values()))):
        store = max(left, key=lambda name: left[name])
        left[store] -= 1
        borne[store] = borne.get(store, 0) + 1
    return borne


def wall_holds(state: State, battle: Battle) -> bool:
    """True while a place without standing defenders is still defended by a Saga (R40, R41)."""
    if battle.shield_wall:
        if state.switches["shield_wall_holds"] == "two_rounds":
            return battle.round < POOLS.rounds
        return battle.empty and battle.round < 1
    if battle.stronghold and state.on("stronghold_holds"):
        return battle.round < POOLS.rounds
    return False


def after_default(state: State, battle: Battle) -> Battle | None:
    """Return the battle as the next throw finds it, where the losses that wait take their default.

    None where nothing waits, or where no further round follows.
    """
    if battle.step != "losses":
        return None
    lost = spread(battle.front, min(battle.against, battle.attackers))
    killed = spread(battle.guard, min(hits((*battle.black, *battle.red)), battle.defenders))
    later = replace(
        battle,
        front={store: n - lost.get(store, 0) for store, n in battle.front.items()},
        guard={store: n - killed.get(store, 0) for store, n in battle.guard.items()},
    )
    stands = later.defenders > 0 or wall_holds(state, later)
    return later if later.attackers and stands else None


def withdrawable(battle: Battle) -> bool:
    """True where the attacker may withdraw: not before round 1 of a wall or stronghold (R42)."""
    return battle.round > 0 or not (battle.shield_wall or battle.stronghold)


def goes_on(battle: Battle) -> bool:
    """True where the attacker has said to go on to the next round: asked once a round (6.4)."""
    return battle.on_to > battle.round
