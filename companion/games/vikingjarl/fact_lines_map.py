"""The facts of towns, tokens, bank, deck and Battlezone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.vikingjarl.dice import attack_pool, defence_pool
from companion.games.vikingjarl.fact_line import Get, Line, Put, words
from companion.games.vikingjarl.frames import Battle
from companion.games.vikingjarl.printed import DECK, KINDS, TOKENS, TOWNS
from companion.games.vikingjarl.state import State
from companion.terms import Count, Option, Pick, Say, say


def of_town(town: str) -> dict[str, Line]:
    """Return the facts of a town: its shield and what was seen of it."""
    if TOWNS[town].kind == "pillage":
        return {}

    def of(attribute: str) -> Get:
        return lambda s: getattr(s.towns[town], attribute)

    def to(attribute: str) -> Put:
        return lambda s, v: s.towns.__setitem__(town, replace(s.towns[town], **{attribute: v}))

    where = {"town": town}
    shield, ids = words("hidden", "face_up", "removed")
    table = {
        f"town.{town}.shield": Line(
            Say("fact.shield", where), of("shield"), to("shield"), shield, ids
        )
    }
    if TOWNS[town].kind == "trade":
        table[f"town.{town}.sells"] = Line(
            Say("fact.sells", where),
            lambda s: None if s.towns[town].sells is None else list(s.towns[town].sells or ()),
            lambda s, v: _put_sells(s, town, v),
            Pick(tuple(Option(kind, say(f"kind.{kind}")) for kind in KINDS), 0, 3),
            is_list="kinds",
            may_be_unknown=True,
        )
        return table
    for figure in ("defenders", "vp"):
        table[f"town.{town}.{figure}"] = Line(
            Say(f"fact.town.{figure}", where),
            of(figure),
            to(figure),
            Count(0, 3),
            may_be_unknown=True,
        )
    rewards, ids = words("none", "silver", *KINDS)
    table[f"town.{town}.reward"] = Line(
        Say("fact.town.reward", where), of("reward"), to("reward"), rewards, ids, "", True
    )
    return table


def _put_sells(state: State, town: str, kinds: Any) -> None:
    if kinds is None:
        state.towns[town] = replace(state.towns[town], sells=None)
    else:
        state.towns[town] = replace(state.towns[town], shield="face_up", sells=tuple(kinds))


# --------------------------------------------------------------------- tokens, bank, deck


def of_supplies() -> dict[str, Line]:
    """Return the facts of tokens, bank and deck."""
    table = {f"map.{place}_token": _token(place) for place in TOKENS}
    table["bank.silver"] = Line(
        say("fact.bank.silver"), lambda s: s.bank, disputed=lambda s: s.bank < 0
    )
    for kind in KINDS:
        table[f"bank.{kind}"] = Line(
            say("fact.bank.kind", kind=kind),
            lambda s, k=kind: s.cubes(k),
            disputed=lambda s, k=kind: s.cubes(k) < 0,
        )

    def cards(state: State) -> Count:
        return Count(0, max(0, DECK - state.held))

    table["deck.count"] = Line(
        say("fact.deck.count"),
        lambda s: s.deck,
        lambda s, v: setattr(s, "discard", DECK - s.held - v),
        cards,
        disputed=lambda s: s.deck < 0,
    )
    table["discard.count"] = Line(
        say("fact.discard.count"),
        lambda s: s.discard,
        lambda s, v: setattr(s, "discard", v),
        cards,
        disputed=lambda s: s.discard < 0,
    )
    table["deck.total"] = Line(say("fact.deck.total"), lambda _s: DECK)
    table["deck.top_pile"] = Line(say("fact.deck.top_pile"), lambda s: max(0, s.deck - s.bottom))
    table["deck.bottom_pile"] = Line(
        say("fact.deck.bottom_pile"), lambda s: max(0, min(s.deck, s.bottom))
    )
    return table


def _token(place: str) -> Line:
    def put(state: State, value: Any) -> None:
        others = tuple(p for p in state.tokens if p != place)
        state.tokens = (*others, place) if value == "there" else others

    wants, ids = words("there", "taken")
    return Line(
        say("fact.token", place=place),
        lambda s: "there" if place in s.tokens else "taken",
        put,
        wants,
        ids,
    )


# ------------------------------------------------------------------------------------- battle


def of_battle() -> dict[str, Line]:
    """Return the facts of the Battlezone and of the dice of the next throw."""

    def of(read: Callable[[Battle, State], int]) -> Get:
        def get(state: State) -> int | None:
            battle = battle_of(state)
            return None if battle is None else read(battle, state)

        return get

    def defence(battle: Battle, state: State, colour: str) -> int:
        return defence_pool(battle, state.switches["defence_dice"]).get(colour, 0)

    return {
        "battle.attackers": Line(say("fact.battle.attackers"), of(lambda b, _s: b.attackers)),
        "battle.defenders": Line(say("fact.battle.defenders"), of(lambda b, _s: b.defenders)),
        "battle.round": Line(say("fact.battle.round"), of(lambda b, _s: b.round)),
        "battle.pool.attack.black": Line(
            say("fact.pool.attack.black"), of(lambda b, _s: attack_pool(b).get("black", 0))
        ),
        "battle.pool.attack.red": Line(
            say("fact.pool.attack.red"), of(lambda b, _s: attack_pool(b).get("red", 0))
        ),
        "battle.pool.defence.white": Line(
            say("fact.pool.defence.white"), of(lambda b, s: defence(b, s, "white"))
        ),
        "battle.pool.defence.red": Line(
            say("fact.pool.defence.red"), of(lambda b, s: defence(b, s, "red"))
        ),
    }


def battle_of(state: State) -> Battle | None:
    """Return the battle that is fought, None outside."""
    return next((f for f in reversed(state.stack) if isinstance(f, Battle)), None)
