"""The pages on which people teach the companion their dice, under /dice."""

from __future__ import annotations

import unicodedata

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.eye.lesson import LessonError, Plan
from companion.eye.teacher import Teacher
from web.guard import Refusal

KINDS = {
    "battle": Plan("battle", ("black", "white", "red"), ("helmet", "shield")),
    "saga": Plan("saga-vikings", ("white",), ("symbol-1", "symbol-2", "symbol-3")),
    "own": Plan("my-dice", ("white",), ("face-1", "face-2")),
}
"""What the form begins with, by kind of set."""
_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})
_LONGEST = 200


def teach_pages(teacher: Teacher) -> Blueprint:
    """Return the pages; the Table page links to them."""
    pages = Blueprint("dice", __name__, url_prefix="/dice", template_folder="pages")

    @pages.get("")
    def show() -> ResponseReturnValue:
        asked = request.args.get("for", "")
        kind = asked if asked in KINDS else "battle"
        return render_template(
            "dice.html", guide=teacher.guide(), kinds=list(KINDS), kind=kind, suggested=KINDS[kind]
        )

    def picture(png: bytes | None) -> Response:
        if png is None:
            raise Refusal(404, "picture")
        return Response(png, mimetype="image/png", headers={"Cache-Control": "no-store"})

    @pages.get("/shot/<int:number>.png")
    def shot(number: int) -> ResponseReturnValue:
        return picture(teacher.crop(number))

    @pages.get("/left/<int:number>.png")
    def left(number: int) -> ResponseReturnValue:
        return picture(teacher.left(number))

    @pages.post("/begin")
    def begin() -> ResponseReturnValue:
        texts = [request.form.get(name, "")[:_LONGEST] for name in ("set", "colours", "faces")]
        (name,) = names_in(texts[0].replace(",", " ")) or ("",)
        try:
            teacher.begin(Plan(name, names_in(texts[1]), names_in(texts[2])))
        except LessonError as error:
            raise Refusal(422, f"teach_{error.key}", seen=error.seen or "-") from error
        return redirect("/dice", 303)

    @pages.post("/do")
    def do() -> ResponseReturnValue:
        face = (request.form.get("colour", ""), request.form.get("face", ""))
        match request.form.get("act", ""):
            case "empty":
                teacher.take_empty()
            case "empty_anyhow":
                teacher.take_empty(anyhow=True)
            case "empty_again":
                teacher.empty_again()
            case "back":
                teacher.take_back()
            case "again":
                teacher.show_again(*face)
            case "leave_out":
                teacher.leave_out(*face)
            case "insist":
                teacher.insist()
            case "try_again":
                teacher.try_again()
            case "give_up":
                teacher.give_up()
            case other:
                raise Refusal(422, "nothing", seen=other[:40], expected="empty, back, give_up")
        return redirect("/dice", 303)

    _ = (show, shot, left, begin, do)
    return pages


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text, parted by commas, as the files of a set spell them.

    "Schwarz, Elfenbein weiß" becomes `schwarz` and `elfenbein-weiss`.
    """
    return tuple(name for part in text.split(",") if (name := _spelt(part)))


def _spelt(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).lower().translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", plain)
    kept = "".join(
        c if c.isascii() and (c.isalnum() or c == "_") else "-"
        for c in plain
        if not unicodedata.combining(c)
    )
    return "-".join(part for part in kept.split("-") if part)
