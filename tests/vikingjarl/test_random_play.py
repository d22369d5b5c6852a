"""Whatever people answer: nothing is made of air, nothing is decided on the side, and games end."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.games import vikingjarl
from companion.games.vikingjarl.printed import LIMITS, SWITCHES
from companion.games.vikingjarl.state import clone
from companion.terms import Answer, Say
from companion.words import LANGUAGES, Words
from tests.vikingjarl.at_random import answer_of
from tests.vikingjarl.whole_games import Game, Player, draw_game, play

BATCHES, WHOLE, SHARE = 50, 100, 1
"""Batches of whole games, and the games of each: in a soak, and otherwise."""


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES), ids=lambda batch: f"games_{batch * WHOLE}")
def test_whole_games_keep_pieces_coins_cards_and_rules(batch: int, soak: bool) -> None:
    """One seed, one game; a batch may run in a process of its own (`-k games_1200`)."""
    first = batch * WHOLE + (0 if soak else batch)  # a share of all kinds of games
    for seed in range(first, first + (WHOLE if soak else SHARE)):
        game = play(seed)
        assert game.how in ("won", "ended")


def test_the_seeds_play_every_form_of_the_game() -> None:
    games = [draw_game(seed) for seed in range(BATCHES * WHOLE)]
    forms = {(game.jarls, variant) for game in games for variant in game.choices["variant"]}
    sides = {(4, "two_by_two"), (4, "allied")}
    houses = {
        (key.removeprefix("switch."), value)
        for game in games
        for key, value in game.choices.items()
        if key.startswith("switch.")
    }

    assert {game.jarls for game in games} == {2, 3, 4}
    assert forms == sides | {(jarls, "player_turns") for jarls in (2, 3, 4)}
    assert {game.choices["target_vp"] for game in games} == set(range(1, LIMITS.longest_target + 1))
    assert houses == {(name, v) for name, switch in SWITCHES.items() for v in switch.values}
    assert any(game.insisting for game in games)
    assert any(game.correcting for game in games)
    assert any(not game.eager for game in games)
    assert any(not game.insisting and not game.correcting for game in games)


def test_somebody_who_plays_to_win_comes_home() -> None:
    """Most games of those who want to win have a winner; a short target is soon reached."""
    games = [play(seed) for seed in range(0, 30, 3) if draw_game(seed).eager]

    assert sum(game.how == "won" for game in games) > len(games) / 3


class Looking(Player):
    """Looks at the table after each answer."""

    def _take(self, answer: Answer) -> None:
        super()._take(answer)
        self.look()

    def look(self) -> None:
        raise NotImplementedError


class Copying(Looking):
    def look(self) -> None:
        copied = clone(self.state)
        assert copied == self.state
        before = msgspec.msgpack.encode(self.state)
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
        assert msgspec.msgpack.encode(self.state) == before


def test_a_copy_shares_nothing_with_its_original() -> None:
    Copying(draw_game(4)).play()


class Listening(Looking):
    """Listens to every sentence that is said and keeps those without words."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.words = Words.load()
        self.missing: set[str] = set()
        self.seed = game.seed

    def look(self) -> None:
        for question in vikingjarl.questions(self.state, self.box):
            self.hear(question.say)
            self.hear(question.detail)
            wants: Any = question.wants
            for option in getattr(wants, "options", ()) or getattr(wants, "allowed", ()):
                self.hear(option.say)
            for field in getattr(wants, "fields", ()):
                self.hear(field.say)
                for option in getattr(field.wants, "options", ()):
                    self.hear(option.say)
            said = answer_of(question, random.Random(self.seed))
            for objection in vikingjarl.check(self.state, said, self.box):
                self.hear(objection.say)
        if self.game.answers % 20 == 0:
            shown = vikingjarl.view(self.state, self.box, "harald")
            self.hear(shown.phase)
            for fact in shown.facts:
                self.hear(fact.label)

    def hear(self, sentence: Say | None) -> None:
        for value in sentence.values.values() if sentence else ():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, Say):
                    self.hear(one)
        if sentence is None:
            return
        if any(not self.words.has(sentence.key, lang, "vikingjarl") for lang in LANGUAGES):
            self.missing.add(sentence.key)
        if self.words.tell(sentence, "en", "vikingjarl") == sentence.key:
            self.missing.add(f"{sentence.key} with {sorted(sentence.values)}")


@pytest.mark.parametrize("seed", [3, 7, 14])
def test_everything_that_is_said_has_words_in_both_languages(seed: int) -> None:
    """Seed 3 insists, seed 7 counts rounds, seed 14 plays by its house's rules."""
    listening = Listening(draw_game(seed))
    listening.play()
    for field in vikingjarl.setup_form().fields:
        listening.hear(field.say)
        for option in getattr(field.wants, "options", ()):
            listening.hear(option.say)

    assert not listening.missing
