"""Both languages say everything, with the same fields."""

from __future__ import annotations

import string

import pytest

from companion.terms import say
from companion.words import LANGUAGES, Words


def fields(template: object) -> set[str]:
    texts = template if isinstance(template, list) else [template]
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


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


def test_a_missing_word_shows_its_key() -> None:
    assert Words({"en": {}, "de": {}}).tell(say("no.such.word")) == "no.such.word"
