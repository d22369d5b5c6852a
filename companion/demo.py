"""The demo: the whole service on simulated devices, and a panel that plays the physical table.

The panel throws dice into the simulated tray, taps cards on the simulated reader, and pulls plugs.
It is a blueprint handed to the web by the service; the drivers are the real ones, the simulators
speak at the wire (DESIGN 7).
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.config import TableConfig
from companion.devices.card_reader import CardReader
from companion.devices.simulated_camera import SimulatedTray
from companion.devices.simulated_card_reader import SimulatedCardReader
from companion.devices.simulated_tray_controller import SimulatedTrayController
from companion.devices.tray_camera import TrayCamera
from companion.devices.tray_controller import TrayController
from companion.service import Service
from companion.terms import Say, say
from vision.learn import find_set

COLOURS = {"B": "black", "W": "white", "R": "red"}
FACES = {"H": "helmet", "M": "shield"}


class Demo:
    """Service and simulators together. Keeps its state over restarts; `fresh` empties it."""

    def __init__(
        self, state: Path, host: str, port: int, fresh: bool = False, seed: int | None = None
    ) -> None:
        if fresh and (state / "companion.sqlite").exists():
            shutil.rmtree(state)
        self.tray = SimulatedTray(seed=seed)
        self.reader = SimulatedCardReader()
        self.controller = SimulatedTrayController()
        self._chance = random.Random(seed)
        drivers = [
            TrayCamera(self.tray, find_set("battle", state / "dice"), "battle"),
            CardReader(self.reader.port),
            TrayController(self.controller.port),
        ]
        self.service = Service(state, TableConfig(), drivers, host, port, blueprints=(panel(self),))

    @property
    def port(self) -> int:
        """The port that the pages are served at."""
        return self.service.port

    def start(self) -> None:
        """Plug in the simulators and start the service; the tags of a box lie ready."""
        self.reader.start()
        self.controller.start()
        self.service.start()
        for title in self.titles():
            self.service.store.remember("tags", "vikingjarl", uid_of(title), title)

    def stop(self) -> None:
        """End the service, then the simulators."""
        self.service.stop()
        self.controller.stop()
        self.reader.stop()

    def titles(self) -> tuple[str, ...]:
        """Return the Saga titles that a card may have, in the order of the word file."""
        words = self.service.words
        return tuple(
            k.removeprefix("saga.")
            for k in words.keys("saga.", "en", "vikingjarl")
            if k.count(".") == 1 and k != "saga.unknown"
        )

    def throw(self, dice: list[tuple[str, str | None]], doubtful: bool = False) -> None:
        """Throw dice of these colours into the tray; a face of None is left to chance."""
        self.tray.clear()
        self.controller.throw()
        at_rest = self.tray.throw(dice, self._chance)
        if doubtful:
            self.tray.glare(-1)
        self.controller.settle(at_rest)

    def tap(self, uid: str) -> None:
        """Put a card on the reader; it lies there until the next one, or until taken away."""
        self.reader.take_away()
        self.reader.place(uid)


class NoDice(ValueError):
    """What somebody wrote as dice cannot be thrown; `say` tells why."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(f"{sentence.key} {sentence.values}")
        self.say = sentence


def uid_of(title: str) -> str:
    """Return the 7-byte uid (hex) of the demo's tag for a title."""
    return "04" + title.encode("ascii").hex()[:12].ljust(12, "0")


def panel(demo: Demo) -> Blueprint:
    """Return the panel's pages, under /demo."""
    pages = Blueprint("demo", __name__, url_prefix="/demo", template_folder="demo_pages")

    def do(act: Callable[[], None]) -> ResponseReturnValue:
        act()
        return redirect("/demo", 303)

    @pages.get("")
    def show(trouble: Say | None = None) -> str:
        return render_template("demo.html", titles=demo.titles(), trouble=trouble)

    @pages.post("/throw")
    def throw() -> ResponseReturnValue:
        try:
            dice = parse_dice(request.form.get("dice", ""))
        except NoDice as error:
            return show(error.say), 422
        return do(lambda: demo.throw(dice, "doubtful" in request.form))

    @pages.post("/tray")
    def tray() -> ResponseReturnValue:
        acts: dict[str, Callable[[], None]] = {
            "clear": demo.tray.clear,
            "hand in": demo.tray.hand_in,
            "hand out": demo.tray.hand_out,
        }
        return do(acts.get(request.form.get("act", ""), demo.tray.clear))

    @pages.post("/tap")
    def tap() -> ResponseReturnValue:
        title = request.form.get("title", "")
        if title not in demo.titles() and title != "unknown":
            return show(say("web.demo.no_card", seen=title[:40])), 422
        return do(lambda: demo.tap(uid_of(title)))

    @pages.post("/take")
    def take() -> ResponseReturnValue:
        return do(demo.reader.take_away)

    @pages.post("/plug")
    def plug() -> ResponseReturnValue:
        plugs = {
            "tray_camera": demo.tray,
            "card_reader": demo.reader,
            "tray_controller": demo.controller,
        }
        device = plugs.get(request.form.get("device", ""))
        if device is None:
            return show(say("web.demo.no_device", known=list(plugs))), 422
        return do(device.plug if request.form.get("act") == "plug" else device.unplug)

    _ = (show, throw, tray, tap, take, plug)
    return pages


def parse_dice(text: str) -> list[tuple[str, str | None]]:
    """Read dice as the rule cases write them: `B HMM W M`; `?` leaves a face to chance.

    Raises `NoDice` with what was seen and how it is written.
    """
    dice: list[tuple[str, str | None]] = []
    colour = ""
    for word in text.upper().replace("VS", " ").split():
        if word in COLOURS:
            colour = COLOURS[word]
        elif colour and set(word) <= {*FACES, "?"}:
            dice += [(colour, FACES.get(face)) for face in word]
        else:
            raise NoDice(say("web.demo.no_dice", seen=word[:40]))
    if not 1 <= len(dice) <= 12:
        raise NoDice(say("web.demo.so_many", n=len(dice)))
    return dice


__all__ = ["Demo", "panel", "parse_dice", "uid_of"]
