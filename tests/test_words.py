"""Both languages say everything, with the same fields."""

from __future__ import annotations

import re
import string
from importlib import resources
from typing import get_args

import pytest

from companion.games import vikingjarl
from companion.terms import say
from companion.words import LANGUAGES, Words


def fields(template: object) -> set[str]:
    texts = template if isinstance(template, list) else [template]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(str(text)) if name}


@pytest.mark.parametrize("game", [None, "vikingjarl"])
def test_both_languages_have_the_same_words_with_the_same_fields(game: str | None) -> None:
    words = Words.load()
    en, de = (set(words.keys("", language, game)) for language in LANGUAGES)
    assert en == de
    for key in en:
        left, right = (words.template(key, language, game) for language in LANGUAGES)
        assert fields(left) == fields(right), key


def test_a_sentence_words_its_values_by_family() -> None:
    words = Words(
        {
            "en": {
                "count.viking": ["{n} Viking", "{n} Vikings"],
                "place.man": "Man",
                "lost": "{who:seat} lost {n:count.viking} at {where:place}",
            },
            "de": {},
        }
    )
    names = {"ann": "Ann"}
    told = words.tell(say("lost", who="ann", n=1, where="man"), names=names)
    assert told == "Ann lost 1 Viking at Man"
    told = words.tell(say("lost", who=["ann", "bo"], n=3, where="sea_a"), names=names)
    assert told == "Ann and bo lost 3 Vikings at sea a"


def test_a_place_that_people_made_up_is_shown_readably() -> None:
    words = Words.load()
    at = say("fact.shield", town="sea_far_north")
    assert words.tell(at, "en", "vikingjarl") == "Shield of sea far north"
    assert words.tell(at, "de", "vikingjarl") == "Schild von See far north"
    assert words.name("place", "sea_jorvik", "de", "vikingjarl") == "See vor Jorvik"
    assert words.name("place", "the_hall", "de", "vikingjarl") == "the hall"


def test_a_missing_word_shows_its_key() -> None:
    assert Words({"en": {}, "de": {}}).tell(say("no.such.word")) == "no.such.word"


def test_every_event_of_vikingjarl_has_a_sentence_whose_fields_exist() -> None:
    words = Words.load()
    for event in get_args(vikingjarl.EVENTS):
        key = f"event.{event.__name__}"
        for language in LANGUAGES:
            assert words.has(key, language, "vikingjarl"), key
            template = words.template(key, language, "vikingjarl")
            assert fields(template) <= set(event.__struct_fields__), key


def test_every_sentence_that_vikingjarl_speaks_stands_in_its_word_files() -> None:
    """Every literal `say("...")`, objection and label in the game's chapters has a word."""
    words = Words.load()
    spoken: set[str] = set()
    for file in resources.files("companion.games.vikingjarl").iterdir():
        if file.name.endswith(".py"):
            text = file.read_text("utf-8")
            spoken |= set(re.findall(r'say\(\s*"([a-z_.]+)"', text))
            spoken |= {
                f"objection.{word}"
                for word in re.findall(r'(?:objection|refused)\(\s*"([a-z_.]+)"', text)
            }
            spoken |= set(re.findall(r'"(fact\.[a-z_.]+)"', text))
    assert len(spoken) > 100
    missing = {key for key in spoken if not words.has(key, "en", "vikingjarl")}
    assert not missing
