"""The service: puts table, devices and pages together. The only place that knows everybody."""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from flask import Blueprint, Flask

from companion.album import Album
from companion.config import CameraConfig, TableConfig
from companion.devices.absent import Absent
from companion.devices.cameras import FolderSource, VideoFile, stream, usb_camera
from companion.devices.card_reader import CardReader
from companion.devices.frames import FrameSource
from companion.devices.hand_over import HandOver
from companion.devices.pi_camera import pi_camera
from companion.devices.port import Driver
from companion.devices.tray_camera import TrayCamera
from companion.devices.tray_controller import TrayController
from companion.devices.tray_measures import tray_of
from companion.eye import Teacher, TrayCheck, check_pages, teach_pages
from companion.games import vikingjarl
from companion.store import Store, StoreTrouble
from companion.table import Table
from companion.terms import Faces, Game, Reading, TrayReading
from companion.words import Words
from vision.learn import find_set
from web import create_app
from web.serve import Server

log = logging.getLogger(__name__)
GAMES: Mapping[str, Game] = {"vikingjarl": vikingjarl}
_EYE_PAGES = {"tray_camera": [("/camera", "camera.link"), ("/dice", "teach.link")]}
_TICK = 0.2  # seconds between looks at grace and patience

QUIET_BEFORE_SETTLED = 0.4
"""Seconds of quiet that the board waits for before it says `settled` (`firmware/tray.py`)."""


class Service:
    """Everything that runs for one table. `start` returns at once; `stop` ends it all."""

    def __init__(
        self,
        state: Path,
        config: TableConfig,
        drivers: Sequence[Driver],
        host: str = "0.0.0.0",
        port: int = 8080,
        blueprints: Sequence[Blueprint] = (),
    ) -> None:
        self.state, self.config, self.drivers = state, config, list(drivers)
        self._place = _alone_in(state)
        self.store = Store(state / "companion.sqlite")
        self.words = Words.load()
        self.table = Table(
            self.store,
            GAMES,
            grace=config.grace,
            patience=config.patience,
            corrected=Album(state / "album").add,
        )
        self.teacher: Teacher | None = None
        eye = self._eye()
        self.app: Flask = create_app(
            self.table,
            self.words,
            token=token(state),
            names=(socket.gethostname(), *config.names),
            wall_language=config.language,
            blueprints=(*eye, *blueprints),
            device_pages=_EYE_PAGES if eye else {},
        )
        self.server = Server(self.app, host, port)
        self._outlets: list[HandOver] = []
        self._stop = threading.Event()
        self._lit_at = -1
        self._ticker = threading.Thread(target=self._tick, name="ticker", daemon=True)

    @property
    def port(self) -> int:
        """The port that the pages are served at; another than was asked for where that was 0."""
        return self.server.port

    def start(self) -> None:
        """Start the devices, the clock and the pages."""
        for driver in self.drivers:
            outlet = HandOver(self._read, self.table.device_state, driver.device)
            self._outlets.append(outlet)
            driver.start(outlet)
        self._ticker.start()
        self.server.start()

    def stop(self) -> None:
        """End pages, devices and clock, and close the store."""
        self._stop.set()
        self.server.stop()
        if self.teacher is not None:
            self.teacher.stop()
        for driver in self.drivers:
            driver.stop()
        for outlet in self._outlets:
            outlet.close()
        self._ticker.join(1.0)
        self.store.close()
        self._place.close()

    def _eye(self) -> list[Blueprint]:
        """Return the tray camera's own pages, where there is one."""
        for camera in self.drivers:
            if isinstance(camera, TrayCamera):
                self.teacher = Teacher(
                    camera, self.state / "lesson", self.state / "dice", self.config.dice_set
                )
                check = TrayCheck(camera, self.state / "camera.json")
                return [check_pages(check), teach_pages(self.teacher)]
        return []

    def _read(self, reading: Reading) -> None:
        if isinstance(reading, TrayReading) and reading.kind == "settled":
            for driver in self.drivers:
                if isinstance(driver, TrayCamera):
                    driver.told_quiet(reading.at - QUIET_BEFORE_SETTLED)
        self.table.read(reading)

    def _light(self) -> None:
        """Light the tray for what the table waits for: a roll, an answer, or nothing."""
        if self.table.rev == self._lit_at:
            return
        look = self.table.look(None)
        self._lit_at = look.rev
        doubtful = any(not proposal.complete for proposal in look.proposals) or look.cards
        rolling = any(isinstance(question.wants, Faces) for question in look.questions)
        for driver in self.drivers:
            if isinstance(driver, TrayController):
                driver.light("ask" if doubtful else "reading" if rolling else "idle")

    def _tick(self) -> None:
        while not self._stop.wait(_TICK):
            try:
                self.table.tick(time.monotonic())
                self._light()
            except Exception:  # the clock must go on, whatever one tick met
                log.exception("the ticker stumbled")


def drivers_of(config: TableConfig, state: Path) -> list[Driver]:
    """Return the drivers that `table.toml` names; what is not named is absent."""
    camera, reader, controller = config.tray_camera, config.card_reader, config.tray_controller
    drivers: list[Driver] = []
    if camera.driver == "absent":
        drivers.append(Absent("tray_camera"))
    else:
        dice = find_set(config.dice_set, state / "dice")
        if config.tray is not None:
            dice = replace(dice, tray=tray_of(config.tray))
        drivers.append(TrayCamera(source_of(camera), dice, config.dice_set))
    drivers.append(
        Absent("card_reader")
        if reader.driver == "absent"
        else CardReader(reader.at, first_answer=reader.first_answer)
    )
    drivers.append(
        Absent("tray_controller")
        if controller.driver == "absent"
        else TrayController(controller.at)
    )
    return drivers


def source_of(camera: CameraConfig) -> FrameSource:
    """Return the frames of the camera that `table.toml` names. Nothing is opened yet."""
    match camera.driver:
        case "usb":
            return usb_camera(camera.at, camera.width, camera.height, camera.exposure)
        case "pi":
            return pi_camera(int(camera.at or 0), camera.width, camera.height, camera.exposure)
        case "url":
            return stream(camera.at)
        case "video":
            return VideoFile(Path(camera.at))
        case "folder":
            return FolderSource(Path(camera.at))
        case "absent":
            raise ValueError("an absent camera has no frames")


def token(state: Path) -> str:
    """Return the token by which programs speak to this service; made on first use."""
    path = state / "token"
    if not path.exists():
        state.mkdir(parents=True, exist_ok=True)
        path.write_text(secrets.token_urlsafe(24), "ascii")
        path.chmod(0o600)
    return path.read_text("ascii").strip()


def _alone_in(state: Path) -> IO[bytes]:
    """Take a state folder for this service; two would answer for one table.

    Raises `StoreTrouble` where another service runs on it; the lock goes with the process.
    """
    place = state / "companion.running"
    try:
        state.mkdir(parents=True, exist_ok=True)
        held = place.open("ab")
    except OSError:  # the store tells better what is wrong with the folder
        return Path(os.devnull).open("ab")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        held.close()
        raise StoreTrouble("in_use", place, "another companion runs here") from error
    return held
