"""Build the Flask app around one table (DESIGN 8)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Flask, Response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.table import StoreTrouble, Table
from companion.words import Words
from web.answers import answers
from web.cards import cards_asked_for, cards_by_name
from web.guard import Guard, Refusal
from web.kept_games import allow_game_files, kept_games, too_large
from web.live import live
from web.pages import pages
from web.past import past
from web.places import kinds_to_write, places_in_groups, where_of, where_set
from web.programs import programs, refusal_json
from web.speaking import Speaker
from web.throws import gaps_of, hits_of

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_LARGEST_REQUEST = 64 * 1024
"""Bytes; no form or answer comes near it."""
_YEAR = 60 * 60 * 24 * 365


def create_app(
    table: Table,
    words: Words,
    *,
    token: str,
    names: Sequence[str] = (),
    wall_language: str | None = None,
    blueprints: Sequence[Blueprint] = (),
    device_pages: Mapping[str, Sequence[tuple[str, str]]] | None = None,
) -> Flask:
    """Return the app. `token` is for programs, `names` are further host names phones may use.
    `wall_language` is the big screen's, None for the one of the browser that shows it.

    `device_pages` are the pages that the blueprints bring for a device, to be linked from the Table
    page: by device, each with its address and the word for it (`web.WORD`).
    """
    linked = dict(device_pages or {})
    app = Flask(__name__)
    secret = f"cookies of {token}" if token else secrets.token_hex()
    app.config.from_mapping(
        SECRET_KEY=hashlib.sha256(secret.encode()).hexdigest(),
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        MAX_CONTENT_LENGTH=_LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=_LARGEST_REQUEST,
        PERMANENT_SESSION_LIFETIME=_YEAR,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.add_template_global(lambda: secrets.token_hex(6), "fresh_id")
    app.add_template_global(gaps_of, "gaps_of")
    app.add_template_global(hits_of, "hits_of")
    app.add_template_global(where_of, "where_of")
    app.add_template_global(where_set, "where_set")
    app.add_template_global(kinds_to_write, "kinds_to_write")
    app.add_template_filter(_kind, "kind")
    app.add_template_filter(_dom, "dom")
    guard = Guard(token, names)
    speaker = Speaker(table, words, wall_language)
    app.add_template_global(partial(places_in_groups, speaker), "places_in_groups")
    app.add_template_global(partial(cards_by_name, speaker), "cards_by_name")
    app.add_template_global(partial(cards_asked_for, speaker), "cards_asked_for")
    app.before_request(allow_game_files)
    app.before_request(guard.check)
    app.context_processor(speaker.for_templates)
    app.context_processor(lambda: {"device_pages": linked})
    for blueprint in (
        pages(table, speaker),
        answers(table, speaker),
        kept_games(table),
        past(table, speaker),
        programs(table, speaker, guard),
        live(table),
        *blueprints,
    ):
        app.register_blueprint(blueprint)

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["X-Content-Type-Options"] = "nosniff"
        if request.endpoint == "static":
            response.headers["Cache-Control"] = "no-cache"
        else:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> ResponseReturnValue:
        if request.path.startswith("/api/"):
            return refusal_json(refusal, speaker)
        return render_template("trouble.html", refusal=refusal), refusal.status

    @app.errorhandler(StoreTrouble)
    def not_kept(error: StoreTrouble) -> ResponseReturnValue:
        told = error.trouble
        return refused(Refusal(507, "not_kept", why=told.seen, what=told.do))

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if status == 413:
            return refused(too_large())
        if status == 405:
            return refused(Refusal(405, "method", path=request.path[:80], method=request.method))
        return refused(
            Refusal(status, "page" if status == 404 else "stumbled", path=request.path[:80])
        )

    _ = (headers, refused, not_kept, failed)
    return app


def _kind(wants: Any) -> str:
    """Return which of the wants (or values) it is: `pick`, `count`, `faces` ...; "" for None."""
    return "" if wants is None else str(wants.__struct_config__.tag)


def _dom(key: str) -> str:
    """Return a key as a stable id of the page."""
    return key.replace(".", "-").replace(":", "-")
