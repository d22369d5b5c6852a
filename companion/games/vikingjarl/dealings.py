"""Dealings line by line: reading them, their sums, and letting them happen.

Rules [Trading; Prices]; specification section 9, R23, R24, R29, R34.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import STORES
from companion.games.vikingjarl.cargo import room_for
from companion.games.vikingjarl.course import Course, payable
from companion.games.vikingjarl.deck import drawable, rebuild_if_empty
from companion.games.vikingjarl.printed import GOODS, KINDS, LIMITS, PRICES, UNITS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import Answer, Filled, NoSuchKey, Objection, say

_RULE = "Trading"


class Deal(NamedTuple):
    """One line of a dealing: buy or sell, what (`v`, a cube, `saga`), from or to which store."""

    verb: str
    thing: str
    store: str
    number: int


def check_sums(state: State, jarl: Jarl, deals: list[Deal]) -> list[Objection]:
    """Object to more than purse, bank, supply, deck, stores and spaces allow (R29)."""
    if not deals:
        return [plain("say_what", _RULE)]
    against: list[Objection] = []
    purse = state.silver(jarl)
    bank = state.bank
    sagas = sum(d.number for d in deals if d.thing == "saga")
    vikings = sum(d.number for d in deals if d.thing == "v")
    for one in sorted(deals, key=lambda d: d.verb == "buy"):
        if one.number < 1:
            against.append(objection("bounds", _RULE, low=0, high=LIMITS.cubes, n=one.number))
        elif one.verb == "sell":
            have = jarl.in_store(one.store, one.thing)
            if have < one.number:
                against.append(objection("not_so_many", _RULE, n=have))
            brings = PRICES.sale * one.number
            if bank < brings and state.switches["silver_shortage"] != "unlimited":
                against.append(objection("bank_short", f"{_RULE}; R29", n=bank))
            purse, bank = purse + brings, bank - brings
        else:
            purse -= price(one.thing) * one.number
            if one.thing in KINDS and state.cubes(one.thing) < one.number:
                n = state.cubes(one.thing)
                against.append(objection("bank_kind", _RULE, n=n, kind=one.thing))
    if purse < 0:
        against.append(objection("no_silver", _RULE, n=state.silver(jarl)))
    if vikings > jarl.supply:
        against.append(objection("no_supply", _RULE, n=max(0, jarl.supply)))
    if sagas and jarl.sagas_bought + sagas > LIMITS.sagas_bought:
        against.append(objection("three_sagas", _RULE, n=LIMITS.sagas_bought))
    if sagas > drawable(state):
        against.append(plain("deck_empty", f"{_RULE}; R34"))
    return against + _check_rooms(state, jarl, deals)


def _check_rooms(state: State, jarl: Jarl, deals: list[Deal]) -> list[Objection]:
    against: list[Objection] = []
    coming: dict[str, int] = {}
    for one in deals:
        if one.thing == "saga" or (one.thing != "v" and one.store not in UNITS):
            continue
        sign = 1 if one.verb == "buy" else -1
        coming[one.store] = coming.get(one.store, 0) + sign * one.number
    for store, number in coming.items():
        against += room_for(state, jarl, store, "v", number, _RULE)
    return against


def price(thing: str) -> int:
    """Return the price of a Viking, a Saga or a cube."""
    return {"v": PRICES.viking, "saga": PRICES.saga}.get(thing, PRICES.cube)


def deal(course: Course, jarl: Jarl, deals: list[Deal]) -> None:
    """Let the dealings happen, sales first, as far as pieces and coins reach."""
    for one in sorted(deals, key=lambda d: d.verb == "buy"):
        if one.verb == "sell":
            number = min(one.number, jarl.in_store(one.store, one.thing))
            if number > 0:
                course.tell(e.CubesSpent(jarl.id, one.thing, number, one.store))
                paid = payable(course.now, PRICES.sale * number)
                if paid:
                    course.tell(e.SilverChanged(jarl.id, paid, "sale"))
            continue
        number = _reach(course.now, jarl.id, one)
        if number < 1:
            continue
        course.tell(e.SilverChanged(jarl.id, -price(one.thing) * number, "purchase"))
        if one.thing == "saga":
            for _ in range(number):
                rebuild_if_empty(course)
                course.tell(e.SagasBought(jarl.id, 1))
        elif one.thing == "v":
            course.tell(e.VikingsCame(jarl.id, number, one.store))
        else:
            course.tell(e.CubesGained(jarl.id, one.thing, number, one.store))


def _reach(state: State, id: str, one: Deal) -> int:
    """Return how many can really be bought: silver, bank, supply and deck are hard limits."""
    jarl = state.jarl(id)
    number = min(one.number, max(0, state.silver(jarl)) // price(one.thing))
    if one.thing == "saga":
        return min(number, drawable(state))
    if jarl.store(one.store) is None:
        return 0
    return min(number, jarl.supply if one.thing == "v" else state.cubes(one.thing))


def read_deals(answer: Answer, visit: bool) -> Iterator[Deal]:
    """Read `buy.KIND.STORE`, `sell.KIND.STORE`, `buy.saga` of a visit, else `v.STORE` and so on."""
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(answer.value, say("expected.deals"))
    for name, number in answer.value.fields.items():
        if not isinstance(number, int) or isinstance(number, bool):
            raise NoSuchKey(str(number), say("expected.number"))
        verb, thing, store = _parts(name, visit)
        if verb not in ("buy", "sell") or thing not in (*GOODS, "saga"):
            raise NoSuchKey(name, say("expected.deal"))
        if (thing != "saga" or not visit) and store not in STORES:
            raise NoSuchKey(name, say("expected.store", known=list(STORES)))
        if verb == "sell" and thing not in KINDS:
            raise NoSuchKey(name, say("expected.to_sell", known=list(KINDS)))
        if number:
            yield Deal(verb, thing, store, number)


def _parts(name: str, visit: bool) -> tuple[str, str, str]:
    parts = name.split(".")
    if not visit and parts[0] not in ("buy", "sell"):
        parts = ["buy", *parts]
    verb, thing, store = (*parts, "", "")[:3]
    return verb, thing, store
