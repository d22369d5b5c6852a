"""Make events of the turn and of Sagas true: plain arithmetic, no rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.facts import correct
from companion.games.vikingjarl.state import Hand, State


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


def _ended(state: State, _event: e.Ended) -> None:
    state.winner = []


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


APPLY_CARDS: dict[type, Callable[[State, Any], None]] = {
    e.Corrected: _corrected,
    e.Drafted: _drafted,
    e.TurnBegan: _turn_began,
    e.TurnEnded: _turn_ended,
    e.PhaseBegan: _phase_began,
    e.Won: _won,
    e.Ended: _ended,
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
    e.CardAnswered: _card_answered,
    e.SagaStolen: _saga_stolen,
}
