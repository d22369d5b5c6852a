"""The JSON interface for programs: the state of a seat, answers, undo, redo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.table import (
    Look,
    MovedOn,
    Outcome,
    Refused,
    Rewrite,
    Stopped,
    Table,
    Taken,
    malformed,
)
from companion.terms import Answer, NoSuchKey, Value
from web.asked import no_such
from web.guard import Guard, Refusal
from web.speaking import PROGRAM, Speaker
from web.values import bounded, clean

BodyT = TypeVar("BodyT", bound=msgspec.Struct)


class AnswerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/answer`."""

    key: str
    value: Value
    seat: str | None = None
    insist: bool = False
    rev: int | None = None
    id: str | None = None
    person: str = ""


class RewriteRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/rewrite`: void (no answer), amend, or decide again (DESIGN 5)."""

    plan: Rewrite
    seat: str | None = None
    rev: int | None = None
    id: str | None = None
    person: str = ""
    preview: bool = False


class StepRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/undo` and `POST /api/redo`; `to` is the step to go back before."""

    to: int | None = None
    rev: int | None = None
    id: str | None = None
    person: str = ""


def programs(table: Table, speaker: Speaker, guard: Guard) -> Blueprint:
    """Return `/api/...`. A phone speaks for its own seats, a program with the token for any."""
    site = Blueprint("programs", __name__, url_prefix="/api")

    @site.get("/state")
    def state() -> ResponseReturnValue:
        seat = request.args.get("seat")
        may_be(seat)
        return jsonify(as_json(speaker.look(seat), speaker))

    @site.post("/answer")
    def answer() -> ResponseReturnValue:
        asked = _body(AnswerRequest)
        may_be(asked.seat)
        given = Answer(asked.key, asked.value, asked.seat, who(asked.person), asked.insist)
        return told(lambda: table.answer(given, asked.rev, asked.id))

    @site.post("/undo")
    def undo() -> ResponseReturnValue:
        asked = _body(StepRequest)
        return told(lambda: table.undo(asked.to, who(asked.person), asked.rev, asked.id))

    @site.post("/redo")
    def redo() -> ResponseReturnValue:
        asked = _body(StepRequest)
        return told(lambda: table.redo(who(asked.person), asked.rev, asked.id))

    @site.post("/rewrite")
    def rewrite() -> ResponseReturnValue:
        asked = _body(RewriteRequest)
        for seat in (asked.seat, *_seats_of(asked.plan)):
            may_be(seat)
        if asked.preview:
            return forward(asked)
        who_asks = who(asked.person)
        return told(lambda: table.rewrite(asked.plan, who_asks, asked.rev, asked.id, asked.seat))

    def forward(asked: RewriteRequest) -> ResponseReturnValue:
        try:
            found = table.preview_rewrite(asked.plan, asked.seat)
        except NoSuchKey as error:
            raise no_such(error) from error
        return jsonify(msgspec.to_builtins(found))

    def may_be(seat: str | None) -> None:
        """Refuse a seat that is not in the game, or not this phone's."""
        if seat is None:
            return
        known = [s.id for s in speaker.look(None).seats]
        if seat not in known:
            raise Refusal(422, "seat", seen=seat[:40], known=", ".join(known))
        if not guard.is_program() and seat not in speaker.phone.seats:
            raise Refusal(403, "other_seat", seen=seat)

    def who(person: str) -> str:
        return clean(person) or (PROGRAM if guard.is_program() else speaker.person)

    def told(act: Callable[[], Outcome]) -> ResponseReturnValue:
        try:
            outcome = act()
        except NoSuchKey as error:
            raise no_such(error) from error
        match outcome:
            case Taken(rev, step, pending):
                return jsonify({"rev": rev, "step": step, **({"pending": True} if pending else {})})
            case Refused(rev, objections):
                why = [
                    {"say": speaker.tell(o.say), "key": o.say.key, "rule": o.rule}
                    for o in objections
                ]
                return _error(speaker, "objections", rev=rev, objections=why), 409
            case MovedOn(rev):
                return _error(speaker, "moved_on", rev=rev), 409
            case Stopped(rev, stop):
                at = {"stop": msgspec.to_builtins(stop), "why": speaker.tell(stop.why)}
                return _error(speaker, "stopped", rev=rev, **at), 409

    _ = (state, answer, undo, redo, rewrite)
    return site


def as_json(look: Look, speaker: Speaker) -> dict[str, Any]:
    """Return a look as programs read it: words beside keys."""
    view = look.view
    return {
        "rev": look.rev,
        "game": look.game,
        "game_id": look.game_id,
        "step": look.step,
        "seat": look.seat,
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
                "detail": speaker.tell(q.detail),
                "wants": msgspec.to_builtins(q.wants),
                "urgency": q.urgency,
                "default": msgspec.to_builtins(q.default),
                "done": q.done,
                "group": q.group,
                "rule": q.rule,
            }
            for q in look.questions
        ],
        "proposals": msgspec.to_builtins(look.proposals),
        "cards": msgspec.to_builtins(look.cards),
        "pending": msgspec.to_builtins(look.pending),
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
        "scorekeeper": look.scorekeeper,
    }


def refusal_json(refusal: Refusal, speaker: Speaker) -> ResponseReturnValue:
    """Return a refusal as programs read it: `{seen, expected, do}`."""
    parts = {part: speaker.tell(refusal.say(part)) for part in ("seen", "expected", "do")}
    return jsonify(parts), refusal.status


def _seats_of(plan: Rewrite) -> list[str | None]:
    """Return the seats that the new answers of a plan speak for."""
    answers = (plan.answer, *(given.answer for given in plan.missing))
    return [answer.seat for answer in answers if answer is not None]


def _error(speaker: Speaker, key: str, **more: Any) -> Response:
    refusal = Refusal(409, key)
    parts = {part: speaker.tell(refusal.say(part)) for part in ("seen", "expected", "do")}
    return jsonify(parts | more)


def _body(kind: type[BodyT]) -> BodyT:
    fields = ", ".join(field.name for field in msgspec.structs.fields(kind))
    try:
        body = msgspec.json.decode(request.get_data() or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refusal(422, "json", seen=malformed(error), fields=fields) from error
    bounded(msgspec.to_builtins(body))
    return body
