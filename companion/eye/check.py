"""What the camera sees now, and whether that does: for the page on which people set it up."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.devices.tray_camera import TrayCamera
from companion.terms import Say, Trouble
from vision.check import Finding, check_tray, places
from vision.fit import TrayFit
from vision.reading import read_dice
from vision.seen import Picture, SeenDie

log = logging.getLogger(__name__)
_PAUSE = 0.7  # seconds for which one look serves everybody who asks
_STILLS = 6  # so many pictures stay for pages that are a little behind
_MISFIT = 0.05  # a square that is so surely no known die is none
_EXACT = 3  # corners without which dice are not drawn: their places would be wrong


class Outline(msgspec.Struct, frozen=True):
    """A closed line in the picture: (x, y) pixels, and what it goes round.

    kind: "tray", "corner", "die" (certain), "unsure" (a die that would be asked about).
    colour, face: of a die, as enrolled; "" where unknown.
    """

    kind: str
    points: tuple[tuple[int, int], ...]
    colour: str = ""
    face: str = ""

    @property
    def text(self) -> str:
        """The points as SVG wants them."""
        return " ".join(f"{x},{y}" for x, y in self.points)

    @property
    def foot(self) -> tuple[int, int]:
        """Where a word about it may stand: below its middle."""
        xs, ys = zip(*self.points, strict=True)
        return round(sum(xs) / len(xs)), max(ys)


class Seen(msgspec.Struct, frozen=True):
    """One look through the camera.

    number: of its still. size: (width, height) of the picture in pixels. findings: what hinders,
    each as a sentence and what to do. kept: whether the place of the tray is remembered.
    """

    number: int
    size: tuple[int, int]
    outlines: tuple[Outline, ...]
    findings: tuple[tuple[Say, Say], ...]
    kept: bool


class _Kept(msgspec.Struct, frozen=True):
    """The file: where the tray's four inner corners lay, in pixels of a picture of this size."""

    size: tuple[int, int]
    places: tuple[tuple[float, float], ...]


class TrayCheck:
    """Looks through a tray camera. `kept` is the file that remembers where the tray lay.

    All methods may be called from any thread; looks are shared, so many phones cost no more.
    """

    def __init__(self, camera: TrayCamera, kept: Path) -> None:
        self._camera, self._file = camera, kept
        self._lock = threading.Lock()
        self._seen: Seen | None = None
        self._frame: Picture | None = None
        self._fit: TrayFit | None = None
        self._until = 0.0
        self._stills: dict[int, Picture] = {}
        self._number = 0

    def look(self) -> Seen | None:
        """Return what the camera sees; None while there is no camera or no frame."""
        with self._lock:
            newest = self._camera.newest()
            if newest is None:
                self._seen = None
                return None
            if self._seen is None or time.monotonic() >= self._until:
                self._seen = self._look(newest[1])
                self._until = time.monotonic() + _PAUSE
            return self._seen

    @property
    def trouble(self) -> Trouble | None:
        """What the camera's driver says is wrong with it."""
        return self._camera.trouble

    def still(self, number: int) -> bytes | None:
        """Return the picture of one of the last looks as JPEG."""
        with self._lock:
            frame = self._stills.get(number)
        if frame is None:
            return None
        return bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 80])[1])

    def keep(self) -> bool:
        """Remember where the tray lies now; False while not all of it is seen."""
        with self._lock:
            if self._fit is None or len(self._fit.markers) < 4:
                return False
            lies = tuple((float(x), float(y)) for x, y in places(self._fit).round(2))
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._file.with_suffix(".new")
            fresh.write_bytes(msgspec.json.encode(_Kept(self._fit.size, lies)) + b"\n")
            fresh.replace(self._file)
            self._until = 0.0
            return True

    def measure_anew(self) -> None:
        """Let the camera find its light and its focus anew."""
        self._camera.open_anew()

    # ---- private

    def _look(self, frame: Picture) -> Seen:
        dice = self._camera.dice
        before = self._before((frame.shape[1], frame.shape[0]))
        look = check_tray(frame, dice.tray, before)
        self._fit = look.fit
        findings = list(look.findings)
        outlines: list[Outline] = []
        if look.fit is not None:
            outlines = _tray_outlines(look.fit)
            if len(look.fit.markers) >= _EXACT:
                reading = read_dice([frame], dice, look.fit)
                hand = any(warning.code == "hand_in_picture" for warning in reading.warnings)
                if hand and len(look.fit.markers) == 4:  # what hides a corner was told already
                    findings.append(Finding("hand"))
                outlines += [
                    _die_outline(die, look.fit) for die in reading.dice if die.confidence > _MISFIT
                ]
        self._number += 1
        self._stills[self._number] = frame
        self._stills.pop(self._number - _STILLS, None)
        return Seen(
            self._number,
            (frame.shape[1], frame.shape[0]),
            tuple(outlines),
            tuple(sentences(findings)),
            before is not None,
        )

    def _before(self, size: tuple[int, int]) -> npt.NDArray[np.float64] | None:
        """Return where the tray lay, where that was kept for pictures of this size."""
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            log.warning("%s is not used: %s", self._file, error)
            return None
        if kept.size != size or len(kept.places) != 4:
            return None
        return np.array(kept.places, np.float64)


def sentences(findings: Sequence[Finding]) -> list[tuple[Say, Say]]:
    """Return what was found as sentences, each with what to do about it."""
    told: list[tuple[Say, Say]] = []
    for finding in findings:
        values: dict[str, Any] = dict(finding.values)
        told.append((Say(f"check.{finding.code}", values), Say(f"check.{finding.code}.do", values)))
    return told


def _tray_outlines(fit: TrayFit) -> list[Outline]:
    corners = [Outline("corner", _rounded(quad)) for quad in fit.corners_px]
    return [Outline("tray", _rounded(places(fit))), *corners]


def _die_outline(die: SeenDie, fit: TrayFit) -> Outline:
    turn, half = np.deg2rad(die.angle), fit.tray.die_side_mm / 2
    u = np.array([np.cos(turn), np.sin(turn)]) * half
    v = np.array([-np.sin(turn), np.cos(turn)]) * half
    middle = np.array([die.x, die.y])
    square = np.stack([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
    kind = "die" if die.certain else "unsure"
    return Outline(kind, _rounded(fit.to_px(square)), die.colour or "", die.face or "")


def _rounded(points: npt.NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    return tuple((round(float(x)), round(float(y))) for x, y in points)
