"""What people's forms change: answers, dice, cards, seats, games. Plain forms, then a redirect."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Blueprint, make_response, redirect, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.table import Look, MovedOn, Outcome, Refused, Table, Taken
from companion.terms import Answer, CannotStart, NoSuchKey, Wants
from web.asked import back, insists, no_such, once, rev, seat_for, word
from web.guard import Refusal
from web.leads import lead_of
from web.pages import now_page
from web.places import named_places
from web.speaking import Speaker
from web.values import text, value_of_form, whole
from web.vikingjarl import read_setup

_ASIDE = frozenset({"mark", "once", "rev", "back", "insist"})
"""Fields that every form has; the others are the answer."""


def answers(table: Table, speaker: Speaker) -> Blueprint:
    """Return the address of every form."""
    site = Blueprint("answers", __name__)

    @site.post("/answer")
    def answer() -> ResponseReturnValue:
        key, here = word("key"), speaker.here()
        wants, named = _wants(table, here, key), named_places(here)
        value = value_of_form(request.form, wants, named)
        given = Answer(key, value, seat_for(here, _asked(here, key)), speaker.person, insists())
        told = "set" if key.startswith("fact:") else ""
        return settle(lambda: table.answer(given, rev(), once()), told=told)

    @site.post("/preview")
    def preview() -> ResponseReturnValue:
        """Tell what a form leads to as it stands now; nothing is changed."""
        key, here = word("key"), speaker.here()
        wants, named = _wants(table, here, key), named_places(here)
        value = value_of_form(request.form, wants, named)
        given = Answer(key, value, seat_for(here, _asked(here, key)), speaker.person)
        return render_template("lead.html", lead=lead_of(table, speaker, given))

    @site.post("/go-on")
    def go_on() -> ResponseReturnValue:
        key, here = word("key"), speaker.here()
        seat, person = seat_for(here, _asked(here, key)), speaker.person
        return settle(lambda: table.go_on(key, person, seat, once()))

    @site.post("/waiting")
    def waiting() -> ResponseReturnValue:
        """Put the question for a printed value off, or give the answer up that waits for it."""
        if word("act") == "drop":
            number = whole(request.form, "pending")
            return settle(lambda: table.drop_waiting(number, once()), told="aside")
        return settle(lambda: table.later(word("key"), once()))

    @site.post("/undo")
    def undo() -> ResponseReturnValue:
        to = whole(request.form, "to", -1)
        step, person = (to if to >= 0 else None), speaker.person
        return settle(lambda: table.undo(step, person, rev(), once()), told="undone")

    @site.post("/redo")
    def redo() -> ResponseReturnValue:
        return settle(lambda: table.redo(speaker.person, rev(), once()), told="redone")

    @site.post("/die")
    def die() -> ResponseReturnValue:
        number, used = whole(request.form, "proposal"), request.form.get("used")
        return settle(
            lambda: table.correct(
                number,
                whole(request.form, "die"),
                word("face") or None,
                word("side") or None,
                None if used is None else used == "yes",
                speaker.person,
                speaker.seat,
                id=once(),
            ),
            again=("/throw", {"proposal": str(number)}),
        )

    @site.post("/throw")
    def throw() -> ResponseReturnValue:
        number, person = whole(request.form, "proposal"), speaker.person
        if request.form.get("act") == "dismiss":
            return settle(lambda: table.dismiss(number, person, once()), told="aside")
        question = word("question") or None
        return settle(
            lambda: table.accept(number, person, speaker.seat, question, insists(), id=once())
        )

    @site.post("/touch")
    def touch() -> ResponseReturnValue:
        table.touch()
        return redirect(back(), 303)

    @site.post("/card")
    def card() -> ResponseReturnValue:
        number, person = whole(request.form, "proposal"), speaker.person
        if request.form.get("act") == "dismiss":
            return settle(lambda: table.dismiss(number, person, once()), told="aside")
        title = word("title")
        if title:
            return settle(lambda: table.name_card(number, title, person, once()))
        key = word("key")
        return settle(lambda: table.play_card(number, key, insists(), person, speaker.seat, once()))

    @site.post("/seat")
    def seat() -> ResponseReturnValue:
        phone, leaving = str(session["phone"]), word("rise")
        if leaving:
            table.rise(phone, leaving)
            return redirect("/seats", 303)
        try:
            table.sit(phone, word("seat"), text(request.form, "person"))
        except NoSuchKey as error:
            raise no_such(error) from error
        return redirect("/now", 303)

    @site.post("/language")
    def language() -> ResponseReturnValue:
        chosen = word("language")
        if chosen not in ("en", "de"):
            raise Refusal(422, "language", seen=chosen)
        about = msgspec.structs.replace(speaker.phone, language=chosen)
        table.keep_phone(str(session["phone"]), about)
        return redirect(back("/table"), 303)

    @site.post("/help")
    def help_level() -> ResponseReturnValue:
        table.set_scorekeeper(word("level") == "scorekeeper")
        return redirect(back("/table"), 303)

    @site.post("/noted")
    def noted() -> ResponseReturnValue:
        table.note_restored()
        return redirect("/table", 303)

    @site.post("/game")
    def game() -> ResponseReturnValue:
        number = whole(request.form, "resume")
        try:
            table.resume(number)
        except ValueError as error:
            raise Refusal(422, "game", n=number) from error
        return redirect("/", 303)

    @site.post("/setup")
    def setup() -> ResponseReturnValue:
        seats, choices = read_setup(request.form)
        try:
            table.start("vikingjarl", seats, choices, speaker.person)
        except CannotStart as error:
            why = speaker.tell_in(error.say, "vikingjarl")
            raise Refusal(422, "setup", why=why) from error
        if "level" in request.form:
            table.set_scorekeeper(word("level") == "scorekeeper")
        return redirect("/seats", 303)

    def settle(
        act: Callable[[], Outcome],
        told: str = "",
        again: tuple[str, dict[str, str]] | None = None,
    ) -> ResponseReturnValue:
        """Do it, then go back to the page; what the rules dislike is shown with its way on."""
        try:
            outcome = act()
        except NoSuchKey as error:
            raise no_such(error) from error
        match outcome:
            case Refused():
                return objection(outcome, again)
            case MovedOn():
                return redirect(f"{back()}?told=moved_on", 303)
            case Taken(pending=True):
                return redirect("/now?told=pending", 303)
            case _:
                return redirect(f"{back()}?told={told}" if told else back(), 303)

    def objection(
        refused: Refused, again: tuple[str, dict[str, str]] | None
    ) -> ResponseReturnValue:
        here = speaker.here()
        action, fields = again or (request.path, {})
        kept = [(k, v) for k, v in request.form.items(multi=True) if k not in _ASIDE]
        page = render_template(
            "now.html",
            look=here,
            me=speaker.me(here),
            note="",
            refused=refused,
            again=action,
            fields=list(fields.items()) if again else kept,
            below=back(),
            **now_page(table, speaker, here),
        )
        response = make_response(page, 409)
        response.headers["HX-Replace-Url"] = "/now"
        return response

    _ = (
        answer,
        preview,
        go_on,
        waiting,
        undo,
        redo,
        die,
        throw,
        touch,
        card,
        seat,
        language,
        help_level,
        noted,
        game,
    )
    _ = setup
    return site


def _wants(table: Table, look: Look, key: str) -> Wants | None:
    """Return what a question, a fact or a printed value wants; raises `Refusal` for no such key."""
    for question in look.questions:
        if question.key == key:
            return question.wants
    if key.startswith("box:"):
        name = key.removeprefix("box:")
        printed = next((v for v in table.printed_values() if v.key == name), None)
        if printed is None:
            raise Refusal(422, "box", key=name[:60])
        return printed.wants
    if key.startswith("fact:"):
        fact = look.fact(key.removeprefix("fact:"))
        if fact is None or fact.set_by is None:
            raise Refusal(422, "fact", key=key[:60])
        return fact.set_by
    return None


def _asked(look: Look, key: str) -> tuple[str, ...]:
    return next((q.seats for q in look.questions if q.key == key), ())
