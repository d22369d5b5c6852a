"""What one seat, or the big screen, may see: facts, whose turn, and the boards."""

from __future__ import annotations

import msgspec

from companion.games.vikingjarl.facts import facts
from companion.games.vikingjarl.printed import KINDS, LIMITS, TOWNS
from companion.games.vikingjarl.state import Battle, Hold, Jarl, State
from companion.terms import Box, View, say


class HoldPicture(msgspec.Struct, frozen=True):
    """A Ship or an Army as its board shows it: one word a space, Vikings first."""

    at: str
    spaces: tuple[str, ...]
    fighting: int = 0
    aboard: bool = False
    phase: str = "fresh"


class SettlementPicture(msgspec.Struct, frozen=True):
    """A Settlement with its tile, its state and what it stores."""

    town: str
    tile: int
    damaged: bool
    goods: dict[str, int]


class JarlPicture(msgspec.Struct, frozen=True):
    """One Jarl's board."""

    seat: str
    colour: str
    sign: str
    vp: int
    silver: int
    hand: int
    supply: int
    ship: HoldPicture
    army: HoldPicture
    kaupang: dict[str, int]
    settlements: tuple[SettlementPicture, ...] = ()
    titles: tuple[str, ...] = ()


class BattlePicture(msgspec.Struct, frozen=True):
    """The Battlezone."""

    jarl: str
    town: str
    attackers: int
    defenders: int
    round: int


class Picture(msgspec.Struct, frozen=True):
    """The whole table for the pages. `shields` are seen or removed VP and trade shields."""

    jarls: tuple[JarlPicture, ...]
    target: int
    phase: str
    deck: int
    discard: int
    bank: dict[str, int]
    battle: BattlePicture | None = None
    shields: dict[str, str] = {}


def view(state: State, box: Box, seat: str | None) -> View:
    """Return the view of one seat; None is the shared screen."""
    battle = next((r for r in state.resolving if isinstance(r, Battle)), None)
    deck = 59 - state.discard - sum(jarl.hand for jarl in state.jarls)
    picture = Picture(
        tuple(_jarl(jarl, battle, seat) for jarl in state.jarls),
        state.target,
        state.phase,
        deck,
        state.discard,
        {"silver": state.bank, **{kind: state.cubes(kind) for kind in KINDS}},
        BattlePicture(battle.jarl, battle.town, battle.attackers, battle.defenders, battle.rounds)
        if battle
        else None,
        {name: town.shield for name, town in state.towns.items() if town.shield != "hidden"},
    )
    return View(
        facts(state, seat),
        state.active.id,
        say(f"phase.{state.phase}"),
        picture,
        tuple(state.winner) or None,
    )


def _jarl(jarl: Jarl, battle: Battle | None, seat: str | None) -> JarlPicture:
    front = battle.front if battle is not None and battle.jarl == jarl.id else {}
    return JarlPicture(
        jarl.id,
        jarl.colour,
        jarl.sign,
        jarl.vp,
        jarl.silver,
        jarl.hand,
        jarl.supply,
        HoldPicture(
            jarl.ship.at,
            _spaces(jarl.ship.hold, LIMITS.ship_spaces),
            front.get("ship", 0),
            jarl.army.at == "ship",
            jarl.ship.phase,
        ),
        HoldPicture(
            jarl.place_of("army"),
            _spaces(jarl.army.hold, LIMITS.army_spaces),
            front.get("army", 0),
            jarl.army.at == "ship",
            jarl.army.phase,
        ),
        _goods(jarl.kaupang),
        tuple(
            SettlementPicture(town, TOWNS[town].tile, s.damaged, _goods(s.hold))
            for town, s in jarl.settlements.items()
        ),
        tuple(jarl.titles) if seat == jarl.id else (),
    )


def _spaces(hold: Hold, spaces: int) -> tuple[str, ...]:
    taken = ["viking"] * hold.v
    for kind in KINDS:
        taken += [kind] * hold.of(kind)
    return tuple(taken + ["free"] * (spaces - len(taken)))


def _goods(hold: Hold) -> dict[str, int]:
    return {"v": hold.v, **{kind: hold.of(kind) for kind in KINDS}}
