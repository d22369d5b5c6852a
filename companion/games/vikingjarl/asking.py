"""What is asked now, and which chapter answers: the top of what is being resolved comes first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

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
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Box, NoSuchKey, Objection, Question

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


_JarlCheck: TypeAlias = Callable[[State, Answer, Box, Jarl], list[Objection]]
_JarlDecide: TypeAlias = Callable[[Course, Answer, Jarl], None]
_UnitCheck: TypeAlias = Callable[[State, Answer, Box, Jarl, str], list[Objection]]
_UnitDecide: TypeAlias = Callable[[Course, Answer, Jarl, str], None]


_Check: TypeAlias = Callable[[State, Answer, Box], list[Objection]]
_Decide: TypeAlias = Callable[[Course, Answer], None]


class _Route:
    """Where an answer key leads: what is against it, and what it leads to."""

    __slots__ = ("check", "decide")

    def __init__(self, check: _Check, decide: _Decide) -> None:
        self.check, self.decide = check, decide


def check(state: State, answer: Answer, box: Box) -> tuple[Objection, ...]:
    """Return what the rules dislike; raises `NoSuchKey` and `Unknown`."""
    if answer.key.startswith("fact:"):
        return tuple(facts.check_correction(state, answer))
    return tuple(_route(answer.key).check(state, answer, box))


def decide(state: State, answer: Answer, box: Box) -> tuple[Any, ...]:
    """Return the events that follow, whatever the rules say to it."""
    if answer.key.startswith("fact:"):
        return facts.decide_correction(state, answer)
    if state.winner is not None:
        check(state, answer, box)
        return ()
    course = Course(state, box)
    _route(answer.key).decide(course, answer)
    _proceed(course)
    winning.wait_at_home(course)
    return tuple(course.events)


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
    if head in JARLS:
        return _of_jarl(key, head, rest)
    found = _COMMON.get(key)
    if found is not None:
        return found
    if head == "town" and rest.endswith(".flip"):
        town = rest.removesuffix(".flip")
        if town in TOWNS and TOWNS[town].kind != "pillage":
            return _of_shield(town)
    if head == "saga" and rest in _NEEDS:
        return _Route(
            lambda s, a, _b: saga_answers.check(s, a, rest),
            lambda c, a: saga_answers.decide(c, a, rest),
        )
    raise NoSuchKey(key, "a question key of Vikingjarl")


_NEEDS = (
    *("target", "unit", "place", "take", "to", "bring", "die", "roll", "hit"),
    *("zone.ship", "zone.army"),
)
_COMMON: dict[str, _Route] = {
    "setup.draft": _Route(
        lambda s, a, _b: preparations.check_draft(s, a),
        lambda c, a: preparations.decide_draft(c, a),
    ),
    "turn.draw": _Route(lambda s, a, _b: turn.check_draw(s, a), turn.decide_draw),
    "turn.start": _Route(lambda s, a, _b: turn.check_start(s, a), turn.decide_start),
    "turn.end": _Route(lambda s, a, _b: turn.check_end(s, a), turn.decide_end),
    "game.end": _Route(
        lambda s, a, _b: winning.check_ending(s, a), lambda c, a: winning.decide_ending(c, a)
    ),
    "move.steps": _Route(lambda s, a, _b: movement.check_steps(s, a), movement.decide_steps),
    "battle.units": _Route(lambda s, a, _b: attack.check_units(s, a), attack.decide_units),
    "battle.first": _Route(lambda s, a, _b: attack.check_first(s, a), attack.decide_first),
    "battle.commit": _Route(
        lambda s, a, _b: battle_commit.check_commit(s, a), battle_commit.decide_commit
    ),
    "battle.defend": _Route(
        lambda s, a, _b: battle_commit.check_defend(s, a), battle_commit.decide_defend
    ),
    "battle.go_on": _Route(lambda s, a, _b: battle.check_go_on(s, a), battle.decide_go_on),
    "battle.resupply": _Route(
        lambda s, a, _b: battle_commit.check_resupply(s, a), battle_commit.decide_resupply
    ),
    "battle.roll": _Route(lambda s, a, _b: battle_throw.check_roll(s, a), battle_throw.decide_roll),
    "battle.survivors": _Route(
        lambda s, a, _b: battle_throw.check_survivors(s, a), battle_throw.decide_survivors
    ),
    "battle.losses": _Route(
        lambda s, a, _b: battle_losses.check_losses(s, a), battle_losses.decide_losses
    ),
    "battle.loot": _Route(lambda s, a, _b: loot.check_loot(s, a), loot.decide_loot),
}


def _of_shield(town: str) -> _Route:
    if TOWNS[town].kind == "trade":
        return _Route(
            lambda s, a, _b: trade.check_goods(s, a, town),
            lambda c, a: trade.decide_goods(c, a, town),
        )
    return _Route(
        lambda s, a, _b: attack.check_flip(s, a, town),
        lambda c, a: attack.decide_flip(c, a, town),
    )


def _of_jarl(key: str, id: str, rest: str) -> _Route:
    what, _, more = rest.partition(".")
    if what in UNITS and more == "exit":
        return _Route(
            lambda s, a, _b: loot.check_exit(s, a, _jarl(s, id).id, what),
            lambda c, a: loot.decide_exit(c, a, _jarl(c.before, id).id, what),
        )
    if what in UNITS and more in _UNIT:
        unit_check, unit_decide = _UNIT[more]
        return _Route(
            lambda s, a, b: unit_check(s, a, b, _jarl(s, id), what),
            lambda c, a: unit_decide(c, a, _jarl(c.before, id), what),
        )
    if rest in _JARL:
        jarl_check, jarl_decide = _JARL[rest]
        return _Route(
            lambda s, a, b: jarl_check(s, a, b, _jarl(s, id)),
            lambda c, a: jarl_decide(c, a, _jarl(c.before, id)),
        )
    raise NoSuchKey(key, "a question key of a Jarl")


def _jarl(state: State, id: str) -> Jarl:
    if not state.has(id):
        raise NoSuchKey(id, "a Jarl who plays")
    return state.jarl(id)


_UNIT: dict[str, tuple[_UnitCheck, _UnitDecide]] = {
    "move": (lambda s, a, _b, j, u: movement.check_move(s, a, j, u), movement.decide_move),
    "act": (actions.check_act, actions.decide_act),
    "trade": (lambda s, a, _b, j, u: trade.check_visit(s, a, j, u), trade.decide_visit),
    "recruit": (
        lambda s, a, _b, j, u: recruitment.check_recruit(s, a, j, u),
        recruitment.decide_recruit,
    ),
}
_JARL: dict[str, tuple[_JarlCheck, _JarlDecide]] = {
    "board": (lambda s, a, _b, j: movement.check_board(s, a, j), movement.decide_board),
    "land": (lambda s, a, _b, j: movement.check_land(s, a, j), movement.decide_land),
    "transfer": (lambda s, a, _b, j: cargo.check_transfer(s, a, j), cargo.decide_transfer),
    "buy": (lambda s, a, _b, j: trade.check_buy(s, a, j), trade.decide_buy),
    "saga": (lambda s, a, _b, j: sagas.check_play(s, a, j), sagas.decide_play),
    "cancel": (lambda s, a, _b, j: sagas.check_cancel(s, a, j), sagas.decide_cancel),
    "remove": (lambda s, a, _b, j: event_cards.check_remove(s, a, j), event_cards.decide_remove),
    "keep": (lambda s, a, _b, j: event_cards.check_keep(s, a, j), event_cards.decide_keep),
    "discard": (lambda s, a, _b, j: turn.check_discard(s, a, j), turn.decide_discard),
    "discard_for_silver": (
        lambda s, a, b, j: turn.check_symbol(s, a, j, b),
        turn.decide_symbol,
    ),
}
