"""Whom and what a Saga reaches: targets, units, places, goods, and where it may bring something.

Rules [Sagas]; specification 16.5; R36, R44, R46 to R50, R52, R54 to R56, R63 to R65, R88.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl.alternative_rules import opponents
from companion.games.vikingjarl.frames import Battle, SagaPlayed
from companion.games.vikingjarl.places import (
    in_town,
    is_land,
    is_sea,
    is_trade_town,
)
from companion.games.vikingjarl.printed import KINDS, LIMITS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Objection

_RULE = "Sagas"


def possible(played: SagaPlayed, state: State, need: str) -> tuple[str, ...]:
    """Return the ids that may be chosen for a need other than zones, dice and numbers."""
    match need:
        case "target":
            return targets(played, state)
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
            riding = target.army.hold.v if target.riding else 0
            return is_sea(target.ship.at) and target.ship.hold.v + riding > 0
        case "pirates" | "thor" | "barbarians":
            return bool(_takes(aimed, state))
        case "rebellion" | "freyr":
            return bool(_places(aimed, state))
        case _:
            return bool(_units(aimed, state))


def targets(played: SagaPlayed, state: State) -> tuple[str, ...]:
    """Return the Jarls at whom a Saga may be aimed."""
    return tuple(j.id for j in state.jarls if not against_target(played, state, j))


def _units(played: SagaPlayed, state: State) -> tuple[str, ...]:
    target = state.jarl(played.targets[0])
    match played.card:
        case "holmgang":
            return tuple(name for name in UNITS if target.unit(name).hold.v > 0)
        case "aegir":
            return ("ship",) if target.riding else UNITS
        case _:  # freyr: the units in the place that is entered; a riding Army goes along
            here = target.units_in(played.place)
            return ("ship",) if target.riding and "ship" in here else here


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
    riding = target.riding
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
    able = ("ship", "army") if jarl.riding else ("ship",)
    return tuple(unit for unit in able if jarl.room(unit) > 0)


def _destinations(played: SagaPlayed, state: State) -> tuple[str, ...]:
    jarl = state.jarl(played.by)
    if played.card == "good_trade":
        return tuple(u for u in UNITS if is_trade_town(jarl.place_of(u)) and jarl.room(u) > 0)
    if played.card == "freyja":
        return ("kaupang", *_roomy_settlements(jarl, state))
    return _harbours(jarl, state)


def _harbours(jarl: Jarl, state: State) -> tuple[str, ...]:
    """Return where Longships may go with what lies in Kaupang; as Defense to that place only."""
    defending = jarl.id != state.active.id
    if defending:
        battle = state.top if isinstance(state.top, Battle) else _below(state)
        places = (battle.place,) if battle and battle.place in jarl.settlements else ()
    else:
        usable = state.on("damaged_usable")
        towns = dict.fromkeys(p for u in UNITS if is_trade_town(p := jarl.place_of(u)))
        settled = (t for t, s in jarl.settlements.items() if usable or not s.damaged)
        places = (*towns, *settled)
    cubes = bool(jarl.kaupang.cubes) and not defending
    return tuple(
        place
        for place in places
        if (jarl.kaupang.v > 0 and room_at(jarl, place) > 0)
        or (cubes and (place in jarl.settlements or room_at(jarl, place) > 0))
    )


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


def room_at(jarl: Jarl, place: str) -> int:
    """Return the free spaces for Vikings in a Settlement, or on own units in a trade town."""
    if place in jarl.settlements:
        return LIMITS.garrison - jarl.settlements[place].hold.v
    if not in_town(place):
        return 0
    return sum(max(0, jarl.room(unit)) for unit in jarl.units_in(place))
