"""An outlet that keeps what drivers tell it, and holds every driver to its word."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar, get_args

from companion.terms import Condition, DeviceState, Reading, Say
from companion.words import LANGUAGES, Words

PATIENCE = 20.0  # seconds before a test gives up; nothing here should take so long
_WORDS = Words.load()
ReadingT = TypeVar("ReadingT", bound=Reading)


class Watcher(Generic[ReadingT]):
    """Keeps readings of one kind, and states, in their order; can be waited on.

    What a state says is checked as it comes: see `companion.devices.port` on the conditions. What
    was wrong is raised in the test, by `until`, for a driver's thread would only log it.
    """

    def __init__(self, kind: type[ReadingT]) -> None:
        self._kind = kind
        self.readings: list[ReadingT] = []
        self.states: list[DeviceState] = []
        self.broken: list[str] = []
        self._news = threading.Condition()

    def reading(self, reading: Reading) -> None:
        with self._news:
            if isinstance(reading, self._kind):
                self.readings.append(reading)
            else:
                self.broken.append(f"{reading} is no {self._kind.__name__}")
            self._news.notify_all()

    def state(self, state: DeviceState) -> None:
        with self._news:
            self.broken += broken_by(state, self.states)
            self.states.append(state)
            self._news.notify_all()

    @property
    def condition(self) -> str:
        return self.states[-1].condition if self.states else ""

    @property
    def trouble(self) -> str:
        """The newest state's trouble by its word's key, "" where there is none."""
        trouble = self.states[-1].trouble if self.states else None
        return trouble.seen.key if trouble else ""

    def all_shown(self) -> set[tuple[str, str]]:
        """Return every condition so far with its trouble's key."""
        return {(s.condition, s.trouble.seen.key if s.trouble else "") for s in self.states}

    def until(self, seen: Callable[[], bool]) -> None:
        assert self.waited(seen, PATIENCE), (self.readings, self.states[-3:])
        assert not self.broken

    def waited(self, seen: Callable[[], bool], seconds: float) -> bool:
        """Wait at most so long; return whether it was seen."""
        with self._news:
            return self._news.wait_for(seen, seconds)


def until(true: Callable[[], bool]) -> None:
    """Wait for what no outlet hears, such as the light."""
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def open_files() -> list[str]:
    """Return what this process holds open, in the words of the system."""
    found: list[str] = []
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the listing itself
            found.append(str(entry.readlink()))
    return sorted(found)


def broken_by(state: DeviceState, before: list[DeviceState]) -> list[str]:
    """Return what a driver may not say, in the words of its contract."""
    seen: list[str] = []
    if state.condition not in get_args(Condition):
        seen.append(f"{state.condition} is no condition")
    if before and before[-1] == state:
        seen.append(f"{state} was said twice")
    if state.condition == "gone":
        if not before:
            seen.append("what was never there is gone")
        if state.trouble is None:
            seen.append("it is gone and nobody says what to do")
    if state.trouble is not None:
        if state.trouble.device != state.device:
            seen.append(f"{state.device} tells of a trouble with {state.trouble.device}")
        seen += _unsaid(state.trouble.seen) + _unsaid(state.trouble.do)
    return seen


def _unsaid(sentence: Say) -> list[str]:
    """A missing word, or a value that it needs and has not, shows its key (`Words.tell`)."""
    return [
        f"{sentence} says nothing in {language}"
        for language in LANGUAGES
        if _WORDS.tell(sentence, language) == sentence.key
    ]
