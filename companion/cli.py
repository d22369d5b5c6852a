"""The console command `companion`: run the table, play the demo, teach dice."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from companion.config import ConfigError, read_config
from companion.dice_command import add_dice_commands, state_folder
from companion.games_command import add_games_commands
from companion.store import StoreTrouble


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (2: something given could not be used)."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        return int(arguments.run(arguments))
    except (ConfigError, StoreTrouble) as error:
        sys.stderr.write(f"companion: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"companion: {error}; is the port taken? Try another with --port\n")
        return 2


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
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8080")))


def _run(arguments: argparse.Namespace) -> int:
    from companion.service import Service, drivers_of

    config = read_config(arguments.config)
    state = state_folder(arguments.state)
    service = Service(state, config, drivers_of(config, state), arguments.host, arguments.port)
    return _serve(service.start, service.stop, arguments.port)


def _demo(arguments: argparse.Namespace) -> int:
    from companion.demo import Demo

    state: Path = arguments.state or state_folder(None) / "demo"
    demo = Demo(state, arguments.host, arguments.port, arguments.fresh, arguments.seed)
    return _serve(demo.start, demo.stop, arguments.port)


def _token(arguments: argparse.Namespace) -> int:
    from companion.service import token

    state = state_folder(arguments.state)
    sys.stdout.write(token(state / "demo" if arguments.demo else state) + "\n")
    return 0


def _serve(start: Callable[[], None], stop: Callable[[], None], port: int) -> int:
    ended = threading.Event()

    def end(signum: int, frame: FrameType | None) -> None:
        ended.set()

    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, end)
    start()
    sys.stdout.write(f"The table is open at http://localhost:{port}\n")
    sys.stdout.flush()
    ended.wait()
    stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
