"""What the shots of a lesson show, and which of its faces look alike."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.eye.lesson import SHOTS, Lesson, Shown
from vision.camera import Tray
from vision.dice_set import SCALE, DiceSet, DiceSetError
from vision.fit import TrayFit, find_tray
from vision.learn import FacesAlike, Shot, enrol
from vision.light import Floats
from vision.seen import Picture
from vision.teach import alike, feature_at
from vision.together import View, together, view_of

log = logging.getLogger(__name__)
# By which a face may resemble the shots of a face less than they do each other. On six drawn
# boxes 190 of 192 looks at a die that was not turned over fall within, and none of 192 at others.
_LIKE_IT: Final = 0.014
# By which shots must resemble their own face more than another, or the two are drawn alike: on the
# same boxes twins stay below 0.007, and different faces above 0.023.
_APART: Final = 0.014
_FEW: Final = 2  # shots of a face before anything is said to look like it
_VIEWS: Final = 10  # kept at hand, some 8 MB each


class Comparing:
    """Compares the shots of one lesson. Not for several threads at once.

    lesson: whose shots; they may change meanwhile. tray: the measures of the tray they show.
    """

    def __init__(self, lesson: Lesson, tray: Tray) -> None:
        self.lesson = lesson
        self._tray = tray
        self._empty: Picture | None = None
        self._empties: tuple[str, ...] = ()
        self._features: dict[Shown, Floats] = {}
        self._views: dict[Shown, View] = {}
        self._compared: set[str] = set()

    def empty(self) -> Picture:
        """Return the straight drawing of the empty tray, from the lesson's shots of it."""
        images = tuple(shot.image for shot in self.lesson.empties)
        if self._empty is not None and images == self._empties:
            return self._empty
        drawings: list[Picture] = []
        for shot in self.lesson.empties:
            frame, fit = self._frame_of(shot)
            drawings.append(fit.rectify(frame, SCALE))
        empty = np.median(np.stack(drawings), axis=0).astype(np.uint8)
        self._empty, self._empties = empty, images
        self._views.clear()
        return empty

    def feature(self, shot: Shown) -> Floats:
        """Describe what a shot shows where its die was found, (288,)."""
        if shot not in self._features:
            frame, fit = self._frame_of(shot)
            self._features[shot] = feature_at(frame, fit, shot.x, shot.y, shot.angle)
        return self._features[shot]

    def other_face(self, pair: tuple[str, str], frame: Picture, fit: TrayFit) -> str:
        """Return the face shown before that a die looks like, "" where it looks like none.

        pair: the colour and face that were asked for; frame: the picture of the die.
        """
        colour, asked = pair
        die = view_of(frame, fit, self.empty())
        if not len(die.places):
            return ""
        own = self._like([self._view(s) for s in self.lesson.of(colour, asked)], die)[0]
        for face in self.lesson.plan.faces:
            shots = self.lesson.of(colour, face)
            if face == asked or len(shots) < _FEW:
                continue
            like, usual = self._like([self._view(shot) for shot in shots], die)
            if like >= usual - _LIKE_IT and like > own:
                return face
        return ""

    def clash(self, colour: str) -> FacesAlike | None:
        """Return two faces of a colour that cannot be told apart, None where there are none."""
        faces = [face for other, face in self.lesson.wanted if other == colour]
        shots = [shot for face in faces for shot in self.lesson.of(colour, face)]
        try:
            self.enrol([*self.lesson.empties, *shots])
        except FacesAlike as clash:
            return clash
        except DiceSetError as error:  # told in the end, where nothing can be learnt at all
            log.warning("the %s dice: %s", colour, error)
        for first, second in itertools.combinations(faces, 2):
            apart = self._apart(colour, first, second)
            if apart < _APART:
                return FacesAlike(colour, first, second, f"{apart:+.3f}")
        return None

    @property
    def next_colour(self) -> str:
        """A colour that is wholly shown and was not compared yet; "" where there is none."""
        colours = (c for c in self.lesson.plan.colours if c not in self._compared)
        return next((c for c in colours if self._whole(c)), "")

    def compared(self, colour: str) -> None:
        """The faces of this colour have been compared."""
        self._compared.add(colour)

    def compare_anew(self) -> None:
        """The shots have changed: every colour is to be compared again."""
        self._compared.clear()

    def enrol(self, shots: Sequence[Shown]) -> DiceSet:
        """Learn a set from these shots; raises `DiceSetError`, and `FacesAlike` as one of it."""
        named = [Shot(s.image, s.kind, s.colour, s.face) for s in shots]
        return enrol(self.lesson.folder, self.lesson.plan.name, self._tray, named)

    def _whole(self, colour: str) -> bool:
        """Tell whether every face of a colour has been shown, and there are two to compare."""
        pairs = [pair for pair in self.lesson.wanted if pair[0] == colour]
        return len(pairs) > 1 and all(len(self.lesson.of(*pair)) >= SHOTS for pair in pairs)

    def _like(self, known: list[View], die: View) -> tuple[float, float]:
        """How much a die looks like known ones, and how much the most alike of them do; -1..1.

        All are taken for the same face: what lies a little off its middle would else seem to be
        another drawing.
        """
        if not known:
            return -1.0, 1.0
        *others, mine = [upper.feature for upper in together([*known, die], self._side)]
        usual = max(alike(one, _without(others, i)) for i, one in enumerate(others))
        return alike(mine, others), usual

    def _apart(self, colour: str, first: str, second: str) -> float:
        """By how much shots of two faces resemble their own more, if all are taken for one face."""
        shots = [self.lesson.of(colour, first), self.lesson.of(colour, second)]
        views = [self._view(shot) for face in shots for shot in face]
        if min(len(face) for face in shots) < _FEW or any(not len(v.places) for v in views):
            return 1.0
        features = [upper.feature for upper in together(views, self._side)]
        one, other = features[: len(shots[0])], features[len(shots[0]) :]
        margins = [
            alike(feature, _without(own, i)) - alike(feature, others)
            for own, others in ((one, other), (other, one))
            for i, feature in enumerate(own)
        ]
        return float(np.median(margins))

    @property
    def _side(self) -> float:
        return self._tray.die_side_mm

    def _view(self, shot: Shown) -> View:
        if shot not in self._views:
            frame, fit = self._frame_of(shot)
            while len(self._views) >= _VIEWS:
                del self._views[next(iter(self._views))]
            self._views[shot] = view_of(frame, fit, self.empty())
        return self._views[shot]

    def _frame_of(self, shot: Shown) -> tuple[Picture, TrayFit]:
        frame = np.asarray(cv2.imread(str(self.lesson.folder / shot.image)), np.uint8)
        return frame, find_tray(frame, self._tray, least=3)


def _without(features: list[Floats], index: int) -> list[Floats]:
    return [*features[:index], *features[index + 1 :]]
