"""The words that everybody at this table uses: questions, answers, events, facts, readings.

Nothing here knows a game, a device, a page or a clock. All records are frozen and are stored or
sent as they are (DESIGN 3 and 4). New fields always get a default, so that old logs stay readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

# ------------------------------------------------------------------------------------ sentences


class Say(msgspec.Struct, frozen=True):
    """A sentence to be spoken in the reader's language: a key of the word files and its values.

    A value is a number, a text that people typed, another `Say`, or a sequence of these. How a
    value is worded (a town's name, a seat's name, "1 Viking") is the template's choice, see
    `companion.words`.
    """

    key: str
    values: dict[str, Any] = {}


def say(key: str, /, **values: Any) -> Say:
    """Build a `Say` with its values by name."""
    return Say(key, values)


# ---------------------------------------------------------------------------------------- values


class Die(msgspec.Struct, frozen=True):
    """One die as it lies: body colour, face, and whose side it is where both throw its colour."""

    colour: str
    face: str
    side: str | None = None


class Dice(msgspec.Struct, frozen=True, tag="dice", tag_field="type"):
    """Dice, in the order they were read or written down."""

    dice: tuple[Die, ...]


class Cards(msgspec.Struct, frozen=True, tag="cards", tag_field="type"):
    """Cards by title id; `unknown` stands for a card whose title nobody told."""

    ids: tuple[str, ...]


class Picked(msgspec.Struct, frozen=True, tag="picked", tag_field="type"):
    """Chosen options by id, in the order they were chosen."""

    ids: tuple[str, ...]


class Number(msgspec.Struct, frozen=True, tag="number", tag_field="type"):
    """A whole number."""

    value: int


class Placed(msgspec.Struct, frozen=True, tag="placed", tag_field="type"):
    """A place: an id of the game's map or a label such as `sea_a`."""

    place: str


class Written(msgspec.Struct, frozen=True, tag="written", tag_field="type"):
    """Text that a person typed, kept as Unicode NFC."""

    text: str


class Filled(msgspec.Struct, frozen=True, tag="filled", tag_field="type"):
    """Several independent fields at once: a name to a number, an id, or a list of ids."""

    fields: dict[str, int | str | list[str]]


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="type"):
    """It happened at the table; the companion needs no more detail."""


Value: TypeAlias = Dice | Cards | Picked | Number | Placed | Written | Filled | Done

# ----------------------------------------------------------------------------------------- wants


class Option(msgspec.Struct, frozen=True):
    """One thing that may be picked; `say` names it, `detail` tells what it leads to."""

    id: str
    say: Say
    detail: Say | None = None


class Faces(msgspec.Struct, frozen=True, tag="faces", tag_field="type"):
    """A throw: dice of one set, counted by body colour, each showing one of `faces`.

    `sides` tells which colours belong to whom, such as {"attack": {"black": 3}, "defence":
    {"white": 2}}; a colour on both sides is asked for die by die. `loads` is true where more dice
    are wanted than a tray holds, so throws accumulate.
    """

    set: str
    counts: dict[str, int]
    faces: tuple[str, ...] = ()
    sides: dict[str, dict[str, int]] = {}
    loads: bool = False


class CardOf(msgspec.Struct, frozen=True, tag="card_of", tag_field="type"):
    """Cards of a deck. `options` are the titles that may be named by hand, best guess first."""

    deck: str
    options: tuple[Option, ...] = ()
    at_least: int = 1
    at_most: int = 1


class Pick(msgspec.Struct, frozen=True, tag="pick", tag_field="type"):
    """Some of the options."""

    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1


class Count(msgspec.Struct, frozen=True, tag="count", tag_field="type"):
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


class Place(msgspec.Struct, frozen=True, tag="place", tag_field="type"):
    """A place on the map; `allowed` are the likely ones, and `free` lets people write a label."""

    map: str
    allowed: tuple[Option, ...] = ()
    free: bool = False


class Text(msgspec.Struct, frozen=True, tag="text", tag_field="type"):
    """A short text, such as a name; at most `longest` characters."""

    longest: int = 40


class Field(msgspec.Struct, frozen=True):
    """One line of a form. `start` is what stands there first."""

    name: str
    say: Say
    wants: Count | Pick | Place | Text
    start: int | str | list[str] | None = None


class Form(msgspec.Struct, frozen=True, tag="form", tag_field="type"):
    """Independent fields that are answered together."""

    fields: tuple[Field, ...]


Wants: TypeAlias = Faces | CardOf | Pick | Count | Place | Text | Form

# ------------------------------------------------------------------------- questions and answers

Urgency = Literal["now", "offer"]


class Question(msgspec.Struct, frozen=True):
    """What the companion would like to know (DESIGN 4).

    `seats` are asked (empty: anybody may answer). `default` is what the table answers on "Go on",
    and after the patience time where `patient` is true. `done` allows "it happened at the table".
    `secret` keeps question and answer from the other seats; where several seats hold a question
    of one `together` group, each may change its answer until the last is in. `group` gathers
    offers under one heading of the page. `rule` is the place in the rulebook and the ruling.
    """

    key: str
    seats: tuple[str, ...]
    say: Say
    wants: Wants | None
    urgency: Urgency = "now"
    detail: Say | None = None
    default: Value | None = None
    patient: bool = False
    done: bool = True
    secret: bool = False
    together: str = ""
    group: str = ""
    rule: str = ""


