"""A game travels as one file: saved at one table, brought to another, and played on there."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.cli import main
from companion.games import vikingjarl
from companion.store import NotKept, Store
from companion.table import LARGEST, GameFileTrouble, Rewrite, Table, Taken
from companion.terms import Answer, CardReading, Dice, Die, Number, Picked, Say, say
from companion.words import LANGUAGES, Words
from tests import toy_game
from tests.table.conftest import SEATS, ToyTable
from tests.table.test_no_room import NarrowStore
from tests.table.test_store import thrown
from tests.web.playing import Played

ROLL = Dice((Die("black", "helmet"), Die("black", "helmet"), Die("black", "shield")))
WORDS = Words.load()
UID = "04a1b2c3d4e5f6"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[ToyTable]:
    """The table where the game was played."""
    yield from table_in(tmp_path / "home")


@pytest.fixture
def away(tmp_path: Path) -> Iterator[ToyTable]:
    """Another table, where nobody has played yet."""
    yield from table_in(tmp_path / "away")


def table_in(folder: Path) -> Iterator[ToyTable]:
    store = NarrowStore(folder / "companion.sqlite")
    yield ToyTable(store, {"toy": toy_game}, grace=4.0, patience=30.0)
    store.close()


def play(table: ToyTable, settle: int = 1) -> int:
    """A hidden choice, a throw, a card, a correction, an undo and a redo that may follow."""
    id = table.start("toy", SEATS, {"raids": 9}, "Signe")
    for seat, where in (("ann", "cave"), ("bo", "wood")):
        table.answer(Answer(f"{seat}.hide", Picked((where,)), seat, "Signe"))
    table.answer(Answer("box:shore.worth", Number(2), person="Bo"))
    table.read(picture_throw(settle), now=10.0)
    table.tick(20.0)
    table.read(CardReading("card_reader", UID, "arrived", 1.0))
    if table.look().cards:
        table.name_card(table.look().cards[0].id, "horn")
    table.answer(Answer("fact:bo.silver", Number(7), person="Jonas"))
    table.answer(Answer("fact:bo.silver", Number(9), person="Jonas"))
    table.undo(person="Signe")
    return id


def picture_throw(settle: int) -> Any:
    """A throw whose pictures begin as JPEGs do."""
    reading, names = thrown(settle)
    jpegs = [b"\xff\xd8" + jpeg for jpeg in reading.pictures.values()]
    named = {hashlib.sha256(jpeg).hexdigest(): jpeg for jpeg in jpegs}
    assert len(named) == len(names)
    dice = tuple(
        msgspec.structs.replace(die, crop=name)
        for die, name in zip(reading.dice, named, strict=True)
    )
    return msgspec.structs.replace(reading, dice=dice, pictures=named)


def told(table: Table) -> list[object]:
    """Return the story as people read it, without the numbers of throws."""
    plain = msgspec.structs.replace
    return [
        plain(step, source=plain(step.source, reading=None), pictures=len(step.pictures))
        for step in table.story("ann", 1000)
    ]


def views(table: Table) -> list[object]:
    looks = [table.look(seat) for seat in (None, "ann", "bo")]
    return [(look.view, look.questions, look.undoable, look.redoable) for look in looks]


def test_a_brought_game_has_the_same_state_and_story_and_can_be_undone(
    home: ToyTable, away: ToyTable
) -> None:
    saved = home.export(play(home), pictures=True)
    away.resume(away.bring(saved))
    home.resume(1)  # what an undone step changed is told only until a game is laid out again
    assert views(away) == views(home)
    assert told(away) == told(home)
    throw = next(step for step in away.story() if step.source.kind == "throw")
    assert [away.picture(name) for name in throw.pictures] == [
        home.picture(name) for name in throw.pictures
    ]
    assert len(throw.pictures) == 3
    for act in ("redo", "undo", "undo", "undo", "redo"):
        for table in (home, away):
            assert isinstance(getattr(table, act)(person="Bo"), Taken)
        assert views(away) == views(home)
    away.undo(to=1)
    assert away.look().step == 0


def test_a_past_that_was_put_right_travels_with_its_throws(home: ToyTable, away: ToyTable) -> None:
    id = play(home)
    raid = next(step.number for step in home.story() if step.source.kind == "throw")
    fewer = Dice((Die("black", "helmet"), Die("black", "shield"), Die("black", "shield")))
    assert isinstance(home.rewrite(Rewrite(raid, Answer("raid.roll", fewer, "ann")), "Bo"), Taken)
    away.start("toy", SEATS, {})
    away.read(picture_throw(70))
    away.resume(away.bring(home.export(id, pictures=True)))
    home.resume(id)
    assert views(away) == views(home)
    assert told(away) == told(home)
    amended = away.step(raid)
    assert amended is not None
    assert amended.standing == "amended"
    assert len(amended.pictures) == 3
    for table in (home, away):
        assert isinstance(table.undo(), Taken)
    assert views(away) == views(home)
    assert away.look().facts_by_key["ann.silver"] == 6


def test_without_pictures_only_the_pictures_stay_at_home(home: ToyTable, away: ToyTable) -> None:
    id = play(home)
    saved = home.export(id)
    away.resume(away.bring(saved))
    assert len(saved) < len(home.export(id, pictures=True))
    assert views(away) == views(home)
    throw = next(step for step in away.story() if step.source.kind == "throw")
    assert throw.pictures == ()
    assert throw.source.reading is not None


def test_tags_stay_with_their_cards(home: ToyTable) -> None:
    id = play(home)
    assert any(step.source.kind == "card" for step in home.story())
    saved = home.export(id, pictures=True)
    assert UID.encode() not in saved


def test_a_game_comes_to_a_table_in_the_middle_of_another(home: ToyTable, away: ToyTable) -> None:
    saved = home.export(play(home), pictures=True)
    for settle in (50, 51):
        play(away, settle)
    away.answer(Answer("box:shore.worth", Number(3)))
    before, rev = away.look("ann"), away.rev
    first, second = away.bring(saved), away.bring(saved)
    assert (first, second) == (3, 4)
    assert away.look("ann") == msgspec.structs.replace(before, rev=away.rev)
    assert away.rev > rev
    assert [line.id for line in away.games()] == [4, 3, 2, 1]
    assert away.box().get("shore.worth") == 3, "what this table's owners told stays"
    away.resume(first)
    assert views(away)[0] == views(home)[0]
    assert told(away) == told_after_restart(home)


def told_after_restart(table: ToyTable) -> list[object]:
    table.resume(1)
    return told(table)


def test_an_answer_that_waits_goes_on_waiting_elsewhere(home: ToyTable, away: ToyTable) -> None:
    id = home.start("toy", SEATS, {})
    for seat in ("ann", "bo"):
        home.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat))
    home.answer(Answer("raid.roll", ROLL, "ann"))
    away.resume(away.bring(home.export(id)))
    assert [waiting.key for waiting in away.look().pending] == ["raid.roll"]
    away.answer(Answer("box:shore.worth", Number(3)))
    assert away.look().facts_by_key["ann.silver"] == 6


def test_the_printed_values_go_along_that_the_game_read_or_shows(tmp_path: Path) -> None:
    home, away = Played(tmp_path / "home"), Played(tmp_path / "away")
    home.begin()
    home.say("box:gijon.silver", Number(2))  # told in an earlier game, shown on the map of each
    home.turn()
    saved = home.table.export(2)
    assert json.loads(saved)["box"] == {"gijon.silver": 2}
    away.table.resume(away.table.bring(saved))
    assert away.table.look(None).view == home.table.look(None).view
    for played in (home, away):
        played.store.close()


def test_vikingjarl_travels_too(tmp_path: Path) -> None:
    home, away = Played(tmp_path / "home"), Played(tmp_path / "away")
    home.attack()
    home.throw("B HMM W MM", now=10.0)
    home.table.tick(100.0)
    away.table.resume(away.table.bring(home.table.export(1, pictures=True)))
    seats = (None, "gudrun", "eirik", "harald", "brage")
    assert [away.table.look(s).view for s in seats] == [home.table.look(s).view for s in seats]
    assert [step.told for step in away.table.story(None, 99)] == [
        step.told for step in home.table.story(None, 99)
    ]
    assert isinstance(away.table.undo(), Taken)
    home.table.undo()
    assert [away.table.look(s).view for s in seats] == [home.table.look(s).view for s in seats]
    for played in (home, away):
        played.store.close()


# ------------------------------------------------------------------------ what is no such file

Change = Callable[[dict[str, Any]], object]
CHANGES: dict[str, tuple[str, Change]] = {
    "another program's": ("foreign", lambda f: f.update(format="chess game")),
    "without a name": ("foreign", lambda f: f.pop("format")),
    "a newer version": ("newer", lambda f: f.update(version=99)),
    "an impossible version": ("wrong", lambda f: f.update(version=0)),
    "a version in words": ("wrong", lambda f: f.update(version="one")),
    "a game nobody knows": ("unknown_game", lambda f: f.update(game="hnefatafl")),
    "a field left out": ("wrong", lambda f: f.pop("entries")),
    "a field nobody knows": ("wrong", lambda f: f.update(mood="good")),
    "a field nobody knows in an entry": ("wrong", lambda f: f["entries"][1].update(mood="good")),
    "a field nobody knows in an answer": (
        "wrong",
        lambda f: f["entries"][1]["answer"]["value"].update(mood="good"),
    ),
    "a number that is a word": ("wrong", lambda f: f["entries"][1].update(number="one")),
    "no entries": ("unplayable", lambda f: f.update(entries=[])),
    "an entry left out": ("unplayable", lambda f: f["entries"].pop(2)),
    "an entry twice": ("unplayable", lambda f: f["entries"].insert(2, f["entries"][1])),
    "two starts": ("unplayable", lambda f: f["entries"][2].update(kind="start")),
    "another game's start": ("unplayable", lambda f: f["entries"][0].update(game="saga")),
    "three seats": (
        "unplayable",
        lambda f: f["entries"][0]["seats"].append(f["entries"][0]["seats"][0]),
    ),
    "an undo of nothing": ("unplayable", lambda f: f["entries"][-1].update(target=4000)),
    "an answer that says nothing": ("unplayable", lambda f: f["entries"][1].update(answer=None)),
    "a past put right from nowhere": (
        "unplayable",
        lambda f: f["entries"][-1].update(kind="void", target=777),
    ),
    "events of nobody": ("unplayable", lambda f: f["entries"][1].update(events="kaZub25l")),
    "events that are no events": ("unplayable", lambda f: f["entries"][1].update(events="wcHB")),
    "events that are no text": ("wrong", lambda f: f["entries"][1].update(events="\u00fc")),
    "a printed value nobody prints": ("wrong", lambda f: f["box"].update({"moon.worth": 2})),
    "a printed value out of bounds": ("wrong", lambda f: f["box"].update({"shore.worth": 99})),
    "a throw left out": ("wrong", lambda f: f["throws"].clear()),
    "a throw twice": ("wrong", lambda f: f["throws"].append(f["throws"][0])),
    "a picture of something else": (
        "wrong",
        lambda f: f["pictures"].update({next(iter(f["pictures"])): "/9j/"}),
    ),
    "a picture of no throw": (
        "wrong",
        lambda f: f["pictures"].update({hashlib.sha256(b"\xff\xd8\xff").hexdigest(): "/9j/"}),
    ),
    "a picture that is no picture": (
        "wrong",
        lambda f: f["pictures"].update({hashlib.sha256(b"<html>").hexdigest(): "PGh0bWw+"}),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_not_as_it_was_saved_is_refused_and_nothing_of_it_is_kept(
    home: ToyTable, away: ToyTable, change: str
) -> None:
    kind, make = CHANGES[change]
    file = json.loads(home.export(play(home), pictures=True))
    make(file)
    refused_with(away, json.dumps(file).encode(), kind)


def refused_with(table: ToyTable, body: bytes, *kinds: str) -> None:
    store = table.kept_in()
    assert isinstance(store, NarrowStore)
    before = store.rows()
    with pytest.raises(GameFileTrouble) as refused:
        table.bring(body)
    assert refused.value.kind in kinds
    assert store.rows() == before
    for part in ("seen", "expected", "do"):
        english, german = (WORDS.tell(refused.value.say(part), lang) for lang in LANGUAGES)
        assert english != german
        assert "malformed." not in english
        assert "step." not in english
    why = refused.value.values.get("why", say("table.start"))
    assert isinstance(why, Say)
    assert WORDS.has(why.key, "de"), "a reason that only English knows"


@pytest.mark.parametrize(
    "body",
    [b"", b"\0" * 99, b"\xff\xfe\x00", b"[" * 100_000, b"This is a letter.", b'"\\ud800"'],
)
def test_what_is_no_json_is_refused(away: ToyTable, body: bytes) -> None:
    refused_with(away, body, "broken", "foreign")


@pytest.mark.parametrize("body", [b"{}", b"[]", b"null", b"1e999", b'{"format": {}}'])
def test_json_of_another_kind_is_refused(away: ToyTable, body: bytes) -> None:
    refused_with(away, body, "foreign", "broken")


def test_a_file_cut_short_anywhere_is_refused(home: ToyTable, away: ToyTable) -> None:
    saved = home.export(play(home), pictures=True)
    for length in range(0, len(saved) - 2, len(saved) // 40):
        refused_with(away, saved[:length], "broken")


def test_whatever_byte_was_changed_the_table_stands(home: ToyTable, away: ToyTable) -> None:
    saved, chance = home.export(play(home), pictures=True), random.Random(13)
    refused = 0
    for _ in range(300):
        body = bytearray(saved)
        body[chance.randrange(len(body))] = chance.randrange(256)
        games = len(away.games())
        try:
            away.resume(away.bring(bytes(body)))
            assert away.story(None, 1000)
        except GameFileTrouble:
            refused += 1
            assert len(away.games()) == games
    assert refused > 50


def test_a_file_without_end_is_not_read(away: ToyTable) -> None:
    refused_with(away, b" " * (LARGEST + 1), "large")


def test_a_game_that_finds_no_room_is_not_half_there(home: ToyTable, away: ToyTable) -> None:
    saved, store = home.export(play(home), pictures=True), away.kept_in()
    assert isinstance(store, NarrowStore)
    before = store.rows()
    store.forbid()
    with pytest.raises(NotKept):
        away.bring(saved)
    assert store.rows() == before
    store.make_room()
    assert away.bring(saved) == 1


def test_a_game_that_is_not_kept_cannot_be_saved(home: ToyTable) -> None:
    with pytest.raises(GameFileTrouble, match="no_such_game"):
        home.export(7)


# ------------------------------------------------------------------------- at the command line


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    """A table that is running while somebody works at the command line."""
    played = Played(tmp_path / "home")
    played.turn()
    yield played
    played.store.close()


def test_games_are_listed_saved_and_brought_at_the_command_line(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, away, file = str(tmp_path / "home"), str(tmp_path / "away"), tmp_path / "game.json"
    assert main(["games", "--state", home]) == 0
    assert re.search(r"1 +vikingjarl .* \d+ steps", capsys.readouterr().out)
    assert main(["games", "export", "1", str(file), "--state", home]) == 0
    assert main(["games", "import", str(file), "--state", away]) == 0
    assert "is game 1 now" in capsys.readouterr().out
    assert main(["games", "import", str(file), "--state", home]) == 0
    assert [line.id for line in played.table.games()] == [2, 1], "at the running table too"
    store = Store(tmp_path / "away" / "companion.sqlite")
    table = Table(store, {"vikingjarl": vikingjarl})
    assert table.look("gudrun").view == played.table.look("gudrun").view
    store.close()
    assert not list(tmp_path.glob("*.half"))


def test_the_command_line_tells_what_was_seen_expected_and_to_do(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, letter = ["--state", str(tmp_path / "home")], tmp_path / "letter.json"
    letter.write_text("Dear Signe")
    new, missing = str(tmp_path / "new.json"), str(tmp_path / "missing.json")
    for words, seen in (
        (["export", "7", new], "No game 7 is kept; A game of the list; Look at the list of games"),
        (["export", "1", str(letter)], "letter.json is there already; expected a new file"),
        (["export", "1", str(tmp_path / "no" / "folder.json")], "No such file or directory"),
        (["import", str(letter)], "The file cannot be read"),
        (["import", missing], "missing.json"),
        (["import", str(tmp_path)], "expected a file that a companion saved"),
    ):
        assert main(["games", *words, *home]) == 2
        assert seen in capsys.readouterr().err
    assert letter.read_text() == "Dear Signe"
    assert not Path(new).exists()
    assert [line.id for line in played.table.games()] == [1]


def test_looking_for_games_begins_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--state", str(tmp_path / "nowhere")]) == 0
    assert main(["games", "export", "1", "x.json", "--state", str(tmp_path / "nowhere")]) == 2
    assert "No game 1 is kept" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()
