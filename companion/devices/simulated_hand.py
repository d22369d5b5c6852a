"""A hand that reaches over a tray that exists only in the computer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.render import Hand
from vision.render_hand import EDGES
from vision.render_random import random_hand

_SECONDS = 0.3  # a hand's way in or out
_WAY_MM = 130  # how far it comes from


class ReachingHand:
    """The hand, from its coming to its going; times are seconds of one clock.

    rng: over which edge it comes, and whose hand it is. Not for several threads at once.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._hand: Hand | None = None
        self._since = self._until = 0.0

    def come(self, now: float, reach_mm: float, stays: float = float("inf")) -> float:
        """Reach in, stay for some seconds, go; answers when it is gone."""
        edge = EDGES[int(self._rng.integers(len(EDGES)))]
        self._hand = replace(random_hand(self._rng), edge=edge, reach_mm=reach_mm, along=0.5)
        self._since, self._until = now, now + stays + _SECONDS
        return self._until

    def go(self, now: float) -> None:
        """Go away now, where it has not gone before."""
        self._until = min(self._until, now + _SECONDS)

    def seen(self, at: float) -> Hand | None:
        """The hand as far as it has come by a time; None where there is none."""
        if self._hand is None or not self._since <= at < self._until:
            return None
        share = min(1.0, (at - self._since) / _SECONDS, (self._until - at) / _SECONDS)
        if share >= 1.0:
            return self._hand
        return replace(self._hand, reach_mm=self._hand.reach_mm - _WAY_MM * (1 - share))
