"""The game that the browser plays is legal: each step is asked for, and no rule objects to any."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from companion.games import vikingjarl
from companion.games.vikingjarl.printed import SAGAS
from companion.store import Store
from companion.table import Table
from companion.words import Words
from tests.play.at_the_table import do
from tests.play.whole_game import CHOICES, GAME, SEATS, Taps

SHOWN = ("vp", "silver", "hand")


def test_nobody_objects_to_the_game_and_harald_wins_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "companion.sqlite")
    table = Table(store, {"vikingjarl": vikingjarl})
    table.start("vikingjarl", SEATS, CHOICES)
    words = Words.load()
    for chapter in GAME:
        before = table.look().step
        for deed in chapter.deeds:
            do(table, deed)
        shown = table.look().facts_by_key
        stands = tuple(tuple(shown[f"{s.id}.{what}"] for what in SHOWN) for s in SEATS)
        assert stands == chapter.stands, chapter.name
        told = [
            ". ".join(filter(None, (words.tell(say, "en", "vikingjarl") for say in step.told)))
            for step in reversed(table.story(limit=200))
            if step.number > before
        ]
        for sentence in chapter.tells:
            assert any(sentence in line for line in told), (chapter.name, sentence, told)
    view = table.look().view
    assert view is not None
    assert view.result == ("harald",)
    store.close()


def test_the_deck_has_every_card_that_is_played() -> None:
    taps = Counter(d.card for chapter in GAME for d in chapter.deeds if isinstance(d, Taps))
    taps["tyr"] -= 1  # taken back and played again
    for card, times in taps.items():
        assert times <= SAGAS[card].copies, card
