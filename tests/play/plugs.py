"""The plugs of a demo's three devices, and somebody who plays on whatever is pulled."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence

from companion.demo import Demo
from companion.table import Table
from companion.terms import DeviceState, Seat
from tests.vikingjarl.at_random import answer_of

DEVICES = ("tray_camera", "card_reader", "tray_controller")
SEATS = (Seat("harald", "red", "axe"), Seat("gudrun", "blue", "raven"))
PATIENCE = 60.0  # seconds before a test gives up; generous, for a busy machine
_UNSEEN = 12.0  # seconds after which people throw again
_STEPS = 150  # of a game, then the next begins: a log that grows would hide what leaks
_PACE = 0.03  # seconds between two answers, as from a quick table; the machine shall do more


def until(true: Callable[[], bool], what: Callable[[], object]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up, what()
        time.sleep(0.05)  # between looks


class Throws:
    """The same dice, thrown until the camera saw them.

    A camera that was just plugged in may see its first frame when they lie still already. Then it
    does not call that a throw, for they may have been told by hand while it was away.
    """

    def __init__(self, demo: Demo, dice: Sequence[tuple[str, str | None]]) -> None:
        self._demo, self._dice = demo, list(dice)
        self._at = 0.0
        self.again()

    def again(self) -> None:
        self._demo.throw(self._dice)
        self._at = time.monotonic()

    def again_if_unseen(self) -> None:
        if time.monotonic() - self._at > _UNSEEN:
            self.again()


class Plugs:
    """Pulls plugs and puts them in again, and sees what the table shows of it."""

    def __init__(self, demo: Demo) -> None:
        self._demo, self._table = demo, demo.service.table
        self._pull = (demo.tray.unplug, demo.reader.unplug, demo.controller.unplug)
        self._put = (demo.tray.plug, demo.reader.plug, demo.controller.plug)

    def pull(self, device: str) -> None:
        self._pull[DEVICES.index(device)]()

    def put(self, device: str) -> None:
        self._put[DEVICES.index(device)]()

    def shown(self) -> dict[str, DeviceState]:
        return {state.device: state for state in self._table.look(None).devices}

    def conditions(self) -> dict[str, str]:
        return {device: state.condition for device, state in self.shown().items()}

    def until_away(self, device: str) -> None:
        until(lambda: self.conditions().get(device) in ("gone", "waiting"), self.shown)
        assert self.shown()[device].trouble is not None

    def until_all_ready(self) -> None:
        """Wait until the table shows each device at work, and none of them in trouble."""

        def ready() -> bool:
            shown = self.shown()
            return set(shown) == set(DEVICES) and all(
                state.condition == "ready" and state.trouble is None for state in shown.values()
            )

        until(ready, self.shown)

    def throw_counts(self, dice: list[tuple[str, str | None]]) -> int:
        """Throw dice until the table shows them; return its number of the throw."""
        seen = {throw.id for throw in self._table.look(None).proposals}
        wanted = sorted(colour for colour, _ in dice)

        def shown() -> list[int]:
            return [
                throw.id
                for throw in self._table.look(None).proposals
                if throw.id not in seen and sorted(d.seen.colour for d in throw.dice) == wanted
            ]

        throws = Throws(self._demo, dice)

        def seen_at_last() -> bool:
            throws.again_if_unseen()
            return bool(shown())

        until(seen_at_last, lambda: self._table.look(None).proposals)
        return shown()[-1]

    def card_counts(self, uid: str) -> int:
        """Lay a card that nobody knows; return the table's number of its question."""
        self._demo.tap(uid)

        def shown() -> list[int]:
            return [card.id for card in self._table.look(None).cards if card.uid == uid]

        until(lambda: bool(shown()), lambda: self._table.look(None).cards)
        self._demo.reader.take_away()
        return shown()[-1]


class RandomPlay:
    """Two Jarls who answer whatever is asked, game after game, in a thread of their own."""

    def __init__(self, table: Table, seed: int) -> None:
        self._table, self._chance = table, random.Random(seed)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._play, name="random play", daemon=True)
        self.games = self.answers = 0
        self.failed: BaseException | None = None
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        if self.failed is not None:
            raise self.failed

    def _play(self) -> None:
        try:
            while not self._end.wait(_PACE):
                self._step()
        except BaseException as failed:  # told by the test, in its own thread
            self.failed = failed

    def _step(self) -> None:
        table, chance = self._table, self._chance
        look = table.look(chance.choice(SEATS).id)
        over = look.view is None or look.view.result is not None or look.step >= _STEPS
        if over or not look.questions:
            table.start("vikingjarl", SEATS, {})
            self.games += 1
            return
        if look.proposals and chance.random() < 0.2:
            throw = chance.choice(look.proposals)
            table.accept(throw.id) if chance.random() < 0.5 else table.dismiss(throw.id)
        elif look.cards and chance.random() < 0.2:
            table.dismiss(chance.choice(look.cards).id)
        elif chance.random() < 0.05:
            table.undo()
        else:
            table.answer(answer_of(chance.choice(look.questions), chance), rev=look.rev)
        self.answers += 1
