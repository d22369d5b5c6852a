"""Sagas: playing one from the hand, and the answer that cancels it.

Rules [Sagas]; specification 16.4 and 16.5; R35, R36, R83, R88. When each may be played stands in
`saga_moments`, what it asks in `saga_choices`, whom it reaches in `saga_reach`, what it does in
`saga_effects`.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl import saga_choices as choices
from companion.games.vikingjarl.answers import titles
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Battle, Keeping, Removing, SagaPlayed
from companion.games.vikingjarl.phases import spend_action
from companion.games.vikingjarl.printed import SAGAS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.saga_effects import instant, take_effect
from companion.games.vikingjarl.saga_moments import against_moment, in_hand
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import (
    Answer,
    CardOf,
    Done,
    NoSuchKey,
    Objection,
    Option,
    Picked,
    Question,
    say,
)

INSTANT = ("bragi", "njord", "berserk", "valhalla", "silver_treasure", "shield_wall", "stronghold")
"""Sagas that need no choice: what they do is clear as they are played."""
SAGA_OPTIONS = tuple(Option(id, say(f"saga.{id}")) for id, saga in SAGAS.items() if not saga.event)
ALL_OPTIONS = tuple(Option(id, say(f"saga.{id}")) for id in SAGAS)
_PASS = Picked(("pass",))
_RULE = "Sagas"


# ------------------------------------------------------------------------------ what is asked


def offers(state: State) -> list[Question]:
    """Offer every Jarl with Sagas in hand to play one; its moment is looked at when played."""
    if isinstance(state.top, SagaPlayed | Removing | Keeping):
        return []
    asked = state.top.defender if isinstance(state.top, Battle) else ""
    waits = isinstance(state.top, Battle) and state.top.step == "window"
    return [
        _window(jarl.id) if waits and jarl.id == asked else _offer(jarl.id)
        for jarl in state.jarls
        if state.hand(jarl).size > 0
    ]


@cache
def _offer(jarl: str) -> Question:
    return Question(
        f"{jarl}.saga",
        (jarl,),
        say("question.saga"),
        CardOf("saga", ALL_OPTIONS),
        urgency="offer",
        group="saga",
        done=False,
        rule=_RULE,
    )


@cache
def _window(jarl: str) -> Question:
    return Question(
        f"{jarl}.saga",
        (jarl,),
        say("question.saga.window"),
        CardOf("saga", ALL_OPTIONS, 0, 1),
        default=_PASS,
        patient=True,
        done=False,
        rule=f"{_RULE}; R40",
    )


def questions(played: SagaPlayed, state: State) -> list[Question]:
    """Ask for what the Saga on the table still needs, at last whether its target answers."""
    need = choices.next_need(played)
    if need:
        return [choices.question(played, state, need)]
    target = played.targets[0]
    return [_cancel(target, played.by, played.card)]


@cache
def _cancel(target: str, by: str, card: str) -> Question:
    cancelled_by = SAGAS[card].cancelled_by
    options = tuple(Option(title, say(f"saga.{title}")) for title in cancelled_by)
    return Question(
        f"{target}.cancel",
        (target,),
        say("question.cancel", jarl=by, saga=card, titles=[o.say for o in options]),
        CardOf("saga", options, 0, 1),
        default=_PASS,
        secret=True,
        patient=True,
        done=False,
        rule=f"{_RULE}; R83",
    )


# ------------------------------------------------------------------------------ playing a card


def check_play(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """Play a Saga: at its moment, from a hand that may hold it."""
    card = _card(answer)
    if state.winner is not None:
        return [plain("over", "How to Win the Game")]
    if not card:
        waits = isinstance(state.top, Battle) and state.top.step == "window"
        return [] if waits else [plain("not_now", _RULE)]
    if SAGAS[card].event:
        bought = jarl.id == state.active.id and jarl.sagas_bought and not state.stack
        return [] if bought else [objection("event_card", f"{_RULE}; R35", saga=card)]
    against = in_hand(state, jarl, card)
    if isinstance(state.top, SagaPlayed | Removing | Keeping):
        return [*against, plain("resolving", _RULE)]
    against += against_moment(state, jarl, card)
    if not against and card in choices.NEEDS:
        played = SagaPlayed(card, jarl.id)
        if not choices.finds_something(played, state):
            against.append(objection("no_target", f"{_RULE}; R36, R88", saga=card))
    return against


def decide_play(course: Course, answer: Answer, jarl: Jarl) -> None:
    """The card lies on the table; what it still needs is asked next."""
    card = _card(answer)
    state = course.before
    if not card:
        if isinstance(state.top, Battle) and state.top.step == "window":
            course.become(replace(state.top, step="judge"))
        return
    if SAGAS[card].event:
        course.tell(e.EventRead(jarl.id, card, bought=state.hand(jarl).size > 0))
        instant(course, jarl, card)
        return
    course.tell(e.CardPlayed(jarl.id, card))
    if card == "pirates":
        spend_action(course, jarl, "ship")
    if card in choices.NEEDS:
        if _can_be_asked(state, jarl, card):
            course.begin(SagaPlayed(card, jarl.id))
        else:
            course.tell(e.CardEnded(card, jarl.id, "by_hand"))
        return
    if card in INSTANT:
        instant(course, jarl, card)
    course.tell(e.CardEnded(card, jarl.id))


def _can_be_asked(state: State, jarl: Jarl, card: str) -> bool:
    """True where the card's choices can be asked; else people did at the table what they meant."""
    if card == "tyr" and not (isinstance(state.top, Battle) and state.top.step == "losses"):
        return False
    return choices.finds_something(SagaPlayed(card, jarl.id), state)


