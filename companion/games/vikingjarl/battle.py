"""Battle against a town: declare, commit, roll, losses, reserves, withdrawal, leaving.

Rules [Battle; Pillage and VP]; specification sections 6 to 8; R2, R3, R6, R7, R10 to R12, R42,
R67, R68, R74. Attacks on other Jarls and on Settlements are no part of this chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.dice import FACES, hits, pools
from companion.games.vikingjarl.movement import in_town
from companion.games.vikingjarl.outcome import after_losses, attack_failed, shared_losses
from companion.games.vikingjarl.printed import KINDS, LIMITS, TOWNS, UNITS
from companion.games.vikingjarl.rulings import Ruling, objection, refused
from companion.games.vikingjarl.state import Battle, Jarl, Leaving, Phase, State
from companion.terms import (
    Answer,
    Box,
    Count,
    Dice,
    Done,
    Faces,
    Field,
    Filled,
    Form,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Picked,
    Place,
    Placed,
    Question,
    say,
)

_AFTER_ACTION: dict[str, Phase] = {"fresh": "acted", "moved": "moved_acted"}
_UNIT_OPTIONS = {name: Option(name, say(f"store.{name}")) for name in UNITS}
_GO_ON = Pick((Option("go_on", say("battle.go_on")), Option("withdraw", say("battle.withdraw"))))
_FLIP = Form(
    (
        Field("defenders", say("field.defenders"), Count(1, 2), 1),
        Field("vp", say("field.vp"), Count(1, 2), 1),
        Field(
            "reward",
            say("field.reward"),
            Pick(tuple(Option(w, say(f"reward.{w}")) for w in ("none", "silver", *KINDS))),
            "none",
        ),
    )
)
_SEA, _LAND = Place("sea", free=True), Place("land", free=True)
_RULE = "Battle"
_PILLAGE = "Pillage and VP"


# ------------------------------------------------------------------------------ what is asked


def offers(state: State) -> tuple[Question, ...]:
    """Offer an attack with each unit that stands in a town and may still act."""
    jarl = state.active
    found: list[Question] = []
    for name in UNITS:
        place = jarl.place_of(name)
        kind = TOWNS[place].kind if place in TOWNS else ""
        if jarl.unit(name).phase in _AFTER_ACTION and kind in ("pillage", "vp"):
            wants = Pick((Option(f"attack:{place}", say("act.attack", town=place)),))
            found.append(
                Question(
                    f"{jarl.id}.{name}.act",
                    (jarl.id,),
                    say(f"question.act.{name}"),
                    wants,
                    urgency="offer",
                    group=name,
                    done=False,
                    rule=_PILLAGE,
                )
            )
    return tuple(found)


def questions(state: State, battle: Battle) -> tuple[Question, ...]:
    """Ask for what the battle waits for."""
    jarl, seats = state.jarl(battle.jarl), (battle.jarl,)
    values: dict[str, Any] = {"jarl": jarl.id, "town": battle.town}
    match battle.step:
        case "units":
            options = tuple(_UNIT_OPTIONS[name] for name in battle.units)
            return (
                Question(
                    "battle.units",
                    seats,
                    say("question.battle.units", **values),
                    Pick(options, 1, 2),
                    default=Picked((battle.units[0],)),
                    rule="R68",
                ),
            )
        case "flip":
            return (
                Question(
                    f"town.{battle.town}.flip",
                    seats,
                    say("question.flip", **values),
                    _FLIP,
                    done=False,
                    rule=f"{_PILLAGE}; R7",
                ),
            )
        case "commit":
            full = _all_up_to_five(jarl, battle)
            return (
                Question(
                    "battle.commit",
                    seats,
                    say("question.battle.commit", **values),
                    _per_unit(jarl, battle, full),
                    default=Filled(dict(full)),
                    done=False,
                    rule=_RULE,
                ),
            )
        case "losses":
            return (_losses_question(battle, seats, values),)
        case "reserve":
            return (_resupply_question(jarl, battle, seats, values, urgent=True),)
        case "roll":
            return _roll_questions(jarl, battle, seats, values)


def leaving_questions(state: State, leaving: Leaving) -> tuple[Question, ...]:
    """Ask each unit that must leave for the zone it goes to (6.6)."""
    return tuple(
        Question(
            f"{leaving.jarl}.{name}.exit",
            (leaving.jarl,),
            say(f"question.exit.{name}", jarl=leaving.jarl),
            _SEA if name == "ship" else _LAND,
            done=False,
            rule=f"{_PILLAGE}; R67",
        )
        for name in leaving.units
    )


def _roll_questions(
    jarl: Jarl, battle: Battle, seats: tuple[str, ...], values: dict[str, Any]
) -> tuple[Question, ...]:
    sides = pools(battle)
    counts: dict[str, int] = {}
    for pool in sides.values():
        for colour, number in pool.items():
            counts[colour] = counts.get(colour, 0) + number
    asked = [
        Question(
            "battle.roll",
            (),
            say(
                "question.battle.roll",
                round=battle.rounds + 1,
                attackers=battle.attackers,
                defenders=battle.defenders,
                **values,
            ),
            Faces("battle", counts, FACES, sides),
            detail=say(
                "question.battle.dice",
                black=sides["attack"]["black"],
                white=sides["defence"]["white"],
            ),
            rule=_RULE,
        ),
        Question(
            "battle.go_on",
            seats,
            say("question.battle.go_on"),
            _GO_ON,
            urgency="offer",
            group="battle",
            done=False,
            rule=f"{_RULE}; R42",
        ),
    ]
    if _waiting(jarl, battle) and battle.attackers < LIMITS.battlezone:
        asked.append(_resupply_question(jarl, battle, seats, values, urgent=False))
    return tuple(asked)


def _losses_question(battle: Battle, seats: tuple[str, ...], values: dict[str, Any]) -> Question:
    lost = min(battle.hits_against, battle.attackers)
    fighting = [name for name, number in battle.front.items() if number]
    wants = None
    if len(fighting) > 1 and lost:
        spread = shared_losses(battle, lost)
        wants = Form(
            tuple(
                Field(n, say(f"store.{n}"), Count(0, battle.front[n]), spread.get(n, 0))
                for n in fighting
            )
        )
    return Question(
        "battle.losses",
        seats,
        say("question.battle.losses", lost=lost, n=min(battle.hits, battle.defenders), **values),
        wants,
        default=Done(),
        patient=True,
        rule=_RULE,
    )


def _resupply_question(
    jarl: Jarl, battle: Battle, seats: tuple[str, ...], values: dict[str, Any], *, urgent: bool
) -> Question:
    waiting = _waiting(jarl, battle)
    return Question(
        "battle.resupply",
        seats,
        say("question.battle.reserve" if urgent else "question.battle.resupply", **values),
        _per_unit(jarl, battle, {}, waiting),
        urgency="now" if urgent else "offer",
        default=Filled({}),
        group="battle",
        done=False,
        rule=f"{_RULE}; R74",
    )


# ------------------------------------------------------------------------------ what it leads to


def rule_act(state: State, answer: Answer, box: Box, id: str, name: str) -> Ruling:
    """Declare an attack on the town where the unit stands (6.1)."""
    ids = answer.value.ids if isinstance(answer.value, Picked) else ()
    action, _, town = ids[0].partition(":") if len(ids) == 1 else ("", "", "")
    known = {"attack": (*TOWNS, *(j.id for j in state.jarls)), "settle": TOWNS, "repair": TOWNS}
    if town not in known.get(action, ()):
        raise NoSuchKey(str(ids), "attack:TOWN, settle:TOWN or repair:TOWN")
    jarl, unit = state.jarl(id), state.jarl(id).unit(name)
    if action != "attack" or town not in TOWNS or TOWNS[town].kind == "trade":
        return refused("not_built", "Actions", what=say(f"act.{action}", town=town))
    if any(town in other.settlements for other in state.jarls):
        return refused("not_built", "Attacking Settlements", what=say("act.attack", town=town))
    against = _may_attack(state, jarl, name, town)
    joining = [n for n in UNITS if n != name and _can_join(jarl, n, town)]
    hidden = TOWNS[town].kind == "vp" and state.towns[town].shield == "hidden"
    if TOWNS[town].kind == "pillage":
        box.number(f"{town}.defenders")  # asked once, before the battle begins
        box.number(f"{town}.silver")
    units = [name, *joining]
    events = (
        e.UnitPhase(id, name, _AFTER_ACTION.get(unit.phase, unit.phase)),
        e.AttackDeclared(id, town, units, hidden),
    )
    return Ruling(tuple(against), events)


def _may_attack(state: State, jarl: Jarl, name: str, town: str) -> list[Objection]:
    unit = jarl.unit(name)
    against: list[Objection] = []
    if jarl is not state.active:
        against.append(objection("not_your_turn", "Gameplay", jarl=jarl.id))
    if unit.phase not in _AFTER_ACTION:
        rule = "Gameplay; R25"
        against.append(
            objection(
                "action_used" if unit.phase != "recruited" else "phase.recruited", rule, unit=name
            )
        )
    if jarl.place_of(name) != town:
        against.append(objection("not_there", _PILLAGE, unit=name, town=town))
    if TOWNS[town].kind == "vp" and state.towns[town].shield == "removed":
        against.append(objection("no_shield", "Pillage and VP", town=town))
    if state.switches["ban_covers"] != "pillage_only" or TOWNS[town].kind == "pillage":
        if town in jarl.last_attacked:
            against.append(objection("two_turns", f"{_PILLAGE}; R10, R11", town=town))
        if town in jarl.attacked and state.switches["same_turn_repeat"] == "off":
            against.append(objection("same_turn", f"{_PILLAGE}; R10", town=town))
    against += [
        objection("occupied", "Towns and Places", jarl=other.id, town=town)
        for other in state.jarls
        if other is not jarl and town in (other.place_of("ship"), other.place_of("army"))
    ]
    here = [n for n in UNITS if jarl.place_of(n) == town]
    if not any(jarl.unit(n).hold.v for n in here):
        against.append(objection("no_vikings", f"{_RULE}; R73"))
    return against


def _can_join(jarl: Jarl, name: str, town: str) -> bool:
    unit = jarl.unit(name)
    return jarl.place_of(name) == town and unit.hold.v > 0 and unit.phase in _AFTER_ACTION


def rule_battle(state: State, answer: Answer, box: Box, key: str) -> Ruling:
    """Answer one of the questions of a battle."""
    battle = state.top
    if not isinstance(battle, Battle):
        return refused("no_battle", _RULE)
    match key:
        case "units" if battle.step == "units":
            return _rule_units(state, battle, answer)
        case "flip" if battle.step == "flip":
            return _rule_flip(battle, answer)
        case "commit" if battle.step == "commit":
            return _rule_commit(state, battle, answer, box)
        case "go_on" if battle.step == "roll":
            return _rule_go_on(state, battle, answer)
        case "resupply" if battle.step in ("roll", "reserve"):
            return _rule_resupply(state, battle, answer, box)
        case "roll" if battle.step == "roll":
            return _rule_roll(state, battle, answer, box)
        case "losses" if battle.step == "losses":
            return _rule_losses(state, battle, answer, box)
        case _:
            return refused("not_now", _RULE)


def _rule_units(state: State, battle: Battle, answer: Answer) -> Ruling:
    ids = answer.value.ids if isinstance(answer.value, Picked) else (battle.units[0],)
    for name in ids:
        if name not in UNITS:
            raise NoSuchKey(name, "ship or army")
    jarl = state.jarl(battle.jarl)
    chosen = [name for name in battle.units if name in ids] or [battle.units[0]]
    town = state.towns.get(battle.town)
    flip = town is not None and town.shield == "hidden"
    spent = [
        e.UnitPhase(jarl.id, n, _AFTER_ACTION.get(jarl.unit(n).phase, jarl.unit(n).phase))
        for n in chosen
        if n != battle.units[0]
    ]
    events = (*spent, e.UnitsJoined(chosen, flip))
    if any(name not in battle.units for name in ids):
        return refused("not_there", _RULE, events, unit=ids[0], town=battle.town)
    return Ruling((), events)


def _rule_flip(battle: Battle, answer: Answer) -> Ruling:
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(type(answer.value).__name__, "defenders, vp and reward")
    fields = answer.value.fields
    defenders, vp = fields.get("defenders", 1), fields.get("vp", 1)
    reward = str(fields.get("reward", "none"))
    if not isinstance(defenders, int) or not isinstance(vp, int):
        raise NoSuchKey(str(fields), "numbers for defenders and vp")
    if reward not in ("none", "silver", *KINDS):
        raise NoSuchKey(reward, f"none, silver, {', '.join(KINDS)}")
    event = e.ShieldTurned(battle.town, max(1, defenders), max(0, vp), reward)
    if not (1 <= defenders <= 2 and 1 <= vp <= 2):
        return refused("shield_face", f"{_PILLAGE}; R7", [event])
    return Ruling((), (event,))


def _rule_commit(state: State, battle: Battle, answer: Answer, box: Box) -> Ruling:
    jarl = state.jarl(battle.jarl)
    front = _numbers(answer) if isinstance(answer.value, Filled) else _all_up_to_five(jarl, battle)
    defenders = _town_defenders(state, battle, box)
    against = _limits(jarl, battle, front)
    if sum(front.values()) < 1:
        against.append(objection("no_vikings", f"{_RULE}; R73"))
    kept = {n: max(0, min(k, jarl.unit(n).hold.v)) for n, k in front.items() if k}
    return Ruling(tuple(against), (e.Committed(battle.town, kept, defenders),))


def _rule_go_on(state: State, battle: Battle, answer: Answer) -> Ruling:
    ids = answer.value.ids if isinstance(answer.value, Picked) else ("go_on",)
    if ids == ("go_on",):
        return Ruling()
    if ids != ("withdraw",):
        raise NoSuchKey(str(ids), "go_on or withdraw")
    return Ruling((), attack_failed(state, battle, "withdrawn"))


def _rule_resupply(state: State, battle: Battle, answer: Answer, box: Box) -> Ruling:
    jarl = state.jarl(battle.jarl)
    more = _numbers(answer) if isinstance(answer.value, Filled) else {}
    more = {name: number for name, number in more.items() if number}
    against = _limits(jarl, battle, more)
    if not more:
        if battle.step == "reserve":
            return Ruling((), attack_failed(state, battle, "lost"))
        return Ruling()
    kept = {n: max(0, min(k, _waiting(jarl, battle).get(n, 0))) for n, k in more.items()}
    events: tuple[Any, ...] = (e.Resupplied(kept),)
    if battle.defenders == 0 and sum(kept.values()):
        front = {n: battle.front.get(n, 0) + kept.get(n, 0) for n in UNITS}
        events += after_losses(state, battle, front, 0, box)
    return Ruling(tuple(against), events)


def _rule_roll(state: State, battle: Battle, answer: Answer, box: Box) -> Ruling:
    if isinstance(answer.value, Filled):
        return _by_survivors(state, battle, answer, box)
    dice = answer.value.dice if isinstance(answer.value, Dice) else ()
    for die in dice:
        if die.face not in FACES:
            raise NoSuchKey(die.face, "helmet or shield")
    black = [die for die in dice if die.colour == "black"]
    white = [die for die in dice if die.colour == "white"]
    wanted = pools(battle)
    against: list[Objection] = []
    if (
        len(black) != wanted["attack"]["black"]
        or len(white) != wanted["defence"]["white"]
        or len(dice) != len(black) + len(white)
    ):
        against.append(
            objection(
                "dice",
                f"{_RULE}; R1, R2",
                black=wanted["attack"]["black"],
                white=wanted["defence"]["white"],
            )
        )
    rolled = e.Rolled(
        [die.face for die in black], hits(black), hits(white), battle.attackers, battle.defenders
    )
    if _waits_for_choice(state, battle, rolled):
        return Ruling(tuple(against), (rolled,))
    lost = min(rolled.hits_against, battle.attackers)
    spread = shared_losses(battle, lost)
    return Ruling(tuple(against), (rolled, *_fall(state, battle, spread, rolled.hits, box)))


def _waits_for_choice(state: State, battle: Battle, rolled: e.Rolled) -> bool:
    """Losses wait where Tyr could follow, or where two units may bear them."""
    tyr = state.jarl(battle.jarl).hand > 0 and "shield" in rolled.black
    fighting = [name for name, number in battle.front.items() if number]
    lost = min(rolled.hits_against, battle.attackers)
    return tyr or (len(fighting) > 1 and 0 < lost < battle.attackers)


def _by_survivors(state: State, battle: Battle, answer: Answer, box: Box) -> Ruling:
    """A roll that happened at the table: the survivors are told instead of the dice."""
    left = _numbers(answer)
    lost = {n: battle.front.get(n, 0) - left.get(n, battle.front.get(n, 0)) for n in battle.front}
    fallen = battle.defenders - int(left.get("defenders", battle.defenders))
    rolled = e.Rolled([], fallen, sum(lost.values()), battle.attackers, battle.defenders)
    return Ruling((), (rolled, *_fall(state, battle, lost, fallen, box)))


def _rule_losses(state: State, battle: Battle, answer: Answer, box: Box) -> Ruling:
    lost = min(battle.hits_against, battle.attackers)
    spread = shared_losses(battle, lost)
    against: list[Objection] = []
    if isinstance(answer.value, Filled):
        told = {name: number for name, number in _numbers(answer).items() if number}
        if sum(told.values()) != lost or any(k > battle.front.get(n, 0) for n, k in told.items()):
            against.append(objection("losses", _RULE, n=lost))
        spread = {n: min(k, battle.front.get(n, 0)) for n, k in told.items()}
    return Ruling(tuple(against), _fall(state, battle, spread, battle.hits, box))


def _fall(
    state: State, battle: Battle, lost: Mapping[str, int], hits_on: int, box: Box
) -> tuple[Any, ...]:
    jarl = state.jarl(battle.jarl)
    fallen = min(hits_on, battle.defenders)
    store = "kaupang" if "valhalla" in jarl.laid else "supply"
    fell = e.Fell(jarl.id, battle.town, dict(lost), sum(lost.values()), fallen, store)
    front = {name: number - lost.get(name, 0) for name, number in battle.front.items()}
    return (fell, *after_losses(state, battle, front, battle.defenders - fallen, box, lost))


def rule_exit(state: State, answer: Answer, id: str, name: str) -> Ruling:
    """Leave the town to an adjacent zone fit for the unit; a free step (R67)."""
    if not isinstance(answer.value, Placed):
        raise NoSuchKey(type(answer.value).__name__, "a place")
    place = answer.value.place
    leaving = state.top
    events = (e.Put(id, name, place, "exit"),)
    if not isinstance(leaving, Leaving) or leaving.jarl != id or name not in leaving.units:
        return refused("need_not_leave", f"{_PILLAGE}; R67", unit=name)
    if in_town(place) or place.startswith("land_" if name == "ship" else "sea_"):
        return refused(f"wrong_zone.{name}", f"{_PILLAGE}; R67", events)
    return Ruling((), events)


# ------------------------------------------------------------------------------ private


def _town_defenders(state: State, battle: Battle, box: Box) -> int:
    if battle.town in state.towns:
        return state.towns[battle.town].defenders or 1
    return box.number(f"{battle.town}.defenders")


def _waiting(jarl: Jarl, battle: Battle) -> dict[str, int]:
    """Return the uncommitted Vikings of the fighting units."""
    left = {n: jarl.unit(n).hold.v - battle.front.get(n, 0) for n in battle.units}
    return {name: number for name, number in left.items() if number > 0}


def _all_up_to_five(jarl: Jarl, battle: Battle) -> dict[str, int]:
    """Return all Vikings of the fighting units, five at most, the declaring unit's first."""
    room, full = LIMITS.battlezone, dict[str, int]()
    for name in battle.units:
        full[name] = min(room, jarl.unit(name).hold.v)
        room -= full[name]
    return full


