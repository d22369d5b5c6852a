"""What devices saw, and how they are."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from companion.terms.sentences import Say


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
