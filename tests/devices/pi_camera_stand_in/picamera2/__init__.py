"""A stand-in of picamera2 for a machine without one: the part of its interface that is used here.

Names, arguments and what is raised follow picamera2 0.3.38. Behind them is no camera but a grey
scene whose exposure settles over some frames, that takes new settings two frames late as libcamera
does, and that can be covered, pulled out, or told to flip its colours now and then.
"""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any, ClassVar

import numpy as np

LATE = 2  # frames until a setting is seen
FRAME_S = 0.01


class Scene:
    """What the tests may do to the camera behind the library."""

    cameras = 1
    pulled = False
    flips = False
    open = 0
    told: ClassVar[list[dict[str, Any]]] = []
    given_back = 0
    served = 0

    @classmethod
    def fresh(cls) -> None:
        cls.cameras, cls.pulled, cls.flips, cls.open = 1, False, False, 0
        cls.told, cls.given_back, cls.served = [], 0, 0


class Request:
    def __init__(self, record: dict[str, Any], picture: np.ndarray) -> None:
        self._record, self._picture = record, picture

    def get_metadata(self) -> dict[str, Any]:
        return self._record

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main"
        return self._picture

    def release(self) -> None:
        self._picture[:] = 0  # the buffer goes back and is written anew
        Scene.given_back += 1


class Picamera2:
    def __init__(self, camera_num: int = 0) -> None:
        if camera_num >= len(self.global_camera_info()):
            raise RuntimeError(f"No camera number {camera_num} found")
        if Scene.open:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        Scene.open += 1
        self._started = threading.Event()
        self._size = (0, 0)
        self._light = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 33000}
        self._light |= {"AnalogueGain": 8.0, "ColourGains": (1.0, 1.0), "LensPosition": 1.0}
        self._coming: list[tuple[int, dict[str, Any]]] = []
        self._count = itertools.count()

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": n, "Id": f"/base/{n}"} for n in range(Scene.cameras)]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        names = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "AfMode")
        return dict.fromkeys((*names, "LensPosition"), (0, 1, 0))

    def create_video_configuration(
        self, main: dict[str, Any] | None = None, *, queue: bool = True
    ) -> dict[str, Any]:
        return {"main": main or {}, "queue": queue}

    def configure(self, configuration: dict[str, Any]) -> None:
        assert configuration["main"]["format"] == "RGB888"
        self._size = configuration["main"]["size"]

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        Scene.told.append(dict(controls))
        self._coming.append((Scene.served + LATE, dict(controls)))

    def start(self) -> None:
        self._started.set()

    def capture_request(self, wait: float | bool | None = None) -> Request:
        assert self._started.is_set()
        time.sleep(FRAME_S)
        if Scene.pulled:
            raise TimeoutError
        Scene.served += 1
        for due, controls in list(self._coming):
            if Scene.served >= due:
                self._light |= controls
                self._coming.remove((due, controls))
        if self._light["AeEnable"]:  # it nears what fits the scene
            self._light["ExposureTime"] = round(self._light["ExposureTime"] * 0.7 + 8000 * 0.3)
            self._light["AnalogueGain"] = self._light["AnalogueGain"] * 0.7 + 2.0 * 0.3
        if self._light["AwbEnable"]:
            red, blue = self._light["ColourGains"]
            self._light["ColourGains"] = (red * 0.7 + 1.8 * 0.3, blue * 0.7 + 1.5 * 0.3)
        record = {name: self._light[name] for name in ("ExposureTime", "AnalogueGain")}
        record |= {"ColourGains": self._light["ColourGains"], "LensPosition": 2.2}
        blue_light = 100
        if Scene.flips and Scene.served % 2:  # the right setting, another picture
            record["ColourGains"] = (2.6, 1.1)
            blue_light = 10
        record["SensorTimestamp"] = time.monotonic_ns()
        width, height = self._size
        picture = np.full((height, width, 3), (blue_light, 110, 120), np.uint8)
        return Request(record, picture)

    def stop(self) -> None:
        self._started.clear()

    def close(self) -> None:
        Scene.open -= 1
