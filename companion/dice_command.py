"""Dice at the command line: teach a set, read pictures, measure how well they are read."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.album_command import add_album_actions
from companion.config import ConfigError, read_config
from companion.devices.tray_measures import tray_of
from companion.own_sets import keep_set
from companion.state import state_folder
from vision.camera import Tray
from vision.learn import DiceSet, DiceSetError, enrol, find_set
from vision.reading import read_dice
from vision.score import Score, TruthError, score_rolls
from vision.seen import Picture, ReadWarning, SeenDie, TrayReading

DICE_TROUBLES = (ConfigError, DiceSetError, TruthError)
"""What a command about dice may raise: bad input, told in one line."""
PIPS = "d6"
"""The set that is never enrolled: ordinary dice with pips."""


def add_dice_commands(subparsers: Any) -> None:
    """Add `dice enrol`, `dice read`, `dice score` and `dice album` to the command line."""
    dice = subparsers.add_parser("dice", help="teach dice, read pictures of them, measure")
    add_actions(dice)


def add_actions(parser: argparse.ArgumentParser) -> None:
    """Add the actions `enrol`, `read`, `score` and `album` to a parser; each sets `run`."""
    actions = parser.add_subparsers(dest="action", required=True)
    teach = actions.add_parser("enrol", help="teach a set of dice from a folder of pictures")
    teach.add_argument("folder", metavar="DIR", type=Path, help="folder with a manifest.json")
    teach.add_argument("--config", type=Path, help="table.toml, where its [tray] is another")
    look = actions.add_parser("read", help="read pictures of the tray")
    look.add_argument("files", metavar="FILE", type=Path, nargs="+")
    look.add_argument("--json", action="store_true", help="one JSON object a line")
    measure = actions.add_parser("score", help="measure against pictures with known truth")
    measure.add_argument("folder", metavar="DIR", type=Path, help="NN.jpg with NN.json each")
    measure.add_argument("--only", metavar="A-B", type=_span, help="only these numbers, as 20-39")
    for action, run in ((teach, _enrol), (look, _read), (measure, _score)):
        action.add_argument("--set", dest="set_name", metavar="NAME", required=True)
        action.add_argument("--state", metavar="DIR", type=Path, help="state folder")
        action.add_argument("--demo", action="store_true", help="of the demo's state folder")
        action.set_defaults(run=run)
    add_album_actions(actions)


def _enrol(args: argparse.Namespace) -> int:
    if args.set_name == PIPS:
        raise DiceSetError(f"'{PIPS}' are dice with pips; they need no enrolment")
    measures = read_config(args.config).tray
    learnt = enrol(args.folder, args.set_name, tray_of(measures) if measures else Tray())
    keep_set(learnt, state_folder(args.state, args.demo) / "dice" / args.set_name)
    for colour in learnt.colour_names:
        counts = [f"{face} ({learnt.examples(colour, face)})" for face in learnt.faces_of(colour)]
        _say(f"{colour}: {', '.join(counts)}")
    _say(f"set '{args.set_name}' learnt from {len(learnt.faces)} pictures")
    return 0


def _read(args: argparse.Namespace) -> int:
    reader = _reader(args.set_name, state_folder(args.state, args.demo))
    for path in args.files:
        _check_file(path)
    # One after the other: many large photographs at once would fill the memory.
    for path in args.files:
        reading = reader(_picture(path))
        if args.json:
            _say(json.dumps(_as_json(path, reading), ensure_ascii=False))
        else:
            _say(f"{path}:")
            for die in reading.dice:
                _say("  " + _sentence(die, reading.unit))
            for warning in reading.warnings:
                _say(f"  ! {_warning(warning)}")
            if not reading.dice:
                _say("  no dice")
    return 0


def _score(args: argparse.Namespace) -> int:
    reader = _reader(args.set_name, state_folder(args.state, args.demo))
    score: Score = score_rolls(args.folder, reader, args.only)
    _say(score.table())
    return 0


def _reader(name: str, state: Path) -> Callable[[Picture], TrayReading]:
    if name == PIPS:
        # Imported late: only who reads pips needs its reader.
        from vision.pips import read_pips

        return lambda picture: read_pips(picture, None)
    dice_set: DiceSet = find_set(name, state / "dice")
    return lambda picture: read_dice([picture], dice_set)


def _check_file(path: Path) -> None:
    if not path.exists():
        raise DiceSetError(f"{path}: no such file")
    if path.is_dir() or not cv2.haveImageReader(str(path)):
        raise _no_picture(path)


def _picture(path: Path) -> Picture:
    try:
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise DiceSetError(
            f"{path}: a picture of more pixels than can be opened; make it smaller"
        ) from error
    if picture is None:
        raise _no_picture(path)
    return np.asarray(picture, np.uint8)


def _no_picture(path: Path) -> DiceSetError:
    return DiceSetError(f"{path}: not a picture that can be read (JPEG or PNG expected)")


def _as_json(path: Path, reading: TrayReading) -> dict[str, Any]:
    keys = ("colour", "face", "x", "y", "confidence", "cocked", "on_rim")
    result: dict[str, Any] = {
        "file": str(path),
        "dice": [{k: getattr(die, k) for k in keys} for die in reading.dice],
        "warnings": [{"code": w.code, **w.values} for w in reading.warnings],
    }
    if reading.unit != "mm":
        result["unit"] = reading.unit
    return result


def _sentence(die: SeenDie, unit: str) -> str:
    name = f"{die.colour or '?'} {die.face or 'unsure'}"
    marks = [m for m, on in (("cocked", die.cocked), ("on the rim", die.on_rim)) if on]
    tail = f", {', '.join(marks)}" if marks else ""
    return f"{name:<20} at {die.x:.0f}, {die.y:.0f} {unit}, confidence {die.confidence:.2f}{tail}"


def _warning(warning: ReadWarning) -> str:
    values = ", ".join(f"{k} {v}" for k, v in warning.values.items())
    return warning.code.replace("_", " ") + (f" ({values})" if values else "")


def _span(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no span of numbers such as 20-39") from error


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one action by itself; returns the exit code (2 on bad input)."""
    parser = argparse.ArgumentParser(prog="companion dice", description=__doc__)
    add_actions(parser)
    return run(parser.parse_args(argv))


def run(args: argparse.Namespace) -> int:
    """Carry out a parsed action; bad input becomes one clear line and exit code 2."""
    try:
        return int(args.run(args))
    except DICE_TROUBLES as error:
        sys.stderr.write(f"companion dice: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
