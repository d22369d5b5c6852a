"""A damaged game file is set aside, what can be read of it is back, and what is lost is told."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.session import Row, Session
from companion.store import Store, StoreTrouble
from companion.store.pages import read_log
from companion.table import Table
from companion.terms import Answer, Cards, Number, Picked
from companion.words import LANGUAGES, Words
from tests import toy_game
from tests.table.conftest import SEATS, ToyTable
from tests.table.test_store import as_schema_1, thrown

PAGE = 4096
Logs = dict[int, list[bytes]]


class Evening(msgspec.Struct):
    """A file as the power cord left it, and what stood in it."""

    file: bytes
    log: bytes
    entries: Logs

    def lie_in(self, folder: Path, file: bytes | None = None, log: bytes | None = None) -> Path:
        """Put the file, perhaps damaged, into an empty folder."""
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir()
        path = folder / "companion.sqlite"
        path.write_bytes(self.file if file is None else file)
        log = self.log if log is None else log
        if log:
            Path(f"{path}-wal").write_bytes(log)
        return path


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Three games with throws, cards, phones and printed values; the file was closed in peace."""
    return played(tmp_path_factory.mktemp("evening"), 25, closed=True)


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A shorter one, but the power went: all of it stands in the log only."""
    return played(tmp_path_factory.mktemp("cut_off"), 7, closed=False)


def played(folder: Path, throws: int, closed: bool) -> Evening:
    path, chance = folder / "companion.sqlite", random.Random(3)
    store = Store(path)
    table = ToyTable(store, {"toy": toy_game})
    settle = 0
    for _ in range(3):
        table.start("toy", SEATS, {"raids": 40})
        for seat in ("ann", "bo"):
            table.answer(Answer(f"{seat}.hide", Picked(("cave",)), seat, "Signe"))
        table.answer(Answer("box:shore.worth", Number(2)))
        for _ in range(throws):
            settle += 1
            table.read(thrown(settle)[0], now=10.0)
            table.tick(100.0)
            table.answer(Answer("fact:ann.silver", Number(chance.randrange(40)), person="Jonas"))
            table.answer(Answer("ann.card", Cards(("horn",)), "ann", "Bo"), id=str(settle))
            if chance.random() < 0.2:
                table.undo(person="Signe")
        table.sit("signe's", "ann", "Signe")
    entries = {id: store.entries(id) for id, *_ in store.games()}
    if closed:
        store.close()
    log = Path(f"{path}-wal")
    left = Evening(path.read_bytes(), log.read_bytes() if log.exists() else b"", entries)
    store.close()
    return left


@contextmanager
def opened(path: Path) -> Generator[Store]:
    store = Store(path)
    try:
        yield store
    finally:
        store.close()


def look_at(store: Store, entries: Logs, lost_is_known: bool = True) -> Logs:
    """Check what a mended file gives: logs without a gap, each game playable, the loss told."""
    told = {game.id: game for game in store.restored.games} if store.restored else {}
    kept = {id: store.entries(id) for id, *_ in store.games()}
    for id, whole in entries.items():
        left = kept.get(id, [])
        assert left == whole[: len(left)]
        if store.restored is None:
            assert left == whole, "a loss that nobody is told of"
        elif id in told:
            assert told[id].kept == len(left)
            assert told[id].lost == len(whole) - len(left) or not lost_is_known
        else:
            assert not left
            assert not lost_is_known
    table = ToyTable(store, {"toy": toy_game})
    shortened = [id for id in kept if kept[id] != entries[id]]
    for id in shortened or sorted(kept)[:1]:
        bodies = kept[id]
        table.resume(id)
        rows = [msgspec.msgpack.decode(body, type=Row) for body in bodies]
        session = Session(toy_game, rows)
        assert table.look("ann").view == toy_game.view(session.state, table.box(), "ann")
        assert len(table.story(None, 1000)) == len(bodies)
        table.undo()
    return kept


@pytest.mark.slow
def test_a_whole_page_of_garbage_costs_only_what_stood_on_it(
    evening: Evening, tmp_path: Path
) -> None:
    chance, pages, worst = random.Random(7), len(evening.file) // PAGE, 0
    assert pages > 40
    for page in range(pages):
        damaged = bytearray(evening.file)
        damaged[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
        path = evening.lie_in(tmp_path / "state", bytes(damaged))
        with opened(path) as store:
            aside = path.with_name("companion.damaged-1.sqlite")
            assert store.set_aside == aside
            assert aside.read_bytes() == bytes(damaged)
            kept = look_at(store, evening.entries)
            shortened = [id for id in evening.entries if kept.get(id) != evening.entries[id]]
            worst = max(worst, len(shortened))
    assert worst in (1, 2), "a page holds the entries of one game, or the seam of two"


def test_small_damage_is_noticed_wherever_it_hits_a_step(evening: Evening, tmp_path: Path) -> None:
    chance, mended = random.Random(11), 0
    for _ in range(60):
        damaged = bytearray(evening.file)
        for _ in range(chance.choice((1, 1, 5))):
            at, length = chance.randrange(len(damaged)), chance.choice((1, 16, 512))
            damaged[at : at + length] = chance.randbytes(len(damaged[at : at + length]))
        with opened(evening.lie_in(tmp_path / "state", bytes(damaged))) as store:
            look_at(store, evening.entries, lost_is_known=False)
            mended += store.restored is not None
    assert mended > 30


def test_a_file_cut_short_keeps_what_is_left_of_it(evening: Evening, tmp_path: Path) -> None:
    kept_steps: list[int] = []
    for length in range(1, len(evening.file), 9_973):
        with opened(evening.lie_in(tmp_path / "state", evening.file[:length])) as store:
            assert store.restored is not None
            kept = look_at(store, evening.entries, lost_is_known=False)
            kept_steps.append(sum(map(len, kept.values())))
    assert kept_steps[0] == 0
    assert kept_steps[-1] > kept_steps[0]


@pytest.mark.parametrize("body", [b"", b"\0" * 8192, b"This is a letter to Signe.\n" * 400])
def test_a_file_that_is_no_game_file_is_set_aside_and_a_new_one_begun(
    tmp_path: Path, body: bytes
) -> None:
    path = Evening(body, b"", {}).lie_in(tmp_path / "state")
    with opened(path) as store:
        assert store.games() == []
        assert store.set_aside is not None
        assert store.set_aside.read_bytes() == body
        table = ToyTable(store, {"toy": toy_game})
        table.start("toy", SEATS, {})
    with opened(path) as store:
        assert len(store.entries(1)) == 1


def test_a_damaged_schema_number_is_no_newer_schema(evening: Evening, tmp_path: Path) -> None:
    damaged = evening.file[:60] + b"\x8a\x91" + evening.file[62:]
    with opened(evening.lie_in(tmp_path / "state", damaged)) as store:
        assert store.restored is not None
        assert look_at(store, evening.entries) == evening.entries


def test_a_file_set_aside_is_never_written_over(evening: Evening, tmp_path: Path) -> None:
    path = evening.lie_in(tmp_path / "state")
    bodies = [bytes([number]) * 5000 for number in range(3)]
    for body in bodies:
        path.write_bytes(body)
        with opened(path) as store:
            assert store.games() == []
    asides = [path.with_name(f"companion.damaged-{number}.sqlite") for number in (1, 2, 3)]
    assert [aside.read_bytes() for aside in asides] == bodies


def test_a_damaged_log_is_not_passed_over_in_silence(cut_off: Evening, tmp_path: Path) -> None:
    frame, chance, mended = 24 + PAGE, random.Random(5), 0
    frames = (len(cut_off.log) - 32) // frame
    assert 100 < frames < 1000, "all of it stands in one round of the log"
    for number in [0, 1, *chance.sample(range(2, frames - 2), 20)]:
        damaged = bytearray(cut_off.log)
        at = 32 + number * frame
        damaged[at : at + frame] = chance.randbytes(frame)
        path = cut_off.lie_in(tmp_path / "state", log=bytes(damaged))
        with opened(path) as store:
            assert store.set_aside is not None
            assert Path(f"{store.set_aside}-wal").read_bytes() == bytes(damaged)
            kept = look_at(store, cut_off.entries)
            # each later version of a page repeats what stood in the damaged one
            mended += kept == cut_off.entries
    assert mended > 15


def test_a_log_without_its_head_gives_its_steps_back(cut_off: Evening, tmp_path: Path) -> None:
    damaged = b"\x5a" * 32 + cut_off.log[32:]
    with opened(cut_off.lie_in(tmp_path / "state", log=damaged)) as store:
        assert store.restored is not None
        assert look_at(store, cut_off.entries) == cut_off.entries


def test_the_first_page_lost_beside_a_full_log_costs_nothing(
    cut_off: Evening, tmp_path: Path
) -> None:
    for file in (b"", random.Random(1).randbytes(PAGE)):
        with opened(cut_off.lie_in(tmp_path / "state", file=file)) as store:
            assert store.restored is not None
            assert look_at(store, cut_off.entries) == cut_off.entries


def test_the_step_that_was_being_written_when_the_power_went_is_no_damage(
    cut_off: Evening, tmp_path: Path
) -> None:
    for cut in (1, 2000, PAGE + 24, PAGE + 25):
        path = cut_off.lie_in(tmp_path / "state", log=cut_off.log[:-cut])
        with opened(path) as store:
            assert store.restored is None
            kept = {id: store.entries(id) for id in cut_off.entries}
            missing = sum(len(cut_off.entries[id]) - len(kept[id]) for id in kept)
            assert 0 <= missing <= 1
            assert all(kept[id] == cut_off.entries[id][: len(kept[id])] for id in kept)


def test_an_older_round_behind_the_present_one_of_a_log_is_no_damage(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    long = played(tmp_path_factory.mktemp("long"), 25, closed=False)
    assert not all(frame.ours for frame in read_log(log_in(tmp_path, long)))
    with opened(long.lie_in(tmp_path / "state")) as store:
        assert store.restored is None
        assert look_at(store, long.entries) == long.entries


def log_in(folder: Path, evening: Evening) -> Path:
    return Path(f"{evening.lie_in(folder / 'read')}-wal")


def test_a_damaged_file_of_the_first_schema_is_restored_and_lifted(
    evening: Evening, tmp_path: Path
) -> None:
    path = evening.lie_in(tmp_path / "state")
    as_schema_1(path)
    old, chance = path.read_bytes(), random.Random(2)
    for page in chance.sample(range(len(old) // PAGE), 15):
        damaged = bytearray(old)
        damaged[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
        with opened(evening.lie_in(tmp_path / "state", bytes(damaged))) as store:
            assert store.restored is not None
            look_at(store, evening.entries)


def test_a_restoring_that_was_cut_off_is_finished(
    evening: Evening, cut_off: Evening, tmp_path: Path
) -> None:
    path = cut_off.lie_in(tmp_path / "state", file=b"garbage")
    (tmp_path / "state" / "companion.sqlite.made").write_bytes(evening.file)
    (tmp_path / "state" / "companion.sqlite.making").write_bytes(b"half")
    with opened(path) as store:
        assert store.restored is None
        assert look_at(store, evening.entries) == evening.entries
    assert not list((tmp_path / "state").glob("*.ma*"))


@pytest.mark.slow
def test_a_restoring_killed_at_any_moment_loses_nothing(evening: Evening, tmp_path: Path) -> None:
    chance, damaged = random.Random(9), bytearray(evening.file)
    at = evening.file.index(evening.entries[2][30])
    damaged[at : at + 8] = b"\xc1" * 8
    opening = "import sys, pathlib, companion.store as s; print(1, flush=True); "
    opening += "s.Store(pathlib.Path(sys.argv[1])); print(2, flush=True)"
    killed, begun, longest = 0, 1, 0.2
    path = evening.lie_in(tmp_path / "state-1", bytes(damaged))
    for _ in range(60):
        child = subprocess.Popen(
            [sys.executable, "-c", opening, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parents[2],
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"1\n"
        killer = threading.Timer(chance.random() * longest, child.kill)
        killer.start()
        child.communicate()
        killer.join()
        killed += child.returncode == -signal.SIGKILL
        if child.returncode == 0:
            if killed:
                break
            # this machine restores quicker than it was killed: once more, and kill sooner
            begun, longest = begun + 1, longest / 2
            path = evening.lie_in(tmp_path / f"state-{begun}", bytes(damaged))
    assert killed > 0
    with opened(path) as store:
        kept = look_at(store, evening.entries)
        assert {id: len(bodies) for id, bodies in kept.items()} == {
            id: 30 if id == 2 else len(bodies) for id, bodies in evening.entries.items()
        }
    assert path.with_name("companion.damaged-1.sqlite").read_bytes() == bytes(damaged)
    assert not path.with_name("companion.damaged-2.sqlite").exists()


def test_a_restoring_that_finds_no_room_leaves_the_damaged_file_as_it_was(
    evening: Evening, small_disk: Path
) -> None:
    damaged = random.Random(4).randbytes(PAGE) + evening.file[PAGE:]
    path = evening.lie_in(small_disk / "state", damaged)
    free = os.statvfs(small_disk)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (free.f_bavail * free.f_frsize - 60_000))
    with pytest.raises(StoreTrouble, match=r"expected room to write.*make room"):
        Store(path)
    assert path.read_bytes() == damaged
    assert {file.name for file in path.parent.iterdir()} <= {path.name, "companion.lock"}
    ballast.unlink()
    with opened(path) as store:
        assert look_at(store, evening.entries) == evening.entries
        assert store.restored is not None


def test_a_file_that_another_companion_uses_is_not_taken_from_under_it(
    evening: Evening, tmp_path: Path
) -> None:
    path = evening.lie_in(tmp_path / "state")
    with opened(path):
        path.write_bytes(b"damaged" * 9999)
        with pytest.raises(StoreTrouble, match=r"companion\.sqlite.*expected.*; "):
            Store(path)
        assert path.read_bytes() == b"damaged" * 9999


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_are_told_until_somebody_has_noted_it(
    evening: Evening, tmp_path: Path, language: str
) -> None:
    bodies = evening.entries[2]
    damaged = bytearray(evening.file)
    at = evening.file.index(bodies[10])
    damaged[at : at + 8] = b"\xc1" * 8
    path = evening.lie_in(tmp_path / "state", bytes(damaged))
    for _ in range(2):  # also after one more restart
        with opened(path) as store:
            table = Table(store, {"toy": toy_game})
            (news,) = (state.trouble for state in table.look().devices)
            assert news is not None
            told = Words.load().tell(news.seen, language)
            assert "companion.damaged-1.sqlite" in told
            assert {"en": "game 2 up to step 9", "de": "Partie 2 bis Schritt 9"}[language] in told
            assert {"en": "2 games whole", "de": "2 ganze Partien"}[language] in told
    with opened(path) as store:
        table = Table(store, {"toy": toy_game})
        rev = table.rev
        table.note_restored()
        assert table.look().devices == ()
        assert table.rev > rev
    with opened(path) as store:
        assert Table(store, {"toy": toy_game}).look().devices == ()
        assert store.set_aside is None
