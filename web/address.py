"""The one address under which phones come, and its join code."""

from __future__ import annotations

import io
import ipaddress
import socket
from urllib.parse import urlsplit

import segno


def phones_address(asked: str) -> str:
    """Return the address for phones, such as `http://192.168.4.1:8080/`.

    `asked` is the address by which this page was opened. Cookies belong to a host, so it stays as
    it is, except where it means "this very machine" (the big screen on the table's own computer):
    then it is the machine's own address in the local network.
    """
    parts = urlsplit(asked)
    host = parts.hostname or ""
    if not _is_this_machine(host):
        return f"{parts.scheme}://{parts.netloc}/"
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{_own_address() or host}{port}/"


def join_code(address: str) -> bytes:
    """Return the code of an address as SVG."""
    drawn = io.BytesIO()
    code = segno.make(address, error="m")
    code.save(drawn, kind="svg", scale=6, border=3, dark="#000", light="#fff")
    return drawn.getvalue()


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _own_address() -> str:
    """Return this machine's address towards other networks, "" where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(("192.0.2.1", 9))  # sends nothing: only picks the way out
            return str(towards.getsockname()[0])
        except OSError:
            return ""
