"""What the demo's panel cannot throw, tap or pull is told in the language of its reader."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from companion.demo import Demo
from tests.web.playing import PhoneOf, words_of


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneOf]:
    demo = Demo(tmp_path_factory.mktemp("demo"), "127.0.0.1", 0, seed=1)
    demo.start()
    yield PhoneOf(demo.service.app, "de")
    demo.stop()


def test_the_cards_are_named_before_any_game_began(panel: PhoneOf) -> None:
    page = words_of(panel.get("/demo"))
    assert "Walhall" in page
    assert "saga." not in page
    assert page.count("eine unbekannte Karte") == 1
    assert "eine ungenannte Saga" not in page, "its tag is the one that nobody knows"


@pytest.mark.parametrize(
    ("language", "letters"),
    [
        ("de", "B schwarz, W weiß, R rot; H Helm, M Schild"),
        ("en", "B black, W white, R red; H helmet, M shield"),
    ],
)
def test_the_letters_of_the_dice_are_told_beside_their_example(
    panel: PhoneOf, language: str, letters: str
) -> None:
    page = PhoneOf(panel.client.application, language).get("/demo")
    assert letters in words_of(page)
    written = re.search(r'id="dice" value="([^"]+)"', page)
    assert written
    assert written.group(1) in words_of(page), "the example is what stands in the field"


@pytest.mark.parametrize(
    ("path", "form", "told"),
    [
        ("throw", {"dice": "B HXM"}, "Gesehen: HXM. Schreibe Würfel wie in B HMM W M"),
        ("throw", {"dice": "three"}, "Gesehen: THREE. Schreibe Würfel"),
        ("throw", {"dice": ""}, "0 Würfel gesehen. In die Schale passen 1 bis 12."),
        ("tap", {"title": "fenris"}, "fenris ist keine Karte dieses Spiels."),
        ("plug", {"device": "toaster"}, "Es gibt: Würfelkamera, Kartenleser und Schalenlicht."),
    ],
)
def test_what_cannot_be_is_told_in_german(
    panel: PhoneOf, path: str, form: dict[str, str], told: str
) -> None:
    answer = panel.send(f"/demo/{path}", form)
    assert answer.status_code == 422
    assert told in html.unescape(answer.text)
