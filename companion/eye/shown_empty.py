"""The empty tray that somebody shows: what people say of it, and what is seen in it anyway."""

from __future__ import annotations

import cv2
import numpy as np

from vision.teach import OneDie, Sight

_SAME_MM = 3.0  # a die that is seen no further away than this is the one seen before


class ShownEmpty:
    """Doubts that a tray is empty once, and believes it when told again. Not for several threads.

    number: counts the dice that seemed to be left, for their pictures; 0 while there is none.
    """

    def __init__(self) -> None:
        self._left: OneDie | None = None
        self._counted = 0
        self._said = self._anyhow = False

    @property
    def number(self) -> int:
        """Of the die that seems to be left; 0 where none does."""
        return self._counted if self._left is not None else 0

    def say_empty(self, *, anyhow: bool = False) -> None:
        """Somebody says that the tray is empty; `anyhow`: whatever it looks like."""
        self._said, self._anyhow, self._left = True, anyhow, None

    def ask_anew(self) -> None:
        """Nobody has said anything of the tray yet."""
        self._said, self._anyhow, self._left = False, False, None

    def judge(self, sight: Sight) -> str:
        """Return the word for what hinders a picture of the empty tray, "" where nothing does."""
        if self._anyhow:
            return ""
        if sight.die is not None and (self._said or self._left is not None):
            if self._left is None or _apart_mm(sight.die, self._left) > _SAME_MM:
                self._left, self._counted = sight.die, self._counted + 1
            self._said = False
            return "teach.left"
        self._left = None
        if not self._said:
            return "teach.empty_it"
        return "teach.hand_first" if sight.kind == "hand" else ""

    def picture(self, number: int) -> bytes | None:
        """Return the picture of a die that seems to be left as PNG."""
        if self._left is None or number != self._counted:
            return None
        return cv2.imencode(".png", self._left.crop)[1].tobytes()


def _apart_mm(one: OneDie, other: OneDie) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))
