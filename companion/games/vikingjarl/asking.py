"""What is asked now, and which chapter answers: the top of what is being resolved comes first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from companion.games.vikingjarl import (
    actions,
    attack,
    battle,
    battle_commit,
    battle_losses,
    battle_questions,
    battle_throw,
    cargo,
    event_cards,
    facts,
    loot,
    movement,
    preparations,
    recruitment,
    saga_answers,
    sagas,
    settling,
    trade,
    turn,
    winning,
)
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.events import Began
from companion.games.vikingjarl.frames import (
    Attack,
    Battle,
    Keeping,
    Leaving,
    Loot,
    Removing,
    SagaPlayed,
    Turning,
)
from companion.games.vikingjarl.printed import JARLS, TOWNS, UNITS
from companion.games.vikingjarl.state import State
from companion.terms import Answer, Box, NoSuchKey, Objection, Question, say

# ------------------------------------------------------------------------------ what is asked


def questions(state: State, box: Box) -> tuple[Question, ...]:
    """Return all open questions, the most urgent first."""
    if state.winner is not None:
        return ()
    if state.phase == "draft":
        return tuple(preparations.draft_question(state))
    if state.stack:
        return (*_of_top(state), *sorted(sagas.offers(state), key=_by_urgency))
    if state.phase == "draw":
        return (*turn.draw_question(state), *sagas.offers(state))
    if state.phase == "discard":
        return (*turn.discard_question(state), *sagas.offers(state))
    asked = trade.questions(state)
    asked.sort(key=_by_urgency)
    return (
        *asked,
        *actions.questions(state),
        *movement.questions(state),
        *recruitment.questions(state),
        *cargo.questions(state),
        *sagas.offers(state),
        *turn.offers(state),
    )


def _by_urgency(question: Question) -> bool:
    return question.urgency != "now"


def _of_top(state: State) -> list[Question]:
    match state.top:
        case Battle() as frame:
            return battle_questions.questions(frame, state)
        case Attack() as frame:
            return attack.questions(frame, state)
        case SagaPlayed() as frame:
            return sagas.questions(frame, state)
        case Loot() as frame:
            return loot.loot_questions(frame, state)
        case Leaving() as frame:
            return loot.leaving_questions(frame)
        case Turning() as frame:
            return [attack.flip_question(frame.jarl, frame.town)]
        case Removing() as frame:
            return event_cards.removing_questions(frame, state)
        case Keeping() as frame:
            return event_cards.keeping_questions(frame, state)
        case None:
            return []


# ------------------------------------------------------------------------------ what is answered


class _Route(NamedTuple):
    """Where an answer key leads: what is against it, and what it leads to.

    A chapter's functions take the state (or the course) and the answer, then the town, Jarl, unit
    or need that the key names; those that read the box take it last.
    """

    check: Callable[..., list[Objection]]
    decide: Callable[..., None]
    of: tuple[str, ...] = ()
    reads_box: bool = False


def check(state: State, answer: Answer, box: Box) -> tuple[Objection, ...]:
    """Return what the rules dislike; raises `NoSuchKey` and `Unknown`."""
    if answer.key.startswith("fact:"):
        return tuple(facts.check_correction(state, answer))
    route = _route(answer.key)
    of = (*_named(state, route.of), box) if route.reads_box else _named(state, route.of)
    return tuple(route.check(state, answer, *of))


def decide(state: State, answer: Answer, box: Box) -> tuple[Any, ...]:
    """Return the events that follow, whatever the rules say to it."""
    if answer.key.startswith("fact:"):
        return facts.decide_correction(state, answer)
    if state.winner is not None:
        check(state, answer, box)
        return ()
    course, route = Course(state, box), _route(answer.key)
    route.decide(course, answer, *_named(state, route.of))
    _proceed(course)
    winning.wait_at_home(course)
    return tuple(course.events)


def _named(state: State, of: tuple[str, ...]) -> tuple[Any, ...]:
    """Return what a key names as its chapter takes it: the Jarl itself, other things by id."""
    if not of or of[0] not in JARLS:
        return of
    if not state.has(of[0]):
        raise NoSuchKey(of[0], say("expected.jarl"))
    return (state.jarl(of[0]), *of[1:])


_LONGEST_CHAIN = 200  # steps that follow from one answer; far more than any real chain


def _proceed(course: Course) -> None:
    """Go on with what is being resolved until people are needed again."""
    if not course.before.stack and not any(isinstance(event, Began) for event in course.events):
        return
    for _ in range(_LONGEST_CHAIN):
        state = course.now
        if not state.stack or state.winner is not None or not _step(course, state):
            return


def _step(course: Course, state: State) -> bool:
    match state.top:
        case Battle() as frame:
            return battle.proceed(course, frame)
        case Attack() as frame:
            return attack.proceed(course, frame)
        case SagaPlayed() as frame:
            return sagas.proceed(course, frame)
        case Loot() as frame:
            return loot.proceed_loot(course, frame)
        case Leaving() as frame:
            return loot.proceed_leaving(course, frame)
        case Removing() as frame:
            return event_cards.proceed_removing(course, frame)
        case Keeping() as frame:
            return event_cards.proceed_keeping(course, frame)
        case Turning() as frame:
            if state.towns[frame.town].shield == "hidden":
                return False
            settling.turned(course, frame)
            return True
        case None:
            return False


@cache
def _route(key: str) -> _Route:
    """Return where a key leads; raises `NoSuchKey` for one that names nothing."""
    head, _, rest = key.partition(".")
    what, _, more = rest.partition(".")
    found = _COMMON.get(key)
    if head in JARLS:
        found = _JARL.get(rest)
        if what in UNITS and more in _UNIT:
            return _UNIT[more]._replace(of=(head, what))
        if found is not None:
            return found._replace(of=(head,))
    elif head == "town" and more == "flip" and what in TOWNS and TOWNS[what].kind != "pillage":
        flip = _GOODS if TOWNS[what].kind == "trade" else _SHIELD
        return flip._replace(of=(what,))
    elif head == "saga" and rest in _NEEDS:
        return _Route(saga_answers.check, saga_answers.decide, (rest,))
    if found is None:
        raise NoSuchKey(key, say("expected.question_key"))
    return found


_NEEDS = (
    *("target", "unit", "place", "take", "to", "bring", "die", "roll", "hit"),
    *("zone.ship", "zone.army"),
)
_GOODS = _Route(trade.check_goods, trade.decide_goods)
_SHIELD = _Route(attack.check_flip, attack.decide_flip)
_COMMON: dict[str, _Route] = {
    "setup.draft": _Route(preparations.check_draft, preparations.decide_draft),
    "turn.draw": _Route(turn.check_draw, turn.decide_draw),
    "turn.start": _Route(turn.check_start, turn.decide_start),
    "turn.end": _Route(turn.check_end, turn.decide_end),
    "game.end": _Route(winning.check_ending, winning.decide_ending),
    "move.steps": _Route(movement.check_steps, movement.decide_steps),
    "battle.units": _Route(attack.check_units, attack.decide_units),
    "battle.first": _Route(attack.check_first, attack.decide_first),
    "battle.commit": _Route(battle_commit.check_commit, battle_commit.decide_commit),
    "battle.defend": _Route(battle_commit.check_defend, battle_commit.decide_defend),
    "battle.resupply": _Route(battle_commit.check_resupply, battle_commit.decide_resupply),
    "battle.go_on": _Route(battle.check_go_on, battle.decide_go_on),
    "battle.roll": _Route(battle_throw.check_roll, battle_throw.decide_roll),
    "battle.survivors": _Route(battle_throw.check_survivors, battle_throw.decide_survivors),
    "battle.losses": _Route(battle_losses.check_losses, battle_losses.decide_losses),
    "battle.loot": _Route(loot.check_loot, loot.decide_loot),
}
_JARL: dict[str, _Route] = {
    "board": _Route(movement.check_board, movement.decide_board),
    "land": _Route(movement.check_land, movement.decide_land),
    "transfer": _Route(cargo.check_transfer, cargo.decide_transfer),
    "buy": _Route(trade.check_buy, trade.decide_buy),
    "saga": _Route(sagas.check_play, sagas.decide_play),
    "cancel": _Route(sagas.check_cancel, sagas.decide_cancel),
    "remove": _Route(event_cards.check_remove, event_cards.decide_remove),
    "keep": _Route(event_cards.check_keep, event_cards.decide_keep),
    "discard": _Route(turn.check_discard, turn.decide_discard),
    "discard_for_silver": _Route(turn.check_symbol, turn.decide_symbol, reads_box=True),
}
_UNIT: dict[str, _Route] = {
    "move": _Route(movement.check_move, movement.decide_move),
    "act": _Route(actions.check_act, actions.decide_act, reads_box=True),
    "trade": _Route(trade.check_visit, trade.decide_visit),
    "recruit": _Route(recruitment.check_recruit, recruitment.decide_recruit),
    "exit": _Route(loot.check_exit, loot.decide_exit),
}
