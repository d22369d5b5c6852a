"""The teacher: guides people through showing their dice, one face after the other.

It looks at the tray camera's frames in a thread of its own, keeps the shots that are worth it,
learns the set when all were shown, and puts it to use. While it works, throws are not read.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from companion.devices.tray_camera import TrayCamera
from companion.eye.comparing import Comparing
from companion.eye.finishing import finish, useless_face, why_not
from companion.eye.guide import Guide, Phase, guide_through
from companion.eye.lesson import EMPTIES, Lesson, Plan, Shown
from companion.eye.shown_die import ShownDie
from companion.eye.shown_empty import ShownEmpty
from companion.eye.watch import Watch
from companion.terms import Say, say
from vision.dice_set import DiceSetError
from vision.fit import TrayFit, TrayNotSeen, find_tray
from vision.learn import FacesAlike
from vision.seen import Picture
from vision.teach import OneDie, look_for_left, look_for_one

log = logging.getLogger(__name__)


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
        self._shown = ShownDie()
        self._empty = ShownEmpty()
        self._alike: FacesAlike | None = None
        self._useless: tuple[str, str] | None = None  # the colour and face nothing was learnt from
        self._seen_at = 0.0  # the monotonic second of the newest frame that was looked at
        self._watch = Watch(camera, self._work, lambda: self._tell("teach.stumbled"))
        if self._lesson is not None:
            self._next_phase()

    def stop(self) -> None:
        """End the looking; the lesson stays."""
        self._watch.stop()

    # ---- what the page asks

    def guide(self) -> Guide:
        """Return what the page shows, and keep the teacher awake: somebody is looking."""
        with self._lock:
            lesson = self._lesson
            if lesson is not None and self._phase != "failed":
                self._watch.wake()
            if lesson is None:
                return Guide(self._phase, marks=self._marks, told=self._told)
            pair, doubt = self._useless or lesson.next, self._shown.doubt
            if self._alike is not None:
                pair = self._alike.colour, self._alike.first
                doubt = self._alike.second
            left = self._empty.number
            return guide_through(lesson, self._phase, self._told, pair, doubt, left)

    def crop(self, number: int) -> bytes | None:
        """Return the picture of one shot's face as PNG."""
        with self._lock:
            return None if self._lesson is None else self._lesson.crop(number)

    def left(self, number: int) -> bytes | None:
        """Return the picture of a die that seems to be left in the empty tray, as PNG."""
        with self._lock:
            return self._empty.picture(number)

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

    def take_empty(self, *, anyhow: bool = False) -> None:
        """The tray is empty now: take its picture; `anyhow`: whatever seems to lie in it."""
        with self._lock:
            if self._lesson is None or self._phase != "empty":
                return
            self._told = say("teach.look")
            self._empty.say_empty(anyhow=anyhow)

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
                self._shown.insist(self._lesson.next)

    def _change(self, change: Callable[[Lesson], object]) -> None:
        with self._lock:
            if self._lesson is None or self._phase in ("comparing", "learning"):
                return
            change(self._lesson)
            self._shown.ask_anew()
            self._alike, self._told, self._useless = None, None, None
            self._compared(self._lesson).compare_anew()
            self._next_phase()

    # ---- looking

    def _work(self) -> bool:
        """Go one step on; False where there is nothing to do. Runs in the watch's thread."""
        with self._lock:
            lesson, phase = self._lesson, self._phase
        if lesson is None or phase == "failed":
            return False
        if phase == "comparing":
            self._compare(lesson)
        elif phase == "learning":
            self._learn(lesson)
        else:
            newest = self._camera.newest()
            if newest is None:
                self._tell("teach.no_camera")
            elif newest[0] > self._seen_at:
                self._seen_at = newest[0]
                self._look(newest[1])
        return True

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
        sight = look_for_left(frame, fit)
        with self._lock:
            if self._lesson is not lesson or self._phase != "empty":
                return
            hindered = self._empty.judge(sight)
            if hindered:
                self._tell(hindered)
                return
            lesson.add(frame, None)
            if len(lesson.empties) >= EMPTIES:
                self._told = None
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
            judged = self._shown.judge(sight, frame, fit, before, silent=self._told is None)
            if judged.told:
                self._tell(judged.told)
            sure = self._shown.insisted(pair)
        if judged.die is None:
            return
        # Comparing takes a while, and whoever looks at the page is not to wait for it.
        other = "" if sure else comparing.other_face(pair, frame, fit)
        with self._lock:
            if self._still_asks(lesson, pair, before):
                self._shown.doubt = other
                if other:
                    self._tell("teach.looks_like", face=other)
                else:
                    self._take(lesson, pair, frame, judged.die)

    def _still_asks(self, lesson: Lesson, pair: tuple[str, str], before: list[Shown]) -> bool:
        """Tell whether nobody changed the lesson meanwhile."""
        same = self._lesson is lesson and self._phase == "face" and lesson.next == pair
        return same and lesson.of(*pair) == before

    def _take(self, lesson: Lesson, pair: tuple[str, str], frame: Picture, die: OneDie) -> None:
        lesson.add(frame, pair, (die.x, die.y, die.angle), die.crop)
        self._shown.take(die)
        self._tell("teach.taken" if lesson.next == pair else "teach.taken_last")
        if lesson.next != pair:
            self._shown.ask_anew()
            self._next_phase()

    def _compared(self, lesson: Lesson) -> Comparing:
        if self._comparing is None or self._comparing.lesson is not lesson:
            self._comparing = Comparing(lesson, self._camera.dice.tray)
        return self._comparing

    # ---- learning

    def _next_phase(self) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        self._empty.ask_anew()
        if len(lesson.empties) < EMPTIES:
            self._phase = "empty"
        elif self._alike is not None:
            self._phase = "alike"
        elif self._compared(lesson).next_colour:
            self._phase, self._told = "comparing", say("teach.comparing")
        elif lesson.next is not None:
            self._phase = "face"
        else:
            self._phase, self._told = "learning", say("teach.learning")

    def _compare(self, lesson: Lesson) -> None:
        """Look whether the faces of a colour can be told apart, while they are still at hand."""
        with self._lock:
            comparing = self._compared(lesson)
            colour = comparing.next_colour
        clash = comparing.clash(colour)
        with self._lock:
            if self._lesson is lesson and self._phase == "comparing":
                self._alike = clash
                comparing.compared(colour)
                self._told = None  # that they are compared
                self._next_phase()

    def _learn(self, lesson: Lesson) -> None:
        try:
            learnt, marks = finish(self._compared(lesson), self._sets, self._configured)
        except FacesAlike as clash:
            with self._lock:
                self._alike, self._phase = clash, "alike"
            return
        except (DiceSetError, OSError) as error:
            log.warning("the lesson cannot be learnt: %s", error)
            with self._lock:
                self._phase, self._told = "failed", why_not(error)
                self._useless = useless_face(error)
            return
        with self._lock:
            if self._lesson is not lesson:
                return
            self._camera.use(learnt, learnt.name)
            lesson.give_up()
            self._lesson = None
            self._forget()
            self._phase, self._marks, self._told = "done", marks, None

    def _forget(self) -> None:
        self._comparing, self._shown = None, ShownDie()
        self._alike, self._useless = None, None
        self._marks, self._told = (), None
        self._empty.ask_anew()

    def _tell(self, key: str, **values: object) -> None:
        with self._lock:
            self._told = say(key, **values)
