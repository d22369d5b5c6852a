"""Sagas: play a card, aim it, answer it, and what it does.

Rules [Sagas]; specification section 16; R36, R44, R48, R50, R60, R84, R88. The titles that this
companion plays through are in `BUILT`; the others are played at the table and corrected by hand.
"""

from __future__ import annotations

from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.dice import FACES
from companion.games.vikingjarl.facts import SAGA_OPTIONS
from companion.games.vikingjarl.printed import LIMITS, SAGAS, UNITS
from companion.games.vikingjarl.rulings import Ruling, objection, refused
from companion.games.vikingjarl.state import Battle, Jarl, SagaPlayed, State
from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Dice,
    Die,
    Faces,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    say,
)

BUILT = ("holmgang", "tyr", "silver_treasure", "odins_wrath")
_ON_OPPONENT = ("holmgang", "odins_wrath")
_DRAW_OF_BLOOD = 2  # Vikings that a Holmgang costs
_ANY_SAGA = CardOf("saga", SAGA_OPTIONS)
_RED = Faces("battle", {"red": 1}, FACES)
_RULE = "Sagas"


# ------------------------------------------------------------------------------ what is asked


def offers(state: State) -> tuple[Question, ...]:
    """Offer to play a Saga to the Jarl whose turn it is."""
    jarl = state.active
    if jarl.hand < 1:
        return ()
    return (
        Question(
            f"{jarl.id}.saga",
            (jarl.id,),
            say("question.saga"),
            _ANY_SAGA,
            urgency="offer",
            group="saga",
            done=False,
            rule=_RULE,
        ),
    )


def questions(state: State, played: SagaPlayed) -> tuple[Question, ...]:
    """Ask for what the Saga on the table still needs."""
    by = (played.by,)
    values: dict[str, Any] = {"saga": played.card, "jarl": played.by, "target": played.target}
    if played.card == "tyr":
        return (_die_question(state, by, values),)
    if not played.target:
        options = tuple(
            Option(jarl.id, say("seat.name", jarl=jarl.id))
            for jarl in state.jarls
            if jarl.id != played.by and not _against_target(state, played, jarl)
        )
        return (
            Question(
                "saga.target",
                by,
                say("question.saga.target", **values),
                Pick(options),
                done=False,
                rule=f"{_RULE}; R36",
            ),
        )
    if not played.answered and _may_answer(state, played):
        titles = SAGAS[played.card].cancelled_by
        wants = CardOf("saga", tuple(Option(t, say(f"saga.{t}")) for t in titles), 0, 1)
        return (
            Question(
                f"{played.target}.cancel",
                (played.target,),
                say("question.cancel", **values, titles=[say(f"saga.{t}") for t in titles]),
                wants,
                default=Picked(("pass",)),
                patient=True,
                secret=True,
                done=False,
                rule=_RULE,
            ),
        )
    if played.card == "holmgang" and not played.unit:
        target = state.jarl(played.target)
        options = tuple(Option(n, say(f"store.{n}")) for n in UNITS if target.unit(n).hold.v)
        return (
            Question(
                "saga.unit",
                by,
                say("question.saga.unit", **values),
                Pick(options),
                done=False,
                rule=f"{_RULE}; R50",
            ),
        )
    return (Question("saga.roll", (), say("question.saga.roll", **values), _RED, rule=_RULE),)


def _die_question(state: State, by: tuple[str, ...], values: dict[str, Any]) -> Question:
    battle = _battle_below(state)
    faces = battle.black if battle else []
    options = tuple(
        Option(f"die:black:{number}", say("die.black", n=number))
        for number, face in enumerate(faces, 1)
        if face == "shield"
    )
    return Question(
        "saga.die",
        by,
        say("question.saga.die", **values),
        Pick(options),
        done=False,
        rule=f"{_RULE}; R44",
    )


# ------------------------------------------------------------------------------ what it leads to


