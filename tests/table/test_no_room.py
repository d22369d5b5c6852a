"""A full disk and a folder that may not be written: nothing counts that is not on the disk."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from companion.games import vikingjarl
from companion.session import Row, Session
from companion.store import NotKept, Store
from companion.store.trouble import Kind
from companion.table import Rewrite, Taken
from companion.terms import Answer, CardReading, Dice, Die, Number, Picked
from companion.words import LANGUAGES, Words
from tests import toy_game
from tests.table.conftest import SEATS, ToyTable
from tests.table.test_store import thrown
from tests.table.test_throws import throw

ROOT = Path(__file__).parents[2]
ROLL = Dice((Die("black", "helmet"), Die("black", "helmet"), Die("black", "shield")))


class NarrowStore(Store):
    """A store whose disk can be full: SQLite itself refuses each further page."""

    def fill(self) -> None:
        """Allow no page more than there are, and take the free ones."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        self._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            self._fill_for_ever()

    def _fill_for_ever(self) -> None:
        while True:
            self._db.execute("INSERT INTO readings VALUES (NULL, ?, 0, 0)", (b"x" * 2000,))

    def forbid(self) -> None:
        """Let nothing be written at all."""
        self._db.execute("PRAGMA query_only = ON")

    def make_room(self) -> None:
        self._db.execute("PRAGMA max_page_count = 1073741823")
        self._db.execute("PRAGMA query_only = OFF")

    def rows(self) -> dict[str, list[tuple[object, ...]]]:
        """Return everything that is on the disk."""
        with sqlite3.connect(self.path) as other:
            names = other.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            found = {name: other.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}
        other.close()
        return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[NarrowStore]:
    store = NarrowStore(tmp_path / "companion.sqlite")
    yield store
    store.close()


@pytest.fixture
def raid(store: NarrowStore) -> ToyTable:
    """A second raid is asked for; a doubtful throw lies there, a strange card, a rolled answer."""
    table = ToyTable(store, {"toy": toy_game}, grace=4.0, patience=30.0)
    table.start("toy", SEATS, {})
    table.start("toy", SEATS, {})
    for seat in ("ann", "bo"):
        table.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat))
    store.remember("tags", "toy", "04aa", "horn")
    table.answer(Answer("fact:bo.silver", Number(1)))
    table.answer(Answer("fact:bo.silver", Number(2)))
    table.undo()
    table.read(throw(1, "helmet", None, "shield"), now=10.0)
    table.read(CardReading("card_reader", "04ff", "arrived", 1.0), now=10.0)
    return table


def throw_of(table: ToyTable) -> int:
    return table.look().proposals[0].id


def card_of(table: ToyTable) -> int:
    return table.look().cards[0].id


ACTS: dict[str, Callable[[ToyTable], object]] = {
    "an answer": lambda t: t.answer(Answer("fact:ann.silver", Number(5)), id="tap-7"),
    "an answer that must wait": lambda t: t.answer(Answer("raid.roll", ROLL, "ann"), id="tap-8"),
    "a printed value": lambda t: t.answer(Answer("box:shore.worth", Number(2))),
    "undo": lambda t: t.undo(),
    "redo": lambda t: t.redo(),
    "a step struck out": lambda t: t.rewrite(Rewrite(3), "Bo"),
    "a step put right": lambda t: t.rewrite(
        Rewrite(3, Answer("fact:bo.silver", Number(8))), "Bo", id="tap-9"
    ),
    "a new game": lambda t: t.start("toy", SEATS, {}),
    "an old game": lambda t: t.resume(1),
    "a seat": lambda t: t.sit("signe's", "ann", "Signe"),
    "less help": lambda t: t.set_scorekeeper(True),
    "a throw": lambda t: t.read(thrown(2)[0], now=20.0),
    "a card": lambda t: t.read(CardReading("card_reader", "04aa", "arrived", 2.0), now=20.0),
    "a strange card": lambda t: t.read(CardReading("card_reader", "04ee", "arrived", 2.0)),
    "the last doubtful die": lambda t: t.correct(throw_of(t), 1, face="shield", person="Ann"),
    "the name of a card": lambda t: t.name_card(card_of(t), "horn"),
}


def seen(table: ToyTable) -> object:
    """Return all that people see, but for the revision and the trouble itself."""
    looks = [table.look(seat) for seat in (None, "ann", "bo")]
    return [
        [msgspec.structs.replace(look, rev=0, devices=()) for look in looks],
        table.story(None, 1000),
        [table.trail(f"{seat}.silver") for seat in ("ann", "bo")],
        [(line.id, line.rows, line.current) for line in table.games()],
    ]


