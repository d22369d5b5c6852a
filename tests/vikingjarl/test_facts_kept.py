"""What was looked at is kept while nothing of it changed: nobody can tell by what is shown."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.games import vikingjarl
from companion.games.vikingjarl.fact_lines import lines, lines_together
from companion.games.vikingjarl.facts import facts
from companion.games.vikingjarl.state import State
from companion.terms import Answer, Count, Number, Pick, Picked, Place, Placed
from tests.bench.evening import evening
from tests.bench.random_play import full_box

STEPS = 200


@pytest.fixture(scope="module", params=[1, 2])
def states(request: pytest.FixtureRequest) -> list[State]:
    """All positions of an evening, in no order, as undo and rewrites come back to them."""
    rows = evening(STEPS, request.param)
    seats, decoder = rows[0].seats, msgspec.msgpack.Decoder(tuple[vikingjarl.EVENTS, ...])
    state, found = vikingjarl.setup(seats, {}), []
    for row in rows[1:]:
        for event in decoder.decode(row.events):
            vikingjarl.apply(state, event)
        found.append(copied(state))
    random.Random(request.param).shuffle(found)
    return found


def copied(state: State) -> State:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State)


def looked_at(state: State) -> list[tuple[str, Any, Any, bool, Any]]:
    """Look at every line itself, with nothing kept."""
    return [
        (
            key,
            line.get(state),
            line.wants_now(state),
            line.disputed is not None and line.disputed(state),
            line.readers and line.readers(state),
        )
        for key, line in lines(state).items()
        if line.shown is None or line.shown(state)
    ]


def test_facts_are_those_of_this_state_wherever_one_comes_from(states: list[State]) -> None:
    for state in states:
        shown = [
            (fact.key, fact.value, fact.set_by, fact.disputed, readers)
            for fact, readers in facts(state)
        ]
        assert shown == looked_at(state)


def test_each_correction_by_hand_shows_at_once(states: list[State]) -> None:
    """Whatever part of the state a fact is kept by, setting any other never leaves it behind."""
    state, chance, box = states[0], random.Random(3), full_box()
    for key, line in lines(state).items():
        changed = copied(state)
        match line.wants_now(changed):
            case Count(low, high):
                value = Number(chance.randint(low, min(high, low + 5)))
            case Pick(options) if options:
                value = Picked((chance.choice(options).id,))
            case Place(allowed=allowed):
                value = Placed(chance.choice(allowed).id)
            case _:
                continue
        for event in vikingjarl.decide(changed, Answer(f"fact:{key}", value, insist=True), box):
            vikingjarl.apply(changed, event)
        shown = [(f.key, f.value, f.set_by, f.disputed, readers) for f, readers in facts(changed)]
        assert shown == looked_at(changed), key


def test_every_fact_is_in_one_group_of_what_decides_it(states: list[State]) -> None:
    for state in states[:20]:
        gathered = [key for group in lines_together(state) for key in group.lines]
        assert sorted(gathered) == sorted(lines(state))
        assert any(group.reads for group in lines_together(state))


def test_each_seat_sees_its_own_titles_in_their_place(states: list[State]) -> None:
    box = full_box()
    for state in states[:50]:
        everybody = vikingjarl.view(state, box, None)
        for jarl in state.jarls:
            own = vikingjarl.view(state, box, jarl.id)
            keys = [fact.key for fact in own.facts]
            assert keys == [key for key in lines(state) if key in keys]
            secret = set(keys) - {fact.key for fact in everybody.facts}
            assert f"{jarl.id}.hand.titles" in secret
            titles = {one.seat: one.titles for one in own.picture.jarls}
            assert titles[jarl.id] == tuple(state.hand(jarl).titles)
            assert all(
                not known or state.hand(state.jarl(seat)) is state.hand(jarl)
                for seat, known in titles.items()
            )
            assert not any(one.titles for one in everybody.picture.jarls)
