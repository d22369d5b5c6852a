"""After a battle: loot for the winner, and the loser's way out.

Rules [Attack Other Jarls; Attacking Settlements; Pillage and VP]; specification 6.6, 11 and 13;
R14, R16, R48, R67, R77, R86.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import numbers, picked
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Leaving, Loot
from companion.games.vikingjarl.places import fits_zone, placed, wants_zone
from companion.games.vikingjarl.printed import GAINS, KINDS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import (
    Answer,
    Count,
    Done,
    Field,
    Filled,
    Form,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    say,
)

_LOOT, _EXIT = "Attack Other Jarls; R16, R48", "Pillage and VP; R67"
_CHOICES = (*KINDS, "silver", "nothing")


# ------------------------------------------------------------------------------ what is asked


def loot_questions(loot: Loot, state: State) -> list[Question]:
    """Ask the winner what it takes."""
    there = _there(loot, state)
    if loot.garrison:
        return [_cubes(loot.winner, loot.loser, tuple(there.items()), _room(loot, state))]
    silver = min(GAINS.loot_silver, state.silver(state.jarl(loot.loser)))
    return [_one(loot.winner, loot.loser, tuple(_possible(loot, state)), max(0, silver))]


@cache
def _cubes(winner: str, loser: str, there: tuple[tuple[str, int], ...], room: int) -> Question:
    fields: list[Field] = []
    left = room
    for kind, number in there:
        fields.append(
            Field(kind, say(f"kind.{kind}"), Count(0, min(number, room)), min(number, left))
        )
        left -= min(number, left)
    return Question(
        "battle.loot",
        (winner,),
        say("question.loot.garrison", jarl=loser, n=room),
        Form(tuple(fields)),
        default=Filled({}),
        rule="Attacking Settlements; R77",
    )


@cache
def _one(winner: str, loser: str, possible: tuple[str, ...], silver: int) -> Question:
    options = tuple(Option(id, say(f"loot.{id}", n=silver)) for id in (*possible, "nothing"))
    return Question(
        "battle.loot",
        (winner,),
        say("question.loot", jarl=loser),
        Pick(options),
        default=Picked(("nothing",)),
        rule=_LOOT,
    )


def leaving_questions(leaving: Leaving) -> list[Question]:
    """Ask each unit that must leave for the zone it goes to."""
    return [_exit(id, unit, leaving.place) for id, unit in leaving.units]


@cache
def _exit(jarl: str, unit: str, place: str) -> Question:
    return Question(
        f"{jarl}.{unit}.exit",
        (jarl,),
        say(f"question.exit.{unit}", jarl=jarl, place=place),
        wants_zone(unit, place),
        rule=_EXIT,
    )


# ------------------------------------------------------------------------------------------- loot


def check_loot(state: State, answer: Answer) -> list[Objection]:
    """One cube that is there and fits, or up to 3 silver; of a garrison all cubes that fit."""
    loot = state.top
    shares = _wanted(answer)
    if not isinstance(loot, Loot):
        return [plain("nothing_to_loot", _LOOT)]
    there, room = _there(loot, state), _room(loot, state)
    against: list[Objection] = []
    for kind, number in shares.items():
        if kind == "silver":
            if loot.garrison or state.silver(state.jarl(loot.loser)) < 1:
                against.append(plain("no_silver_there", _LOOT))
        elif not 0 <= number <= there.get(kind, 0):
            against.append(objection("not_so_many", _LOOT, n=there.get(kind, 0)))
    cubes = sum(number for kind, number in shares.items() if kind != "silver")
    if cubes > room:
        against.append(objection("no_room", f"{_LOOT}; R77", n=room, store=loot.units[0]))
    if not loot.garrison and (cubes > 1 or (cubes and "silver" in shares)):
        against.append(plain("one_cube_or_silver", _LOOT))
    return against


def decide_loot(course: Course, answer: Answer) -> None:
    """Carry the loot off, unit by unit where there is room."""
    loot = course.before.top
    shares = _wanted(answer)
    if not isinstance(loot, Loot):
        return
    course.resolve()
    if "silver" in shares:
        take_silver(course, loot.winner, loot.loser)
        return
    for kind, number in shares.items():
        for _ in range(number if loot.garrison else min(number, 1)):
            take_cube(course, kind, loot.winner, loot.units, loot.loser, loot.stores)


def take_silver(course: Course, winner: str, loser: str) -> None:
    """Take up to 3 silver of another Jarl (R48)."""
    state = course.now
    number = min(GAINS.loot_silver, state.silver(state.jarl(loser)))
    if number > 0 and state.jarl(winner).purse != state.jarl(loser).purse:
        course.tell(e.SilverTaken(winner, number, loser))


def take_cube(
    course: Course,
    kind: str,
    winner: str,
    units: tuple[str, ...],
    loser: str,
    stores: tuple[str, ...],
) -> None:
    """Take a cube of one of these stores to the first unit with room."""
    state = course.now
    unit = next((name for name in units if state.jarl(winner).room(name) > 0), None)
    store = next((s for s in stores if state.jarl(loser).in_store(s, kind) > 0), None)
    if unit is not None and store is not None:
        course.tell(e.CubesTaken(winner, kind, 1, unit, loser, store))


def proceed_loot(course: Course, loot: Loot) -> bool:
    """Ask nothing where there is nothing to take."""
    if _possible(loot, course.now):
        return False
    course.resolve()
    return True


def _there(loot: Loot, state: State) -> dict[str, int]:
    loser = state.jarl(loot.loser)
    found: dict[str, int] = {}
    for kind in KINDS:
        number = sum(loser.in_store(store, kind) for store in loot.stores)
        if number > 0:
            found[kind] = number
    return found


def _room(loot: Loot, state: State) -> int:
    return sum(max(0, state.jarl(loot.winner).room(name)) for name in loot.units)


def _possible(loot: Loot, state: State) -> list[str]:
    found = list(_there(loot, state)) if _room(loot, state) > 0 else []
    apart = state.jarl(loot.winner).purse != state.jarl(loot.loser).purse
    if not loot.garrison and apart and state.silver(state.jarl(loot.loser)) > 0:
        found.append("silver")
    return found


def _wanted(answer: Answer) -> dict[str, int]:
    """Read loot in either form: chosen ids, or numbers by kind."""
    match answer.value:
        case Done():
            return {}
        case Filled():
            return numbers(answer, (*KINDS, "silver"))
        case _:
            ids = picked(answer, _CHOICES)
            return {id: 1 for id in ids if id != "nothing"}


# ------------------------------------------------------------------------------------ the way out


def check_exit(state: State, answer: Answer, jarl: Jarl, unit: str) -> list[Objection]:
    """A zone fit for the unit: sea for a Ship, land for an Army."""
    place = None if isinstance(answer.value, Done) else placed(answer.value)
    leaving = state.top
    if not isinstance(leaving, Leaving) or (jarl.id, unit) not in leaving.units:
        return [plain("need_not_leave", _EXIT)]
    if place is not None and not fits_zone(unit, place):
        return [plain(f"wrong_zone.{unit}", _EXIT)]
    return []


def decide_exit(course: Course, answer: Answer, jarl: Jarl, unit: str) -> None:
    """The unit stands outside; a riding Army goes along."""
    leaving = course.before.top
    place = None if isinstance(answer.value, Done) else placed(answer.value)
    if not isinstance(leaving, Leaving) or (jarl.id, unit) not in leaving.units:
        if place is not None:
            course.tell(e.Driven(jarl.id, unit, place, "exit"))
        return
    left = tuple(one for one in leaving.units if one != (jarl.id, unit))
    if place is None:
        place = f"{'sea' if unit == 'ship' else 'land'}_{leaving.place}"
    course.tell(e.Driven(jarl.id, unit, place, "exit"))
    if left:
        course.become(replace(leaving, units=left))
    else:
        course.resolve()


def proceed_leaving(course: Course, leaving: Leaving) -> bool:
    """Nobody has to leave who is not there any more."""
    state = course.now
    left = tuple(
        (id, unit) for id, unit in leaving.units if state.jarl(id).place_of(unit) == leaving.place
    )
    if left == leaving.units and left:
        return False
    if left:
        course.become(replace(leaving, units=left))
    else:
        course.resolve()
    return True
