"""Kept games as files: one is saved to a phone, and brought to another table."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from companion.table import LARGEST, GameFileTrouble, Table
from web.guard import Refusal

BRING = "kept_games.bring"
"""The one endpoint whose requests may be as large as a game file."""
_ROOM = 64 * 1024  # bytes of the form around the file


def kept_games(table: Table) -> Blueprint:
    """Return `/games/ID.json` (`?pictures=yes`) and the form that brings such a file."""
    site = Blueprint("kept_games", __name__)

    @site.get("/games/<int:number>.json")
    def save(number: int) -> ResponseReturnValue:
        try:
            body = table.export(number, request.args.get("pictures") == "yes")
        except GameFileTrouble as trouble:
            raise refusal_of(trouble, 404) from trouble
        name = next(line.game for line in table.games() if line.id == number)
        offered = {"Content-Disposition": f'attachment; filename="{name}-{number}.json"'}
        return Response(body, mimetype="application/json", headers=offered)

    @site.post("/games")
    def bring() -> ResponseReturnValue:
        given = request.files.get("file")
        if given is None or not given.filename:
            raise refusal_of(GameFileTrouble("missing"))
        try:
            table.bring(given.stream.read(LARGEST + 1))
        except GameFileTrouble as trouble:
            raise refusal_of(trouble) from trouble
        return redirect("/table?told=brought", 303)

    _ = (save, bring)
    return site


def allow_game_files() -> None:
    """Let a request be as large as a game file where it brings one; run before it is read."""
    if request.endpoint == BRING:
        request.max_content_length = LARGEST + _ROOM
        request.max_form_memory_size = LARGEST + _ROOM  # a part's buffer counts, too


def too_large() -> Refusal:
    """Return what to say to a request beyond all bounds, to each endpoint its own."""
    if request.endpoint == BRING:
        return refusal_of(GameFileTrouble("large", most=LARGEST // (1024 * 1024)), 413)
    return Refusal(413, "large")


def refusal_of(trouble: GameFileTrouble, status: int = 422) -> Refusal:
    """Return what is wrong with a game file, as the pages say it."""
    parts = {part: trouble.say(part) for part in ("seen", "expected", "do")}
    return Refusal(status, "game_file", **parts)
