"""The short notation of the worked cases: one line of what happens at the table, as answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.vikingjarl.playing import JARLS
from tests.vikingjarl.situation import (
    dealing_unit,
    fact_look,
    only_unit,
    place_of,
    pool_look,
    prompt_look,
    selling_unit,
    shares,
    store_holding,
    trading_unit,
    unit_in,
    wants_type,
)
from tests.vikingjarl.steps import (
    Give,
    Kind,
    NewGame,
    NotationError,
    SetFact,
    Situation,
    Step,
    Value,
    cards,
    dice,
    done,
    filled,
    number,
    picked,
    placed,
)

KINDS = ("wood", "iron", "mead")
UNITS = ("ship", "army")
TRADE_TOWNS = ("dorestad", "birka", "ribe", "nidaros", "truso", "dublin", "santiago")
BATTLE_SAGAS = ("berserk", "valhalla", "tyr", "shield_wall", "stronghold", "longships")
CANCELS = ("frigg", "balder", "heimdall")


@dataclass
class Clause:
    """A part of a line between commas, with what stood in brackets behind it."""

    text: str
    notes: tuple[str, ...] = ()


@dataclass
class Reader:
    """Reads the lines of one case in order, and remembers what "another" refers to."""

    jarl: str
    trying: bool = False
    saga: str = ""
    saga_by: str = ""
    subject: str = ""
    unit: str = "ship"
    moving: bool = False
    item: str = ""
    price: dict[str, str] = field(default_factory=dict)
    place: str = ""
    fighting: tuple[str, ...] = ()
    target: str = ""
    flipping: str = ""
    recruits: str = ""
    moved: dict[tuple[str, str], int] = field(default_factory=dict)

    def read(self, line: str) -> list[Step]:
        """Return the steps of a line without its leading `try`; raises `NotationError`."""
        steps: list[Step] = []
        line = " ".join(line.split())
        if line.startswith("count titles"):
            return []
        for part in re.split(r";(?![^()]*\))", line):
            whole = self._whole(part)
            steps += whole if whole is not None else self._clauses(part)
        return steps

    # ------------------------------------------------------------- lines that are read as one

    def _whole(self, part: str) -> list[Step] | None:
        bare = _bare(part)
        if found := re.match(
            r"(?:setup|set up) for (\d) jarls, first player (\w+)(.*)", bare, re.I
        ):
            count, first, rest = found.groups()
            choices: dict[str, Any] = {"jarls": list(JARLS[: int(count)]), "first": first}
            if vikings := re.search(r"put (\d) vikings on the ship", rest, re.I):
                choices |= {f"ship.{jarl}": int(vikings[1]) for jarl in JARLS[: int(count)]}
            self.jarl = first
            return [NewGame(part, choices)]
        if bare.startswith("draft"):
            return [Give(part, "setup.draft", done(), "reply")]
        if re.match(r"(build the deck|confirm )", bare):
            return []
        if found := re.match(r"flip shield (\w+) -> (.*)", bare):
            return [self._flip(part, *found.groups())]
        if found := re.match(r"map shield (\w+) -> defenders (\d+), (?:value|silver) (\d+)", bare):
            town, defenders, silver = found.groups()
            return [
                SetFact(part, f"box:{town}.defenders", number(int(defenders))),
                SetFact(part, f"box:{town}.silver", number(int(silver))),
            ]
        if found := re.match(r"card (\w+) symbol (yes|no)", bare):
            return [SetFact(part, f"box:{found[1]}.symbol", picked(found[2]))]
        if found := re.match(r"(\w+) shows (.*)", bare):
            kinds = re.findall(r"wood|iron|mead", found[2])
            return [SetFact(part, f"fact:town.{found[1]}.sells", picked(*kinds))]
        if found := re.match(r"expected pool (.*)", bare):
            return [pool_look(part, found[1])]
        if found := re.match(r"prompt (\w+)(.*)", bare):
            return [prompt_look(part, found[1], found[2])]
        if found := re.match(r"turn (\w+)$", bare):
            self.jarl = found[1]
            self.moved.clear()
            return [
                Give(part, "turn.start", picked(self.jarl), "deed", self.jarl, insist=True),
                SetFact(part, "fact:turn.phase", picked("act")),
            ]
        if bare.startswith("end turn"):
            return [Give(part, "turn.end", done(), "deed", self.jarl)]
        if found := re.match(r"phase 3(?:,)?(?: discard to (\d+))?", bare):
            steps: list[Step] = [Give(part, "turn.end", done(), "deed", self.jarl)]
            if found[1]:
                steps.append(self._discard_to(part, int(found[1])))
            return steps
        if re.match(r"draw (1|a) saga", bare):
            return [
                SetFact(part, "fact:turn.phase", picked("draw")),
                Give(part, "turn.draw", done(), "deed", self.jarl),
            ]
        if found := re.match(r"(\w+) draws (\w+)", bare):
            return [
                SetFact(part, "fact:turn.phase", picked("draw")),
                Give(part, "turn.draw", cards(found[2]), "deed", found[1]),
            ]
        return None

    def _flip(self, part: str, town: str, shows: str) -> Give:
        key = f"town.{town}.flip"
        if "defenders" in shows or "vp" in shows:
            read = {name: re.search(rf"{name} (\d+)", shows) for name in ("defenders", "vp")}
            if not all(read.values()):
                raise NotationError(f"{part!r}: expected defenders n, vp n, reward r")
            figures: dict[str, Any] = {name: int(found[1]) for name, found in read.items() if found}
            reward = re.search(r"reward (?:\d )?(none|silver|wood|iron|mead)", shows)
            figures["reward"] = reward[1] if reward else "none"
            return Give(part, key, filled(figures), "reply", self.jarl)
        return Give(part, key, picked(*re.findall(r"wood|iron|mead", shows)), "reply", self.jarl)

    def _discard_to(self, part: str, keep: int) -> Give:
        jarl = self.jarl

        def value(now: Situation) -> Value:
            return cards(*["unknown"] * (now.facts[f"{jarl}.hand"] - keep))

        return Give(part, f"{jarl}.discard", value, "reply", jarl)

    # --------------------------------------------------------------------------- clause by clause

    def _clauses(self, part: str) -> list[Step]:
        steps: list[Step] = []
        for clause in _clauses_of(part):
            steps += self._clause(clause)
        return steps

    def _clause(self, clause: Clause) -> list[Step]:
        moving, self.moving = self.moving, False
        if moving and re.fullmatch(r"\w+", clause.text):
            return self.move_on(clause, clause.text)
        for pattern, method in _CLAUSES:
            if found := re.fullmatch(pattern, clause.text):
                return method(self, clause, *found.groups())
        raise NotationError(f"{clause.text!r}: no such line in the notation")

    def _give(
        self, clause: Clause, key: Any, value: Any, kind: Kind, seat: str | None = None
    ) -> Give:
        return Give(clause.text, key, value, kind, seat)

    # movement

    def move(self, clause: Clause, unit: str, rest: str | None) -> list[Step]:
        self.unit = unit
        return self._steps(clause, rest or "")

    def move_on(self, clause: Clause, rest: str) -> list[Step]:
        return self._steps(clause, rest)

    def _steps(self, clause: Clause, rest: str) -> list[Step]:
        rest = rest.removeprefix("to ").removeprefix("into ")
        unit, jarl, far = self.unit, self.jarl, 1
        if found := re.fullmatch(r"(\d) steps?,? (?:in)?to (\w+)", rest):
            far, rest = int(found[1]), found[2]
        elif not rest or " " in rest:
            rest = f"sea_beyond_{jarl}" if unit == "ship" else f"land_beyond_{jarl}"
        written = [int(n) for note in clause.notes for n in re.findall(r"steps (\d)", note)]
        total = [int(n) for note in clause.notes for n in re.findall(r"total (\d)", note)]
        self.moving = True
        before = self.moved.get((jarl, unit), 0)
        self.moved[jarl, unit] = before + far
        steps: list[Step] = [self._give(clause, f"{jarl}.{unit}.move", placed(rest), "deed", jarl)]
        if far > 1:
            steps.append(self._give(clause, "move.steps", number(far), "choice", jarl))
        if written and not self.trying:
            expected = total[0] if total else written[0]
            steps.append(fact_look(clause.text, f"{jarl}.{unit}.steps", expected))
        return steps

    def board(self, clause: Clause) -> list[Step]:
        return [self._give(clause, f"{self.jarl}.board", done(), "deed", self.jarl)]

    def land(self, clause: Clause) -> list[Step]:
        self.unit = "army"
        return [self._give(clause, f"{self.jarl}.land", done(), "deed", self.jarl)]

    def transfer(
        self, clause: Clause, verb: str, count: str, kind: str, source: str | None, to: str | None
    ) -> list[Step]:
        jarl = self.jarl

        def value(now: Situation) -> Value:
            unit = source if verb == "unload" and source in UNITS else to
            unit = unit if unit in UNITS else "ship"
            here = place_of(now, jarl, unit)
            start = source or (unit if verb == "unload" else here)
            end = to or (here if verb == "unload" else unit)
            fields = {"from": start, "to": end, "kind": _kind(kind), "number": _count(count)}
            return filled(fields)

        return [self._give(clause, f"{jarl}.transfer", value, "deed", jarl)]

    # acting

    def attack(
        self, clause: Clause, target: str, _how: str | None, first: str | None, second: str | None
    ) -> list[Step]:
        jarl = self.jarl
        self.target = target
        self.fighting = tuple(unit for unit in (first, second) if unit)

        def key(now: Situation) -> str:
            return f"{jarl}.{first or only_unit(now, jarl, target)}.act"

        steps: list[Step] = [self._give(clause, key, picked(f"attack:{target}"), "deed", jarl)]
        if second:
            units = picked(*self.fighting)
            steps.append(self._give(clause, "battle.units", units, "choice", jarl))
        return steps

    def settle(self, clause: Clause, verb: str, town: str, unit: str | None) -> list[Step]:
        jarl = self.jarl
        self.target, self.fighting = town, (unit,) if unit else ()

        def key(now: Situation) -> str:
            return f"{jarl}.{unit or only_unit(now, jarl, town)}.act"

        return [self._give(clause, key, picked(f"{verb}:{town}"), "deed", jarl)]

    def first_fought(self, clause: Clause, jarl: str) -> list[Step]:
        return [self._give(clause, "battle.first", picked(jarl), "choice", self.jarl)]

    def commit(self, clause: Clause, rest: str, against: str | None) -> list[Step]:
        fighting = self.fighting or ("ship",)
        count = int(re.findall(r"\d+", rest)[0])
        said = " ".join((rest, *clause.notes))
        split = {unit: int(n) for n, unit in re.findall(r"(\d+) (?:from )?(ship|army)", said)}
        if found := re.search(r"(?:both|all) from (ship|army)", said):
            split = {found[1]: count}
        if not split and len(fighting) == 1:
            split = {fighting[0]: count}

        def value(now: Situation) -> Value:
            if split:
                return filled(split)
            left, put = count, {}
            for unit in fighting:
                put[unit] = min(left, now.facts.get(f"{self.jarl}.{unit}.v", 0))
                left -= put[unit]
            return filled(put)

        steps: list[Step] = [self._give(clause, "battle.commit", value, "reply", self.jarl)]
        if not self.trying:
            steps.append(fact_look(clause.text, "battle.attackers", sum(split.values()) or count))
            if against:
                steps.append(fact_look(clause.text, "battle.defenders", int(against)))
        return steps

    def defend(self, clause: Clause, count: str) -> list[Step]:
        def value(now: Situation) -> Value:
            return filled(shares(now, "battle.defend", int(count)))

        return [self._give(clause, "battle.defend", value, "reply")]

    def defenders(self, clause: Clause, count: str) -> list[Step]:
        return [fact_look(clause.text, "battle.defenders", int(count))]

    def go_on(self, clause: Clause) -> list[Step]:
        return [self._give(clause, "battle.go_on", picked("go_on"), "window", self.jarl)]

    def left(self, clause: Clause, attackers: str, defenders: str | None) -> list[Step]:
        steps: list[Step] = [fact_look(clause.text, "battle.attackers", int(attackers))]
        if defenders:
            steps.append(fact_look(clause.text, "battle.defenders", int(defenders)))
        return steps

    def withdraw(self, clause: Clause) -> list[Step]:
        return [self._give(clause, "battle.go_on", picked("withdraw"), "reply", self.jarl)]

    def resupply(self, clause: Clause, rest: str) -> list[Step]:
        shares = {unit: int(n) for n, unit in re.findall(r"(\d+) from (ship|army|\w+)", rest)}
        return [self._give(clause, "battle.resupply", filled(shares), "reply")]

    def losses(self, clause: Clause, rest: str) -> list[Step]:
        shares = {unit: int(n) for n, unit in re.findall(r"(\d+) from (\w+)", rest)}
        return [self._give(clause, "battle.losses", filled(shares), "reply")]

    def roll(self, clause: Clause, thrown: str) -> list[Step]:
        value = dice(thrown)
        alone = [die["colour"] for die in value["dice"]] == ["red"] and " vs " not in thrown
        return [self._give(clause, "saga.roll" if alone else "battle.roll", value, "reply")]

    def loot(
        self, clause: Clause, who: str | None, count: str | None, what: str, more: str
    ) -> list[Step]:
        taken = {what: int(count or 1)}
        taken |= {kind: int(n) for n, kind in re.findall(r"(\d+) (\w+)", more)}

        def value(now: Situation) -> Value:
            wants = wants_type(now, "battle.loot")
            as_form = wants == "form" if wants else count is not None and what in KINDS
            return filled(taken) if as_form else picked(what)

        return [self._give(clause, "battle.loot", value, "reply", who)]

    def leave(self, clause: Clause, who: str | None, unit: str, place: str) -> list[Step]:
        def key(now: Situation) -> str:
            ending = f".{unit}.exit"
            asked = [key for key in now.open if key.endswith(ending)]
            jarl = who or self.jarl
            return f"{jarl}{ending}" if who or len(asked) != 1 else asked[0]

        return [self._give(clause, key, placed(place), "reply", who)]

    # trade and recruitment

    def buy(self, clause: Clause, verb: str, rest: str) -> list[Step]:
        jarl = self.jarl
        said = " ".join((rest, *(note for note in clause.notes if note in UNITS)))
        if found := re.search(r"\b(wood|iron|mead|vikings?|sagas?)\b", said):
            self.item = found[1]
        item = _kind(self.item)
        count = int((re.findall(r"^(\d+)\b", rest) or ["1"])[0])
        afar = re.search(r"\bfor (\w+)", said)
        inside = re.search(r"\bin (\w+)", said)
        unit = re.search(r"\bwith (ship|army)|(?:^| )(ship|army)$", said)
        store = re.search(r"\b(?:to|from) (?:the |own )?(\w+)", said)
        named = (unit[1] or unit[2]) if unit and not re.search(r"to (ship|army)$", said) else None
        if not (named or inside or afar or store) and self.price:
            afar_place, named = self.price.get("for"), self.price.get("unit")
            place = self.price.get("in") or afar_place
        else:
            place = inside[1] if inside else afar[1] if afar else None
            afar_place = afar[1] if afar else None
        self.price = {
            name: text
            for name, text in (("for", afar_place), ("in", place), ("unit", named))
            if text
        }
        into = store[1] if store else None

        def trader(now: Situation) -> str | None:
            if named:
                return named
            if into in UNITS and verb == "buy":
                return dealing_unit(now, jarl, into)
            if place:
                return unit_in(now, jarl, place)
            return selling_unit(now, jarl, item) if verb == "sell" else trading_unit(now, jarl)

        def key(now: Situation) -> str:
            return (
                f"{jarl}.{unit}.trade"
                if not afar_place and (unit := trader(now))
                else (f"{jarl}.buy")
            )

        def value(now: Situation) -> Value:
            if key(now).endswith(".buy"):
                thing = "v" if item == "v" else item
                return filled({f"{thing}.{place or into}": count})
            who = trader(now) or "ship"
            if item == "saga":
                return filled({f"{verb}.saga": count})
            where = _store(into, place_of(now, jarl, who)) if into else who
            if verb == "sell" and not into and not now.facts.get(f"{jarl}.{who}.{item}"):
                where = store_holding(now, jarl, item, place_of(now, jarl, who)) or who
            return filled({f"{verb}.{item}.{where}": count})

        return [self._give(clause, key, value, "deed", jarl)]

    def recruit(self, clause: Clause, count: str | None, rest: str) -> list[Step]:
        jarl = self.jarl
        place = re.search(r"\bin (\w+)", rest)
        unit = re.search(r"\bwith (ship|army)", rest)
        to = re.search(r"\bto (?:the |own )?(\w+)", rest)
        if place:
            self.place = place[1]
        if unit:
            self.recruits = unit[1]
        here, who, many = self.place, self.recruits or None, int(count or 1)

        def recruiter(now: Situation) -> str:
            return who or only_unit(now, jarl, here)

        def value(now: Situation) -> Value:
            to_default = recruiter(now) if here in TRADE_TOWNS else here
            return filled({_store(to[1], here) if to else to_default: many})

        return [
            self._give(clause, lambda now: f"{jarl}.{recruiter(now)}.recruit", value, "deed", jarl)
        ]

    # Sagas

    def play(self, clause: Clause, title: str, by: str, rest: str) -> list[Step]:
        self.saga, self.saga_by, self.subject = title, by, by
        in_battle = title in BATTLE_SAGAS

        def key(now: Situation) -> str:
            may_cancel = title in ("bragi", "njord") and f"{by}.cancel" in now.open
            return f"{by}.cancel" if title in CANCELS or may_cancel else f"{by}.saga"

        kind: Kind = "reply" if title in CANCELS else "deed"
        steps: list[Step] = [Give(clause.text, key, cards(title), kind, by, in_battle=in_battle)]
        targets = re.search(r"\bon ([a-z_]+)(?: and ([a-z_]+))?", rest)
        if targets:
            named = [target for target in targets.groups() if target in JARLS]
            steps.append(self._give(clause, "saga.target", picked(*named), "choice", by))
        if found := re.search(r"while moving (ship|army) (\w+)", rest):
            steps.append(self._give(clause, "saga.place", placed(found[2]), "choice", by))
        return steps

    def saga_unit(self, clause: Clause, first: str, second: str | None) -> list[Step]:
        units = picked(*(unit for unit in (first, second) if unit))
        return [self._give(clause, "saga.unit", units, "choice")]

    def saga_zone(self, clause: Clause, unit: str, place: str) -> list[Step]:
        return [
            self._give(clause, "saga.unit", picked(unit), "choice"),
            self._give(clause, f"saga.zone.{unit}", placed(place), "reply"),
        ]

    def saga_place(self, clause: Clause, place: str) -> list[Step]:
        return [self._give(clause, "saga.place", picked(place), "choice")]

    def saga_take(self, clause: Clause, what: str) -> list[Step]:
        return [self._give(clause, "saga.take", picked(what), "choice")]

    def saga_kind_to(self, clause: Clause, kind: str, to: str) -> list[Step]:
        return [
            self._give(clause, "saga.take", picked(kind), "choice"),
            self._give(clause, "saga.to", picked(to), "choice"),
        ]

    def saga_two_to(self, clause: Clause, _count: str, to: str) -> list[Step]:
        def key(now: Situation) -> str:
            return "saga.place" if "saga.place" in now.open else "saga.to"

        return [self._give(clause, key, picked(to), "choice")]

    def saga_bring(self, clause: Clause, what: str, to: str) -> list[Step]:
        brought = {_kind(kind): int(n) for n, kind in re.findall(r"(\d) (\w+)", what)}

        def key(now: Situation) -> str:
            return "saga.place" if "saga.place" in now.open else "saga.to"

        return [
            self._give(clause, "saga.bring", filled(brought), "choice"),
            self._give(clause, key, picked(to), "choice"),
        ]

    def saga_die(self, clause: Clause, colour: str, index: str) -> list[Step]:
        return [self._give(clause, "saga.die", picked(f"die:{colour}:{index}"), "choice")]

    def limit(self, clause: Clause, unit: str, most: str) -> list[Step]:
        own = 3 if unit == "ship" else 2
        return [fact_look(clause.text, f"{self.saga_by}.{unit}.bonus", int(most) - own)]

    def passes(self, clause: Clause, jarl: str) -> list[Step]:
        self.subject = jarl
        return [self._give(clause, f"{jarl}.cancel", picked("pass"), "window", jarl)]

    def removes(self, clause: Clause, jarl: str | None, rest: str) -> list[Step]:
        self.subject = jarl = jarl or self.subject
        shares: dict[str, int] = {}
        for n, store in re.findall(r"(\d+) from (\w+)", rest):
            shares[store] = shares.get(store, 0) + int(n)
        return [self._give(clause, f"{jarl}.remove", filled(shares), "choice", jarl)]

    def keeps(self, clause: Clause, jarl: str, title: str) -> list[Step]:
        return [self._give(clause, f"{jarl}.keep", cards(*title.split(" and ")), "choice", jarl)]

    def discards(self, clause: Clause, jarl: str | None, titles: str) -> list[Step]:
        jarl = jarl or self.jarl
        named = re.split(r" and ", titles)
        return [self._give(clause, f"{jarl}.discard", cards(*named), "reply", jarl)]

    def discards_for_silver(self, clause: Clause, jarl: str | None, title: str) -> list[Step]:
        jarl = jarl or self.jarl
        return [self._give(clause, f"{jarl}.discard_for_silver", cards(title), "deed", jarl)]

    def nothing(self, clause: Clause) -> list[Step]:
        return []


_JARL = "harald|gudrun|eirik|brage"
_CLAUSES: list[tuple[str, Callable[..., list[Step]]]] = [
    (r"move (ship|army)(?: (.+))?", Reader.move),
    (r"moves? (?!ship|army)(\w+)", Reader.move_on),
    (r"board army(?: on ship)?", Reader.board),
    (r"army (?:leaves|goes ashore from) ship(?: in \w+)?", Reader.land),
    (
        r"(load|unload|transfer|shift) (\d+|a) (\w+?)s?(?: from (\w+))?(?: (?:to|into) (\w+))?",
        Reader.transfer,
    ),
    (
        r"attack (\w+)( army| ship| at sea)?(?: with (ship|army)(?: and (ship|army))?)?",
        Reader.attack,
    ),
    (r"(settle|repair) (\w+)(?: with (ship|army))?", Reader.settle),
    (rf"({_JARL})'s (?:ship|army|units?).* first", Reader.first_fought),
    (rf"({_JARL}) first", Reader.first_fought),
    (
        r"commit (\d+(?: from \w+(?: and \d+ from \w+)?)?)(?: vs (?:garrison |units )?(\d+))?",
        Reader.commit,
    ),
    (r"defend (\d+)", Reader.defend),
    (r"(?:town )?(?:defenders|garrison) (\d+)", Reader.defenders),
    (r"go on", Reader.go_on),
    (r"(\d+) left", lambda r, c, n: r.left(c, n, None)),
    (r"(\d+) against (\d+)", Reader.left),
    (r"withdraw(?: .*)?", Reader.withdraw),
    (r"resupply (.*)", Reader.resupply),
    (r"(?:losses|loses?) (.*)", Reader.losses),
    (r"roll (.*)", Reader.roll),
    (rf"(?:({_JARL}) )?loots? (?:(\d+) )?(\w+)((?: and \d+ \w+)*)", Reader.loot),
    (rf"(?:forced )?exit (?:({_JARL})(?:'s)? )?(ship|army) -> (\w+)", Reader.leave),
    (r"(buy|sell) (.*)", Reader.buy),
    (r"recruit (?:(\d+)|another) ?(.*)", Reader.recruit),
    (rf"saga (\w+) by ({_JARL})(.*)", Reader.play),
    (r"(ship|army)(?: and (ship|army))?", Reader.saga_unit),
    (r"(ship|army) -> (\w+)", Reader.saga_zone),
    (r"place (\w+)", Reader.saga_place),
    (r"(?:choice|take) (\w+)", Reader.saga_take),
    (r"(wood|iron|mead) to (\w+)", Reader.saga_kind_to),
    (r"(\d) to (\w+)", Reader.saga_two_to),
    (
        r"(\d (?:vikings?|wood|iron|mead)(?: and \d (?:vikings?|wood|iron|mead))?) to (\w+)",
        Reader.saga_bring,
    ),
    (r"(black|red) die (\d)(?: -> helmet)?", Reader.saga_die),
    (r"(ship|army) limit (\d)", Reader.limit),
    (rf"({_JARL}) passes", Reader.passes),
    (rf"(?:({_JARL}) )?(?:removes|gives|loses) (.*)", Reader.removes),
    (rf"({_JARL}) keeps (.+)", Reader.keeps),
    (
        rf"(?:({_JARL}) )?(?:discards?|throws? away) (\w+) for (?:1 )?silver",
        Reader.discards_for_silver,
    ),
    (rf"(?:({_JARL}) )?discards? (.*)", Reader.discards),
    (r"random card|no sagas|no dice|read aloud", Reader.nothing),
]


def _bare(part: str) -> str:
    """Return a line without what stands in brackets."""
    return " ".join(re.sub(r"\([^()]*\)", "", part).split())


def _clauses_of(part: str) -> list[Clause]:
    """Split at commas outside brackets; `to STORE` belongs to the clause before it."""
    clauses: list[Clause] = []
    for text in re.split(r",(?![^()]*\))", part):
        notes = tuple(re.findall(r"\(([^()]*)\)", text))
        bare = _bare(text)
        if bare.startswith("to ") and clauses:
            before = clauses.pop()
            clauses.append(Clause(f"{before.text} {bare}", before.notes + notes))
        elif bare:
            clauses.append(Clause(bare, notes))
    return clauses


def _kind(word: str) -> str:
    """Return the cargo id of a word: `v` for Vikings, the kind of a cube, `saga`."""
    singular = word.removesuffix("s")
    return "v" if singular == "viking" else singular


def _count(word: str) -> int:
    return 1 if word in ("a", "another") else int(word)


def _store(name: str, here: str) -> str:
    """Return the STORE that `settlement` or `kaupang store` means at this place."""
    return here if name in ("settlement", "store") else name
