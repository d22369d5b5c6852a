"""Whole games played at random, from set-up to the victory, and what must hold all along.

    python -m tests.vikingjarl.whole_games FIRST LAST

plays the games of these seeds and tells what it saw. A seed gives the same game each time.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.box import GameBox
from companion.games import vikingjarl
from companion.games.vikingjarl.events import Corrected, VictoryChanged
from companion.games.vikingjarl.facts import facts
from companion.games.vikingjarl.printed import (
    DECK,
    JARLS,
    KINDS,
    LIMITS,
    PRINTED,
    SWITCHES,
    TOWNS,
)
from companion.games.vikingjarl.state import State
from companion.terms import Answer, Count, Done, Number, Question, Seat
from tests.vikingjarl.at_random import Anyhow, Eager, possible_answers

A_POINT, SHORT = 150, 400
"""Answers after which the table ends a game: for each point of the target, but never fewer than for
10 nor more than for 20; and of those who play anyhow."""
CHECKED_EVERY = 97
KNOWN: dict[str, int | str] = {
    **{f"{town}.defenders": 3 for town in ("gijon", "jomsborg", "paris", "london")},
    **{f"{town}.silver": 2 for town in ("gijon", "jomsborg", "paris", "london")},
    **{
        f"{saga}.symbol": ("yes", "no")[number % 2]
        for number, (saga, printed) in enumerate(PRINTED.saga.items())
        if not printed.event
    },
}
_EVENTS = msgspec.msgpack.Decoder(tuple[vikingjarl.EVENTS, ...])
_MAY_BE_EMPTY = ("saga", "discard_for_silver")
"""An offer to play a Saga stands as long as a hand holds one: it gives nothing away."""


@dataclass
class Game:
    """One game: how it was set up and played, and what was seen."""

    seed: int
    choices: dict[str, Any]
    jarls: int
    eager: bool
    insisting: float
    correcting: float
    answers: int = 0
    refused: int = 0
    turns: int = 0
    how: str = ""
    said: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


def draw_game(seed: int) -> Game:
    """Return how the game of a seed is set up: players, variant, target, houses, manners."""
    chance = random.Random(seed)
    jarls = (4, 4, 3, 2)[seed % 4]
    choices: dict[str, Any] = {
        "first": JARLS[chance.randrange(jarls)],
        "target_vp": (10, chance.randint(1, 27), 10, chance.randint(10, 27), 10)[seed // 4 % 5],
    }
    variants = [[], ["two_by_two"], ["allied"]] if jarls == 4 else [[]]
    variant = list(chance.choice(variants))
    if chance.random() < 0.25:
        variant.append("player_turns")
        choices["rounds"] = chance.randint(1, 8)
    choices["variant"] = variant
    for id in JARLS[:jarls]:
        choices[f"ship.{id}"] = chance.randint(0, 4)
    if seed % 3:  # a third plays as printed
        for name, switch in SWITCHES.items():
            if chance.random() < 0.4:
                choices[f"switch.{name}"] = chance.choice(switch.values)
    manners = seed // 2 % 5
    return Game(
        seed,
        choices,
        jarls,
        eager=seed % 10 != 9,
        insisting=0.15 if manners in (3, 4) else 0.0,
        correcting=0.01 if manners in (2, 4) else 0.0,
    )


def play(seed: int) -> Game:
    """Play the whole game of a seed; an `AssertionError` tells the seed and the last answers."""
    game = draw_game(seed)
    try:
        Player(game).play()
    except Exception as error:
        told = "\n".join(game.said[-12:])
        raise AssertionError(f"seed {seed}, {game.choices}\n{told}\n{error!r}") from error
    return game


class Player:
    """Plays one game and looks at everything that must hold."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chance = random.Random(f"play {game.seed}")
        self.box = GameBox.of("vikingjarl", KNOWN)
        self.seats = [
            Seat(id, colour, "")
            for id, colour in zip(JARLS[: game.jarls], PRINTED.colours, strict=False)
        ]
        self.state = self._set_up()
        self.log: list[bytes] = []
        self.points: Counter[str] = Counter()
        self.anybody = (Eager if game.eager else Anyhow)(self.chance)
        self.lawful = not game.insisting and not game.correcting

    def _set_up(self) -> State:
        return vikingjarl.setup(self.seats, self.game.choices)

    def play(self) -> None:
        bound = A_POINT * max(10, min(self.state.target, 20)) if self.game.eager else SHORT
        while self.state.winner is None and self.game.answers + self.game.refused < bound:
            asked = vikingjarl.questions(self.state, self.box)
            assert asked, "a game that goes on asks something"
            keys = [question.key for question in asked]
            assert len(keys) == len(set(keys)), f"asked twice: {keys}"
            if self.game.answers % CHECKED_EVERY == 0:
                self._look_around(asked)
            self._answer(self._correction() or self.anybody.answer(asked, self.state))
        self.game.how = "won"
        if self.state.winner is None:
            self.game.how = "ended"
            self._take(Answer("game.end", Done(), insist=True))
        self._is_over()

    def _correction(self) -> Answer | None:
        """Now and then somebody sets a number by hand."""
        if self.chance.random() >= self.game.correcting:
            return None
        shown = [
            f for f, readers in facts(self.state) if readers is None and isinstance(f.set_by, Count)
        ]
        one = self.chance.choice(shown)
        assert isinstance(one.set_by, Count)
        number = self.chance.randint(one.set_by.low, max(one.set_by.low, one.set_by.high))
        return Answer(f"fact:{one.key}", Number(min(number, one.set_by.low + 5)))

    def _answer(self, answer: Answer) -> None:
        objections = vikingjarl.check(self.state, answer, self.box)
        if objections:
            assert all(objection.rule for objection in objections), answer.key
            self.game.refused += 1
            if self.chance.random() >= self.game.insisting:
                return
        self._take(msgspec.structs.replace(answer, insist=bool(objections)))

    def _take(self, answer: Answer) -> None:
        game, state = self.game, self.state
        game.said.append(f"{answer.key} {answer.value}{' anyway' if answer.insist else ''}")
        game.answers += 1
        game.kinds[answer.key.rpartition(".")[2]] += 1
        before = msgspec.msgpack.encode(state)
        stored = msgspec.msgpack.encode(vikingjarl.decide(state, answer, self.box))
        assert msgspec.msgpack.encode(state) == before, "decide has changed the state"
        self.log.append(stored)
        for event in _EVENTS.decode(stored):
            if isinstance(event, VictoryChanged):
                self.points[event.jarl] += event.number
            if isinstance(event, Corrected) and event.key.endswith(".vp"):
                jarl = event.key.partition(".")[0]
                if jarl in JARLS:
                    self.points[jarl] = int(str(event.value))
            vikingjarl.apply(state, event)
        game.turns += answer.key == "turn.end"
        if game.answers % 4 == 0:
            holds_together(state)
        for jarl in state.jarls:
            assert jarl.vp == self.points[jarl.id], f"{jarl.id} has points of no entry"
        if self.lawful:
            is_legal(state)

    def _look_around(self, asked: tuple[Question, ...]) -> None:
        """Look at what costs time: views, secrets, and whether each question can be answered."""
        before = msgspec.msgpack.encode(self.state)
        for seat in (None, *(seat.id for seat in self.seats)):
            view = vikingjarl.view(self.state, self.box, seat)
            keys = [fact.key for fact in view.facts]
            assert len(keys) == len(set(keys)), "a fact is shown twice"
            assert view.result is None
            for jarl in view.picture.jarls:
                shares = self.state.jarl(jarl.seat).hand
                mine = seat is not None and self.state.jarl(seat).hand == shares
                assert mine or not jarl.titles, f"{seat} sees the hand of {jarl.seat}"
        for question in asked:
            assert question.rule, f"{question.key} names no rule"
            if question.key.rpartition(".")[2] not in _MAY_BE_EMPTY:
                answers = possible_answers(question, self.chance)
                assert any(not vikingjarl.check(self.state, a, self.box) for a in answers), (
                    f"{question.key} cannot be answered: {question.wants}"
                )
        assert msgspec.msgpack.encode(self.state) == before, "looking has changed the state"
        assert msgspec.msgpack.decode(before, type=State) == self.state

    def _is_over(self) -> None:
        holds_together(self.state)
        assert vikingjarl.questions(self.state, self.box) == ()
        assert vikingjarl.view(self.state, self.box, None).result is not None
        again = self._set_up()
        for stored in self.log:
            for event in _EVENTS.decode(stored):
                vikingjarl.apply(again, event)
        assert again == self.state, "the log tells another state"


