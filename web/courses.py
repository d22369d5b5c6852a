"""Which waters and which lands open into each other on our drawn map.

Only for the order in which places are offered: how many steps lie between them the board alone
knows, and whoever moves is trusted (specification N1).
"""

from __future__ import annotations

from collections.abc import Mapping

_WATERS = {
    "vinland": "reykjavik cork santiago",
    "reykjavik": "husavik faereyjar",
    "husavik": "faereyjar nidaros",
    "faereyjar": "hjaltland orkneyjar iona nidaros",
    "hjaltland": "orkneyjar lindisfarne nidaros kaupang",
    "orkneyjar": "lindisfarne iona",
    "iona": "man cork",
    "man": "dublin",
    "dublin": "cork normandie",
    "cork": "normandie noirmoutier",
    "normandie": "rouen noirmoutier",
    "rouen": "paris london dorestad",
    "noirmoutier": "gijon santiago",
    "gijon": "santiago",
    "santiago": "midjardarhaf",
    "lindisfarne": "jorvik ribe kaupang",
    "jorvik": "london dorestad ribe",
    "london": "dorestad",
    "dorestad": "ribe",
    "kaupang": "ribe nidaros jomsborg",
    "ribe": "jomsborg",
    "jomsborg": "truso birka",
    "truso": "birka",
}
_LANDS = {
    "reykjavik": "husavik",
    "kaupang": "nidaros birka ribe",
    "ribe": "dorestad jomsborg",
    "jomsborg": "dorestad truso",
    "dorestad": "rouen paris",
    "paris": "rouen noirmoutier",
    "normandie": "rouen noirmoutier",
    "noirmoutier": "gijon",
    "gijon": "santiago",
    "london": "jorvik",
    "jorvik": "lindisfarne man",
    "lindisfarne": "man iona orkneyjar",
    "man": "dublin",
    "dublin": "cork",
}


def away(start: str, by_ship: bool) -> dict[str, int]:
    """Return how many waters (or lands) on each place of the map lies, those that can be reached.

    `start` and the places are named as the towns, Kaupang and the two token zones are.
    """
    neighbours = WATERS if by_ship else LANDS
    found, edge = {start: 0}, [start]
    while edge:
        place = edge.pop(0)
        for other in neighbours.get(place, ()):
            if other not in found:
                found[other] = found[place] + 1
                edge.append(other)
    return found


def _both_ways(one_way: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    neighbours: dict[str, tuple[str, ...]] = {}
    for place, others in one_way.items():
        for other in others.split():
            neighbours[place] = (*neighbours.get(place, ()), other)
            neighbours[other] = (*neighbours.get(other, ()), place)
    return neighbours


WATERS, LANDS = _both_ways(_WATERS), _both_ways(_LANDS)
"""The neighbours of each place, by water and by land with its crossings."""
