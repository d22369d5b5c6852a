"""Vikingjarl on the big screen and at set-up: where things stand on the map, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from werkzeug.datastructures import MultiDict

from companion.table import Look
from companion.terms import Seat
from web.speaking import Speaker
from web.values import text, whole

SIGNS = {"red": "axe", "blue": "raven", "yellow": "hawk", "black": "wolf"}
"""The sign that goes with each colour (LOOK: a seat's colour never comes without its sign)."""
USUAL_NUMBERS = ("vp", "silver", "hand", "ship.v", "army.v")
"""Numbers of a seat that a scorekeeper always sees, in use or not."""
JARLS = ("harald", "gudrun", "eirik", "brage")
_SEATS = 4

_BOTTOM, _HEIGHT = 842, 780
"""Where the lowest notch of the staff is, and how far the highest is above it (map units)."""


class Place(msgspec.Struct, frozen=True):
    """A place of the map: its mark, its name's corner and anchor, and where a ship lies off it.

    All in units of the map (1010 by 890, origin top left). `inland`: the name stands on land.
    """

    x: int
    y: int
    mark: str
    tx: int
    ty: int
    anchor: str
    ship: tuple[int, int]
    inland: bool = False


PLACES: dict[str, Place] = {
    "vinland": Place(63, 485, "glory", 63, 526, "middle", (63, 415)),
    "midjardarhaf": Place(655, 827, "glory", 678, 836, "start", (590, 840)),
    "reykjavik": Place(123, 151, "p-vp", 115, 182, "end", (58, 135)),
    "husavik": Place(195, 114, "p-vp", 195, 85, "middle", (268, 84)),
    "faereyjar": Place(352, 248, "p-vp", 335, 256, "end", (369, 283)),
    "hjaltland": Place(453, 300, "p-vp", 470, 308, "start", (462, 250)),
    "orkneyjar": Place(419, 338, "p-vp", 395, 346, "end", (474, 350)),
    "iona": Place(345, 414, "p-vp", 328, 422, "end", (292, 372)),
    "man": Place(383, 480, "p-vp", 383, 458, "middle", (405, 512)),
    "cork": Place(285, 541, "p-vp", 285, 578, "middle", (218, 560)),
    "jorvik": Place(460, 486, "p-vp", 460, 525, "middle", (552, 466), inland=True),
    "lindisfarne": Place(448, 438, "p-pillage", 456, 421, "start", (536, 356)),
    "london": Place(484, 557, "p-pillage", 467, 565, "end", (552, 530), inland=True),
    "dorestad": Place(627, 537, "p-trade", 635, 568, "start", (610, 485), inland=True),
    "normandie": Place(459, 619, "p-vp", 442, 627, "end", (405, 588)),
    "rouen": Place(523, 607, "p-vp", 547, 615, "start", (500, 566), inland=True),
    "paris": Place(558, 635, "p-pillage", 566, 666, "start", (602, 610), inland=True),
    "noirmoutier": Place(433, 689, "p-vp", 416, 697, "end", (368, 735)),
    "gijon": Place(335, 790, "p-pillage", 335, 827, "middle", (378, 742), inland=True),
    "santiago": Place(252, 805, "p-trade", 235, 813, "end", (210, 758)),
    "ribe": Place(674, 432, "p-trade", 657, 440, "end", (618, 395)),
    "jomsborg": Place(812, 454, "p-pillage", 812, 491, "middle", (838, 412), inland=True),
    "truso": Place(915, 427, "p-trade", 915, 464, "middle", (886, 378), inland=True),
    "birka": Place(820, 289, "p-trade", 820, 267, "middle", (884, 292), inland=True),
    "nidaros": Place(655, 194, "p-trade", 672, 202, "start", (586, 176), inland=True),
    "dublin": Place(341, 501, "p-trade", 324, 509, "end", (372, 530), inland=True),
    "kaupang": Place(677, 322, "p-home", 697, 294, "middle", (602, 326), inland=True),
}
_AT_HOME = (PLACES["kaupang"].ship, (594, 244), (550, 244), (506, 244))
"""Where ships lie off Kaupang: every game begins there, and four side by side hid Lindisfarne."""


class Town(msgspec.Struct, frozen=True):
    """A place as it is drawn now: bold where it matters, with the colour that settled it."""

    id: str
    place: Place
    bold: bool
    settled: str = ""
    damaged: bool = False


class Piece(msgspec.Struct, frozen=True):
    """A ship's or a pennant's corner, its seat's colour and sign; `large` where it fights."""

    seat: str
    colour: str
    sign: str
    x: int
    y: int
    large: bool = False


class Notch(msgspec.Struct, frozen=True):
    """A notch of the score staff; `label` is "" where there is no room for every number."""

    y: int
    label: str
    target: bool


class Wall(msgspec.Struct, frozen=True):
    """What the big screen draws: the staff with its stones, the map with its pieces."""

    notches: tuple[Notch, ...]
    target_y: int
    stones: tuple[Piece, ...]
    towns: tuple[Town, ...]
    ships: tuple[Piece, ...]
    armies: tuple[Piece, ...]
    said: str


def wall_of(look: Look, speaker: Speaker) -> Wall | None:
    """Return the drawing of the shared view, None where no game is on the table."""
    picture = look.view.picture if look.view else None
    if picture is None:
        return None
    fight = picture.battle.town if picture.battle else ""
    top = max(picture.target + 2, *(jarl.vp + 1 for jarl in picture.jarls))
    step = _HEIGHT / top
    every = max(1, -(-36 // int(step)))
    notches = tuple(
        Notch(
            round(_BOTTOM - n * step),
            str(n) if n == picture.target or n % every == 0 else "",
            n == picture.target,
        )
        for n in range(top + 1)
    )
    return Wall(
        notches,
        round(_BOTTOM - picture.target * step),
        _stones(picture, step),
        _towns(picture, fight),
        _ships(picture, fight),
        _armies(picture),
        "; ".join(
            f"{speaker.seat_name(jarl.seat)}: {speaker.shown(jarl.ship.at)}"
            for jarl in picture.jarls
        ),
    )


def read_setup(form: MultiDict[str, str]) -> tuple[list[Seat], dict[str, Any]]:
    """Return seats (clockwise) and choices of the set-up form."""
    seats: list[Seat] = []
    choices: dict[str, Any] = {"target_vp": whole(form, "target_vp", 10)}
    for row in range(1, _SEATS + 1):
        jarl, colour = text(form, f"jarl.{row}"), text(form, f"colour.{row}")
        if not jarl:
            continue
        seats.append(Seat(jarl, colour, SIGNS.get(colour, ""), text(form, f"person.{row}")))
        choices[f"ship.{jarl}"] = whole(form, f"ship.{row}", _SEATS)
        if form.get("first") == str(row):
            choices["first"] = jarl
    choices["variant"] = [variant for variant in form.getlist("variant") if variant]
    choices["rounds"] = whole(form, "rounds", 10)
    choices |= {key: text(form, key) for key in form if key.startswith("switch.") and form[key]}
    return seats, choices


def house_rules(speaker: Speaker) -> list[tuple[str, list[str]]]:
    """Return the house-rule switches with their values, the usual one first, from the words."""
    keys = speaker.words.keys("switch.", speaker.language, "vikingjarl")
    rules: dict[str, list[str]] = {}
    for key in keys:
        _, name, *value = key.split(".")
        rules.setdefault(name, []).extend(value)
    return [(name, values) for name, values in rules.items() if values]


def _stones(picture: Any, step: float) -> tuple[Piece, ...]:
    stones: list[Piece] = []
    beside: dict[int, int] = {}
    for jarl in sorted(picture.jarls, key=lambda jarl: -jarl.vp):
        y = round(_BOTTOM - jarl.vp * step) - 34
        x = 112 + 27 * beside.get(jarl.vp, 0)
        beside[jarl.vp] = beside.get(jarl.vp, 0) + 1
        stones.append(Piece(jarl.seat, jarl.colour, jarl.sign, x, y))
    return tuple(stones)


def _towns(picture: Any, fight: str) -> tuple[Town, ...]:
    settled = {s.town: (jarl.colour, s.damaged) for jarl in picture.jarls for s in jarl.settlements}
    return tuple(
        Town(id, place, id in (fight, "kaupang"), *settled.get(id, ("", False)))
        for id, place in PLACES.items()
    )


def _ships(picture: Any, fight: str) -> tuple[Piece, ...]:
    lying: dict[str, int] = {}
    ships: list[Piece] = []
    for jarl in picture.jarls:
        at = jarl.ship.at.removeprefix("sea_")
        place = PLACES.get(at)
        if place is None:
            continue
        beside = lying.get(at, 0)
        lying[at] = beside + 1
        x, y = place.ship[0] + 44 * beside, place.ship[1]
        if at == "kaupang":
            x, y = _AT_HOME[beside]
        large = jarl.ship.at == fight and picture.battle.jarl == jarl.seat
        w, h = (96, 88) if large else (76, 70)
        x, y = x - w // 2, y - h // 2
        ships.append(Piece(jarl.seat, jarl.colour, jarl.sign, x, y, large))
    return tuple(ships)


def _armies(picture: Any) -> tuple[Piece, ...]:
    standing: dict[str, int] = {}
    armies: list[Piece] = []
    ashore: Sequence[Any] = [jarl for jarl in picture.jarls if not jarl.army.aboard]
    for jarl in ashore:
        at = jarl.army.at.removeprefix("land_")
        place = PLACES.get(at)
        if place is None:
            continue
        beside = standing.get(at, 0)
        standing[at] = beside + 1
        x = min(place.x + 18 + 56 * (beside % 2), 950)
        y = place.y - 28 + 46 * (beside // 2)
        armies.append(Piece(jarl.seat, jarl.colour, jarl.sign, x, y))
    return tuple(armies)