def _card(answer: Answer) -> str:
    """Return the one title played, "" for passing; raises `NoSuchKey`."""
    if isinstance(answer.value, Done) or answer.value == _PASS:
        return ""
    ids = titles(answer)
    if not ids:
        return ""
    if len(ids) != 1 or ids[0] == "unknown":
        raise NoSuchKey(answer.value, say("expected.title"))
    return ids[0]


# ---------------------------------------------------------------------------- cancel, go on


def check_cancel(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """Answer a Saga that was played at you, or let it happen."""
    card = _card(answer)
    played = state.top
    waits = isinstance(played, SagaPlayed) and _waits_for_answer(played, state)
    if not waits or not isinstance(played, SagaPlayed) or played.targets[0] != jarl.id:
        return [plain("nothing_to_answer", _RULE)]
    if not card:
        return []
    against = in_hand(state, jarl, card)
    if card not in SAGAS[played.card].cancelled_by:
        against.append(objection("does_not_cancel", f"{_RULE}; R83", saga=card, other=played.card))
    return against


def decide_cancel(course: Course, answer: Answer, jarl: Jarl) -> None:
    """Both cards are spent, or the Saga happens."""
    card = _card(answer)
    played = course.before.top
    if not isinstance(played, SagaPlayed):
        return
    if card:
        course.resolve()
        course.tell(e.CardAnswered(jarl.id, card, played.card, played.by))
    else:
        course.tell(e.CardPassed(jarl.id, played.card))
        course.become(replace(played, passed=True))


def _waits_for_answer(played: SagaPlayed, state: State) -> bool:
    """True where the target could answer, as far as all can see: a hand of 0 cannot."""
    if played.passed or choices.next_need(played) or not played.targets:
        return False
    if not SAGAS[played.card].cancelled_by:
        return False
    return state.hand(state.jarl(played.targets[0])).size > 0


def proceed(course: Course, played: SagaPlayed) -> bool:
    """Fill what has one choice only, wait for an answer, and let the Saga happen."""
    state = course.now
    need = choices.next_need(played)
    if need:
        filled = choices.filled_by_itself(played, state, need)
        if filled is None:
            return False
        if filled.targets != played.targets:
            course.tell(e.CardAimed(played.card, played.by, filled.targets[0]))
        course.become(filled)
        return True
    if _waits_for_answer(played, state):
        return False
    course.resolve()
    take_effect(course, played)
    return True
