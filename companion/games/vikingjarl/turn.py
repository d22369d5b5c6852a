"""The turn: draw, move and act, discard down to three.

Rules [Gameplay]; specification section 4.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.facts import SAGA_OPTIONS
from companion.games.vikingjarl.printed import LIMITS, SAGAS
from companion.games.vikingjarl.rulings import Ruling, refused
from companion.games.vikingjarl.state import State
from companion.terms import Answer, CardOf, Cards, NoSuchKey, Option, Picked, Question, say

_EVENT_CARDS = tuple(
    Option(id, say(f"saga.{id}"), say(f"saga.{id}.does")) for id, s in SAGAS.items() if s.event
)
_DRAW = CardOf("saga", _EVENT_CARDS, 0, 1)
_DISCARDS = (Option("unknown", say("saga.unknown")), *SAGA_OPTIONS)


def questions(state: State) -> tuple[Question, ...]:
    """Ask for the draw, the end of the turn, or the discards of the active Jarl."""
    jarl = state.active
    seats = (jarl.id,)
    if state.phase == "draw":
        return (
            Question(
                "turn.draw",
                seats,
                say("question.draw"),
                _DRAW,
                detail=say("question.draw.event"),
                rule="Phase 1",
            ),
        )
    if state.phase == "discard":
        surplus = jarl.hand - LIMITS.hand
        return (
            Question(
                f"{jarl.id}.discard",
                seats,
                say("question.discard", n=surplus),
                CardOf("saga", _DISCARDS, surplus, surplus),
                rule="Phase 3",
            ),
        )
    return (
        Question(
            "turn.end",
            seats,
            say("question.end"),
            None,
            urgency="offer",
            group="turn",
            rule="Gameplay",
        ),
    )


def rule_draw(state: State, answer: Answer) -> Ruling:
    """Take exactly one Saga; an event card is read aloud and resolves at once."""
    jarl = state.active.id
    cards = answer.value.ids if isinstance(answer.value, Cards) else ()
    for card in cards:
        if card not in SAGAS:
            raise NoSuchKey(card, "a Saga title")
    acting = e.PhaseBegan("act")
    drawn: tuple[object, ...] = (e.SagaDrawn(jarl),)
    if cards and SAGAS[cards[0]].event:
        drawn = (e.SagaDrawn(jarl), e.SagaDiscarded(jarl, [cards[0]]))
    if state.phase != "draw":
        return refused("drawn", "Phase 1", drawn)
    if cards and SAGAS[cards[0]].event:
        return refused("not_built", "Sagas", (*drawn, acting), what=say(f"saga.{cards[0]}"))
    return Ruling((), (*drawn, acting))


def rule_end(state: State, answer: Answer) -> Ruling:
    """End the turn; more than three Sagas in hand are discarded first."""
    jarl = state.active
    if jarl.hand > LIMITS.hand and state.phase != "discard":
        return Ruling((), (e.PhaseBegan("discard"),))
    events = _next_turn(state)
    if state.phase == "draw":
        return refused("draw_first", "Phase 1", events)
    return Ruling((), events)


def rule_discard(state: State, answer: Answer, id: str) -> Ruling:
    """Discard down to three Sagas and end the turn (Phase 3)."""
    jarl = state.jarl(id)
    surplus = jarl.hand - LIMITS.hand
    cards = list(answer.value.ids) if isinstance(answer.value, Cards) else ["unknown"] * surplus
    for card in cards:
        if card != "unknown" and card not in SAGAS:
            raise NoSuchKey(card, "a Saga title, or unknown")
    events = (e.SagaDiscarded(id, cards[: jarl.hand]), *_next_turn(state))
    if state.phase != "discard" or jarl is not state.active:
        return refused("no_discard", "Phase 3", (e.SagaDiscarded(id, cards[: jarl.hand]),))
    if len(cards) != surplus:
        return refused("discard_count", "Phase 3", events, n=surplus)
    return Ruling((), events)


def rule_start(state: State, answer: Answer) -> Ruling:
    """Give the turn to a Jarl out of order ("we did it anyway")."""
    ids = answer.value.ids if isinstance(answer.value, Picked) else ()
    known = [jarl.id for jarl in state.jarls]
    if len(ids) != 1 or ids[0] not in known:
        raise NoSuchKey(str(ids), f"one of {', '.join(known)}")
    ended = () if state.phase == "draw" else (e.TurnEnded(state.active.id),)
    return refused("out_of_turn", "Gameplay; R32", (*ended, e.TurnBegan(ids[0])), jarl=ids[0])


def _next_turn(state: State) -> tuple[object, ...]:
    follower = state.jarls[(state.turn + 1) % len(state.jarls)]
    return (e.TurnEnded(state.active.id), e.TurnBegan(follower.id))
