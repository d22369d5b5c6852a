"""The console command `companion`: run the table, play the demo, teach dice."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from companion.config import read_config
from companion.dice_command import DICE_TROUBLES, add_dice_commands
from companion.games_command import add_games_commands
from companion.state import state_folder
from companion.store import StoreTrouble

if TYPE_CHECKING:
    from companion.demo import Demo
    from companion.service import Service


_FIRST_FREE_PORT, _LAST_PORT = 1024, 65535


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (2: something given could not be used)."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        return int(arguments.run(arguments))
    except (StoreTrouble, *DICE_TROUBLES) as error:
        sys.stderr.write(f"companion: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"companion: {_in_words(error, arguments)}\n")
        return 2


def _in_words(error: OSError, arguments: argparse.Namespace) -> str:
    """Return what was seen and what to do where the table cannot be opened."""
    host, port = getattr(arguments, "host", None), getattr(arguments, "port", 0)
    if host is None:
        return str(error)
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host!r} is no address of this machine; expected one, or 0.0.0.0 for all of them"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken; end the other companion, or give another port with --port"
    if error.errno == errno.EACCES and port < _FIRST_FREE_PORT:
        return f"port {port} is root's alone; give one from {_FIRST_FREE_PORT} on with --port"
    return str(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="companion", description="A companion for three Viking board games."
    )
    parser.add_argument("--version", action="version", version=version("viking-companion"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="serve the table with the devices of table.toml")
    run.add_argument("--config", type=Path, help="table.toml")
    _service_options(run)
    run.set_defaults(run=_run)
    demo = commands.add_parser("demo", help="play on simulated devices")
    demo.add_argument("--fresh", action="store_true", help="begin with an empty state folder")
    demo.add_argument("--seed", type=int, default=None, help="of the simulated dice")
    _service_options(demo)
    demo.set_defaults(run=_demo)
    token = commands.add_parser("token", help="show the token for programs")
    token.add_argument("--state", type=Path)
    token.add_argument("--demo", action="store_true", help="of the demo's state folder")
    token.set_defaults(run=_token)
    add_dice_commands(commands)
    add_games_commands(commands)
    return parser


def _service_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--state", type=Path, help="state folder")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on")
    usual = os.environ.get("PORT") or "8080"
    parser.add_argument("--port", type=_port, default=usual, help="0: any free one")


def _port(text: str) -> int:
    """Read a port; a larger number would be taken for another one without a word."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or int(digits[:9]) > _LAST_PORT:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} seen; expected a number from 1 to {_LAST_PORT}, or 0 for any "
            "free port; give another with --port, or in PORT"
        )
    return int(digits)


def _run(arguments: argparse.Namespace) -> int:
    from companion.service import Service, drivers_of

    config = read_config(arguments.config)
    state = state_folder(arguments.state)
    service = Service(state, config, drivers_of(config, state), arguments.host, arguments.port)
    return _serve(service)


def _demo(arguments: argparse.Namespace) -> int:
    from companion.demo import Demo

    state: Path = arguments.state or state_folder(None, demo=True)
    demo = Demo(state, arguments.host, arguments.port, arguments.fresh, arguments.seed)
    return _serve(demo)


def _token(arguments: argparse.Namespace) -> int:
    from companion.service import token

    sys.stdout.write(token(state_folder(arguments.state, arguments.demo)) + "\n")
    return 0


def _serve(served: Service | Demo) -> int:
    ended = threading.Event()

    def end(signum: int, frame: FrameType | None) -> None:
        ended.set()

    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, end)
    served.start()
    sys.stdout.write(f"The table is open at http://localhost:{served.port}\n")
    sys.stdout.flush()
    ended.wait()
    served.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
