"""A game file: one game, its throws and its printed values, as JSON with a name and a version.

Reading it is strict, and all of it is tried before anything of it counts: a file comes from
elsewhere, and may be cut short, changed by hand, of another program or of a newer one.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

import msgspec

from companion.box import GameBox
from companion.session import Row, Session
from companion.table.malformed import malformed
from companion.table.story import gathered
from companion.terms import (
    Answer,
    DiceReading,
    Game,
    NoSuchKey,
    Number,
    Picked,
    Say,
    Source,
    say,
)

log = logging.getLogger(__name__)

FORMAT = "viking companion game"
VERSION = 1
LARGEST = 64 * 1024 * 1024
"""Bytes of a game file; an evening with all its pictures has about a tenth of it."""
_JPEG = b"\xff\xd8"
BoxOf = Callable[[str], GameBox]


class SavedThrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a throw showed, under the number by which the log names it."""

    number: int
    reading: DiceReading


class Waiting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer that waits for a printed value, and the key of that value."""

    answer: Answer
    needs: str


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. `started` is wall time in seconds; `pictures` are JPEGs by their sha256."""

    format: str
    version: int
    game: str
    started: Annotated[float, msgspec.Meta(ge=0, le=1e11)]
    entries: tuple[Row, ...]
    box: dict[str, int | str]
    waiting: tuple[Waiting, ...]
    throws: tuple[SavedThrow, ...]
    pictures: dict[str, bytes]


class GameFileTrouble(Exception):
    """A file that is no game for this table, or a game that cannot become a file.

    The words are `game_file.KIND.seen`, `.expected` and `.do`, with these values.
    """

    def __init__(self, kind: str, /, **values: str | int | Say) -> None:
        super().__init__(f"{kind} {values}")
        self.kind, self.values = kind, values

    def say(self, part: str) -> Say:
        """Return one part as a sentence: `seen`, `expected` or `do`."""
        return say(f"game_file.{self.kind}.{part}", **self.values)


