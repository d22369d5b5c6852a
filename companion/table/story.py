"""The story and the trail of a number: sentences from the log, and what each step changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from companion.session import LiveStep, Row, Session
from companion.table.records import Standing, Step
from companion.terms import Change, DiceReading, Fact, Number, Picked, Say, Value, View

Gathered: TypeAlias = dict[str, tuple[Fact, tuple[str, ...]]]
"""Facts by key, each with the only seats that may see it (empty: all)."""


def told(events: Iterable[Any], seat: str | None) -> tuple[Say, ...]:
    """Return each event as a sentence; a secret one is neutral for those who may not read it."""
    sentences: list[Say] = []
    for event in events:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        readers = fields.get("readers")
        name = type(event).__name__
        if readers is not None and seat not in readers:
            sentences.append(Say(f"event.{name}.secret", {"seats": list(readers)}))
        else:
            sentences.append(Say(f"event.{name}", fields))
    return tuple(sentences)


def step_of(
    session: Session,
    row: Row,
    live: LiveStep | None,
    changes: tuple[Change, ...],
    reading: DiceReading | None,
    seat: str | None,
) -> Step:
    """Return one row of the log as a line of the story, as this seat may see it.

    `row` is the row as it stands now, `live` its live step: None for a control or a lost one.
    """
    crops = () if reading is None else tuple(die.crop for die in reading.dice if die.crop)
    return Step(
        row.number,
        row.kind,
        row.answer.key if row.answer else "",
        told(session.events_of(row), seat) if row.kind == "answer" else (_control(row),),
        row.answer.seat if row.answer else None,
        row.person,
        row.source,
        _standing(session, row, live),
        target=row.target,
        at=row.at,
        objections=row.objections,
        insisted=bool(row.answer and (row.answer.insist or row.objections)),
        pictures=crops,
        changes=tuple(c for c in changes if _may_see(c, seat)),
    )


def _standing(session: Session, row: Row, live: LiveStep | None) -> Standing:
    if row.kind != "answer":
        return "live"
    if live is not None:
        return live.mark or "live"
    return "voided" if row.number in session.voided else "undone"


def gathered(view_of: Callable[[str | None], View], seats: Iterable[str]) -> Gathered:
    """Return every fact that anybody may see, with the only seats that see it (empty: all)."""
    facts: Gathered = {fact.key: (fact, ()) for fact in view_of(None).facts}
    shared = frozenset(facts)
    for seat in seats:
        for fact in [fact for fact in view_of(seat).facts if fact.key not in shared]:
            _, readers = facts.get(fact.key, (fact, ()))
            facts[fact.key] = (fact, (*readers, seat))
    return facts


def changed(before: Gathered, after: Gathered) -> tuple[Change, ...]:
    """Return the facts that differ, in the order of the later ones."""
    found: list[Change] = []
    for key, (fact, readers) in after.items():
        earlier = before.get(key)
        if earlier is not None and earlier[0] is fact:
            continue
        was = None if earlier is None else earlier[0].value
        if was != fact.value or type(was) is not type(fact.value):
            found.append(Change(key, fact.label, was, fact.value, readers))
    found += [
        Change(key, fact.label, fact.value, None, readers, gone=True)
        for key, (fact, readers) in before.items()
        if key not in after
    ]
    return tuple(found)


def _may_see(change: Change, seat: str | None) -> bool:
    return not change.readers or seat in change.readers


def _control(row: Row) -> Say:
    values: dict[str, Any] = {"step": row.target, "game": row.game}
    if row.kind == "box" and row.answer is not None:
        values |= {"key": row.answer.key.removeprefix("box:"), "value": _printed(row.answer.value)}
    way = f".{row.way}" if row.way else ""
    return Say(f"table.{row.kind}{way}", values)


def _printed(value: Value) -> int | str:
    """Return what was told of the box: a number, or a word."""
    match value:
        case Number(number):
            return number
        case Picked((id,)):
            return id
        case _:
            return ""
