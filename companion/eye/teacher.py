"""The teacher: guides people through showing their dice, one face after the other.

It looks at the tray camera's frames in a thread of its own, keeps the shots that are worth it,
learns the set when all were shown, and puts it to use. While it works, throws are not read.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from companion.devices.tray_camera import TrayCamera
from companion.eye.comparing import Comparing
from companion.eye.lesson import EMPTIES, SHOTS, Lesson, Plan, Shown
from companion.own_sets import keep_set
from companion.terms import Say, say
from vision.dice_set import DiceSet, DiceSetError, find_set
from vision.fit import TrayFit, TrayNotSeen, find_tray
from vision.learn import FacesAlike, ShotError, crop_of
from vision.proof import prove
from vision.seen import Picture
from vision.teach import OneDie, Sight, look_for_one

log = logging.getLogger(__name__)
_PAUSE = 0.25  # seconds between two looks
_ASLEEP = 20.0  # seconds after which nobody is looking at the page any more
_STILL_MM, _STILL_DEG = 1.2, 4.0  # how far a lying die may seem to move between two looks
_CHANGED = 10.0  # brightness by which a place differs at least once its die was touched; 3 is noise
# From every shot before a die must lie elsewhere, or beside it and turned: else it is not new.
_ELSEWHERE_MM, _BESIDE_MM, _TURNED_DEG = 10.0, 4.0, 12.0

Phase = Literal["none", "empty", "face", "comparing", "alike", "learning", "done", "failed"]


class Guide(msgspec.Struct, frozen=True):
    """What the page shows.

    phase: what is to be done. plan: what is taught. colour, face: what is to be shown. have: shots
    of it so far, of `wanted`. told: what the camera sees now. shots: numbers of this face's shots,
    for their pictures. done, all: how many faces are finished. doubt: the face that the die looks
    like instead, or the face that looks too alike. marks: what became of the finished set.
    """

    phase: Phase
    plan: Plan | None = None
    colour: str = ""
    face: str = ""
    have: int = 0
    wanted: int = SHOTS
    told: Say | None = None
    shots: tuple[int, ...] = ()
    done: int = 0
    all: int = 0
    doubt: str = ""
    marks: tuple[Say, ...] = ()


class Teacher:
    """Teaches a tray camera. All methods may be called from any thread.

    folder: of the unfinished lesson. sets: the folder of the owner's sets. configured: the set that
    `table.toml` names.
    """

    def __init__(self, camera: TrayCamera, folder: Path, sets: Path, configured: str) -> None:
        self._camera, self._folder, self._sets = camera, folder, sets
        self._configured = configured
        self._lock = threading.RLock()
        self._lesson = Lesson.resume(folder)
        self._phase: Phase = "none"
        self._told: Say | None = None
        self._marks: tuple[Say, ...] = ()
        self._comparing: Comparing | None = None
        self._last: OneDie | None = None
        self._taken: OneDie | None = None  # the die of the last shot, as long as it lies there
        self._doubt = ""
        self._insisted: tuple[str, str] | None = None
        self._alike: FacesAlike | None = None
        self._useless: tuple[str, str] | None = None  # the colour and face nothing was learnt from
        self._proved: set[str] = set()
        self._take_empties = False
        self._asked_at = 0.0
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        if self._lesson is not None:
            self._next_phase()

    def stop(self) -> None:
        """End the looking; the lesson stays."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(1.0)

    # ---- what the page asks

    def guide(self) -> Guide:
        """Return what the page shows, and keep the teacher awake: somebody is looking."""
        with self._lock:
            self._asked_at = time.monotonic()
            lesson = self._lesson
            if lesson is not None and self._phase != "failed":
                self._wake()
            if lesson is None:
                return Guide(self._phase, marks=self._marks, told=self._told)
            pair = self._useless or lesson.next or ("", "")
            shots = lesson.empties if self._phase == "empty" else lesson.of(*pair)
            finished = sum(len(lesson.of(*p)) >= SHOTS for p in lesson.wanted)
            clash = self._alike
            return Guide(
                self._phase,
                lesson.plan,
                clash.colour if clash else pair[0],
                clash.first if clash else pair[1],
                len(shots),
                EMPTIES if self._phase == "empty" else SHOTS,
                self._told,
                tuple(shot.number for shot in shots if shot.kind == "die"),
                finished,
                len(lesson.wanted),
                clash.second if clash else self._doubt,
                self._marks,
            )

    def crop(self, number: int) -> bytes | None:
        """Return the picture of one shot's face as PNG."""
        with self._lock:
            return None if self._lesson is None else self._lesson.crop(number)

    # ---- what people do

    def begin(self, plan: Plan) -> None:
        """Begin a lesson; an unfinished one is thrown away. Raises `LessonError`."""
        with self._lock:
            self._lesson = Lesson.begin(self._folder, plan)
            self._forget()
            self._next_phase()

    def give_up(self) -> None:
        """Throw the lesson away; the dice are read as before."""
        with self._lock:
            if self._lesson is not None:
                self._lesson.give_up()
            self._lesson = None
            self._forget()
            self._phase, self._marks, self._told = "none", (), None

    def take_empty(self) -> None:
        """The tray is empty now: take its picture."""
        with self._lock:
            if self._lesson is None or self._phase != "empty":
                return
            self._told = say("teach.look")
            self._take_empties = True

    def empty_again(self) -> None:
        """The empty tray was not empty, or looks otherwise now: ask for it again."""
        self._change(lambda lesson: lesson.empty_again())

    def take_back(self) -> None:
        """The last shot was wrong."""
        self._change(lambda lesson: lesson.take_back())

    def show_again(self, colour: str, face: str) -> None:
        """Show a face once more, from the first shot on."""
        self._change(lambda lesson: lesson.show_again(colour, face))

    def leave_out(self, colour: str, face: str) -> None:
        """The dice of this colour have no such face."""
        self._change(lambda lesson: lesson.leave_out(colour, face))

    def try_again(self) -> None:
        """Learn from the same pictures once more: the disk may have room now."""
        self._change(lambda lesson: None)

    def insist(self) -> None:
        """The die does show the face that is asked for, though it looks like another."""
        with self._lock:
            if self._lesson is not None:
                self._insisted, self._doubt = self._lesson.next, ""

    def _change(self, change: Callable[[Lesson], object]) -> None:
        with self._lock:
            if self._lesson is None or self._phase in ("comparing", "learning"):
                return
            change(self._lesson)
            self._alike, self._doubt, self._last, self._insisted = None, "", None, None
            self._told, self._useless = None, None
            self._proved.clear()
            self._next_phase()

    # ---- looking

    def _wake(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="teacher", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        self._camera.hold_back(True)
        try:
            seen_at = 0.0
            while not self._stop.wait(_PAUSE):
                with self._lock:
                    asleep = time.monotonic() - self._asked_at > _ASLEEP
                    if self._lesson is None or asleep or self._phase == "failed":
                        return
                    phase = self._phase
                if phase == "comparing":
                    self._compare()
                    continue
                if phase == "learning":
                    self._learn()
                    continue
                newest = self._camera.newest()
                if newest is None:
                    self._tell("teach.no_camera")
                elif newest[0] > seen_at:
                    seen_at = newest[0]
                    self._look(newest[1])
        except Exception:  # the page must be able to say so, and to go on
            log.exception("the teacher stumbled")
            self._tell("teach.stumbled")
        finally:
            self._camera.hold_back(False)

    def _look(self, frame: Picture) -> None:
        try:
            fit = find_tray(frame, self._camera.dice.tray)
        except (TrayNotSeen, ValueError) as error:
            missing = list(error.missing) if isinstance(error, TrayNotSeen) else []
            self._tell("teach.no_tray", missing=missing)
            return
        with self._lock:
            lesson, phase = self._lesson, self._phase
        if lesson is None:
            return
        if phase == "empty":
            self._look_at_empty(lesson, frame, fit)
        elif phase == "face":
            self._look_at_die(lesson, frame, fit)

    def _look_at_empty(self, lesson: Lesson, frame: Picture, fit: TrayFit) -> None:
        with self._lock:
            if not self._take_empties:
                self._tell("teach.empty_it")
                return
            lesson.add(frame, None)
            if len(lesson.empties) >= EMPTIES:
                self._take_empties, self._told = False, None
                self._next_phase()

    def _look_at_die(self, lesson: Lesson, frame: Picture, fit: TrayFit) -> None:
        pair = lesson.next
        if pair is None:
            return
        comparing, before = self._compared(lesson), lesson.of(*pair)
        fellows = [comparing.feature(shot) for shot in before]
        sight = look_for_one(frame, fit, comparing.empty(), fellows)
        with self._lock:
            if not self._still_asks(lesson, pair, before):
                return
            die = self._worth_taking(sight, before, _untouched(self._taken, frame, fit))
            sure = self._insisted == pair
        if die is None:
            return
        # Comparing takes a while, and whoever looks at the page is not to wait for it.
        other = "" if sure else comparing.other_face(pair, frame, fit)
        with self._lock:
            if self._still_asks(lesson, pair, before):
                self._doubt = other
                if other:
                    self._tell("teach.looks_like", face=other)
                else:
                    self._take(lesson, pair, frame, die)

    def _still_asks(self, lesson: Lesson, pair: tuple[str, str], before: list[Shown]) -> bool:
        """Tell whether nobody changed the lesson meanwhile."""
        same = self._lesson is lesson and self._phase == "face" and lesson.next == pair
        return same and lesson.of(*pair) == before

    def _worth_taking(self, sight: Sight, before: list[Shown], untouched: bool) -> OneDie | None:
        """Return the die if it lies still, anew, and was not doubted as it lies; tell the rest."""
        die, last = sight.die, self._last
        self._last = die
        if die is None:
            self._doubt = ""
            if sight.kind == "nothing":
                self._taken = None
            self._tell(f"teach.{sight.kind}")
            return None
        if untouched:
            if before or self._told is None:
                self._tell("teach.move_it")
            return None  # what was told when it was taken holds
        self._taken = None
        if last is None or not _same_place(die, last):
            self._doubt = ""
            self._tell("teach.hold_still")
            return None
        if any(_shows_nothing_new(die, shot) for shot in before):
            self._tell("teach.move_it")
            return None
        return None if self._doubt else die

    def _take(self, lesson: Lesson, pair: tuple[str, str], frame: Picture, die: OneDie) -> None:
        lesson.add(frame, pair, (die.x, die.y, die.angle), die.crop)
        self._taken = die
        self._tell("teach.taken" if lesson.next == pair else "teach.taken_last")
        if lesson.next != pair:
            self._last = None
            self._next_phase()

    def _no_longer_known(self, learnt: DiceSet) -> list[str]:
        """Return the colours that a shipped set of this name knows, and this one does not."""
        try:
            shipped = find_set(learnt.name, self._sets / ".none")
        except DiceSetError:
            return []
        return [colour for colour in shipped.colour_names if colour not in learnt.colour_names]

    def _compared(self, lesson: Lesson) -> Comparing:
        if self._comparing is None or self._comparing.lesson is not lesson:
            self._comparing = Comparing(lesson, self._camera.dice.tray)
        return self._comparing

    # ---- learning

    def _next_phase(self) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        self._take_empties = False
        if len(lesson.empties) < EMPTIES:
            self._phase = "empty"
        elif self._alike is not None:
            self._phase = "alike"
        elif self._unproved(lesson):
            self._phase, self._told = "comparing", say("teach.comparing")
        elif lesson.next is not None:
            self._phase = "face"
        else:
            self._phase, self._told = "learning", say("teach.learning")

    def _unproved(self, lesson: Lesson) -> str:
        """Return a colour that is wholly shown, and whose faces nobody has compared yet."""
        compared = self._compared(lesson)
        colours = (c for c in lesson.plan.colours if c not in self._proved and compared.whole(c))
        return next(colours, "")

    def _compare(self) -> None:
        """Look whether the faces of a colour can be told apart, while they are still at hand."""
        with self._lock:
            lesson = self._lesson
            colour = self._unproved(lesson) if lesson else ""
        if lesson is None:
            return
        clash: FacesAlike | None = None
        try:
            self._compared(lesson).unlike(colour)
        except FacesAlike as seen:
            clash = seen
        with self._lock:
            if self._lesson is lesson and self._phase == "comparing":
                self._alike = clash
                self._proved.add(colour)
                self._told = None  # that they are compared
                self._next_phase()

    def _learn(self) -> None:
        with self._lock:
            lesson = self._lesson
        if lesson is None:
            return
        shots = [*lesson.empties, *(s for pair in lesson.wanted for s in lesson.of(*pair))]
        try:
            learnt = self._compared(lesson).enrol(shots)
            proof = prove(learnt)
            unknown = self._no_longer_known(learnt)
            keep_set(learnt, self._sets / learnt.name)
        except FacesAlike as clash:
            with self._lock:
                self._alike, self._phase = clash, "alike"
            return
        except (DiceSetError, OSError) as error:
            log.warning("the lesson cannot be learnt: %s", error)
            with self._lock:
                self._phase, self._told = "failed", _why(error)
                if isinstance(error, ShotError) and error.shot.kind == "die":
                    self._useless = (str(error.shot.colour), str(error.shot.face))
            return
        with self._lock:
            if self._lesson is not lesson:
                return
            self._camera.use(learnt, learnt.name)
            lesson.give_up()
            marks = [say("teach.learnt", name=learnt.name, n=len(learnt.faces))]
            marks.append(say("teach.proved", right=proof.right, total=proof.total))
            # One of a few pictures may be a poor one; two speak of the dice or of the light.
            mixed_up = proof.mixed_up[:2] if proof.total - proof.right > 1 else ()
            for colour, face, other_colour, other in mixed_up:
                values = {"colour": colour, "face": face}
                values |= {"other_colour": other_colour, "other": other}
                marks.append(Say("teach.mixed_up", values))
            if unknown:
                place = str(self._sets / learnt.name)
                marks.append(say("teach.unknown_now", colours=unknown, folder=place))
            if learnt.name != self._configured:
                marks.append(say("teach.configure", name=learnt.name))
            self._lesson = None
            self._forget()
            self._phase, self._marks, self._told = "done", tuple(marks), None

    def _forget(self) -> None:
        self._comparing, self._last, self._taken = None, None, None
        self._alike, self._doubt, self._useless = None, "", None
        self._proved.clear()
        self._insisted, self._marks, self._told = None, (), None
        self._take_empties = False

    def _tell(self, key: str, **values: object) -> None:
        with self._lock:
            self._told = say(key, **values)


def _same_place(die: OneDie, other: OneDie) -> bool:
    far = float(np.hypot(die.x - other.x, die.y - other.y))
    return far < _STILL_MM and _turn(die.angle, other.angle) < _STILL_DEG


def _why(error: DiceSetError | OSError) -> Say:
    if isinstance(error, OSError):
        return say("teach.not_kept", why=error.strerror or str(error))
    if isinstance(error, ShotError) and error.shot.kind == "die":
        return say("teach.failed_die", colour=error.shot.colour, face=error.shot.face)
    return say("teach.failed")


def _untouched(taken: OneDie | None, frame: Picture, fit: TrayFit) -> bool:
    """Tell whether a die still lies as it was taken: its picture has not changed there.

    Where it is found says less: asked for another face, another square of it may be found.
    """
    if taken is None:
        return False
    now = crop_of(frame, fit, taken.x, taken.y, taken.angle).astype(np.float32)
    return float((now - taken.crop).std()) < _CHANGED


def _shows_nothing_new(die: OneDie, shot: Shown) -> bool:
    far = float(np.hypot(die.x - shot.x, die.y - shot.y))
    turned = _turn(die.angle, shot.angle) >= _TURNED_DEG
    return far < (_BESIDE_MM if turned else _ELSEWHERE_MM)


def _turn(one: float, other: float) -> float:
    """Degrees between two squares' directions, 0..45."""
    return abs((one - other + 45) % 90 - 45)
