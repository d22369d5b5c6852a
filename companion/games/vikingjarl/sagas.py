"""Sagas: when each may be played, how it is aimed, and the answer that cancels it.

Rules [Sagas]; specification 16.4 and 16.5; R36 to R39, R43, R44, R54, R60, R83, R84, R88. What each
choice of a Saga may be stands in `saga_choices`, what it does in `saga_effects`.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl import saga_choices as choices
from companion.games.vikingjarl.answers import titles
from companion.games.vikingjarl.course import Course, opponents
from companion.games.vikingjarl.frames import Attack, Battle, Keeping, Removing, SagaPlayed
from companion.games.vikingjarl.movement import AFTER_STEP, aboard, steps_left
from companion.games.vikingjarl.places import is_trade_town, owner_of
from companion.games.vikingjarl.printed import CANCELS, SAGAS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.saga_effects import instant, take_effect
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.trade import AFTER_ACTION
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
    against += _moment(state, jarl, card)
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
        phase = jarl.ship.phase
        course.tell(e.ActionSpent(jarl.id, "ship", AFTER_ACTION.get(phase, phase)))
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
        raise NoSuchKey(str(ids), "one Saga title")
    return ids[0]


def in_hand(state: State, jarl: Jarl, card: str) -> list[Objection]:
    """Object to a card that the hand cannot hold, as far as it is known."""
    hand = state.hand(jarl)
    if hand.size < 1:
        return [objection("empty_hand", _RULE, jarl=jarl.id)]
    if card not in hand.titles and len(hand.titles) >= hand.size:
        return [objection("not_in_hand", _RULE, saga=card)]
    return []


# ------------------------------------------------------------------------- the moment of a card


def _moment(state: State, jarl: Jarl, card: str) -> list[Objection]:
    """Say whether this is the moment of a card (the column "Timing" of specification 16.5)."""
    if card in CANCELS:
        return [objection("only_as_answer", _RULE, saga=card)]
    match card:
        case "aegir":
            return _storm(state, jarl)
        case "shield_wall":
            return _wall(state, jarl)
        case "stronghold":
            return _stronghold(state, jarl)
        case "longships" if jarl.id != state.active.id:
            return _relief(state, jarl)
        case _:
            pass
    if jarl.id != state.active.id:
        return [objection("own_turn_only", _RULE, saga=card, jarl=jarl.id)]
    match card:
        case "berserk" | "valhalla":
            return _before_attack(state, jarl, card)
        case "tyr":
            return _after_roll(state, jarl)
        case "silver_treasure":
            return [] if jarl.pillaged else [plain("no_pillage", f"{_RULE}; R60, R84")]
        case "pirates":
            return _raid(state, jarl)
        case "good_trade":
            here = any(is_trade_town(jarl.place_of(unit)) for unit in UNITS)
            return [] if here else [plain("not_in_trade_town", _RULE)]
        case "freyr":
            return _entering(state, jarl)
        case "bragi" | "njord":
            return _rested(jarl, "army" if card == "bragi" else "ship", card)
        case _:
            return []


def _storm(state: State, jarl: Jarl) -> list[Objection]:
    if jarl.id == state.active.id:
        return [plain("aegir_own_turn", f"{_RULE}; R54")]
    if any(isinstance(frame, Attack | Battle) for frame in state.stack):
        return [plain("aegir_in_battle", f"{_RULE}; R54")]
    return []


def _battle(state: State) -> Battle | None:
    return state.top if isinstance(state.top, Battle) else None


def _wall(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    if battle is None or battle.defender != jarl.id or battle.round:
        return [plain("wall_moment", _RULE)]
    return [plain("second_copy", f"{_RULE}; R43")] if battle.shield_wall else []


def _stronghold(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    if battle is None or battle.kind != "town" or battle.round:
        return [plain("stronghold_moment", f"{_RULE}; R39")]
    attacker = state.jarl(battle.attacker)
    if not opponents(state, jarl, attacker):
        return [plain("stronghold_moment", f"{_RULE}; R39")]
    if battle.stronghold:
        return [plain("second_copy", f"{_RULE}; R43")]
    pillage = TOWNS[battle.place].kind == "pillage"
    if not pillage and state.switches["stronghold_covers"] == "pillage_only":
        return [plain("stronghold_pillage", f"{_RULE}; R39")]
    return one_saga(state, jarl, attacker)


def one_saga(state: State, jarl: Jarl, target: Jarl) -> list[Objection]:
    """Object to a second Saga on one opponent in a turn (R36)."""
    if jarl.saga_on.get(target.id, 0) < 1:
        return []
    return [objection("one_saga", f"{_RULE}; R36", jarl=target.id)]


def _relief(state: State, jarl: Jarl) -> list[Objection]:
    """Longships as Defense: before the first roll, and they must bring Vikings."""
    battle = _battle(state)
    owner = owner_of(state, battle.place) if battle else None
    if battle is None or owner is None or owner.id != jarl.id or battle.round:
        return [plain("longships_moment", _RULE)]
    if jarl.kaupang.v < 1:
        return [plain("longships_vikings", _RULE)]
    return []


def _before_attack(state: State, jarl: Jarl, card: str) -> list[Objection]:
    battle = _battle(state)
    if battle is not None:
        if battle.attacker != jarl.id or battle.round:
            return [objection("before_attack", _RULE, saga=card)]
        twice = battle.berserk if card == "berserk" else battle.valhalla
        return [plain("second_copy", f"{_RULE}; R43")] if twice else []
    return [plain("second_copy", f"{_RULE}; R43")] if card in jarl.laid else []


def _after_roll(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    rolled = battle is not None and battle.step == "losses" and battle.attacker == jarl.id
    if not rolled or battle is None or "shield" not in battle.black:
        return [plain("tyr_moment", f"{_RULE}; R44")]
    return []


def _raid(state: State, jarl: Jarl) -> list[Objection]:
    """Pirates use the Ship's Action; the Ship may lie in a place beside the sea zone (R49)."""
    if state.stack:
        return [plain("resolving", _RULE)]
    if jarl.ship.phase not in AFTER_ACTION:
        return [objection(f"acted.{jarl.ship.phase}", f"{_RULE}; R25", unit="ship")]
    return []


def _entering(state: State, jarl: Jarl) -> list[Objection]:
    if state.stack:
        return [plain("resolving", _RULE)]
    for unit in UNITS:
        moving = jarl.unit(unit).phase in AFTER_STEP and not aboard(jarl, unit)
        if moving and steps_left(jarl, unit) > 0:
            return []
    return [plain("freyr_step", f"{_RULE}; R37")]


def _rested(jarl: Jarl, unit: str, card: str) -> list[Objection]:
    if jarl.unit(unit).phase in AFTER_STEP and not jarl.unit(unit).stopped:
        return []
    return [objection("no_movement_left", _RULE, saga=card, unit=unit)]


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