def rule_play(state: State, answer: Answer, id: str) -> Ruling:
    """Play a Saga: at its moment, from a hand that may hold it."""
    ids = answer.value.ids if isinstance(answer.value, Cards) else ()
    if len(ids) != 1 or ids[0] not in SAGAS:
        raise NoSuchKey(str(ids), "one Saga title")
    card, jarl = ids[0], state.jarl(id)
    against = _in_hand(jarl, card)
    began = e.SagaBegan(card, id)
    if SAGAS[card].event:
        against.append(objection("event_card", _RULE, saga=card))
    if jarl is not state.active:
        against.append(objection("not_your_turn", "Gameplay", jarl=id))
    if card not in BUILT:
        against.append(objection("not_built", _RULE, what=say(f"saga.{card}")))
        return Ruling(tuple(against), (began, e.SagaEnded(card, id, "done")))
    if card == "tyr":
        return _tyr(state, jarl, against, began)
    if card == "silver_treasure":
        return _treasure(state, jarl, against, began)
    played = SagaPlayed(card, id)
    if not any(not _against_target(state, played, j) for j in state.jarls if j is not jarl):
        against.append(objection("no_target", f"{_RULE}; R88", saga=card))
        return Ruling(tuple(against), (began, e.SagaEnded(card, id, "done")))
    return Ruling(tuple(against), (began,))


def _tyr(state: State, jarl: Jarl, against: list[Objection], began: e.SagaBegan) -> Ruling:
    battle = state.top
    shields: list[int] = []
    if isinstance(battle, Battle) and battle.step == "losses" and battle.jarl == jarl.id:
        shields = [n for n, face in enumerate(battle.black, 1) if face == "shield"]
    if not shields or not isinstance(battle, Battle):
        against.append(objection("tyr_moment", f"{_RULE}; R44"))
        return Ruling(tuple(against), (began, e.SagaEnded("tyr", jarl.id, "done")))
    if len(shields) > 1:
        return Ruling(tuple(against), (began,))
    return Ruling(tuple(against), (began, *_turn_die(battle, jarl.id, shields[0])))


def _turn_die(battle: Battle, by: str, die: int) -> tuple[Any, ...]:
    helmets = sum(face == "helmet" for face in battle.black) + 1
    return (e.SagaEnded("tyr", by, "done"), e.DieTurned(die, min(LIMITS.hits, helmets)))


def _treasure(state: State, jarl: Jarl, against: list[Objection], began: e.SagaBegan) -> Ruling:
    if not jarl.pillaged:
        against.append(objection("no_pillage", f"{_RULE}; R60, R84"))
    silver = min(LIMITS.treasure, state.bank)
    paid = (e.SilverChanged(jarl.id, silver, "silver_treasure"),) if silver else ()
    ended = e.SagaEnded("silver_treasure", jarl.id, "done")
    return Ruling(tuple(against), (began, *paid, ended))


def rule_saga(state: State, answer: Answer, key: str) -> Ruling:
    """Answer what the Saga on the table needs: target, unit, die, or the red die's face."""
    played = state.top
    if not isinstance(played, SagaPlayed):
        return refused("no_saga", _RULE)
    match key:
        case "target" if not played.target and played.card in _ON_OPPONENT:
            return _rule_target(state, played, answer)
        case "unit" if played.card == "holmgang" and played.target:
            return _rule_unit(state, played, answer)
        case "die" if played.card == "tyr":
            return _rule_die(state, played, answer)
        case "roll" if played.card == "holmgang" and played.unit:
            return _rule_roll(state, played, answer)
        case _:
            return refused("not_now", _RULE)


def _rule_target(state: State, played: SagaPlayed, answer: Answer) -> Ruling:
    ids = answer.value.ids if isinstance(answer.value, Picked) else ()
    known = [jarl.id for jarl in state.jarls]
    if not ids or any(id not in known for id in ids):
        raise NoSuchKey(str(ids), f"one of {', '.join(known)}")
    target = state.jarl(ids[0])
    against = _against_target(state, played, target)
    if len(ids) > 1:
        against.append(objection("one_target", _RULE))
    aimed = e.SagaAimed(played.card, played.by, target.id)
    later = SagaPlayed(played.card, played.by, target.id)
    events: tuple[Any, ...] = (aimed,)
    if played.card == "odins_wrath" and not _may_answer(state, later):
        events = (aimed, *_wrath(state, later))
    units = [n for n in UNITS if target.unit(n).hold.v]
    if played.card == "holmgang" and len(units) == 1:
        events = (aimed, e.SagaUnitChosen(units[0]))
    return Ruling(tuple(against), events)


def _rule_unit(state: State, played: SagaPlayed, answer: Answer) -> Ruling:
    ids = answer.value.ids if isinstance(answer.value, Picked) else ()
    if len(ids) != 1 or ids[0] not in UNITS:
        raise NoSuchKey(str(ids), "ship or army")
    events = (e.SagaUnitChosen(ids[0]),)
    if not state.jarl(played.target).unit(ids[0]).hold.v:
        return refused("nothing_there", f"{_RULE}; R88", events)
    return Ruling((), events)


