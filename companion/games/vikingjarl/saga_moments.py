"""The moment of each Saga: when its player may lay it down.

Rules [Sagas]; the column "Timing" of specification 16.5; R25, R36 to R39, R43, R44, R49, R54, R60,
R84.
"""

from __future__ import annotations

from companion.games.vikingjarl.alternative_rules import opponents
from companion.games.vikingjarl.frames import Attack, Battle
from companion.games.vikingjarl.movement import aboard, steps_left
from companion.games.vikingjarl.phases import AFTER_STEP, may_act
from companion.games.vikingjarl.places import is_trade_town, owner_of
from companion.games.vikingjarl.printed import CANCELS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Objection

_RULE = "Sagas"


def in_hand(state: State, jarl: Jarl, card: str) -> list[Objection]:
    """Object to a card that the hand cannot hold, as far as it is known."""
    hand = state.hand(jarl)
    if hand.size < 1:
        return [objection("empty_hand", _RULE, jarl=jarl.id)]
    if card not in hand.titles and len(hand.titles) >= hand.size:
        return [objection("not_in_hand", _RULE, saga=card)]
    return []


def against_moment(state: State, jarl: Jarl, card: str) -> list[Objection]:
    """Say whether this is the moment of a card (the column "Timing" of specification 16.5)."""
    if card in CANCELS:
        return [objection("only_as_answer", _RULE, saga=card)]
    match card:
        case "aegir":
            return _storm(state, jarl)
        case "shield_wall":
            return _wall(state, jarl)
        case "stronghold":
            return _stronghold(state, jarl)
        case "longships" if jarl.id != state.active.id:
            return _relief(state, jarl)
        case _:
            pass
    if jarl.id != state.active.id:
        return [objection("own_turn_only", _RULE, saga=card, jarl=jarl.id)]
    match card:
        case "berserk" | "valhalla":
            return _before_attack(state, jarl, card)
        case "tyr":
            return _after_roll(state, jarl)
        case "silver_treasure":
            return [] if jarl.pillaged else [plain("no_pillage", f"{_RULE}; R60, R84")]
        case "pirates":
            return _raid(state, jarl)
        case "good_trade":
            here = any(is_trade_town(jarl.place_of(unit)) for unit in UNITS)
            return [] if here else [plain("not_in_trade_town", _RULE)]
        case "freyr":
            return _entering(state, jarl)
        case "bragi" | "njord":
            return _rested(jarl, "army" if card == "bragi" else "ship", card)
        case _:
            return []


def _storm(state: State, jarl: Jarl) -> list[Objection]:
    if jarl.id == state.active.id:
        return [plain("aegir_own_turn", f"{_RULE}; R54")]
    if any(isinstance(frame, Attack | Battle) for frame in state.stack):
        return [plain("aegir_in_battle", f"{_RULE}; R54")]
    return []


def _battle(state: State) -> Battle | None:
    return state.top if isinstance(state.top, Battle) else None


def _wall(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    if battle is None or battle.defender != jarl.id or battle.round:
        return [plain("wall_moment", _RULE)]
    return [plain("second_copy", f"{_RULE}; R43")] if battle.shield_wall else []


def _stronghold(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    if battle is None or battle.kind != "town" or battle.round:
        return [plain("stronghold_moment", f"{_RULE}; R39")]
    attacker = state.jarl(battle.attacker)
    if not opponents(state, jarl, attacker):
        return [plain("stronghold_moment", f"{_RULE}; R39")]
    if battle.stronghold:
        return [plain("second_copy", f"{_RULE}; R43")]
    pillage = TOWNS[battle.place].kind == "pillage"
    if not pillage and state.switches["stronghold_covers"] == "pillage_only":
        return [plain("stronghold_pillage", f"{_RULE}; R39")]
    return one_saga(state, jarl, attacker)


def one_saga(state: State, jarl: Jarl, target: Jarl) -> list[Objection]:
    """Object to a second Saga on one opponent in a turn (R36)."""
    if jarl.saga_on.get(target.id, 0) < 1:
        return []
    return [objection("one_saga", f"{_RULE}; R36", jarl=target.id)]


def _relief(state: State, jarl: Jarl) -> list[Objection]:
    """Longships as Defense: before the first roll, and they must bring Vikings."""
    battle = _battle(state)
    owner = owner_of(state, battle.place) if battle else None
    if battle is None or owner is None or owner.id != jarl.id or battle.round:
        return [plain("longships_moment", _RULE)]
    if jarl.kaupang.v < 1:
        return [plain("longships_vikings", _RULE)]
    return []


def _before_attack(state: State, jarl: Jarl, card: str) -> list[Objection]:
    battle = _battle(state)
    if battle is not None:
        if battle.attacker != jarl.id or battle.round:
            return [objection("before_attack", _RULE, saga=card)]
        twice = battle.berserk if card == "berserk" else battle.valhalla
        return [plain("second_copy", f"{_RULE}; R43")] if twice else []
    return [plain("second_copy", f"{_RULE}; R43")] if card in jarl.laid else []


def _after_roll(state: State, jarl: Jarl) -> list[Objection]:
    battle = _battle(state)
    rolled = battle is not None and battle.step == "losses" and battle.attacker == jarl.id
    if not rolled or battle is None or "shield" not in battle.black:
        return [plain("tyr_moment", f"{_RULE}; R44")]
    return []


def _raid(state: State, jarl: Jarl) -> list[Objection]:
    """Pirates use the Ship's Action; the Ship may lie in a place beside the sea zone (R49)."""
    if state.stack:
        return [plain("resolving", _RULE)]
    if not may_act(jarl.ship):
        return [objection(f"acted.{jarl.ship.phase}", f"{_RULE}; R25", unit="ship")]
    return []


def _entering(state: State, jarl: Jarl) -> list[Objection]:
    if state.stack:
        return [plain("resolving", _RULE)]
    for unit in UNITS:
        moving = jarl.unit(unit).phase in AFTER_STEP and not aboard(jarl, unit)
        if moving and steps_left(jarl, unit) > 0:
            return []
    return [plain("freyr_step", f"{_RULE}; R37")]


def _rested(jarl: Jarl, unit: str, card: str) -> list[Objection]:
    if jarl.unit(unit).phase in AFTER_STEP and not jarl.unit(unit).stopped:
        return []
    return [objection("no_movement_left", _RULE, saga=card, unit=unit)]
