"""A lesson is kept as it is shown: it survives a restart, can be mended, and can be given up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.eye.lesson import SHOTS, Lesson, LessonError, Plan
from companion.eye.teach_pages import KINDS, names_in
from vision.learn import read_manifest

PLAN = Plan("mine", ("black", "white"), ("helmet", "shield"))
PICTURE = np.zeros((120, 160, 3), np.uint8)


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    return Lesson.begin(tmp_path / "lesson", PLAN)


def show(lesson: Lesson, *pair: str, times: int = SHOTS) -> None:
    for n in range(times):
        lesson.add(PICTURE, (pair[0], pair[1]), (10.0 * n, 20.0, 5.0), PICTURE)


def test_faces_are_asked_for_one_after_the_other(lesson: Lesson) -> None:
    assert lesson.next == ("black", "helmet")
    show(lesson, "black", "helmet")
    assert lesson.next == ("black", "shield")
    show(lesson, "black", "shield")
    show(lesson, "white", "helmet")
    show(lesson, "white", "shield")
    assert lesson.next is None


def test_it_is_gone_on_with_after_a_restart(lesson: Lesson) -> None:
    lesson.add(PICTURE, None)
    show(lesson, "black", "helmet", times=2)
    again = Lesson.resume(lesson.folder)
    assert again is not None
    assert again.plan == PLAN
    assert len(again.empties) == 1
    assert [shot.x for shot in again.of("black", "helmet")] == [0.0, 10.0]
    assert again.crop(again.of("black", "helmet")[0].number) is not None


def test_the_folder_is_what_the_command_line_enrols_from(lesson: Lesson) -> None:
    lesson.add(PICTURE, None)
    show(lesson, "white", "shield", times=1)
    kinds = [(shot.kind, shot.colour, shot.face) for shot in read_manifest(lesson.folder)]
    assert kinds == [("empty", None, None), ("die", "white", "shield")]


def test_a_lost_picture_is_asked_for_again(lesson: Lesson) -> None:
    show(lesson, "black", "helmet")
    (lesson.folder / lesson.of("black", "helmet")[1].image).unlink()
    again = Lesson.resume(lesson.folder)
    assert again is not None
    assert len(again.of("black", "helmet")) == SHOTS - 1
    assert again.next == ("black", "helmet")


def test_mistakes_are_mended(lesson: Lesson) -> None:
    lesson.add(PICTURE, None)
    show(lesson, "black", "helmet")
    gone = lesson.take_back()
    assert gone is not None
    assert not (lesson.folder / gone.image).exists()
    assert len(lesson.of("black", "helmet")) == SHOTS - 1
    lesson.show_again("black", "helmet")
    assert lesson.of("black", "helmet") == []
    lesson.leave_out("black", "helmet")
    assert lesson.next == ("black", "shield")
    assert len(lesson.empties) == 1
    lesson.empty_again()
    assert lesson.empties == []
    assert lesson.take_back() is None


def test_given_up_it_leaves_nothing(lesson: Lesson) -> None:
    show(lesson, "black", "helmet")
    lesson.give_up()
    assert not lesson.folder.exists()
    assert Lesson.resume(lesson.folder) is None


def test_a_damaged_lesson_is_none(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{")
    assert Lesson.resume(tmp_path) is None


@pytest.mark.parametrize(
    ("plan", "key"),
    [
        (Plan("", ("red",), ("a", "b")), "name"),
        (Plan("Meine", ("red",), ("a", "b")), "name"),
        (Plan("d6", ("red",), ("a", "b")), "pips"),
        (Plan("mine", (), ("a", "b")), "colours"),
        (Plan("mine", ("red", "red"), ("a", "b")), "colours"),
        (Plan("mine", ("red",), ("a",)), "faces"),
        (Plan("mine", ("red",), ("a", "a")), "faces"),
    ],
)
def test_what_cannot_be_taught_is_refused_before_anything_is_lost(
    lesson: Lesson, plan: Plan, key: str
) -> None:
    with pytest.raises(LessonError) as caught:
        Lesson.begin(lesson.folder, plan)
    assert caught.value.key == key
    assert Lesson.resume(lesson.folder) is not None


def test_names_are_spelt_as_files_are() -> None:
    assert names_in("Schwarz,  Elfenbein weiß ,, Grün") == ("schwarz", "elfenbein-weiss", "gruen")
    assert names_in("Þórr's hammer/2") == ("orr-s-hammer-2",)
    assert names_in("../../etc") == ("etc",)
    assert names_in(" , ") == ()


def test_every_suggestion_can_be_taught() -> None:
    for plan in KINDS.values():
        plan.check()
