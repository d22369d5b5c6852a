"""The turn: draw, move and act, discard down to three.

Rules [Gameplay]; specification section 4, 16.4 and 18; R32, R34, R35, R59, R63.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.alternative_rules import hand_limit
from companion.games.vikingjarl.answers import picked, titles
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.deck import rebuild_if_empty
from companion.games.vikingjarl.event_cards import read_aloud
from companion.games.vikingjarl.printed import JARLS, PRICES, SAGAS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.saga_moments import in_hand
from companion.games.vikingjarl.sagas import SAGA_OPTIONS
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.winning import end_of_rounds
from companion.terms import (
    Answer,
    Box,
    CardOf,
    Cards,
    Done,
    NoSuchKey,
    Objection,
    Option,
    Question,
    say,
)

_EVENT_CARDS = tuple(
    Option(id, say(f"saga.{id}"), say(f"saga.{id}.does")) for id, s in SAGAS.items() if s.event
)
_DRAW = CardOf("saga", _EVENT_CARDS, 0, 1)
_DISCARDS = (Option("unknown", say("saga.unknown")), *SAGA_OPTIONS)
_SYMBOL = CardOf("saga", SAGA_OPTIONS)


# ------------------------------------------------------------------------------ what is asked


def draw_question(state: State) -> list[Question]:
    """Ask for the draw (Phase 1)."""
    return [_draw(state.active.id)]


@cache
def _draw(jarl: str) -> Question:
    return Question(
        "turn.draw",
        (jarl,),
        say("question.draw"),
        _DRAW,
        detail=say("question.draw.event"),
        rule="Phase 1; R34, R35",
    )


def discard_question(state: State) -> list[Question]:
    """Ask for the Sagas above the limit (Phase 3)."""
    jarl = state.active
    return [_discard(jarl.id, max(0, state.hand(jarl).size - hand_limit(state, jarl)))]


@cache
def _discard(jarl: str, surplus: int) -> Question:
    return Question(
        f"{jarl}.discard",
        (jarl,),
        say("question.discard", n=surplus),
        CardOf("saga", _DISCARDS, surplus, surplus),
        default=Cards(("unknown",) * surplus),
        done=False,
        rule="Phase 3; R63",
    )


def offers(state: State) -> list[Question]:
    """Offer to throw a Saga away for silver, and to end the turn."""
    jarl = state.active
    asked = [_for_silver(jarl.id)] if state.hand(jarl).size else []
    asked.append(_end(jarl.id))
    return asked


@cache
def _for_silver(jarl: str) -> Question:
    return Question(
        f"{jarl}.discard_for_silver",
        (jarl,),
        say("question.discard_for_silver"),
        _SYMBOL,
        urgency="offer",
        group="saga",
        done=False,
        rule="Phase 3; R59",
    )


@cache
def _end(jarl: str) -> Question:
    return Question(
        "turn.end",
        (jarl,),
        say("question.end"),
        None,
        urgency="offer",
        group="turn",
        rule="Gameplay",
    )


# --------------------------------------------------------------------------------- Phase 1, draw


def check_draw(state: State, answer: Answer) -> list[Objection]:
    """Take exactly one Saga, free and compulsory; an event card is read aloud."""
    cards = _drawn(answer)
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    against: list[Objection] = []
    if state.phase != "draw" or state.stack:
        against.append(plain("drawn", "Phase 1"))
    if len(cards) > 1:
        against.append(plain("draw_one", "Phase 1"))
    return against


def decide_draw(course: Course, answer: Answer) -> None:
    """The card goes to the hand; an event card resolves at once and is the draw (R35)."""
    state, jarl = course.before, course.before.active
    card = next(iter(_drawn(answer)), "")
    event = card in SAGAS and SAGAS[card].event
    if rebuild_if_empty(course):
        if event:
            course.tell(e.EventRead(jarl.id, card))
        else:
            title = card if card in SAGAS else ""
            readers = tuple(j.id for j in state.jarls if j.hand == jarl.hand) if title else None
            course.tell(e.SagaDrawn(jarl.id, title, readers))
    again = event and state.switches["event_replaces_draw"] == "off"
    if state.phase == "draw" and not again:
        course.tell(e.PhaseBegan("act"))
    if event:
        read_aloud(course, jarl, card)


def _drawn(answer: Answer) -> tuple[str, ...]:
    return () if isinstance(answer.value, Done) else titles(answer)


# ------------------------------------------------------------------------------ the end, Phase 3


def check_end(state: State, answer: Answer) -> list[Objection]:
    """End the turn when nothing is being resolved any more."""
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    if state.phase in ("draw", "draft"):
        return [plain(f"phase.{state.phase}", "Phase 1")]
    if state.stack:
        return [plain("resolving", "Gameplay")]
    _ = answer
    return []


def decide_end(course: Course, _answer: Answer) -> None:
    """Discard down to the limit first; then it is the next Jarl's turn."""
    state = course.before
    jarl = state.active
    _clear(course)
    if state.hand(jarl).size > hand_limit(state, jarl) and state.phase != "discard":
        course.tell(e.PhaseBegan("discard"))
    else:
        _next_turn(course)


