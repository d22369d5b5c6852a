"""Serve the pages with waitress, in a thread of this process."""

from __future__ import annotations

import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress.server import create_server

log = logging.getLogger(__name__)
_THREADS = 64
_GONE_AFTER = 10_000  # milliseconds until an unanswered connection counts as closed


class Server:
    """The web server. `start` binds at once (raises `OSError`) and serves in the background."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._server: Any = create_server(
            app,
            host=host,
            port=port,
            threads=_THREADS,
            channel_request_lookahead=1,
            ident="companion",
            clear_untrusted_proxy_headers=True,
        )
        # waitress has no argument for it: the options that each accepted connection gets
        gone = (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_AFTER)
        self._server.adj.socket_options = [*self._server.adj.socket_options, gone]
        self.port: int = self._server.effective_port
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    def start(self) -> None:
        """Serve in the background."""
        self._thread.start()

    def stop(self) -> None:
        """End serving."""
        self._server.close()
        self._thread.join(1.0)

    def _serve(self) -> None:
        try:
            self._server.run()
        except OSError:
            log.info("the web server is closed")
