"""The choices of a Saga: whom, which unit, which place, what to take, and the red die.

Rules [Sagas]; specification 16.5; R36, R46 to R52, R55, R56, R86, R88. Choices that depend on each
other are asked one after the other; what has only one answer is not asked.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl.course import opponents
from companion.games.vikingjarl.dice import FACES
from companion.games.vikingjarl.frames import Battle, SagaPlayed
from companion.games.vikingjarl.places import (
    in_town,
    is_land,
    is_sea,
    is_trade_town,
    wants_zone,
)
from companion.games.vikingjarl.printed import GAINS, GOODS, KINDS, LIMITS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import (
    Count,
    Faces,
    Field,
    Form,
    Objection,
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
_STORES = ("ship", "army", "kaupang", *TOWNS)


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
        return bool(_targets(played, state))
    return all(possible(played, state, need) for need in needs if need != "bring")


# --------------------------------------------------------------------------- what may be chosen


def possible(played: SagaPlayed, state: State, need: str) -> tuple[str, ...]:
    """Return the ids that may be chosen for a need other than zones, dice and numbers."""
    match need:
        case "target":
            return _targets(played, state)
        case "unit":
            return _units(played, state)
        case "place":
            return _places(played, state)
        case "take":
            return _takes(played, state)
        case "to":
            return _destinations(played, state)
        case "die":
            return _dice(state)
        case _:
            return ()


def against_target(played: SagaPlayed, state: State, target: Jarl) -> list[Objection]:
    """Say what is against aiming a Saga at a Jarl."""
    by = state.jarl(played.by)
    if not opponents(state, by, target):
        return [objection("no_opponent", f"{_RULE}; R63, R64", jarl=target.id)]
    against: list[Objection] = []
    if by.saga_on.get(target.id, 0) > 0:
        against.append(objection("one_saga", f"{_RULE}; R36", jarl=target.id))
    only_active = state.switches["aegir_target"] == "active"
    if played.card == "aegir" and only_active and target.id != state.active.id:
        against.append(objection("aegir_active", f"{_RULE}; R54", jarl=state.active.id))
    if not against and not _hurts(played, state, target):
        against.append(
            objection(f"spared.{played.card}", f"{_RULE}; R88", jarl=target.id, saga=played.card)
        )
    return against


def _hurts(played: SagaPlayed, state: State, target: Jarl) -> bool:
    """True where the Saga can do something to this Jarl."""
    aimed = replace(played, targets=(target.id,))
    match played.card:
        case "odins_wrath":
            return target.vp > 0 or state.switches["vp_floor"] == "none"
        case "loki":
            return state.hand(target).size > 0 and target.hand != state.jarl(played.by).hand
        case "vikingjarl":
            return target.placed > 0
        case "midgard_serpent":
            riding = target.army.hold.v if target.army.at == "ship" else 0
            return is_sea(target.ship.at) and target.ship.hold.v + riding > 0
        case "pirates" | "thor" | "barbarians":
            return bool(_takes(aimed, state))
        case "rebellion" | "freyr":
            return bool(_places(aimed, state))
        case _:
            return bool(_units(aimed, state))


def _targets(played: SagaPlayed, state: State) -> tuple[str, ...]:
    return tuple(j.id for j in state.jarls if not against_target(played, state, j))


def _units(played: SagaPlayed, state: State) -> tuple[str, ...]:
    target = state.jarl(played.targets[0])
    match played.card:
        case "holmgang":
            return tuple(name for name in UNITS if target.unit(name).hold.v > 0)
        case "aegir":
            return ("ship",) if target.army.at == "ship" else UNITS
        case _:  # freyr: the units in the place that is entered; a riding Army goes along
            here = target.units_in(played.place)
            return ("ship",) if target.army.at == "ship" and "ship" in here else here


def _places(played: SagaPlayed, state: State) -> tuple[str, ...]:
    target = state.jarl(played.targets[0])
    if played.card == "rebellion":
        return tuple(s for s in ("kaupang", *target.settlements) if target.in_store(s, "v") > 0)
    places = dict.fromkeys((target.ship.at, target.place_of("army")))
    trade = state.switches["freyr_places"] == "towns_and_settlements"
    return tuple(p for p in places if p in TOWNS and (trade or not is_trade_town(p)))


def _takes(played: SagaPlayed, state: State) -> tuple[str, ...]:
    if played.card == "good_trade":
        return tuple(kind for kind in KINDS if state.cubes(kind) > 0)
    target = state.jarl(played.targets[0])
    stores = stores_at_risk(played, state, target)
    if stores is None:
        return ()
    kinds = [k for k in KINDS if any(target.in_store(store, k) > 0 for store in stores)]
    if played.card == "pirates" and not carriers(state.jarl(played.by)):
        kinds = []
    poor = state.silver(target) < 1 or (
        played.card == "pirates" and target.purse == state.jarl(played.by).purse
    )
    return tuple(kinds) if poor else (*kinds, "silver")


def stores_at_risk(played: SagaPlayed, state: State, target: Jarl) -> tuple[str, ...] | None:
    """Return the stores whose cubes a Saga may take, None where it does not reach the Jarl."""
    riding = target.army.at == "ship"
    match played.card:
        case "barbarians":
            reached = is_land(target.army.at) or (riding and state.on("barbarians_aboard"))
            return ("army",) if reached else None
        case "thor":
            with_army = riding and state.on("thor_reaches_army")
        case _:
            with_army = riding and state.switches["pirates_reach"] == "ship_and_riding"
    if not is_sea(target.ship.at):
        return None
    return ("ship", "army") if with_army else ("ship",)


def carriers(jarl: Jarl) -> tuple[str, ...]:
    """Return the units that could carry off what Pirates take: the Ship, a riding Army."""
    able = ("ship", "army") if jarl.army.at == "ship" else ("ship",)
    return tuple(unit for unit in able if jarl.room(unit) > 0)


def _destinations(played: SagaPlayed, state: State) -> tuple[str, ...]:
    jarl = state.jarl(played.by)
    if played.card == "good_trade":
        return tuple(u for u in UNITS if is_trade_town(jarl.place_of(u)) and jarl.room(u) > 0)
    if played.card == "freyja":
        return ("kaupang", *_roomy_settlements(jarl, state))
    battle = state.top if isinstance(state.top, Battle) else _below(state)
    if battle is not None and jarl.id != state.active.id:
        return (battle.place,) if battle.place in jarl.settlements else ()
    if not jarl.kaupang.things:
        return ()
    towns = dict.fromkeys(p for u in UNITS if is_trade_town(p := jarl.place_of(u)))
    usable = state.on("damaged_usable")
    return (*towns, *(t for t, s in jarl.settlements.items() if usable or not s.damaged))


def _roomy_settlements(jarl: Jarl, state: State) -> tuple[str, ...]:
    usable = state.on("damaged_usable")
    return tuple(
        town
        for town, s in jarl.settlements.items()
        if s.hold.v < LIMITS.garrison and (usable or not s.damaged)
    )


def _dice(state: State) -> tuple[str, ...]:
    battle = state.top if isinstance(state.top, Battle) else _below(state)
    faces = battle.black if battle is not None else ()
    return tuple(f"die:black:{n}" for n, face in enumerate(faces, 1) if face == "shield")


def _below(state: State) -> Battle | None:
    below = state.stack[-2] if len(state.stack) > 1 else None
    return below if isinstance(below, Battle) else None


def filled_by_itself(played: SagaPlayed, state: State, need: str) -> SagaPlayed | None:
    """Return the Saga with a need filled that has one answer or none; None where people choose."""
    if need == "target":
        found = _targets(played, state)
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
    stock = state.jarl(played.by).kaupang
    kinds = ("v",) if defending else ("v", *stock.cubes)
    if stock.v == 1 and kinds == ("v",):
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


def room_at(jarl: Jarl, place: str) -> int:
    """Return the free spaces for Vikings in a Settlement, or on own units in a trade town."""
    if place in jarl.settlements:
        return LIMITS.garrison - jarl.settlements[place].hold.v
    if not in_town(place):
        return 0
    return sum(max(0, jarl.room(unit)) for unit in jarl.units_in(place))
