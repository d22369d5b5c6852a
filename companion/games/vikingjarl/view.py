"""What one seat, or the big screen, may see: facts, whose turn, and the picture of the table."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.games.vikingjarl.alternative_rules import hand_limit
from companion.games.vikingjarl.dice import attack_pool, defence_pool
from companion.games.vikingjarl.facts import facts
from companion.games.vikingjarl.frames import Battle, Frame, Loot, Removing, SagaPlayed
from companion.games.vikingjarl.printed import KINDS, LIMITS, TOWNS
from companion.games.vikingjarl.state import Hold, Jarl, State
from companion.games.vikingjarl.winning import points
from companion.terms import Box, Fact, Say, View, say

_PRINTED = tuple(
    f"{name}.{figure}"
    for name, town in TOWNS.items()
    if town.kind == "pillage"
    for figure in ("defenders", "silver")
)
"""The printed values that a view shows."""


class HoldPicture(msgspec.Struct, frozen=True):
    """A Ship or an Army as its board shows it.

    `spaces` has one word a space, Vikings first: `viking`, a kind of cube, `free` (more than the
    board has where too much lies there). `fighting` of its Vikings stand in the Battlezone.
    """

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
    """One Jarl's board. `titles` are the known Sagas, for its own seat only.

    `keeps` is how many Sagas may stay in hand at the end of a turn.
    """

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
    laid: tuple[str, ...] = ()
    points: int = 0
    team: int = 0
    shields: int = LIMITS.settlements
    keeps: int = LIMITS.hand


class BattlePicture(msgspec.Struct, frozen=True):
    """The Battlezone: who against whom, where, how many stand, and the dice of the next throw.

    `defender` is "" for a town. `sagas` are those in force. `step` is what is waited for.
    """

    jarl: str
    town: str
    attackers: int
    defenders: int
    round: int
    defender: str = ""
    step: str = ""
    pool: dict[str, dict[str, int]] = {}
    sagas: tuple[str, ...] = ()


class TownPicture(msgspec.Struct, frozen=True):
    """A town's shield and what is known of it; `owner` is whose Settlement it is."""

    kind: str
    shield: str
    owner: str = ""
    defenders: int | None = None
    worth: int | None = None
    reward: str | None = None
    sells: tuple[str, ...] | None = None


class Picture(msgspec.Struct, frozen=True):
    """The whole table for the pages.

    `resolving` is what is being resolved, innermost last, by the names of its frames. `rounds` is 0
    where no number of rounds was agreed.
    """

    jarls: tuple[JarlPicture, ...]
    target: int
    phase: str
    deck: int
    discard: int
    bank: dict[str, int]
    battle: BattlePicture | None = None
    shields: dict[str, str] = {}
    towns: dict[str, TownPicture] = {}
    tokens: tuple[str, ...] = ()
    resolving: tuple[str, ...] = ()
    variant: tuple[str, ...] = ()
    round: int = 1
    rounds: int = 0


def view(state: State, box: Box, seat: str | None) -> View:
    """Return the view of one seat; None is the shared screen."""
    looked = _looked(state, box)
    if seat not in looked.readers:
        return looked.everybody
    own = list(looked.everybody.facts)
    for place, fact, readers in looked.secret:
        if seat in readers:
            own.insert(place, fact)
    shared = looked.everybody.picture
    jarls = tuple(
        msgspec.structs.replace(shown, titles=tuple(state.hand(jarl).titles))
        if _knows(state, jarl, seat)
        else shown
        for shown, jarl in zip(shared.jarls, state.jarls, strict=True)
    )
    picture = msgspec.structs.replace(shared, jarls=jarls)
    return msgspec.structs.replace(looked.everybody, facts=tuple(own), picture=picture)


class _Looked(NamedTuple):
    """What is to be seen of a state (in msgpack) and of what the box says of the Pillage towns.

    `everybody` is the shared screen's view; `secret` are the facts that it leaves out, the last one
    first, each with its place among those of the shared screen and its only readers.
    """

    state: bytes
    printed: tuple[int | str | None, ...]
    everybody: View
    secret: tuple[tuple[int, Fact, tuple[str, ...]], ...]
    readers: frozenset[str]


_last: _Looked | None = None
"""What was looked at last: the seats look one after the other, and nearly all is alike to them.

It is found by its value, never by when it was looked at, so a view follows
from state and box alone.
"""


def _looked(state: State, box: Box) -> _Looked:
    global _last
    encoded, last = msgspec.msgpack.encode(state), _last
    printed = tuple(box.get(key) for key in _PRINTED)
    if last is None or last.state != encoded or last.printed != printed:
        public: list[Fact] = []
        secret: list[tuple[int, Fact, tuple[str, ...]]] = []
        for fact, readers in facts(state):
            if readers is None:
                public.append(fact)
            else:
                secret.insert(0, (len(public), fact, readers))
        named = frozenset(seat for _, _, readers in secret for seat in readers)
        everybody = _shared(state, box, tuple(public))
        _last = last = _Looked(encoded, printed, everybody, tuple(secret), named)
    return last


