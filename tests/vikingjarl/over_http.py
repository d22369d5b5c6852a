"""The same game behind its web interface: answers are posted, a seat's state is fetched."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from companion.games import vikingjarl
from companion.store import Store
from companion.table import Table
from companion.terms import Seat
from companion.words import Words
from tests.vikingjarl.playing import (
    COLOURS,
    JARLS,
    Asked,
    MovedOn,
    NoSuchKey,
    Outcome,
    Playing,
    Refused,
    Taken,
    usual_choices,
)
from web import create_app

TOKEN = "a token for programs"
_SIGNS = {"red": "axe", "blue": "raven", "yellow": "sun", "black": "wolf"}


class OverHttp:
    """One game at a table of its own; `start` lays a new one on it."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "companion.sqlite")
        self.table = Table(self.store, {"vikingjarl": vikingjarl})
        app = create_app(self.table, Words.load(), token=TOKEN)
        self.client: FlaskClient = app.test_client()
        self.headers = {"Authorization": f"Bearer {TOKEN}"}
        self.ids = itertools.count()
        self.states: dict[str | None, dict[str, Any]] = {}

    def start(self, choices: Mapping[str, Any]) -> Playing:
        jarls = choices.get("jarls", JARLS)
        seats = [Seat(jarl, COLOURS[jarl], _SIGNS[COLOURS[jarl]]) for jarl in jarls]
        self.table.start("vikingjarl", seats, usual_choices(choices))
        self.states.clear()
        return self

    def close(self) -> None:
        self.store.close()

    def answer(
        self, key: str, value: Mapping[str, Any], seat: str | None = None, insist: bool = False
    ) -> Outcome:
        rev = self._state(seat)["rev"]
        said = {"key": key, "value": value, "seat": seat, "insist": insist, "rev": rev}
        told = self.client.post(
            "/api/answer", json=said | {"id": f"answer {next(self.ids)}"}, headers=self.headers
        )
        self.states.clear()
        body = told.get_json()
        match told.status_code:
            case 200:
                return Taken(pending=body.get("pending", False))
            case 409 if "objections" in body:
                assert body["objections"], "409 with objections, but there is none"
                return Refused(tuple((one["say"], one["rule"]) for one in body["objections"]))
            case 409:
                return MovedOn()
            case 422:
                return NoSuchKey(f"seen {body['seen']}, expected {body['expected']}")
            case status:
                raise AssertionError(f"{key} answered with {status}: {body}")

    def facts(self, seat: str | None) -> dict[str, Any]:
        if seat is not None and seat not in self._seats():
            return {}
        return {fact["key"]: fact["value"] for fact in self._state(seat)["facts"]}

    def questions(self) -> tuple[Asked, ...]:
        asked: dict[str, Asked] = {}
        for seat in (None, *self._seats()):
            for one in self._state(seat)["questions"]:
                asked.setdefault(
                    one["key"],
                    Asked(
                        one["key"],
                        tuple(one["seats"]),
                        one["urgency"],
                        one["wants"],
                        one["default"],
                    ),
                )
        return tuple(asked.values())

    def undo(self, steps: int) -> None:
        for _ in range(steps):
            told = self.client.post("/api/undo", json={}, headers=self.headers)
            assert told.status_code == 200, told.get_json()
        self.states.clear()

    def _seats(self) -> list[str]:
        return [seat["id"] for seat in self._state(None)["seats"]]

    def _state(self, seat: str | None) -> dict[str, Any]:
        if seat not in self.states:
            query = {"seat": seat} if seat else {}
            told = self.client.get("/api/state", query_string=query, headers=self.headers)
            assert told.status_code == 200, told.get_json()
            self.states[seat] = told.get_json()
        return self.states[seat]
