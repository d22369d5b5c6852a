"""Kept games at the command line: list them, save one as a file, bring one from a file.

It may be used while the table runs: the file of games is shared, and a brought game stands in the
table's list at once.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from companion.state import state_folder
from companion.store import Store
from companion.table import GameFileTrouble
from companion.table.export import box_of, export_game, import_game
from companion.table.game_file import LARGEST, read_game_file
from companion.words import Words


def add_games_commands(subparsers: Any) -> None:
    """Add `games`, `games export` and `games import` to the command line."""
    games = subparsers.add_parser("games", help="list kept games, save one, bring one")
    _where(games, None)
    games.set_defaults(run=_list)
    actions = games.add_subparsers(metavar="ACTION")
    save = actions.add_parser("export", help="save a game as a file")
    save.add_argument("id", metavar="ID", type=int, help="its number in the list")
    save.add_argument("file", metavar="FILE", type=Path, help="a new file")
    save.add_argument("--pictures", action="store_true", help="with the pictures of the throws")
    save.set_defaults(run=_export)
    bring = actions.add_parser("import", help="bring a game from a file, as a new one")
    bring.add_argument("file", metavar="FILE", type=Path)
    bring.set_defaults(run=_import)
    for action in (save, bring):
        _where(action, argparse.SUPPRESS)


def _where(parser: argparse.ArgumentParser, absent: Any) -> None:
    parser.add_argument("--state", metavar="DIR", type=Path, default=absent, help="state folder")
    parser.add_argument(
        "--demo", action="store_true", default=absent, help="of the demo's state folder"
    )


def _list(arguments: argparse.Namespace) -> int:
    store = _kept(arguments)
    if store is not None:
        for id, game, started, entries in store.games():
            begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(started)) if started else "?"
            _say(f"{id:>4}  {game:<12} {begun:<16} {entries - 1} steps")
        store.close()
    return 0


def _export(arguments: argparse.Namespace) -> int:
    store = _kept(arguments)
    try:
        if store is None:
            raise GameFileTrouble("no_such_game", n=arguments.id)
        file: Path = arguments.file
        if file.exists():
            return _refuse(f"{file} is there already; expected a new file; name another")
        body = export_game(
            store, _games(), lambda game: box_of(store, game), arguments.id, arguments.pictures
        )
        _write_whole(file, body)
    except GameFileTrouble as trouble:
        return _refuse(_told(trouble))
    except OSError as error:
        return _refuse(f"{error}; expected a place where a file may be written; name another")
    finally:
        if store is not None:
            store.close()
    _say(f"game {arguments.id} is in {file} ({len(body) / 1000:.0f} kB)")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    file: Path = arguments.file
    try:
        with file.open("rb") as opened:
            body = opened.read(LARGEST + 1)
    except OSError as error:
        return _refuse(f"{error}; expected a file that a companion saved; name another")
    store = Store(_path(arguments))
    try:
        read = read_game_file(body, _games(), lambda game: box_of(store, game))
        id = import_game(store, read)
    except GameFileTrouble as trouble:
        return _refuse(f"{file}: {_told(trouble)}")
    finally:
        store.close()
    _say(f"{file} is game {id} now; resume it on the Table page")
    return 0


def _games() -> Any:
    # Imported late: only who saves or brings a game needs the games.
    from companion.service import GAMES

    return GAMES


def _path(arguments: argparse.Namespace) -> Path:
    return state_folder(arguments.state, arguments.demo) / "companion.sqlite"


def _kept(arguments: argparse.Namespace) -> Store | None:
    """Return the store; None where nothing was ever kept, for looking must not begin one."""
    path = _path(arguments)
    return Store(path) if path.exists() else None


def _write_whole(file: Path, body: bytes) -> None:
    half = file.with_name(f"{file.name}.half")
    try:
        half.write_bytes(body)
        half.replace(file)
    except OSError:
        half.unlink(missing_ok=True)
        raise


def _told(trouble: GameFileTrouble) -> str:
    words = Words.load()
    parts = [words.tell(trouble.say(part)).rstrip(".") for part in ("seen", "expected", "do")]
    return "; ".join(parts)


def _refuse(why: str) -> int:
    sys.stderr.write(f"companion games: {why}\n")
    return 2


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
