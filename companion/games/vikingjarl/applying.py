"""Make an event true in the state: plain arithmetic, no rule (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.facts import correct
from companion.games.vikingjarl.state import Hand, Settlement, State, TownState


def apply(state: State, event: Any) -> None:
    """Change the state by one event."""
    _APPLY[type(event)](state, event)


def _corrected(state: State, event: e.Corrected) -> None:
    correct(state, event.key, event.value)


def _drafted(state: State, event: e.Drafted) -> None:
    for id in event.jarls:
        state.hand(state.jarl(id)).size += 1


def _turn_began(state: State, event: e.TurnBegan) -> None:
    jarl = state.jarl(event.jarl)
    state.turn = state.jarls.index(jarl)
    state.phase, state.moved = "draw", None
    for other in state.jarls:
        other.saga_on = {}
    jarl.recruited, jarl.sagas_bought, jarl.pillaged = {}, 0, False
    for unit in (jarl.ship, jarl.army):
        unit.phase, unit.steps, unit.bonus = "fresh", 0, 0
        unit.rode = unit.stopped = False
        unit.trading, unit.started_in = "", unit.at


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    jarl = state.jarl(event.jarl)
    jarl.last_attacked, jarl.attacked, jarl.laid = jarl.attacked, [], []
    state.moved = None
    state.round += event.last_of_round


def _phase_began(state: State, event: e.PhaseBegan) -> None:
    state.phase = event.phase


def _won(state: State, event: e.Won) -> None:
    state.winner = list(event.jarls)


def _saga_drawn(state: State, event: e.SagaDrawn) -> None:
    hand = state.hand(state.jarl(event.jarl))
    hand.size += 1
    if event.title:
        hand.titles.append(event.title)


def _sagas_bought(state: State, event: e.SagasBought) -> None:
    jarl = state.jarl(event.jarl)
    jarl.sagas_bought += event.number
    state.hand(jarl).size += event.number


def _event_read(state: State, event: e.EventRead) -> None:
    state.discard += 1
    if event.bought:
        hand = state.hand(state.jarl(event.jarl))
        hand.size -= 1
        _forget(hand, event.card)


def _sagas_discarded(state: State, event: e.SagasDiscarded) -> None:
    _lose_cards(state, event.jarl, event.cards)


def _sagas_kept(state: State, event: e.SagasKept) -> None:
    hand = state.hand(state.jarl(event.jarl))
    hand.size -= event.lost
    hand.titles = [title for title in event.kept if title != "unknown"]
    state.discard += event.lost


def _deck_rebuilt(state: State, event: e.DeckRebuilt) -> None:
    state.discard -= event.cards
    state.bottom = event.bottom


def _saga_laid(state: State, event: e.SagaLaid) -> None:
    state.jarl(event.jarl).laid.append(event.card)


def _laid_used(state: State, event: e.LaidUsed) -> None:
    state.jarl(event.jarl).laid = []


def _card_played(state: State, event: e.CardPlayed) -> None:
    _lose_cards(state, event.by, (event.card,))


def _card_aimed(state: State, event: e.CardAimed) -> None:
    counts = state.jarl(event.by).saga_on
    counts[event.target] = counts.get(event.target, 0) + 1


def _card_answered(state: State, event: e.CardAnswered) -> None:
    _lose_cards(state, event.jarl, (event.answer,))


def _saga_stolen(state: State, event: e.SagaStolen) -> None:
    victim, thief = state.hand(state.jarl(event.victim)), state.hand(state.jarl(event.thief))
    victim.size -= 1
    victim.titles = []
    thief.size += 1


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


def _attack_declared(state: State, event: e.AttackDeclared) -> None:
    if not event.target or event.place in state.towns:
        state.jarl(event.jarl).attacked.append(event.place)


def _began(state: State, event: e.Began) -> None:
    state.stack.append(event.frame)


def _became(state: State, event: e.Became) -> None:
    if state.stack:
        state.stack[-1] = event.frame


def _resolved(state: State, _event: e.Resolved) -> None:
    if state.stack:
        state.stack.pop()


def _told_only(_state: State, _event: Any) -> None:
    """An event that is a sentence of the story; its changes are told by others."""


def _add(state: State, jarl: str, store: str, kind: str, number: int) -> None:
    hold = state.jarl(jarl).store(store)
    if hold is not None:
        hold.add(kind, number)


def _lose_cards(state: State, jarl: str, cards: tuple[str, ...]) -> None:
    hand = state.hand(state.jarl(jarl))
    for card in cards:
        if hand.size or state.deck > 0:  # a card that nobody held came off the deck
            state.discard += 1
        hand.size -= min(1, hand.size)
        _forget(hand, card)


def _forget(hand: Hand, card: str) -> None:
    """Keep what is still known of a hand: nothing where it is no longer sure what was lost."""
    if card in hand.titles:
        hand.titles.remove(card)
    elif len(hand.titles) > hand.size:
        hand.titles = []


_APPLY: dict[type, Callable[[State, Any], None]] = {
    e.Corrected: _corrected,
    e.Drafted: _drafted,
    e.TurnBegan: _turn_began,
    e.TurnEnded: _turn_ended,
    e.PhaseBegan: _phase_began,
    e.Won: _won,
    e.SagaDrawn: _saga_drawn,
    e.SagasBought: _sagas_bought,
    e.EventRead: _event_read,
    e.SagasDiscarded: _sagas_discarded,
    e.SagasKept: _sagas_kept,
    e.DeckRebuilt: _deck_rebuilt,
    e.SagaLaid: _saga_laid,
    e.LaidUsed: _laid_used,
    e.CardPlayed: _card_played,
    e.CardAimed: _card_aimed,
    e.CardPassed: _told_only,
    e.CardAnswered: _card_answered,
    e.CardEnded: _told_only,
    e.SagaStolen: _saga_stolen,
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
    e.AttackDeclared: _attack_declared,
    e.Committed: _told_only,
    e.WentOn: _told_only,
    e.SagaChosen: _told_only,
    e.Rolled: _told_only,
    e.DieTurned: _told_only,
    e.Fell: _told_only,
    e.Resupplied: _told_only,
    e.BattleEnded: _told_only,
    e.Began: _began,
    e.Became: _became,
    e.Resolved: _resolved,
}
