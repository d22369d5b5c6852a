"""A network camera that speaks RTSP (RFC 2326), with JPEG pictures in RTP packets (RFC 2435).

As MjpegServer, its plug can be pulled and put back.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from vision.seen import Picture

_PAUSE = 0.05  # seconds between two frames, as a camera of 20 frames a second keeps them
_CLOCK = 90_000  # ticks a second of JPEG in RTP
_PACKET = 1400  # bytes of a picture in one packet
_SESSION = "20481"


class RtspServer:
    """Serves what `draw` draws for each frame's number, on a port that it keeps."""

    def __init__(self, draw: Callable[[int], Picture]) -> None:
        self._draw = draw
        self._streams: set[socket.socket] = set()
        self._server: socketserver.ThreadingTCPServer | None = None
        self.port = 0
        self.sent = 0
        self._counted = threading.Condition()
        self._packets = itertools.count()

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/tray"

    def plug(self) -> None:
        camera = self

        class Conversation(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                camera._streams.add(self.connection)
                with contextlib.suppress(OSError, ValueError):
                    while camera._answer(self) != "PLAY":
                        pass
                    while self.connection in camera._streams:
                        camera._send(self)
                        time.sleep(_PAUSE)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", self.port), Conversation)
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

    def _answer(self, conversation: socketserver.StreamRequestHandler) -> str:
        """Answer one request; returns its method."""
        method, address, _ = conversation.rfile.readline().decode("ascii").split()
        fields: dict[str, str] = {}
        while line := conversation.rfile.readline().decode("ascii").strip():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        head, body = {
            "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN", ""),
            "DESCRIBE": (
                f"Content-Type: application/sdp\r\nContent-Base: {address}/",
                "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=Tray\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
                "m=video 0 RTP/AVP 26\r\na=control:track1\r\n",
            ),
            "SETUP": (f"Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: {_SESSION}", ""),
        }.get(method, (f"Session: {_SESSION}", ""))
        length = f"\r\nContent-Length: {len(body)}" if body else ""
        answer = f"RTSP/1.0 200 OK\r\nCSeq: {fields['cseq']}\r\n{head}{length}\r\n\r\n{body}"
        conversation.wfile.write(answer.encode("ascii"))
        return method

    def _send(self, conversation: socketserver.StreamRequestHandler) -> None:
        """Send one frame, in packets between the answers (RFC 2326 section 10.12)."""
        with self._counted:
            number = self.sent
            self.sent += 1
            self._counted.notify_all()
        picture = np.ascontiguousarray(self._draw(number))
        tables, scan = _parts(cv2.imencode(".jpg", picture)[1].tobytes())
        height, width = picture.shape[:2]
        when = int(time.monotonic() * _CLOCK) & 0xFFFFFFFF
        for at in range(0, len(scan), _PACKET):
            piece = scan[at : at + _PACKET]
            # Type 1: two colours at half the size; quality 255: the tables are in the first packet.
            jpeg = struct.pack(">IBBBB", at, 1, 255, width // 8, height // 8)
            if at == 0:
                jpeg += struct.pack(">BBH", 0, 0, len(tables)) + tables
            last = at + _PACKET >= len(scan)
            end = 0x80 if last else 0
            packet = struct.pack(">BBHII", 0x80, 26 | end, next(self._packets) & 0xFFFF, when, 7)
            packet += jpeg + piece
            conversation.wfile.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)


def _parts(jpeg: bytes) -> tuple[bytes, bytes]:
    """Cut a JPEG file into its quantisation tables and its scan, which is all that RTP carries."""
    tables, at = b"", 2
    while True:
        marker, length = struct.unpack_from(">HH", jpeg, at)
        segment = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if marker == 0xFFDB:
            tables += b"".join(segment[i + 1 : i + 65] for i in range(0, len(segment), 65))
        if marker == 0xFFDA:
            return tables, jpeg[at : jpeg.rindex(b"\xff\xd9")]
