"""A toy game on the eight names: raid a shore with dice, hide a choice, play a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.terms import (
    Answer,
    Box,
    CannotStart,
    CardOf,
    Cards,
    Count,
    Dice,
    Event,
    Faces,
    Fact,
    NoSuchKey,
    Number,
    Objection,
    Option,
    Pick,
    Picked,
    Question,
    Seat,
    View,
    say,
)

NAME = "toy"


class Raided(Event, frozen=True):
    seat: str
    silver: int
    worth: int


class Hid(Event, frozen=True):
    seat: str
    where: str
    readers: tuple[str, ...]


class Revealed(Event, frozen=True):
    places: dict[str, str]


class Played(Event, frozen=True):
    seat: str
    card: str


class Corrected(Event, frozen=True):
    key: str
    value: int


EVENTS = Raided | Hid | Revealed | Played | Corrected


class State(msgspec.Struct):
    seats: list[str]
    silver: dict[str, int]
    hidden: dict[str, str] = {}
    shown: dict[str, str] = {}
    card: str = ""
    turn: int = 0
    raids: int = 4


def setup(seats: Sequence[Seat], choices: dict[str, Any]) -> State:
    if len(seats) != 2:
        raise CannotStart(say("cannot_start", n=len(seats)))
    return State([s.id for s in seats], {s.id: 0 for s in seats}, raids=choices.get("raids", 4))


def questions(state: State, box: Box) -> tuple[Question, ...]:
    if state.raids <= 0:
        return ()
    if len(state.hidden) < 2 and not state.shown:
        places = Pick((Option("cave", say("cave")), Option("wood", say("wood"))))
        return tuple(
            Question(f"{s}.hide", (s,), say("hide"), places, secret=True, together="hide")
            for s in state.seats
        )
    seat = state.seats[state.turn]
    roll = Faces("battle", {"black": 3}, ("helmet", "shield"), loads=True)
    horn = CardOf("toy", (Option("horn", say("horn")),))
    return (
        Question("raid.roll", (seat,), say("raid"), roll),
        Question(f"{seat}.card", (seat,), say("card"), horn, urgency="offer"),
    )


def check(state: State, answer: Answer, box: Box) -> tuple[Objection, ...]:
    known = {"raid.roll", *(f"{s}.{k}" for s in state.seats for k in ("hide", "card"))}
    known |= {f"fact:{s}.silver" for s in state.seats}
    if answer.key not in known:
        raise NoSuchKey(answer.key, say("expected.key"))
    if answer.key.startswith("fact:"):
        fits = isinstance(answer.value, Number) and 0 <= answer.value.value <= 40
        return () if fits else (Objection(say("bounds"), "Toy 1"),)
    if answer.key not in {q.key for q in questions(state, box)}:
        return (Objection(say("not_now"), "Toy 2"),)
    return ()


def decide(state: State, answer: Answer, box: Box) -> tuple[Any, ...]:
    seat = answer.seat or state.seats[state.turn]
    match answer.value:
        case Number(value):
            return (Corrected(answer.key.removeprefix("fact:"), value),)
        case Picked((where,)):
            hid = Hid(seat, where, (seat,))
            both = {**state.hidden, seat: where}
            return (hid, Revealed(both)) if len(both) == 2 else (hid,)
        case Cards((card,)):
            return (Played(seat, card),)
        case Dice(dice):
            hits = sum(die.face == "helmet" for die in dice)
            return (Raided(seat, hits * box.number("shore.worth"), box.number("shore.worth")),)
        case _:
            return (Raided(seat, 0, 0),)


def apply(state: State, event: Any) -> None:
    match event:
        case Raided(seat, silver):
            state.silver[seat] += silver
            state.turn = 1 - state.turn
            state.raids -= 1
        case Hid(seat, where):
            state.hidden[seat] = where
        case Revealed(places):
            state.shown = dict(places)
        case Played(_, card):
            state.card = card
        case Corrected(key, value):
            state.silver[key.removesuffix(".silver")] = value


def view(state: State, box: Box, seat: str | None) -> View:
    facts = [
        Fact(f"{s}.silver", say("silver", seat=s), n, Count(0, 40)) for s, n in state.silver.items()
    ]
    if seat in state.hidden:
        facts.append(Fact(f"{seat}.hidden", say("hidden"), state.hidden[seat]))
    over = state.raids <= 0
    return View(
        tuple(facts), state.seats[state.turn], None, {"shown": state.shown}, () if over else None
    )
