"""Cargo: loading, unloading and shifting between Ship, Army, Kaupang and own Settlements.

Rules [Player Board]; specification section 15.
"""

from __future__ import annotations

from companion.games.vikingjarl import events as e
from companion.games.vikingjarl.movement import in_town
from companion.games.vikingjarl.printed import KINDS, LIMITS, TOWNS
from companion.games.vikingjarl.rulings import Ruling, objection, refused
from companion.games.vikingjarl.state import GOODS, Jarl, State, free_spaces
from companion.terms import (
    Answer,
    Count,
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

_RULE = "Player Board"
_KINDS = Pick(tuple(Option(kind, say(f"kind.{kind}")) for kind in GOODS))


def questions(state: State) -> tuple[Question, ...]:
    """Offer loading and unloading where two own stores are together."""
    jarl = state.active
    stores = stores_of(jarl)
    together = any(a != b and places(jarl, a) & places(jarl, b) for a in stores for b in stores)
    if not together:
        return ()
    where = Pick(tuple(Option(s, say(f"store.{s}")) for s in stores))
    form = Form(
        (
            Field("from", say("field.from"), where, stores[0]),
            Field("to", say("field.to"), where, stores[1]),
            Field("kind", say("field.kind"), _KINDS, "v"),
            Field("number", say("field.number"), Count(1, 9), 1),
        )
    )
    return (
        Question(
            f"{jarl.id}.transfer",
            (jarl.id,),
            say("question.transfer"),
            form,
            urgency="offer",
            group="cargo",
            done=False,
            rule=_RULE,
        ),
    )


def stores_of(jarl: Jarl) -> tuple[str, ...]:
    """Return the names of a Jarl's stores."""
    return ("ship", "army", "kaupang", *jarl.settlements)


def places(jarl: Jarl, store: str) -> set[str]:
    """Return where a store can be reached: its own place."""
    if store in ("ship", "army"):
        return {jarl.place_of(store)}
    return {store}


def rule_transfer(state: State, answer: Answer, id: str) -> Ruling:
    """Move Vikings or cubes between two own stores in one place; free at any time."""
    jarl = state.jarl(id)
    source, target, kind, number = _fields(jarl, answer)
    if not {source, target} <= set(stores_of(jarl)):
        return refused("no_settlement", _RULE)
    against: list[Objection] = []
    if jarl is not state.active:
        against.append(objection("not_your_turn", "Gameplay", jarl=id))
    if not places(jarl, source) & places(jarl, target):
        against.append(objection("not_together", _RULE))
    elif not in_town(jarl.place_of("ship")) and "kaupang" not in (source, target):
        at_sea = jarl.army.at == "ship"
        if {source, target} == {"ship", "army"} and not at_sea:
            against.append(objection("not_together", _RULE))
    have = jarl.store(source).of(kind)
    if not 1 <= number <= have:
        against.append(objection("not_so_many", _RULE, n=have, kind=kind))
    if target in ("ship", "army") and free_spaces(jarl, target) < number:
        against.append(objection("no_room", _RULE, n=free_spaces(jarl, target), store=target))
    if target in jarl.settlements and kind == "v":
        room = LIMITS.garrison - jarl.settlements[target].hold.v
        if room < number:
            against.append(objection("no_room", f"{_RULE}; R65", n=room, store=target))
    moved = max(0, min(number, have))
    return Ruling(tuple(against), (e.Moved(id, kind, moved, source, target),) if moved else ())


def _fields(jarl: Jarl, answer: Answer) -> tuple[str, str, str, int]:
    if not isinstance(answer.value, Filled):
        raise NoSuchKey(type(answer.value).__name__, "from, to, kind and number")
    fields = answer.value.fields
    stores = (*stores_of(jarl), *TOWNS)
    source, target, kind = (str(fields.get(name, "")) for name in ("from", "to", "kind"))
    for store in (source, target):
        if store not in stores:
            raise NoSuchKey(store, f"a store: {', '.join(stores_of(jarl))}")
    if kind not in GOODS:
        raise NoSuchKey(kind, f"v, {', '.join(KINDS)}")
    number = fields.get("number", 1)
    if not isinstance(number, int):
        raise NoSuchKey(str(number), "a number")
    return source, target, kind, number
