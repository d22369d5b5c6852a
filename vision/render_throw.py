"""A rendered throw: a hand, dice that tumble in, slow down and come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.render_hand import EDGES, Hand
from vision.render_place import scatter
from vision.render_pose import HALF, Pose, turn_about
from vision.render_random import random_hand
from vision.render_roll import Box, Placed, Roll
from vision.render_stage import INNER, RIM_HIGH
from vision.render_view import Floats

EXPOSURE = 0.012
"""Seconds of one exposure."""


@dataclass(frozen=True, eq=False)
class Flight:
    """How one die comes to its place: from `start`, in `seconds`, with `turns` about `axis`."""

    start: Floats
    begins: float
    seconds: float
    axis: Floats
    degrees: float
    bounces: float

    def pose(self, rest: Pose, at: float) -> Pose | None:
        """Its pose at a time; None before it left the hand."""
        t = (at - self.begins) / self.seconds
        if t < 0:
            return None
        if t >= 1:
            return rest
        # Friction slows it: much of the way is done early, the last turns are slow.
        way = 1 - (1 - t) ** 2.2
        left = self.degrees * (1 - t) ** 2
        flat = self.start + (rest.centre - self.start) * way
        turned = turn_about(self.axis, left) @ rest.turned
        # Bounces that die away, and never a corner below the felt.
        corners = np.abs(turned[2]).sum() * HALF
        hop = 42 * (1 - t) ** 2 * abs(np.cos(self.bounces * np.pi * t))
        inside = min(flat[0], INNER[0] - flat[0], flat[1], INNER[1] - flat[1])
        over_rim = (RIM_HIGH + 6) * float(np.clip(1 - (inside - 6) / 12, 0, 1)) * (1 - t)
        height = max(corners, rest.centre[2] if t > 0.97 else 0.0) + hop * 0.6 + over_rim
        return Pose(np.array([flat[0], flat[1], height]), turned)


@dataclass(frozen=True, eq=False)
class Throw:
    """A throw over time, seconds from its beginning.

    rest: the roll once all lies still; flights: one for each die of `rest`; hand: the one that
    throws, there from `hand_from` to `hand_until`; rest_at: when the last die stops; seconds: how
    long it is worth looking.
    """

    rest: Roll
    flights: tuple[Flight, ...]
    hand: Hand | None
    hand_from: float
    hand_until: float
    rest_at: float
    seconds: float

    def roll(self, at: float) -> Roll:
        """What is in the picture whose exposure begins at `at`."""
        dice: list[Placed] = []
        for die, flight in zip(self.rest.dice, self.flights, strict=True):
            steps = np.linspace(0, EXPOSURE, 5)
            poses = [flight.pose(die.pose, at + s) for s in steps]
            seen = tuple(p for p in poses if p is not None)
            if seen and all(p is die.pose for p in seen):
                dice.append(die)
            elif seen:
                dice.append(replace(die, poses=seen, cocked=False, on_rim=False, glare=None))
        return replace(self.rest, dice=tuple(dice), hand=self.hand_at(at))

    def hand_at(self, at: float) -> Hand | None:
        """The throwing hand: it comes in, holds, and goes back."""
        if self.hand is None or not self.hand_from <= at < self.hand_until:
            return None
        coming = (at - self.hand_from) / 0.3
        going = (self.hand_until - at) / 0.3
        return replace(self.hand, reach_mm=self.hand.reach_mm - 110 * (1 - min(1, coming, going)))


def thrown(
    rest: Roll, rng: np.random.Generator, hand: Hand | None = None, release: float = 0.0
) -> Throw:
    """How dice may have come to lie as in `rest`: thrown at `release` seconds, from one side."""
    edge = hand.edge if hand else EDGES[int(rng.integers(4))]
    along = hand.along if hand else float(rng.uniform(0.3, 0.7))
    wide, high = INNER
    start = {
        "left": (-30.0, high * along),
        "right": (wide + 30, high * along),
        "top": (wide * along, -30.0),
        "bottom": (wide * along, high + 30),
    }[edge]
    flights: list[Flight] = []
    for die in rest.dice:
        seconds = float(rng.uniform(0.5, 0.78))
        begins = release + float(rng.uniform(0, 0.08))
        towards = die.pose.centre[:2] - start
        roll_axis = np.array([-towards[1], towards[0], 0.0])
        axis = roll_axis / max(1e-6, np.linalg.norm(roll_axis)) + rng.normal(0, 0.25, 3)
        flights.append(
            Flight(
                np.array([*(start + rng.normal(0, 8, 2)), 0.0]),
                begins,
                seconds,
                axis,
                -float(rng.uniform(350, 800)),
                float(rng.integers(2, 5)),
            )
        )
    ends = [f.begins + f.seconds for f in flights]
    rest_at = max(ends, default=release)
    return Throw(rest, tuple(flights), hand, 0.0, release + 0.35, rest_at, rest_at + 0.6)


def random_throw(box: Box, seed: int, dice: int | None = None) -> Throw:
    """A throw of some dice of a box in its usual light."""
    rng = np.random.default_rng([seed, 33])
    count = dice or int(rng.integers(2, 7))
    placed: Sequence[Placed] = scatter(
        box, count, {"touching"} if rng.random() < 0.4 else set(), rng
    )
    hand = replace(random_hand(rng), reach_mm=float(rng.uniform(40, 60)), height_mm=60.0)
    rest = replace(Roll.empty(box), dice=tuple(placed))
    return thrown(rest, rng, hand if rng.random() < 0.7 else None, 0.6)
