"""Actions of a unit: which it may take where it stands, and what each begins.

Rules [Gameplay, Phase 2]; specification sections 4, 7, 8, 10 to 13; R10 to R12, R22, R25, R66, R73.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl import settling
from companion.games.vikingjarl.alternative_rules import opponents
from companion.games.vikingjarl.answers import picked
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Attack
from companion.games.vikingjarl.phases import may_act, spend_action
from companion.games.vikingjarl.places import in_town, is_land, is_sea, occupied, owner_of
from companion.games.vikingjarl.printed import TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection, own_turn, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Box, Done, NoSuchKey, Objection, Option, Pick, Question, say

_PILLAGE, _VP = "Pillage and VP", "Pillage and VP; R80"
_FIELD, _SETTLEMENT = "Attack Other Jarls", "Attacking Settlements"


# ------------------------------------------------------------------------------ what is asked


def questions(state: State) -> list[Question]:
    """Offer each unit with its Action left what it may do where it stands."""
    jarl = state.active
    asked: list[Question] = []
    for name in UNITS:
        if not may_act(jarl.unit(name)):
            continue
        place = jarl.place_of(name)
        possible: list[str] = []
        if place in TOWNS:
            if TOWNS[place].kind != "trade":
                if not _against_attack(state, jarl, name, place):
                    possible.append(f"attack:{place}")
                possible += settling.possible(state, jarl, name, place)
        elif not in_town(place):
            possible += [
                f"attack:{other.id}"
                for other in state.jarls
                if place in (other.ship.at, other.army.at)
                and not _against_field(state, jarl, name, other)
            ]
        if possible:
            asked.append(_question(jarl.id, name, tuple(possible)))
    return asked


@cache
def _question(jarl: str, unit: str, possible: tuple[str, ...]) -> Question:
    return Question(
        f"{jarl}.{unit}.act",
        (jarl,),
        say(f"question.act.{unit}"),
        Pick(tuple(_option(id) for id in possible)),
        urgency="offer",
        group=unit,
        done=False,
        rule="Gameplay, Phase 2",
    )


@cache
def _option(id: str) -> Option:
    action, _, target = id.partition(":")
    if target in TOWNS:
        return Option(id, say(f"act.{action}", town=target))
    return Option(id, say("act.attack_jarl", jarl=target))


# ------------------------------------------------------------------------------ what is against


def check_act(state: State, answer: Answer, jarl: Jarl, name: str, box: Box) -> list[Objection]:
    """One Action a unit and turn, where it stands, as the chapters allow."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_what", "Gameplay, Phase 2")]
    action, target = _read(state, answer)
    if not may_act(jarl.unit(name)):
        phase = jarl.unit(name).phase
        against.append(objection(f"acted.{phase}", "Gameplay, Phase 2; R25", unit=name))
    if action != "attack":
        return against + settling.against(state, jarl, name, action, target)
    if target in TOWNS:
        against += _against_attack(state, jarl, name, target)
        if not against and TOWNS[target].kind == "pillage":
            _shield(box, target)
        return against
    return against + _against_field(state, jarl, name, state.jarl(target))


def _against_attack(state: State, jarl: Jarl, name: str, town: str) -> list[Objection]:
    owner = owner_of(state, town)
    rule = _SETTLEMENT if owner else _PILLAGE
    if TOWNS[town].kind == "trade":
        return [objection("peaceful_town", _FIELD, town=town)]
    if jarl.place_of(name) != town:
        return [objection("not_there", rule, town=town, unit=name)]
    against = _banned(state, jarl, town, rule) + occupied(state, jarl, town)
    vikings = sum(jarl.unit(n).hold.v for n in (name, *joinable(state, jarl, name, "town", town)))
    if owner is None:
        if TOWNS[town].kind == "vp" and state.towns[town].shield == "removed":
            against.append(objection("no_shield", _VP, town=town))
        if vikings < 1:
            against.append(plain("no_vikings", f"{rule}; R73"))
        return against
    guests = guests_in(state, jarl, town)
    if owner.id == jarl.id:
        if not guests:
            against.append(objection("nobody_inside", rule, town=town))
    elif not opponents(state, jarl, owner):
        against.append(objection("ally", "Advanced and Alternative Rules; R64", jarl=owner.id))
    elif owner.settlements[town].damaged and state.switches["attack_damaged"] == "refused":
        against.append(objection("already_damaged", f"{rule}; R21", town=town))
    if vikings < 1:
        manned = owner.settlements[town].hold.v if owner.id != jarl.id else 0
        manned += sum(guest.unit(n).hold.v for guest in guests for n in guest.units_in(town))
        if state.on("attack_needs_viking") or manned:
            against.append(plain("no_vikings", f"{rule}; R73"))
    return against