class Source(msgspec.Struct, frozen=True):
    """Where an answer came from: a hand on a phone, a reading, or the table's own patience."""

    kind: Literal["hand", "throw", "card", "table"] = "hand"
    reading: int | None = None
    device: str = ""
    corrected: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What a person, or an accepted reading, says to a question.

    `seat` is the seat it speaks for (None: the table). `known` are box values that were read when
    it was decided; a later decision of the same answer reads the same ones.
    """

    key: str
    value: Value
    seat: str | None = None
    person: str = ""
    insist: bool = False
    source: Source = Source()


class Objection(msgspec.Struct, frozen=True):
    """Why the rules dislike an answer. Never an exception, never without a way on."""

    say: Say
    rule: str


class Event(msgspec.Struct, frozen=True, tag=True, tag_field="event"):
    """A fact that is now true. Each game subclasses this with its own events, `frozen=True` each.

    The tag is the class name, the sentence is the word `event.<ClassName>` of the game. Events
    carry changes and every value they used, never totals. `readers` (a field that a game adds to
    a secret event) names the seats that may read it; others see the word
    `event.<ClassName>.secret`.
    """


class NoSuchKey(LookupError):
    """A key, or an id inside a value, that names nothing in this game: a request error (422).

    `seen` is what was given: a key or an id, or a whole answer of another form, which is told in
    words (`answer.KIND`). `expected` tells what would have been understood.
    """

    def __init__(self, seen: str | Value, expected: Say) -> None:
        super().__init__(f"{seen!r} names nothing here; expected {expected}")
        self.seen: str | Say = seen[:80] if isinstance(seen, str) else _in_words(seen)
        self.expected = expected


def _in_words(value: Value) -> Say:
    """Return an answer as a sentence; long ones are cut."""
    match value:
        case Picked(ids) | Cards(ids) if not ids:
            return Say("answer.nothing")
        case Picked(ids) | Cards(ids):
            return Say("answer.chosen", {"ids": [id[:40] for id in ids[:9]]})
        case Dice(dice):
            return Say("answer.dice", {"n": len(dice)})
        case Filled(fields):
            return Say("answer.filled", {"fields": [name[:40] for name in [*fields][:9]]})
        case Number(number):
            return Say("answer.number", {"number": number})
        case Placed(words) | Written(words):
            return Say("answer.text", {"text": words[:80]})
        case Done():
            return Say("answer.done")


class CannotStart(ValueError):
    """A game cannot begin so: `say` tells what was seen and what was expected."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(f"{sentence.key} {sentence.values}")
        self.say = sentence


# -------------------------------------------------------------------------------- facts and view


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


# ------------------------------------------------------------------------------------------- box


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


# ------------------------------------------------------------------------------------- the game

StateT = TypeVar("StateT", bound=msgspec.Struct)


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


# -------------------------------------------------------------------------------------- readings


class SeenDie(msgspec.Struct, frozen=True):
    """One die as the camera saw it.

    x, y are tray millimetres (origin: inner top left corner); confidence is from 0 to 1;
    `likely` are the faces it may show with their probabilities, best first; `crop` is the sha256
    of its picture, "" where there is none.
    """

    colour: str
    face: str | None
    confidence: float
    x: float
    y: float
    cocked: bool = False
    on_rim: bool = False
    likely: tuple[tuple[str, float], ...] = ()
    crop: str = ""


class DiceReading(msgspec.Struct, frozen=True, tag="dice_reading", tag_field="type"):
    """A throw that came to rest. `pictures` maps sha256 to JPEG bytes (crops, and the frame).

    `settle` counts the settled throws of this camera, so that the same one never counts twice.
    `frame` is the sha256 of the whole picture. `began` is the monotonic second of the first still
    frame. `warnings` are sentences.
    """

    device: str
    set: str
    dice: tuple[SeenDie, ...]
    settle: int
    began: float
    warnings: tuple[Say, ...] = ()
    frame: str = ""
    pictures: dict[str, bytes] = {}


class CardReading(msgspec.Struct, frozen=True, tag="card_reading", tag_field="type"):
    """A tag came to the reader or left it. `uid` is lower-case hex; `at` a monotonic second."""

    device: str
    uid: str
    kind: Literal["arrived", "left"]
    at: float
    note: Say | None = None


class TrayReading(msgspec.Struct, frozen=True, tag="tray_reading", tag_field="type"):
    """The tray controller felt something. `boot` and `number` make each event count once."""

    device: str
    kind: Literal["thrown", "settled", "button"]
    boot: str
    number: int
    at: float


Reading: TypeAlias = DiceReading | CardReading | TrayReading


class Trouble(msgspec.Struct, frozen=True):
    """What is wrong with a device: what was seen, and what to do about it."""

    device: str
    seen: Say
    do: Say


Condition = Literal["absent", "waiting", "ready", "looking", "asleep", "gone"]


class DeviceState(msgspec.Struct, frozen=True):
    """How a device is. `notes` are figures for the Table page (firmware version, bad lines ...)."""

    device: str
    condition: Condition
    trouble: Trouble | None = None
    notes: dict[str, str | int | float] = {}
