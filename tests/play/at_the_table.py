"""The whole game without pages and devices: each deed is an answer at the table itself."""

from __future__ import annotations

from companion.table import Table, Taken
from companion.terms import Answer, Cards, Dice, Die, Source, Value
from tests.play.whole_game import Deed, Looks, Says, Takes, Taps, Throws, Undoes

COLOURS = {"B": "black", "W": "white", "R": "red"}
FACES = {"H": "helmet", "M": "shield"}
BY_HAND = Source()


def do(table: Table, deed: Deed) -> None:
    """Do it; whatever is not asked, or the rules dislike, fails."""
    match deed:
        case Says(seat, key, value):
            say(table, seat, key, value)
        case Throws(seat, dice) | Takes(seat, dice):
            say(table, seat, "battle.roll", thrown(dice), Source("throw"))
        case Taps(seat, card):
            wanted = [f"{seat}.{what}" for what in ("cancel", "discard", "saga")]
            key = next(key for key in wanted if key in asked(table, seat))
            say(table, seat, key, Cards((card,)), Source("card"))
        case Undoes(_, steps):
            for _ in range(steps):
                assert isinstance(table.undo(), Taken)
        case Looks():
            pass


def asked(table: Table, seat: str) -> list[str]:
    """Return what this seat may answer now."""
    return [q.key for q in table.look(seat).questions if not q.seats or seat in q.seats]


def say(table: Table, seat: str, key: str, value: Value, source: Source = BY_HAND) -> None:
    """Give an answer; it must be asked of this seat, and no rule may object."""
    if not key.startswith("fact:"):
        assert key in asked(table, seat), f"{key} is not asked of {seat}: {asked(table, seat)}"
    outcome = table.answer(Answer(key, value, seat, source=source))
    assert isinstance(outcome, Taken), f"{seat}, {key}: {outcome}"


def thrown(dice: str) -> Dice:
    """Read dice as in `B HHM W HM`."""
    words = dice.split()
    return Dice(
        tuple(
            Die(COLOURS[colour], FACES[face])
            for colour, faces in zip(words[::2], words[1::2], strict=True)
            for face in faces
        )
    )