def _shared(state: State, box: Box, public: tuple[Fact, ...]) -> View:
    battle = next((f for f in reversed(state.stack) if isinstance(f, Battle)), None)
    owners = {town: jarl.id for jarl in reversed(state.jarls) for town in jarl.settlements}
    picture = Picture(
        tuple(_jarl(state, jarl, battle) for jarl in state.jarls),
        state.target,
        state.phase,
        state.deck,
        state.discard,
        {"silver": state.bank, **{kind: state.cubes(kind) for kind in KINDS}},
        None if battle is None else _battle(state, battle),
        {name: town.shield for name, town in state.towns.items() if town.shield != "hidden"},
        {town: _town(state, box, town, owners.get(town, "")) for town in TOWNS},
        state.tokens,
        tuple(_name(frame) for frame in state.stack),
        state.variant,
        state.round,
        state.rounds,
    )
    result = None if state.winner is None else tuple(state.winner)
    return View(public, state.active.id, _phase(state), picture, result)


def _phase(state: State) -> Say:
    """Say what the table is at."""
    match state.top:
        case Battle(attacker=jarl, place=place, round=round):
            return say("phase.battle", jarl=jarl, place=place, round=round + 1)
        case SagaPlayed(card=card, by=by):
            return say("phase.saga", saga=card, jarl=by)
        case Removing(card=card):
            return say("phase.saga_all", saga=card)
        case Loot(winner=winner):
            return say("phase.loot", jarl=winner)
        case None:
            return say(f"phase.{state.phase}")
        case _:
            return say("phase.action")


def _name(frame: Frame) -> str:
    return type(frame).__name__.lower()


def _battle(state: State, battle: Battle) -> BattlePicture:
    sagas = [
        saga
        for saga in ("berserk", "valhalla", "shield_wall", "stronghold")
        if getattr(battle, saga)
    ]
    return BattlePicture(
        battle.attacker,
        battle.place,
        battle.attackers,
        battle.defenders,
        battle.round,
        battle.defender,
        battle.step,
        {
            "attack": dict(attack_pool(battle)),
            "defence": dict(defence_pool(battle, state.switches["defence_dice"])),
        },
        tuple(sagas),
    )


def _town(state: State, box: Box, town: str, owner: str) -> TownPicture:
    printed = TOWNS[town]
    if printed.kind == "pillage":
        defenders, silver = box.get(f"{town}.defenders"), box.get(f"{town}.silver")
        return TownPicture(
            printed.kind,
            "face_up",
            defenders=defenders if isinstance(defenders, int) else None,
            worth=silver if isinstance(silver, int) else None,
        )
    there = state.towns[town]
    return TownPicture(
        printed.kind, there.shield, owner, there.defenders, there.vp, there.reward, there.sells
    )


def _jarl(state: State, jarl: Jarl, battle: Battle | None) -> JarlPicture:
    fighting: dict[str, int] = {}
    if battle is not None:
        fighting = battle.front if battle.attacker == jarl.id else fighting
        fighting = battle.guard if battle.defender == jarl.id else fighting
    aboard = jarl.riding
    hand = state.hand(jarl)
    return JarlPicture(
        jarl.id,
        jarl.colour,
        jarl.sign,
        jarl.vp,
        state.silver(jarl),
        hand.size,
        jarl.supply,
        HoldPicture(
            jarl.ship.at,
            _spaces(jarl.ship.hold, LIMITS.ship_spaces),
            fighting.get("ship", 0),
            aboard,
            jarl.ship.phase,
        ),
        HoldPicture(
            jarl.place_of("army"),
            _spaces(jarl.army.hold, LIMITS.army_spaces),
            fighting.get("army", 0),
            aboard,
            jarl.army.phase,
        ),
        _goods(jarl.kaupang),
        tuple(
            SettlementPicture(town, TOWNS[town].tile, s.damaged, _goods(s.hold))
            for town, s in jarl.settlements.items()
        ),
        (),
        tuple(jarl.laid),
        points(state, jarl),
        jarl.team,
        LIMITS.settlements - len(jarl.settlements),
        hand_limit(state, jarl),
    )


def _knows(state: State, jarl: Jarl, seat: str | None) -> bool:
    """True where this seat holds the Jarl's hand, alone or pooled."""
    return any(other.id == seat and other.hand == jarl.hand for other in state.jarls)


def _spaces(hold: Hold, spaces: int) -> tuple[str, ...]:
    taken = ["viking"] * hold.v
    for kind in KINDS:
        taken += [kind] * hold.of(kind)
    return tuple(taken + ["free"] * (spaces - len(taken)))


def _goods(hold: Hold) -> dict[str, int]:
    return {"v": hold.v, **{kind: hold.of(kind) for kind in KINDS}}
