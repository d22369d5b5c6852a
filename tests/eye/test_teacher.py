"""Teaching dice live: the tray camera's real driver watches, and a person shows die after die."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.demo import Demo
from companion.devices.tray_camera import TrayCamera
from companion.eye import Teacher
from companion.eye.guide import Guide
from companion.eye.lesson import SHOTS, Lesson, Plan
from companion.terms import DiceReading, say
from companion.words import LANGUAGES, Words
from tests.eye.conftest import until
from tests.web.test_browser import SIDEWAYS, SMALL_TARGETS, TARGETS
from vision.learn import find_set

pytestmark = pytest.mark.slow
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
LONG = 60_000  # milliseconds
AGAIN = ("teach.wall", "teach.move_it")
_ONE_LOOK = 0.4  # seconds: that nothing is taken shows only after it could have been
_LOOKS = 3  # further looks at a die that was not turned over
SMALL = Plan("battle", ("black",), ("helmet", "shield"))


def camera_of(demo: Demo) -> TrayCamera:
    return next(d for d in demo.service.drivers if isinstance(d, TrayCamera))


@pytest.fixture
def teacher(demo: Demo) -> Teacher:
    teacher = demo.service.teacher
    assert teacher is not None
    until(camera_of(demo).newest)
    return teacher


def show_empty(teacher: Teacher) -> None:
    """Say that the tray is empty as often as it is asked: a hand may be clearing it yet."""

    def believed() -> bool:
        guide = teacher.guide()
        if key(guide) == "teach.empty_it":
            teacher.take_empty()
        return guide.phase != "empty"

    until(believed)


def show(demo: Demo, teacher: Teacher, colour: str, face: str) -> Guide:
    """Show a die until it is taken, or the teacher doubts it; at the wall it is thrown again."""
    before = teacher.guide()

    def moved_on(guide: Guide) -> bool:
        now = (guide.have, guide.face, guide.phase)
        return now != (before.have, before.face, before.phase)

    def answered() -> Guide | None:
        guide = teacher.guide()
        return guide if moved_on(guide) or guide.doubt or key(guide) in AGAIN else None

    while True:
        lay(demo, colour, face)
        guide = until(answered)
        if moved_on(guide) or guide.doubt:
            return guide


def lay(demo: Demo, colour: str, face: str) -> None:
    """Lay one die alone into the tray, and wait until it lies there and was looked at."""
    demo.tray.clear()
    at_rest = demo.tray.throw([(colour, face)])
    time.sleep(at_rest - time.monotonic() + 1.0)  # a few looks; it may be looked at again later


def key(guide: Guide) -> str:
    return guide.told.key if guide.told else ""


def test_a_set_is_taught_put_to_use_and_kept(demo: Demo, teacher: Teacher, tmp_path: Path) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    taught: set[str] = set()
    while (guide := teacher.guide()).phase == "face":
        assert guide.colour == "black"
        assert guide.have == len(guide.shots)
        taught.add(guide.face)
        if show(demo, teacher, "black", guide.face).doubt:
            teacher.insist()  # one look may be like another face: the person says that it is right
    assert taught == set(SMALL.faces)
    done = until(lambda: (guide := teacher.guide()).phase == "done" and guide)
    keys = [mark.key for mark in done.marks]
    assert keys == ["teach.learnt", "teach.proved", "teach.unknown_now"]
    assert done.marks[2].values["colours"] == ["red", "white"]  # the shipped set knows them
    assert done.marks[1].values["total"] == 8
    assert done.marks[1].values["right"] > 4, "no better than chance"
    own = find_set("battle", tmp_path / "state" / "dice")
    assert own.colour_names == ("black",)
    assert not (tmp_path / "state" / "lesson").exists()
    # No restart: the very next throw is read by what was just taught.
    camera = camera_of(demo)
    until(lambda: camera.dice.colour_names == ("black",))
    readings: list[DiceReading] = []
    table = demo.service.table
    original = table.read

    def read(reading: object, now: float | None = None) -> None:
        if isinstance(reading, DiceReading):
            readings.append(reading)
        original(reading, now)  # type: ignore[arg-type]

    table.read = read  # type: ignore[method-assign]
    demo.throw([("black", "helmet"), ("black", "shield")])
    until(lambda: readings)
    # how well is another matter, see the marks above: after two faces of a few looks it may doubt
    assert [d.colour for d in readings[-1].dice] == ["black", "black"]
    assert {d.face for d in readings[-1].dice} <= {*SMALL.faces, None}


def test_while_dice_are_shown_no_throw_is_read(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    show(demo, teacher, "black", "helmet")
    show(demo, teacher, "black", "helmet")
    assert demo.service.table.look(None).proposals == ()
    assert told_of_camera(demo) == "camera.held"  # whoever waits for a throw can see why
    teacher.give_up()
    assert teacher.guide().phase == "none"
    until(lambda: told_of_camera(demo) == "")
    demo.throw([("black", "helmet"), ("white", "shield")])
    until(lambda: demo.service.table.look(None).proposals)


def told_of_camera(demo: Demo) -> str:
    states = demo.service.table.look(None).devices
    trouble = next(state.trouble for state in states if state.device == "tray_camera")
    return trouble.seen.key if trouble else ""


def test_a_die_that_was_not_turned_over_is_noticed(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    for _ in range(SHOTS):
        show(demo, teacher, "black", "helmet")
    guide = show(demo, teacher, "black", "helmet")  # the shield was asked for
    for _ in range(_LOOKS):
        if guide.doubt:
            break
        teacher.take_back()  # one look in forty slips through; the next must not
        guide = show(demo, teacher, "black", "helmet")
    assert (guide.face, guide.have, guide.doubt) == ("shield", 0, "helmet")
    assert key(guide) == "teach.looks_like"
    teacher.insist()
    until(lambda: teacher.guide().have == 1)
    teacher.take_back()
    assert teacher.guide().have == 0


def test_a_die_that_still_lies_there_is_not_taken_for_the_next_face(
    demo: Demo, teacher: Teacher
) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    for _ in range(SHOTS):
        show(demo, teacher, "black", "helmet")
    looks = [looked_again(teacher) for _ in range(6)]  # nobody hurries to turn it over
    assert {(g.face, g.have, g.doubt, key(g)) for g in looks} == {
        ("shield", 0, "", "teach.taken_last")
    }
    teacher.take_back()  # nor is a picture taken back and taken again as it is
    looks = [looked_again(teacher) for _ in range(6)]
    assert {(g.face, g.have) for g in looks} == {("helmet", SHOTS - 1)}
    assert key(looks[-1]) == "teach.move_it"
    show(demo, teacher, "black", "helmet")
    assert teacher.guide().face == "shield"


def looked_again(teacher: Teacher) -> Guide:
    """Let the teacher look at one more frame, and return what it shows then."""
    time.sleep(_ONE_LOOK)
    return teacher.guide()


def test_faces_too_alike_are_told_while_the_dice_are_at_hand(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(Plan("twins", ("black",), ("helmet", "other-helmet")))
    show_empty(teacher)
    for _ in range(SHOTS):
        show(demo, teacher, "black", "helmet")
    show(demo, teacher, "black", "helmet")
    teacher.insist()
    while teacher.guide().phase == "face":
        show(demo, teacher, "black", "helmet")
    guide = until(lambda: (g := teacher.guide()).phase == "alike" and g)
    assert {guide.face, guide.doubt} == {"helmet", "other-helmet"}
    teacher.show_again("black", "other-helmet")
    guide = until(lambda: (g := teacher.guide()).phase == "face" and g)
    assert (guide.face, guide.have, guide.doubt) == ("other-helmet", 0, "")


def test_a_tray_that_was_not_empty_is_shown_again(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(SMALL)
    until(lambda: teacher.guide().told is not None)
    lay(demo, "white", "shield")
    assert teacher.guide().left == 0, "nobody has called it empty yet"
    teacher.take_empty()
    guide = until(lambda: (g := teacher.guide()).left and g)
    assert (guide.phase, key(guide), guide.have) == ("empty", "teach.left", 0)
    picture = teacher.left(guide.left)
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    teacher.take_empty()  # it lies there all the same
    guide = until(lambda: (g := teacher.guide()).left > guide.left and g)
    assert guide.have == 0
    teacher.take_empty(anyhow=True)  # the table wins
    until(lambda: teacher.guide().phase == "face")
    lay(demo, "black", "helmet")
    until(lambda: key(teacher.guide()) == "teach.several")  # where the white one lay, too
    teacher.empty_again()
    demo.tray.clear()
    show_empty(teacher)
    show(demo, teacher, "black", "helmet")
    assert teacher.guide().have == 1


@pytest.mark.parametrize(
    ("language", "way_out"),
    [("en", "show the empty tray again"), ("de", "zeige die leere Schale noch einmal")],
)
def test_a_hand_taken_for_the_empty_tray_leaves_a_way_out(
    demo: Demo, teacher: Teacher, language: str, way_out: str
) -> None:
    teacher.begin(SMALL)
    demo.tray.hand_in()
    teacher.take_empty()
    until(lambda: key(teacher.guide()) == "teach.hand_first")
    teacher.take_empty(anyhow=True)
    until(lambda: teacher.guide().phase == "face")
    demo.tray.hand_out()  # the tray looks otherwise than its picture now
    guide = until(lambda: key(g := teacher.guide()) == "teach.hand" and g)
    assert guide.told is not None
    assert way_out in Words.load().tell(guide.told, language)


def test_a_wrong_shot_taken_back_is_forgotten(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    for _ in range(SHOTS - 1):
        show(demo, teacher, "black", "helmet")
    guide = show(demo, teacher, "black", "shield")
    if guide.doubt:
        teacher.insist()
        until(lambda: teacher.guide().have != guide.have)
    teacher.take_back()
    looks = [looked_again(teacher) for _ in range(6)]  # the shield lies there yet
    assert {(g.face, g.have) for g in looks} == {("helmet", SHOTS - 1)}
    while teacher.guide().face == "helmet":
        show(demo, teacher, "black", "helmet")
    for _ in range(SHOTS):
        guide = show(demo, teacher, "black", "shield")
        assert guide.doubt == ""
    until(lambda: teacher.guide().phase == "done")


def test_more_than_one_die_a_hand_and_the_same_place_are_told(demo: Demo, teacher: Teacher) -> None:
    teacher.begin(SMALL)
    show_empty(teacher)
    until(lambda: key(teacher.guide()) == "teach.nothing")
    show(demo, teacher, "black", "helmet")
    until(lambda: key(teacher.guide()) in AGAIN)
    demo.tray.throw([("black", "shield")])
    until(lambda: key(teacher.guide()) == "teach.several")
    demo.tray.hand_in()
    until(lambda: key(teacher.guide()) == "teach.hand")
    demo.tray.hand_out()
    demo.tray.cover_marker(1)
    until(lambda: key(teacher.guide()) == "teach.no_tray")
    demo.tray.unplug()
    until(lambda: key(teacher.guide()) == "teach.no_camera")
    assert teacher.guide().have == 1


def test_an_unfinished_lesson_is_gone_on_with_after_a_restart(tmp_path: Path) -> None:
    state = tmp_path / "state"
    first = Demo(state, "127.0.0.1", 0, seed=7)
    first.start()
    try:
        teacher = first.service.teacher
        assert teacher is not None
        until(camera_of(first).newest)
        teacher.begin(SMALL)
        show_empty(teacher)
        show(first, teacher, "black", "helmet")
    finally:
        first.stop()
    second = Demo(state, "127.0.0.1", 0, seed=8)
    second.start()
    try:
        teacher = second.service.teacher
        assert teacher is not None
        guide = teacher.guide()
        assert (guide.phase, guide.face, guide.have) == ("face", "helmet", 1)
        until(camera_of(second).newest)
        show(second, teacher, "black", "helmet")
        assert teacher.guide().have == 2
    finally:
        second.stop()


def test_what_cannot_be_learnt_is_told_and_nothing_is_lost(
    demo: Demo, teacher: Teacher, tmp_path: Path
) -> None:
    lesson = Lesson.begin(tmp_path / "state" / "lesson", SMALL)
    frame = until(camera_of(demo).newest)[1]
    for _ in range(3):
        lesson.add(frame, None)
    for face in SMALL.faces:
        for n in range(SHOTS):  # shots of an empty tray: no die is in them
            lesson.add(frame, ("black", face), (20.0 * n, 30.0, 0.0), frame[:64, :64])
    again = Teacher(camera_of(demo), lesson.folder, tmp_path / "sets", "battle")
    guide = until(lambda: (g := again.guide()).phase == "failed" and g)
    assert guide.told == say("teach.failed_die", colour="black", face="helmet")
    assert (guide.colour, guide.face) == ("black", "helmet")
    assert not (tmp_path / "sets").exists()
    again.try_again()  # the same pictures teach nothing more
    until(lambda: again.guide().phase == "failed")
    again.show_again("black", "shield")
    assert again.guide().phase == "face"
    again.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_teacher_is_there(language: str) -> None:
    words = Words.load()
    folder = Path(__file__).parents[2] / "companion" / "eye"
    source = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    used = {f"teach.{part.split(chr(34))[0]}" for part in source.split('"teach.')[1:]}
    used = {key for key in used if "{" not in key}
    used |= {f"teach.{kind}" for kind in ("nothing", "hand", "several", "wall")}
    assert len(used) > 12
    assert [key for key in sorted(used) if not words.has(key, language)] == []


@pytest.mark.browser
def test_dice_are_taught_on_a_phone(
    demo: Demo, teacher: Teacher, phone: Callable[..., Page]
) -> None:
    page = phone("/table", locale="en-GB")
    SCREENSHOTS.mkdir(exist_ok=True)
    page.click("#to-dice")
    page.click("#for-own")
    page.screenshot(path=SCREENSHOTS / "dice-begin.png", full_page=True)
    page.fill("[name=set]", "Meine Würfel")
    page.fill("[name=colours]", "black")
    page.fill("[name=faces]", "helmet, shield")
    page.click("#begin")
    expect(page.locator("#ask")).to_have_text("Show the empty tray")
    lay(demo, "red", "helmet")
    page.click("#do-empty")
    expect(page.locator("#told")).to_contain_text("A die still seems to lie", timeout=LONG)
    expect(page.locator("#do-empty_anyhow")).to_be_visible()
    page.wait_for_function("document.querySelector('#left img').naturalWidth === 128")
    page.screenshot(path=SCREENSHOTS / "dice-left.png", full_page=True)
    demo.tray.clear()
    expect(page.locator("#told")).to_have_text("Take everything out of the tray.", timeout=LONG)
    page.click("#do-empty")
    for face in ("helmet", "shield"):
        for n in range(SHOTS):
            expect(page.locator("#ask")).to_contain_text(f"{face.capitalize()} up", timeout=LONG)
            expect(page.locator("#progress")).to_contain_text(f"Picture {n} of 4", timeout=LONG)
            if show(demo, teacher, "black", face).doubt:
                page.click("#do-insist")
                until(lambda n=n: teacher.guide().have != n)
            if (face, n) == ("helmet", 2):
                expect(page.locator("#shots img")).to_have_count(3, timeout=LONG)
                page.screenshot(path=SCREENSHOTS / "dice-face.png", full_page=True)
                page.reload()  # the lesson is the table's, not the phone's
                expect(page.locator("#shots img")).to_have_count(3)
                shown = page.locator("#shots img").evaluate_all(
                    "all => all.every(e => e.complete && e.naturalWidth === 128)"
                )
                assert shown
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for _ in range(60):
        if page.locator("#done").count():
            break
        page.wait_for_timeout(1000)
        page.goto("/dice")
    expect(page.locator("#done")).to_contain_text("meine-wuerfel is learnt", timeout=LONG)
    expect(page.locator("#done")).to_contain_text('dice_set = "meine-wuerfel"')
    page.screenshot(path=SCREENSHOTS / "dice-done.png", full_page=True)


@pytest.mark.browser
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_pages_fit_a_narrow_phone(demo: Demo, phone: Callable[..., Page], locale: str) -> None:
    page = phone("/camera", locale=locale)
    page.set_viewport_size({"width": 320, "height": 640})

    def fits() -> None:
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.evaluate(SMALL_TARGETS, TARGETS) == []

    fits()
    page.goto("/dice?for=own")
    fits()
    page.click("#begin")
    expect(page.locator("#ask")).to_be_visible()
    page.click("summary")
    fits()


@pytest.mark.browser
def test_a_lesson_is_given_up_on_a_phone_without_script(
    demo: Demo, phone: Callable[..., Page], tmp_path: Path
) -> None:
    page = phone("/dice?for=saga", java_script_enabled=False, locale="de-DE")
    page.click("#begin")
    expect(page.locator("#ask")).to_have_text("Zeige die leere Schale")
    assert (tmp_path / "state" / "lesson").exists()
    page.click("summary")
    page.click("#do-give_up")
    expect(page.locator("#what")).to_be_visible()
    assert not (tmp_path / "state" / "lesson").exists()
    page.goto("/dice?for=own")
    page.fill("[name=faces]", "nur-eine")
    page.click("#begin")
    expect(page.locator("body")).to_contain_text("Zwei bis zwanzig verschiedene Seiten")
