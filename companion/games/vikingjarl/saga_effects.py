"""What each Saga does when it happens.

Rules [Sagas]; specification 16.5; R37, R43 to R45, R47 to R53, R56, R60.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.event_cards import read_aloud
from companion.games.vikingjarl.frames import Battle, Removing, SagaPlayed
from companion.games.vikingjarl.loot import take_cube, take_silver
from companion.games.vikingjarl.printed import GAINS, KINDS, SAGAS, UNITS
from companion.games.vikingjarl.saga_reach import carriers, room_at, stores_at_risk
from companion.games.vikingjarl.state import Jarl
from companion.games.vikingjarl.zone import all_up_to_five, available


def instant(course: Course, jarl: Jarl, card: str) -> None:
    """Let a Saga without choices happen, or an event card that was bought."""
    if SAGAS[card].event:
        read_aloud(course, jarl, card)
        return
    battle = course.before.top
    match card:
        case "bragi":
            course.tell(e.StepsGranted(jarl.id, "army", GAINS.bragi_steps, card))
        case "njord":
            course.tell(e.StepsGranted(jarl.id, "ship", GAINS.njord_steps, card))
        case "silver_treasure":
            course.gain_silver(jarl.id, GAINS.treasure, card)
        case "berserk" | "valhalla":
            if isinstance(battle, Battle) and battle.attacker == jarl.id:
                if card == "berserk":
                    course.become(replace(battle, berserk=True))
                else:
                    course.become(replace(battle, valhalla=True))
            else:
                course.tell(e.SagaLaid(jarl.id, card))
        case "shield_wall":
            if isinstance(battle, Battle):
                course.become(replace(battle, shield_wall=True))
        case "stronghold":
            if isinstance(battle, Battle):
                course.tell(e.CardAimed(card, jarl.id, battle.attacker))
                course.become(replace(battle, stronghold=True))
        case _:
            pass


def take_effect(course: Course, played: SagaPlayed) -> None:
    """Let a Saga happen whose choices are all made and that nobody answered."""
    missed = played.rolled == "shield"
    course.tell(e.CardEnded(played.card, played.by, "missed" if missed else "done"))
    if missed:
        return
    by, target = played.by, (played.targets or ("",))[0]
    match played.card:
        case "pirates":
            _plunder(course, played, target)
        case "holmgang":
            if played.units[0] in UNITS:
                course.lose_vikings(target, GAINS.losses, played.units[0])
        case "midgard_serpent":
            aboard = course.now.jarl(target).riding
            stores = ("ship", "army") if aboard else ("ship",)
            begin_removing(course, played.card, by, {target: GAINS.losses}, stores)
        case "rebellion":
            course.lose_vikings(target, GAINS.losses, played.place)
        case "barbarians" | "thor":
            _lose_goods(course, played, target)
        case "loki" if course.now.hand(course.now.jarl(target)).size > 0:
            course.tell(e.SagaStolen(by, target))
        case "freyr" | "aegir":
            for unit, zone in played.zones.items():
                course.tell(e.Driven(target, unit, zone, played.card))
        case "vikingjarl":
            begin_removing(course, played.card, by, dict.fromkeys(played.targets, 1), ())
        case "odins_wrath":
            course.change_victory(target, -1, played.card)
        case "tyr":
            _turn_die(course, played)
        case "freyja":
            _place(course, by, played.to)
        case "good_trade":
            if played.to in UNITS and played.take in KINDS and course.now.cubes(played.take) > 0:
                course.tell(e.CubesGained(by, played.take, 1, played.to))
        case "longships":
            _bring(course, played)
        case _:
            pass


def _plunder(course: Course, played: SagaPlayed, target: str) -> None:
    """Pirates: 1 cube of the Ship or the Army aboard, or up to 3 silver (R48, R49)."""
    state = course.now
    if played.take == "silver":
        take_silver(course, played.by, target)
    elif played.take in KINDS:
        stores = stores_at_risk(played, state, state.jarl(target)) or ("ship",)
        units = carriers(state.jarl(played.by))
        take_cube(course, played.take, played.by, units, target, stores)


def _lose_goods(course: Course, played: SagaPlayed, target: str) -> None:
    """Barbarians, Thor: 1 cube or up to 3 silver go to the bank (R47, R48)."""
    if played.take == "silver":
        course.lose_silver(target, GAINS.loot_silver, played.card)
        return
    jarl = course.now.jarl(target)
    for store in stores_at_risk(played, course.now, jarl) or ():
        if played.take in KINDS and jarl.in_store(store, played.take) > 0:
            course.tell(e.CubesSpent(target, played.take, 1, store))
            return


def begin_removing(
    course: Course, card: str, by: str, counts: dict[str, int], stores: tuple[str, ...]
) -> None:
    """Let Jarls lose Vikings of their own choosing."""
    course.begin(Removing(card, by, counts, stores))


def _turn_die(course: Course, played: SagaPlayed) -> None:
    battle = course.now.top
    if not isinstance(battle, Battle) or not played.take.startswith("die:black:"):
        return
    index = int(played.take.rpartition(":")[2]) - 1
    if not 0 <= index < len(battle.black):
        return
    faces = (*battle.black[:index], "helmet", *battle.black[index + 1 :])
    course.tell(e.DieTurned(played.by, index + 1))
    course.become(replace(battle, black=faces))


def _place(course: Course, id: str, place: str) -> None:
    """Freyja: 2 Vikings to one place, fewer where supply or the Settlement's limit ends it."""
    jarl = course.now.jarl(id)
    room = GAINS.freyja
    if place in jarl.settlements:
        room = min(room, room_at(jarl, place))
    if jarl.store(place) is not None:
        course.gain_vikings(id, room, place)


def _bring(course: Course, played: SagaPlayed) -> None:
    """Longships: from Kaupang to a Settlement, or onto own units in a trade town (R56)."""
    by, place = played.by, played.to
    for kind, number in played.bring.items():
        for _ in range(number):
            jarl = course.now.jarl(by)
            if jarl.in_store("kaupang", kind) < 1:
                break
            stores = (place,) if place in jarl.settlements else jarl.units_in(place)
            free = [s for s in stores if s not in UNITS or jarl.room(s) > 0]
            if free:
                course.tell(e.Loaded(by, kind, 1, "kaupang", free[0]))
    battle = course.now.top
    if isinstance(battle, Battle) and battle.defender == by and place in battle.stores:
        _strengthen(course, battle)


def _strengthen(course: Course, battle: Battle) -> None:
    """Vikings that came to the garrison defend it at once."""
    if battle.step in ("commit", "defend"):
        return
    guard = all_up_to_five(available(course.now, battle, defender=True))
    course.become(replace(battle, guard=guard, empty=not guard))