def read_game_file(body: bytes, games: Mapping[str, Game], box_of: BoxOf) -> GameFile:
    """Return the file, tried through to its last step. Raises `GameFileTrouble`."""
    if len(body) > LARGEST:
        raise GameFileTrouble("large", most=LARGEST // (1024 * 1024))
    file = _decoded(body)
    if file.game not in games:
        raise GameFileTrouble("unknown_game", game=file.game[:60], known=", ".join(sorted(games)))
    box = box_of(file.game)
    _check_box(file, box)
    _check_sources(file)
    try:
        _play_through(file, games[file.game], box)
    except GameFileTrouble:
        raise
    except Exception as error:  # whatever a game says to steps that it never made
        log.info("a game file does not play: %s", error, exc_info=True)
        raise _unplayable("steps") from error
    return file


def named_throws(rows: Iterable[Row], waiting: Iterable[Waiting]) -> set[int]:
    """Return the numbers of all readings that entries and waiting answers came from."""
    sources = [source for row in rows for source in _sources(row)]
    sources += [one.answer.source for one in waiting]
    return {source.reading for source in sources if source.reading is not None}


def pictures_named(reading: DiceReading) -> set[str]:
    """Return the pictures (sha256) that a throw names: its crops, and the frame."""
    return {name for name in (reading.frame, *(die.crop for die in reading.dice)) if name}


def _decoded(body: bytes) -> GameFile:
    try:
        raw: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise GameFileTrouble("broken", why=malformed(error)) from error
    head = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
    if head.get("format") != FORMAT:
        raise GameFileTrouble("foreign", format=FORMAT)
    version = head.get("version")
    if isinstance(version, int) and version > VERSION:
        raise GameFileTrouble("newer", version=version, known=VERSION)
    try:
        file = msgspec.json.decode(body, type=GameFile)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise GameFileTrouble("wrong", why=malformed(error)) from error
    if file.version != VERSION:
        raise _wrong("$.version", "value", value=str(file.version))
    stranger = _unknown_field(raw, msgspec.to_builtins(file), "$")
    if stranger:
        raise _wrong(stranger, "unknown")
    return file


def _unknown_field(given: Any, understood: Any, path: str) -> str:
    """Return where a field was given that nobody understood, "" where there is none.

    Stored records pass over such fields, so that older programs read newer logs; a file from
    elsewhere must not lose anything in silence.
    """
    match given, understood:
        case dict(), dict():
            fields = cast("dict[str, Any]", given)
            for name, value in fields.items():
                if name not in understood:
                    return f"{path}.{name}"
                if found := _unknown_field(value, understood[name], f"{path}.{name}"):
                    return found
        case list(), list() | tuple():
            parts = zip(cast("list[Any]", given), cast("Sequence[Any]", understood), strict=False)
            for index, (one, other) in enumerate(parts):
                if found := _unknown_field(one, other, f"{path}[{index}]"):
                    return found
        case _:
            pass
    return ""


def _check_box(file: GameFile, box: GameBox) -> None:
    for key, value in file.box.items():
        try:
            box.tell(key, Number(value) if isinstance(value, int) else Picked((value,)))
        except NoSuchKey as error:
            raise _wrong(f"$.box.{key[:40]}", "value", value=str(value)[:40]) from error


def _check_sources(file: GameFile) -> None:
    """Refuse throws that stand twice or nowhere, and pictures that are not what they are named."""
    numbers = [throw.number for throw in file.throws]
    missing = named_throws(file.entries, file.waiting) - set(numbers)
    if missing:
        raise _wrong("$.throws", "no_throw", n=missing.pop())
    if len(numbers) != len(set(numbers)) or any(throw.reading.pictures for throw in file.throws):
        raise _wrong("$.throws", "twice")
    shown = {name for throw in file.throws for name in pictures_named(throw.reading)}
    for name, jpeg in file.pictures.items():
        if hashlib.sha256(jpeg).hexdigest() != name or not jpeg.startswith(_JPEG):
            raise _wrong(f"$.pictures.{name[:64]}", "not_this_picture")
        if name not in shown:
            raise _wrong(f"$.pictures.{name[:64]}", "of_no_throw")


def _play_through(file: GameFile, game: Game, box: GameBox) -> None:
    """Lay the game out as the table will: every step, every seat's view, every sentence."""
    rows = file.entries
    if not rows or rows[0].game != file.game:
        raise _unplayable("start")
    for place, row in enumerate(rows):
        if row.number != place:
            raise _unplayable("gap", n=place)
        if (row.kind == "start") != (row.number == 0):
            raise _unplayable("kind", n=row.number, kind=row.kind)
        if row.kind in ("answer", "box") and row.answer is None:
            raise _unplayable("silent", n=row.number)
        named = [row.target or 0, *(one.number for one in row.again)]
        if not all(0 <= number <= row.number for number in named):
            raise _unplayable("ahead", n=row.number)
        msgspec.msgpack.encode(row)
    session = Session(game, rows)
    state, seats = game.setup(session.start.seats, session.start.choices), session.start.seats
    for step in session.live():
        for event in step.events:
            game.apply(state, event)
        gathered(lambda seat: game.view(state, box, seat), [seat.id for seat in seats])
    game.questions(state, box)
    session.copy()


def _sources(row: Row) -> tuple[Source, ...]:
    """Return where a row came from, and the answers in it."""
    answers = (row.answer, *(one.answer for one in row.again))
    return (row.source, *(answer.source for answer in answers if answer is not None))


def _wrong(path: str, why: str, **values: str | int) -> GameFileTrouble:
    """Return what is wrong with one part of a file; the word is `malformed.WHY`."""
    return GameFileTrouble("wrong", why=say(f"malformed.{why}", path=path, **values))


def _unplayable(why: str, **values: str | int) -> GameFileTrouble:
    """Return why the steps of a file do not fit together; the word is `game_file.step.WHY`."""
    return GameFileTrouble("unplayable", why=say(f"game_file.step.{why}", **values))
