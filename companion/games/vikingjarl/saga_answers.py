"""What people answer to a Saga's choices: whom, which unit, which place, the red die.

Rules [Sagas]; specification 16.5; R36, R44, R46 to R52, R56, R65, R86, R88.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import STORES, numbers, picked
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.dice import COLOURS, FACES
from companion.games.vikingjarl.frames import SagaPlayed
from companion.games.vikingjarl.places import fits_zone, placed
from companion.games.vikingjarl.printed import GAINS, GOODS, JARLS, KINDS, LIMITS, UNITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.saga_choices import next_need
from companion.games.vikingjarl.saga_reach import against_target, possible, room_at
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Dice, Done, NoSuchKey, Objection, Picked, Placed, say

_RULE = "Sagas"


def check(state: State, answer: Answer, need: str) -> list[Objection]:
    """Say what is against an answer to `saga.NEED`. Raises `NoSuchKey`."""
    chosen = _read(answer, need)
    played = state.top
    if not isinstance(played, SagaPlayed):
        return [plain("no_saga", _RULE)]
    if next_need(played) != need:
        return [plain("not_now", _RULE)]
    if isinstance(answer.value, Done):
        return []
    match need:
        case "target":
            return _check_targets(played, state, chosen)
        case "roll":
            return _check_roll(answer)
        case "bring":
            return _check_bring(played, state, answer)
        case "zone.ship" | "zone.army":
            unit = need.removeprefix("zone.")
            fits = fits_zone(unit, chosen[0])
            return [] if fits else [plain(f"wrong_zone.{unit}", f"{_RULE}; R86")]
        case "hit":
            return []
        case _:
            offered = possible(played, state, need)
            most = 2 if need == "unit" and played.card == "freyr" else 1
            if not 1 <= len(chosen) <= most:
                return [plain("one_choice", _RULE)]
            if any(id not in offered for id in chosen):
                return [plain(f"not_offered.{need}", f"{_RULE}; R44, R46 to R52, R88")]
            return []


def decide(course: Course, answer: Answer, need: str) -> None:
    """Note the choice; a Saga done at the table by hand is over."""
    chosen = _read(answer, need)
    played = course.before.top
    if not isinstance(played, SagaPlayed) or next_need(played) != need:
        return
    if isinstance(answer.value, Done) and need != "roll":
        course.resolve()
        course.tell(e.CardEnded(played.card, played.by, "by_hand"))
        return
    match need:
        case "target":
            most = 2 if played.card == "vikingjarl" else 1
            known = [id for id in dict.fromkeys(chosen) if course.before.has(id)][:most]
            for id in known:
                course.tell(e.CardAimed(played.card, played.by, id))
            if known:
                course.become(replace(played, targets=tuple(known)))
        case "roll":
            course.become(replace(played, rolled=_face(answer)))
        case "hit":
            hit = chosen[0] == "helmet"
            course.become(replace(played, rolled="helmet" if hit else "shield"))
        case "bring":
            course.become(replace(played, bring=_brought(course.before.jarl(played.by), answer)))
        case "unit":
            course.tell(e.SagaChosen(played.card, played.by, chosen[:2], "store"))
            course.become(replace(played, units=chosen[:2]))
        case "place":
            course.tell(e.SagaChosen(played.card, played.by, chosen[:1], "store"))
            course.become(replace(played, place=chosen[0]))
        case "to":
            course.become(replace(played, to=chosen[0]))
        case "zone.ship" | "zone.army":
            unit = need.removeprefix("zone.")
            course.tell(e.SagaChosen(played.card, played.by, chosen[:1], "place"))
            course.become(replace(played, zones={**played.zones, unit: chosen[0]}))
        case _:
            course.become(replace(played, take=chosen[0]))


def _read(answer: Answer, need: str) -> tuple[str, ...]:
    """Read an answer in the form its need has; raises `NoSuchKey` for what names nothing."""
    if isinstance(answer.value, Done):
        return ()
    match need:
        case "target":
            return _some(picked(answer, JARLS))
        case "unit":
            return _some(picked(answer, UNITS))
        case "place" | "to":
            if isinstance(answer.value, Placed):
                place = answer.value.place
                return (place,) if place in UNITS else (placed(answer.value),)
            return _some(picked(answer, STORES))
        case "take":
            return _some(picked(answer, (*KINDS, "silver")))
        case "hit":
            return _some(picked(answer, FACES))
        case "die":
            known = [f"die:{colour}:{n}" for colour in COLOURS for n in range(1, 10)]
            return _some(picked(answer, known))
        case "roll":
            _face(answer)
            return ()
        case "bring":
            numbers(answer, GOODS)
            return ()
        case _:
            return (placed(answer.value),)


def _some(ids: tuple[str, ...]) -> tuple[str, ...]:
    if not ids:
        raise NoSuchKey(Picked(()), say("expected.a_choice"))
    return ids


def _check_targets(played: SagaPlayed, state: State, chosen: tuple[str, ...]) -> list[Objection]:
    against: list[Objection] = []
    most = 2 if played.card == "vikingjarl" else 1
    if len(set(chosen)) > most or len(set(chosen)) < len(chosen):
        against.append(objection("targets", _RULE, n=most))
    for id in dict.fromkeys(chosen):
        if not state.has(id):
            raise NoSuchKey(id, say("expected.jarl"))
        against += against_target(played, state, state.jarl(id))
    return against


def _check_roll(answer: Answer) -> list[Objection]:
    dice = answer.value.dice if isinstance(answer.value, Dice) else ()
    one_red = len(dice) == 1 and dice[0].colour == "red"
    return [] if one_red else [plain("one_red", _RULE)]


def _face(answer: Answer) -> str:
    if isinstance(answer.value, Done):
        return "done"
    dice = answer.value.dice if isinstance(answer.value, Dice) else ()
    if not dice or any(d.face not in FACES or d.colour not in COLOURS for d in dice):
        raise NoSuchKey(answer.value, say("expected.red_die"))
    return "helmet" if any(die.face == "helmet" for die in dice) else "shield"


def _check_bring(played: SagaPlayed, state: State, answer: Answer) -> list[Objection]:
    """Up to 2 Vikings or 1 cube, never a mix (R56); as Defense Vikings."""
    wanted = numbers(answer, GOODS)
    jarl = state.jarl(played.by)
    against: list[Objection] = []
    vikings, cubes = wanted.get("v", 0), sum(n for kind, n in wanted.items() if kind != "v")
    if not wanted or vikings > GAINS.longships or cubes > 1 or (vikings and cubes):
        against.append(plain("two_or_one", f"{_RULE}; R56"))
    for kind, number in wanted.items():
        have = jarl.kaupang.of(kind)
        if not 0 <= number <= have:
            against.append(objection("not_so_many", _RULE, n=have))
    if jarl.id != state.active.id and not vikings:
        against.append(plain("longships_vikings", _RULE))
    room = room_at(jarl, played.to)
    if played.to in jarl.settlements:
        short = vikings > LIMITS.garrison - jarl.settlements[played.to].hold.v
    else:
        short = vikings + cubes > room
    if short:
        against.append(objection("no_room", f"{_RULE}; R65", n=room, store=played.to))
    return against


def _brought(jarl: Jarl, answer: Answer) -> dict[str, int]:
    wanted = {k: min(n, jarl.kaupang.of(k)) for k, n in numbers(answer, GOODS).items()}
    kept = {kind: number for kind, number in wanted.items() if number > 0}
    return kept or {"none": 0}
