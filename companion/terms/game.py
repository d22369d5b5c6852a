"""What a game offers: its seats, events, facts and views, and what its box tells it (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from companion.terms.questions import Answer, Objection, Question
from companion.terms.sentences import Say
from companion.terms.wants import Wants


class Game(Protocol):
    """The eight names that a game package offers (DESIGN 4). The modules themselves satisfy it.

    `questions`, `check`, `decide` and `view` only read; `apply` alone changes the state and holds
    no rule. `decide` is total: it copes with `insist` and with `Done`.

    The state is a `msgspec.Struct` that survives a msgpack round trip unchanged.
    """

    @property
    def NAME(self) -> str: ...  # noqa: D102, N802 - a package constant
    @property
    def EVENTS(self) -> Any: ...  # noqa: D102, N802 - the union of the game's event types

    def setup(self, seats: Sequence[Seat], choices: dict[str, Any]) -> Any:
        """Return the first state; raises `CannotStart` saying what was seen and expected."""
        ...

    def questions(self, state: Any, box: Box) -> tuple[Question, ...]:
        """Return all open questions, most urgent first; keys are unique among them."""
        ...

    def check(self, state: Any, answer: Answer, box: Box) -> tuple[Objection, ...]:
        """Return what the rules dislike; raises `NoSuchKey` and `Unknown`."""
        ...

    def decide(self, state: Any, answer: Answer, box: Box) -> tuple[Any, ...]:
        """Return the events that follow; raises `NoSuchKey` and `Unknown`."""
        ...

    def apply(self, state: Any, event: Any) -> None:
        """Make one event true in the state."""
        ...

    def view(self, state: Any, box: Box, seat: str | None) -> View:
        """Return what this seat may see; None is the shared screen."""
        ...


class Fact(msgspec.Struct, frozen=True):
    """One shown value with its key, its label, and what may be set by hand (None: derived).

    `value` is a number, a word, a truth value, a list of ids, or None for unknown. `disputed` is
    true where the arithmetic of the log has made it impossible.
    """

    key: str
    label: Say
    value: int | str | bool | list[str] | None
    set_by: Wants | None = None
    disputed: bool = False


class Change(msgspec.Struct, frozen=True):
    """One fact before and after. `readers` are the only seats that may see it (empty: all).

    `gone`: there is no such fact any more (`after` is None), as with the numbers of a battle that
    is over; an `after` of None alone is a fact that nobody knows.
    """

    key: str
    label: Say
    before: Any
    after: Any
    readers: tuple[str, ...] = ()
    gone: bool = False


class View(msgspec.Struct, frozen=True):
    """What one seat, or the shared screen, may see of the game.

    `picture` is the game's own record for its pages. `turn` is the seat whose turn it is, `phase`
    a sentence about it. `result` is None while the game goes on, else the winning seats (empty: a
    game that ended without a winner).
    """

    facts: tuple[Fact, ...]
    turn: str | None
    phase: Say | None
    picture: Any = None
    result: tuple[str, ...] | None = None


class Seat(msgspec.Struct, frozen=True):
    """A role at the table. `colour` and `sign` belong to the seat, `person` is a label on it."""

    id: str
    colour: str
    sign: str
    person: str = ""


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A fact that is now true. Each game subclasses this with its own events, `frozen=True` each.

    The tag is the class name, the sentence is the word `event.<ClassName>` of the game. Events
    carry changes and every value they used, never totals. `readers` (a field that a game adds to
    a secret event) names the seats that may read it; others see the word
    `event.<ClassName>.secret`.
    """


class CannotStart(ValueError):
    """A game cannot begin so: `say` tells what was seen and what was expected."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(f"{sentence.key} {sentence.values}")
        self.say = sentence


class Unknown(LookupError):
    """A printed value that nobody has told us yet; it becomes the question `box:KEY`.

    Raised by `box.number` and `box.word` in `check` and `decide` only, caught in one place.
    """

    def __init__(self, key: str, wants: Wants) -> None:
        super().__init__(f"the box value {key!r} is not known yet")
        self.key = key
        self.wants = wants


class Box(Protocol):
    """What is printed on the physical components: shipped tables and what the owners told us."""

    def number(self, key: str) -> int:
        """Return a printed number; raises `Unknown`."""
        ...

    def word(self, key: str) -> str:
        """Return a printed word, such as `yes`; raises `Unknown`."""
        ...

    def get(self, key: str) -> int | str | None:
        """Return the value or None, for `questions` and `view`, which never raise `Unknown`."""
        ...
