"""Whatever people answer: nothing is made of air, nothing is decided on the side, it goes on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.box import GameBox
from companion.games import vikingjarl
from companion.games.vikingjarl.printed import DECK, JARLS, KINDS, LIMITS, PRINTED, TOWNS
from companion.games.vikingjarl.state import State, clone
from companion.terms import Answer, Say, Seat
from companion.words import LANGUAGES, Words
from tests.vikingjarl.at_random import answer_of

STEPS = 220
KNOWN: dict[str, int | str] = {
    **{f"{town}.defenders": 3 for town in ("gijon", "jomsborg", "paris", "london")},
    **{f"{town}.silver": 2 for town in ("gijon", "jomsborg", "paris", "london")},
    **{f"{saga}.symbol": "yes" for saga, printed in PRINTED.saga.items() if not printed.event},
}
HOUSES: dict[str, dict[str, Any]] = {
    "as printed": {},
    "two by two": {"variant": ["two_by_two"], "switch.two_player_silver": "pooled"},
    "allied for five rounds": {"variant": ["allied", "player_turns"], "rounds": 5},
    "every second value": {
        f"switch.{name}": switch.values[1]
        for name, switch in PRINTED.switch.items()
        if name not in ("vp_floor", "silver_shortage")
    },
}


def new_game(choices: dict[str, Any]) -> State:
    seats = [Seat(id, colour, "") for id, colour in zip(JARLS, PRINTED.colours, strict=True)]
    return vikingjarl.setup(seats, choices)


def play(seed: int, choices: dict[str, Any], insisting: float = 0.0) -> Iterator[tuple[State, Any]]:
    """Yield the state after each answer taken, with its events."""
    chance = random.Random(seed)
    box = GameBox.of("vikingjarl", KNOWN)
    state = new_game(choices)
    for _ in range(STEPS):
        asked = vikingjarl.questions(state, box)
        if not asked:
            assert state.winner is not None, "a game that goes on asks something"
            return
        keys = [question.key for question in asked]
        assert len(keys) == len(set(keys)), keys
        answer = answer_of(chance.choice(asked), chance)
        objections = vikingjarl.check(state, answer, box)
        if objections and chance.random() >= insisting:
            assert all(objection.rule for objection in objections)
            continue
        said = msgspec.structs.replace(answer, insist=bool(objections))
        yield from _take(state, said, box)


def _take(state: State, answer: Answer, box: GameBox) -> Iterator[tuple[State, Any]]:
    before = msgspec.msgpack.encode(state)
    events = vikingjarl.decide(state, answer, box)
    assert msgspec.msgpack.encode(state) == before, f"{answer.key} was not only decided"
    stored = msgspec.msgpack.encode(events)
    for event in msgspec.msgpack.decode(stored, type=tuple[vikingjarl.EVENTS, ...]):
        vikingjarl.apply(state, event)
    yield state, events


def holds_together(state: State) -> None:
    """The invariants of pieces and coins, and those of legality that hard limits keep."""
    assert sum(state.purses) + state.bank == LIMITS.silver
    assert all(purse >= 0 for purse in state.purses)
    assert state.bank >= 0
    for kind in KINDS:
        assert 0 <= state.cubes(kind) <= LIMITS.cubes
    for jarl in state.jarls:
        assert 0 <= jarl.supply <= LIMITS.vikings
        assert jarl.vp >= 0
        assert all(
            jarl.in_store(store, good) >= 0 for store in jarl.stores for good in ("v", *KINDS)
        )
    assert all(hand.size >= len(hand.titles) for hand in state.hands)
    assert state.held + state.deck + state.discard == DECK
    assert state.deck >= 0 <= state.discard


def is_legal(state: State) -> None:
    """What the rules keep as long as nobody insists."""
    for jarl in state.jarls:
        assert jarl.room("ship") >= 0 <= jarl.room("army")
        assert len(jarl.settlements) <= LIMITS.settlements
        assert all(s.hold.v <= LIMITS.garrison for s in jarl.settlements.values())
        assert jarl.sagas_bought <= LIMITS.sagas_bought
        assert all(count <= 1 for count in jarl.saga_on.values())
        assert jarl.army.at == "ship" or not jarl.army.at.startswith("sea_")
    for town in TOWNS:
        assert sum(town in jarl.settlements for jarl in state.jarls) <= 1


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seed", range(6))
def test_what_the_rules_allow_keeps_the_rules(house: str, seed: int) -> None:
    for state, _ in play(seed, HOUSES[house]):
        holds_together(state)
        is_legal(state)


@pytest.mark.parametrize("seed", range(12))
def test_what_people_insist_on_keeps_pieces_and_coins(seed: int) -> None:
    for state, _ in play(seed, {}, insisting=0.4):
        holds_together(state)


@pytest.mark.parametrize("seed", range(4))
def test_the_log_tells_the_whole_state(seed: int) -> None:
    log: list[Any] = []
    last = new_game({})
    for state, events in play(seed, {}, insisting=0.2):
        log += events
        last = state
    again = new_game({})
    for event in log:
        vikingjarl.apply(again, event)
    assert again == last


def test_a_copy_shares_nothing_with_its_original() -> None:
    for state, _ in play(3, {}):
        copied = clone(state)
        assert copied == state
        before = msgspec.msgpack.encode(state)
        for jarl in copied.jarls:
            jarl.vp += 1
            jarl.attacked.append("man")
            jarl.laid.append("tyr")
            jarl.saga_on["brage"] = 9
            jarl.ship.hold.v += 1
            jarl.kaupang.v += 1
            for settled in jarl.settlements.values():
                settled.hold.v += 1
        copied.hands[0].titles.append("tyr")
        copied.purses[0] += 1
        assert msgspec.msgpack.encode(state) == before


@pytest.mark.parametrize("seed", range(3))
def test_everything_that_is_said_has_words_in_both_languages(seed: int) -> None:
    words = Words.load()
    box = GameBox.of("vikingjarl", KNOWN)
    missing: set[str] = set()

    def say(sentence: Say | None) -> None:
        for value in sentence.values.values() if sentence else ():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, Say):
                    say(one)
        if sentence and any(not words.has(sentence.key, lang, "vikingjarl") for lang in LANGUAGES):
            missing.add(sentence.key)
        if sentence and words.tell(sentence, "en", "vikingjarl") == sentence.key:
            missing.add(f"{sentence.key} with {sorted(sentence.values)}")

    for state, _ in play(seed, {}, insisting=0.3):
        for question in vikingjarl.questions(state, box):
            say(question.say)
            say(question.detail)
            wants: Any = question.wants
            for option in getattr(wants, "options", ()) or getattr(wants, "allowed", ()):
                say(option.say)
            for field in getattr(wants, "fields", ()):
                say(field.say)
                for option in getattr(field.wants, "options", ()):
                    say(option.say)
            for objection in vikingjarl.check(state, answer_of(question, random.Random(seed)), box):
                say(objection.say)
        shown = vikingjarl.view(state, box, "harald")
        say(shown.phase)
        for fact in shown.facts:
            say(fact.label)
    for field in vikingjarl.setup_form().fields:
        say(field.say)
        for option in getattr(field.wants, "options", ()):
            say(option.say)
    assert not missing
