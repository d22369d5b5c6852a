"""The companion as a process of its own, as people start it, and simple requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.service import token

ROOT = Path(__file__).parents[2]
_PATIENCE = 60.0  # seconds that a start or an answer may take before the bench gives up
_GLANCE = 0.005  # seconds between tries to reach a process that is starting


class Running:
    """One `companion demo` or `companion run`. `first_page` is how many seconds it took to show."""

    def __init__(self, command: str, state: Path) -> None:
        self.port, self.token = free_port(), token(state)
        words = [command, "--state", str(state), "--host", "127.0.0.1", "--port", str(self.port)]
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", *words],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._until_it_shows(began + _PATIENCE)
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        self.first_page = time.perf_counter() - began

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def processor_seconds(self) -> float:
        """Return the processor time that the process has used, of all its threads."""
        fields = (
            Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # user and system

    def say(self, body: dict[str, Any]) -> Any:
        """Give an answer as a program does; return what the table says to it."""
        head = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with line_to(self.port) as line:
            line.request("POST", "/api/answer", json.dumps(body), head)
            return json.loads(line.getresponse().read())

    def _until_it_shows(self, end: float) -> None:
        while True:
            with contextlib.suppress(OSError):
                if _shows(self.port):
                    return
            if self.process.poll() is not None:
                raise RuntimeError(f"the companion ended: status {self.process.returncode}")
            if time.perf_counter() > end:
                raise RuntimeError(f"the companion showed no page in {_PATIENCE:.0f} s")
            time.sleep(_GLANCE)


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def line_to(port: int) -> Generator[http.client.HTTPConnection]:
    """Open a connection to this machine's port and close it afterwards."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    try:
        yield line
    finally:
        line.close()


def _shows(port: int) -> bool:
    """True once a browser that asks for / gets a page; it is led on to the set-up or the seats."""
    with line_to(port) as line:
        path, cookie = "/", ""
        for _ in range(5):
            line.request("GET", path, headers={"Cookie": cookie})
            answer = line.getresponse()
            answer.read()
            if answer.status == 200:
                return True
            cookie = (answer.getheader("Set-Cookie") or cookie).partition(";")[0]
            path = answer.getheader("Location") or "/"
    return False
