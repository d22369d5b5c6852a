"""The pages: now, my board, table, story, a number's trail, set-up, and the big screen."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import segno
from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import Look, Preview, Proposal, Table
from companion.table.throws import value_of
from companion.terms import Answer, Fact, NoSuchKey, Pick, Picked, Question
from web.guard import Refusal
from web.speaking import Speaker

_MOST_PREVIEWS = 8


def pages(table: Table, speaker: Speaker) -> Blueprint:
    """Return all pages that only show."""
    site = Blueprint("pages", __name__)

    def look() -> Look:
        return table.look(speaker.phone.seat if _sits(table, speaker) else None)

    def show(template: str, here: Look, status: int = 200, **more: Any) -> ResponseReturnValue:
        return render_template(template, look=here, me=speaker.seat(here), **more), status

    @site.get("/")
    def join() -> ResponseReturnValue:
        here = look()
        if here.game is None:
            return redirect("/setup", 303)
        return show("join.html", here)

    @site.get("/now")
    def now() -> ResponseReturnValue:
        here = look()
        if here.game is None:
            return redirect("/setup", 303)
        return show("now.html", here, previews=previews(table, here))

    @site.get("/board")
    def board() -> ResponseReturnValue:
        here = look()
        if here.seat is None:
            return redirect("/", 303)
        return show("board.html", here)

    @site.get("/table")
    def at_table() -> ResponseReturnValue:
        return show("table.html", look(), games=table.games())

    @site.get("/story")
    def story() -> ResponseReturnValue:
        here = look()
        return show("story.html", here, steps=table.story(here.seat, 100))

    @site.get("/step/<int:number>")
    def step(number: int) -> ResponseReturnValue:
        here = look()
        found = table.step(number, here.seat)
        if found is None:
            raise Refusal(404, f"step {number}", "a step of this game", "Look at the story.")
        return show("step.html", here, step=found)

    @site.get("/fact/<key>")
    def fact(key: str) -> ResponseReturnValue:
        here = look()
        found = here.fact(key)
        if found is None:
            raise Refusal(404, f"number {key!r}", "a number you may see", "Go back to the table.")
        return show("fact.html", here, fact=found, trail=table.trail(key, here.seat))

    @site.get("/setup")
    def setup() -> ResponseReturnValue:
        return show("vikingjarl/setup.html", look(), switches=switches(speaker))

    @site.get("/wall")
    def wall() -> ResponseReturnValue:
        return show("wall.html", table.look(None))

    @site.get("/picture/<name>.jpg")
    def picture(name: str) -> ResponseReturnValue:
        jpeg = table.picture(name)
        if jpeg is None:
            raise Refusal(404, "this picture", "a kept picture", "It may be from an old game.")
        kept = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(jpeg, mimetype="image/jpeg", headers=kept)

    @site.get("/join.svg")
    def code() -> ResponseReturnValue:
        picture = io.BytesIO()
        segno.make(request.url_root, error="m").save(picture, kind="svg", scale=6, border=2)
        return Response(picture.getvalue(), mimetype="image/svg+xml")

    _ = (join, now, board, at_table, story, step, fact, setup, wall, picture, code)
    return site


def previews(table: Table, look: Look) -> dict[tuple[str, str], Preview]:
    """Return what each answer leads to, by (question or proposal, answer); outside the lock."""
    found: dict[tuple[str, str], Preview] = {}
    for question in look.questions:
        if not isinstance(question.wants, Pick) or not _asks(question, look.seat):
            continue
        if len(question.wants.options) > _MOST_PREVIEWS or question.wants.at_least != 1:
            continue
        for option in question.wants.options:
            answer = Answer(question.key, Picked((option.id,)), look.seat)
            found[question.key, option.id] = _tried(table, answer)
    for proposal in look.proposals:
        found |= _of_doubt(table, look, proposal)
    return found


def _of_doubt(table: Table, look: Look, proposal: Proposal) -> dict[tuple[str, str], Preview]:
    """Return what the faces of a throw's last doubtful die lead to."""
    doubtful = [n for n, die in enumerate(proposal.dice) if die.unsure]
    if len(doubtful) != 1 or proposal.missing or not proposal.question:
        return {}
    found: dict[tuple[str, str], Preview] = {}
    for face in proposal.faces:
        dice = list(proposal.dice)
        dice[doubtful[0]] = msgspec.structs.replace(dice[doubtful[0]], face=face)
        full = msgspec.structs.replace(proposal, dice=tuple(dice))
        answer = Answer(proposal.question, value_of(full), look.seat)
        found[f"proposal:{proposal.id}", face] = _tried(table, answer)
    return found


def _tried(table: Table, answer: Answer) -> Preview:
    try:
        return table.preview(answer)
    except NoSuchKey:
        return Preview()


def _asks(question: Question, seat: str | None) -> bool:
    return not question.seats or seat in question.seats


def _sits(table: Table, speaker: Speaker) -> bool:
    seats = {seat.id for seat in table.look(None).seats}
    return speaker.phone.seat in seats


def switches(speaker: Speaker) -> list[str]:
    """Return the names of the house-rule switches, from the game's words."""
    keys = speaker.words.keys("switch.", "en", "vikingjarl")
    return [key.removeprefix("switch.") for key in keys]


def shown(fact: Fact | None) -> str:
    """Return a fact's value as text; "?" while unknown."""
    return "?" if fact is None or fact.value is None else str(fact.value)
