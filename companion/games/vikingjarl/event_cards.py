"""Event cards and choices of several Jarls: the Gods Are Angry, Ragnarok, Vikings to remove.

Rules [Sagas]; specification 16.5; R19, R35, R51, R53, R57, R58.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.answers import STORES, numbers, titles
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.frames import Keeping, Removing
from companion.games.vikingjarl.printed import GAINS, SAGAS
from companion.games.vikingjarl.rulings import objection, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.games.vikingjarl.zone import spread
from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Count,
    Done,
    Field,
    Filled,
    Form,
    Objection,
    Option,
    Question,
    say,
)

_RULE = "Sagas"
_UNKNOWN = Option("unknown", say("saga.unknown"))
_TITLES = (
    *(Option(id, say(f"saga.{id}")) for id, saga in SAGAS.items() if not saga.event),
    _UNKNOWN,
)


def read_aloud(course: Course, jarl: Jarl, card: str) -> None:
    """Resolve an event card for all Jarls."""
    state = course.before
    if card == "ragnarok":
        course.begin(Keeping({j.id: 1 for j in state.jarls if _chooses(state, j)}))
        return
    counts: dict[str, int] = {}
    for other in state.jarls:
        if other.placed >= GAINS.losses:
            counts[other.id] = GAINS.losses
        else:
            course.change_victory(other.id, -1, card)
    course.begin(Removing(card, jarl.id, counts))


def _chooses(state: State, jarl: Jarl) -> bool:
    """True for a Jarl who keeps a Saga: each, or one of a pool where the house says so (R58)."""
    if state.switches["ragnarok_pooled"] == "per_jarl":
        return True
    pool = [other.id for other in state.jarls if other.hand == jarl.hand]
    return jarl.id == (state.active.id if state.active.id in pool else pool[0])


# ------------------------------------------------------------------------------ what is asked


def removing_questions(removing: Removing, state: State) -> list[Question]:
    """Ask each Jarl which of its Vikings it loses."""
    return [
        _remove(id, removing.card, number, _stock(removing, state.jarl(id)))
        for id, number in removing.counts.items()
    ]


@cache
def _remove(jarl: str, card: str, number: int, stock: tuple[tuple[str, int], ...]) -> Question:
    start = spread(dict(stock), number)
    fields = tuple(
        Field(s, say(f"store.{s}"), Count(0, min(n, number)), start.get(s, 0)) for s, n in stock
    )
    return Question(
        f"{jarl}.remove",
        (jarl,),
        say("question.remove", saga=card, n=number),
        Form(fields),
        default=Filled(dict(start)),
        patient=True,
        rule=f"{_RULE}; R51, R57",
    )


def keeping_questions(keeping: Keeping, state: State) -> list[Question]:
    """Ask each Jarl which Saga it keeps."""
    return [_keep(id, number) for id, number in keeping.counts.items()]


@cache
def _keep(jarl: str, number: int) -> Question:
    return Question(
        f"{jarl}.keep",
        (jarl,),
        say("question.keep", n=number),
        CardOf("saga", _TITLES, number, number),
        default=Cards(("unknown",) * number),
        patient=True,
        rule=f"{_RULE}; R58",
    )


# ------------------------------------------------------------------------------ Vikings to remove


def check_remove(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """As many Vikings as are lost, from stores that hold them."""
    shares = {} if isinstance(answer.value, Done) else numbers(answer, STORES)
    removing = state.top
    if not isinstance(removing, Removing) or jarl.id not in removing.counts:
        return [plain("nothing_to_remove", _RULE)]
    if isinstance(answer.value, Done):
        return []
    stock = dict(_stock(removing, jarl))
    against = [
        objection("not_so_many", _RULE, n=stock.get(store, 0))
        for store, share in shares.items()
        if not 0 <= share <= stock.get(store, 0)
    ]
    wanted = removing.counts[jarl.id]
    if sum(shares.values()) != wanted:
        against.append(objection("remove_count", _RULE, n=wanted))
    return against


def decide_remove(course: Course, answer: Answer, jarl: Jarl) -> None:
    """The Vikings go back to their owner's supply."""
    removing = course.before.top
    if not isinstance(removing, Removing) or jarl.id not in removing.counts:
        return
    wanted = removing.counts[jarl.id]
    stock = dict(_stock(removing, jarl))
    shares = {} if isinstance(answer.value, Done) else numbers(answer, STORES)
    kept = {s: min(n, stock.get(s, 0)) for s, n in shares.items() if n > 0 and s in stock}
    _remove_now(
        course, removing, jarl.id, kept if sum(kept.values()) == wanted else spread(stock, wanted)
    )


