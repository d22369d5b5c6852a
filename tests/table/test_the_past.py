"""The past, corrected: a step voided in the middle, an answer amended, and what follows decided."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from companion.table import Missing, MovedOn, Refused, Rewrite, Stopped, Table, Taken
from companion.terms import Answer, Cards, Dice, Die, NoSuchKey, Number, Picked, Source

HIT, MISS = Die("black", "helmet"), Die("black", "shield")


@pytest.fixture
def evening(raiding: Table) -> Table:
    """Steps: 1 and 2 hide, 4 Ann raids for 2, 5 Bo plays a horn, 6 Bo raids for 1, 7 Ann for 3."""
    raiding.answer(Answer("box:shore.worth", Number(1)))
    raiding.answer(Answer("raid.roll", Dice((HIT, HIT, MISS)), "ann", "Signe"))
    raiding.answer(Answer("bo.card", Cards(("horn",)), "bo"))
    raiding.answer(Answer("raid.roll", Dice((HIT, MISS, MISS)), "bo"))
    raiding.answer(Answer("raid.roll", Dice((HIT, HIT, HIT)), "ann"))
    assert silver(raiding) == (5, 1)
    return raiding


def silver(table: Table) -> tuple[object, object]:
    facts = table.look().facts_by_key
    return facts["ann.silver"], facts["bo.silver"]


def standings(table: Table) -> dict[int, str]:
    return {step.number: step.standing for step in table.story()}


def test_a_die_read_wrong_is_amended_and_all_later_numbers_follow(evening: Table) -> None:
    plan = Rewrite(4, Answer("raid.roll", Dice((HIT, MISS, MISS)), "ann"))
    forward = evening.preview_rewrite(plan)
    assert [(c.key, c.before, c.after) for c in forward.changes] == [("ann.silver", 5, 4)]
    assert [step.number for step in forward.steps] == [4]
    assert silver(evening) == (5, 1)  # a preview changes nothing

    outcome = evening.rewrite(plan, "Maike")
    assert outcome == Taken(evening.rev, 8)
    assert silver(evening) == (4, 1)
    amended = evening.step(4)
    assert amended is not None
    assert amended.standing == "amended"
    assert amended.person == "Maike"
    assert [(c.before, c.after) for c in amended.changes] == [(0, 1)]
    assert [(s.number, s.changes[0].after) for s in evening.trail("ann.silver")] == [(7, 4), (4, 1)]

    evening.undo()
    assert silver(evening) == (5, 1)
    assert standings(evening)[4] == "live"
    evening.redo()
    assert silver(evening) == (4, 1)


def test_a_card_in_the_middle_never_happened(evening: Table) -> None:
    evening.rewrite(Rewrite(5))
    assert silver(evening) == (5, 1)
    assert standings(evening) | {5: "voided", 4: "live", 6: "live", 7: "live"} == standings(evening)
    told = evening.story()[0]
    assert (told.kind, told.target) == ("void", 5)
    evening.undo()
    assert standings(evening)[5] == "live"


def test_deciding_stops_where_an_answer_no_longer_fits_and_offers_three_ways(
    evening: Table,
) -> None:
    """Without Ann's hiding place nobody may raid yet: the raid of step 4 has no question."""
    forward = evening.preview_rewrite(Rewrite(1), "ann")
    assert forward.stop is not None
    assert forward.stop.step == 4
    assert forward.stop.why.key == "table.stop.closed"
    assert "ann.hide" in [q.key for q in forward.stop.questions]
    assert [c.key for c in forward.keep] == ["ann.hidden"]
    assert {c.key: c.after for c in forward.back if c.key.endswith("silver")} == {
        "ann.silver": 0,
        "bo.silver": 0,
    }
    others = evening.preview_rewrite(Rewrite(1), "bo").stop
    assert others is not None
    assert "ann.hide" not in [q.key for q in others.questions]

    before = len(evening.story())
    assert isinstance(evening.rewrite(Rewrite(1)), Stopped)
    assert len(evening.story()) == before  # nothing is half done


def test_first_way_give_the_missing_answer(evening: Table) -> None:
    given = Missing(4, Answer("ann.hide", Picked(("wood",)), "ann"))
    assert isinstance(evening.rewrite(Rewrite(1, missing=(given,)), "Signe"), Taken)
    assert silver(evening) == (5, 1)
    hidden = evening.look("ann").fact("ann.hidden")
    assert hidden is not None
    assert hidden.value == "wood"
    assert standings(evening)[1] == "voided"
    trail = evening.trail("ann.hidden", "ann")
    assert [(step.number, step.person) for step in trail] == [(8, "Signe")]


def test_second_way_leave_the_rest_as_it_happened(evening: Table) -> None:
    evening.rewrite(Rewrite(1, way="keep"))
    assert silver(evening) == (5, 1)
    assert [n for n, standing in standings(evening).items() if standing == "kept"] == [7, 6, 5, 4]
    evening.undo()
    assert "kept" not in standings(evening).values()


def test_third_way_go_back_to_here(evening: Table) -> None:
    evening.rewrite(Rewrite(1, way="back"))
    assert silver(evening) == (0, 0)
    assert [q.key for q in evening.look("ann").questions] == ["ann.hide"]
    evening.answer(Answer("ann.hide", Picked(("wood",)), "ann"))
    evening.answer(Answer("raid.roll", Dice((HIT, MISS, MISS)), "ann"))
    assert silver(evening) == (1, 0)


