"""The pages' own words: each that is used is there, alike in both languages."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import web
from companion.words import LANGUAGES, Words

FOLDER = Path(web.__file__).parent
WORDS = Words.load()


def used() -> Iterator[str]:
    for file in sorted(FOLDER.rglob("*.html")):
        for key in re.findall(r"""\bui\("([a-z_.]+)"[,)]""", file.read_text("utf-8")):
            yield f"web.{key}"
    for file in sorted(FOLDER.glob("*.py")):
        source = file.read_text("utf-8")
        for key in re.findall(r"""\.ui\("([a-z_.]+)"[,)]""", source):
            yield f"web.{key}"
        for key in re.findall(r"""Refusal\(\s*\d+, "([a-z_]+)\"""", source):
            for part in ("seen", "expected", "do"):
                yield f"web.refused.{key}.{part}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_used_word_is_there(language: str) -> None:
    missing = sorted({key for key in used() if not WORDS.has(key, language)})
    assert not missing
    assert len(set(used())) > 150


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    keys = [set(WORDS.keys("web.", language)) for language in LANGUAGES]
    assert keys[0] == keys[1]
    for key in sorted(keys[0]):
        values = [sorted(names_in(WORDS.template(key, language))) for language in LANGUAGES]
        assert values[0] == values[1], key


def test_no_word_shouts_or_begs() -> None:
    for language in LANGUAGES:
        for key in WORDS.keys("web.", language):
            for text in texts_of(WORDS.template(key, language)):
                assert "!" not in text, key
                assert "please" not in text.lower(), key
                assert "bitte" not in text.lower(), key
                assert "error" not in text.lower(), key


def names_in(template: str | list[str] | None) -> set[str]:
    found = [
        name for text in texts_of(template) for _, name, _, _ in string.Formatter().parse(text)
    ]
    return {name for name in found if name}


def texts_of(template: str | list[str] | None) -> list[str]:
    return [template] if isinstance(template, str) else list(template or [])
