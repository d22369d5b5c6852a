"""The JSON interface for programs: the state of a seat, answers, undo, redo."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from companion.table import Look, MovedOn, Outcome, Refused, Table, Taken
from companion.terms import Answer, NoSuchKey, Value
from web.guard import Guard, Refusal
from web.speaking import Speaker


class AnswerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/answer`."""

    key: str
    value: Value
    seat: str | None = None
    insist: bool = False
    rev: int | None = None
    id: str | None = None
    person: str = ""


class StepRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/undo` and `POST /api/redo`."""

    to: int | None = None
    rev: int | None = None
    id: str | None = None
    person: str = ""


def programs(table: Table, speaker: Speaker, guard: Guard) -> Blueprint:
    """Return `/api/...`."""
    site = Blueprint("programs", __name__, url_prefix="/api")

    def may_be(seat: str | None) -> None:
        known = [s.id for s in table.look(None).seats]
        if seat is not None and seat not in known:
            raise Refusal(422, f"seat {seat!r}", f"one of {known}", "Name a seat of this game.")
        if seat is not None and not guard.is_program() and seat not in speaker.phone.seats:
            raise Refusal(403, f"seat {seat!r}", "a seat this phone holds", "Take the seat first.")

    def outcome(act: Any) -> ResponseReturnValue:
        try:
            done: Outcome = act()
        except NoSuchKey as error:
            raise Refusal(422, error.seen, error.expected, "Name what there is.") from error
        match done:
            case Taken(rev, _, pending):
                return jsonify({"rev": rev, **({"pending": True} if pending else {})})
            case Refused(rev, objections):
                told = [
                    {"say": speaker.tell(o.say), "key": o.say.key, "rule": o.rule}
                    for o in objections
                ]
                return jsonify(
                    rev=rev,
                    objections=told,
                    seen="an answer the rules object to",
                    expected="another answer",
                    do="Send the same with insist to take it anyway.",
                ), 409
            case MovedOn(rev, seen):
                return jsonify(
                    rev=rev,
                    seen=speaker.tell(seen),
                    expected="an answer to the present position",
                    do="Read the state again.",
                ), 409

    @site.get("/state")
    def state() -> ResponseReturnValue:
        seat = request.args.get("seat")
        may_be(seat)
        return jsonify(as_json(table.look(seat), speaker))

    @site.post("/answer")
    def answer() -> ResponseReturnValue:
        asked = _body(AnswerRequest)
        may_be(asked.seat)
        given = Answer(
            asked.key, asked.value, asked.seat, asked.person or speaker.phone.person, asked.insist
        )
        return outcome(lambda: table.answer(given, asked.rev, asked.id))

    @site.post("/undo")
    def undo() -> ResponseReturnValue:
        asked = _body(StepRequest)
        return outcome(lambda: table.undo(asked.to, asked.person, asked.rev, asked.id))

    @site.post("/redo")
    def redo() -> ResponseReturnValue:
        asked = _body(StepRequest)
        return outcome(lambda: table.redo(asked.person, asked.rev, asked.id))

    _ = (state, answer, undo, redo)
    return site


def as_json(look: Look, speaker: Speaker) -> dict[str, Any]:
    """Return a look as programs read it: words beside keys."""
    view = look.view
    return {
        "rev": look.rev,
        "game": look.game,
        "step": look.step,
        "turn": view.turn if view else None,
        "phase": speaker.tell(view.phase) if view else None,
        "result": list(view.result) if view and view.result is not None else None,
        "seats": [msgspec.to_builtins(seat) for seat in look.seats],
        "facts": [
            {"key": f.key, "label": speaker.tell(f.label), "value": f.value}
            for f in (view.facts if view else ())
        ],
        "questions": [
            {
                "key": q.key,
                "seats": list(q.seats),
                "say": speaker.tell(q.say),
                "wants": msgspec.to_builtins(q.wants),
                "urgency": q.urgency,
                "default": msgspec.to_builtins(q.default),
                "rule": q.rule,
            }
            for q in look.questions
        ],
        "proposals": msgspec.to_builtins(look.proposals),
        "cards": msgspec.to_builtins(look.cards),
        "devices": [
            {
                "device": d.device,
                "condition": d.condition,
                "seen": speaker.tell(d.trouble.seen) if d.trouble else "",
                "do": speaker.tell(d.trouble.do) if d.trouble else "",
                "notes": d.notes,
            }
            for d in look.devices
        ],
        "undoable": look.undoable,
        "redoable": look.redoable,
    }


def _body(kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(request.get_data() or b"{}", type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        expected = ", ".join(field.name for field in msgspec.structs.fields(kind))
        raise Refusal(422, str(error), f"JSON with {expected}", "Mend the request.") from error
