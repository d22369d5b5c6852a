"""The guide: what the page of a lesson shows, at any moment of it."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.eye.lesson import EMPTIES, SHOTS, Lesson, Plan
from companion.terms import Say

Phase = Literal["none", "empty", "face", "comparing", "alike", "learning", "done", "failed"]


class Guide(msgspec.Struct, frozen=True):
    """What the page shows.

    phase: what is to be done. plan: what is taught. colour, face: what is to be shown. have: shots
    of it so far, of `wanted`. told: what the camera sees now. shots: numbers of this face's shots,
    for their pictures. done, all: how many faces are finished. doubt: the face that the die looks
    like instead, or the face that looks too alike. left: number of the picture of a die that seems
    to be left in the empty tray, 0 for none. marks: what became of the finished set.
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
    left: int = 0
    marks: tuple[Say, ...] = ()


def guide_through(
    lesson: Lesson,
    phase: Phase,
    told: Say | None,
    pair: tuple[str, str] | None,
    doubt: str,
    left: int,
) -> Guide:
    """Return what the page shows of a lesson: what is asked for, and how far it has come.

    pair: the colour and face that are to be shown, None where none is. doubt, left: as in `Guide`.
    """
    colour, face = pair or ("", "")
    empty = phase == "empty"
    shots = lesson.empties if empty else lesson.of(colour, face)
    return Guide(
        phase,
        lesson.plan,
        colour,
        face,
        len(shots),
        EMPTIES if empty else SHOTS,
        told,
        tuple(shot.number for shot in shots if shot.kind == "die"),
        sum(len(lesson.of(*pair)) >= SHOTS for pair in lesson.wanted),
        len(lesson.wanted),
        doubt,
        left,
    )
