"""One game as one file: saved here, brought to another table, and played on there.

What the file is and how strictly it is read, see `companion.table.game_file`. Tags stay with their
cards, and pictures go along only where they are wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from companion.box import GameBox, PinnedBox
from companion.session import Row, Session
from companion.store import Store
from companion.table.game_file import (
    FORMAT,
    VERSION,
    BoxOf,
    GameFile,
    GameFileTrouble,
    SavedThrow,
    Waiting,
    named_throws,
    pictures_named,
)
from companion.terms import Answer, DiceReading, Game, Source


def export_game(
    store: Store, games: Mapping[str, Game], box_of: BoxOf, id: int, pictures: bool = False
) -> bytes:
    """Return a kept game as a file (UTF-8 JSON). Raises `GameFileTrouble`."""
    line = next((line for line in store.games() if line[0] == id), None)
    if line is None:
        raise GameFileTrouble("no_such_game", n=id)
    _, name, started, _ = line
    if name not in games:
        raise GameFileTrouble("unknown_game", game=name, known=", ".join(sorted(games)))
    rows = [msgspec.msgpack.decode(body, type=Row) for body in store.entries(id)]
    waiting = waiting_in(store, id)
    named = named_throws(rows, waiting)
    throws = {
        number: msgspec.msgpack.decode(body, type=DiceReading)
        for number in sorted(named)
        if (body := store.reading(number)) and _is_throw(body)
    }
    numbers = {number: number for number in throws}
    shown = sorted({name for number in throws for name in store.pictures_of(number)})
    kept = {name: jpeg for name in shown if pictures and (jpeg := store.picture(name))}
    box = box_of(name)
    file = GameFile(
        FORMAT,
        VERSION,
        name,
        started or 0.0,
        tuple(_renumbered(row, numbers) for row in rows),
        {key: box.told[key] for key in sorted(_read_by(games[name], rows, box)) if key in box.told},
        tuple(Waiting(_answer(w.answer, numbers), w.needs) for w in waiting),
        tuple(SavedThrow(number, reading) for number, reading in throws.items()),
        kept,
    )
    return msgspec.json.format(msgspec.json.encode(file), indent=1)


def box_of(store: Store, game: str) -> GameBox:
    """Return a game's printed values, with what the owners told."""
    told: dict[str, int | str] = {}
    for _, key, body in store.recall("box", game=game):
        if isinstance(body, bytes):
            told[str(key)] = msgspec.msgpack.decode(body, type=int | str)
    try:
        return GameBox.of(game, told)
    except ModuleNotFoundError:
        return GameBox({}, told)


def waiting_in(store: Store, id: int) -> list[Waiting]:
    """Return the answers that wait in a game, in their order."""
    bodies = [row[2] for row in store.recall("pending", game=id)]
    decoded = [
        msgspec.msgpack.decode(body, type=tuple[Answer, str])
        for body in bodies
        if isinstance(body, bytes)
    ]
    return [Waiting(answer, needs) for answer, needs in decoded]


def import_game(store: Store, file: GameFile) -> int:
    """Keep the game of a file (`read_game_file`) as a new one, and return its id.

    All of it is kept or nothing. A printed value that this table's owners told already stays as
    they told it. Raises `NotKept` where there is no room.
    """
    with store.step():
        id = store.new_game(file.game, file.started)
        numbers: dict[int, int] = {}
        for throw in file.throws:
            pictures = {
                n: file.pictures[n] for n in pictures_named(throw.reading) if n in file.pictures
            }
            encoded = msgspec.msgpack.encode(throw.reading)
            numbers[throw.number] = store.add_reading(encoded, pictures, id)
        for row in file.entries:
            store.append(id, row.number, msgspec.msgpack.encode(_renumbered(row, numbers)))
        for waiting in file.waiting:
            waits = (_answer(waiting.answer, numbers), waiting.needs)
            store.wait(id, msgspec.msgpack.encode(waits))
        for key, value in file.box.items():
            if not store.recall("box", game=file.game, key=key):
                store.remember("box", file.game, key, msgspec.msgpack.encode(value))
    return id


class _NotingBox(PinnedBox):
    """A box that also notes what questions and views look at."""

    def get(self, key: str) -> int | str | None:
        value = super().get(key)
        if value is not None:
            self.read[key] = value
        return value


def _read_by(game: Game, rows: list[Row], box: GameBox) -> set[str]:
    """Return the keys of the printed values that a game's steps read and its pages show."""
    noting = _NotingBox(box, {})
    session = Session(game, rows)
    game.questions(session.state, noting)
    for seat in (None, *(seat.id for seat in session.start.seats)):
        game.view(session.state, noting, seat)
    asked = {
        row.answer.key.removeprefix("box:") for row in rows if row.kind == "box" and row.answer
    }
    return asked.union(noting.read, *(row.known for row in rows))


def _is_throw(body: bytes) -> bool:
    found: Any = msgspec.msgpack.decode(body)
    return cast("dict[str, Any]", found).get("type") == "dice_reading"


def _renumbered(row: Row, numbers: Mapping[int, int]) -> Row:
    """Return a row whose throws have other numbers; what has none is left without."""
    again = tuple(
        msgspec.structs.replace(one, answer=_answer(one.answer, numbers)) if one.answer else one
        for one in row.again
    )
    return msgspec.structs.replace(
        row,
        answer=_answer(row.answer, numbers) if row.answer else None,
        source=_source(row.source, numbers),
        again=again,
    )


def _answer(answer: Answer, numbers: Mapping[int, int]) -> Answer:
    return msgspec.structs.replace(answer, source=_source(answer.source, numbers))


def _source(source: Source, numbers: Mapping[int, int]) -> Source:
    if source.reading is None:
        return source
    return msgspec.structs.replace(source, reading=numbers.get(source.reading))
