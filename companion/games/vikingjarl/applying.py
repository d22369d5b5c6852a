"""Make an event true in the state: plain arithmetic, no rule (DESIGN 4)."""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.facts import correct
from companion.games.vikingjarl.state import Battle, Jarl, Leaving, SagaPlayed, State


def apply(state: State, event: Any) -> None:
    """Change the state by one event."""
    match event:
        case e.Corrected(key, value):
            correct(state, key, value)
        case e.TurnBegan() | e.TurnEnded() | e.PhaseBegan() | e.Drafted() | e.Won():
            _turn(state, event)
        case e.Stepped() | e.Put() | e.UnitPhase() | e.Stopped() | e.TokenTaken():
            _units(state, event)
        case e.SagaDrawn(jarl):
            state.jarl(jarl).hand += 1
        case e.SagaDiscarded(jarl, cards):
            _lose_cards(state, state.jarl(jarl), cards)
        case e.Moved(jarl, kind, number, source, target):
            state.jarl(jarl).store(source).add(kind, -number)
            state.jarl(jarl).store(target).add(kind, number)
        case e.Gained(jarl, kind, number, store):
            state.jarl(jarl).store(store).add(kind, number)
        case e.SilverChanged(jarl, number):
            state.jarl(jarl).silver += number
        case e.VictoryChanged(jarl, number):
            state.jarl(jarl).vp += number
        case e.ShieldTurned(town, defenders, vp, reward):
            there = state.towns[town]
            there.shield, there.defenders, there.vp, there.reward = "face_up", defenders, vp, reward
            if isinstance(state.top, Battle):
                state.top.step = "commit"
        case e.ShieldRemoved(town):
            state.towns[town].shield = "removed"
        case (
            e.SagaBegan()
            | e.SagaAimed()
            | e.SagaUnitChosen()
            | e.SagaPassed()
            | e.SagaAnswered()
            | e.SagaEnded()
        ):
            _saga(state, event)
        case _:
            _battle(state, event)


def _turn(state: State, event: Any) -> None:
    match event:
        case e.TurnBegan(id):
            jarl = state.jarl(id)
            state.turn = state.jarls.index(jarl)
            state.phase, state.last_moved = "draw", []
            jarl.attacked, jarl.saga_on, jarl.recruited = [], {}, {}
            jarl.sagas_bought, jarl.pillaged = 0, False
            for name in ("ship", "army"):
                unit = jarl.unit(name)
                unit.phase, unit.steps, unit.bonus = "fresh", 0, 0
                unit.rode = unit.stopped = False
                unit.started_in = jarl.place_of(name)
        case e.TurnEnded(id):
            jarl = state.jarl(id)
            jarl.last_attacked, jarl.attacked, jarl.laid = jarl.attacked, [], []
        case e.PhaseBegan(phase):
            state.phase = phase
        case e.Drafted(ids):
            for id in ids:
                state.jarl(id).hand += 1
            state.phase = "draw"
        case _:
            state.winner = list(event.jarls)


def _units(state: State, event: Any) -> None:
    jarl = state.jarl(event.jarl)
    match event:
        case e.Stepped(_, name, place, steps, phase, carried):
            unit = jarl.unit(name)
            unit.at, unit.phase = place, phase
            unit.steps += steps
            jarl.army.rode = jarl.army.rode or carried
            state.last_moved = [jarl.id, name]
        case e.Put(_, name, place):
            jarl.unit(name).at = place
            _left(state, name)
        case e.UnitPhase(_, name, phase):
            jarl.unit(name).phase = phase
        case e.Stopped(_, name):
            jarl.unit(name).stopped = True
        case _:
            state.tokens[event.place] = False


def _left(state: State, unit: str) -> None:
    top = state.top
    if isinstance(top, Leaving) and unit in top.units:
        top.units.remove(unit)
        if not top.units:
            state.resolving.pop()


def _battle(state: State, event: Any) -> None:
    match event:
        case e.AttackDeclared(id, town, units, flip):
            state.jarl(id).attacked.append(town)
            step = "units" if len(units) > 1 else ("flip" if flip else "commit")
            state.resolving.append(Battle(id, town, list(units), step))
            return
        case e.MustLeave(id, units):
            state.resolving.append(Leaving(id, list(units)))
            return
        case e.AllLeft():
            state.resolving.pop()
            return
        case _:
            pass
    battle = state.top
    assert isinstance(battle, Battle)
    match event:
        case e.UnitsJoined(units, flip):
            battle.units, battle.step = list(units), "flip" if flip else "commit"
        case e.Committed(_, front, defenders):
            battle.front, battle.defenders, battle.step = dict(front), defenders, "roll"
        case e.Rolled(black, hits, against):
            battle.black, battle.hits, battle.hits_against = list(black), hits, against
            battle.rounds += 1
            battle.step = "losses"
        case e.DieTurned(die, hits):
            battle.black[die - 1], battle.hits = "helmet", hits
        case e.Fell(id, _, lost, _, defenders, store):
            jarl = state.jarl(id)
            for unit, number in lost.items():
                jarl.unit(unit).hold.v -= number
                battle.front[unit] = battle.front.get(unit, 0) - number
                if store == "kaupang":
                    jarl.kaupang.v += number
            battle.defenders -= defenders
            battle.step = "roll"
        case e.Resupplied(front):
            for unit, number in front.items():
                battle.front[unit] = battle.front.get(unit, 0) + number
            battle.step = "roll"
        case e.ReserveAsked():
            battle.step = "reserve"
        case e.BattleEnded(id, _, _, pillaged):
            state.jarl(id).pillaged = state.jarl(id).pillaged or pillaged
            state.resolving.pop()
        case _:
            raise TypeError(f"no event of this game: {event!r}")


def _saga(state: State, event: Any) -> None:
    if isinstance(event, e.SagaBegan):
        _lose_cards(state, state.jarl(event.by), [event.card])
        state.resolving.append(SagaPlayed(event.card, event.by))
        return
    played = state.top
    assert isinstance(played, SagaPlayed)
    match event:
        case e.SagaAimed(_, by, target):
            played.target = target
            on = state.jarl(by).saga_on
            on[target] = on.get(target, 0) + 1
        case e.SagaUnitChosen(unit):
            played.unit = unit
        case e.SagaPassed():
            played.answered = True
        case e.SagaAnswered(_, _, target, answer):
            _lose_cards(state, state.jarl(target), [answer])
            state.resolving.pop()
        case _:
            state.resolving.pop()


def _lose_cards(state: State, jarl: Jarl, cards: list[str]) -> None:
    for card in cards:
        jarl.hand = max(0, jarl.hand - 1)  # a card nobody knew of may have been played anyway
        state.discard += 1
        if card in jarl.titles:
            jarl.titles.remove(card)
        del jarl.titles[jarl.hand :]
