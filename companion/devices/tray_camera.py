"""The tray camera: watches frames until a throw lies still, reads it, and hands it over.

The driver owns one frame source and one thread. It looks for the tray's markers, watches for rest
(`vision.steady`), reads the dice from frames that began after that moment (`vision.reading`), and
tells how it is. A source that fails is closed and opened again, with a pause that grows.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import deque
from typing import Any, cast

import cv2
import msgspec
import numpy as np

from companion.devices.frames import CameraTrouble, FrameSource
from companion.devices.port import Outlet
from companion.devices.rounds import Rounds
from companion.terms import Condition, DeviceState, DiceReading, Say, SeenDie, Trouble, say
from vision.fit import TrayFit, TrayNotSeen, find_tray
from vision.learn import DiceSet
from vision.reading import read_dice
from vision.seen import Picture
from vision.seen import SeenDie as VisionDie
from vision.seen import TrayReading as Seen
from vision.steady import SettleWatch

log = logging.getLogger(__name__)
DEVICE = "tray_camera"
_FRAMES = 3  # frames that must agree on a throw
_PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0)  # seconds between tries to open a lost camera
_WAIT_FOR_HAND = 3.0  # seconds that a hand or a shaky picture may spoil before it is told as it is
_SILENT = 8.0  # seconds in which a source gives no frame and no error, and it is opened anew
_LOOK_AGAIN = 2.0  # seconds between looks for the markers while nothing moves


class TrayCamera:
    """Driver of the tray camera."""

    device = DEVICE

    def __init__(self, source: FrameSource, dice_set: DiceSet, set_name: str) -> None:
        self._source, self._dice, self._set = source, dice_set, set_name
        self._rounds = Rounds("tray camera", _PAUSES)
        self._quiet_since: float | None = None
        self._anew = threading.Event()
        self._newest: tuple[float, Picture] | None = None
        self._seen_once = False
        self._condition: tuple[Condition, Trouble | None] | None = None
        self._settles = 0
        self._held = False

    def start(self, outlet: Outlet) -> None:
        """Begin to watch in the background."""
        self._rounds.begin(lambda: self._once(outlet), lambda: self._stumbled(outlet))

    def stop(self) -> None:
        """End the watch; within a second."""
        self._rounds.end()

    def told_quiet(self, since: float) -> None:
        """The tray controller felt the throw come to rest at this monotonic second."""
        self._quiet_since = since

    def newest(self) -> tuple[float, Picture] | None:
        """Return the newest frame and its monotonic second; None while there is no camera."""
        return self._newest

    @property
    def dice(self) -> DiceSet:
        """The dice that are read now."""
        return self._dice

    def use(self, dice_set: DiceSet, set_name: str) -> None:
        """Read these dice from now on."""
        self._dice, self._set = dice_set, set_name

    def hold_back(self, held: bool) -> None:
        """Hand over no throws while `held`: somebody shows dice, and throws none."""
        self._held = held

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the camera; None while nothing is."""
        return self._condition[1] if self._condition else None

    def open_anew(self) -> None:
        """Close the camera and open it again: it finds its light and focus anew."""
        self._anew.set()

    # ---- private

    def _once(self, outlet: Outlet) -> None:
        """Open the camera, watch until it is lost, and say why."""
        self._newest = None
        self._anew.clear()
        try:
            self._source.open()
            self._watch(outlet)
        except CameraTrouble as error:
            self._show(outlet, self._away(), error.seen, error.do)
        except OSError as error:
            self._show(
                outlet, self._away(), say("camera.gone", why=str(error)), say("camera.gone.do")
            )
        finally:
            if self._newest is not None:  # frames came: what was lost may be back at once
                self._rounds.tries = 0
            self._close()

    def _stumbled(self, outlet: Outlet) -> None:
        self._show(outlet, self._away(), say("camera.stumbled"), say("camera.stumbled.do"))

    def _away(self) -> Condition:
        return "gone" if self._seen_once else "waiting"

    def _watch(self, outlet: Outlet) -> None:
        fit: TrayFit | None = None
        watch: SettleWatch | None = None
        looked = 0.0
        newest: deque[tuple[float, Picture]] = deque(maxlen=_FRAMES)
        since = 0.0
        dice = self._dice
        heard = time.monotonic()
        while not self._rounds.ending.is_set() and not self._anew.is_set():
            got = self._source.read()
            if got is None:
                if time.monotonic() - heard > _SILENT:
                    raise CameraTrouble("frozen", n=round(_SILENT))
                continue
            heard = time.monotonic()
            at, frame = got
            self._newest, self._seen_once = got, True
            if self._held or dice is not self._dice:
                # What lies there was shown, not thrown: begin anew once it is over.
                dice, fit, watch, since = self._dice, None, None, 0.0
                newest.clear()
                if self._held:
                    self._show(outlet, "waiting", say("camera.held"), say("camera.held.do"))
                    continue
            if fit is None or watch is None:
                if at - looked < 0.3:
                    continue
                looked = at
                fit = self._find(outlet, frame)
                if fit is not None:
                    watch = SettleWatch(fit, dice.empty)
                    self._show(outlet, "ready")
                continue
            if self._quiet_since is not None:
                watch.told(self._quiet_since)
                self._quiet_since = None
            settled = watch.look(at, frame)
            newest.append((at, frame))
            if settled is not None:
                since = settled.since
                self._settles += 1
                self._show(outlet, "looking")
            if since and watch.state == "still":
                # frames of the still span count, but for its first, which may still shake
                still = [picture for began, picture in newest if began > since]
                if len(still) == _FRAMES:
                    seen = read_dice(still, dice, fit)
                    if _passing(seen) and at - since < _WAIT_FOR_HAND:
                        newest.clear()
                        continue
                    outlet.reading(_as_reading(seen, self._set, self._settles, since, frame, fit))
                    since = 0.0
                    self._show(outlet, "ready")
            elif since and watch.state != "still":
                since = 0.0  # it moved again before it was read: the next rest counts
                self._show(outlet, "ready")
            if watch.state == "empty" and at - looked > _LOOK_AGAIN:
                looked = at
                again = self._find(outlet, frame)
                if again is None or _moved(fit, again) > 1.5:
                    fit, watch = again, None
                else:
                    self._show(outlet, "ready")

    def _find(self, outlet: Outlet, frame: Picture) -> TrayFit | None:
        try:
            return find_tray(frame, self._dice.tray)
        except TrayNotSeen as error:
            self._show(
                outlet,
                "waiting",
                say(
                    "camera.markers", seen=len(error.seen), missing=[str(m) for m in error.missing]
                ),
                say("camera.markers.do"),
            )
        except ValueError:
            seen = " × ".join(str(side) for side in frame.shape[1::-1])
            self._show(outlet, "waiting", say("camera.frame", seen=seen), say("camera.frame.do"))
        return None

    def _show(
        self, outlet: Outlet, condition: Condition, seen: Say | None = None, do: Say | None = None
    ) -> None:
        trouble = Trouble(DEVICE, seen, do) if seen and do else None
        if (condition, trouble) != self._condition:
            self._condition = (condition, trouble)
            notes = {"settles": self._settles, **self._source.figures()}
            outlet.state(DeviceState(DEVICE, condition, trouble, notes))

    def _close(self) -> None:
        try:
            self._source.close()
        except OSError as error:
            log.warning("closing the tray camera: %s", error)


