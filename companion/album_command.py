"""The album at the command line: look at it, teach a set with it, give it away, throw it away."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from companion.album import Album, Correction, Taught
from companion.own_sets import keep_set
from companion.state import state_folder
from vision.learn import DiceSetError, find_set


def add_album_actions(actions: Any) -> None:
    """Add `album`, `album teach`, `album export` and `album clear` below `companion dice`."""
    album = actions.add_parser("album", help="misread dice that people corrected")
    album.set_defaults(run=_list)
    _state(album)
    what = album.add_subparsers(dest="what", metavar="WHAT")
    teach = what.add_parser("teach", help="teach a set again with its misread dice")
    teach.add_argument("set_name", metavar="SET")
    teach.set_defaults(run=_teach)
    export = what.add_parser("export", help="write the pictures into a zip file, to give away")
    export.add_argument("file", metavar="FILE", type=Path)
    export.set_defaults(run=_export)
    clear = what.add_parser("clear", help="throw the pictures away")
    clear.set_defaults(run=_clear)
    for parser in (teach, export, clear):
        _state(parser)


def _state(parser: argparse.ArgumentParser) -> None:
    # Left out below `album`, it must not undo what was given before the word.
    parser.add_argument(
        "--state", metavar="DIR", type=Path, help="state folder", default=argparse.SUPPRESS
    )
    parser.add_argument(
        "--demo", action="store_true", default=argparse.SUPPRESS, help="of the demo's state folder"
    )


def _folder(args: argparse.Namespace) -> Path:
    return state_folder(getattr(args, "state", None), getattr(args, "demo", False))


def _list(args: argparse.Namespace) -> int:
    entries = Album(_folder(args) / "album").corrections()
    if not entries:
        _say("The album is empty: no die was corrected yet.")
        return 0
    counts = Counter((e.set, e.colour, e.face, e.read or "unsure") for e in entries)
    for (name, colour, face, read), count in sorted(counts.items()):
        _say(f"{name}: {colour} {face}, read as {read}: {count}")
    _say(f"{len(entries)} pictures. Teach with: companion dice album teach SET")
    return 0


def _teach(args: argparse.Namespace) -> int:
    state = _folder(args)
    dice_set = find_set(args.set_name, state / "dice")
    taught = Album(state / "album").teach(dice_set)
    for entry in taught.left_out:
        _say(f"left out: {_line(entry)}: the set has no such face, or the picture is damaged")
    if not taught.album_before.total:
        raise DiceSetError(
            f"the album holds no picture that fits the set '{args.set_name}': correct misread "
            "dice at the table first"
        )
    _say(_scores(taught))
    if taught.worse:
        for entry in taught.suspects:
            _say(f"looks like another face: {_line(entry)}")
        raise DiceSetError(
            f"the set '{args.set_name}' would read less well and stays as it is: look at the "
            "pictures named above, perhaps a die was corrected wrongly"
        )
    if not taught.new:
        _say(f"set '{args.set_name}' knows all these pictures already")
        return 0
    keep_set(taught.dice_set, state / "dice" / args.set_name)
    _say(f"set '{args.set_name}' taught with {taught.new} more pictures; it counts when the")
    _say("companion is started again")
    return 0


def _export(args: argparse.Namespace) -> int:
    try:
        count = Album(_folder(args) / "album").export(args.file)
    except FileExistsError as error:
        raise DiceSetError(f"{args.file} is there already: name another file") from error
    except OSError as error:
        raise DiceSetError(f"{args.file} cannot be written: {error.strerror}") from error
    _say(f"{count} pictures written to {args.file}")
    return 0


def _clear(args: argparse.Namespace) -> int:
    _say(f"{Album(_folder(args) / 'album').clear()} pictures thrown away")
    return 0


def _scores(taught: Taught) -> str:
    return (
        f"its own examples: {taught.before.right} of {taught.before.total} right before, "
        f"{taught.after.right} of {taught.after.total} after\n"
        f"the album: {taught.album_before.right} of {taught.album_before.total} right before, "
        f"{taught.album_after.right} of {taught.album_after.total} after"
    )


def _line(entry: Correction) -> str:
    return f"{entry.id[:8]}.jpg, {entry.colour} {entry.face}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
