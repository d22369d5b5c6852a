"""Every page tells its story in words, in both languages, in every position."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.terms import Number, Placed, Seat
from companion.words import Words
from tests.web.playing import TOKEN, PhoneOf, Played, words_of
from web import create_app

PAGES = ("/now", "/board", "/numbers", "/numbers?all", "/table", "/rules", "/story", "/seats")
POSITIONS: dict[str, Callable[[Played], None]] = {
    "the draft": lambda p: p.begin(),
    "a turn": lambda p: p.turn(),
    "an attack": lambda p: p.attack(),
    "an unsure throw": lambda p: (p.attack(), p.throw("B HMM W MH", unsure=4))[0],
    "a strange card": lambda p: (p.turn(), p.tap("04aabbccddeeff"))[0],
}
A_KEY = re.compile(r"\b(?:web|question|fact|event|objection|table|saga|device|told)\.[a-z_]+")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("position", POSITIONS)
def test_no_page_shows_a_key_instead_of_a_word(
    played: Played, new_phone: Callable[..., PhoneOf], position: str, language: str
) -> None:
    POSITIONS[position](played)
    played.devices()
    phone = new_phone(language)
    phone.sit("gudrun")
    for path in (*PAGES, "/wall", "/setup", "/fact/gudrun.vp", "/step/1"):
        told = words_of(phone.get(path))
        assert not A_KEY.findall(told), path
        assert " {" not in told, path


def test_a_first_visit_without_a_game_leads_to_set_up(phone: PhoneOf) -> None:
    assert "Who sits where" in words_of(phone.get("/"))


def test_a_seated_phone_comes_back_to_its_seat(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun", "Signe")
    told = words_of(phone.get("/"))
    assert "Gudrun Signe · red axe" in told
    assert "Your turn" in told


def test_two_devices_on_one_seat_are_told(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    first, second = new_phone(), new_phone()
    first.sit("eirik", "Maike")
    assert "devices hold" not in words_of(first.get("/now"))
    second.sit("eirik", "Jonas")
    assert "2 devices hold the seat of Eirik" in words_of(first.get("/now"))
    assert "2 devices hold this seat" in words_of(second.get("/seats"))


def test_only_the_asked_seat_gets_the_answers_first(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    gudrun, eirik = new_phone(), new_phone()
    gudrun.sit("gudrun")
    eirik.sit("eirik")
    assert "End the turn" in words_of(gudrun.get("/now"))
    told = words_of(eirik.get("/now"))
    assert "Gudrun's turn" in told
    assert "End the turn" not in told


def test_a_number_tells_where_it_came_from(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    told = words_of(phone.get("/fact/gudrun.vp"))
    assert "Victory points: 6" in told
    assert "Set by Signe" in told
    assert "+6" in told


def test_the_hand_of_another_seat_is_not_shown(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    eirik = new_phone()
    eirik.sit("eirik")
    answer = eirik.client.get("/fact/gudrun.hand.titles")
    assert answer.status_code == 404
    assert "Gudrun" not in words_of(answer.text)


def test_the_big_screen_speaks_the_language_that_the_table_has_settled(played: Played) -> None:
    played.turn()
    app = create_app(played.table, Words.load(), token=TOKEN, wall_language="en")
    phone = PhoneOf(app)
    phone.send("/language", {"language": "de"})
    assert "Gudrun's turn" in words_of(phone.get("/wall"))
    assert "Gudrun ist am Zug" in words_of(phone.get("/now"))


def test_where_none_is_settled_the_big_screen_follows_its_browser(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    assert "Gudrun ist am Zug" in words_of(new_phone("de").get("/wall"))
    wall = new_phone("en")
    assert "Gudrun's turn" in words_of(wall.get("/wall"))
    wall.send("/language", {"language": "de"})
    assert "Gudrun ist am Zug" in words_of(wall.get("/wall"))


def test_the_big_screen_invites_until_everybody_sits(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.table.start(
        "vikingjarl",
        (Seat("harald", "blue", "raven", "Jonas"), Seat("brage", "black", "wolf", "Tom")),
        {},
    )
    wall = new_phone()
    assert "Take your seat" in words_of(wall.get("/wall"))
    new_phone().sit("harald", "Jonas")
    assert "1 of 2 are here" in words_of(wall.get("/wall"))
    new_phone().sit("brage", "Tom")
    assert "Take your seat" not in words_of(wall.get("/wall"))


def test_a_consequence_stands_on_the_answer(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    phone.sit("gudrun")
    told = words_of(phone.get("/now"))
    assert "Helmet Round 1: 1 hit against 1 hit" in told
    assert "Shield Round 1: 1 hit against 0 hits" in told


def test_trouble_with_a_device_says_what_to_do(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.devices()
    phone.sit("gudrun")
    told = words_of(phone.get("/table"))
    assert "The card reader is unplugged" in told
    assert "Card reader gone" in words_of(phone.get("/now"))


def test_the_winner_is_told_everywhere(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    played.say("fact:gudrun.vp", Number(12))
    played.say("fact:gudrun.ship.at", Placed("ribe"))
    played.say("gudrun.ship.move", Placed("kaupang"), "gudrun")
    assert "Gudrun came home and won" in words_of(phone.get("/now"))
    assert "Gudrun came home and won" in words_of(phone.get("/wall"))


def test_a_form_tells_what_it_leads_to_before_it_is_sent(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    before = played.table.rev
    given = {"key": "gudrun.transfer", "from": "ship", "to": "kaupang", "kind": "v", "number": "1"}
    assert "1 Viking" in words_of(phone.send("/preview", given).text)
    too_many = phone.send("/preview", given | {"number": "9"}).text
    assert "lead-against" in too_many
    assert played.table.rev == before


@pytest.mark.parametrize(("language", "heading"), [("en", "Step 1"), ("de", "Schritt 1")])
def test_a_steps_heading_begins_with_a_capital(
    played: Played, new_phone: Callable[..., PhoneOf], language: str, heading: str
) -> None:
    played.turn()
    assert f">{heading}</h2>" in new_phone(language).get("/step/1")


RULES = {
    "en": (
        "Rule: Battle; R4 (who defends), R73 (an attack without Vikings)",
        "Rule: Battle; R74 (reserves, never above 5)",
    ),
    "de": (
        "Regel: Kampf; R4 (wer verteidigt), R73 (ein Angriff ohne Wikinger)",
        "Regel: Kampf; R74 (Reserven, nie über 5)",
    ),
}


@pytest.mark.parametrize("language", RULES)
def test_a_rule_is_named_in_the_language_of_its_page(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    asked, disliked = RULES[language]
    played.declare()
    phone = new_phone(language)
    phone.sit("gudrun")
    assert asked in words_of(phone.get("/now"))
    refused = phone.send("/answer", {"key": "battle.commit", "ship": "6"})
    assert refused.status_code == 409
    assert disliked in words_of(refused.text)
