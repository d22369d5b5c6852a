"""Set-up: who plays, in which order, with how much silver, and where the first Vikings stand.

Rules [Preparations and Setup]; specification section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.printed import JARLS, LIMITS, PRINTED, SWITCHES, TOWNS
from companion.games.vikingjarl.rulings import Ruling, refused
from companion.games.vikingjarl.state import Jarl, State, TownState
from companion.terms import Answer, Question, Seat, say


def setup(seats: Sequence[Seat], choices: dict[str, Any]) -> State:
    """Return the first position of a game for 2 to 4 Jarls.

    `seats` are in clockwise order. Choices: `first` (a Jarl's id), `ship.JARL` (how many of the
    first 4 Vikings go on the Ship, the others on the Army), `target_vp` (1 to 27), and
    `switch.NAME`. Raises `ValueError` saying what was seen and expected.
    """
    ids = [seat.id for seat in seats]
    if not 2 <= len(ids) <= 4 or len(set(ids)) != len(ids) or not set(ids) <= set(JARLS):
        raise ValueError(f"Jarls seen: {ids}; expected 2 to 4 different ones of {list(JARLS)}")
    colours = [seat.colour for seat in seats]
    if len(set(colours)) != len(colours) or not set(colours) <= set(PRINTED.colours):
        raise ValueError(
            f"colours seen: {colours}; expected different ones of {list(PRINTED.colours)}"
        )
    first = choices.get("first", ids[0])
    if first not in ids:
        raise ValueError(f"first player seen: {first!r}; expected one of {ids}")
    target = _number(choices, "target_vp", 10, 1, 27)
    order = ids[ids.index(first) :] + ids[: ids.index(first)]
    by_id = {seat.id: seat for seat in seats}
    jarls: list[Jarl] = []
    for place, id in enumerate(order):
        jarl = Jarl(id, by_id[id].colour, PRINTED.colours[by_id[id].colour], silver=place + 1)
        aboard = _number(choices, f"ship.{id}", LIMITS.first_vikings, 0, LIMITS.first_vikings)
        jarl.ship.hold.v, jarl.army.hold.v = aboard, LIMITS.first_vikings - aboard
        jarls.append(jarl)
    towns = {name: TownState() for name, town in TOWNS.items() if town.kind != "pillage"}
    tokens = {"vinland": True, "midjardarhaf": True}
    return State(jarls, target, _switches(choices), towns, tokens=tokens)


def draft_question(state: State) -> tuple[Question, ...]:
    """Ask until everybody has kept one Saga of the draft (specification 16.3)."""
    return (
        Question(
            "setup.draft",
            (),
            say("question.draft", n=len(state.jarls) + 1),
            None,
            rule="Preparations and Setup; R32",
        ),
    )


def rule_draft(state: State, answer: Answer) -> Ruling:
    """Everybody holds one Saga; the first player draws next."""
    drafted = e.Drafted([jarl.id for jarl in state.jarls])
    if state.phase != "draft":
        return refused("drafted", "Preparations and Setup")
    return Ruling((), (drafted, e.TurnBegan(state.active.id)))


def _switches(choices: dict[str, Any]) -> dict[str, str]:
    switches: dict[str, str] = {}
    for name, switch in SWITCHES.items():
        value = str(choices.get(f"switch.{name}", switch.values[0]))
        if value not in switch.values:
            raise ValueError(f"switch {name}: {value!r} seen, expected one of {switch.values}")
        switches[name] = value
    return switches


def _number(choices: dict[str, Any], key: str, default: int, low: int, high: int) -> int:
    seen = choices.get(key, default)
    try:
        value = int(seen)
    except (TypeError, ValueError):
        raise ValueError(f"{key}: {seen!r} seen, expected {low} to {high}") from None
    if not low <= value <= high:
        raise ValueError(f"{key}: {value} seen, expected {low} to {high}")
    return value
