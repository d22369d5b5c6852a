"""How a camera speaks RTSP (RFC 2326), with JPEG pictures in RTP packets (RFC 2435)."""

from __future__ import annotations

import itertools
import struct
import time

import cv2

from tests.devices.network_camera import Conversation
from vision.seen import Picture

_CLOCK = 90_000  # ticks a second of JPEG in RTP
_PACKET = 1400  # bytes of a picture in one packet
_SESSION = "20481"


class Rtsp:
    """One camera's conversations, over TCP."""

    address = "rtsp://127.0.0.1:{port}/tray"

    def __init__(self) -> None:
        self._packets = itertools.count()

    def greet(self, conversation: Conversation) -> None:
        while self._answer(conversation) != "PLAY":
            pass

    def send(self, conversation: Conversation, picture: Picture) -> None:
        """Send one frame, in packets between the answers (RFC 2326 section 10.12)."""
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

    def _answer(self, conversation: Conversation) -> str:
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
