"""What people's forms change: answers, dice, cards, seats, undo. Plain forms, then a redirect."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.table import Look, MovedOn, Outcome, Refused, Table
from companion.terms import (
    Answer,
    CardOf,
    Cards,
    Count,
    Dice,
    Die,
    Done,
    Faces,
    Filled,
    Form,
    NoSuchKey,
    Number,
    Pick,
    Picked,
    Place,
    Placed,
    Seat,
    Text,
    Value,
    Wants,
    Written,
)
from web.guard import Refusal
from web.pages import previews
from web.speaking import Speaker

_SIGNS = {"red": "axe", "blue": "raven", "yellow": "hawk", "black": "wolf"}


def answers(table: Table, speaker: Speaker) -> Blueprint:
    """Return every form's address."""
    site = Blueprint("answers", __name__)

    def look() -> Look:
        seats = {seat.id for seat in table.look(None).seats}
        seat = speaker.phone.seat
        return table.look(seat if seat in seats else None)

    def settle(outcome: Outcome, again: Answer | None = None) -> ResponseReturnValue:
        back = request.form.get("back", "/now")
        if isinstance(outcome, Refused):
            here = look()
            page = render_template(
                "now.html",
                look=here,
                me=speaker.seat(here),
                refused=outcome,
                again=request.form,
                previews=previews(table, here),
            )
            return page, 409
        if isinstance(outcome, MovedOn):
            session["told"] = "moved_on"
        return redirect(back if back.startswith("/") and not back.startswith("//") else "/now", 303)

    def guarded(act: Callable[[], Outcome]) -> ResponseReturnValue:
        try:
            return settle(act())
        except NoSuchKey as error:
            raise Refusal(422, error.seen, error.expected, "Go back and answer again.") from error

    @site.post("/answer")
    def answer() -> ResponseReturnValue:
        key = request.form.get("key", "")
        here = look()
        wants = _wants(here, key)

        def act() -> Outcome:
            given = Answer(
                key,
                read_value(wants),
                _seat_for(here, key),
                speaker.phone.person,
                "insist" in request.form,
            )
            return table.answer(given, _whole("rev"), request.form.get("id") or None)

        return guarded(act)

    @site.post("/undo")
    def undo() -> ResponseReturnValue:
        return guarded(
            lambda: table.undo(
                _whole("to"), speaker.phone.person, _whole("rev"), request.form.get("id") or None
            )
        )

    @site.post("/redo")
    def redo() -> ResponseReturnValue:
        return guarded(
            lambda: table.redo(speaker.phone.person, None, request.form.get("id") or None)
        )

    @site.post("/die")
    def die() -> ResponseReturnValue:
        used = request.form.get("used")
        return guarded(
            lambda: table.correct(
                _whole("proposal") or 0,
                _whole("die") or 0,
                request.form.get("face") or None,
                request.form.get("side") or None,
                None if used is None else used == "yes",
                speaker.phone.person,
                look().seat,
                id=request.form.get("id") or None,
            )
        )

    @site.post("/throw")
    def throw() -> ResponseReturnValue:
        number = _whole("proposal") or 0
        if request.form.get("act") == "dismiss":
            return guarded(lambda: table.dismiss(number, speaker.phone.person))
        return guarded(
            lambda: table.accept(
                number,
                speaker.phone.person,
                look().seat,
                request.form.get("question") or None,
                "insist" in request.form,
                id=request.form.get("id") or None,
            )
        )

    @site.post("/touch")
    def touch() -> ResponseReturnValue:
        table.touch()
        return redirect(request.form.get("back", "/now"), 303)

    @site.post("/card")
    def card() -> ResponseReturnValue:
        number = _whole("proposal") or 0
        person = speaker.phone.person
        if request.form.get("act") == "dismiss":
            return guarded(lambda: table.dismiss(number, person))
        if "title" in request.form:
            return guarded(lambda: table.name_card(number, request.form["title"], person))
        key = request.form.get("key", "")
        return guarded(lambda: table.play_card(number, key, "insist" in request.form, person))

    @site.post("/go-on")
    def go_on() -> ResponseReturnValue:
        key = request.form.get("key", "")
        here = look()
        return guarded(lambda: table.go_on(key, speaker.phone.person, _seat_for(here, key)))

    @site.post("/seat")
    def seat() -> ResponseReturnValue:
        phone = str(session["phone"])
        person = unicodedata.normalize("NFC", request.form.get("person", "").strip())[:40]
        try:
            if "rise" in request.form:
                table.rise(phone, request.form["rise"])
            else:
                table.sit(phone, request.form.get("seat", ""), person)
        except NoSuchKey as error:
            raise Refusal(422, error.seen, error.expected, "Choose a seat.") from error
        return redirect("/now" if "rise" not in request.form else "/", 303)

    @site.post("/language")
    def language() -> ResponseReturnValue:
        chosen = request.form.get("language", "en")
        if chosen not in ("en", "de"):
            raise Refusal(422, chosen, "en or de", "Choose a language.")
        about = msgspec.structs.replace(speaker.phone, language=chosen)
        table.keep_phone(str(session["phone"]), about)
        return redirect(request.form.get("back", "/table"), 303)

    @site.post("/game")
    def game() -> ResponseReturnValue:
        number = _whole("resume")
        try:
            table.resume(number or 0)
        except ValueError as error:
            raise Refusal(422, str(number), str(error), "Choose a game of the list.") from error
        return redirect("/", 303)

    @site.post("/setup")
    def setup() -> ResponseReturnValue:
        try:
            seats, choices = read_setup()
            table.start("vikingjarl", seats, choices, speaker.phone.person)
        except ValueError as error:
            raise Refusal(422, "this set-up", str(error), "Go back and change it.") from error
        return redirect("/", 303)

    _ = (answer, undo, redo, die, throw, touch, card, go_on, seat, language, game, setup)
    return site


