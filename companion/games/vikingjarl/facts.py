"""Every shown number: its key, its label, what it may be, and how people correct it.

The keys are a contract. Derived numbers are read only: one corrects what they follow from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from companion.games.vikingjarl.dice import pools
from companion.games.vikingjarl.events import Corrected
from companion.games.vikingjarl.printed import DECK, KINDS, LIMITS, SAGAS, SWITCHES, TOWNS, UNITS
from companion.games.vikingjarl.rulings import Ruling, refused
from companion.games.vikingjarl.state import Battle, Jarl, Settlement, State
from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Count,
    Fact,
    NoSuchKey,
    Number,
    Option,
    Pick,
    Picked,
    Place,
    Placed,
    Say,
    Value,
    Wants,
    say,
)

PLACES = (*TOWNS, "kaupang", "vinland", "midjardarhaf")
PHASES = ("fresh", "moved", "acted", "moved_acted", "acted_moved", "recruited")
_NUMBER = Count(0, 99)
_VIKINGS = Count(0, LIMITS.vikings)
_CUBES = Count(0, LIMITS.cubes)
_RULE = "Correction"
_LISTS = (".attacked", ".last_attacked", ".laid", ".sells", ".titles")
Set: TypeAlias = int | str | bool | list[str] | None
"""What a fact may be set to; None is unknown."""


def is_place(place: str) -> bool:
    """True for a town, Kaupang, a token zone, or a label such as `sea_a`."""
    return place in PLACES or place.startswith(("sea_", "land_"))


@dataclass(frozen=True, slots=True)
class _Line:
    """One fact: reads a state, and writes it where it may be set (`wants`)."""

    get: Callable[[State], Any]
    put: Callable[[State, Any], None] | None = None
    wants: Wants | None = None
    label: str = ""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    reader: str = ""


def facts(state: State, seat: str | None) -> tuple[Fact, ...]:
    """Return all facts that this seat may see, in a stable order."""
    shown: list[Fact] = []
    for key, line in _lines(state).items():
        if line.reader and line.reader != seat:
            continue
        value = line.get(state)
        impossible = isinstance(value, int) and not isinstance(value, bool) and value < 0
        shown.append(Fact(key, Say(line.label, dict(line.values)), value, line.wants, impossible))
    return tuple(shown)


def rule_correct(state: State, answer: Answer) -> Ruling:
    """Say what a correction leads to. Raises `NoSuchKey` for a key or value that names nothing."""
    key = answer.key.removeprefix("fact:")
    line = _line(state, key)
    value = _plain(key, answer.value)
    event = Corrected(key, value, (line.reader,) if line.reader else None)
    if line.put is None:
        return refused("derived", _RULE, key=key)
    if isinstance(line.wants, Pick) and not key.endswith(_LISTS):
        words = [option.id for option in line.wants.options]
        if str(value).lower() not in words and value is not None:
            raise NoSuchKey(str(value), f"one of {', '.join(words)}")
    if isinstance(line.wants, Count) and value is not None and not isinstance(value, bool):
        if not isinstance(value, int):
            raise NoSuchKey(str(value), "a number")
        if not line.wants.low <= value <= line.wants.high:
            return refused(
                "bounds", _RULE, [event], low=line.wants.low, high=line.wants.high, n=value
            )
    if ".settlements." in key and not key.endswith(".damaged"):
        owner, _, town, _ = key.split(".")
        if town not in state.jarl(owner).settlements:
            return refused("no_settlement", _RULE)
    return Ruling((), (event,))


def correct(state: State, key: str, value: Any) -> None:
    """Set a fact to what the table shows."""
    line = _line(state, key)
    if line.put is not None:
        line.put(state, value)


def _plain(key: str, value: Value) -> Set:
    match value:
        case Number(number):
            return str(number) if key.startswith("switch.") else number
        case Placed(place):
            if not is_place(place) and place not in ("ship", "unknown"):
                raise NoSuchKey(place, "a town, kaupang, or a label sea_... or land_...")
            return place
        case Cards(ids):
            for card in ids:
                if card not in SAGAS:
                    raise NoSuchKey(card, "a Saga title")
            return list(ids)
        case Picked(("unknown",)) if key.startswith("town."):
            return None
        case Picked(ids):
            if key.endswith(_LISTS):
                return list(ids)
            if key.endswith((".rode", ".damaged")) and ids in {("true",), ("false",)}:
                return ids == ("true",)
            if len(ids) == 1:
                return ids[0]
            raise NoSuchKey(str(ids), "one word")
        case _:
            raise NoSuchKey(type(value).__name__, "a number, a word, a place or a list")


def _line(state: State, key: str) -> _Line:
    found = _lines(state).get(key)
    if found is not None:
        return found
    head, _, rest = key.partition(".")
    known_jarl = any(jarl.id == head for jarl in state.jarls)
    if known_jarl and rest.startswith("settlements."):
        _, town, what = (*rest.split(".", 2), "", "")[:3]
        if town in TOWNS and TOWNS[town].kind == "vp" and what in ("v", *KINDS):
            return _Line(lambda s: 0, lambda s, v: None, _NUMBER)
    if known_jarl and rest.startswith("recruited.") and is_place(rest.removeprefix("recruited.")):
        place = rest.removeprefix("recruited.")
        return _Line(
            lambda s: s.jarl(head).recruited.get(place, 0),
            lambda s, v: s.jarl(head).recruited.__setitem__(place, v),
            _NUMBER,
        )
    raise NoSuchKey(key, "a fact key such as harald.silver or eirik.ship.v")


def _lines(state: State) -> Mapping[str, _Line]:
    """Return all facts by key; which there are depends only on who plays, settled and fights."""
    settled = tuple((jarl.id, tuple(jarl.settlements)) for jarl in state.jarls)
    return _table(settled, isinstance(state.top, Battle))


@lru_cache(maxsize=512)
def _table(settled: tuple[tuple[str, tuple[str, ...]], ...], fighting: bool) -> Mapping[str, _Line]:
    ids = tuple(id for id, _ in settled)
    lines: list[tuple[str, _Line]] = [
        ("turn.jarl", _Line(lambda s: s.active.id, _put_turn, _jarls(ids), "fact.turn.jarl")),
        (
            "turn.phase",
            _Line(
                lambda s: s.phase, _put_phase, _words("draw", "act", "discard"), "fact.turn.phase"
            ),
        ),
        ("game.winner", _Line(lambda s: s.winner or "none", label="fact.game.winner")),
    ]
    for id, towns in settled:
        lines += _of_jarl(id, towns, ids)
    for town in TOWNS:
        lines += _of_town(town)
    for place in ("vinland", "midjardarhaf"):
        lines.append(
            (
                f"map.{place}_token",
                _Line(
                    lambda s, p=place: "there" if s.tokens.get(p, False) else "taken",
                    lambda s, v, p=place: s.tokens.__setitem__(p, v == "there"),
                    _words("there", "taken"),
                    "fact.token",
                    {"place": place},
                ),
            )
        )
    lines.append(("bank.silver", _Line(lambda s: s.bank, label="fact.bank.silver")))
    for kind in KINDS:
        lines.append(
            (
                f"bank.{kind}",
                _Line(lambda s, k=kind: s.cubes(k), label="fact.bank.kind", values={"kind": kind}),
            )
        )
    lines += _of_deck()
    if fighting:
        lines += _of_battle()
    for name, switch in SWITCHES.items():
        lines.append(
            (
                f"switch.{name}",
                _Line(
                    lambda s, n=name: s.switches[n],
                    lambda s, v, n=name: s.switches.__setitem__(n, str(v)),
                    _words(*switch.values),
                    f"switch.{name}",
                ),
            )
        )
    return MappingProxyType(dict(lines))


def _of_jarl(id: str, settled: tuple[str, ...], ids: tuple[str, ...]) -> list[tuple[str, _Line]]:
    def jarl(s: State) -> Jarl:
        return s.jarl(id)

    def attribute(name: str) -> tuple[Callable[[State], Any], Callable[[State, Any], None]]:
        return (lambda s: getattr(jarl(s), name)), (lambda s, v: setattr(jarl(s), name, v))

    who = {"jarl": id}
    lines = [
        (f"{id}.vp", _Line(*attribute("vp"), Count(0, 58), "fact.vp", who)),
        (f"{id}.silver", _Line(*attribute("silver"), Count(0, LIMITS.silver), "fact.silver", who)),
        (
            f"{id}.hand",
            _Line(
                lambda s: jarl(s).hand,
                lambda s, v: _put_hand(jarl(s), v),
                Count(0, DECK),
                "fact.hand",
                who,
            ),
        ),
        (
            f"{id}.hand.titles",
            _Line(
                lambda s: list(jarl(s).titles),
                lambda s, v: _put_titles(jarl(s), v),
                CardOf("saga", SAGA_OPTIONS, 0, DECK),
                "fact.titles",
                who,
                id,
            ),
        ),
        (f"{id}.supply", _Line(lambda s: jarl(s).supply, None, None, "fact.supply", who)),
    ]
    for name in UNITS:
        lines += _of_unit(id, name)
    for kind in ("v", *KINDS):
        lines.append(
            (
                f"{id}.kaupang.{kind}",
                _Line(
                    lambda s, k=kind: jarl(s).kaupang.of(k),
                    lambda s, v, k=kind: setattr(jarl(s).kaupang, k, v),
                    _VIKINGS if kind == "v" else _CUBES,
                    f"fact.kaupang.{kind}",
                    who,
                ),
            )
        )
    for town in (t for t, printed in TOWNS.items() if printed.kind == "vp"):
        where = {**who, "town": town}
        lines.append(
            (
                f"{id}.settlements.{town}.damaged",
                _Line(
                    lambda s, t=town: (
                        jarl(s).settlements[t].damaged if t in jarl(s).settlements else "none"
                    ),
                    lambda s, v, t=town: _put_settlement(s, jarl(s), t, v),
                    _words("none", "false", "true"),
                    "fact.settlement",
                    where,
                ),
            )
        )
        if town in settled:
            lines += [
                (
                    f"{id}.settlements.{town}.{kind}",
                    _Line(
                        lambda s, t=town, k=kind: jarl(s).settlements[t].hold.of(k),
                        lambda s, v, t=town, k=kind: setattr(jarl(s).settlements[t].hold, k, v),
                        Count(0, LIMITS.garrison) if kind == "v" else _CUBES,
                        f"fact.settlement.{kind}",
                        where,
                    ),
                )
                for kind in ("v", *KINDS)
            ]
    for name in ("last_attacked", "attacked", "laid"):
        lines.append((f"{id}.{name}", _Line(*attribute(name), Pick((), 0, 9), f"fact.{name}", who)))
    lines.append(
        (f"{id}.sagas_bought", _Line(*attribute("sagas_bought"), _NUMBER, "fact.sagas_bought", who))
    )
    for other in (o for o in ids if o != id):
        lines.append(
            (
                f"{id}.saga_on.{other}",
                _Line(
                    lambda s, o=other: jarl(s).saga_on.get(o, 0),
                    lambda s, v, o=other: jarl(s).saga_on.__setitem__(o, v),
                    _NUMBER,
                    "fact.saga_on",
                    {**who, "other": other},
                ),
            )
        )
    return lines


def _of_unit(id: str, name: str) -> list[tuple[str, _Line]]:
    def attribute(field: str) -> tuple[Callable[[State], Any], Callable[[State, Any], None]]:
        def get(s: State) -> Any:
            return getattr(s.jarl(id).unit(name), field)

        def put(s: State, value: Any) -> None:
            setattr(s.jarl(id).unit(name), field, value)

        return get, put

    def put_at(s: State, place: Any) -> None:
        unit = s.jarl(id).unit(name)
        unit.at = unit.started_in = place

    def put_phase(s: State, phase: Any) -> None:
        unit = s.jarl(id).unit(name)
        unit.phase = phase
        if phase == "moved" and not unit.steps:
            unit.steps, unit.started_in = 1, "unknown"

    who = {"jarl": id, "unit": name}
    spaces = LIMITS.ship_spaces if name == "ship" else LIMITS.army_spaces
    lines = [
        (
            f"{id}.{name}.at",
            _Line(attribute("at")[0], put_at, Place("north", free=True), "fact.at", who),
        )
    ]
    lines += [
        (
            f"{id}.{name}.{kind}",
            _Line(
                lambda s, k=kind: s.jarl(id).unit(name).hold.of(k),
                lambda s, v, k=kind: setattr(s.jarl(id).unit(name).hold, k, v),
                Count(0, spaces),
                f"fact.cargo.{kind}",
                who,
            ),
        )
        for kind in ("v", *KINDS)
    ]
    lines += [
        (
            f"{id}.{name}.phase",
            _Line(attribute("phase")[0], put_phase, _words(*PHASES), "fact.phase", who),
        ),
        (
            f"{id}.{name}.started_in",
            _Line(*attribute("started_in"), Place("north", free=True), "fact.started_in", who),
        ),
        (f"{id}.{name}.steps", _Line(*attribute("steps"), _NUMBER, "fact.steps", who)),
        (f"{id}.{name}.bonus", _Line(*attribute("bonus"), _NUMBER, "fact.bonus", who)),
    ]
    if name == "army":
        lines.append(
            (
                f"{id}.army.rode",
                _Line(*attribute("rode"), _words("true", "false"), "fact.rode", who),
            )
        )
    return lines


def _of_town(town: str) -> list[tuple[str, _Line]]:
    def attribute(field: str) -> tuple[Callable[[State], Any], Callable[[State, Any], None]]:
        return (
            lambda s: getattr(s.towns[town], field),
            lambda s, v: setattr(s.towns[town], field, v),
        )

    where = {"town": town}
    kind = TOWNS[town].kind
    if kind == "pillage":
        return []
    lines = [
        (
            f"town.{town}.shield",
            _Line(
                *attribute("shield"), _words("hidden", "face_up", "removed"), "fact.shield", where
            ),
        )
    ]
    if kind == "trade":
        lines.append(
            (
                f"town.{town}.sells",
                _Line(
                    attribute("sells")[0],
                    lambda s, v: _put_sells(s, town, v),
                    Pick(tuple(Option(k, say(f"kind.{k}")) for k in KINDS), 1, 2),
                    "fact.sells",
                    where,
                ),
            )
        )
        return lines
    return [
        *lines,
        (
            f"town.{town}.defenders",
            _Line(*attribute("defenders"), Count(1, 2), "fact.town.defenders", where),
        ),
        (f"town.{town}.vp", _Line(*attribute("vp"), Count(1, 2), "fact.town.vp", where)),
        (
            f"town.{town}.reward",
            _Line(
                *attribute("reward"), _words("none", "silver", *KINDS), "fact.town.reward", where
            ),
        ),
    ]


def _of_deck() -> list[tuple[str, _Line]]:
    def count(s: State) -> int:
        return DECK - s.discard - sum(jarl.hand for jarl in s.jarls)

    def held(s: State) -> int:
        return sum(jarl.hand for jarl in s.jarls)

    return [
        (
            "deck.count",
            _Line(
                count,
                lambda s, v: setattr(s, "discard", DECK - held(s) - v),
                Count(0, DECK),
                "fact.deck.count",
            ),
        ),
        (
            "discard.count",
            _Line(
                lambda s: s.discard,
                lambda s, v: setattr(s, "discard", v),
                Count(0, DECK),
                "fact.discard.count",
            ),
        ),
        ("deck.total", _Line(lambda s: DECK, label="fact.deck.total")),
        (
            "deck.top_pile",
            _Line(
                lambda s: max(0, count(s) - (DECK - LIMITS.top_pile)), label="fact.deck.top_pile"
            ),
        ),
        (
            "deck.bottom_pile",
            _Line(lambda s: min(count(s), DECK - LIMITS.top_pile), label="fact.deck.bottom_pile"),
        ),
    ]


def _of_battle() -> list[tuple[str, _Line]]:
    def battle(s: State) -> Battle:
        assert isinstance(s.top, Battle)
        return s.top

    lines = [
        ("battle.attackers", _Line(lambda s: battle(s).attackers, label="fact.battle.attackers")),
        ("battle.defenders", _Line(lambda s: battle(s).defenders, label="fact.battle.defenders")),
        ("battle.round", _Line(lambda s: battle(s).rounds, label="fact.battle.round")),
    ]
    for side, colour in (
        ("attack", "black"),
        ("attack", "red"),
        ("defence", "white"),
        ("defence", "red"),
    ):
        lines.append(
            (
                f"battle.pool.{side}.{colour}",
                _Line(
                    lambda s, d=side, c=colour: pools(battle(s))[d].get(c, 0),
                    label=f"fact.pool.{side}.{colour}",
                ),
            )
        )
    return lines


SAGA_OPTIONS = tuple(Option(id, say(f"saga.{id}")) for id, saga in SAGAS.items() if not saga.event)


def _words(*words: str) -> Pick:
    return Pick(tuple(Option(word, say(f"word.{word}")) for word in words))


def _jarls(ids: tuple[str, ...]) -> Pick:
    return Pick(tuple(Option(id, say("seat.name", jarl=id)) for id in ids))


def _put_turn(state: State, id: Any) -> None:
    state.turn = next(i for i, jarl in enumerate(state.jarls) if jarl.id == id)


def _put_phase(state: State, phase: Any) -> None:
    state.phase = phase


def _put_hand(jarl: Jarl, hand: Any) -> None:
    jarl.hand = hand
    del jarl.titles[hand:]


def _put_titles(jarl: Jarl, titles: Any) -> None:
    jarl.titles = list(titles)
    jarl.hand = max(jarl.hand, len(titles))


def _put_sells(state: State, town: str, kinds: Any) -> None:
    there = state.towns[town]
    there.sells = None if kinds is None else [kinds] if isinstance(kinds, str) else list(kinds)
    if kinds:
        there.shield = "face_up"


def _put_settlement(state: State, jarl: Jarl, town: str, damaged: Any) -> None:
    if damaged == "none":
        jarl.settlements.pop(town, None)
        return
    jarl.settlements.setdefault(town, Settlement()).damaged = bool(damaged)
    state.towns[town].shield = "removed"