def test_a_step_may_be_left_out_as_well(evening: Table) -> None:
    """Each raid is left out in turn; the horn needs an open raid and goes too."""
    plan = Rewrite(1)
    left: list[int] = []
    while (stop := evening.preview_rewrite(plan, "ann").stop) is not None:
        left.append(stop.step)
        plan = msgspec.structs.replace(plan, missing=(*plan.missing, Missing(stop.step)))
    assert left == [4, 5, 6, 7]
    evening.rewrite(plan)
    assert silver(evening) == (0, 0)


def test_a_new_answer_meets_the_rules_like_any_other(evening: Table) -> None:
    evening.answer(Answer("fact:bo.silver", Number(9)))
    wrong = Rewrite(8, Answer("fact:bo.silver", Number(41)))
    assert isinstance(evening.rewrite(wrong), Refused)
    assert silver(evening) == (5, 9)
    right = Rewrite(8, Answer("fact:bo.silver", Number(11)))
    assert isinstance(evening.rewrite(right), Taken)
    assert silver(evening) == (5, 11)


def test_what_names_nothing_is_a_request_error(evening: Table) -> None:
    with pytest.raises(NoSuchKey, match="nothing here"):
        evening.preview_rewrite(Rewrite(99))
    assert isinstance(evening.rewrite(Rewrite(99)), MovedOn)
    with pytest.raises(NoSuchKey, match="nothing here"):
        evening.rewrite(Rewrite(4, Answer("raid.rool", Dice(()), "ann")))
    with pytest.raises(NoSuchKey, match="nothing here"):
        evening.rewrite(Rewrite(4, missing=(Missing(77),)))


def test_a_second_phone_that_saw_the_old_past_is_told(evening: Table) -> None:
    seen = evening.rev
    evening.rewrite(Rewrite(5))
    assert isinstance(evening.rewrite(Rewrite(4), rev=seen), MovedOn)
    assert isinstance(evening.rewrite(Rewrite(5)), MovedOn)  # voided already
    once = evening.rewrite(Rewrite(7), id="tap")
    assert evening.rewrite(Rewrite(7), id="tap") == once  # a double tap counts once
    assert silver(evening) == (2, 1)


def test_going_back_behind_an_amend_keeps_the_amended_past(evening: Table) -> None:
    evening.rewrite(Rewrite(4, Answer("raid.roll", Dice((MISS, MISS, MISS)), "ann")))
    evening.undo(to=6)
    assert silver(evening) == (0, 0)
    assert standings(evening)[4] == "amended"
    evening.undo()
    assert silver(evening) == (3, 1)
    evening.undo()
    assert silver(evening) == (5, 1)


def test_amends_upon_amends_survive_the_power_cord(
    evening: Table, open_table: Callable[[], Table]
) -> None:
    evening.rewrite(Rewrite(1, missing=(Missing(4, Answer("ann.hide", Picked(("wood",)), "ann")),)))
    evening.rewrite(Rewrite(8, Answer("ann.hide", Picked(("cave",)), "ann")))
    evening.rewrite(Rewrite(4, Answer("raid.roll", Dice((MISS, MISS, MISS)), "ann")))
    evening.rewrite(Rewrite(6))
    evening.rewrite(Rewrite(2, way="keep"))
    facts, story = evening.look("ann").facts_by_key, evening.story("ann")
    again = open_table()
    assert again.look("ann").facts_by_key == facts
    assert again.story("ann") == story
    for _ in range(5):
        again.undo()
    assert silver(again) == (5, 1)
    assert set(standings(again).values()) == {"live"}


def test_an_amended_throw_keeps_its_picture_and_says_that_a_hand_was_in_it(evening: Table) -> None:
    source = Source("throw", 7, "tray_camera")
    evening.answer(Answer("raid.roll", Dice((HIT, HIT, HIT)), "bo", source=source))
    evening.rewrite(Rewrite(8, Answer("raid.roll", Dice((HIT, HIT, MISS)), "bo")))
    step = evening.step(8)
    assert step is not None
    assert (step.source.kind, step.source.reading, step.source.corrected) == ("throw", 7, True)


def test_a_printed_value_told_wrong_is_corrected_and_the_past_decided_again(
    evening: Table,
) -> None:
    evening.answer(Answer("box:shore.worth", Number(2)))
    assert silver(evening) == (5, 1)  # entries keep the value they read
    value = evening.printed_values()[0]
    assert (value.key, value.value, value.otherwise) == ("shore.worth", 2, 4)
    evening.rewrite(Rewrite(4, box="shore.worth"))
    assert silver(evening) == (10, 2)
    assert evening.printed_values()[0].otherwise is None
    evening.undo()
    assert silver(evening) == (5, 1)


def test_what_was_said_is_shown_to_those_who_may_know(evening: Table) -> None:
    roll = evening.said_at(4)
    assert roll is not None
    assert roll.question is not None
    assert roll.question.key == "raid.roll"
    assert evening.said_at(1, "ann") is not None
    assert evening.said_at(1, "bo") is None
    assert evening.said_at(3) is None  # a printed value has its own page
