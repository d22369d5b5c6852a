"""Answers, undo, two phones and printed values at one table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.table import MovedOn, Refused, Table, Taken
from companion.terms import Answer, Dice, Die, NoSuchKey, Number, Picked

ROLL = Dice((Die("black", "helmet"), Die("black", "helmet"), Die("black", "shield")))


def test_a_hidden_choice_is_seen_by_its_seat_only_until_both_are_in(table: Table) -> None:
    table.answer(Answer("ann.hide", Picked(("cave",)), "ann"))
    assert table.look("ann").fact("ann.hidden") is not None
    assert table.look("bo").fact("ann.hidden") is None
    assert table.story("bo")[0].told[0].key == "event.Hid.secret"
    assert table.story("ann")[0].told[0].key == "event.Hid"
    table.answer(Answer("bo.hide", Picked(("wood",)), "bo"))
    view = table.look(None).view
    assert view is not None
    assert view.picture == {"shown": {"ann": "cave", "bo": "wood"}}


def test_a_missing_printed_value_is_asked_once_and_the_answer_waits(
    raiding: Table, open_table: Callable[[], Table]
) -> None:
    outcome = raiding.answer(Answer("raid.roll", ROLL, "ann"))
    assert isinstance(outcome, Taken)
    assert outcome.pending
    table = open_table()  # the cord was pulled
    assert next(q.key for q in table.look().questions) == "box:shore.worth"
    table.answer(Answer("box:shore.worth", Number(3)))
    fact = table.look().fact("ann.silver")
    assert fact is not None
    assert fact.value == 6
    assert table.look().pending == ()


def test_undo_and_redo_walk_the_line_and_a_new_answer_ends_redo(raiding: Table) -> None:
    raiding.answer(Answer("fact:ann.silver", Number(5)))
    raiding.undo()
    assert raiding.look().facts_by_key["ann.silver"] == 0
    raiding.redo()
    assert raiding.look().facts_by_key["ann.silver"] == 5
    raiding.undo(to=1)
    assert [q.key for s in ("ann", "bo") for q in raiding.look(s).questions] == [
        "ann.hide",
        "bo.hide",
    ]
    raiding.answer(Answer("bo.hide", Picked(("cave",)), "bo"))
    assert isinstance(raiding.redo(), MovedOn)


def test_refused_means_an_objection_and_nothing_logged(raiding: Table) -> None:
    before = len(raiding.story())
    outcome = raiding.answer(Answer("bo.hide", Picked(("cave",)), "bo"))
    assert isinstance(outcome, Refused)
    assert outcome.objections[0].rule == "Toy 2"
    assert len(raiding.story()) == before
    with pytest.raises(NoSuchKey, match="nothing here"):
        raiding.answer(Answer("bo.hid", Picked(("cave",)), "bo"))


def test_two_phones_conflict_only_where_the_same_thing_changed(raiding: Table) -> None:
    rev = raiding.rev
    raiding.answer(Answer("fact:ann.silver", Number(5)), rev=rev)
    assert isinstance(raiding.answer(Answer("fact:ann.silver", Number(7)), rev=rev), MovedOn)
    assert isinstance(raiding.answer(Answer("fact:bo.silver", Number(7)), rev=rev), Taken)


def test_a_double_tap_counts_once(raiding: Table) -> None:
    first = raiding.answer(Answer("fact:ann.silver", Number(5)), id="tap-1")
    again = raiding.answer(Answer("fact:ann.silver", Number(5)), id="tap-1")
    assert first == again
    assert sum(step.key == "fact:ann.silver" for step in raiding.story()) == 1


def test_a_restart_keeps_every_step_and_says_where_it_resumed(
    raiding: Table, open_table: Callable[[], Table]
) -> None:
    raiding.answer(Answer("fact:ann.silver", Number(5)))
    old = raiding.look()
    table = open_table()
    new = table.look()
    assert new.view == old.view
    assert new.rev > old.rev
    assert new.resumed is not None
    assert new.resumed.values == {"step": old.step}


def test_the_trail_of_a_number_tells_each_change(raiding: Table) -> None:
    raiding.answer(Answer("fact:ann.silver", Number(5), person="Signe"))
    raiding.answer(Answer("fact:ann.silver", Number(6), person="Jonas"))
    trail = raiding.trail("ann.silver")
    assert [(s.person, s.changes[0].before, s.changes[0].after) for s in trail] == [
        ("Jonas", 5, 6),
        ("Signe", 0, 5),
    ]


def test_a_preview_changes_nothing(raiding: Table) -> None:
    rev = raiding.rev
    preview = raiding.preview(Answer("fact:ann.silver", Number(5)))
    assert [(c.key, c.before, c.after) for c in preview.changes] == [("ann.silver", 0, 5)]
    assert raiding.rev == rev
    assert raiding.preview(Answer("raid.roll", ROLL, "ann")).needs == "shore.worth"


def test_after_the_cord_the_game_comes_back_that_lay_on_the_table(
    table: Table, open_table: Callable[[], Table]
) -> None:
    seats = table.look().seats
    table = open_table()  # the first game came back once
    second = table.start("toy", seats, {})
    assert open_table().look().game_id == second
    table = open_table()
    table.resume(1)
    assert open_table().look().game_id == 1
