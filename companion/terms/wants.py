"""What a question wants, and the forms of what is said to it, which mirror that (DESIGN 4)."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from companion.terms.sentences import Say


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
