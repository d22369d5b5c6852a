"""An attack from its declaration to its end: who joins, the shield, whom to fight first.

Rules [Battle; Pillage and VP; Attacking Settlements]; specification 6.1, 8, 11 and 12; R7, R68,
R76.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl import settling
from companion.games.vikingjarl.actions import fighting, guests_in, joinable
from companion.games.vikingjarl.answers import picked
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Attack, Battle, Turning
from companion.games.vikingjarl.phases import spend_action
from companion.games.vikingjarl.printed import JARLS, KINDS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.zone import all_up_to_five, available
from companion.terms import (
    Answer,
    Count,
    Done,
    Field,
    Filled,
    Form,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    say,
)

_REWARDS = ("none", "silver", *KINDS)
_FLIP = Form(
    (
        Field("defenders", say("field.defenders"), Count(1, 2), 1),
        Field("vp", say("field.vp"), Count(1, 2), 1),
        Field(
            "reward",
            say("field.reward"),
            Pick(tuple(Option(word, say(f"reward.{word}")) for word in _REWARDS)),
            "none",
        ),
    )
)
_RULE = "Battle"


# ------------------------------------------------------------------------------ what is asked


def questions(attack: Attack, state: State) -> list[Question]:
    """Ask who joins, what the shield shows, or whose units are fought first."""
    match attack.step:
        case "units":
            return [_units(attack.jarl, attack.units[0], attack.place)]
        case "flip":
            return [flip_question(attack.jarl, attack.place)]
        case _:
            guests = _guests_left(attack, state)
            return [_first(attack.jarl, attack.place, tuple(g.id for g in guests))]


@cache
def _units(jarl: str, first: str, place: str) -> Question:
    return Question(
        "battle.units",
        (jarl,),
        say("question.battle.units", place=place),
        Pick(tuple(Option(name, say(f"store.{name}")) for name in UNITS), 1, 2),
        default=Picked((first,)),
        rule=f"{_RULE}; R68",
    )


@cache
def flip_question(jarl: str, town: str) -> Question:
    """Ask what a VP town's shield shows."""
    return Question(
        f"town.{town}.flip",
        (jarl,),
        say("question.flip", town=town, jarl=jarl),
        _FLIP,
        done=False,
        rule="Pillage and VP; R7",
    )


@cache
def _first(jarl: str, place: str, guests: tuple[str, ...]) -> Question:
    return Question(
        "battle.first",
        (jarl,),
        say("question.battle.first", place=place),
        Pick(tuple(Option(id, say("seat.name", jarl=id)) for id in guests)),
        default=Picked(guests[:1]),
        rule="Attacking Settlements",
    )


# ------------------------------------------------------------------------------ the answers


def check_units(state: State, answer: Answer) -> list[Objection]:
    """The declaring unit, and the other where it stands there with Vikings and its Action left."""
    attack = state.top
    ids = () if isinstance(answer.value, Done) else picked(answer, UNITS)
    if not isinstance(attack, Attack) or attack.step != "units":
        return [plain("not_now", f"{_RULE}; R68")]
    if not isinstance(answer.value, Done) and attack.units[0] not in ids:
        return [objection("declaring_unit", f"{_RULE}; R68", unit=attack.units[0])]
    return []


def decide_units(course: Course, answer: Answer) -> None:
    """Each unit that joins spends its Action too."""
    attack = course.before.top
    if not isinstance(attack, Attack) or attack.step != "units":
        return
    ids = attack.units if isinstance(answer.value, Done) else picked(answer, UNITS)
    joined = [name for name in ids if name not in attack.units]
    jarl = course.before.jarl(attack.jarl)
    for name in joined:
        spend_action(course, jarl, name)
    course.become(replace(attack, units=(*attack.units, *joined), step="flip"))


def check_flip(state: State, answer: Answer, town: str) -> list[Objection]:
    """1 or 2 defenders, 1 or 2 points, and a reward."""
    figures = () if isinstance(answer.value, Done) else _face(answer)
    rule = "Pillage and VP; R7"
    if not _wants_flip(state, town):
        return [objection("turned", f"{rule}, R80", town=town)]
    if not figures:
        return [plain("say_face", rule)]
    if any(not 1 <= number <= 2 for number in figures[:2]):
        return [plain("shield_face", rule)]
    return []


def decide_flip(course: Course, answer: Answer, town: str) -> None:
    """The shield lies face up for everybody."""
    defenders, vp, reward = (1, 1, "none") if isinstance(answer.value, Done) else _face(answer)
    course.tell(e.ShieldSeen(town, max(1, min(defenders, 3)), max(0, min(vp, 2)), reward))


def _wants_flip(state: State, town: str) -> bool:
    match state.top:
        case Attack(place=place, step="flip") | Turning(town=place):
            return place == town
        case _:
            return False