@pytest.mark.parametrize("act", ACTS)
def test_what_cannot_be_written_leaves_everything_as_it_was_and_counts_once_it_can(
    raid: ToyTable, store: NarrowStore, act: str
) -> None:
    before, rows, rev = seen(raid), store.rows(), raid.rev
    store.forbid()
    for _ in range(2):
        with pytest.raises(NotKept) as refused:
            ACTS[act](raid)
        assert refused.value.kind == "read_only"
        assert raid.look().devices[0].trouble == refused.value.trouble
        assert seen(raid) == before
        assert store.rows() == rows
    assert raid.rev > rev, "every phone hears of the trouble"
    assert [state.device for state in raid.look().devices] == ["store"]
    looked = threading.Thread(target=raid.look)
    looked.start()
    looked.join(10.0)
    assert not looked.is_alive(), "nobody holds the lock"
    store.make_room()
    ACTS[act](raid)
    assert raid.look().devices == ()
    assert store.rows() != rows


def test_play_goes_on_to_the_last_page_and_again_when_there_is_room(
    raid: ToyTable, store: NarrowStore
) -> None:
    store.fill()
    taken = 0
    while True:
        before = seen(raid)
        try:
            taken += isinstance(raid.answer(Answer("fact:ann.silver", Number(taken % 40))), Taken)
        except NotKept as refused:
            kind = refused.kind
            break
    assert kind == "full"
    assert seen(raid) == before
    store.make_room()
    assert isinstance(raid.answer(Answer("fact:ann.silver", Number(39))), Taken)
    again = ToyTable(store, {"toy": toy_game})
    assert again.look("ann").view == raid.look("ann").view
    assert len(again.story(None, 1000)) == len(raid.story(None, 1000))


class ForgetfulStore(NarrowStore):
    """A store whose disk is closed at the moment when a waiting answer shall be settled."""

    def forget(self, table: str, **where: object) -> None:
        if table == "pending":
            self.forbid()
        super().forget(table, **where)


def test_an_answer_that_waited_goes_on_waiting_where_it_cannot_be_kept(tmp_path: Path) -> None:
    store = ForgetfulStore(tmp_path / "companion.sqlite")
    table = ToyTable(store, {"toy": toy_game})
    table.start("toy", SEATS, {})
    for seat in ("ann", "bo"):
        table.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat))
    table.answer(Answer("raid.roll", ROLL, "ann"))
    with pytest.raises(NotKept):
        table.answer(Answer("box:shore.worth", Number(2)))
    assert table.box().get("shore.worth") == 2, "the printed value itself was kept"
    assert [waiting.key for waiting in table.look().pending] == ["raid.roll"]
    assert table.look().facts_by_key["ann.silver"] == 0
    store.close()
    store = NarrowStore(tmp_path / "companion.sqlite")  # there is room again
    table = ToyTable(store, {"toy": toy_game})
    assert [waiting.key for waiting in table.look().pending] == ["raid.roll"]
    table.answer(Answer("box:shore.worth", Number(2)))
    assert table.look().pending == ()
    assert table.look().facts_by_key["ann.silver"] == 4
    store.close()


def test_a_certain_roll_that_grace_could_not_keep_waits_for_a_tap(
    raid: ToyTable, store: NarrowStore
) -> None:
    raid.answer(Answer("box:shore.worth", Number(2)))
    raid.read(throw(5, "helmet", "helmet", "shield"), now=20.0)
    proposal = raid.look().proposals[-1]
    assert proposal.grace_until == 24.0
    store.forbid()
    raid.tick(24.0)  # the clock goes on, whatever it met
    raid.tick(24.2)
    assert raid.look().facts_by_key["ann.silver"] == 0
    assert raid.look().proposals[-1].grace_until is None
    store.make_room()
    assert isinstance(raid.accept(proposal.id, "Ann"), Taken)
    assert raid.look().facts_by_key["ann.silver"] == 4


def test_the_trouble_goes_by_itself_when_there_is_room_again(
    raid: ToyTable, store: NarrowStore
) -> None:
    store.forbid()
    with pytest.raises(NotKept):
        raid.undo()
    raid.tick(100.0)
    assert raid.look().devices != ()
    store.make_room()
    rev = raid.rev
    raid.tick(106.0)
    assert raid.look().devices == ()
    assert raid.rev > rev


