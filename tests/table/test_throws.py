"""A throw becomes a proposal, and a proposal an answer (DESIGN 5)."""

from __future__ import annotations

import msgspec

from companion.table import MovedOn, Table, Taken
from companion.terms import Answer, DiceReading, Number, SeenDie


def throw(settle: int, *faces: str | None, colour: str = "black", **more: object) -> DiceReading:
    dice = tuple(
        SeenDie(colour, face, 0.98 if face else 0.4, 20.0 * i, 30.0, likely=(("helmet", 0.6),))
        for i, face in enumerate(faces)
    )
    return DiceReading("tray_camera", "battle", dice, settle, 1.0)


def silver(table: Table, seat: str) -> object:
    fact = table.look().fact(f"{seat}.silver")
    assert fact is not None
    return fact.value


def with_worth(table: Table, worth: int = 2) -> Table:
    table.answer(Answer("box:shore.worth", Number(worth)))
    return table


def test_a_certain_roll_that_was_asked_for_is_taken_after_the_grace_time(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet", "shield"), now=10.0)
    raiding.tick(13.9)
    assert silver(raiding, "ann") == 0
    raiding.tick(14.0)
    assert silver(raiding, "ann") == 4
    assert raiding.look().proposals == ()


def test_any_touch_stops_the_grace_time(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet", "shield"), now=10.0)
    raiding.touch()
    raiding.tick(100.0)
    assert silver(raiding, "ann") == 0
    assert isinstance(raiding.accept(raiding.look().proposals[0].id), Taken)
    assert silver(raiding, "ann") == 4


def test_a_doubtful_die_waits_for_one_tap(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", None, "shield"), now=10.0)
    raiding.tick(100.0)
    proposal = raiding.look().proposals[0]
    assert [die.unsure for die in proposal.dice] == [False, True, False]
    assert isinstance(raiding.correct(proposal.id, 1, face="shield", person="Ann"), Taken)
    assert silver(raiding, "ann") == 2
    assert raiding.story()[0].source.corrected


def test_dice_come_in_loads(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet"), now=10.0)
    assert raiding.look().proposals[0].missing == {"black": 1}
    raiding.read(throw(2, "helmet"), now=20.0)
    raiding.tick(24.0)
    assert silver(raiding, "ann") == 6


def test_a_die_of_no_colour_is_the_one_that_the_load_before_it_missed(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet"), now=10.0)
    raiding.read(throw(2, None, colour=""), now=20.0)
    proposal = raiding.look().proposals[0]
    assert [die.seen.colour for die in proposal.dice] == ["black"] * 3
    assert [die.unsure for die in proposal.dice] == [False, False, True]
    assert isinstance(raiding.correct(proposal.id, 2, face="helmet", person="Ann"), Taken)
    assert silver(raiding, "ann") == 6


def test_too_many_dice_are_seen_and_not_used_until_people_tap_those_that_count(
    raiding: Table,
) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet", "shield", "shield", "helmet"), now=10.0)
    raiding.tick(100.0)
    proposal = raiding.look().proposals[0]
    assert not any(die.used for die in proposal.dice)
    for die in (0, 1, 4):
        raiding.correct(proposal.id, die, used=True)
    assert silver(raiding, "ann") == 6


def test_the_same_throw_never_counts_twice(raiding: Table) -> None:
    with_worth(raiding)
    for _ in range(2):
        raiding.read(throw(7, "helmet", "helmet", "helmet"), now=10.0)
    assert len(raiding.look().proposals) == 1
    raiding.tick(20.0)
    raiding.read(throw(7, "helmet", "helmet", "helmet"), now=30.0)
    assert raiding.look().proposals == ()


def test_what_grace_took_and_somebody_undid_only_a_tap_takes_again(raiding: Table) -> None:
    with_worth(raiding)
    raiding.read(throw(1, "helmet", "helmet", "shield"), now=10.0)
    raiding.tick(14.0)
    raiding.undo(person="Bo")
    assert silver(raiding, "ann") == 0
    raiding.tick(1000.0)
    assert silver(raiding, "ann") == 0
    assert isinstance(raiding.accept(raiding.look().proposals[0].id, "Bo"), Taken)
    assert silver(raiding, "ann") == 4


def test_a_proposal_that_is_gone_is_told_so(raiding: Table) -> None:
    assert isinstance(raiding.accept(99), MovedOn)


def test_a_die_that_cannot_be_read_at_all_is_asked_where_the_roll_misses_it(
    raiding: Table,
) -> None:
    with_worth(raiding)
    seen = throw(1, "helmet", "shield")
    blind = SeenDie("", None, 0.0, 80.0, 40.0)
    raiding.read(msgspec.structs.replace(seen, dice=(*seen.dice, blind)), now=10.0)
    proposal = raiding.look().proposals[0]
    assert proposal.missing == {}
    assert [die.unsure for die in proposal.dice] == [False, False, True]
    raiding.correct(proposal.id, 2, face="helmet", person="Ann")
    assert silver(raiding, "ann") == 4


def test_something_unreadable_beside_an_exact_roll_is_left_out(raiding: Table) -> None:
    seen = throw(1, "helmet", "shield", "shield")
    blind = SeenDie("", None, 0.0, 80.0, 40.0)
    raiding.read(msgspec.structs.replace(seen, dice=(*seen.dice, blind)), now=10.0)
    proposal = raiding.look().proposals[0]
    assert proposal.complete
    assert not proposal.dice[3].used
