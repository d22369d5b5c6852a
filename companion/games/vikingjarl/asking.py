"""What is asked now, and which chapter answers: the top of what is being resolved comes first."""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import battle, cargo, movement, sagas, turn
from companion.games.vikingjarl.facts import rule_correct
from companion.games.vikingjarl.printed import TOWNS, UNITS
from companion.games.vikingjarl.rulings import Ruling, refused
from companion.games.vikingjarl.setup import draft_question, rule_draft
from companion.games.vikingjarl.state import Battle, Leaving, SagaPlayed, State
from companion.terms import Answer, Box, NoSuchKey, Objection, Question, say

_NOT_BUILT = ("trade", "recruit")
_BATTLE = ("units", "first", "commit", "defend", "go_on", "resupply", "roll", "losses", "loot")
_SAGA = ("target", "unit", "place", "take", "to", "bring", "die", "roll")


def questions(state: State, box: Box) -> tuple[Question, ...]:
    """Return all open questions, the most urgent first."""
    if state.winner:
        return ()
    if state.phase == "draft":
        return draft_question(state)
    match state.top:
        case Battle() as fight:
            asked = battle.questions(state, fight)
            return (*asked, *sagas.offers(state))
        case Leaving() as leaving:
            return battle.leaving_questions(state, leaving)
        case SagaPlayed() as played:
            return sagas.questions(state, played)
        case None:
            pass
    if state.phase != "act":
        return turn.questions(state)
    return (
        *battle.offers(state),
        *movement.questions(state),
        *cargo.questions(state),
        *sagas.offers(state),
        *turn.questions(state),
    )


def check(state: State, answer: Answer, box: Box) -> tuple[Objection, ...]:
    """Return what the rules dislike; raises `NoSuchKey` and `Unknown`."""
    return _rule(state, answer, box).objections


def decide(state: State, answer: Answer, box: Box) -> tuple[Any, ...]:
    """Return the events that follow, whatever the rules say to it."""
    return _rule(state, answer, box).events


def _rule(state: State, answer: Answer, box: Box) -> Ruling:
    if answer.key.startswith("fact:"):
        return rule_correct(state, answer)
    head, _, rest = answer.key.partition(".")
    if head in ("turn", "setup", "town", "move", "battle", "saga"):
        return _rule_common(state, answer, box, head, rest)
    if not any(jarl.id == head for jarl in state.jarls):
        raise NoSuchKey(answer.key, "a question key of Vikingjarl")
    if state.winner:
        return refused(
            "over", "How to Win the Game", _rule_jarl(state, answer, box, head, rest).events
        )
    return _busy(state, answer.key, _rule_jarl(state, answer, box, head, rest))


def _rule_common(state: State, answer: Answer, box: Box, head: str, rest: str) -> Ruling:
    match head, rest:
        case "setup", "draft":
            return rule_draft(state, answer)
        case "turn", "draw":
            return _busy(state, answer.key, turn.rule_draw(state, answer))
        case "turn", "start":
            return turn.rule_start(state, answer)
        case "turn", "end":
            return _busy(state, answer.key, turn.rule_end(state, answer))
        case "move", "steps":
            return _busy(state, answer.key, movement.rule_steps(state, answer))
        case "town", _ if rest.endswith(".flip") and rest.removesuffix(".flip") in TOWNS:
            return battle.rule_battle(state, answer, box, "flip")
        case "battle", _ if rest in _BATTLE:
            return battle.rule_battle(state, answer, box, rest)
        case "saga", _ if rest in _SAGA or rest in ("zone.ship", "zone.army"):
            return sagas.rule_saga(state, answer, rest)
        case _:
            raise NoSuchKey(answer.key, "a question key of Vikingjarl")


def _rule_jarl(state: State, answer: Answer, box: Box, id: str, rest: str) -> Ruling:
    what, _, more = rest.partition(".")
    if what in UNITS:
        match more:
            case "move":
                return movement.rule_move(state, answer, id, what)
            case "act":
                return battle.rule_act(state, answer, box, id, what)
            case "exit":
                return battle.rule_exit(state, answer, id, what)
            case _ if more in _NOT_BUILT:
                return refused("not_built", "Trade", what=say(f"act.{more}", town=""))
            case _:
                raise NoSuchKey(answer.key, "move, act, exit, trade or recruit")
    match rest:
        case "saga":
            return sagas.rule_play(state, answer, id)
        case "cancel":
            return sagas.rule_cancel(state, answer, id)
        case "transfer":
            return cargo.rule_transfer(state, answer, id)
        case "board":
            return movement.rule_board(state, answer, id)
        case "land":
            return movement.rule_land(state, answer, id)
        case "discard":
            return turn.rule_discard(state, answer, id)
        case "discard_for_silver" | "buy" | "remove" | "keep":
            return refused("not_built", "Trade", what=say(f"act.{rest}", town=""))
        case _:
            raise NoSuchKey(answer.key, "a question key of a Jarl")


_ANY_TIME = ("exit", "cancel", "saga", "discard")


def _busy(state: State, key: str, ruling: Ruling) -> Ruling:
    """Object to going on while something is being resolved, or before the draw."""
    last = key.rpartition(".")[2]
    if last in _ANY_TIME:
        return ruling
    if state.top is not None:
        more = refused("resolving", "Gameplay").objections
        return Ruling((*ruling.objections, *more), ruling.events)
    if state.phase in ("draw", "draft") and key not in ("turn.draw", "turn.end"):
        more = refused("draw_first", "Phase 1").objections
        return Ruling((*ruling.objections, *more), ruling.events)
    return ruling


__all__ = ["check", "decide", "questions"]
