"""The past, put right from the pages: amend a step, strike it out, and the three ways on."""

from __future__ import annotations

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import (
    Forward,
    Look,
    Missing,
    Refused,
    Rewrite,
    Said,
    Stopped,
    Table,
    Taken,
    malformed,
)
from companion.terms import Answer, NoSuchKey, Question, Wants
from web.asked import back, insists, no_such, once, rev, seat_for, word
from web.guard import Refusal
from web.places import named_places
from web.speaking import Speaker
from web.values import bounded, said_fields, value_of_form, whole

_LONGEST_PLAN = 20_000
"""Characters: a plan holds a few answers, each with a handful of dice or options."""


def past(table: Table, speaker: Speaker) -> Blueprint:
    """Return `/again/N`: what was said at a step, and what another answer would lead to."""
    site = Blueprint("past", __name__)

    @site.get("/again/<int:number>")
    def ask(number: int) -> ResponseReturnValue:
        return page(number, None, None)

    @site.post("/again")
    def change() -> ResponseReturnValue:
        plan = planned(table, speaker)
        if word("do") == "yes":
            try:
                outcome = table.rewrite(plan, speaker.person, rev(), once(), speaker.seat)
            except NoSuchKey as error:
                raise no_such(error) from error
            match outcome:
                case Taken():
                    return redirect(f"{back('/story')}?told=put_right", 303)
                case Refused() | Stopped():
                    pass
                case _:
                    return redirect("/story?told=moved_on", 303)
        try:
            return page(plan.step, plan, table.preview_rewrite(plan, speaker.seat))
        except NoSuchKey as error:
            raise no_such(error) from error

    def page(number: int, plan: Rewrite | None, forward: Forward | None) -> ResponseReturnValue:
        here = speaker.here()
        step, said = table.step(number, here.seat), table.said_at(number, here.seat)
        if step is None or (step.kind == "answer" and step.standing in ("undone", "voided")):
            raise Refusal(404, "step", n=number)
        if step.kind != "answer" and said is None:  # an undo, a redo, a box value
            raise Refusal(404, "step", n=number)
        stopped = forward.stop if forward else None
        body = render_template(
            "again.html",
            look=here,
            me=speaker.me(here),
            note="",
            step=step,
            said=said,
            first=said_fields(_wants(said), said.answer.value) if said else {},
            plan=plan,
            packed=msgspec.json.encode(plan).decode() if plan else "",
            forward=forward,
            stopped=table.step(stopped.step, here.seat) if stopped else None,
            newest=table.story(limit=1)[0].number,
        )
        response = make_response(body)
        response.headers["HX-Replace-Url"] = f"/again/{number}"
        return response

    _ = (ask, change)
    return site


def planned(table: Table, speaker: Speaker) -> Rewrite:
    """Read the plan so far and what this form adds to it; raises `Refusal`."""
    step, act, here = whole(request.form, "step"), word("act"), speaker.here()
    packed = request.form.get("plan", "")
    if act == "amend":
        said = table.said_at(step, here.seat)
        if said is None or _wants(said) is None:
            raise Refusal(422, "step_closed", n=step)
        value = value_of_form(request.form, _wants(said), named_places(here))
        return Rewrite(step, Answer(said.answer.key, value, said.answer.seat))
    if act == "box":
        return Rewrite(step, box=word("key"))
    plan = _unpacked(packed) if packed else Rewrite(step)
    match act:
        case "missing":
            stop = _preview(table, plan, here.seat).stop
            asked = (
                next((q for q in stop.questions if q.key == word("key")), None) if stop else None
            )
            if stop is None or asked is None:
                raise Refusal(422, "step_closed", n=step)
            return _adding(plan, stop.step, _answer(here, asked))
        case "out":
            stop = _preview(table, plan, here.seat).stop
            return _adding(plan, stop.step, None) if stop else plan
        case "keep" | "back":
            return msgspec.structs.replace(plan, way=act)
        case _:
            return _insisted(plan) if insists() else plan


def _preview(table: Table, plan: Rewrite, seat: str | None) -> Forward:
    try:
        return table.preview_rewrite(plan, seat)
    except NoSuchKey as error:
        raise no_such(error) from error


def _answer(here: Look, question: Question) -> Answer:
    value = value_of_form(request.form, question.wants, named_places(here))
    return Answer(question.key, value, seat_for(here, question.seats))


def _adding(plan: Rewrite, step: int, answer: Answer | None) -> Rewrite:
    return msgspec.structs.replace(plan, missing=(*plan.missing, Missing(step, answer)))


def _insisted(plan: Rewrite) -> Rewrite:
    """Insist on every new answer: people said that they did it anyway."""

    def anyway(answer: Answer | None) -> Answer | None:
        return answer and msgspec.structs.replace(answer, insist=True)

    return msgspec.structs.replace(
        plan,
        answer=anyway(plan.answer),
        missing=tuple(Missing(given.step, anyway(given.answer)) for given in plan.missing),
    )


def _unpacked(packed: str) -> Rewrite:
    if len(packed) > _LONGEST_PLAN:
        raise Refusal(422, "long", seen=packed[:40], longest=_LONGEST_PLAN)
    try:
        plan = msgspec.json.decode(packed, type=Rewrite)
    except msgspec.MsgspecError as error:
        raise Refusal(422, "json", seen=malformed(error), fields="step, answer, missing") from error
    bounded(msgspec.to_builtins(plan))
    return plan


def _wants(said: Said | None) -> Wants | None:
    if said is None:
        return None
    if said.question is not None:
        return said.question.wants
    return said.fact.set_by if said.fact else None
