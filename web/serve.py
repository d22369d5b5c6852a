"""Serve the pages with waitress, in a thread of this process (DESIGN 8)."""

from __future__ import annotations

import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from web.live import end_streams

_THREADS = 64
_GONE_AFTER = 10_000
"""Milliseconds until a connection whose phone left the room counts as closed."""
_LAST_REQUESTS = 3.0
"""Seconds that running requests may take when the server ends."""


class Server:
    """The web server. `start` binds at once (raises `OSError`) and serves in the background."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._app = app
        self._map: dict[int, Any] = {}
        self._socket = _bound(host, port)
        self.port: int = self._socket.getsockname()[1]
        self._server: Any = create_server(
            app,
            map=self._map,
            sockets=[self._socket],
            threads=_THREADS,
            channel_request_lookahead=1,
            ident="companion",
            clear_untrusted_proxy_headers=True,
            log_socket_errors=False,  # a phone that leaves is no news
        )
        # waitress has no argument for it: the options that each accepted connection gets
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            gone_after = (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_AFTER)
            self._server.adj.socket_options = [*self._server.adj.socket_options, gone_after]
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    def start(self) -> None:
        """Serve in the background."""
        self._thread.start()

    def stop(self) -> None:
        """End serving: streams close at once, running requests get a few seconds."""
        self._ending.set()
        end_streams(self._app)
        if self._thread.ident is None:
            self._server.close()
            return
        self._server.pull_trigger()
        self._thread.join(_LAST_REQUESTS + 2)

    def _serve(self) -> None:
        while not self._ending.is_set():
            wasyncore.loop(timeout=1, map=self._map, use_poll=True, count=1)
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=_LAST_REQUESTS)
        wasyncore.close_all(self._map, ignore_all=True)


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound
