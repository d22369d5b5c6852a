"""The camera on the Raspberry Pi's own connector, through picamera2.

picamera2 belongs to the system (`apt install python3-picamera2`) and is imported only where this
camera is chosen. Its light is found at the start and held then; libcamera does not always do what
it was told, so every frame's own record says whether it was taken in that light, and one that was
not does not count.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from companion.devices.frames import CameraTrouble, Figures, LiveSource
from vision.seen import Picture

FINDING = 3.0
"""Seconds that the camera may take to find its light, at the most."""
_SAME = 0.05  # share by which two frames of the same light may differ
_CALM = 5  # frames alike after which the light counts as found
_STRAYS = 30  # frames in another light in a row after which the light is found anew
_WAIT = 2.0  # seconds for one frame
_A_FRAME = 0.1  # seconds that a frame without a stamp may be old
_MANUAL_FOCUS, _OWN_FOCUS = 0, 2  # libcamera's AfMode: manual, continuous


def pi_camera(number: int, width: int, height: int, exposure_ms: float = 0.0) -> LiveSource:
    """Return the Pi camera of a number (0 is the first), with its light held once it is found.

    exposure_ms: how long each frame is exposed; 0 lets the camera find it.
    """

    def connect() -> _PiCamera:
        try:
            library = importlib.import_module("picamera2")
        except ImportError as error:
            raise CameraTrouble("no_library", why=str(error)) from error
        count = len(library.Picamera2.global_camera_info())
        if number >= count:
            raise CameraTrouble("no_pi_camera", n=number, count=count)
        try:
            camera = library.Picamera2(number)
        except (RuntimeError, IndexError) as error:
            raise CameraTrouble("unopened", at=f"Pi {number}") from error
        try:
            # picamera2 names the bytes of a pixel backwards: this one is blue, green, red.
            layout = {"size": (width, height), "format": "RGB888"}
            camera.configure(camera.create_video_configuration(main=layout, queue=False))
            light = PiLight(camera.camera_controls, exposure_ms)
            camera.set_controls(light.finding())
            camera.start()
        except Exception as error:
            camera.close()
            raise CameraTrouble("pi_failed", why=str(error)) from error
        return _PiCamera(camera, light, f"Pi {number}")

    return LiveSource(connect, f"Pi {number}")


class _PiCamera:
    def __init__(self, camera: Any, light: PiLight, at: str) -> None:
        self._camera, self._light, self._at = camera, light, at
        self._size = ""

    def grab(self) -> tuple[float, Picture] | None:
        """Wait for the next frame taken in the held light; it began as its record says."""
        try:
            request = self._camera.capture_request(wait=_WAIT)
        except TimeoutError as error:
            raise CameraTrouble("lost", at=self._at) from error
        try:
            record: Mapping[str, Any] = request.get_metadata()
            changes = self._light.look(record, time.monotonic())
            if changes:
                self._camera.set_controls(changes)
            if not self._light.held:
                return None
            picture = np.array(request.make_array("main"), np.uint8)  # its memory goes back
        finally:
            request.release()
        self._size = f"{picture.shape[1]} x {picture.shape[0]}"
        return _began(record, time.monotonic()), picture[:, :, :3]

    def release(self) -> None:
        """Stop and close the camera."""
        self._camera.stop()
        self._camera.close()

    def figures(self) -> Figures:
        """Return the size of the frames and the held light."""
        own = self._light.figures()
        return {"picture": self._size, **own} if self._size else own


class PiLight:
    """What light the frames are taken in: found first, then held and looked after.

    controls: the names of what the camera can be told, as `Picamera2.camera_controls` has them.
    """

    def __init__(self, controls: Iterable[str], exposure_ms: float = 0.0) -> None:
        self._can = set(controls)
        self._wanted = exposure_ms
        self.held = False
        """Whether the frame that was last looked at was taken in the held light."""
        self._light: dict[str, Any] | None = None
        self._since: float | None = None
        self._before: tuple[float, ...] = ()
        self._calm = self._strays = 0

    def finding(self) -> dict[str, Any]:
        """Return the controls with which the camera finds light and focus by itself."""
        wanted = {"AeEnable": True, "AwbEnable": True, "AfMode": _OWN_FOCUS}
        return self._possible(wanted)

    def look(self, record: Mapping[str, Any], now: float) -> dict[str, Any]:
        """Look at a frame's own record; returns what the camera must be told now, mostly nothing.

        record: as libcamera gives it: ExposureTime (microseconds), AnalogueGain, ColourGains,
        LensPosition. now: monotonic second.
        """
        seen = _numbers(record)
        if self._light is None:
            self.held = False
            self._since = now if self._since is None else self._since
            self._calm = self._calm + 1 if _alike(seen, self._before) else 0
            self._before = seen
            if self._calm < _CALM and now - self._since < FINDING:
                return {}
            self._light, self._strays = self._holding(record, self._wanted), 0
            return self._light
        self.held = _alike(seen, self._expected(record))
        self._strays = 0 if self.held else self._strays + 1
        if self._strays >= _STRAYS:  # it will not hold this light: take what it gives now
            self._light, self._strays = self._holding(record, 0.0), 0
            return self._light
        return {}

    def figures(self) -> Figures:
        """Return the held exposure (milliseconds) and gain."""
        if self._light is None:
            return {}
        told: Figures = {}
        if "ExposureTime" in self._light:
            told["exposure_ms"] = round(self._light["ExposureTime"] / 1000, 1)
        if "AnalogueGain" in self._light:
            told["gain"] = round(float(self._light["AnalogueGain"]), 2)
        return told

    def _holding(self, record: Mapping[str, Any], exposure_ms: float) -> dict[str, Any]:
        found: dict[str, Any] = {
            "ExposureTime": record.get("ExposureTime"),
            "AnalogueGain": record.get("AnalogueGain"),
            "ColourGains": record.get("ColourGains"),
            "LensPosition": record.get("LensPosition"),
        }
        if exposure_ms and found["ExposureTime"] and found["AnalogueGain"]:
            # Shorter frames want more gain, or the picture would go dark.
            longer = found["ExposureTime"] / (exposure_ms * 1000)
            found["ExposureTime"] = round(exposure_ms * 1000)
            found["AnalogueGain"] = max(1.0, found["AnalogueGain"] * longer)
        known = {name: value for name, value in found.items() if value is not None}
        automatic = {"AeEnable": False, "AwbEnable": False, "AfMode": _MANUAL_FOCUS}
        return self._possible(automatic | known)

    def _expected(self, record: Mapping[str, Any]) -> tuple[float, ...]:
        return _numbers(dict(record) | (self._light or {}))

    def _possible(self, wanted: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in wanted.items() if name in self._can}


def _numbers(record: Mapping[str, Any]) -> tuple[float, ...]:
    """Return exposure, gain and the two colour gains of a record; 0 where it tells none."""
    red, blue = record.get("ColourGains") or (0.0, 0.0)
    plain = [record.get("ExposureTime"), record.get("AnalogueGain"), red, blue]
    return tuple(float(value or 0.0) for value in plain)


def _alike(seen: tuple[float, ...], other: tuple[float, ...]) -> bool:
    if len(seen) != len(other):
        return False
    return all(abs(a - b) <= _SAME * max(abs(b), 0.1) for a, b in zip(seen, other, strict=True))


def _began(record: Mapping[str, Any], now: float) -> float:
    """Return the monotonic second at which a frame's exposure began."""
    stamp, exposure = record.get("SensorTimestamp"), record.get("ExposureTime")
    if stamp is not None and exposure is not None:
        began = stamp / 1e9 - exposure / 1e6
        if now - 1.0 < began <= now:
            return began
    return now - _A_FRAME
