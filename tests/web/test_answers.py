"""What people's forms do to the game, as they stand on the pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.terms import Picked, Placed
from tests.web.playing import PhoneOf, Played, form_with, words_of


def tap(phone: PhoneOf, page: str, *marks: str, **more: str) -> str:
    """Send the form with these marks, as a tap on one of its buttons does; return the next page."""
    action, fields = form_with(page, *marks)
    return phone.client.post(action, data=fields | more, follow_redirects=True).text


def test_a_turn_goes_by_taps(played: Played, phone: PhoneOf) -> None:
    played.begin()
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), "turn.draw", done="1")
    assert played.fact("gudrun.hand") == 2
    page = tap(phone, page, "gudrun.ship.move", value="ribe")
    assert played.fact("gudrun.ship.at") == "ribe"
    page = tap(phone, page, "turn.end", done="1")
    assert "Eirik's turn" in words_of(page)


def test_the_rules_object_and_the_table_wins(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    many = {"from": "ship", "to": "kaupang", "kind": "v", "number": "4"}
    page = tap(phone, phone.get("/now"), "gudrun.transfer", **many)
    assert "There are only 3." in words_of(page)
    assert "We did it anyway" in words_of(page)
    assert "Choose another" in words_of(page)
    assert played.fact("gudrun.kaupang.v") == 0, "an objection changes nothing"
    tap(phone, page, 'id="anyway"', insist="1")
    assert played.fact("gudrun.kaupang.v") == 3


def test_a_sure_throw_is_taken_by_one_tap(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM")
    phone.sit("gudrun")
    tap(phone, phone.get("/now"), 'action="/throw"', "Take this throw")
    assert not played.table.look("gudrun").proposals
    assert played.fact("battle.round") == 1


def test_the_last_doubt_settled_takes_the_throw(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM", unsure=4)
    phone.sit("gudrun")
    page = phone.get("/now")
    assert "unsure" in words_of(page)
    assert "Take this throw" not in words_of(page)
    tap(phone, page, 'action="/die"', "Helmet", face="helmet")
    step = played.table.story("gudrun", 1)[0]
    assert step.source.kind == "throw"
    assert step.source.corrected
    assert "A die, by Signe" in words_of(phone.get("/fact/battle.round"))


def test_a_tap_on_a_die_turns_it(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM")
    phone.sit("gudrun")
    proposal = played.table.look("gudrun").proposals[0]
    tap(phone, phone.get("/now"), f'id="die-{proposal.id}-1"', face="helmet")
    turned = played.table.look("gudrun").proposals[0].dice[1]
    assert turned.face == "helmet"
    assert turned.by_hand


def test_of_too_many_dice_people_tap_those_that_count(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMMH W MM")
    phone.sit("gudrun")
    page = phone.get("/now")
    wanted = "3 black dice were wanted, 4 lie there: tap the 3 that count."
    for die in (0, 1, 2):
        assert wanted in words_of(page)
        assert "more" not in words_of(page).partition(wanted)[0]
        assert words_of(page).count("counts?") == 4 - die
        proposal = played.table.look("gudrun").proposals[0]
        page = tap(phone, page, f'id="die-{proposal.id}-{die}"', used="yes")
    assert not played.table.look("gudrun").proposals, "the third one made it complete: it is taken"


def test_of_dice_that_nobody_wanted_one_is_named_in_german(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.attack()
    phone = new_phone("de")
    phone.sit("gudrun")
    played.throw("B HMM W M")
    assert "Es fehlt noch 1 Würfel (weiß)." in words_of(phone.get("/now"))
    played.throw("B HMM W MMM R H")
    page = words_of(phone.get("/now"))
    assert "2 Würfel (weiß) waren gefragt, 3 liegen da: tippe die 2 an, die zählen." in page
    assert "Es fehlt" not in page
    assert "zählt nicht" in page, "the red one"


def test_a_throw_can_be_set_by_hand(played: Played, phone: PhoneOf) -> None:
    played.attack()
    phone.sit("gudrun")
    faces = {f"attack.black.{n}": "helmet" for n in range(3)}
    faces |= {f"defence.white.{n}": "shield" for n in range(2)}
    tap(phone, phone.get("/now"), "battle.roll", "attack.black.0", **faces)
    assert played.table.story("gudrun", 1)[0].key == "battle.roll"


def test_a_die_left_out_is_asked_for(played: Played, phone: PhoneOf) -> None:
    played.attack()
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), "battle.roll", "attack.black.0")
    assert "The black die 1 shows nothing yet." in words_of(page)


def test_a_die_left_out_is_asked_for_in_german(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.attack()
    phone = new_phone("de")
    phone.sit("gudrun")
    page = phone.send("/answer", {"key": "battle.roll"}).text
    assert "Würfel 1 (schwarz) zeigt noch nichts." in words_of(page)
    page = phone.send("/answer", {"key": "fact:gudrun.silver", "value": ""}).text
    assert "„“ ist keine Zahl, die hier stehen kann (value)." in words_of(page)


def test_any_touch_stops_the_grace_time(played: Played, phone: PhoneOf) -> None:
    played.attack()
    played.throw("B HMM W MM", now=100.0)
    assert played.table.look(None).proposals[0].grace_until is not None
    phone.sit("gudrun")
    assert "Any touch stops it" in words_of(phone.get("/now"))
    phone.send("/touch", {})
    assert played.table.look(None).proposals[0].grace_until is None
    assert "Any touch stops it" not in words_of(phone.get("/now"))


def test_an_unknown_card_is_named_once(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.say("box:aegir.symbol", Picked(("no",)))
    played.tap("04a1b2c3d4e5f6")
    phone.sit("gudrun")
    page = phone.get("/now")
    assert "Which card is this?" in words_of(page)
    tap(phone, page, 'name="title"', title="aegir")
    assert "Which card is this?" not in words_of(phone.get("/now"))
    for card in played.table.look(None).cards:
        played.table.dismiss(card.id)
    played.tap("04a1b2c3d4e5f6")
    assert "Which card is this?" not in words_of(phone.get("/now"))


@pytest.mark.parametrize("turn", ["gudrun", "eirik"])
def test_a_card_that_nobody_may_play_now_is_judged_for_whoever_has_the_turn(
    played: Played, phone: PhoneOf, turn: str
) -> None:
    played.turn()
    played.say("fact:turn.jarl", Picked((turn,)))
    played.store.remember("tags", "vikingjarl", "04a1b2c3d4e5f6", "tyr")
    played.tap("04a1b2c3d4e5f6")
    card = played.table.look(None).cards[0]
    assert card.choices[0] == card.key == f"{turn}.saga"
    assert len(card.choices) == 4
    phone.sit(turn)
    assert "Tyr" in words_of(phone.get("/now"))


def test_a_card_whose_sign_nobody_told_can_be_named(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.tap("04a1b2c3d4e5f6")
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), 'name="title"', title="aegir")
    assert "The companion stumbled" not in words_of(page)


def test_what_the_box_says_is_asked_and_the_answer_waits(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("gijon"))
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), "gudrun.ship.act", value="attack:gijon")
    while not played.table.look(None).pending:
        asked = played.table.look("gudrun").questions[0]
        assert asked.default is not None, f"{asked.key} is asked before the box"
        page = tap(phone, page, 'action="/go-on"', asked.key)
    assert "What does the box say" in words_of(page)
    assert "Kept. It waits for what the box says." in words_of(page)
    for _ in range(2):  # the defenders on the shield, then the silver beside it
        key = next(q.key for q in played.table.look(None).questions if q.key.startswith("box:"))
        page = tap(phone, page, key, value="2")
    assert not played.table.look(None).pending
    assert "Gudrun attacks in Gijon" in words_of(page)


def test_undo_names_its_step_and_loses_nothing(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    last = played.table.look(None).undoable
    page = phone.get("/story")
    assert f"Undo step {last}" in words_of(page)
    page = tap(phone, page, 'action="/undo"')
    assert "Undone. Nothing is lost." in words_of(page)
    assert f"Redo step {last}" in words_of(page)
    page = tap(phone, page, 'action="/redo"')
    assert "Brought back." in words_of(page)
    assert played.fact("gudrun.hand") == 2


def test_back_to_a_step_takes_all_later_ones(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    first = next(s for s in played.table.story("gudrun") if s.key == "fact:gudrun.vp")
    page = phone.get(f"/step/{first.number}")
    tap(phone, page, 'name="to"', to=str(first.number))
    assert played.fact("gudrun.vp") == 0
    assert played.fact("gudrun.silver") == 1


def test_a_number_is_corrected_where_it_stands(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    tap(phone, phone.get("/fact/gudrun.silver"), 'name="value"', value="3")
    assert played.fact("gudrun.silver") == 3
    assert "by hand" in words_of(phone.get("/fact/gudrun.silver"))
    page = tap(phone, phone.get("/fact/gudrun.silver"), 'name="value"', value="-4")
    assert "outside" in words_of(page), "out of bounds is an objection, never an error"


def test_plus_and_minus_of_the_scorekeeper(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    phone.send("/help", {"level": "scorekeeper"})
    assert "scorekeeper, nothing is asked" in words_of(phone.get("/now"))
    page = phone.get("/board")
    action, fields = form_with(page, 'id="more-gudrun-silver"')
    answer = phone.client.post(action, data=fields | {"value": "8"})
    assert answer.status_code == 303
    assert played.fact("gudrun.silver") == 8


def test_a_thing_is_tapped_and_then_its_place(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    page = phone.get("/board?pick=ship:iron")
    assert "iron from Ship. Tap a free space." in words_of(page)
    tap(phone, page, "gudrun.transfer", 'name="to" value="army"', to="army")
    assert played.fact("gudrun.army.iron") == 1
    assert played.fact("gudrun.ship.iron") == 0


def test_two_phones_never_overwrite_each_other(
    played: Played, new_phone: Callable[..., PhoneOf]
) -> None:
    played.turn()
    one, other = new_phone(), new_phone()
    one.sit("gudrun", "Signe")
    other.sit("gudrun", "Maike")
    old = other.get("/fact/gudrun.silver")
    tap(one, one.get("/fact/gudrun.silver"), 'name="value"', value="5")
    page = tap(other, old, 'name="value"', value="9")
    assert "The table moved on meanwhile" in words_of(page)
    assert played.fact("gudrun.silver") == 5
    elsewhere = other.get("/fact/gudrun.vp")
    tap(one, one.get("/fact/gudrun.silver"), 'name="value"', value="6")
    tap(other, elsewhere, 'name="value"', value="7")
    assert played.fact("gudrun.vp") == 7, "another number is no conflict: both count"
    assert played.fact("gudrun.silver") == 6


def test_a_double_tap_counts_once(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    action, fields = form_with(phone.get("/now"), "gudrun.transfer")
    fields |= {"from": "ship", "to": "kaupang", "kind": "v", "number": "1"}
    phone.client.post(action, data=fields)
    phone.client.post(action, data=fields)
    assert played.fact("gudrun.kaupang.v") == 1


def test_a_person_never_looks_like_the_table_in_the_log(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun", "")
    phone.send("/undo", {})
    assert played.table.story(None, 1)[0].person == "Signe", "the seat's person stands in"


def test_names_are_kept_composed_and_shown_escaped(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun", "Bjo\u0308rn & <Þórr> 🐺 'O\u2019")
    page = phone.get("/now")
    assert "Björn &amp; &lt;Þórr&gt; 🐺" in page


def test_a_new_game_is_set_up_and_the_old_one_stays(played: Played, phone: PhoneOf) -> None:
    played.turn()
    old = played.table.look(None).game_id
    begun = {
        "jarl.1": "brage",
        "colour.1": "black",
        "person.1": "Tom",
        "ship.1": "2",
        "jarl.2": "harald",
        "colour.2": "blue",
        "ship.2": "4",
        "first": "2",
        "target_vp": "12",
    }
    page = phone.send("/setup", begun).text
    assert "Take your seat" in words_of(page)
    assert [s.id for s in played.table.look(None).seats] == ["brage", "harald"]
    assert played.fact("brage.army.v") == 2
    assert played.table.look(None).view.turn == "harald"  # type: ignore[union-attr]
    tap(phone, phone.get("/table"), f'value="{old}"', resume=str(old))
    assert played.table.look(None).game_id == old
    assert played.fact("gudrun.vp") == 6


def test_a_set_up_that_cannot_be_says_why_in_words(
    played: Played, phone: PhoneOf, new_phone: Callable[..., PhoneOf]
) -> None:
    same = {"jarl.1": "brage", "colour.1": "red", "jarl.2": "harald", "colour.2": "red"}
    answer = phone.send("/setup", same)
    assert answer.status_code == 422
    assert "cannot begin" in words_of(answer.text)
    assert "Colours seen: red and red" in words_of(answer.text)
    german = new_phone("de").send("/setup", same | {"colour.1": "blue", "ship.1": "9"})
    assert "Wikinger von Brage auf dem Schiff" in words_of(german.text)
    assert "angegeben ist 9. Erwartet: 0 bis 4" in words_of(german.text)
    alone = new_phone("de").send("/setup", {"jarl.1": "brage", "colour.1": "red"})
    assert "1 Jarl gewählt: Brage. Erwartet: 2 bis 4" in words_of(alone.text)
    nobody = new_phone("de").send("/setup", {})
    assert "Niemand ist gewählt. Erwartet: 2 bis 4" in words_of(nobody.text)


def test_house_rules_are_set_at_the_start(played: Played, phone: PhoneOf) -> None:
    page = phone.get("/setup")
    assert "pillage_counts" in page
    two = {"jarl.1": "brage", "colour.1": "black", "jarl.2": "harald", "colour.2": "blue"}
    phone.send("/setup", two | {"switch.pillage_counts": "all_present"})
    assert played.fact("switch.pillage_counts") == "all_present"
    assert "all in the town" in words_of(phone.get("/rules"))


def test_a_seat_can_be_left_and_changed(played: Played, phone: PhoneOf) -> None:
    played.turn()
    phone.sit("gudrun")
    phone.sit("eirik")
    assert "Eirik" in words_of(phone.get("/now"))
    phone.send("/seat", {"rise": "eirik"})
    assert "Gudrun Signe" in words_of(phone.get("/now"))


def test_the_default_is_one_tap(played: Played, phone: PhoneOf) -> None:
    played.turn()
    played.say("fact:gudrun.ship.at", Placed("jorvik"))
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), "gudrun.ship.act", value="attack:jorvik")
    page = tap(phone, page, "town.jorvik.flip", defenders="2", vp="2", reward="mead")
    assert "How many Vikings" in words_of(page)
    tap(phone, page, 'action="/go-on"', "battle.commit")
    assert played.fact("battle.attackers") == 3


def test_it_happened_at_the_table_needs_no_detail(played: Played, phone: PhoneOf) -> None:
    played.attack()
    phone.sit("gudrun")
    before = played.table.look(None).step
    tap(phone, phone.get("/now"), "battle.roll", 'name="done"', done="1")
    assert played.table.look(None).step > before


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("Sea North", "sea_North"),
        ("see Nord", "sea_Nord"),
        ("far north", "sea_far_north"),
        ("Man", "man"),
    ],
)
def test_a_place_may_be_written_in_either_language(
    played: Played, phone: PhoneOf, written: str, place: str
) -> None:
    played.turn()
    phone.sit("gudrun")
    action, fields = form_with(phone.get("/now"), "gudrun.ship.move")
    phone.send(action, {**fields, "value": "", "value.written": written})
    assert played.fact("gudrun.ship.at") == place


def test_where_done_is_all_there_is_to_say_one_button_says_it(
    played: Played, phone: PhoneOf
) -> None:
    played.attack()
    played.throw("B HMM W MH")
    phone.sit("gudrun")
    page = tap(phone, phone.get("/now"), 'action="/throw"', "Take this throw")
    losses = page.partition('id="q-battle-losses"')[2].partition("</section>")[0]
    assert "Done" in words_of(losses)
    assert "As suggested" not in words_of(losses)
    tap(phone, page, 'value="battle.losses"')
    assert all(q.key != "battle.losses" for q in played.table.look("gudrun").questions)


def test_a_question_that_begins_with_a_place_begins_with_a_capital_letter(
    played: Played, phone: PhoneOf
) -> None:
    """A sea zone is written small within a sentence: "sea off Man"."""
    played.meet_at_sea()
    played.say("gudrun.army.act", Picked(("attack:eirik",)), "gudrun")
    for key in ("battle.units", "battle.commit"):
        asked = next(q for q in played.table.look("gudrun").questions if q.key == key)
        assert asked.default is not None
        played.say(key, asked.default, "gudrun")
    phone.sit("gudrun")
    assert "Sea off Man, round 1" in words_of(phone.get("/now"))
    assert "Gudrun attacks at sea off Man" in words_of(phone.get("/now"))