def test_a_file_that_was_taken_away_in_mid_game_is_told(raid: ToyTable, store: NarrowStore) -> None:
    before = seen(raid)
    away = store.path.with_name("elsewhere.sqlite")
    store.path.rename(away)
    with pytest.raises(NotKept) as refused:
        raid.undo()
    assert refused.value.kind == "gone"
    assert seen(raid) == before
    away.rename(store.path)
    assert isinstance(raid.undo(), Taken)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_trouble_has_its_words(tmp_path: Path, kind: Kind, language: str) -> None:
    words = Words.load()
    trouble = NotKept(kind, tmp_path / "file", "why").trouble
    for sentence in (trouble.seen, trouble.do):
        assert words.has(sentence.key, language)
        assert "{" not in words.tell(sentence, language)


# ------------------------------------------------------------------------------- on a real disk


def test_a_child_with_little_room_refuses_and_goes_on_when_it_has_more(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.table.playing_narrow", str(tmp_path), "250000"]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    lines = [line.split() for line in child.stdout.splitlines()]
    first = next(index for index, (what, _) in enumerate(lines) if what == "refused")
    assert 10 < first < 300
    assert [what for what, _ in lines].count("refused") == 5
    assert lines[-1][0] == "taken"
    check_log(tmp_path, [int(step) for what, step in lines if what == "taken"])


def check_log(state: Path, acknowledged: list[int]) -> None:
    """The log holds exactly what was acknowledged, and can be laid out again."""
    store = Store(state / "companion.sqlite")
    rows = [msgspec.msgpack.decode(body, type=Row) for body in store.entries(1)]
    store.close()
    assert [row.number for row in rows] == [0, *acknowledged]
    assert Session(vikingjarl, rows).last_live == acknowledged[-1]


def test_a_really_full_disk_refuses_and_takes_again(small_disk: Path) -> None:
    store = Store(small_disk / "companion.sqlite")
    table = ToyTable(store, {"toy": toy_game})
    table.start("toy", SEATS, {})
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk)
    ballast.write_bytes(b"x" * (free.f_bavail * free.f_frsize - 60_000))
    steps: list[int | None] = []
    while True:
        before = seen(table)
        try:
            outcome = table.answer(Answer("fact:ann.silver", Number(len(steps) % 40)))
        except NotKept as refused:
            kind = refused.kind
            break
        assert isinstance(outcome, Taken)
        steps.append(outcome.step)
    assert kind == "full"
    assert seen(table) == before
    ballast.unlink()
    outcome = table.answer(Answer("fact:ann.silver", Number(40)))
    assert isinstance(outcome, Taken)
    store.close()
    store = Store(small_disk / "companion.sqlite")
    assert [msgspec.msgpack.decode(b, type=Row).number for b in store.entries(1)] == [
        0,
        *steps,
        outcome.step,
    ]
    assert store.restored is None
    store.close()


@pytest.mark.parametrize("kept", [False, True], ids=["a first start", "a later start"])
def test_a_start_on_a_full_disk_ends_with_a_clear_word(small_disk: Path, kept: bool) -> None:
    state = small_disk / "state"
    if kept:
        store = Store(state / "companion.sqlite")
        store.new_game("vikingjarl", 0.0)
        store.close()
    with (small_disk / "ballast").open("wb", buffering=0) as ballast:
        while room := os.statvfs(small_disk).f_bavail:
            ballast.write(b"x" * room * 4096)
    ended = run_companion("companion.cli", state)
    assert ended.returncode == 2
    assert "companion.sqlite" in ended.stderr
    assert "expected room to write; make room on its disk" in ended.stderr
    assert "Traceback" not in ended.stderr
    (small_disk / "ballast").unlink()
    store = Store(state / "companion.sqlite")
    assert len(store.games()) == kept
    assert store.restored is None
    store.close()


@pytest.mark.parametrize("read_only", ["folder", "file"])
def test_a_start_in_a_folder_that_may_only_be_read_ends_with_a_clear_word(read_only: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        store = Store(state / "companion.sqlite")
        store.new_game("vikingjarl", 0.0)
        store.close()
        body = store.path.read_bytes()
        state.chmod(0o555 if read_only == "folder" else 0o777)
        store.path.chmod(0o444)
        (state / "companion.lock").chmod(0o444 if read_only == "folder" else 0o666)
        ended = run_companion("tests.table.without_rights", state)
        state.chmod(0o755)
        assert ended.returncode == 2
        assert "companion.sqlite" in ended.stderr
        assert "expected a file that may be written" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert store.path.read_bytes() == body


def run_companion(module: str, state: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, "run", "--state", str(state), "--port", "0"]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