# --------------------------------------------------------------------------- what must hold


def holds_together(state: State) -> None:
    """Pieces, coins and cards are neither made nor lost, whatever people insist on."""
    unlimited = state.switches["silver_shortage"] == "unlimited"
    assert sum(state.purses) + state.bank == LIMITS.silver
    assert unlimited or state.bank >= 0, "more coins than the box holds"
    assert all(purse >= 0 for purse in state.purses)
    for kind in KINDS:
        assert 0 <= state.cubes(kind) <= LIMITS.cubes, f"{kind} of the bank"
    for jarl in state.jarls:
        assert 0 <= jarl.supply <= LIMITS.vikings, f"supply of {jarl.id}"
        assert jarl.vp >= 0 or state.switches["vp_floor"] == "none"
        assert all(
            jarl.in_store(store, good) >= 0 for store in jarl.stores for good in ("v", *KINDS)
        )
    assert all(hand.size >= len(hand.titles) for hand in state.hands)
    assert state.held + state.deck + state.discard == DECK
    assert state.deck >= 0 <= state.discard
    for town in TOWNS:
        assert sum(town in jarl.settlements for jarl in state.jarls) <= 1


def is_legal(state: State) -> None:
    """What the rules keep as long as nobody insists and nothing is set by hand."""
    for jarl in state.jarls:
        assert jarl.room("ship") >= 0 <= jarl.room("army"), "more cargo than spaces"
        assert len(jarl.settlements) <= LIMITS.settlements
        assert all(s.hold.v <= LIMITS.garrison for s in jarl.settlements.values())
        assert jarl.sagas_bought <= LIMITS.sagas_bought
        assert all(count <= 1 for count in jarl.saga_on.values())
        assert jarl.army.at == "ship" or not jarl.army.at.startswith("sea_")