def _remove_now(course: Course, removing: Removing, id: str, shares: dict[str, int]) -> None:
    lost = sum(course.lose_vikings(id, number, store) for store, number in shares.items())
    if removing.card == "vikingjarl" and lost:
        course.gain_vikings(removing.by, lost, "kaupang")
    left = {other: n for other, n in removing.counts.items() if other != id}
    course.become(replace(removing, counts=left))


def proceed_removing(course: Course, removing: Removing) -> bool:
    """Remove without asking where only one way is possible."""
    if not removing.counts:
        course.resolve()
        return True
    for id, number in removing.counts.items():
        stock = _stock(removing, course.now.jarl(id))
        if len(stock) < 2 or sum(n for _, n in stock) <= number:
            _remove_now(course, removing, id, spread(dict(stock), number))
            return True
    return False


def _stock(removing: Removing, jarl: Jarl) -> tuple[tuple[str, int], ...]:
    stores = removing.stores or jarl.stores
    return tuple((store, n) for store in stores if (n := jarl.in_store(store, "v")) > 0)


# ------------------------------------------------------------------------------ Sagas to keep


def check_keep(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """As many Sagas as are kept, of those in hand."""
    kept = () if isinstance(answer.value, Done) else titles(answer)
    keeping = state.top
    if not isinstance(keeping, Keeping) or jarl.id not in keeping.counts:
        return [plain("nothing_to_keep", _RULE)]
    if isinstance(answer.value, Done):
        return []
    hand = state.hand(jarl)
    if len(kept) != keeping.counts[jarl.id]:
        return [objection("keep_count", f"{_RULE}; R58", n=keeping.counts[jarl.id])]
    known = list(hand.titles)
    for card in keeping.kept.get(jarl.hand, ()):
        if card in known:
            known.remove(card)
    for card in kept:
        if card in known:
            known.remove(card)
        elif len(hand.titles) >= hand.size and card != "unknown":
            return [objection("not_in_hand", _RULE, saga=card)]
    return []


def decide_keep(course: Course, answer: Answer, jarl: Jarl) -> None:
    """The other Sagas of the hand go to the discard pile, without silver."""
    keeping = course.before.top
    if not isinstance(keeping, Keeping) or jarl.id not in keeping.counts:
        return
    number = keeping.counts[jarl.id]
    kept = () if isinstance(answer.value, Done) else titles(answer)
    _keep_now(course, keeping, jarl, (*kept, *("unknown",) * number)[:number])


def _keep_now(course: Course, keeping: Keeping, jarl: Jarl, kept: tuple[str, ...]) -> None:
    """Note what is kept; with the last word about a hand, the rest of it is lost."""
    state = course.now
    chosen = (*keeping.kept.get(jarl.hand, ()), *kept)
    left = {id: number for id, number in keeping.counts.items() if id != jarl.id}
    if not any(state.jarl(id).hand == jarl.hand for id in left):
        lost = max(0, state.hand(jarl).size - len(chosen))
        readers = tuple(j.id for j in state.jarls if j.hand == jarl.hand)
        course.tell(e.SagasKept(jarl.id, chosen, lost, readers))
    course.become(Keeping(left, {**keeping.kept, jarl.hand: chosen}))


def proceed_keeping(course: Course, keeping: Keeping) -> bool:
    """Ask nobody who loses nothing."""
    if not keeping.counts:
        course.resolve()
        return True
    state = course.now
    for id in keeping.counts:
        jarl = state.jarl(id)
        choosers = [i for i in keeping.counts if state.jarl(i).hand == jarl.hand]
        said = len(keeping.kept.get(jarl.hand, ()))
        if state.hand(jarl).size <= said + sum(keeping.counts[i] for i in choosers):
            left = {i: n for i, n in keeping.counts.items() if i not in choosers}
            course.become(Keeping(left, keeping.kept))
            return True
    return False
