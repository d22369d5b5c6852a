"""A network camera: pictures as an MJPEG stream over HTTP. Its plug can be pulled and put back."""

from __future__ import annotations

import contextlib
import http.server
import socket
import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from vision.seen import Picture

_PAUSE = 0.05  # seconds between two frames


class MjpegServer:
    """Serves what `draw` draws for each frame's number, on a port that it keeps."""

    def __init__(self, draw: Callable[[int], Picture]) -> None:
        self._draw = draw
        self._streams: set[socket.socket] = set()
        self._server: http.server.ThreadingHTTPServer | None = None
        self.port = 0
        self.sent = 0
        self._counted = threading.Condition()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def plug(self) -> None:
        camera = self

        class Stream(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                camera._streams.add(self.connection)
                with contextlib.suppress(OSError):
                    while self.connection in camera._streams:
                        self.wfile.write(camera._next())
                        time.sleep(_PAUSE)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Stream)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def pull(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for connection in list(self._streams):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._streams.clear()

    def wait_until_sent(self, count: int) -> None:
        with self._counted:
            assert self._counted.wait_for(lambda: self.sent >= count, 30)

    def _next(self) -> bytes:
        with self._counted:
            number = self.sent
            self.sent += 1
            self._counted.notify_all()
        jpeg = cv2.imencode(".jpg", np.ascontiguousarray(self._draw(number)))[1].tobytes()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        return head.encode() + jpeg + b"\r\n"
