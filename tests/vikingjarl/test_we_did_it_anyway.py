"""Whatever people insist on, the game goes on: nothing crashes and no piece is made of air."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

from tests.vikingjarl.cases import shipped_cases
from tests.vikingjarl.playing import (
    JARLS,
    InProcess,
    Refused,
    Taken,
    start_in_process,
)
from tests.vikingjarl.running_a_case import all_facts, set_up
from tests.vikingjarl.steps import Value, cards, done, filled, number, picked, placed

AIR = ("vp_floor", "silver_shortage")  # houses where figures below zero, or coins of air, are meant
CASES = [case for case in shipped_cases("*.toml") if not set(AIR) & set(case.config)]
KINDS = ("v", "wood", "iron", "mead")
STORES = ("ship", "army", "kaupang", "man", "jorvik", "iona", "cork")
PLACES = (
    *("kaupang", "man", "jorvik", "cork", "iona", "lindisfarne", "paris", "birka", "ribe"),
    *("sea_a", "sea_b", "land_a", "land_b", "vinland"),
)
SAGAS = (
    *("pirates", "holmgang", "midgard_serpent", "rebellion", "barbarians", "thor", "loki", "freyr"),
    *("aegir", "bragi", "njord", "vikingjarl", "berserk", "tyr", "valhalla", "silver_treasure"),
    *("freyja", "good_trade", "longships", "shield_wall", "frigg", "balder", "heimdall"),
    *("stronghold", "odins_wrath", "gods_are_angry", "ragnarok"),
)
STEPS = 150


class Crowd:
    """People who say anything at any time. Seeded, so that what broke breaks again."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def says(self, playing: InProcess) -> tuple[str, Value, str]:
        jarl, unit = self.chance.choice(JARLS), self.chance.choice(("ship", "army"))
        asked = [one.key for one in playing.questions()]
        if asked and self.chance.random() < 0.6:
            key = self.chance.choice(asked)
        else:
            key = self.chance.choice(self.keys(jarl, unit))
        return key, self.value(key), jarl

    def keys(self, jarl: str, unit: str) -> list[str]:
        battle = ("units", "commit", "defend", "go_on", "resupply", "roll", "losses", "loot")
        saga = ("target", "unit", "place", "take", "to", "bring", "die", "roll", "zone.ship")
        return [
            *(f"battle.{name}" for name in (*battle, "first")),
            *(f"saga.{name}" for name in (*saga, "zone.army")),
            *(f"{jarl}.{unit}.{name}" for name in ("move", "act", "exit", "trade", "recruit")),
            *(f"{jarl}.{name}" for name in ("saga", "cancel", "buy", "transfer", "remove", "keep")),
            *(f"{jarl}.{name}" for name in ("board", "land", "discard", "discard_for_silver")),
            *("turn.draw", "turn.end", "turn.start", "move.steps", "setup.draft"),
            *("town.man.flip", "town.ribe.flip"),
        ]

    def value(self, key: str) -> Value:
        pick, last = self.chance.choice, key.rpartition(".")[2]
        few = self.chance.randint(0, 6)
        if last in ("move", "exit") or ".zone." in key:
            return placed(pick(PLACES))
        if last in ("saga", "keep", "discard", "discard_for_silver"):
            return cards(*self.chance.sample(SAGAS, pick((1, 1, 2))))
        if last == "cancel":
            return pick([picked("pass"), cards(pick(SAGAS))])
        if last == "draw":
            return pick([done(), cards(pick(SAGAS))])
        if last in ("commit", "defend", "resupply", "losses", "remove", "recruit"):
            return pick([done(), filled({pick(STORES): few, pick(STORES): 1})])
        if last in ("trade", "buy"):
            deal = f"{pick(('buy', 'sell'))}.{pick(KINDS)}.{pick(STORES)}"
            afar = {f"v.{pick(STORES[2:])}": few}
            return filled(afar if last == "buy" else pick([{deal: few}, {"buy.saga": few}]))
        if last == "flip":
            shows = {"defenders": pick((1, 2, 3)), "vp": pick((1, 2)), "reward": pick(KINDS[1:])}
            return picked("wood") if "ribe" in key else filled(shows)
        if last == "bring":
            return filled({pick(KINDS): few})
        if last == "transfer":
            fields = {"from": pick(STORES), "to": pick(STORES), "kind": pick(KINDS), "number": few}
            return filled(fields)
        if last == "roll":
            colours = self.chance.choices(("black", "white", "red"), k=self.chance.randint(1, 8))
            faces = ("helmet", "shield")
            thrown = [{"colour": colour, "face": pick(faces)} for colour in colours]
            return {"type": "dice", "dice": thrown}
        return self.choice(key, last, few)

    def choice(self, key: str, last: str, few: int) -> Value:
        pick = self.chance.choice
        choices: dict[str, list[Value]] = {
            "act": [
                picked(f"{deed}:{pick(('man', 'cork', 'paris', 'iona', 'birka'))}")
                for deed in ("attack", "settle", "repair")
            ]
            + [picked(f"attack:{pick(JARLS)}")],
            "go_on": [picked("go_on"), picked("withdraw")],
            "units": [picked("ship"), picked("army"), picked("ship", "army")],
            "unit": [picked("ship"), picked("army"), picked("ship", "army")],
            "loot": [picked("silver"), picked("nothing"), picked("wood"), filled({"mead": few})],
            "take": [picked("silver"), picked(pick(KINDS[1:]))],
            "die": [picked(f"die:black:{few}"), picked("die:red:1")],
            "steps": [number(few)],
            "place": [placed(pick(PLACES)), picked(pick(STORES))],
            "to": [picked(pick(STORES))],
        }
        if last in ("target", "first", "start"):
            return picked(pick(JARLS))
        return pick(choices.get(last, [done()]))


def figures(playing: InProcess) -> dict[str, Any]:
    return {key: value for key, value in all_facts(playing).items() if isinstance(value, int)}


@pytest.mark.parametrize("seed", range(24))
def test_whatever_people_insist_on_the_game_goes_on(seed: int) -> None:
    crowd = Crowd(seed)
    case = crowd.chance.choice([case for case in CASES if case.before])
    playing = cast(InProcess, set_up(case, start_in_process))
    for town in ("paris", "gijon", "london", "jomsborg"):
        playing.answer(f"box:{town}.defenders", number(3))
        playing.answer(f"box:{town}.silver", number(2))

    said: list[str] = [case.id]
    for _ in range(STEPS):
        key, value, jarl = crowd.says(playing)
        said.append(f"{jarl}: {key} {value}")
        outcome = playing.answer(key, value, jarl)
        if isinstance(outcome, Refused) and crowd.chance.random() < 0.5:
            outcome = playing.answer(key, value, jarl, insist=True)
            assert isinstance(outcome, Taken), f"insisting was not enough: {outcome}\n{said[-1]}"
        negative = {key: value for key, value in figures(playing).items() if value < 0}
        assert not negative, f"{negative}\n" + "\n".join(said[-6:])