def read_setup() -> tuple[list[Seat], dict[str, Any]]:
    """Return seats and choices of the set-up form; raises `ValueError`."""
    order = [j for j in request.form.getlist("jarl") if j]
    seats = [
        Seat(jarl, colour, _SIGNS.get(colour, ""), request.form.get(f"person.{jarl}", "").strip())
        for jarl in order
        if (colour := request.form.get(f"colour.{jarl}", ""))
    ]
    choices: dict[str, Any] = {
        key: value
        for key, value in request.form.items()
        if value and (key in ("first", "target_vp") or key.startswith(("ship.", "switch.")))
    }
    if choices.get("first") not in order:
        choices.pop("first", None)
    return seats, {
        k: v
        for k, v in choices.items()
        if not k.startswith("ship.") or k.removeprefix("ship.") in order
    }


def read_value(wants: Wants | None) -> Value:
    """Return the form's answer as a value of the kind that is wanted."""
    form = request.form
    if "done" in form or wants is None:
        return Done()
    match wants:
        case Count():
            return Number(_needed("value"))
        case Pick():
            return Picked(tuple(form.getlist("value")))
        case CardOf():
            ids = tuple(v for v in form.getlist("value") if v)
            return Picked(("pass",)) if ids == ("pass",) else Cards(ids)
        case Place():
            written = form.get("written", "").strip().lower().replace(" ", "_")
            return Placed(written or form.get("value", ""))
        case Text():
            return Written(unicodedata.normalize("NFC", form.get("value", "")))
        case Form(fields):
            return Filled(
                {
                    field.name: _needed(field.name)
                    if isinstance(field.wants, Count)
                    else form.get(field.name, "")
                    for field in fields
                    if field.name in form
                }
            )
        case Faces():
            return _dice(wants)


def _dice(wants: Faces) -> Dice:
    dice: list[Die] = []
    for side, pool in (wants.sides or {"": wants.counts}).items():
        for colour, count in pool.items():
            both = sum(colour in other for other in wants.sides.values()) > 1
            for number in range(count):
                face = request.form.get(f"{side}.{colour}.{number}", "")
                dice.append(Die(colour, face, side if both else None))
    return Dice(tuple(dice))


def _wants(look: Look, key: str) -> Wants | None:
    for question in look.questions:
        if question.key == key:
            return question.wants
    if key.startswith("fact:"):
        fact = look.fact(key.removeprefix("fact:"))
        return fact.set_by if fact else None
    return None


def _seat_for(look: Look, key: str) -> str | None:
    """Answer as the own seat where it is asked, else for the seat that is asked."""
    asked = next((q.seats for q in look.questions if q.key == key), ())
    if not asked or look.seat in asked:
        return look.seat
    return asked[0]


def _whole(name: str) -> int | None:
    text = request.form.get(name, "")
    if not text:
        return None
    if not text.lstrip("-").isdigit() or len(text) > 18:
        raise Refusal(422, f"{name} = {text[:40]!r}", "a whole number", "Go back and try again.")
    return int(text)


def _needed(name: str) -> int:
    value = _whole(name)
    if value is None:
        raise Refusal(422, f"no {name}", "a whole number", "Go back and fill it in.")
    return value


def fresh_id() -> str:
    """Return a new id by which a double tap counts once."""
    return secrets.token_hex(8)
