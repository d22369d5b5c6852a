"""A real table in positions that people come to, and a phone that fills in its forms."""

from __future__ import annotations

import hashlib
import re
from html import unescape
from pathlib import Path

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games import vikingjarl
from companion.store import Store
from companion.table import Outcome, Table
from companion.terms import (
    Answer,
    CardReading,
    DeviceState,
    DiceReading,
    Done,
    Filled,
    Number,
    Picked,
    Placed,
    Seat,
    SeenDie,
    Trouble,
    Value,
    say,
)

TOKEN = "a token of the service"
SEATS = (
    Seat("gudrun", "red", "axe", "Signe"),
    Seat("eirik", "yellow", "hawk", "Maike"),
    Seat("harald", "blue", "raven", "Jonas"),
    Seat("brage", "black", "wolf", "Tom"),
)


class Played:
    """A table with its game, and what the test does to it besides the pages."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "companion.sqlite")
        self.table = Table(self.store, {"vikingjarl": vikingjarl}, grace=4.0, patience=30.0)
        self._settles = 0

    def begin(self) -> None:
        """Four Jarls sit down, Gudrun begins, everybody holds a Saga."""
        self.table.start("vikingjarl", SEATS, {"first": "gudrun", "ship.gudrun": 3})
        self.say("setup.draft", Done())

    def turn(self) -> None:
        """Gudrun has drawn and may act; some numbers are as in the middle of a game."""
        self.begin()
        for key, number in {
            "gudrun.vp": 6,
            "eirik.vp": 5,
            "harald.vp": 8,
            "gudrun.silver": 7,
            "gudrun.ship.iron": 1,
        }.items():
            self.say(f"fact:{key}", Number(number))
        self.say("turn.draw", Done(), "gudrun")

    def declare(self) -> None:
        """Gudrun's Ship attacks Jorvik and its shield is seen; who goes in is asked."""
        self.turn()
        self.say("fact:gudrun.ship.at", Placed("jorvik"))
        self.say("gudrun.ship.act", Picked(("attack:jorvik",)), "gudrun")
        shield = Filled({"defenders": 2, "vp": 2, "reward": "mead"})
        self.say("town.jorvik.flip", shield, "gudrun")

    def attack(self) -> None:
        """Gudrun's Ship attacks Jorvik with 3 Vikings against 2 defenders; the roll is asked."""
        self.declare()
        commit = next(q for q in self.table.look("gudrun").questions if q.key == "battle.commit")
        assert commit.default is not None
        self.say("battle.commit", commit.default, "gudrun")

    def meet_at_sea(self) -> None:
        """Gudrun and Eirik lie off Man, an Army of one Viking on each Ship; it is Gudrun's turn."""
        self.turn()
        for seat in ("gudrun", "eirik"):
            self.say(f"fact:{seat}.ship.at", Placed("sea_man"))
            self.say(f"fact:{seat}.army.at", Placed("ship"))
            self.say(f"fact:{seat}.army.v", Number(1))

    def throw_counts(self, dice: str) -> None:
        """Let the camera see dice, and count them in the battle."""
        self.throw(dice)
        thrown = self.table.look("gudrun").proposals[0]
        self.table.accept(thrown.id, "Signe", "gudrun", thrown.question)

    def say(self, key: str, value: Value, seat: str | None = None) -> Outcome:
        """Answer at the table itself, with insist."""
        return self.table.answer(Answer(key, value, seat, "Signe", insist=True))

    def throw(self, dice: str, unsure: int | None = None, now: float | None = None) -> None:
        """Let the camera see dice such as "B HMM W MH"; the die with index `unsure` is doubtful."""
        self._settles += 1
        seen: list[SeenDie] = []
        pictures: dict[str, bytes] = {}
        colour = ""
        for word in dice.split():
            if word in "BWR":
                colour = {"B": "black", "W": "white", "R": "red"}[word]
                continue
            for letter in word:
                face = {"H": "helmet", "M": "shield"}[letter]
                crop = picture(colour, face, len(seen))
                name = hashlib.sha256(crop).hexdigest()
                pictures[name] = crop
                doubt = unsure == len(seen)
                likely = (("shield", 0.6), ("helmet", 0.4)) if doubt else ()
                sure = 0.6 if doubt else 0.99
                seen.append(SeenDie(colour, face, sure, 20.0, 20.0, likely=likely, crop=name))
        reading = DiceReading(
            "tray_camera", "battle", tuple(seen), self._settles, 0.0, pictures=pictures
        )
        self.table.read(reading, now)

    def tap(self, uid: str) -> None:
        """Lay a card on the reader."""
        self.table.read(CardReading("card_reader", uid, "arrived", 0.0))

    def devices(self) -> None:
        """The camera is ready, the tray asleep, the reader gone."""
        self.table.device_state(DeviceState("tray_camera", "ready", notes={"frames": 120}))
        self.table.device_state(DeviceState("tray_controller", "asleep"))
        lost = Trouble("card_reader", say("reader.lost"), say("reader.lost.do"))
        self.table.device_state(DeviceState("card_reader", "gone", lost))

    def fact(self, key: str, seat: str | None = None) -> object:
        """Return the value of a fact."""
        found = self.table.look(seat).fact(key)
        return found.value if found else None


