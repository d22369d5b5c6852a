"""The pages that only show: now, my board, table, story, a number's trail, set-up, big screen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import Look, Table
from companion.terms import Count, Fact, Question
from web.address import join_code, phones_address
from web.guard import Refusal
from web.latest import latest
from web.leads import Leads, leads
from web.speaking import Speaker
from web.throws import doubts_of, grace_left, rows_of
from web.vikingjarl import USUAL_NUMBERS, house_rules, wall_of

_TOLD = frozenset(
    {"moved_on", "undone", "redone", "pending", "aside", "set", "put_right", "brought"}
)
_STORY = 60
"""Steps on one page of the story."""


def pages(table: Table, speaker: Speaker) -> Blueprint:
    """Return all pages that only show."""
    site = Blueprint("pages", __name__)

    @site.get("/")
    def start() -> ResponseReturnValue:
        here = speaker.here()
        if here.game is None:
            return redirect("/setup", 303)
        return redirect("/now", 303) if here.seat else show("join.html", here)

    @site.get("/seats")
    def seats() -> ResponseReturnValue:
        here = speaker.here()
        return redirect("/setup", 303) if here.game is None else show("join.html", here)

    @site.get("/now")
    def now() -> ResponseReturnValue:
        here = speaker.here()
        if here.game is None:
            return redirect("/setup", 303)
        return show("now.html", here, **now_page(table, speaker, here))

    @site.get("/board")
    def board() -> ResponseReturnValue:
        here = speaker.here()
        if here.seat is None:
            return redirect("/seats", 303)
        if here.scorekeeper:
            return redirect("/numbers", 303)
        asked = {q.key: q for q in here.questions}
        return show("board.html", here, asked=asked, picked=picked_thing())

    @site.get("/numbers")
    def numbers() -> ResponseReturnValue:
        here = speaker.here()
        if here.seat is None:
            return redirect("/seats", 303)
        every = "all" in request.args
        return show(
            "numbers.html",
            here,
            numbers=own_numbers(here, every),
            every=every,
            asked={q.key: q for q in here.questions},
            throws=seen_throws(here) if here.scorekeeper else (),
        )

    @site.get("/table")
    def at_table() -> ResponseReturnValue:
        here = speaker.here()
        address, switched = phones_address(request.url), bool(switches_of(here))
        return show("table.html", here, games=table.games(), address=address, switched=switched)

    @site.get("/rules")
    def rules() -> ResponseReturnValue:
        here = speaker.here()
        return show("rules.html", here, switches=switches_of(here))

    @site.get("/story")
    def story() -> ResponseReturnValue:
        here = speaker.here()
        before = request.args.get("before", type=int)
        steps = table.story(here.seat, _STORY, before)
        return show("story.html", here, steps=steps)

    @site.get("/step/<int:number>")
    def step(number: int) -> ResponseReturnValue:
        here = speaker.here()
        found = table.step(number, here.seat)
        if found is None:
            raise Refusal(404, "step", n=number)
        return show("step.html", here, step=found)

    @site.get("/fact/<key>")
    def fact(key: str) -> ResponseReturnValue:
        here = speaker.here()
        found = here.fact(key)
        if found is None:
            raise Refusal(404, "fact", key=key[:60])
        return show("fact.html", here, fact=found, trail=table.trail(key, here.seat))

    @site.get("/box")
    @site.get("/box/<key>")
    def box(key: str = "") -> ResponseReturnValue:
        here, values = speaker.here(), table.printed_values()
        one = next((v for v in values if v.key == key), None)
        if key and one is None:
            raise Refusal(404, "box", key=key[:60])
        return show("box.html", here, values=values, one=one)

    @site.get("/setup")
    def setup() -> ResponseReturnValue:
        return show(
            "vikingjarl/setup.html",
            speaker.here(),
            variants=variants(speaker),
            rules=house_rules(speaker),
        )

    @site.get("/wall")
    def wall() -> ResponseReturnValue:
        here = speaker.look(None)
        drawn = wall_of(here, speaker) if here.game == "vikingjarl" else None
        last = latest(table, speaker, None)
        address = phones_address(request.url)
        return show("wall.html", here, drawn=drawn, address=address, latest=last)

    @site.get("/picture/<name>.jpg")
    def picture(name: str) -> ResponseReturnValue:
        jpeg = table.picture(name)
        if jpeg is None:
            raise Refusal(404, "picture")
        kept = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(jpeg, mimetype="image/jpeg", headers=kept)

    @site.get("/join.svg")
    def code() -> ResponseReturnValue:
        return Response(join_code(phones_address(request.url)), mimetype="image/svg+xml")

    def show(template: str, here: Look, **more: Any) -> ResponseReturnValue:
        told = request.args.get("told", "")
        return render_template(
            [f"{here.game}/{template}", template],
            look=here,
            me=speaker.me(here),
            note=told if told in _TOLD else "",
            **more,
        )

    _ = (start, seats, now, board, numbers, at_table, rules, story, step, fact, box, setup)
    _ = (wall, picture, code)
    return site


def now_page(table: Table, speaker: Speaker, here: Look) -> dict[str, Any]:
    """Return what the Now page shows besides the look: what was last, questions, and leads."""
    if here.scorekeeper:
        return kept_page(here) | {"latest": latest(table, speaker, here.seat)}
    thrown = {p.question for p in here.proposals if p.question}
    urgent = [q for q in here.questions if q.urgency == "now" and q.key not in thrown]
    mine = [q for q in urgent if asks(q, here.seat)]
    others = [q for q in urgent if not asks(q, here.seat)]
    offers = [q for q in here.questions if q.urgency == "offer" and asks(q, here.seat)]
    loud = [] if thrown else (mine or others)[:1]
    asked = {q.key: q for q in here.questions}
    return {
        "asked": asked,
        "loud": loud,
        "quiet": [q for q in (*mine, *others) if q not in loud],
        "offers": in_groups(offers),
        "leads": leads(table, speaker, here),
        "latest": latest(table, speaker, here.seat),
        "throws": [
            (p, rows_of(p, asked.get(p.question)), doubts_of(p), grace_left(p))
            for p in here.proposals
        ],
        "in_grace": any(p.grace_until is not None for p in here.proposals),
    }


def kept_page(here: Look) -> dict[str, Any]:
    """Return what the Now page shows to a scorekeeper: what was thrown, and nothing to answer."""
    return {
        "asked": {},
        "loud": [],
        "quiet": [],
        "offers": [],
        "leads": Leads(),
        "throws": seen_throws(here),
        "in_grace": False,
    }


def seen_throws(here: Look) -> list[tuple[Any, Any, tuple[Any, ...], int]]:
    """Return the throws as seen, for no question: nobody waits for them."""
    return [(p, rows_of(p, None), (), 0) for p in here.proposals]


def asks(question: Question, seat: str | None) -> bool:
    """True where this seat is asked; a question to nobody asks everybody."""
    return not question.seats or seat in question.seats


def in_groups(offers: list[Question]) -> list[tuple[str, list[Question]]]:
    """Return offers under their groups, in the order in which the groups first come."""
    groups: dict[str, list[Question]] = {}
    for offer in offers:
        groups.setdefault(offer.group, []).append(offer)
    return list(groups.items())


def picked_thing() -> tuple[str, str] | None:
    """Return the store and the kind of the thing that was tapped on the board, if any."""
    store, _, kind = request.args.get("pick", "").partition(":")
    return (store, kind) if store and kind else None


def own_numbers(here: Look, every: bool) -> list[Fact]:
    """Return the numbers of this seat that a hand may set; without `every`, those in use."""
    facts = here.view.facts if here.view else ()
    own = [f for f in facts if f.key.startswith(f"{here.seat}.") and isinstance(f.set_by, Count)]
    if every:
        return own
    always = tuple(f"{here.seat}.{name}" for name in USUAL_NUMBERS)
    return [f for f in own if f.value or f.key in always]


def switches_of(here: Look) -> list[Fact]:
    """Return the house rules of the game on the table."""
    return [f for f in here.view.facts if f.key.startswith("switch.")] if here.view else []


def variants(speaker: Speaker) -> list[str]:
    """Return the ids of the variants that the game has words for."""
    keys = speaker.words.keys("variant.", speaker.language, "vikingjarl")
    return [key.removeprefix("variant.") for key in keys if key.count(".") == 1]
