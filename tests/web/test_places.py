"""The next place of a Ship or an Army stands near the top of its list, the others by kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from companion.terms import Cards, Picked, Place, Placed
from tests.web.playing import PhoneOf, Played, form_with, words_of
from web.courses import LANDS, WATERS, away
from web.vikingjarl import PLACES


def groups_on(page: str, key: str) -> dict[str, list[str]]:
    """Return the list of a question's form: each heading with the ids below it."""
    form = next(f for f in re.findall(r"<form .*?</form>", page, re.DOTALL) if f'"{key}"' in f)
    found = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', form, re.DOTALL)
    return {unescape(name): re.findall(r'<option value="(\w+)"', ids) for name, ids in found}


HEADINGS = {
    "en": (
        "Near on the map, the nearest first",
        "Towns to settle",
        "Towns to pillage",
        "Towns to trade in",
        "At sea",
        "Other places",
    ),
    "de": (
        "Nahe auf der Karte, das Nächste zuerst",
        "Städte zum Siedeln",
        "Städte zum Plündern",
        "Städte zum Handeln",
        "Auf See",
        "Andere Orte",
    ),
}


@pytest.mark.parametrize("language", HEADINGS)
def test_what_a_ship_may_reach_comes_first_and_every_place_once(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    phone = new_phone(language)
    phone.sit("gudrun")
    groups = groups_on(phone.get("/now"), "gudrun.ship.move")
    assert tuple(groups) == HEADINGS[language]
    near = groups[HEADINGS[language][0]]
    assert near[0] == "sea_kaupang", "the way out of a town"
    for place in ("lindisfarne", "ribe", "hjaltland", "jomsborg"):  # printed as 3 steps away
        assert f"sea_{place}" in near
    offered = [place for ids in groups.values() for place in ids]
    wants = next(
        q.wants for q in played.table.look("gudrun").questions if q.key == "gudrun.ship.move"
    )
    assert isinstance(wants, Place)
    assert sorted(offered) == sorted(option.id for option in wants.allowed)


def test_the_list_follows_the_ship(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    for at, first in {
        "sea_man": ["man", "sea_dublin"],
        "paris": ["sea_paris", "sea_rouen"],
    }.items():
        played.say("fact:gudrun.ship.at", Placed(at))
        near = groups_on(phone.get("/now"), "gudrun.ship.move")[HEADINGS["en"][0]]
        assert near[:2] == first
        assert at not in near


def test_an_army_is_offered_lands_it_can_walk_to(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.say("fact:gudrun.army.at", Placed("jorvik"))
    phone.sit("gudrun")
    groups = groups_on(phone.get("/now"), "gudrun.army.move")
    near = groups[HEADINGS["en"][0]]
    assert near[0] == "land_jorvik"
    assert {"land_man", "land_lindisfarne", "land_london"} <= set(near), "at most 2 steps from Man"
    assert not {"land_ribe", "land_kaupang", "land_reykjavik"} & set(near), "over the sea"
    assert "At sea" not in groups
    assert "land_ribe" in groups["On land"]


def test_groups_are_in_the_order_of_their_names(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    groups = groups_on(phone.get("/now"), "gudrun.ship.move")
    assert groups["Towns to pillage"] == sorted(groups["Towns to pillage"])
    assert groups["At sea"] == sorted(groups["At sea"])
    assert set(groups["Towns to trade in"]) <= {i for i, p in PLACES.items() if p.mark == "p-trade"}


def test_where_nobody_drew_it_the_list_has_its_groups_only(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("sea_west"))
    phone.sit("gudrun")
    assert tuple(groups_on(phone.get("/now"), "gudrun.ship.move")) == HEADINGS["en"][1:]


def test_a_ship_that_a_storm_takes_is_sent_near_to_where_it_is(
    played: Played, phone: PhoneOf
) -> None:
    """Ægir is played in another Jarl's turn; its player chooses the zone."""
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("man"))
    played.say("eirik.saga", Cards(("aegir",)), "eirik")
    for key, value in (("saga.target", "gudrun"), ("saga.unit", "ship")):
        if any(q.key == key for q in played.table.look("eirik").questions):
            played.say(key, Picked((value,)), "eirik")
    phone.sit("eirik")
    near = groups_on(phone.get("/now"), "saga.zone.ship")[HEADINGS["en"][0]]
    assert near[0] == "sea_man"
    assert "sea_dublin" in near


WRITE = {
    "en": "Not on the list? Write what you call that sea zone.",
    "de": "Nicht in der Liste? Schreib, wie ihr das Seegebiet nennt.",
}


@pytest.mark.parametrize("language", WRITE)
def test_a_place_that_nobody_listed_is_written_in_words(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    phone = new_phone(language)
    phone.sit("gudrun")
    page = phone.get("/now")
    assert WRITE[language] in words_of(page)
    action, fields = form_with(page, "gudrun.ship.move")
    phone.send(action, {**fields, "value": "sea_kaupang", "value.written": "West of Man"})
    assert played.fact("gudrun.ship.at") == "sea_West_of_Man"
    assert {"en": "sea West of Man", "de": "See West of Man"}[language] in words_of(
        phone.get("/board")
    )


def test_a_place_that_somebody_named_is_the_same_in_large_letters_or_small(
    played: Played, phone: PhoneOf
) -> None:
    """Otherwise two Jarls could lie in one water and never meet."""
    played.turn()
    phone.sit("gudrun")
    for seat, written in (("gudrun", "North Cape"), ("eirik", "sea north cape")):
        action, fields = form_with(phone.get(f"/fact/{seat}.ship.at"), f"fact:{seat}.ship.at")
        phone.send(action, {**fields, "value": "sea_man", "value.written": written})
        assert played.fact(f"{seat}.ship.at") == "sea_North_Cape"
    action, fields = form_with(phone.get("/now"), "gudrun.ship.move")
    phone.send(action, {**fields, "value": "sea_kaupang", "value.written": "Sea Man"})
    assert played.fact("gudrun.ship.at") == "sea_man", "one of the list"


def test_a_corrected_place_has_the_same_list_and_keeps_what_people_named(
    played: Played, phone: PhoneOf
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("sea_west"))
    phone.sit("gudrun")
    page = phone.get("/fact/gudrun.ship.at")
    groups = groups_on(page, "fact:gudrun.ship.at")
    assert groups["As it is"] == ["sea_west"]
    assert "sea_man" in groups["At sea"]
    action, fields = form_with(page, "fact:gudrun.ship.at")
    phone.send(action, {**fields, "value": "sea_man"})
    assert played.fact("gudrun.ship.at") == "sea_man"
    army = groups_on(phone.get("/fact/gudrun.army.at"), "fact:gudrun.army.at")
    assert "ship" in army["Other places"]


@pytest.mark.parametrize("language", HEADINGS)
def test_a_corrected_place_is_looked_for_near_where_the_ship_was_shown(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("sea_man"))
    phone = new_phone(language)
    phone.sit("gudrun")
    page = phone.get("/fact/gudrun.ship.at")
    groups = groups_on(page, "fact:gudrun.ship.at")
    near = HEADINGS[language][0]
    assert next(iter(groups)) == near
    assert groups[near] == groups_on(phone.get("/now"), "gudrun.ship.move")[near]
    offered = [place for ids in groups.values() for place in ids]
    assert len(offered) == len(set(offered))
    assert re.search(r'<option value="sea_man" selected>', page), "what is shown stays chosen"


def test_a_corrected_army_on_board_is_looked_for_near_its_ship(
    played: Played, phone: PhoneOf
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("sea_man"))
    played.say("fact:gudrun.army.at", Placed("ship"))
    phone.sit("gudrun")
    groups = groups_on(phone.get("/fact/gudrun.army.at"), "fact:gudrun.army.at")
    assert groups[HEADINGS["en"][0]][:2] == ["land_man", "man"]
    assert "ship" in groups["Other places"]


def test_a_zone_that_people_named_is_told_in_the_pages_language(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("sea_west"))
    phone = new_phone("de")
    phone.sit("gudrun")
    assert "Schiff: See west" in words_of(phone.get("/fact/gudrun.ship.at"))


def test_the_waters_of_the_drawn_map_hang_together() -> None:
    assert set(away("kaupang", by_ship=True)) == set(PLACES), "every place can be sailed to"
    assert set(WATERS) == set(PLACES)
    assert set(LANDS) == set(PLACES) - {"vinland", "midjardarhaf"} - ISLANDS
    for neighbours in (WATERS, LANDS):
        for place, others in neighbours.items():
            assert len(set(others)) == len(others), place
            assert place not in others


ISLANDS = {"hjaltland", "faereyjar"}
"""Towns that no Army walks to on the drawn map."""
