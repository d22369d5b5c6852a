"""What the buttons beside a question do is said on them, and they do just that."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.terms import Cards, Done, Filled, Number, Picked, Placed
from tests.web.playing import PhoneOf, Played, words_of

LANGUAGES = ("en", "de")


def ways_of(page: str) -> list[str]:
    """Return the words of the buttons beside the loud question, and of its "done"."""
    loud = re.search(r'<section class="q stack" id="q-.*?</section>', page, re.DOTALL)
    assert loud
    found = re.findall(
        r'<button class="btn[^"]*btn-full choice choice-bare".*?</button>', loud.group(), re.DOTALL
    )
    return [words_of(button) for button in found]


INTO_THE_ZONE = {
    "en": ["All of them, 5 at most Jorvik: 3 Vikings against 2 defenders"],
    "de": ["Alle hinein, höchstens 5 Jorvik: 3 Wikinger gegen 2 Verteidiger"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_goes_into_the_battlezone_is_said_on_the_button(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    """ "It happened" would send in the same Vikings: there is one button for it."""
    played.declare()
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == INTO_THE_ZONE[language]
    phone.send("/go-on", {"key": "battle.commit"})
    assert (played.fact("battle.attackers"), played.fact("battle.defenders")) == (3, 2)


ONE_UNIT = {"en": "The attacking unit alone", "de": "Die angreifende Einheit allein"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_that_only_begin_are_no_change_to_tell(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    """Whoever attacks alone begins a battle: its empty numbers are nothing that anybody decides."""
    played.meet_at_sea()
    played.say("gudrun.army.act", Picked(("attack:eirik",)), "gudrun")
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == [ONE_UNIT[language]]


WITHOUT_DICE = {
    "en": ["It happened at the table Next you say how many still stand."],
    "de": ["Am Tisch geschehen Als Nächstes sagst du, wie viele noch stehen."],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_throw_that_was_not_seen_is_asked_for_its_survivors(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.attack()
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == WITHOUT_DICE[language]
    phone.send("/answer", {"key": "battle.roll", "done": "1"})
    assert next(q.key for q in played.table.look("gudrun").questions) == "battle.survivors"


def last_losses(played: Played) -> None:
    """Ship and Army of Gudrun took Jorvik; which of them loses its Viking is asked."""
    played.turn()
    for unit in ("ship", "army"):
        played.say(f"fact:gudrun.{unit}.at", Placed("jorvik"))
        played.say(f"fact:gudrun.{unit}.v", Number(1))
    played.say("gudrun.ship.act", Picked(("attack:jorvik",)), "gudrun")
    played.say("battle.units", Picked(("ship", "army")), "gudrun")
    shield = Filled({"defenders": 2, "vp": 2, "reward": "mead"})
    played.say("town.jorvik.flip", shield, "gudrun")
    played.say("battle.commit", Done(), "gudrun")
    played.throw_counts("B HH W HM")


LOSSES_AND_THE_END = {
    "en": (
        "It happened at the table Jorvik: Gudrun beats the town "
        "Gudrun: victory points +2 (Jorvik) Gudrun: +1 mead, Ship"
    ),
    "de": (
        "Am Tisch geschehen Jorvik: Gudrun siegt gegen die Stadt "
        "Gudrun: Siegpunkte +2 (Jorvik) Gudrun: +1 Met, Schiff"
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_a_battle_ends_the_button_says_how(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    last_losses(played)
    phone = new_phone(language)
    phone.sit("gudrun")
    (way,) = ways_of(phone.get("/now"))
    assert way.startswith(LOSSES_AND_THE_END[language])
    phone.send("/answer", {"key": "battle.losses", "done": "1"})
    assert played.fact("gudrun.vp") == 8
    assert played.fact("gudrun.ship.mead") == 1


def test_losses_that_leave_no_choice_say_what_they_lead_to(played: Played, phone: PhoneOf) -> None:
    """Tyr could still turn a die: "done" goes on without him."""
    played.attack()
    played.throw_counts("B MMM W HH")
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == ["Done Gudrun loses 2 Vikings, Ship"]
    phone.send("/answer", {"key": "battle.losses", "done": "1"})
    assert played.fact("gudrun.ship.v") == 1


NEXT_ROUND = {
    "en": ["Done Then the next round follows."],
    "de": ["Erledigt Dann folgt die nächste Runde."],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_falls_the_next_round_is_told(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.attack()
    played.throw_counts("B MMM W MM")
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == NEXT_ROUND[language]
    phone.send("/answer", {"key": "battle.losses", "done": "1"})
    assert [q.key for q in played.table.look("gudrun").questions][:1] == ["battle.roll"]


THE_DOUBTFUL_DIE = {
    "en": "Helmet Round 1: 2 hits against 0 hits Jorvik: Gudrun beats the town",
    "de": "Helm Runde 1: 2 Treffer gegen 0 Treffer Jorvik: Gudrun siegt gegen die Stadt",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_doubtful_die_that_decides_the_battle_says_so(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.attack()
    played.throw("B HHM W MM", unsure=1)
    phone = new_phone(language)
    phone.sit("gudrun")
    told = words_of(phone.get("/now"))
    assert THE_DOUBTFUL_DIE[language] in told
    assert told.count(THE_DOUBTFUL_DIE[language].partition(": ")[2].partition(": ")[2]) == 1


LETTING_IT_HAPPEN = {
    "en": ["Let it happen Eirik lets Thor happen Eirik: silver −2 (Thor)"],
    "de": ["Geschehen lassen Eirik lässt Thor geschehen Eirik: Silber −2 (Thor)"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_letting_a_saga_happen_says_what_it_does(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.say("fact:eirik.ship.at", Placed("sea_man"))
    played.say("gudrun.saga", Cards(("thor",)), "gudrun")
    played.say("saga.target", Picked(("eirik",)), "gudrun")
    played.say("saga.take", Picked(("silver",)), "gudrun")
    phone = new_phone(language)
    phone.sit("eirik")
    assert ways_of(phone.get("/now")) == LETTING_IT_HAPPEN[language]
    phone.send("/go-on", {"key": "eirik.cancel"})
    assert played.fact("eirik.silver") == 0


NOTHING = {
    "en": ["It happened at the table Nothing is written down for it."],
    "de": ["Am Tisch geschehen Dafür wird nichts eingetragen."],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_writes_nothing_down_says_so(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    """Loot that is only carried off at the table; "nothing" is a button of the question itself."""
    played.meet_at_sea()
    played.say("gudrun.army.act", Picked(("attack:eirik",)), "gudrun")
    played.say("battle.units", Picked(("army",)), "gudrun")
    played.say("battle.commit", Done(), "gudrun")
    played.say("battle.roll", Done())
    played.say("battle.survivors", Filled({"attackers": 1, "defenders": 0}))
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == NOTHING[language]


GOODS = {
    "en": ["It happened at the table Birka sells goods that nobody named"],
    "de": ["Am Tisch geschehen Birka verkauft Güter, die niemand nannte"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trade_town_whose_goods_nobody_told_sells_what_nobody_named(
    played: Played, new_phone: Callable[..., PhoneOf], language: str
) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("birka"))
    phone = new_phone(language)
    phone.sit("gudrun")
    assert ways_of(phone.get("/now")) == GOODS[language]
