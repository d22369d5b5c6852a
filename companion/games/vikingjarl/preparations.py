"""Set-up: who plays, in which order, with how much silver, and where the first Vikings stand.

Rules [Preparations and Setup; Advanced and Alternative Rules]; specification 3, 16.3, 18 and 21.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.alternative_rules import (
    MOST_ROUNDS,
    ORDER,
    USUAL_ROUNDS,
    VARIANTS,
    against_variant,
    play_variant,
)
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.printed import JARLS, LIMITS, PRINTED, SWITCHES, TOWNS
from companion.games.vikingjarl.rulings import plain
from companion.games.vikingjarl.state import Hand, Jarl, State, TownState
from companion.terms import (
    Answer,
    CannotStart,
    Count,
    Field,
    Form,
    Objection,
    Option,
    Pick,
    Question,
    Seat,
    say,
)

_RULE = "Preparations and Setup"


def setup(seats: Sequence[Seat], choices: dict[str, Any]) -> State:
    """Return the first position of a game for 2 to 4 Jarls (R75).

    `seats` are in clockwise order. Choices, all optional: `jarls` (the seats' ids), `first` (a
    Jarl's id), `colour.JARL`, `ship.JARL` (how many of the first 4 Vikings go on the Ship, the
    others on the Army), `target_vp` (1 to 27), `variant` (a list of `two_by_two`, `allied`,
    `player_turns`), `rounds`, `switch.NAME`. Raises `CannotStart` saying what was seen and
    expected.
    """
    colours = _colours(seats, choices)
    ids = list(colours)
    variant = _variant(choices, colours)
    sides = "two_by_two" in variant or "allied" in variant
    first = str(choices.get("first") or ids[0])
    if first not in ids:
        raise CannotStart(say("cannot_start.first", seen=first, known=ids))
    order = ids[ids.index(first) :] + ids[: ids.index(first)]
    if sides:
        order = sorted(ids, key=lambda id: ORDER.index(colours[id]))
    jarls: list[Jarl] = []
    for place, id in enumerate(order):
        jarl = Jarl(id, colours[id], PRINTED.colours[colours[id]], place, place)
        aboard = _number(choices, f"ship.{id}", LIMITS.first_vikings, 0, LIMITS.first_vikings)
        jarl.ship.hold.v, jarl.army.hold.v = aboard, LIMITS.first_vikings - aboard
        jarls.append(jarl)
    state = State(
        jarls,
        _number(choices, "target_vp", LIMITS.target, 1, LIMITS.longest_target),
        _switches(choices),
        {name: TownState() for name, town in TOWNS.items() if town.kind != "pillage"},
        [Hand() for _ in jarls],
        [place + 1 for place in range(len(jarls))],
        rounds=_number(choices, "rounds", USUAL_ROUNDS, 1, MOST_ROUNDS),
    )
    play_variant(state, variant)
    return state


def _colours(seats: Sequence[Seat], choices: dict[str, Any]) -> dict[str, str]:
    """Return the colour of each Jarl who plays, in clockwise order."""
    ids = [seat.id for seat in seats]
    chosen = [str(id) for id in cast("list[Any]", choices.get("jarls") or ids)]
    if set(chosen) != set(ids) or len(chosen) != len(ids):
        raise CannotStart(say("cannot_start.other_jarls", seen=chosen, known=ids))
    if not ids:
        raise CannotStart(say("cannot_start.nobody", known=list(JARLS)))
    if not 2 <= len(ids) <= 4 or len(set(ids)) != len(ids) or not set(ids) <= set(JARLS):
        raise CannotStart(say("cannot_start.jarls", n=len(ids), seen=ids, known=list(JARLS)))
    colours = {seat.id: str(choices.get(f"colour.{seat.id}") or seat.colour) for seat in seats}
    seen = list(colours.values())
    if len(set(seen)) != len(seen) or not set(seen) <= set(PRINTED.colours):
        raise CannotStart(say("cannot_start.colours", seen=seen, known=list(PRINTED.colours)))
    return {id: colours[id] for id in chosen}


def _variant(choices: dict[str, Any], colours: dict[str, str]) -> tuple[str, ...]:
    seen = cast("Any", choices.get("variant") or ())
    variant = (seen,) if isinstance(seen, str) else tuple(str(word) for word in seen)
    if not set(variant) <= set(VARIANTS):
        raise CannotStart(say("cannot_start.variant", seen=list(variant), known=list(VARIANTS)))
    if against_variant(len(colours), variant):
        raise CannotStart(say("cannot_start.sides", seen=list(variant), jarls=len(colours)))
    return tuple(word for word in VARIANTS if word in variant)


def _switches(choices: dict[str, Any]) -> dict[str, str]:
    known = {f"switch.{name}" for name in SWITCHES} | {"switch.target_vp"}
    for key in choices:
        if key.startswith("switch.") and key not in known:
            raise CannotStart(say("cannot_start.switch", seen=key, known=sorted(known)))
    switches: dict[str, str] = {}
    for name, switch in SWITCHES.items():
        value = str(choices.get(f"switch.{name}", switch.values[0]))
        if value not in switch.values:
            raise CannotStart(
                say("cannot_start.value", switch=name, seen=value, known=list(switch.values))
            )
        switches[name] = value
    return switches


def _number(choices: dict[str, Any], key: str, default: int, low: int, high: int) -> int:
    seen = choices.get(key)
    if seen is None or seen == "":
        seen = default
    try:
        value = int(seen)
    except (TypeError, ValueError):
        value = None
    if value is None or not low <= value <= high:
        what, _, jarl = key.partition(".")
        label = say(f"setup.{what.removesuffix('_vp')}", jarl=jarl)
        span = {"low": low, "high": high}
        raise CannotStart(say("cannot_start.number", what=label, key=key, seen=str(seen), **span))
    return value


# ------------------------------------------------------------------------------ the set-up page


def setup_form(jarls: Sequence[str] = JARLS) -> Form:
    """Return the choices of the set-up page for these Jarls, each with what stands there first."""
    colours = tuple(Option(colour, say(f"colour.{colour}")) for colour in PRINTED.colours)
    names = tuple(Option(id, say("seat.name", jarl=id)) for id in jarls)
    fields = [Field("first", say("setup.first"), Pick(names), jarls[0])]
    for id, colour in zip(jarls, PRINTED.colours, strict=False):
        fields.append(Field(f"colour.{id}", say("setup.colour", jarl=id), Pick(colours), colour))
        most = LIMITS.first_vikings
        fields.append(Field(f"ship.{id}", say("setup.ship", jarl=id), Count(0, most), most))
    target = Count(1, LIMITS.longest_target)
    variants = tuple(Option(word, say(f"variant.{word}")) for word in VARIANTS)
    fields += [
        Field("target_vp", say("setup.target"), target, LIMITS.target),
        Field("variant", say("setup.variant"), Pick(variants, 0, 2), []),
        Field("rounds", say("setup.rounds"), Count(1, MOST_ROUNDS), USUAL_ROUNDS),
    ]
    for name, switch in SWITCHES.items():
        values = tuple(Option(value, say(f"switch.{name}.{value}")) for value in switch.values)
        fields.append(
            Field(f"switch.{name}", say(f"switch.{name}"), Pick(values), switch.values[0])
        )
    return Form(tuple(fields))


# ------------------------------------------------------------------------------------- the draft


def draft_question(state: State) -> list[Question]:
    """Ask until everybody has kept one Saga of the draft (specification 16.3)."""
    return [_draft(len(state.jarls) + 1, state.jarls[-1].id, state.switches["draft_leftover"])]


@cache
def _draft(cards: int, last: str, leftover: str) -> Question:
    return Question(
        "setup.draft",
        (),
        say("question.draft", n=cards, jarl=last),
        None,
        detail=say(f"question.draft.{leftover}"),
        rule=f"{_RULE}; R32, R33",
    )


def check_draft(state: State, _answer: Answer) -> list[Objection]:
    """The draft comes once, before the first turn."""
    return [] if state.phase == "draft" else [plain("drafted", _RULE)]


def decide_draft(course: Course, _answer: Answer) -> None:
    """Everybody holds one Saga; the first player draws next."""
    if course.before.phase != "draft":
        return
    course.tell(e.Drafted(tuple(jarl.id for jarl in course.before.jarls)))
    course.tell(e.TurnBegan(course.before.active.id))
