"""Frame sources that OpenCV opens: a USB camera, a network stream, a video file; and a folder.

A camera on the Raspberry Pi's own connector is no business of OpenCV: see `pi_camera`. What was
never tried on real hardware is said in the README.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np

from companion.devices.frames import CameraTrouble, Figures, LiveSource
from companion.devices.usb_light import UsbLight
from vision.seen import Picture

BY_ID = Path("/dev/v4l/by-id")
"""Where Linux keeps names of USB cameras that stay the same over restarts and sockets."""
_PATIENCE_MS = 4000  # that a stream may take to answer, and to give its next frame
_PICTURES = (".jpg", ".jpeg", ".png")


def usb_camera(at: str, width: int, height: int, exposure_ms: float = 0.0) -> LiveSource:
    """Return a USB camera through V4L2, in MJPG, with its light held once it is found.

    at: its device, best the lasting name under `BY_ID`. exposure_ms: how long each frame is
    exposed, in milliseconds; 0 lets the camera find it at the start, and holds it then.
    """

    def connect() -> _Captured:
        if not Path(at).exists():
            raise CameraTrouble("missing", at=at, known=_known())
        if not os.access(at, os.R_OK | os.W_OK):
            raise CameraTrouble("forbidden", at=at, group="video")
        capture = cv2.VideoCapture(at, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraTrouble("unopened", at=at)
        # The form before the size: a camera offers its larger sizes quickly in MJPG only.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        return _Captured(capture, at, UsbLight(capture, exposure_ms))

    return LiveSource(connect, at)


def stream(at: str) -> LiveSource:
    """Return an MJPEG or RTSP stream, such as a phone that serves as a camera.

    at: its address; a name and a password in it are used, and shown to nobody.
    """
    shown = _shown(at)

    def connect() -> _Captured:
        patience = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            _PATIENCE_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            _PATIENCE_MS,
        ]
        capture = cv2.VideoCapture(at, cv2.CAP_FFMPEG, patience)
        if not capture.isOpened():
            raise CameraTrouble("silent", at=shown)
        return _Captured(capture, shown)

    return LiveSource(connect, shown)


class _Captured:
    """A camera behind `cv2.VideoCapture`."""

    def __init__(self, capture: cv2.VideoCapture, at: str, light: UsbLight | None = None) -> None:
        self._capture, self._at, self._light = capture, at, light
        self._size = ""

    def grab(self) -> tuple[float, Picture] | None:
        """Wait for the next frame; it began when the one before it had come, or earlier."""
        before = time.monotonic()
        fine, frame = self._capture.read()
        if not fine:
            raise CameraTrouble("lost", at=self._at)
        picture = np.asarray(frame, np.uint8)
        self._size = f"{picture.shape[1]} x {picture.shape[0]}"
        if self._light is not None and not self._light.found(time.monotonic()):
            return None
        return self._began(before), picture

    def release(self) -> None:
        """Let go of the device or the connection."""
        self._capture.release()

    def figures(self) -> Figures:
        """Return the size of the frames and how the light is held."""
        own = self._light.figures() if self._light is not None else {}
        return {"picture": self._size, **own} if self._size else own

    def _began(self, before: float) -> float:
        """Return when the frame began: as V4L2 stamped it, where that can be."""
        if self._light is not None:
            stamped = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if before - 1.0 < stamped <= time.monotonic():
                return stamped
        return before


class VideoFile:
    """A film as if a camera took it just now: at its own pace, and its last picture stays."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._capture: cv2.VideoCapture | None = None
        self._pause = 1 / 30
        self._due = 0.0
        self._last: Picture | None = None

    def open(self) -> None:
        """Begin the film; raises `CameraTrouble` where there is none."""
        if not self._path.is_file():
            raise CameraTrouble("no_film", at=str(self._path))
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise CameraTrouble("no_video", at=str(self._path))
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._pause = 1 / rate if 1 <= rate <= 240 else 1 / 30
        self._capture, self._due, self._last = capture, time.monotonic(), None

    def read(self) -> tuple[float, Picture] | None:
        """Return the next picture when its time has come; the last one again after the end."""
        if self._capture is None:
            raise CameraTrouble("no_film", at=str(self._path))
        time.sleep(max(0.0, self._due - time.monotonic()))  # as fast as it was filmed
        at = time.monotonic()
        self._due = max(self._due, at - 1.0) + self._pause
        fine, frame = self._capture.read()
        if fine:
            self._last = np.asarray(frame, np.uint8)
        if self._last is None:
            raise CameraTrouble("no_video", at=str(self._path))
        return at, self._last

    def close(self) -> None:
        """Let go of the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def figures(self) -> Figures:
        """A film has none."""
        return {}


class FolderSource:
    """Pictures of a folder in the order of their names, as if a camera took them."""

    def __init__(self, folder: Path, fps: float = 15.0) -> None:
        self._folder, self._pause = folder, 1.0 / fps
        self._left: list[Path] = []

    def open(self) -> None:
        """Look into the folder; raises `CameraTrouble` where it holds no picture."""
        self._left = sorted(p for p in self._folder.glob("*") if p.suffix.lower() in _PICTURES)
        if not self._left:
            raise CameraTrouble("no_pictures", at=str(self._folder))

    def read(self) -> tuple[float, Picture] | None:
        """Return the next picture; the last one stays."""
        time.sleep(self._pause)  # the folder's frame rate, as a camera would keep it
        path = self._left.pop(0) if len(self._left) > 1 else self._left[0]
        frame = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if frame is None:
            raise CameraTrouble("no_picture", at=str(path))
        return time.monotonic(), np.asarray(frame, np.uint8)

    def close(self) -> None:
        """Nothing to let go of."""

    def figures(self) -> Figures:
        """A folder has none."""
        return {}


def _known() -> list[str]:
    """Return the lasting names of the cameras that are plugged in; ["-"] where there is none."""
    try:
        return sorted(str(path) for path in BY_ID.iterdir()) or ["-"]
    except OSError:
        return ["-"]


def _shown(address: str) -> str:
    """Return an address without the name and the password in it."""
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="", fragment="").geturl()