def _passing(seen: Seen) -> bool:
    """True where what stands in the way goes by itself: a hand, or pictures that disagree."""
    return any(w.code in ("hand_in_picture", "frames_disagree") for w in seen.warnings)


def _moved(one: TrayFit, other: TrayFit) -> float:
    """Return by how many pixels the tray's corners moved, at the most."""
    tray = one.tray
    corners = np.array(
        [[0, 0], [tray.width_mm, 0], [tray.width_mm, tray.height_mm], [0, tray.height_mm]],
        np.float64,
    )
    return float(np.abs(one.to_px(corners) - other.to_px(corners)).max())


def _as_reading(
    seen: Seen, set_name: str, settle: int, began: float, frame: Picture, fit: TrayFit
) -> DiceReading:
    pictures: dict[str, bytes] = {}
    dice = [_as_die(die, pictures) for die in seen.dice]
    places = [w for w in seen.warnings if w.code == "unexplained_place"]
    for place in places:
        _add_place(dice, place.values, frame, fit, pictures)
    whole = ""
    if seen.warnings or any(not die.certain for die in seen.dice):
        whole = _keep(frame, pictures)
    warnings = tuple(Say(f"camera.warning.{w.code}", _plain(w.values)) for w in seen.warnings)
    return DiceReading(DEVICE, set_name, tuple(dice), settle, began, warnings, whole, pictures)


_DIE_MM2 = (80.0, 700.0)
"""What may be one die that cannot be read (glare, a hand's edge): its visible area in mm²."""
_SAME_PLACE_MM = 24.0
"""A die that fits nowhere near well, so close to such a place, is a misfit of the same die."""


def _add_place(
    dice: list[SeenDie],
    place: dict[str, Any],
    frame: Picture,
    fit: TrayFit,
    pictures: dict[str, bytes],
) -> None:
    """Show a place of a die's size that nobody can read as a die without colour and face.

    The table asks for it, with its picture, where the roll misses just such a die.
    """
    x, y = float(place["x"]), float(place["y"])
    if not _DIE_MM2[0] <= float(place["area_mm2"]) <= _DIE_MM2[1]:
        return
    crop = _keep(_around(frame, fit, x, y), pictures)
    for index, die in enumerate(dice):
        near = (die.x - x) ** 2 + (die.y - y) ** 2 < _SAME_PLACE_MM**2
        if near and die.confidence < 0.05:
            dice[index] = msgspec.structs.replace(die, face=None, x=x, y=y, crop=crop)
            return
    dice.append(SeenDie("", None, 0.0, x, y, crop=crop))


def _around(frame: Picture, fit: TrayFit, x: float, y: float) -> Picture:
    """Return the part of the frame around a place, about two dice wide."""
    side = fit.tray.die_side_mm
    corners = np.array([[x - side, y - side], [x + side, y + side]], np.float64)
    (left, top), (right, bottom) = fit.to_px(corners).round().astype(int)
    height, width = frame.shape[:2]
    part = frame[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]
    return part if part.size else frame


def _as_die(die: VisionDie, pictures: dict[str, bytes]) -> SeenDie:
    return SeenDie(
        die.colour or "",
        die.face,
        float(die.confidence),
        round(float(die.x), 1),
        round(float(die.y), 1),
        die.cocked,
        die.on_rim,
        tuple((face, float(p)) for face, p in die.likely),
        "" if die.crop is None else _keep(die.crop, pictures),
    )


def _keep(picture: Picture, pictures: dict[str, bytes]) -> str:
    jpeg = _jpeg(picture)
    name = hashlib.sha256(jpeg).hexdigest()
    pictures[name] = jpeg
    return name


def _jpeg(picture: Picture) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Values as plain numbers, texts and lists, so that they can be stored."""
    return {
        key: [str(part) for part in cast("list[Any]", value)]
        if isinstance(value, list | tuple)
        else (value if isinstance(value, int | str) else round(float(value), 1))
        for key, value in values.items()
    }
