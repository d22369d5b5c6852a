"""Both languages say everything, with the same fields."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
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


SENTENCES = {
    "jorvik": ("Gudrun attacks in Jorvik", "Gudrun greift in Jorvik an"),
    "sea_jomsborg": (
        "Gudrun attacks at sea off Jomsborg",
        "Gudrun greift auf See vor Jomsborg an",
    ),
    "land_man": ("Gudrun attacks on land by Man", "Gudrun greift auf dem Land bei Man an"),
    "sea_West_Bay": ("Gudrun attacks at sea West Bay", "Gudrun greift auf See West Bay an"),
}


@pytest.mark.parametrize("place", SENTENCES)
def test_a_place_within_a_sentence_has_what_its_kind_needs(place: str) -> None:
    words = Words.load()
    for language, said in zip(LANGUAGES, SENTENCES[place], strict=True):
        attack = say("event.AttackDeclared", jarl="gudrun", place=place)
        assert words.tell(attack, language, "vikingjarl") == said
    moved = say("event.Driven", jarl="gudrun", unit="army", place="land_man")
    assert words.tell(moved, "en", "vikingjarl") == "Gudrun: Army had to go to the land by Man"
    assert words.tell(moved, "de", "vikingjarl") == "Gudrun: Heer musste zum Land bei Man weichen"


def test_german_sentences_call_a_saga_as_its_german_card_does() -> None:
    words = Words.load()
    titles = [key for key in words.keys("saga.", "en", "vikingjarl") if key.count(".") == 1]
    english = {words.tell(say(key), "en", "vikingjarl") for key in titles}
    foreign = english - {words.tell(say(key), "de", "vikingjarl") for key in titles}
    assert "Ragnarok" in foreign
    for key in words.keys("", "de", "vikingjarl"):
        said = str(words.template(key, "de", "vikingjarl"))
        assert not [title for title in foreign if re.search(rf"\b{title}\b", said)], key


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


def test_every_rule_that_vikingjarl_names_is_named_in_both_languages() -> None:
    """The chapters that questions and objections name, and every ruling there is."""
    game = resources.files("companion.games.vikingjarl")
    rulings = set(re.findall(r"^\| (R\d+) ", (game / "RULINGS.md").read_text("utf-8"), re.M))
    assert len(rulings) > 80
    named = set(rulings)
    for file in game.iterdir():
        if file.name.endswith(".py"):
            for rule in rules_in(ast.parse(file.read_text("utf-8"))):
                named |= set(re.split("; |, ", rule))
    named -= {"", "V"}  # the fifth case of "Movement III, V"
    assert named > rulings | {"Battle", "Movement III", "Attack Other Jarls", "Settling"}
    words = Words.load()
    for language in LANGUAGES:
        has = {key.removeprefix("rule.") for key in words.keys("rule.", language, "vikingjarl")}
        assert named - has == set()
        assert all(
            words.name("rule", ruling, language, "vikingjarl").startswith(f"{ruling} (")
            for ruling in rulings
        )
    chapters = named - rulings
    same = {c for c in chapters if words.name("rule", c, "de", "vikingjarl") == c}
    assert same <= {"Phase 1", "Phase 2", "Phase 3", "Sagas"}


def rules_in(module: ast.Module) -> Iterator[str]:
    """Give each text that a chapter hands to a question or an objection as its rule."""
    named: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign):
            to, of = node.targets[0], node.value
            pairs = [(to, of)]
            if isinstance(to, ast.Tuple) and isinstance(of, ast.Tuple):
                pairs = list(zip(to.elts, of.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                    named[name.id] = str(value.value)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = [word.value for word in node.keywords if word.arg == "rule"]
            if node.func.id in ("objection", "plain"):
                given.append(node.args[1])
            for rule in given:
                yield from spelt(rule, named)


def spelt(rule: ast.expr, named: dict[str, str]) -> list[str]:
    """Return what a rule may read; "" for what is known only while the game runs."""
    match rule:
        case ast.Constant(value):
            return [str(value)]
        case ast.Name(id):
            return [named.get(id, "")]
        case ast.IfExp(_, one, other):
            return spelt(one, named) + spelt(other, named)
        case ast.JoinedStr(values):
            parts = [v.value if isinstance(v, ast.FormattedValue) else v for v in values]
            return ["".join(spelt(part, named)[0] for part in parts)]
        case _:
            return [""]
