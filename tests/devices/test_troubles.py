"""Whatever is wrong with a device, both languages say what was seen and what to do."""

from __future__ import annotations

from itertools import chain
from typing import get_args

import pytest

from companion.devices import card_reader, tray_controller
from companion.words import LANGUAGES, Words

WORDS = Words.load()
TOLD = [
    *(f"reader.{wrong}" for wrong in chain(*map(get_args, get_args(card_reader.Wrong)))),
    *(f"tray.{wrong}" for wrong in chain(*map(get_args, get_args(tray_controller.Wrong)))),
    *(f"camera.{wrong}" for wrong in ("gone", "markers", "frame", "stumbled")),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", TOLD)
def test_every_trouble_is_said_with_what_to_do(key: str, language: str) -> None:
    assert WORDS.has(key, language)
    assert WORDS.has(f"{key}.do", language)


@pytest.mark.parametrize("family", ["camera.", "reader.", "tray."])
def test_no_word_stands_alone(family: str) -> None:
    keys = {language: set(WORDS.keys(family, language)) for language in LANGUAGES}
    assert keys["en"] == keys["de"]
    assert {key.removesuffix(".do") for key in keys["en"]} <= keys["en"]
