"""Loading and unloading: Vikings and cubes between the own stores in one place, free at any time.

Rules [Loading and Unloading Cargo; Player Board]; specification section 15, R20, R65, R77.
"""

from __future__ import annotations

from functools import cache

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.course import Course
from companion.games.vikingjarl.places import in_town
from companion.games.vikingjarl.printed import GOODS, LIMITS, TOWNS, UNITS, VP_TOWNS
from companion.games.vikingjarl.rulings import objection, own_turn, plain
from companion.games.vikingjarl.state import Jarl, State
from companion.terms import (
    Answer,
    Count,
    Done,
    Field,
    Filled,
    Form,
    NoSuchKey,
    Objection,
    Option,
    Pick,
    Question,
    say,
)

_RULE = "Loading and Unloading Cargo"
OVERBOARD = ("bank", "supply")
"""Where cargo goes that a house lets people drop: cubes and Vikings (R77)."""


def questions(state: State) -> list[Question]:
    """Offer to load or unload where something fits into another own store in the same place."""
    jarl = state.active
    drop = OVERBOARD if state.on("drop_cargo") else ()
    ways = tuple(
        (source, target, kind)
        for source in jarl.stores
        if (hold := jarl.store(source)) is not None and hold.things
        for target in (*jarl.stores, *drop)
        if target != source and (target in drop or where(jarl, source) == where(jarl, target))
        for kind in GOODS
        if hold.of(kind) > 0 and not _against_loading(state, jarl, source, target, kind, 1)
    )
    return [_question(jarl.id, ways)] if ways else []


@cache
def _question(jarl: str, ways: tuple[tuple[str, str, str], ...]) -> Question:
    """Ask from where to where; the form starts with the first way that is possible."""
    sources, targets, kinds = (tuple(dict.fromkeys(part)) for part in zip(*ways, strict=True))
    form = Form(
        (
            Field("from", say("field.from"), Pick(tuple(_store(s) for s in sources)), sources[0]),
            Field("to", say("field.to"), Pick(tuple(_store(s) for s in targets)), targets[0]),
            Field("kind", say("field.kind"), Pick(tuple(_kind(k) for k in GOODS)), kinds[0]),
            Field("number", say("field.number"), Count(1, LIMITS.cubes), 1),
        )
    )
    return Question(
        f"{jarl}.transfer",
        (jarl,),
        say("question.transfer"),
        form,
        urgency="offer",
        group="cargo",
        done=False,
        rule=_RULE,
    )


@cache
def _store(store: str) -> Option:
    return Option(store, say(f"store.{store}"))


@cache
def _kind(kind: str) -> Option:
    return Option(kind, say(f"kind.{kind}"))


def where(jarl: Jarl, store: str) -> str:
    """Return the place of a store: its unit's, Kaupang, or the Settlement's town."""
    return jarl.place_of(store) if store in UNITS else store


def check_transfer(state: State, answer: Answer, jarl: Jarl) -> list[Objection]:
    """Both stores in one place, as many as there are, and as many as there is room for."""
    against = own_turn(state, jarl)
    if isinstance(answer.value, Done):
        return [*against, plain("say_what", _RULE)]
    source, target, kind, number = _fields(jarl, answer)
    return against + _against_loading(state, jarl, source, target, kind, number)


def _against_loading(
    state: State, jarl: Jarl, source: str, target: str, kind: str, number: int
) -> list[Objection]:
    against = [
        objection("no_settlement", _RULE, town=store)
        for store in (source, target)
        if jarl.store(store) is None and store not in OVERBOARD
    ]
    if against:
        return against
    have = jarl.in_store(source, kind)
    if not 1 <= number <= have:
        against.append(objection("not_so_many", _RULE, n=have))
    if target in OVERBOARD or source in OVERBOARD:
        if not state.on("drop_cargo") or source in OVERBOARD:
            against.append(plain("no_dropping", f"{_RULE}; R77"))
        return against
    if (
        source == target
        or where(jarl, source) != where(jarl, target)
        or (not in_town(where(jarl, source)) and not jarl.riding)
    ):
        against.append(plain("not_together", _RULE))
    against += room_for(state, jarl, target, kind, number, _RULE)
    for store in (source, target):
        if store in VP_TOWNS:
            against += usable(state, jarl, store, _RULE)
    return against


def decide_transfer(course: Course, answer: Answer, jarl: Jarl) -> None:
    """Move what is there."""
    if isinstance(answer.value, Done):
        return
    source, target, kind, number = _fields(jarl, answer)
    moved = max(0, min(number, jarl.in_store(source, kind)))
    if not moved or source == target:
        return
    if target in OVERBOARD:
        lost = e.VikingsLost(jarl.id, moved, source)
        course.tell(lost if kind == "v" else e.CubesSpent(jarl.id, kind, moved, source))
    elif jarl.store(target) is not None:
        course.tell(e.Loaded(jarl.id, kind, moved, source, target))


def room_for(
    state: State, jarl: Jarl, store: str, kind: str, number: int, rule: str
) -> list[Objection]:
    """Object to more than the spaces of a unit, or more than 4 Vikings in a Settlement (R65).

    The 4 spaces of a Ship win over an example of the rulebook that loads 5 (R85).
    """
    if store in UNITS:
        room = jarl.room(store)
    elif store in jarl.settlements and kind == "v":
        room = LIMITS.garrison - jarl.settlements[store].hold.v
    else:
        return []
    if room >= number:
        return []
    return [objection("no_room", f"{rule}; R65", n=max(0, room), store=store)]


def usable(state: State, jarl: Jarl, town: str, rule: str) -> list[Objection]:
    """Object to a damaged Settlement where the house does not let it serve (R20)."""
    settled = jarl.settlements.get(town)
    if settled is None or not settled.damaged or state.on("damaged_usable"):
        return []
    return [objection("damaged", f"{rule}; R20", town=town)]


def _fields(jarl: Jarl, answer: Answer) -> tuple[str, str, str, int]:
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(answer.value, say("expected.transfer"))
    fields = answer.value.fields
    source, target, kind = (str(fields.get(name, "")) for name in ("from", "to", "kind"))
    known = ("ship", "army", "kaupang", *TOWNS, *OVERBOARD)
    for store in (source, target):
        if store not in known:
            raise NoSuchKey(store, say("expected.store", known=list(jarl.stores)))
    if kind not in GOODS:
        raise NoSuchKey(kind, say("expected.one_of", known=list(GOODS)))
    number = fields.get("number", 1)
    if not isinstance(number, int) or isinstance(number, bool):
        raise NoSuchKey(str(number), say("expected.number"))
    return source, target, kind, number
