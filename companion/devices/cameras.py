"""Real frame sources: a USB camera, a network stream, a video file, a folder of pictures.

Everything goes through OpenCV. What was never tried on real hardware is said in the README.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

import cv2

from vision.seen import Picture


class CaptureSource:
    """A camera or stream through `cv2.VideoCapture`, read all the time so frames are never old.

    `name` is a device path such as `/dev/v4l/by-id/...`, a URL (MJPEG, RTSP), or a video file.
    """

    def __init__(self, name: str, width: int = 1280, height: int = 720) -> None:
        self._name, self._size = name, (width, height)
        self._capture: cv2.VideoCapture | None = None
        self._thread: threading.Thread | None = None
        self._fresh = threading.Condition()
        self._newest: tuple[float, Picture] | None = None
        self._lost = ""
        self._open = False

    def open(self) -> None:
        """Open it; raises `OSError` with the name that could not be opened."""
        device = self._name.startswith("/dev/")
        capture = cv2.VideoCapture(self._name, cv2.CAP_V4L2 if device else cv2.CAP_ANY)
        if not capture.isOpened():
            raise OSError(f"no camera opens at {self._name}")
        if device:
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        self._capture, self._open, self._lost, self._newest = capture, True, "", None
        self._thread = threading.Thread(target=self._read_on, name="frames", daemon=True)
        self._thread.start()

    def read(self) -> tuple[float, Picture] | None:
        """Return the newest frame once; None after half a second without one."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None or bool(self._lost), 0.5)
            if self._lost:
                raise OSError(self._lost)
            got, self._newest = self._newest, None
            return got

    def close(self) -> None:
        """Let go of the camera."""
        self._open = False
        if self._thread is not None:
            self._thread.join(0.8)
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _read_on(self) -> None:
        capture = self._capture
        while self._open and capture is not None:
            began = time.monotonic()
            fine, frame = capture.read()
            with self._fresh:
                if fine:
                    self._newest = (began, frame)  # pyright: ignore[reportAttributeAccessIssue]
                else:
                    self._lost = f"{self._name} gives no more frames"
                    self._open = False
                self._fresh.notify_all()


class FolderSource:
    """Pictures of a folder in the order of their names, as if a camera took them."""

    def __init__(self, folder: Path, fps: float = 15.0) -> None:
        self._folder, self._pause = folder, 1.0 / fps
        self._left: list[Path] = []

    def open(self) -> None:
        """Look into the folder; raises `OSError` where it holds no picture."""
        self._left = sorted(p for p in self._folder.glob("*") if p.suffix in {".jpg", ".png"})
        if not self._left:
            raise OSError(f"no .jpg or .png in {self._folder}")

    def read(self) -> tuple[float, Picture] | None:
        """Return the next picture; the last one stays."""
        time.sleep(self._pause)  # the folder's frame rate, as a camera would keep it
        path = self._left.pop(0) if len(self._left) > 1 else self._left[0]
        frame = cv2.imread(str(path))
        if frame is None:
            raise OSError(f"{path} is no picture")
        return time.monotonic(), frame  # pyright: ignore[reportReturnType]

    def close(self) -> None:
        """Nothing to let go of."""
