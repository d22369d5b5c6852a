"""The dice in a tray that exists only in the computer: which lie there, where, and how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.render import Box, Placed, Roll, View, steady_sensor
from vision.render_place import free_place, leaning, touching
from vision.render_throw import Flight, thrown

_FULL = 40  # dice that the tray holds


@dataclass
class _Die:
    """A die in the tray: where it comes to rest, how it gets there, from when and until when."""

    rest: Placed
    flight: Flight | None
    since: float
    until: float = float("inf")


class DiceInTray:
    """The dice of one box that lie in its tray. Not for several threads at once.

    rng: of whatever happens by chance. Times are seconds of one clock. Dice are counted from 0 in
    the order they were thrown, those still in the tray only; -1 is the one thrown last.
    """

    def __init__(self, box: Box, rng: np.random.Generator) -> None:
        self._box, self._rng = box, rng
        self._sensor = steady_sensor(box)
        self._dice: list[_Die] = []

    def throw(
        self,
        dice: Sequence[tuple[str, str | None]],
        start: float,
        view: View,
        rng: np.random.Generator,
    ) -> float:
        """Throw dice, given as body colour and face (None: chance), and answer when they lie still.

        view: from where the camera sees them. Raises `ValueError` where the box has no die of a
        colour with that face, or the tray is full; then none is thrown.
        """
        lying = [die.rest for die in self._dice if die.until > start]
        if len(lying) + len(dice) > _FULL:
            raise ValueError(
                f"{len(lying)} dice lie in the tray and {len(dice)} more were thrown; "
                f"it holds {_FULL}: clear it, or throw fewer"
            )
        placed: list[Placed] = []
        for colour, face in dice:
            placed.append(self._place(colour, face, [*lying, *placed], rng))
        flight = thrown(Roll(tuple(placed), view, self._box.lamp, self._sensor), rng)
        self._dice += [
            _Die(die, way, start) for die, way in zip(placed, flight.flights, strict=True)
        ]
        return start + flight.rest_at

    def clear(self, now: float, gone_at: float) -> bool:
        """Take all dice out, at a time to come; False where there are none now."""
        present = [die for die in self._dice if die.until > now]
        for die in present:
            die.until = min(die.until, gone_at)
        return bool(present)

    def lift(self, n: int, now: float) -> None:
        """Take one die out; raises `IndexError` where there is none of that number."""
        self._present(n, now).until = now

    def cock(self, n: int, now: float) -> None:
        """Lean one die on the wall, its face as it was but tilted."""
        die = self._present(n, now)
        others = [d.rest for d in self._dice if d is not die and d.until > now]
        kind = self._box.kind(die.rest.die_id)
        face = kind.faces[die.rest.pose.upper]
        leant = leaning(kind, face, [], self._rng)
        for _ in range(20):
            if leant is not None and _fits(leant, others):
                break
            leant = leaning(kind, face, [], self._rng)
        if leant is not None:
            die.rest = leant

    def glare(self, n: int, now: float) -> None:
        """Let the lamp shine back from one die's upper face, so that it can hardly be read."""
        die = self._present(n, now)
        die.rest = replace(die.rest, glare=(3.0, 9.0, 0.5, -0.5))

    def faces(self, now: float) -> list[tuple[str, str]]:
        """Body colour and face of every die in the tray."""
        present = [die.rest for die in self._dice if die.until > now]
        kinds = [self._box.kind(die.die_id) for die in present]
        return [
            (kind.colour, kind.faces[die.pose.upper])
            for kind, die in zip(kinds, present, strict=True)
        ]

    def seen(self, at: float) -> tuple[Placed, ...]:
        """The dice as the camera sees them at a time; those that are gone by then are forgotten."""
        self._dice = [die for die in self._dice if die.until > at]
        seen = (_seen(die, at) for die in self._dice)
        return tuple(die for die in seen if die is not None)

    def _present(self, n: int, now: float) -> _Die:
        present = [die for die in self._dice if die.until > now]
        if not -1 <= n < len(present) or not present:
            raise IndexError(
                f"die {n} seen; {len(present)} dice lie in the tray, counted from 0, -1 is the last"
            )
        return present[n]

    def _place(
        self, colour: str, face: str | None, dice: list[Placed], rng: np.random.Generator
    ) -> Placed:
        kinds = [k for k in self._box.kinds if k.colour == colour]
        fitting = [k for k in kinds if face is None or face in k.faces]
        if not fitting:
            known = sorted({(k.colour, f) for k in self._box.kinds for f in k.faces})
            listed = ", ".join(f"{c} {f}" for c, f in known)
            raise ValueError(f"no {colour} die with face {face!r}; there are: {listed}")
        used = [d.die_id for d in dice]
        # More dice than the box has: the same kind lies there twice.
        kind = min(fitting, key=lambda k: (used.count(k.die_id), rng.random()))
        shown = kind.faces[int(rng.integers(6))] if face is None else face
        place = None
        for gap in (6.0, 3.0, 1.0):
            place = place or free_place(kind, shown, dice, rng, gap)
        place = place or touching(kind, shown, dice, rng)
        if place is None:
            raise ValueError(f"{len(dice)} dice lie in the tray; no room is left, clear it")
        return place


def _fits(leant: Placed, others: list[Placed]) -> bool:
    low, high = leant.pose.corners().min(0), leant.pose.corners().max(0)
    for other in others:
        corners = other.pose.corners()
        if (corners.min(0) < high).all() and (corners.max(0) > low).all():
            return False
    return True


def _seen(die: _Die, at: float) -> Placed | None:
    """A die as the camera sees it at a time: at rest, blurred by its motion, or not there yet."""
    if die.flight is None:
        return die.rest
    poses = [die.flight.pose(die.rest.pose, at - die.since + step) for step in (0.0, 0.004, 0.008)]
    seen = tuple(p for p in poses if p is not None)
    if not seen:
        return None
    if all(p is die.rest.pose for p in seen):
        return die.rest
    return replace(die.rest, poses=seen, cocked=False, glare=None)
