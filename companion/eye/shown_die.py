"""The die that somebody shows: from look to look, whether it is worth a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.eye.lesson import Shown
from vision.fit import TrayFit
from vision.learn import crop_of
from vision.seen import Picture
from vision.teach import OneDie, Sight

_STILL_MM, _STILL_DEG = 1.2, 4.0  # how far a lying die may seem to move between two looks
_CHANGED = 10.0  # brightness by which a place differs at least once its die was touched; 3 is noise
# From every shot before a die must lie elsewhere, or beside it and turned: else it is not new.
_ELSEWHERE_MM, _BESIDE_MM, _TURNED_DEG = 10.0, 4.0, 12.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What one look comes to: a die that is worth a picture, or the word for what hinders it.

    told: a key of the word files; "" where what was told before holds.
    """

    die: OneDie | None = None
    told: str = ""


class ShownDie:
    """Remembers what the looks before saw of the die. Not for several threads at once.

    doubt: the face that the die looks like instead, as long as it lies as it was doubted.
    """

    def __init__(self) -> None:
        self.doubt = ""
        self._last: OneDie | None = None
        self._taken: OneDie | None = None  # the die of the last shot, as long as it lies there
        self._insisted: tuple[str, str] | None = None

    def judge(
        self, sight: Sight, frame: Picture, fit: TrayFit, before: Sequence[Shown], silent: bool
    ) -> Judged:
        """Tell whether the die lies still, anew, and was not doubted as it lies.

        before: the shots of this face so far. silent: nothing is told at the moment.
        """
        untouched = _untouched(self._taken, frame, fit)
        die, last = sight.die, self._last
        self._last = die
        if die is None:
            self.doubt = ""
            if sight.kind == "nothing":
                self._taken = None
            return Judged(told=f"teach.{sight.kind}")
        if untouched:  # what was told when it was taken holds
            return Judged(told="teach.move_it" if before or silent else "")
        self._taken = None
        if last is None or not _same_place(die, last):
            self.doubt = ""
            return Judged(told="teach.hold_still")
        if any(_shows_nothing_new(die, shot) for shot in before):
            return Judged(told="teach.move_it")
        return Judged() if self.doubt else Judged(die)

    def take(self, die: OneDie) -> None:
        """The die was taken: as long as nobody touches it, it is not taken again."""
        self._taken = die

    def insist(self, pair: tuple[str, str] | None) -> None:
        """The die does show this colour and face, though it looks like another."""
        self._insisted, self.doubt = pair, ""

    def insisted(self, pair: tuple[str, str]) -> bool:
        """Tell whether somebody said so."""
        return self._insisted == pair

    def ask_anew(self) -> None:
        """Something else is asked for; a die that was taken still lies there."""
        self.doubt, self._last, self._insisted = "", None, None


def _same_place(die: OneDie, other: OneDie) -> bool:
    far = float(np.hypot(die.x - other.x, die.y - other.y))
    return far < _STILL_MM and _turn(die.angle, other.angle) < _STILL_DEG


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