def _rule_die(state: State, played: SagaPlayed, answer: Answer) -> Ruling:
    battle = _battle_below(state)
    ids = answer.value.ids if isinstance(answer.value, Picked) else ("",)
    colour, _, number = ids[0].removeprefix("die:").partition(":")
    if not number.isdigit() or colour not in ("black", "white", "red"):
        raise NoSuchKey(str(ids), "die:black:N")
    if battle is None:
        return refused("no_battle", _RULE)
    die = int(number)
    fits = colour == "black" and 1 <= die <= len(battle.black)
    if not fits or battle.black[die - 1] != "shield":
        shields = [n for n, face in enumerate(battle.black, 1) if face == "shield"]
        events = _turn_die(battle, played.by, shields[0]) if shields else ()
        return refused("tyr_die", f"{_RULE}; R44", events)
    return Ruling((), _turn_die(battle, played.by, die))


def _rule_roll(state: State, played: SagaPlayed, answer: Answer) -> Ruling:
    dice = answer.value.dice if isinstance(answer.value, Dice) else (Die("red", "shield"),)
    if any(die.face not in FACES for die in dice):
        raise NoSuchKey(str(dice), "helmet or shield")
    hit = any(die.face == "helmet" for die in dice)
    target = state.jarl(played.target)
    lost = min(_DRAW_OF_BLOOD, target.unit(played.unit).hold.v) if hit else 0
    gone = (e.Gained(target.id, "v", -lost, played.unit),) if lost else ()
    ended = e.SagaEnded(played.card, played.by, "done" if hit else "missed")
    if len(dice) != 1 or dice[0].colour != "red":
        return refused("one_red", _RULE, (*gone, ended))
    return Ruling((), (*gone, ended))


def rule_cancel(state: State, answer: Answer, id: str) -> Ruling:
    """Answer a Saga that was played at you, or let it happen."""
    played = state.top
    value = answer.value
    cards = value.ids if isinstance(value, Cards) else ()
    for card in cards:
        if card not in SAGAS:
            raise NoSuchKey(card, "a Saga title, or pass")
    if isinstance(value, Picked) and value.ids != ("pass",):
        raise NoSuchKey(str(value.ids), "a Saga title, or pass")
    if not isinstance(played, SagaPlayed) or played.target != id or played.answered:
        return refused("nothing_to_answer", _RULE)
    if not cards:
        passed = e.SagaPassed()
        done = _wrath(state, played) if played.card == "odins_wrath" else ()
        return Ruling((), (passed, *done))
    against = _in_hand(state.jarl(id), cards[0])
    if cards[0] not in SAGAS[played.card].cancelled_by:
        against.append(objection("does_not_cancel", _RULE, saga=cards[0], other=played.card))
    return Ruling(tuple(against), (e.SagaAnswered(played.card, played.by, id, cards[0]),))


# ------------------------------------------------------------------------------ private


def _wrath(state: State, played: SagaPlayed) -> tuple[Any, ...]:
    loss = (e.VictoryChanged(played.target, -1, played.card),)
    return (
        *(loss if state.jarl(played.target).vp else ()),
        e.SagaEnded(played.card, played.by, "done"),
    )


def _may_answer(state: State, played: SagaPlayed) -> bool:
    """True where public facts leave room for a cancelling card in the target's hand."""
    return bool(SAGAS[played.card].cancelled_by) and state.jarl(played.target).hand > 0


def _against_target(state: State, played: SagaPlayed, target: Jarl) -> list[Objection]:
    against: list[Objection] = []
    if target.id == played.by:
        against.append(objection("own_target", _RULE))
    if state.jarl(played.by).saga_on.get(target.id, 0):
        against.append(objection("one_saga", f"{_RULE}; R36", jarl=target.id))
    if played.card == "odins_wrath" and target.vp < 1:
        against.append(objection("no_vp", f"{_RULE}; R88", jarl=target.id))
    if played.card == "holmgang" and not (target.ship.hold.v or target.army.hold.v):
        against.append(objection("nothing_there", f"{_RULE}; R88"))
    return against


def _in_hand(jarl: Jarl, card: str) -> list[Objection]:
    if jarl.hand < 1:
        return [objection("empty_hand", _RULE, jarl=jarl.id)]
    if card not in jarl.titles and len(jarl.titles) >= jarl.hand:
        return [objection("not_in_hand", _RULE, saga=card)]
    return []


def _battle_below(state: State) -> Battle | None:
    below = state.resolving[-2] if len(state.resolving) > 1 else None
    return below if isinstance(below, Battle) else None