def picture(colour: str, face: str, number: int) -> bytes:
    """Draw a die as a camera's crop shows it (JPEG)."""
    body = {"black": (30, 32, 35), "white": (208, 222, 228), "red": (32, 29, 142)}[colour]
    mark = (30, 30, 30) if colour == "white" else (216, 232, 239)
    drawn = np.full((96, 96, 3), (94, 103, 106), np.uint8)
    corners = cv2.boxPoints(((48, 48), (62, 62), 17.0 * number))
    cv2.fillPoly(drawn, [corners.astype(int)], body)
    if face == "helmet":
        cv2.ellipse(drawn, (48, 54), (17, 22), 0, 180, 360, mark, -1)
        cv2.rectangle(drawn, (31, 52), (65, 62), mark, -1)
    else:
        cv2.circle(drawn, (48, 48), 19, mark, 6)
    return cv2.imencode(".jpg", drawn)[1].tobytes()


class PhoneOf:
    """A phone without script: loads pages and sends the forms that stand on them."""

    def __init__(self, app: Flask, language: str = "en") -> None:
        self.client: FlaskClient = app.test_client()
        self._headers = {"Accept-Language": language}

    def get(self, path: str) -> str:
        """Load a page; it must be there."""
        answer = self.client.get(path, headers=self._headers, follow_redirects=True)
        assert answer.status_code == 200, f"{path}: {answer.status_code}\n{answer.text}"
        return answer.text

    def sit(self, seat: str, person: str = "Signe") -> None:
        """Take a seat."""
        self.send("/seat", {"seat": seat, "person": person})

    def send(self, path: str, fields: dict[str, str]) -> TestResponse:
        """Send a form with this phone's mark, and follow where it leads."""
        data = {"mark": self.mark(), "back": "/now"} | fields
        return self.client.post(path, data=data, headers=self._headers, follow_redirects=True)

    def mark(self) -> str:
        """Return the mark that this phone's forms carry."""
        page = self.get("/seats")
        found = re.search(r'name="mark" value="(\w+)"', page)
        assert found, "no form with a mark on the page"
        return found.group(1)


def form_with(page: str, *marks: str) -> tuple[str, dict[str, str]]:
    """Return address and fields of the first form that contains all these texts."""
    for form in re.findall(r"<form .*?</form>", page, re.DOTALL):
        if all(mark in form for mark in marks):
            action = re.search(r'action="([^"]+)"', form)
            hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
            assert action
            return action.group(1), {name: unescape(value) for name, value in hidden}
    raise AssertionError(f"no form with {marks} on this page")


def words_of(page: str) -> str:
    """Return what a person reads on a page, in one line."""
    body = re.sub(r"<(script|style|title)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())