def _face(answer: Answer) -> tuple[int, int, str]:
    fields = answer.value.fields if isinstance(answer.value, Filled) else {}
    defenders, vp, reward = fields.get("defenders"), fields.get("vp"), fields.get("reward", "none")
    if not isinstance(defenders, int) or not isinstance(vp, int) or reward not in _REWARDS:
        raise NoSuchKey(answer.value, say("expected.shield"))
    return defenders, vp, str(reward)


def check_first(state: State, answer: Answer) -> list[Objection]:
    """One of the Jarls whose units are inside."""
    attack = state.top
    ids = () if isinstance(answer.value, Done) else picked(answer, JARLS)
    rule = "Attacking Settlements"
    if not isinstance(attack, Attack) or attack.step != "fight":
        return [plain("not_now", rule)]
    if ids and ids[0] not in [guest.id for guest in _guests_left(attack, state)]:
        return [plain("not_inside", rule)]
    return []


def decide_first(course: Course, answer: Answer) -> None:
    """Fight this Jarl's units next."""
    attack = course.before.top
    if isinstance(attack, Attack):
        guests = [guest.id for guest in _guests_left(attack, course.before)]
        ids = () if isinstance(answer.value, Done) else picked(answer, JARLS)
        chosen = ids[0] if ids and ids[0] in guests else next(iter(guests), "")
        course.become(replace(attack, first=chosen))


# ------------------------------------------------------------------------------ how it goes on


def proceed(course: Course, attack: Attack) -> bool:
    """Take the next step that needs no word from people; False where one is needed."""
    state = course.now
    jarl = state.jarl(attack.jarl)
    match attack.step:
        case "units":
            kind = "field" if attack.kind == "field" else "town"
            if joinable(state, jarl, attack.units[0], kind, attack.place):
                return False
            course.become(replace(attack, step="flip"))
        case "flip":
            if _is_hidden(attack, state):
                return False
            course.become(replace(attack, step="fight"))
        case "fight":
            return _fight(course, attack, state, jarl)
        case "garrison":
            if attack.kind == "repair":
                settling.repair(course, attack.jarl, attack.place)
            done = replace(attack, step="end")
            if attack.kind == "settlement":
                _battle(course, done, jarl, "garrison", attack.target, (attack.place,))
            else:
                course.become(done)
        case "end":
            course.resolve()
    return True


def _fight(course: Course, attack: Attack, state: State, jarl: Jarl) -> bool:
    """Begin the next battle: a town's, one in the open, or with the units inside a Settlement.

    Inside a Settlement a Ship fights too, with or without an Army (R18).
    """
    done = replace(attack, step="end")
    if attack.kind == "town":
        _battle(course, done, jarl, "town", "", (), _town_defenders(course, attack.place))
        return True
    if attack.kind == "field":
        stores = fighting(state, state.jarl(attack.target), attack.place)
        _battle(course, done, jarl, "field", attack.target, stores)
        return True
    guests = _guests_left(attack, state)
    if not guests:
        course.become(replace(attack, step="garrison"))
        return True
    chosen = next((g for g in guests if g.id == attack.first), None)
    if chosen is None and len(guests) > 1:
        return False
    guest = chosen or guests[0]
    fought = replace(attack, fought=(*attack.fought, guest.id), first="")
    _battle(course, fought, jarl, "units", guest.id, guest.units_in(attack.place))
    return True


def _battle(
    course: Course,
    attack: Attack,
    jarl: Jarl,
    kind: Literal["town", "field", "units", "garrison"],
    defender: str,
    stores: tuple[str, ...],
    strong: int = 0,
) -> None:
    """Begin a battle; what was laid before it is in force (Valhalla for the whole Action, R45)."""
    valhalla = attack.valhalla or "valhalla" in jarl.laid
    battle = Battle(
        attack.jarl,
        kind,
        attack.place,
        attack.units,
        defender,
        stores,
        strong=strong,
        berserk="berserk" in jarl.laid,
        valhalla=valhalla,
    )
    guard = all_up_to_five(available(course.now, battle, defender=True))
    course.become(replace(attack, valhalla=valhalla))
    course.begin(replace(battle, guard=guard))
    if jarl.laid:
        course.tell(e.LaidUsed(jarl.id))


def _town_defenders(course: Course, town: str) -> int:
    if TOWNS[town].kind == "pillage":
        return course.box.number(f"{town}.defenders")
    return course.now.towns[town].defenders or 1


def _is_hidden(attack: Attack, state: State) -> bool:
    town = state.towns.get(attack.place)
    if attack.kind != "town" or town is None:
        return False
    unread = town.shield == "face_up" and town.defenders is None
    return TOWNS[attack.place].kind == "vp" and (town.shield == "hidden" or unread)


def _guests_left(attack: Attack, state: State) -> list[Jarl]:
    guests = guests_in(state, state.jarl(attack.jarl), attack.place)
    return [guest for guest in guests if guest.id not in attack.fought]
