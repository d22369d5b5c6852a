"""Trading: cubes, Vikings and Sagas for silver, in trade towns, Kaupang and own Settlements.

Rules [Trading; Towns and Places]; specification section 9, R20, R23, R24, R27 to R29, R35.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.cargo import room_for, usable
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.dealings import Deal, check_sums, deal, read_deals
from companion.games.vikingjarl.phases import may_act, spend_action
from companion.games.vikingjarl.places import is_trade_town
from companion.games.vikingjarl.printed import KINDS, LIMITS, PRICES, TOWNS, UNITS
from companion.games.vikingjarl.rulings import can_be_filled, objection, own_turn, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import (
    Answer,
    Count,
    Done,
    Field,
    Form,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    say,
)

_PRICE = {"v": PRICES.viking, "saga": PRICES.saga}
_RULE = "Trading"


# ------------------------------------------------------------------------------ what is asked


def questions(state: State) -> list[Question]:
    """Offer the dealings of each unit in a trade town or at home, and those without a unit."""
    jarl = state.active
    asked: list[Question] = []
    for name in UNITS:
        place = jarl.place_of(name)
        if _deals_here(jarl, place) and (_may_deal(jarl, name) or not _costs(state, place)):
            stores = (*jarl.units_in(place), place)
            if not state.silver(jarl) and not any(jarl.holds_cubes(store) for store in stores):
                continue
            visit = _visit(state, jarl, name, place)
            if _buys_a_viking(state, jarl, place, stores) or can_be_filled(
                visit, lambda a, n=name: check_visit(state, a, jarl, n)
            ):
                asked.append(visit)
    remote = _remote(jarl.id, tuple(jarl.settlements), state.switches["remote_trade"])
    if _buys_a_viking(state, jarl, "kaupang", ("kaupang",)) or (
        state.switches["remote_trade"] != "vikings_only"
        and can_be_filled(remote, lambda a: check_buy(state, a, jarl))
    ):
        asked.append(remote)
    towns = dict.fromkeys(jarl.place_of(name) for name in UNITS)
    asked += [
        _flip(jarl.id, town)
        for town in towns
        if is_trade_town(town) and state.towns[town].shield == "hidden"
    ]
    return asked


def _buys_a_viking(state: State, jarl: Jarl, place: str, stores: tuple[str, ...]) -> bool:
    """True where a Viking can be bought: the deal that is nearly always open, seen at a glance."""
    return (
        state.silver(jarl) >= PRICES.viking
        and jarl.supply > 0
        and not usable(state, jarl, place, _RULE)
        and any(
            jarl.store(store) is not None and not room_for(state, jarl, store, "v", 1, _RULE)
            for store in stores
        )
    )


def _visit(state: State, jarl: Jarl, name: str, place: str) -> Question:
    here = jarl.units_in(place)
    sells = state.towns[place].sells or () if place in TOWNS else ()
    if not is_trade_town(place):
        stores, sold = (*here, place), KINDS
        kinds: tuple[str, ...] = ()
    else:
        stores, kinds = here, sells
        sold = tuple(k for k in KINDS if k not in sells) if sells else ()
    holding = tuple(
        (kind, store, jarl.in_store(store, kind))
        for kind in sold
        for store in stores
        if jarl.in_store(store, kind)
    )
    stock = (*((kind, state.cubes(kind)) for kind in kinds), ("v", jarl.supply))
    return _visit_question(jarl.id, name, place, stores, stock, holding)


@cache
def _visit_question(
    jarl: str,
    unit: str,
    place: str,
    stores: tuple[str, ...],
    stock: tuple[tuple[str, int], ...],
    holding: tuple[tuple[str, str, int], ...],
) -> Question:
    """Ask for the dealings; more than pieces there are is not offered."""
    fields = [
        _field(f"buy.{thing}.{store}", number, store=store, thing=thing)
        for thing, number in stock
        for store in stores
        if number > 0
    ]
    fields += [
        _field(f"sell.{kind}.{store}", number, store=store, thing=kind)
        for kind, store, number in holding
    ]
    fields.append(_field("buy.saga", LIMITS.sagas_bought, store="", thing="saga"))
    return Question(
        f"{jarl}.{unit}.trade",
        (jarl,),
        say("question.trade", unit=unit, place=place),
        Form(tuple(fields)),
        urgency="offer",
        group=unit,
        done=False,
        rule=_RULE,
    )


def _field(name: str, most: int, store: str, thing: str) -> Field:
    verb = name.partition(".")[0]
    price = PRICES.sale if verb == "sell" else _PRICE.get(thing, PRICES.cube)
    return Field(name, say(f"trade.{verb}.{thing}", store=store, price=price), Count(0, most), 0)


@cache
def _remote(jarl: str, settlements: tuple[str, ...], remote: str) -> Question:
    places = ("kaupang", *settlements)
    fields = [
        Field(
            f"v.{p}",
            say("trade.buy.v_at", store=p, price=PRICES.viking),
            Count(0, LIMITS.vikings),
            0,
        )
        for p in places
    ]
    if remote != "vikings_only":
        fields += [_field(f"saga.{p}", LIMITS.sagas_bought, p, "saga") for p in places]
    if remote == "all":
        fields += [_field(f"sell.{k}.{p}", LIMITS.cubes, p, k) for p in places for k in KINDS]
    return Question(
        f"{jarl}.buy",
        (jarl,),
        say("question.buy"),
        Form(tuple(fields)),
        urgency="offer",
        group="trade",
        done=False,
        rule=f"{_RULE}; R23",
    )


@cache
def _flip(jarl: str, town: str) -> Question:
    kinds = tuple(Option(kind, say(f"kind.{kind}")) for kind in KINDS)
    return Question(
        f"town.{town}.flip",
        (jarl,),
        say("question.flip", town=town, jarl=jarl),
        Pick(kinds, 1, 2),
        rule=f"{_RULE}; R27, R28",
    )


# --------------------------------------------------------------------------- the town's shield


def check_goods(state: State, answer: Answer, town: str) -> list[Objection]:
    """What a trade town sells: one or two kinds, seen once and for the whole game."""
    against: list[Objection] = []
    if state.winner is not None:
        against.append(plain("over", "How to Win the Game"))
    if state.towns[town].shield != "hidden":
        against.append(objection("turned", f"{_RULE}; R27", town=town))
    elif not state.active.units_in(town):
        against.append(plain("not_now", f"{_RULE}; R27"))  # turned on the first entry only
    if not isinstance(answer.value, Done) and not 1 <= len(set(_kinds(answer))) <= 2:
        against.append(plain("one_or_two_kinds", f"{_RULE}; R28"))
    return against


def decide_goods(course: Course, answer: Answer, town: str) -> None:
    """Turn the shield; without kinds it stays unknown what is sold."""
    kinds = () if isinstance(answer.value, Done) else _kinds(answer)
    course.tell(e.GoodsSeen(town, tuple(dict.fromkeys(kinds))))


def _kinds(answer: Answer) -> tuple[str, ...]:
    ids = answer.value.ids if isinstance(answer.value, Picked) else ("",)
    for kind in ids:
        if kind not in KINDS:
            raise NoSuchKey(kind or answer.value, say("expected.one_of", known=list(KINDS)))
    return ids


# ------------------------------------------------------------------------- dealings of a visit


def check_visit(state: State, answer: Answer, jarl: Jarl, name: str) -> list[Objection]:
    """Deal where a unit stands: prices, kinds, spaces, supply, and the unit's Action."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_what", _RULE)]
    place = jarl.place_of(name)
    deals = list(read_deals(answer, visit=True))
    if not _deals_here(jarl, place):
        return [*against, objection("no_trade_here", _RULE, unit=name)]
    if _needs_action(state, place, deals) and not _may_deal(jarl, name):
        against.append(objection("action_used", f"{_RULE}; R24, R25", unit=name))
    if not is_trade_town(place) and place != "kaupang":
        against += usable(state, jarl, place, _RULE)
    for one in deals:
        against += _check_store(jarl, place, one)
        if is_trade_town(place):
            against += _check_kind(state, place, one)
        elif one.verb == "buy" and one.thing in KINDS:
            against.append(plain("no_cubes_here", _RULE))
    return against + check_sums(state, jarl, deals)


