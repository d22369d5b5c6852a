"""What happened last stands in one line on every phone and on the big screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from companion.terms import Cards, Done, Filled, Number, Picked, Placed, say
from companion.words import Words
from tests.web.playing import PhoneOf, Played, words_of


def latest_on(page: str) -> str:
    """Return the line on a page, "" where there is none."""
    found = re.search(r'<(a|p) class="w?latest"[^>]*>(.*?)</\1>', page)
    return unescape(found.group(2)) if found else ""


WON = {
    "en": "Jorvik: Gudrun beats the town. Gudrun: victory points +2 (Jorvik). "
    "Gudrun: +1 mead, Ship.",
    "de": "Jorvik: Gudrun siegt gegen die Stadt. Gudrun: Siegpunkte +2 (Jorvik). "
    "Gudrun: +1 Met, Schiff.",
}


@pytest.mark.parametrize("language", WON)
def test_a_won_battle_says_who_won_against_whom_and_what_it_brings(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.attack()
    played.say("fact:gudrun.ship.iron", Number(0))
    played.throw_counts("B HHM W MM")
    for seat in ("gudrun", "harald"):
        phone = new_phone(language)
        phone.sit(seat)
        assert latest_on(phone.get("/now")) == WON[language]
    assert latest_on(new_phone(language).get("/wall")) == WON[language]


LOST = {
    "en": "Jorvik: Gudrun withdraws, the town still stands.",
    "de": "Jorvik: Gudrun zieht sich zurück, die Stadt steht noch.",
}


@pytest.mark.parametrize("language", LOST)
def test_a_battle_that_was_given_up_says_so(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.attack()
    played.say("battle.go_on", Picked(("withdraw",)), "gudrun")
    assert latest_on(new_phone(language).get("/wall")) == LOST[language]


BETWEEN_JARLS = {
    "en": "Sea off Man: Gudrun beats Eirik. Gudrun: victory points +1 (battle).",
    "de": "See vor Man: Gudrun siegt gegen Eirik. Gudrun: Siegpunkte +1 (Kampf).",
}


@pytest.mark.parametrize("language", BETWEEN_JARLS)
def test_a_battle_between_jarls_names_both(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.meet_at_sea()
    for seat in ("gudrun", "eirik"):
        played.say(f"fact:{seat}.ship.v", Number(0))
    played.say("gudrun.army.act", Picked(("attack:eirik",)), "gudrun")
    played.say("battle.units", Picked(("army",)), "gudrun")
    played.say("battle.commit", Done(), "gudrun")
    played.throw_counts("B H W M")
    assert latest_on(new_phone(language).get("/wall")) == BETWEEN_JARLS[language]


ALLOWED = {
    "en": "Eirik lets Thor happen. Eirik: silver −2 (Thor).",
    "de": "Eirik lässt Thor geschehen. Eirik: Silber −2 (Thor).",
}


@pytest.mark.parametrize("language", ALLOWED)
def test_a_card_that_was_allowed_says_which_and_what_it_did(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.say("fact:eirik.ship.at", Placed("sea_man"))
    played.say("gudrun.saga", Cards(("thor",)), "gudrun")
    played.say("saga.target", Picked(("eirik",)), "gudrun")
    played.say("saga.take", Picked(("silver",)), "gudrun")
    played.say("eirik.cancel", Picked(("pass",)), "eirik")
    assert latest_on(new_phone(language).get("/wall")) == ALLOWED[language]


def test_a_new_settlement_comes_before_what_it_cost(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("man"))
    for cube in ("wood", "iron", "mead"):
        played.say(f"fact:gudrun.ship.{cube}", Number(1))
    played.say("gudrun.ship.act", Picked(("settle:man",)), "gudrun")
    line = latest_on(new_phone().get("/wall"))
    assert line.startswith("Gudrun settled Man. ")
    assert line.endswith(" Gudrun: victory points +5 (Man).")
    assert "bank" not in line


def test_what_only_one_may_know_is_neutral_for_the_others(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.begin()
    played.say("turn.draw", Cards(("frigg",)), "gudrun")
    other = new_phone()
    other.sit("eirik")
    for page in (other.get("/now"), other.get("/wall")):
        assert "Saga was drawn" in latest_on(page)
        assert "Frigg" not in latest_on(page)


def test_the_line_follows_undo_and_opens_its_step(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    played.say("fact:gudrun.silver", Number(3))
    page = phone.get("/now")
    assert latest_on(page) == "Silver: 7 → 3."
    number = played.table.story(limit=1)[0].number
    assert f'id="latest" href="/step/{number}"' in page
    played.table.undo()
    assert latest_on(phone.get("/now")).startswith("Back to step")


@pytest.mark.parametrize("language", ["en", "de"])
def test_undo_and_redo_are_told_once_on_the_phone_that_asked(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    """Its note says it; the other phones have the line."""
    played.turn()
    phone, other = new_phone(language), new_phone(language)
    phone.sit("gudrun")
    other.sit("eirik", "Maike")
    words = Words.load()
    for told, way in (("undone", "/undo"), ("redone", "/redo")):
        page = phone.send(way, {}).text
        assert words.tell(say(f"web.told.{told}"), language) in words_of(page)
        assert latest_on(page) == ""
        assert latest_on(other.get("/now")), "the others are told in the line"
        assert latest_on(phone.get("/now")), "so is this one as soon as its note has gone"


def test_what_came_after_an_undo_is_told_beside_its_note(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    phone.send("/undo", {})
    played.say("fact:gudrun.silver", Number(3))
    assert latest_on(phone.get("/now?told=undone")) == "Silver: 7 → 3."


def test_a_number_set_to_what_it_was_leaves_the_line_as_it_is(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    played.say("fact:gudrun.silver", Number(3))
    played.say("fact:gudrun.silver", Number(3))
    for language, line in {
        "en": "Gudrun: Silver: 7 → 3.",
        "de": "Gudrun: Silber: 7 → 3.",
    }.items():
        assert latest_on(new_phone(language).get("/wall")) == line


def test_a_hand_that_was_corrected_says_so_to_those_who_may_not_read_it(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    played.say("fact:gudrun.hand.titles", Cards(("frigg",)), "gudrun")
    assert latest_on(new_phone().get("/wall")) == "A hand was corrected."
    assert latest_on(new_phone("de").get("/wall")) == "Eine Hand wurde berichtigt."


def test_a_long_step_ends_where_the_big_screen_has_no_more_room(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("dorestad"))
    played.say("town.dorestad.flip", Picked(("wood",)), "gudrun")
    bought = {"buy.wood.ship": 1, "buy.saga": 2}
    played.say("gudrun.ship.trade", Filled(dict(bought)), "gudrun")
    line = latest_on(new_phone().get("/wall"))
    assert line.endswith(".")
    assert 20 < len(line) <= 120


def test_a_battle_of_an_older_log_names_the_sides() -> None:
    from companion.games.vikingjarl.events import BattleEnded
    from companion.table.story import told

    (sentence,) = told([BattleEnded("paris", "gudrun", "won")], None)
    words = Words.load()
    assert words.tell(sentence, "en", "vikingjarl") == "Paris: the attack beats the defence"
    assert words.tell(sentence, "de", "vikingjarl") == "Paris: der Angriff siegt gegen die Abwehr"