def check_discard(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """Discard down to three Sagas in hand (Phase 3)."""
    cards = None if isinstance(answer.value, Done) else titles(answer)
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    if state.phase != "discard" or jarl.id != state.active.id:
        return [plain("no_discard", "Phase 3")]
    hand = state.hand(jarl)
    surplus = max(0, hand.size - hand_limit(state, jarl))
    if cards is None:
        return []
    if len(cards) != surplus:
        return [objection("discard_count", "Phase 3; R63", n=surplus)]
    known = list(hand.titles)
    for card in cards:
        if card in known:
            known.remove(card)
        elif card != "unknown" and len(hand.titles) >= hand.size:
            return [objection("not_in_hand", "Phase 3", saga=card)]
    return []


def decide_discard(course: Course, answer: Answer, jarl: Jarl) -> None:
    """The Sagas lie on the discard pile; the turn is over."""
    state = course.before
    surplus = max(0, state.hand(jarl).size - hand_limit(state, jarl))
    cards = () if isinstance(answer.value, Done) else titles(answer)
    kept = (*cards, *("unknown",) * surplus)
    phase_3 = state.phase == "discard" and jarl.id == state.active.id
    number = surplus if phase_3 else min(len(cards), state.hand(jarl).size)
    if number:
        course.tell(e.SagasDiscarded(jarl.id, kept[:number]))
    if phase_3:
        _next_turn(course)


def check_symbol(state: State, answer: Answer, jarl: Jarl, box: Box) -> list[Objection]:
    """A Saga with the silver sign may be thrown away for 1 silver, any time of the own turn."""
    card = _one(answer)
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    against: list[Objection] = []
    if jarl.id != state.active.id:
        against.append(objection("not_your_turn", "Sagas", jarl=jarl.id))
    if not card or card == "unknown" or SAGAS[card].event:
        return [*against, plain("say_title", "Sagas; R59")]
    against += in_hand(state, jarl, card)
    if not against and box.word(f"{card}.symbol") != "yes":
        against.append(objection("no_symbol", "Sagas; R59", saga=card))
    return against


def decide_symbol(course: Course, answer: Answer, jarl: Jarl) -> None:
    """The Saga lies on the discard pile, the silver in the purse."""
    card = _one(answer)
    if course.before.hand(jarl).size < 1:
        return
    course.tell(e.SagasDiscarded(jarl.id, (card or "unknown",)))
    course.gain_silver(jarl.id, PRICES.symbol, card or "unknown")


def _one(answer: Answer) -> str:
    if isinstance(answer.value, Done):
        return ""
    ids = titles(answer)
    if len(ids) != 1:
        raise NoSuchKey(answer.value, say("expected.title"))
    return ids[0]


# ------------------------------------------------------------------------------ whose turn it is


def check_start(state: State, answer: Answer) -> list[Objection]:
    """Turns go clockwise; another Jarl's turn is given by hand only."""
    chosen = _next(state, answer)
    return [objection("out_of_turn", "Gameplay; R32", jarl=chosen)]


def decide_start(course: Course, answer: Answer) -> None:
    """Give the turn to a Jarl as if its own turn really started."""
    chosen = _next(course.before, answer)
    _clear(course)
    if course.before.phase not in ("draw", "draft"):
        course.tell(e.TurnEnded(course.before.active.id))
    course.tell(e.TurnBegan(chosen))


def _next(state: State, answer: Answer) -> str:
    if isinstance(answer.value, Done):
        return state.jarls[(state.turn + 1) % len(state.jarls)].id
    ids = picked(answer, JARLS)
    if len(ids) != 1 or not state.has(ids[0]):
        raise NoSuchKey(answer.value, say("expected.jarl"))
    return ids[0]


def _clear(course: Course) -> None:
    """Whatever was still being resolved was done at the table."""
    for _ in course.before.stack:
        course.resolve()


def _next_turn(course: Course) -> None:
    state = course.before
    last = state.turn == len(state.jarls) - 1
    follower = state.jarls[(state.turn + 1) % len(state.jarls)]
    course.tell(e.TurnEnded(state.active.id, last))
    if not end_of_rounds(course):
        course.tell(e.TurnBegan(follower.id))