def decide_visit(course: Course, answer: Answer, jarl: Jarl, name: str) -> None:
    """Deal, as far as pieces and coins reach."""
    if isinstance(answer.value, Done):
        return
    place = jarl.place_of(name)
    deals = list(read_deals(answer, visit=True))
    if _needs_action(course.before, place, deals) and jarl.unit(name).trading != place:
        spend_action(course, jarl, name)
        course.tell(e.TradeBegan(jarl.id, name, place))
    deal(course, jarl, deals)


def _deals_here(jarl: Jarl, place: str) -> bool:
    return place == "kaupang" or place in jarl.settlements or is_trade_town(place)


def _may_deal(jarl: Jarl, name: str) -> bool:
    unit = jarl.unit(name)
    return may_act(unit) or unit.trading == jarl.place_of(name) != ""


def _costs(state: State, place: str) -> bool:
    return is_trade_town(place) or state.on("kaupang_trade_action")


def _needs_action(state: State, place: str, deals: list[Deal]) -> bool:
    if is_trade_town(place):
        return True
    return state.on("kaupang_trade_action") and any(one.thing != "v" for one in deals)


def _check_store(jarl: Jarl, place: str, one: Deal) -> list[Objection]:
    if one.thing == "saga":
        return []
    here = jarl.units_in(place)
    if one.store in here or (one.store == place and jarl.store(place) is not None):
        return []
    return [objection("store_not_here", _RULE, store=one.store)]


def _check_kind(state: State, place: str, one: Deal) -> list[Objection]:
    if one.thing not in KINDS:
        return []
    sells = state.towns[place].sells
    if sells is None:
        return [objection("flip_first", f"{_RULE}; R27", town=place)]
    if (one.thing in sells) == (one.verb == "buy"):
        return []
    return [objection(f"not_{one.verb}", _RULE, town=place, kind=one.thing)]


# ---------------------------------------------------------------------- dealings without a unit


def check_buy(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """Vikings for Kaupang and own Settlements need no unit there; other things only by switch."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_what", _RULE)]
    remote = state.switches["remote_trade"]
    allowed = {"v"} | ({"saga"} if remote != "vikings_only" else set[str]())
    deals = list(read_deals(answer, visit=False))
    for one in deals:
        if one.thing not in allowed and not (remote == "all" and one.verb == "sell"):
            against.append(plain("needs_unit", f"{_RULE}; R23"))
        if one.store != "kaupang" and one.store not in jarl.settlements:
            against.append(objection("no_settlement", _RULE, town=one.store))
        else:
            against += usable(state, jarl, one.store, _RULE)
    return against + check_sums(state, jarl, deals)


def decide_buy(course: Course, answer: Answer, jarl: Jarl) -> None:
    """Deal, as far as pieces and coins reach; no Action is spent."""
    if not isinstance(answer.value, Done):
        deal(course, jarl, list(read_deals(answer, visit=False)))