def main() -> None:
    """Play the games of the seeds on the command line and tell what was seen."""
    first, last = int(sys.argv[1]), int(sys.argv[2])
    began, total = time.perf_counter(), Counter[str]()
    failed: list[int] = []
    kinds: Counter[str] = Counter()
    for seed in range(first, last):
        try:
            game = play(seed)
        except AssertionError as error:
            failed.append(seed)
            sys.stdout.write(f"{error}\n\n")
            sys.stdout.flush()
            continue
        total["games"] += 1
        total[f"{game.how} {'eager' if game.eager else 'anyhow'}"] += 1
        total[f"{game.jarls} Jarls"] += 1
        for variant in game.choices["variant"] or ["plain"]:
            total[variant] += 1
        total["as printed"] += not any(key.startswith("switch.") for key in game.choices)
        total["insisting"] += game.insisting > 0
        total["correcting"] += game.correcting > 0
        total["answers"] += game.answers
        total["refused"] += game.refused
        total["turns"] += game.turns
        kinds += game.kinds
    seconds = time.perf_counter() - began
    sys.stdout.write(f"{dict(total)}\n{dict(kinds.most_common())}\nfailed {failed}\n")
    sys.stdout.write(f"{seconds:.0f} s, {total['answers'] / max(1, seconds):.0f} answers/s\n")


if __name__ == "__main__":
    main()
