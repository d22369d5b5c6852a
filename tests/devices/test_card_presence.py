"""Which card lies on the reader, told from looks of ten times a second."""

from __future__ import annotations

from collections.abc import Iterable

from companion.devices.card_presence import CardPresence, Happening

FRIGG, TYR = "04a1b2c3d4e5f6", "04112233445566"


def watch(looks: Iterable[str | None], presence: CardPresence | None = None) -> list[Happening]:
    presence = presence or CardPresence()
    return [h for at, uid in enumerate(looks) for h in presence.saw(uid, at / 10)]


def told(looks: Iterable[str | None]) -> list[tuple[str, str]]:
    return [(h.kind, h.uid) for h in watch(looks)]


def test_a_card_arrives_once_however_long_it_lies():
    assert told([None, *[FRIGG] * 300]) == [("arrived", FRIGG)]


def test_arrival_and_leaving_carry_the_time_of_the_first_and_the_last_sight():
    assert watch([None, FRIGG, FRIGG, FRIGG, *[None] * 9]) == [
        Happening("arrived", FRIGG, 0.1),
        Happening("left", FRIGG, 0.3),
    ]


def test_a_card_that_answers_every_second_look_is_one_card():
    assert told([FRIGG, None] * 50) == [("arrived", FRIGG)]


def test_three_misses_do_not_lift_a_card():
    assert told([FRIGG, FRIGG, None, None, None, FRIGG, None, None, None, FRIGG]) == [
        ("arrived", FRIGG)
    ]


def test_many_quick_misses_do_not_lift_a_card_either():
    presence = CardPresence()
    watch([FRIGG, FRIGG], presence)
    assert [h for n in range(40) for h in presence.saw(None, 0.1 + n / 100)] == []


def test_one_late_miss_does_not_lift_a_card():
    presence = CardPresence()
    watch([FRIGG, FRIGG], presence)
    assert presence.saw(None, 60.0) == []  # the companion's computer had slept
    assert presence.saw(FRIGG, 60.1) == []


def test_the_same_card_laid_again_counts_again():
    assert told([FRIGG, FRIGG, *[None] * 8, FRIGG, FRIGG]) == [
        ("arrived", FRIGG),
        ("left", FRIGG),
        ("arrived", FRIGG),
    ]


def test_a_card_laid_in_place_of_another():
    assert told([*[FRIGG] * 5, None, *[TYR] * 6]) == [
        ("arrived", FRIGG),
        ("left", FRIGG),
        ("arrived", TYR),
    ]


def test_a_card_seen_only_once_is_not_booked():
    assert told([None, FRIGG, *[None] * 10]) == [("pulled", FRIGG)]


def test_cards_that_take_turns_are_two_and_neither_is_booked():
    kinds = {kind for kind, _ in told([FRIGG, TYR] * 20)}
    assert kinds == {"two"}


def test_when_one_of_two_is_taken_away_the_other_arrives():
    assert told([*[FRIGG, TYR] * 5, *[TYR] * 30])[-1] == ("arrived", TYR)


def test_a_second_card_beside_a_lying_one_does_not_chase_it_away():
    happened = told([FRIGG, FRIGG, *[TYR, FRIGG] * 10])
    assert [h for h in happened if h[0] != "two"] == [("arrived", FRIGG)]
    assert ("two", FRIGG) in happened


def test_a_card_that_lay_through_a_short_outage_counts_on():
    presence = CardPresence()
    watch([FRIGG, FRIGG], presence)
    assert presence.back(5.0, outage=4.0) == []
    assert presence.saw(FRIGG, 5.1) == []


def test_after_a_long_outage_nobody_knows_whether_it_is_the_same_placement():
    presence = CardPresence()
    watch([FRIGG, FRIGG], presence)
    assert [h.kind for h in presence.back(95.0, outage=94.0)] == ["left"]
    assert [h.kind for at in (95.1, 95.2) for h in presence.saw(FRIGG, at)] == ["arrived"]


def test_a_card_is_coming_between_its_first_sight_and_its_second():
    presence = CardPresence()
    coming = []
    for look, uid in enumerate([None, FRIGG, FRIGG, FRIGG]):
        presence.saw(uid, look / 10)
        coming.append(presence.coming)
    assert coming == [False, True, False, False]
