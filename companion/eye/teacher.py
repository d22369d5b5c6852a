"""The teacher: guides people through showing their dice, one face after the other.

It looks at the tray camera's frames in a thread of its own, keeps the shots that are worth it,
learns the set when all were shown, and puts it to use. While it works, throws are not read.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np

from companion.devices.tray_camera import TrayCamera
from companion.eye.lesson import EMPTIES, SHOTS, Lesson, Plan, Shown
from companion.own_sets import keep_set
from companion.terms import Say, say
from vision.dice_set import SCALE, DiceSet, DiceSetError
from vision.fit import TrayFit, TrayNotSeen, find_tray
from vision.learn import FacesAlike, Shot, enrol
from vision.light import Floats
from vision.proof import prove
from vision.seen import Picture
from vision.teach import OneDie, Sight, alike, feature_at, look_for_one

log = logging.getLogger(__name__)
_PAUSE = 0.25  # seconds between two looks
_ASLEEP = 20.0  # seconds after which nobody is looking at the page any more
_STILL_MM, _STILL_DEG = 1.2, 4.0  # how far a lying die may seem to move between two looks
# By which a face may resemble its own shots less than they do each other. On drawn trays nothing
# was chosen on, 4 of 5 looks at a die that was not turned over fall within, and none at another.
_LIKE_IT = 0.02
_TWINS = -0.0045  # the same between two faces: from this on they are drawn alike
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
        self._empty: Picture | None = None
        self._features: dict[int, Floats] = {}
        self._looked_again: dict[tuple[int, ...], list[Floats]] = {}
        self._last: OneDie | None = None
        self._doubt = ""
        self._insisted: tuple[str, str] | None = None
        self._alike: FacesAlike | None = None
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
            pair = lesson.next or ("", "")
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
                self._take_empties = False
                self._next_phase()

    def _look_at_die(self, lesson: Lesson, frame: Picture, fit: TrayFit) -> None:
        pair = lesson.next
        if pair is None:
            return
        if self._empty is None:
            self._empty = self._empty_of(lesson)
        before = lesson.of(*pair)
        fellows = [self._feature(lesson, shot) for shot in before]
        sight: Sight = look_for_one(frame, fit, self._empty, fellows)
        with self._lock:
            if self._lesson is not lesson or lesson.next != pair or self._phase != "face":
                return  # somebody changed the lesson meanwhile
            die, last = sight.die, self._last
            self._last = die
            if die is None:
                self._doubt = ""
                self._tell(f"teach.{sight.kind}")
            elif last is None or not _same_place(die, last):
                self._doubt = ""
                self._tell("teach.hold_still")
            elif any(_shows_nothing_new(die, shot) for shot in before):
                self._tell("teach.move_it")
            else:
                self._take(lesson, pair, frame, fit, die)

    def _take(
        self, lesson: Lesson, pair: tuple[str, str], frame: Picture, fit: TrayFit, die: OneDie
    ) -> None:
        insisted = self._insisted == pair
        other = "" if insisted else self._other_face(lesson, pair, frame, fit, die)
        if other:
            self._doubt = other
            self._tell("teach.looks_like", face=other)
            return
        self._doubt = ""
        shown = lesson.add(frame, pair, (die.x, die.y, die.angle), die.crop)
        self._features[shown.number] = die.feature
        self._tell("teach.taken")
        if lesson.next != pair:
            self._last = None
            self._next_phase()

    def _other_face(
        self, lesson: Lesson, pair: tuple[str, str], frame: Picture, fit: TrayFit, die: OneDie
    ) -> str:
        """Return the face shown before that this die looks like, rather than like its own."""
        if self._empty is None:
            return ""
        colour, asked = pair
        own = [
            self._feature(lesson, shot)
            for other_colour in lesson.plan.colours
            for shot in lesson.of(other_colour, asked)
        ]
        for face in lesson.plan.faces:
            shots = lesson.of(colour, face)
            if face == asked or len(shots) < 2:
                continue
            known = self._agreed(lesson, shots)
            usual = float(np.median([_to_the_others(known, i) for i in range(len(known))]))
            # Where the die's middle is a little off, its drawing is: look for it as for that face.
            again = self._look_as(frame, fit, known)
            like = -1.0 if again is None else alike(again.feature, known)
            if like >= usual - _LIKE_IT and like > alike(die.feature, own):
                return face
        return ""

    def _agreed(self, lesson: Lesson, shots: list[Shown]) -> list[Floats]:
        """What the shots of one face show, each looked at again in the light of the others."""
        key = tuple(shot.number for shot in shots)
        if key not in self._looked_again and self._empty is not None:
            found = [self._feature(lesson, shot) for shot in shots]
            for i, shot in enumerate(shots):
                frame, fit = self._frame_of(lesson, shot)
                die = self._look_as(frame, fit, [*found[:i], *found[i + 1 :]])
                found[i] = found[i] if die is None else die.feature
            self._looked_again[key] = found
        return self._looked_again[key]

    # ---- learning

    def _next_phase(self) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        self._take_empties = False
        if len(lesson.empties) < EMPTIES:
            self._phase, self._empty = "empty", None
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
        for colour in lesson.plan.colours:
            pairs = [pair for pair in lesson.wanted if pair[0] == colour]
            whole = all(len(lesson.of(*pair)) >= SHOTS for pair in pairs)
            if whole and len(pairs) > 1 and colour not in self._proved:
                return colour
        return ""

    def _compare(self) -> None:
        """Look whether the faces of a colour can be told apart, while they are still at hand."""
        if self._empty is None and self._lesson is not None:
            self._empty = self._empty_of(self._lesson)
        with self._lock:
            lesson = self._lesson
            colour = self._unproved(lesson) if lesson else ""
        if lesson is None:
            return
        clash: FacesAlike | None = None
        faces = [face for other, face in lesson.wanted if other == colour]
        shots = [shot for face in faces for shot in lesson.of(colour, face)]
        try:
            self._enrol(lesson, [*lesson.empties, *shots])
            for first, second in itertools.combinations(faces, 2):
                self._refuse_twins(lesson, colour, first, second)
        except FacesAlike as seen:
            clash = seen
        except DiceSetError as error:  # told in the end, where nothing can be learnt at all
            log.warning("the %s dice: %s", colour, error)
        with self._lock:
            if self._lesson is lesson and self._phase == "comparing":
                self._alike = clash
                self._proved.add(colour)
                self._next_phase()

    def _refuse_twins(self, lesson: Lesson, colour: str, first: str, second: str) -> None:
        """Raise `FacesAlike` where shots of one face fit among the other's as well as its own do.

        Each shot is looked at as if it showed the other face: what lies a little off its middle
        would else seem to be another drawing.
        """
        near: list[float] = []
        for one, other in ((first, second), (second, first)):
            known = self._agreed(lesson, lesson.of(colour, other))
            usual = float(np.median([_to_the_others(known, i) for i in range(len(known))]))
            likes: list[float] = []
            for shot in lesson.of(colour, one):
                frame, fit = self._frame_of(lesson, shot)
                die = None if self._empty is None else self._look_as(frame, fit, known)
                likes.append(-1.0 if die is None else alike(die.feature, known) - usual)
            near.append(float(np.median(likes)))
        if max(near) > _TWINS:
            raise FacesAlike(colour, first, second, f"{max(near):+.3f}")

    def _look_as(self, frame: Picture, fit: TrayFit, known: list[Floats]) -> OneDie | None:
        assert self._empty is not None
        return look_for_one(frame, fit, self._empty, known).die

    def _learn(self) -> None:
        with self._lock:
            lesson = self._lesson
        if lesson is None:
            return
        shots = [*lesson.empties, *(s for pair in lesson.wanted for s in lesson.of(*pair))]
        try:
            learnt = self._enrol(lesson, shots)
            proof = prove(learnt)
            keep_set(learnt, self._sets / learnt.name)
        except FacesAlike as clash:
            with self._lock:
                self._alike, self._phase = clash, "alike"
            return
        except (DiceSetError, OSError) as error:
            with self._lock:
                self._phase, self._told = "failed", say("teach.failed", why=str(error))
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
            if learnt.name != self._configured:
                marks.append(say("teach.configure", name=learnt.name))
            self._lesson = None
            self._forget()
            self._phase, self._marks, self._told = "done", tuple(marks), None

    def _enrol(self, lesson: Lesson, shots: list[Shown]) -> DiceSet:
        named = [Shot(s.image, s.kind, s.colour, s.face) for s in shots]
        return enrol(lesson.folder, lesson.plan.name, self._camera.dice.tray, named)

    # ---- what shots show

    def _empty_of(self, lesson: Lesson) -> Picture:
        drawings: list[Picture] = []
        for shot in lesson.empties:
            frame, fit = self._frame_of(lesson, shot)
            drawings.append(fit.rectify(frame, SCALE))
        return np.median(np.stack(drawings), axis=0).astype(np.uint8)

    def _feature(self, lesson: Lesson, shot: Shown) -> Floats:
        """What a shot shows; looked up again after a restart."""
        if shot.number not in self._features:
            frame, fit = self._frame_of(lesson, shot)
            self._features[shot.number] = feature_at(frame, fit, shot.x, shot.y, shot.angle)
        return self._features[shot.number]

    def _frame_of(self, lesson: Lesson, shot: Shown) -> tuple[Picture, TrayFit]:
        frame = np.asarray(cv2.imread(str(lesson.folder / shot.image)), np.uint8)
        return frame, find_tray(frame, self._camera.dice.tray, least=3)

    def _forget(self) -> None:
        self._empty, self._last, self._alike, self._doubt = None, None, None, ""
        self._features.clear()
        self._looked_again.clear()
        self._proved.clear()
        self._insisted, self._marks, self._told = None, (), None
        self._take_empties = False

    def _tell(self, key: str, **values: object) -> None:
        with self._lock:
            self._told = say(key, **values)


def _to_the_others(features: list[Floats], index: int) -> float:
    return alike(features[index], [*features[:index], *features[index + 1 :]])


def _same_place(die: OneDie, other: OneDie) -> bool:
    far = float(np.hypot(die.x - other.x, die.y - other.y))
    return far < _STILL_MM and _turn(die.angle, other.angle) < _STILL_DEG


def _shows_nothing_new(die: OneDie, shot: Shown) -> bool:
    far = float(np.hypot(die.x - shot.x, die.y - shot.y))
    turned = _turn(die.angle, shot.angle) >= _TURNED_DEG
    return far < (_BESIDE_MM if turned else _ELSEWHERE_MM)


def _turn(one: float, other: float) -> float:
    """Degrees between two squares' directions, 0..45."""
    return abs((one - other + 45) % 90 - 45)
