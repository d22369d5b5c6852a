"""A Saga is found by its name: every list of cards is in the order of names."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from companion.terms import Done, Number
from tests.web.playing import PhoneOf, Played


def names_in(page: str, around: str) -> list[str]:
    """Return what a list on the page offers, in its order: of the form that contains this."""
    form = next(f for f in re.findall(r"<form .*?</form>", page, re.DOTALL) if around in f)
    listed = re.findall(r"<option [^>]*>(.*?)</option>", form)
    ticked = re.findall(r'<input type="checkbox"[^>]*><span>(.*?)</span>', form)
    return [unescape(name) for name in listed or ticked]


FIRST_AND_LAST = {
    "en": (["Ægir", "Balder", "Barbarians", "Berserk", "Bragi"], ["Valhalla", "Vikingjarl"]),
    "de": (["Ægir", "Aufstand", "Balder", "Barbaren", "Berserker"], ["Vikingjarl", "Walhall"]),
}


@pytest.mark.parametrize("language", FIRST_AND_LAST)
def test_a_saga_to_play_is_found_by_its_name(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    phone = new_phone(language)
    phone.sit("gudrun")
    names = names_in(phone.get("/now"), 'value="gudrun.saga"')
    first, last = FIRST_AND_LAST[language]
    assert names[: len(first)] == first
    assert names[-len(last) :] == last
    assert len(names) == len(set(names)) == 27


@pytest.mark.parametrize("language", FIRST_AND_LAST)
def test_the_sagas_that_a_hand_is_known_to_hold_are_ticked_in_the_same_order(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    phone = new_phone(language)
    phone.sit("gudrun")
    names = names_in(phone.get("/fact/gudrun.hand.titles"), "fact:gudrun.hand.titles")
    first, _ = FIRST_AND_LAST[language]
    assert names[: len(first)] == first


UNNAMED = {"en": "an untold Saga", "de": "eine ungenannte Saga"}


@pytest.mark.parametrize("language", UNNAMED)
def test_a_saga_that_stays_unnamed_keeps_its_place_before_the_others(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.say("fact:gudrun.hand", Number(6))
    played.say("turn.end", Done(), "gudrun")
    phone = new_phone(language)
    phone.sit("gudrun")
    page = phone.get("/now")
    names = names_in(page, 'value="gudrun.discard"')
    assert names[:3] == [UNNAMED[language], "Ægir", FIRST_AND_LAST[language][0][1]]


@pytest.mark.parametrize("language", FIRST_AND_LAST)
def test_an_unknown_tag_is_given_its_saga_by_name(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.tap("04:A1:B2:C3")
    phone = new_phone(language)
    phone.sit("gudrun")
    names = names_in(phone.get("/now"), 'name="title"')
    first, last = FIRST_AND_LAST[language]
    assert names[: len(first)] == first
    assert names[-len(last) :] == last
    assert UNNAMED[language] not in names
