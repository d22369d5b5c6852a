"""A whole game of two Jarls to 10 victory points: what each of them says, throws and taps.

From Kaupang Ribe, Hjaltland and Jomsborg are within 3 steps, as the rulebook tells; where print is
silent the movers are trusted. Nothing is set by hand but one coin that was counted wrong, and what
Harald tells his own phone of his hand. Nobody plays more cards than were drawn, nor a title more
often than the deck has it.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.terms import Cards, Done, Filled, Number, Picked, Placed, Seat, Value

SEATS = (Seat("harald", "red", "axe", "Signe"), Seat("gudrun", "blue", "raven", "Jonas"))
CHOICES = {"first": "harald", "ship.harald": 4, "ship.gudrun": 3, "target_vp": 10}
"""Harald's 4 Vikings sail, one of Gudrun's stays with her Army."""


@dataclass(frozen=True)
class Says:
    """A Jarl answers a question, or corrects a number (`fact:KEY`), on the own phone."""

    seat: str
    key: str
    value: Value


@dataclass(frozen=True)
class Throws:
    """Dice go into the tray, and this Jarl takes what the camera read."""

    seat: str
    dice: str


@dataclass(frozen=True)
class Takes:
    """A Jarl takes by tap the throw that came back when its step was undone."""

    seat: str
    dice: str


@dataclass(frozen=True)
class Taps:
    """A Jarl lays a Saga on the reader."""

    seat: str
    card: str


@dataclass(frozen=True)
class Undoes:
    """A Jarl takes back the last steps, one by one."""

    seat: str
    steps: int


@dataclass(frozen=True)
class Looks:
    """Everybody looks at the own page of this name, and at the big screen."""

    at: str
    page: str = "now"


Deed = Says | Throws | Takes | Taps | Undoes | Looks


@dataclass(frozen=True)
class Chapter:
    """A part of the game, what the story tells of it, and how both stand after it.

    `stands` is victory points, silver and Sagas in hand, of Harald and of Gudrun.
    """

    name: str
    deeds: tuple[Deed, ...]
    tells: tuple[str, ...]
    stands: tuple[tuple[int, int, int], tuple[int, int, int]]


def draws(seat: str) -> Says:
    return Says(seat, "turn.draw", Done())


def ends(seat: str) -> Says:
    return Says(seat, "turn.end", Done())


def sails(seat: str, place: str, steps: int) -> tuple[Deed, ...]:
    """The destination first; then how many steps it was, where it was more than one."""
    there = Says(seat, f"{seat}.ship.move", Placed(place))
    return (there, Says(seat, "move.steps", Number(steps))) if steps > 1 else (there,)


def picks(seat: str, key: str, *ids: str) -> Says:
    return Says(seat, key, Picked(ids))


def fills(seat: str, key: str, **fields: int | str | list[str]) -> Says:
    """A form's fields; a double underscore stands for a dot, a leading one is dropped."""
    named = {name.lstrip("_").replace("__", "."): value for name, value in fields.items()}
    return Says(seat, key, Filled(named))


def loads(seat: str, source: str, target: str, kind: str, number: int) -> Says:
    return fills(seat, f"{seat}.transfer", _from=source, to=target, kind=kind, number=number)


H, G = "harald", "gudrun"

