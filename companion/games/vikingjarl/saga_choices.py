"""The choices of a Saga: whom, which unit, which place, what to take, and the red die.

Rules [Sagas]; specification 16.5; R36, R46 to R52, R55, R56, R86, R88. Choices that depend on each
other are asked one after the other; what has only one answer is not asked.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl.dice import FACES
from companion.games.vikingjarl.frames import SagaPlayed
from companion.games.vikingjarl.places import (
    wants_zone,
)
from companion.games.vikingjarl.printed import GAINS, GOODS
from companion.games.vikingjarl.saga_reach import possible, room_at, targets
from companion.games.vikingjarl.state import State
from companion.terms import (
    Count,
    Faces,
    Field,
    Form,
    Option,
    Pick,
    Question,
    Wants,
    say,
)

NEEDS: dict[str, tuple[str, ...]] = {
    "pirates": ("target", "roll", "take"),
    "holmgang": ("target", "unit", "roll"),
    "midgard_serpent": ("target",),
    "rebellion": ("target", "place"),
    "barbarians": ("target", "take"),
    "thor": ("target", "take"),
    "loki": ("target",),
    "freyr": ("target", "place", "unit", "zone"),
    "aegir": ("target", "unit", "zone"),
    "vikingjarl": ("target",),
    "odins_wrath": ("target",),
    "tyr": ("die",),
    "freyja": ("to",),
    "good_trade": ("take", "to"),
    "longships": ("to", "bring"),
}
"""What each Saga asks, in this order."""
_LOSSES = ("barbarians", "thor")
"""Sagas whose booty goes to the bank: the opponent loses it, nobody takes it."""
_RULE = "Sagas"
_RED = Faces("battle", {"red": 1}, FACES)


def next_need(played: SagaPlayed) -> str:
    """Return what is asked next: `target`, `unit`, `zone.ship` and so on; "" when all is said."""
    for need in NEEDS[played.card]:
        match need:
            case "target" if not played.targets:
                return need
            case "unit" if not played.units:
                return need
            case "place" if not played.place:
                return need
            case "zone":
                for unit in played.units:
                    if unit not in played.zones and unit != "none":
                        return f"zone.{unit}"
            case "roll" if not played.rolled:
                return need
            case "roll" if played.rolled == "done":
                return "hit"
            case "take" if not played.take and played.rolled != "shield":
                return need
            case "to" if not played.to:
                return need
            case "bring" if not played.bring:
                return need
            case "die" if not played.take:
                return need
            case _:
                pass
    return ""


def finds_something(played: SagaPlayed, state: State) -> bool:
    """True where the choices of a Saga that was just played have an answer at all (R88).

    What is chosen of a target waits for the target; a gift wants a cube and a space for it.
    """
    needs = NEEDS[played.card]
    if needs[0] == "target":
        return bool(targets(played, state))
    return all(possible(played, state, need) for need in needs if need != "bring")


def filled_by_itself(played: SagaPlayed, state: State, need: str) -> SagaPlayed | None:
    """Return the Saga with a need filled that has one answer or none; None where people choose."""
    if need == "target":
        found = targets(played, state)
        only_active = state.switches["aegir_target"] == "active"
        if played.card == "aegir" and only_active and found:
            return replace(played, targets=found)
        return None
    if need in ("roll", "hit") or need.startswith("zone."):
        return None
    if need == "bring":
        return _bring_by_itself(played, state)
    found = possible(played, state, need)
    if len(found) > 1:
        return None
    only = found[0] if found else "none"
    match need:
        case "unit":
            return replace(played, units=(only,))
        case "place":
            return replace(played, place=only)
        case "to":
            return replace(played, to=only)
        case _:
            return replace(played, take=only)


def _bring_by_itself(played: SagaPlayed, state: State) -> SagaPlayed | None:
    defending = played.by != state.active.id
    jarl = state.jarl(played.by)
    stock = jarl.kaupang
    kinds = ("v",) if defending else ("v", *stock.cubes)
    if stock.v == 1 and kinds == ("v",) and room_at(jarl, played.to) > 0:
        return replace(played, bring={"v": 1})
    if not stock.v and len(kinds) == 2 and not defending:
        return replace(played, bring={kinds[1]: 1})
    return None


# ------------------------------------------------------------------------------ what is asked


def question(played: SagaPlayed, state: State, need: str) -> Question:
    """Return the question for one need of the Saga on the table."""
    target = played.targets[0] if played.targets else ""
    seat = played.by
    if need == "unit" and played.card == "holmgang":
        seat = target if state.switches["holmgang_chooser"] == "victim" else played.by
    if need == "roll":
        return _asked(played.card, "", target, need, _RED)
    if need == "bring":
        stock = state.jarl(played.by).kaupang
        holds = (stock.v, stock.wood, stock.iron, stock.mead)
        return _bring(played.card, seat, holds, played.by != state.active.id)
    if need.startswith("zone."):
        unit = need.removeprefix("zone.")
        near = state.jarl(target).place_of(unit)
        return _asked(played.card, seat, target, need, wants_zone(unit, near))
    found = ("helmet", "shield") if need == "hit" else possible(played, state, need)
    several = need == "target" and played.card == "vikingjarl"
    both = need == "unit" and played.card == "freyr"
    return _pick(played.card, seat, target, need, found, 2 if several or both else 1)


@cache
def _pick(
    card: str, seat: str, target: str, need: str, found: tuple[str, ...], most: int
) -> Question:
    wants = Pick(tuple(_option(need, id) for id in found), 1, most)
    return _asked(card, seat, target, need, wants)


def _option(need: str, id: str) -> Option:
    if need == "die":
        return Option(id, say("die.black", n=int(id.rpartition(":")[2])))
    if need == "target":
        return Option(id, say("seat.name", jarl=id))
    if need == "take":
        return Option(id, say(f"take.{id}"))
    if need == "hit":
        return Option(id, say(f"face.{id}"))
    return Option(id, say(f"store.{id}"))


def _asked(card: str, seat: str, target: str, need: str, wants: Wants) -> Question:
    word, _, unit = need.partition(".")
    if need == "take" and card in _LOSSES:
        word = "lose"
    return Question(
        f"saga.{need}",
        (seat,) if seat else (),
        say(f"question.saga.{word}", saga=card, target=target, unit=unit),
        wants,
        rule=f"{_RULE}; R36" if need == "target" else _RULE,
    )


@cache
def _bring(card: str, seat: str, holds: tuple[int, ...], defending: bool) -> Question:
    fields = [
        Field(kind, say(f"kind.{kind}"), Count(0, min(n, GAINS.longships if kind == "v" else 1)), 0)
        for kind, n in zip(GOODS, holds, strict=True)
        if n and (kind == "v" or not defending)
    ]
    return _asked(card, seat, "", "bring", Form(tuple(fields)))