def _banned(state: State, jarl: Jarl, town: str, rule: str) -> list[Objection]:
    """The same town not in two own turns running, nor twice in one (R10, R11)."""
    if town in jarl.attacked and not state.on("same_turn_repeat"):
        return [objection("same_turn", f"{rule}; R10", town=town)]
    if town not in jarl.last_attacked:
        return []
    covers = state.switches["ban_covers"]
    settled = owner_of(state, town) is not None
    covered = covers == "towns_and_settlements" or (
        not settled and (covers == "towns" or TOWNS[town].kind == "pillage")
    )
    return [objection("two_turns", f"{rule}; R10, R11", town=town)] if covered else []


def _against_field(state: State, jarl: Jarl, name: str, other: Jarl) -> list[Objection]:
    """In one land zone both Armies, in one sea zone both aboard their Ships (specification 13)."""
    if other.id == jarl.id:
        return [plain("own_units", _FIELD)]
    if not opponents(state, jarl, other):
        return [objection("ally", "Advanced and Alternative Rules; R64", jarl=other.id)]
    place = jarl.place_of(name)
    if in_town(place):
        return [plain("only_in_the_open", _FIELD)]
    if is_land(place):
        fits = name == "army" and other.army.at == place
    else:
        fits = is_sea(place) and jarl.riding and other.riding and other.ship.at == place
    if not fits:
        return [objection("armies_together", _FIELD, jarl=other.id)]
    if name == "ship" and not state.on("sea_battle_ship_vikings"):
        return [plain("only_armies", f"{_FIELD}; R17")]
    vikings = sum(jarl.unit(n).hold.v for n in (name, *joinable(state, jarl, name, "field", place)))
    manned = sum(other.unit(n).hold.v for n in fighting(state, other, place))
    if vikings < 1 and (manned or state.on("attack_needs_viking")):
        return [plain("no_vikings", f"{_FIELD}; R73")]
    return []


def joinable(state: State, jarl: Jarl, name: str, kind: str, place: str) -> tuple[str, ...]:
    """Return the other own unit where it may join the attack with Vikings of its own (R68)."""
    other = "army" if name == "ship" else "ship"
    if jarl.place_of(other) != place or not may_act(jarl.unit(other)):
        return ()
    if kind == "field" and other not in fighting(state, jarl, place):
        return ()
    return (other,) if jarl.unit(other).hold.v else ()


def fighting(state: State, jarl: Jarl, place: str) -> tuple[str, ...]:
    """Return the units whose Vikings fight in the open: at sea the Ship's too (R17)."""
    if is_land(place) or not state.on("sea_battle_ship_vikings"):
        return ("army",)
    return ("army", "ship")


def guests_in(state: State, jarl: Jarl, town: str) -> list[Jarl]:
    """Return the opponents who have a unit in a place, in turn order."""
    return [o for o in state.jarls if opponents(state, jarl, o) and o.units_in(town)]


# ------------------------------------------------------------------------------ what it leads to


def decide_act(course: Course, answer: Answer, jarl: Jarl, name: str) -> None:
    """Spend the Action and begin what it is."""
    if isinstance(answer.value, Done):
        spend_action(course, jarl, name)
        return
    action, target = _read(course.before, answer)
    if action != "attack":
        settling.decide(course, jarl, name, action, target)
        return
    spend_action(course, jarl, name)
    if target not in TOWNS:
        place = jarl.place_of(name)
        course.tell(e.AttackDeclared(jarl.id, place, target))
        course.begin(Attack(jarl.id, "field", place, (name,), target))
        return
    owner = owner_of(course.before, target)
    if owner is None:
        if TOWNS[target].kind == "pillage":
            _shield(course.box, target)
        course.tell(e.AttackDeclared(jarl.id, target))
        course.begin(Attack(jarl.id, "town", target, (name,)))
    elif owner.id == jarl.id:
        course.tell(e.AttackDeclared(jarl.id, target, owner.id))
        course.begin(Attack(jarl.id, "evict", target, (name,), owner.id))
    else:
        course.tell(e.AttackDeclared(jarl.id, target, owner.id))
        course.begin(Attack(jarl.id, "settlement", target, (name,), owner.id))


def _shield(box: Box, town: str) -> tuple[int, int]:
    """Return what the orange shield says, defenders and silver; raises `Unknown`."""
    return box.number(f"{town}.defenders"), box.number(f"{town}.silver")


def _read(state: State, answer: Answer) -> tuple[str, str]:
    known = [f"attack:{town}" for town in TOWNS] + [f"attack:{j.id}" for j in state.jarls]
    known += [f"{action}:{town}" for action in settling.ACTIONS for town in TOWNS]
    ids = picked(answer, known)
    if len(ids) != 1:
        raise NoSuchKey(answer.value, say("expected.action"))
    action, _, target = ids[0].partition(":")
    return action, target
