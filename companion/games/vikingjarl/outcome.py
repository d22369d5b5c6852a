"""How a battle goes on after losses: victory with its reward, defeat, reserves, or another round.

Rules [Battle; Pillage and VP]; specification 6.4, 6.6, 7 and 8; R3, R6, R7, R29.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.printed import TOWNS, UNITS
from companion.games.vikingjarl.state import Battle, Jarl, State, free_spaces
from companion.terms import Box

REWARD_SILVER = 2
"""Silver on the back of a VP town's shield. Rules [Pillage and VP]."""


def shared_losses(battle: Battle, lost: int) -> dict[str, int]:
    """Return losses by unit: the unit with most Vikings in front bears them first."""
    spread: dict[str, int] = {}
    left = dict(battle.front)
    for _ in range(min(lost, battle.attackers)):
        name = max(left, key=lambda unit: left[unit])
        left[name] -= 1
        spread[name] = spread.get(name, 0) + 1
    return spread


def after_losses(
    state: State,
    battle: Battle,
    front: Mapping[str, int],
    defenders: int,
    box: Box,
    lost: Mapping[str, int] | None = None,
) -> tuple[Any, ...]:
    """Return what follows: nothing (another round), a call for reserves, victory or defeat."""
    jarl = state.jarl(battle.jarl)
    standing = sum(front.values())
    if standing == 0:
        gone = lost or {}
        waiting = sum(jarl.unit(n).hold.v - gone.get(n, 0) - front.get(n, 0) for n in battle.units)
        if waiting > 0:
            return (e.ReserveAsked(),)
        return attack_failed(state, battle, "lost")
    if defenders > 0:
        return ()
    return _victory(state, battle, standing, box, lost or {})


def attack_failed(
    state: State, battle: Battle, how: Literal["lost", "withdrawn"]
) -> tuple[Any, ...]:
    """Return the end of a failed attack: every unit that attacked leaves (6.6)."""
    jarl = state.jarl(battle.jarl)
    units = [n for n in battle.units if not (n == "army" and jarl.army.at == "ship")]
    if not units:  # the riding Army fought alone: its Ship takes it away
        units = ["ship"]
    ended = e.BattleEnded(jarl.id, battle.town, how)
    return (ended, e.MustLeave(jarl.id, units))


def _victory(
    state: State, battle: Battle, standing: int, box: Box, lost: Mapping[str, int]
) -> tuple[Any, ...]:
    jarl, town = state.jarl(battle.jarl), battle.town
    if TOWNS[town].kind == "pillage":
        counted = standing
        if state.switches["pillage_counts"] == "all_present":
            counted = sum(
                jarl.unit(n).hold.v - lost.get(n, 0) for n in UNITS if jarl.place_of(n) == town
            )
        silver = _from_bank(state, counted * box.number(f"{town}.silver"))
        victory = TOWNS[town].victory
        return (
            e.BattleEnded(jarl.id, town, "won", pillaged=True),
            *((e.SilverChanged(jarl.id, silver, town),) if silver else ()),
            *((e.VictoryChanged(jarl.id, victory, town),) if victory else ()),
        )
    there = state.towns[town]
    gain = there.vp or 0
    return (
        e.BattleEnded(jarl.id, town, "won"),
        *((e.VictoryChanged(jarl.id, gain, town),) if gain else ()),
        *_reward(state, jarl, there.reward or "none", battle, lost),
        e.ShieldRemoved(town),
    )


def _reward(
    state: State, jarl: Jarl, reward: str, battle: Battle, lost: Mapping[str, int]
) -> tuple[Any, ...]:
    if reward == "silver":
        silver = _from_bank(state, REWARD_SILVER)
        return (e.SilverChanged(jarl.id, silver, battle.town),) if silver else ()
    if reward == "none" or state.cubes(reward) < 1:
        return ()
    for name in battle.units:
        if free_spaces(jarl, name) + lost.get(name, 0) > 0:
            return (e.Gained(jarl.id, reward, 1, name),)
    return ()  # no space: forfeited (R77)


def _from_bank(state: State, silver: int) -> int:
    """Return what the bank can pay of it (R29)."""
    return silver if state.switches["silver_shortage"] == "unlimited" else min(silver, state.bank)
