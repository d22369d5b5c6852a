"""Make events of pieces, coins and shields true: plain arithmetic, no rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.state import Settlement, State, TownState


def _stepped(state: State, event: e.Stepped) -> None:
    jarl = state.jarl(event.jarl)
    unit = jarl.unit(event.unit)
    unit.at, unit.phase, unit.trading = event.place, event.phase, ""
    unit.steps += event.steps
    if event.rode:
        jarl.army.rode, jarl.army.trading = True, ""
    state.moved = (event.jarl, event.unit)


def _steps_told(state: State, event: e.StepsTold) -> None:
    state.jarl(event.jarl).unit(event.unit).steps += event.more


def _steps_granted(state: State, event: e.StepsGranted) -> None:
    state.jarl(event.jarl).unit(event.unit).bonus += event.number


def _movement_stopped(state: State, event: e.MovementStopped) -> None:
    state.jarl(event.jarl).unit(event.unit).stopped = True


def _boarded(state: State, event: e.Boarded) -> None:
    state.jarl(event.jarl).army.at = "ship"


def _landed(state: State, event: e.Landed) -> None:
    state.jarl(event.jarl).army.at = event.place


def _driven(state: State, event: e.Driven) -> None:
    unit = state.jarl(event.jarl).unit(event.unit)
    unit.at, unit.trading = event.place, ""


def _token_taken(state: State, event: e.TokenTaken) -> None:
    state.tokens = tuple(place for place in state.tokens if place != event.place)


def _action_spent(state: State, event: e.ActionSpent) -> None:
    state.jarl(event.jarl).unit(event.unit).phase = event.phase


def _trade_began(state: State, event: e.TradeBegan) -> None:
    state.jarl(event.jarl).unit(event.unit).trading = event.place


def _recruited(state: State, event: e.Recruited) -> None:
    jarl = state.jarl(event.jarl)
    jarl.unit(event.unit).phase = "recruited"
    jarl.recruited[event.place] = jarl.recruited.get(event.place, 0) + event.number


def _loaded(state: State, event: e.Loaded) -> None:
    _add(state, event.jarl, event.source, event.kind, -event.number)
    _add(state, event.jarl, event.target, event.kind, event.number)


def _vikings_came(state: State, event: e.VikingsCame) -> None:
    _add(state, event.jarl, event.store, "v", event.number)


def _vikings_lost(state: State, event: e.VikingsLost) -> None:
    _add(state, event.jarl, event.store, "v", -event.number)
    if event.to == "kaupang":
        state.jarl(event.jarl).kaupang.v += event.number


def _cubes_gained(state: State, event: e.CubesGained) -> None:
    _add(state, event.jarl, event.store, event.kind, event.number)


def _cubes_spent(state: State, event: e.CubesSpent) -> None:
    _add(state, event.jarl, event.store, event.kind, -event.number)


def _cubes_taken(state: State, event: e.CubesTaken) -> None:
    _add(state, event.loser, event.store, event.kind, -event.number)
    _add(state, event.jarl, event.unit, event.kind, event.number)


def _silver_changed(state: State, event: e.SilverChanged) -> None:
    state.purses[state.jarl(event.jarl).purse] += event.number


def _silver_taken(state: State, event: e.SilverTaken) -> None:
    state.purses[state.jarl(event.loser).purse] -= event.number
    state.purses[state.jarl(event.jarl).purse] += event.number


def _victory_changed(state: State, event: e.VictoryChanged) -> None:
    state.jarl(event.jarl).vp += event.number


def _shield_seen(state: State, event: e.ShieldSeen) -> None:
    state.towns[event.town] = TownState("face_up", event.defenders, event.vp, event.reward)


def _goods_seen(state: State, event: e.GoodsSeen) -> None:
    state.towns[event.town] = TownState("face_up", sells=event.kinds or None)


def _shield_removed(state: State, event: e.ShieldRemoved) -> None:
    seen = state.towns[event.town]
    state.towns[event.town] = TownState("removed", seen.defenders, seen.vp, seen.reward)


def _pillaged(state: State, event: e.Pillaged) -> None:
    state.jarl(event.jarl).pillaged = True


def _settled(state: State, event: e.Settled) -> None:
    state.jarl(event.jarl).settlements[event.town] = Settlement()


def _settlement_damaged(state: State, event: e.SettlementDamaged) -> None:
    settled = state.jarl(event.jarl).settlements.get(event.town)
    if settled is not None:
        settled.damaged, settled.lost = True, event.lost


def _repaired(state: State, event: e.Repaired) -> None:
    settled = state.jarl(event.jarl).settlements.get(event.town)
    if settled is not None:
        settled.damaged, settled.lost = False, 0


def _add(state: State, jarl: str, store: str, kind: str, number: int) -> None:
    hold = state.jarl(jarl).store(store)
    if hold is not None:
        hold.add(kind, number)


APPLY_PIECES: dict[type, Callable[[State, Any], None]] = {
    e.Stepped: _stepped,
    e.StepsTold: _steps_told,
    e.StepsGranted: _steps_granted,
    e.MovementStopped: _movement_stopped,
    e.Boarded: _boarded,
    e.Landed: _landed,
    e.Driven: _driven,
    e.TokenTaken: _token_taken,
    e.ActionSpent: _action_spent,
    e.TradeBegan: _trade_began,
    e.Recruited: _recruited,
    e.Loaded: _loaded,
    e.VikingsCame: _vikings_came,
    e.VikingsLost: _vikings_lost,
    e.CubesGained: _cubes_gained,
    e.CubesSpent: _cubes_spent,
    e.CubesTaken: _cubes_taken,
    e.SilverChanged: _silver_changed,
    e.SilverTaken: _silver_taken,
    e.VictoryChanged: _victory_changed,
    e.ShieldSeen: _shield_seen,
    e.GoodsSeen: _goods_seen,
    e.ShieldRemoved: _shield_removed,
    e.Pillaged: _pillaged,
    e.Settled: _settled,
    e.SettlementDamaged: _settlement_damaged,
    e.Repaired: _repaired,
}
