"""A long list of places as people look for one: the near ones first, then group by group."""

from __future__ import annotations

from math import hypot

import msgspec

from companion.table import Look
from companion.terms import Fact, Place, Question
from web.courses import away
from web.speaking import Speaker
from web.vikingjarl import PLACES

_NEAR = 12
_MARKS = {"p-vp": "settle", "p-pillage": "pillage", "p-trade": "trade"}
"""The groups of towns, by the mark that the map draws at them."""
_ORDER = ("now", "near", "settle", "pillage", "trade", "sea", "land", "other")
_UNITS = ("ship", "army")


class PlaceGroup(msgspec.Struct, frozen=True):
    """Places under one heading, in the order in which they are shown: the id and name of each."""

    heading: str
    places: tuple[tuple[str, str], ...]


def places_in_groups(
    speaker: Speaker, wants: Place, where: str = "", now: str = ""
) -> tuple[PlaceGroup, ...]:
    """Return the places that may be chosen, each once.

    First come those near `where` on the drawn map, the nearest first ("" or a place that nobody
    drew: none); the others follow by what they are, in the order of their names. `now` is what is
    chosen already: where it is none of the places (people named it) it comes before all.
    """
    named = {option.id: speaker.tell(option.say) for option in wants.allowed}
    groups: dict[str, list[str]] = {"now": [], "near": _near(wants, where)}
    if now and now not in named:
        named[now] = speaker.named("place", now)
        groups["now"].append(now)
    listed = {*groups["now"], *groups["near"]}
    for place in sorted(named.keys() - listed, key=lambda place: named[place].casefold()):
        groups.setdefault(_group(place), []).append(place)
    return tuple(
        PlaceGroup(speaker.ui(f"places.{name}"), tuple((place, named[place]) for place in found))
        for name in _ORDER
        if (found := groups.get(name))
    )


def where_of(look: Look, question: Question) -> str:
    """Return where the Ship or Army is that a question sends somewhere, "" where it tells none."""
    jarl, unit = question.say.values.get("target", ""), question.say.values.get("unit", "")
    head, _, rest = question.key.partition(".")
    if rest.partition(".")[0] in _UNITS:
        jarl, unit = head, rest.partition(".")[0]
    fact = look.fact(f"{jarl}.{unit}.at")
    return where_set(look, fact) if fact is not None else ""


def where_set(look: Look, fact: Fact) -> str:
    """Return the place that a fact tells of a Ship or an Army: on board, that of its Ship."""
    if fact.value == "ship":
        ship = look.fact(f"{fact.key.partition('.')[0]}.ship.at")
        return str(ship.value or "") if ship is not None else ""
    return str(fact.value or "")


def named_places(look: Look) -> tuple[str, ...]:
    """Return the places where something is, as far as this look shows: people may have named them.

    Whoever types one of them again means that one, in large letters or small.
    """
    facts = look.view.facts if look.view else ()
    at = (f.value for f in facts if isinstance(f.set_by, Place))
    return tuple(place for place in at if isinstance(place, str))


def kinds_to_write(wants: Place) -> str:
    """Return which zones may be written by hand: `sea`, `land`, or `either`."""
    kinds = {option.id.partition("_")[0] for option in wants.allowed} & {"sea", "land"}
    return kinds.pop() if len(kinds) == 1 else "either"


def _near(wants: Place, where: str) -> list[str]:
    """Return the nearest places, as the Ship sails or the Army walks; not the present one.

    Equally near are a town and the zone outside it: the zone comes first, for both ways lead
    through it.
    """
    by_ship = kinds_to_write(wants) == "sea"
    start = _drawn(where)
    if start not in PLACES:
        return []
    far = away(start, by_ship)
    reach: list[tuple[int, float, bool, str]] = []
    for place in (option.id for option in wants.allowed):
        there = _drawn(place)
        if there in far and place != where:
            straight = hypot(*(a - b for a, b in zip(_spot(there), _spot(start), strict=True)))
            reach.append((far[there], straight, place in PLACES, place))
    return [place for *_, place in sorted(reach)[:_NEAR]]


def _drawn(place: str) -> str:
    """Return the place of the map that a town, or the zone outside it, belongs to."""
    return place.removeprefix("sea_").removeprefix("land_")


def _spot(place: str) -> tuple[int, int]:
    return PLACES[place].x, PLACES[place].y


def _group(place: str) -> str:
    kind = place.partition("_")[0]
    if place in PLACES:
        return _MARKS.get(PLACES[place].mark, "other")
    return kind if kind in ("sea", "land") else "other"