GAME: tuple[Chapter, ...] = (
    Chapter(
        "everybody keeps a Saga",
        (Says(H, "setup.draft", Done()),),
        ("Everybody holds 1 Saga",),
        ((0, 1, 1), (0, 2, 1)),
    ),
    Chapter(
        "Harald pillages Jomsborg",
        (
            draws(H),
            Says(H, "harald.board", Done()),
            *sails(H, "jomsborg", 3),
            picks(H, "harald.ship.act", "attack:jomsborg"),
            Looks("what the box says"),
            Says(H, "box:jomsborg.defenders", Number(3)),
            Says(H, "box:jomsborg.silver", Number(2)),
            fills(H, "battle.commit", ship=4),
            Looks("a throw is asked"),
            Throws(H, "B HHM W HM"),
            Throws(H, "B HMM W M"),
            Taps(H, "silver_treasure"),
            ends(H),
        ),
        (
            "Harald: the Army went aboard",
            "Harald attacks in Jomsborg",
            "Harald pillaged Jomsborg",
            "Harald played Silver Treasure",
        ),
        ((0, 10, 1), (0, 2, 1)),
    ),
    Chapter(
        "Gudrun buys in Ribe",
        (
            draws(G),
            *sails(G, "ribe", 3),
            picks(G, "town.ribe.flip", "wood"),
            Looks("trade"),
            fills(G, "gudrun.ship.trade", buy__wood__ship=1),
            ends(G),
        ),
        ("Ribe sells wood",),
        ((0, 10, 1), (0, 0, 2)),
    ),
    Chapter(
        "Harald buys in Truso",
        (
            draws(H),
            *sails(H, "truso", 3),
            picks(H, "town.truso.flip", "wood", "mead"),
            fills(H, "harald.ship.trade", buy__wood__army=2, buy__mead__army=2, buy__mead__ship=1),
            Taps(H, "good_trade"),
            Looks("good trade"),
            picks(H, "saga.take", "iron"),
            ends(H),
        ),
        ("Truso sells wood and mead", "Harald played Good Trade"),
        ((0, 0, 1), (0, 0, 2)),
    ),
    Chapter(
        "Gudrun sells at home, recruits, and discards to three",
        (
            draws(G),
            *sails(G, "kaupang", 3),
            fills(G, "gudrun.ship.trade", sell__wood__ship=1, buy__saga=1),
            fills(G, "gudrun.army.recruit", army=3),
            ends(G),
            Looks("phase 3"),
            Taps(G, "berserk"),
        ),
        (
            "Gudrun bought 1 Saga",
            "Gudrun recruited 3 Vikings in Kaupang",
            "Gudrun discarded Berserk",
        ),
        ((0, 0, 1), (0, 1, 3)),
    ),
    Chapter(
        "Harald settles Hjaltland",
        (
            draws(H),
            Taps(H, "njord"),
            *sails(H, "hjaltland", 5),
            picks(H, "harald.ship.act", "settle:hjaltland"),
            Looks("settled", "board"),
            loads(H, "ship", "hjaltland", "v", 1),
            loads(H, "army", "hjaltland", "mead", 1),
            ends(H),
        ),
        ("Harald played Njord", "Harald settled Hjaltland"),
        ((4, 0, 1), (0, 1, 3)),
    ),
    Chapter(
        "Gudrun lies off Hjaltland and finds a coin",
        (
            draws(G),
            *sails(G, "sea_hjaltland", 2),
            Says(G, "fact:gudrun.silver", Number(2)),
            ends(G),
            Says(G, "gudrun.discard", Cards(("unknown",))),
        ),
        ("Gudrun drew a Saga",),
        ((4, 0, 1), (0, 2, 3)),
    ),
    Chapter(
        "Harald beats Orkneyjar",
        (
            draws(H),
            Says(H, "fact:harald.hand.titles", Cards(("freyr", "shield_wall"))),
            Looks("own hand", "board"),
            *sails(H, "orkneyjar", 3),
            picks(H, "harald.ship.act", "attack:orkneyjar"),
            Looks("flip"),
            fills(H, "town.orkneyjar.flip", defenders=1, vp=2, reward="iron"),
            fills(H, "battle.commit", ship=2),
            Throws(H, "B HM W M"),
            ends(H),
        ),
        ("Orkneyjar shows 1 defender, 2 victory points", "The shield of Orkneyjar left the game"),
        ((6, 0, 2), (0, 2, 3)),
    ),
    Chapter(
        "Gudrun attacks Hjaltland",
        (
            draws(G),
            *sails(G, "hjaltland", 1),
            picks(G, "gudrun.ship.act", "attack:hjaltland"),
            fills(G, "battle.commit", ship=3),
            Taps(G, "valhalla"),
            Taps(H, "shield_wall"),
            Looks("shield wall"),
            Throws(G, "B MMM W HMM R M"),
            Taps(G, "tyr"),
            Looks("tyr"),
            picks(G, "saga.die", "die:black:1"),
        ),
        ("Gudrun played Valhalla", "Harald played Shield Wall", "Gudrun played Tyr"),
        ((6, 0, 1), (0, 2, 2)),
    ),
    Chapter(
        "The throw is taken back and taken again",
        (
            Undoes(G, 3),
            Takes(G, "B MMM W HMM R M"),
            Taps(G, "tyr"),
            picks(G, "saga.die", "die:black:2"),
        ),
        ("Tyr turned black die 2 to a helmet",),
        ((6, 0, 1), (0, 2, 2)),
    ),
    Chapter(
        "Hjaltland falls",
        (
            Throws(G, "B MM W HMM R M"),
            Looks("loot"),
            fills(G, "battle.loot", mead=1),
            ends(G),
        ),
        ("Hjaltland, Settlement of Harald, is damaged", "Gudrun took 1 mead of Harald"),
        ((2, 0, 1), (0, 2, 2)),
    ),
    Chapter(
        "Frigg answers Freyr",
        (
            draws(H),
            *sails(H, "sea_hjaltland", 2),
            Taps(H, "freyr"),
            Looks("on whom"),
            picks(H, "saga.target", G),
            Looks("where to"),
            Says(H, "saga.zone.ship", Placed("sea_hjaltland")),
            Looks("frigg"),
            Taps(G, "frigg"),
        ),
        ("Harald played Freya (Freyr)", "Gudrun answered Freya (Freyr) with Frigg"),
        ((2, 0, 1), (0, 2, 1)),
    ),
    Chapter(
        "Harald fights for Hjaltland and repairs it",
        (
            *sails(H, "hjaltland", 1),
            picks(H, "harald.ship.act", "repair:hjaltland"),
            fills(H, "battle.commit", ship=2),
            Throws(H, "B HM W M"),
            picks(H, "battle.loot", "mead"),
            Looks("way out"),
            Says(G, "gudrun.ship.exit", Placed("sea_hjaltland")),
            ends(H),
        ),
        ("Harald took 1 mead of Gudrun", "Harald repaired Hjaltland"),
        ((7, 0, 1), (0, 2, 1)),
    ),
    Chapter(
        "Gudrun fetches her dead from Valhalla",
        (
            draws(G),
            *sails(G, "kaupang", 2),
            loads(G, "kaupang", "ship", "v", 2),
            ends(G),
        ),
        ("2 Vikings from Kaupang to the Ship",),
        ((7, 0, 1), (0, 2, 2)),
    ),
    Chapter(
        "Harald settles Faereyjar",
        (
            draws(H),
            *sails(H, "faereyjar", 3),
            picks(H, "harald.ship.act", "settle:faereyjar"),
            ends(H),
        ),
        ("Harald settled Faereyjar",),
        ((12, 0, 2), (0, 2, 2)),
    ),
    Chapter(
        "Gudrun waits at home",
        (draws(G), ends(G)),
        ("Gudrun drew a Saga",),
        ((12, 0, 2), (0, 2, 3)),
    ),
    Chapter(
        "Harald comes home",
        (
            draws(H),
            Taps(H, "njord"),
            *sails(H, "sea_kaupang", 3),
            *sails(H, "kaupang", 1),
            Looks("won"),
        ),
        ("Harald: Ship moved to Kaupang. Harald won",),
        ((12, 0, 2), (0, 2, 3)),
    ),
)
"""Played from the first turn to the win."""
