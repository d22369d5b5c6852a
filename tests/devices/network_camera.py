"""A network camera: whoever connects is sent frame after frame. Its plug can be pulled."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
import time
from collections.abc import Callable
from typing import Protocol

import numpy as np

from vision.seen import Picture

_PAUSE = 0.05  # seconds between two frames, as a camera of 20 frames a second keeps them

Conversation = socketserver.StreamRequestHandler
"""One connection: `rfile` is read from, `wfile` is written to."""


class Language(Protocol):
    """How a camera speaks to whoever connects."""

    address: str
    """Where its frames are; {port} stands for the port."""

    def greet(self, conversation: Conversation) -> None:
        """Answer whatever is asked until frames are wanted."""
        ...

    def send(self, conversation: Conversation, picture: Picture) -> None:
        """Send one frame."""
        ...


class NetworkCamera:
    """Sends what `draw` draws for each frame's number, on a port that it keeps."""

    def __init__(self, language: Language, draw: Callable[[int], Picture]) -> None:
        self._language, self._draw = language, draw
        self._streams: set[socket.socket] = set()
        self._server: socketserver.ThreadingTCPServer | None = None
        self._port = 0
        self._counted = threading.Condition()
        self.sent = 0

    @property
    def address(self) -> str:
        return self._language.address.format(port=self._port)

    def plug(self) -> None:
        camera = self

        class Stream(Conversation):
            def handle(self) -> None:
                camera._streams.add(self.connection)
                with contextlib.suppress(OSError, ValueError):
                    camera._language.greet(self)
                    while self.connection in camera._streams:
                        camera._language.send(self, camera._next())
                        time.sleep(_PAUSE)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", self._port), Stream)
        self._port = self._server.server_address[1]
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

    def _next(self) -> Picture:
        with self._counted:
            number = self.sent
            self.sent += 1
            self._counted.notify_all()
        return np.ascontiguousarray(self._draw(number))
