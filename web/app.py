"""Build the Flask app around one table (DESIGN 8)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from flask import Blueprint, Flask, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.table import Table
from companion.words import Words
from web.answers import answers
from web.guard import Guard, Refusal
from web.live import live
from web.pages import pages
from web.programs import programs
from web.speaking import Speaker

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_LARGEST_REQUEST = 64 * 1024  # bytes; no form or answer comes near it


def create_app(
    table: Table,
    words: Words,
    *,
    token: str,
    names: Sequence[str] = (),
    wall_language: str = "en",
    blueprints: Sequence[Blueprint] = (),
) -> Flask:
    """Return the app. `token` is for programs, `names` are further host names phones may use."""
    app = Flask(__name__)
    app.config["SECRET_KEY"] = token or secrets.token_hex()
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    app.config["SESSION_COOKIE_HTTPONLY"] = True
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_REQUEST
    app.config["PERMANENT_SESSION_LIFETIME"] = 60 * 60 * 24 * 365  # seconds
    guard = Guard(token, names)
    speaker = Speaker(table, words, wall_language)
    app.before_request(guard.check)
    app.context_processor(speaker.for_templates)
    for blueprint in (
        pages(table, speaker),
        answers(table, speaker),
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
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> ResponseReturnValue:
        if request.path.startswith("/api/"):
            return jsonify(refusal.as_json()), refusal.status
        return render_template("trouble.html", refusal=refusal), refusal.status

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        refusal = Refusal(status, error.name, "a page of this table", "Go back to the table.")
        return refused(refusal)

    _ = (headers, refused, failed)
    return app
