"""How a camera speaks MJPEG: one HTTP answer that never ends, picture after picture."""

from __future__ import annotations

import cv2

from tests.devices.network_camera import Conversation
from vision.seen import Picture


class Mjpeg:
    """A stream over HTTP, as phones and network cameras serve it."""

    address = "http://127.0.0.1:{port}/video"

    def greet(self, conversation: Conversation) -> None:
        while conversation.rfile.readline().strip():
            pass
        conversation.wfile.write(
            b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
        )

    def send(self, conversation: Conversation, picture: Picture) -> None:
        jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        conversation.wfile.write(head.encode() + jpeg + b"\r\n")