def _per_unit(
    jarl: Jarl, battle: Battle, start: Mapping[str, int], most: Mapping[str, int] | None = None
) -> Form:
    return Form(
        tuple(
            Field(
                name,
                say(f"store.{name}"),
                Count(
                    0,
                    min(
                        LIMITS.battlezone,
                        jarl.unit(name).hold.v if most is None else most.get(name, 0),
                    ),
                ),
                start.get(name, 0),
            )
            for name in battle.units
        )
    )


def _limits(jarl: Jarl, battle: Battle, more: Mapping[str, int]) -> list[Objection]:
    against: list[Objection] = []
    waiting = _waiting(jarl, battle)
    for name, number in more.items():
        if name not in battle.units or not 0 <= number <= waiting.get(name, 0):
            against.append(objection("not_so_many", _RULE, n=waiting.get(name, 0), kind="v"))
    if battle.attackers + sum(more.values()) > LIMITS.battlezone:
        against.append(objection("battlezone", f"{_RULE}; R74"))
    return against


def _numbers(answer: Answer) -> dict[str, int]:
    fields = answer.value.fields if isinstance(answer.value, Filled) else {}
    numbers: dict[str, int] = {}
    for name, number in fields.items():
        if name not in (*UNITS, "defenders") or not isinstance(number, int):
            raise NoSuchKey(f"{name}: {number!r}", "ship and army, each with a number")
        numbers[name] = number
    return numbers
