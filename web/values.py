"""What a form says, as a value of the kind that is wanted, and bounds for what anybody may send."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, cast

from werkzeug.datastructures import MultiDict

from companion.terms import (
    CardOf,
    Cards,
    Count,
    Dice,
    Die,
    Done,
    Faces,
    Filled,
    Form,
    Number,
    Pick,
    Picked,
    Place,
    Placed,
    Text,
    Value,
    Wants,
    Written,
)
from web.guard import Refusal

_LARGEST = 1_000_000_000
"""No number of any of the games comes near it; larger ones could not be stored."""
_LONGEST_TEXT = 200
_LONGEST_LIST = 200
_ZONES = {"sea": "sea", "see": "sea", "land": "land"}
"""How people begin the label of a zone, in either language, and how it is kept."""


def value_of_form(
    form: MultiDict[str, str], wants: Wants | None, named: Sequence[str] = ()
) -> Value:
    """Return the form's answer to a question that wants this; raises `Refusal` (422).

    `named` are places that people named already: typed again in whatever case, it is the same.
    """
    if "done" in form or wants is None:
        return Done()
    match wants:
        case Count():
            return Number(whole(form, "value"))
        case Pick():
            return Picked(_chosen(form, "value"))
        case CardOf():
            ids = _chosen(form, "value")
            return Picked(ids) if ids == ("pass",) else Cards(ids)
        case Place():
            return Placed(_place(form, "value", wants, named))
        case Text():
            return Written(text(form, "value", wants.longest))
        case Form(fields):
            return Filled(
                {f.name: _field(form, f.name, f.wants, named) for f in fields if f.name in form}
            )
        case Faces():
            return _dice(form, wants)


def said_fields(wants: Wants | None, value: Value) -> dict[str, Any]:
    """Return what a form shows that begins with this answer: the way back of `value_of_form`."""
    match value, wants:
        case Dice(dice), Faces():
            left = list(dice)
            fields: dict[str, Any] = {}
            for side, pool in (wants.sides or {"": wants.counts}).items():
                for colour, count in pool.items():
                    own = [d for d in left if d.colour == colour and d.side in (None, side)]
                    for number, die in enumerate(own[:count]):
                        fields[f"{side}.{colour}.{number}"] = die.face
                        left.remove(die)
            return fields
        case ((Picked(ids) | Cards(ids)), _):
            return {"value": list(ids)}
        case Number(number), _:
            return {"value": number}
        case Placed(place), _:
            return {"value": place}
        case Written(words), _:
            return {"value": words}
        case Filled(fields), _:
            return dict(fields)
        case _:
            return {}


def whole(form: Mapping[str, str], name: str, default: int | None = None) -> int:
    """Return a whole number of the form; raises `Refusal` where there is none, or a huge one."""
    given = form.get(name, "").strip().replace("\u2212", "-")
    if not given and default is not None:
        return default
    digits = given.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 12:
        raise Refusal(422, "number", field=name, seen=given[:40])
    number = int(given)
    if abs(number) > _LARGEST:
        raise Refusal(422, "number", field=name, seen=given[:40])
    return number


def text(form: Mapping[str, str], name: str, longest: int = 40) -> str:
    """Return a typed text as Unicode NFC, without control characters, cut to `longest`."""
    return clean(form.get(name, ""), longest)


def clean(given: str, longest: int = 40) -> str:
    """Return a text as it is kept: Unicode NFC, printable, at most `longest` characters."""
    composed = unicodedata.normalize("NFC", given)
    kept = "".join(c for c in composed if unicodedata.category(c)[0] != "C")
    return " ".join(kept.split())[:longest]


def bounded(value: Any) -> None:
    """Refuse (422) numbers, texts and lists that no answer has, however deep they are."""
    match value:
        case bool() | None:
            return
        case int():
            if abs(value) > _LARGEST:
                raise Refusal(422, "number", field="value", seen=str(value)[:40])
        case str():
            if len(value) > _LONGEST_TEXT:
                raise Refusal(422, "long", seen=value[:40], longest=_LONGEST_TEXT)
            if any("\ud800" <= c <= "\udfff" for c in value):
                raise Refusal(422, "unreadable")
        case dict():
            fields = cast("dict[Any, Any]", value)
            bounded([*fields.keys(), *fields.values()])
        case list() | tuple():
            parts = cast("Sequence[Any]", value)
            if len(parts) > _LONGEST_LIST:
                raise Refusal(422, "many", seen=len(parts), most=_LONGEST_LIST)
            for part in parts:
                bounded(part)
        case _:
            return


def _chosen(form: MultiDict[str, str], name: str) -> tuple[str, ...]:
    ids = tuple(v for v in form.getlist(name) if v)
    bounded(ids)
    return ids


def _field(
    form: MultiDict[str, str], name: str, wants: Wants, named: Sequence[str]
) -> int | str | list[str]:
    match wants:
        case Count():
            return whole(form, name, 0)
        case Pick(at_most=most) if most > 1:
            return list(_chosen(form, name))
        case Place():
            return _place(form, name, wants, named)
        case _:
            return text(form, name)


def _place(form: Mapping[str, str], name: str, wants: Place, named: Sequence[str]) -> str:
    """Return a chosen place, or a typed one as a label, as it was typed: "sea B" is `sea_B`.

    Where all zones that may be chosen are of one kind the label gets it: "North" is `sea_North`.
    One that is known already keeps its own letters, large or small.
    """
    written = text(form, f"{name}.written").replace(" ", "_")
    if not written:
        return text(form, name)
    options = [option.id for option in wants.allowed]
    known = {id.casefold(): id for id in (*named, *options)}
    if written.casefold() in known:
        return known[written.casefold()]
    kind, _, rest = written.partition("_")
    kinds = {id.partition("_")[0] for id in options} & set(_ZONES.values())
    if kind.casefold() in _ZONES and rest:
        written = f"{_ZONES[kind.casefold()]}_{rest}"
    elif len(kinds) == 1:
        written = f"{kinds.pop()}_{written}"
    return known.get(written.casefold(), written)


def _dice(form: MultiDict[str, str], wants: Faces) -> Dice:
    """Read fields `SIDE.COLOUR.N`, each a face; a side is told only where both throw a colour."""
    dice: list[Die] = []
    for side, pool in (wants.sides or {"": wants.counts}).items():
        for colour, count in pool.items():
            both = sum(colour in other for other in wants.sides.values()) > 1
            for number in range(count):
                face = text(form, f"{side}.{colour}.{number}")
                if not face:
                    raise Refusal(422, "face", colour=colour, n=number + 1)
                dice.append(Die(colour, face, side if both else None))
    return Dice(tuple(dice))
