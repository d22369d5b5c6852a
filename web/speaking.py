"""Who is looking, and in which language: the phone of a request, its seat, and its words."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from flask import g, request, session

from companion.table import Change, Look, Phone, Step, StoreTrouble, Table
from companion.terms import Fact, Pick, Say, Seat, say
from companion.words import LANGUAGES, Words

log = logging.getLogger(__name__)
SOMEBODY, PROGRAM = "@somebody", "@program"
"""Who acted where nobody gave a name: kept so in the log, and worded by `web.person.` when read."""
_FAMILIES = ("word", "place", "seat", "saga", "kind", "store", "phase", "face")
"""Where a fact's word may stand in the word files, the likeliest first."""
_BEGIN_LARGE = ("question.", "objection.")
_BETWEEN_RULES = re.compile("(; |, )")


class Speaker:
    """Turns what the table shows into this phone's view and words."""

    def __init__(self, table: Table, words: Words, wall_language: str | None) -> None:
        self._table, self.words, self._wall = table, words, wall_language
        self._looks: dict[str | None, Look] = {}
        self._game: str | None = None

    # ---- who is looking

    @property
    def phone(self) -> Phone:
        """What this phone told about itself."""
        if "about_phone" not in g:
            name = session.get("phone")
            try:
                g.about_phone = self._table.phone(str(name)) if name else Phone()
            except StoreTrouble:  # the page that tells of it must still be shown
                g.about_phone = Phone()
        return g.about_phone

    @property
    def seat(self) -> str | None:
        """The seat this phone shows, None where it holds none of this game."""
        seats = {seat.id for seat in self.look(None).seats}
        return self.phone.seat if self.phone.seat in seats else None

    @property
    def person(self) -> str:
        """Who acts on this phone: the name given to it, else its seat's, else `SOMEBODY`.

        Never empty: an empty name stands for the table itself in the log.
        """
        try:
            here = self.me(self.here())
        except Exception:  # a game that stumbles over its own view: undo must still be possible
            log.exception("the view stumbled")
            here = None
        seated = (here.person or self.seat_name(here.id)) if here else ""
        return self.phone.person or seated or SOMEBODY

    def look(self, seat: str | None) -> Look:
        """Return what a seat may see, kept until the revision grows."""
        kept = self._looks.get(seat)
        if kept is None or kept.rev != self._table.rev:
            kept = self._table.look(seat)
            self._looks[seat], self._game = kept, kept.game
        return kept

    def here(self) -> Look:
        """Return what this phone may see now."""
        return self.look(self.seat)

    @property
    def game(self) -> str | None:
        """The name of the game on the table, known also while the game stumbles over its view."""
        try:
            return self.look(None).game
        except Exception:
            log.exception("the view stumbled")
            return self._game

    @property
    def language(self) -> str:
        """The phone's chosen language, else what its browser prefers; the wall may have its own."""
        if "language" not in g:
            chosen = self.phone.language or request.accept_languages.best_match(LANGUAGES) or "en"
            g.language = (request.endpoint == "pages.wall" and self._wall) or chosen
        return g.language

    # ---- words

    def tell(self, sentence: Say | None) -> str:
        """Return a sentence as text; a question or objection begins with a capital letter."""
        if sentence is None:
            return ""
        text = self.words.tell(sentence, self.language, self.game)
        if sentence.key.startswith(_BEGIN_LARGE):  # it may begin with a place, "sea off Man"
            text = text[:1].upper() + text[1:]
        return text

    def ui(self, key: str, **values: Any) -> str:
        """Return one of the pages' own words, `web.KEY`."""
        return self.tell(Say(f"web.{key}", values))

    def knows(self, key: str) -> bool:
        """True where this key has a word in the present game or the shared files."""
        return self.words.has(key, self.language, self.game)

    def named(self, family: str, value: str) -> str:
        """Return the word `FAMILY.VALUE`, or the value itself, readably."""
        return self.words.name(family, value, self.language, self.game)

    def rule_name(self, rule: str) -> str:
        """Return where a rule stands, such as "Battle; R4, R73", each part by its word.

        A part is worded by `rule.PART`; one without a word stays as it is.
        """
        parts = _BETWEEN_RULES.split(rule)
        return "".join(p if n % 2 else self.named("rule", p) for n, p in enumerate(parts))

    def of_question(self, family: str, key: str) -> str:
        """Return the game's word `FAMILY.KEY` for a question, "" where it has none.

        A question of one seat goes by its key without the seat: `discard` for `eirik.discard`.
        """
        head, _, rest = key.partition(".")
        seats = {seat.id for seat in self.look(None).seats}
        word = f"{family}.{rest if head in seats else key}"
        return self.tell(Say(word)) if self.knows(word) else ""

    def named_in(self, family: str, value: str, game: str = "vikingjarl") -> str:
        """Return a word of a game that is not on the table yet (set-up)."""
        return self.tell_in(Say(f"{family}.{value}"), game)

    def tell_in(self, sentence: Say, game: str) -> str:
        """Return a sentence of a game that is not on the table yet."""
        return self.words.tell(sentence, self.language, game)

    def seat_name(self, seat: str | None) -> str:
        """Return how a seat is called: by the game's word for it, else by its id."""
        if seat is None:
            return ""
        return self.named("seat", seat) if self.knows(f"seat.{seat}") else seat.capitalize()

    def person_name(self, person: str) -> str:
        """Return who acted as the log keeps it: the name people gave, or a word for none."""
        named = person in (SOMEBODY, PROGRAM)
        return self.ui(f"person.{person.removeprefix('@')}") if named else person

    def seat_names(self, seats: Sequence[str]) -> str:
        """Return several seats' names as "a, b and c"."""
        return self.tell(Say("web.list", {"names": [self.seat_name(s) for s in seats]}))

    def shown(self, value: Any) -> str:
        """Return a fact's value as text; "?" while it is unknown."""
        match value:
            case None:
                return "?"
            case bool():
                return self.named("word", "true" if value else "false")
            case int():
                return str(value).replace("-", "\u2212")
            case str():
                kind = f"{value.partition('_')[0]}_"  # a zone that people named goes by its kind
                known = (f for f in _FAMILIES for w in (value, kind) if self.knows(f"{f}.{w}"))
                return self.named(next(known, "word"), value)
            case [] | ():
                return self.ui("none")
            case _:
                return self.tell(Say("web.list", {"names": [self.shown(v) for v in value]}))

    def fact_value(self, fact: Fact) -> str:
        """Return a fact's value as text, in the words of what may be chosen where it is chosen."""
        value = str(fact.value).lower() if isinstance(fact.value, bool) else fact.value
        options = fact.set_by.options if isinstance(fact.set_by, Pick) else ()
        said = next((o.say for o in options if o.id == value), None)
        return self.shown(fact.value) if said is None else self.tell(said)

    def fact_name(self, key: str, label: Say) -> str:
        """Return a fact's label, with its seat's name where it is not this phone's own."""
        owner = key.partition(".")[0]
        seats = {seat.id for seat in self.look(None).seats}
        if owner not in seats or owner == self.seat:
            return self.tell(label)
        return f"{self.seat_name(owner)}: {self.tell(label)}"

    def changed(self, change: Change) -> str:
        """Return what became of a fact: its new value, with the one before where there was one.

        A fact that is no more, such as the rounds of a battle that is over, ends in a dash.
        """
        after = "\u2013" if change.gone else self.shown(change.after)
        return after if change.before is None else f"{self.shown(change.before)} \u2192 {after}"

    def lines_of(self, step: Step) -> list[str]:
        """Return the sentences of a step; a number set by hand tells which, and how it changed.

        One that was set to what it was already tells nothing, a secret one that it was set.
        """
        told = step.told
        if step.key.startswith("fact:"):
            own = [c for c in step.changes if f"fact:{c.key}" == step.key] or step.changes[:1]
            if own:
                return [f"{self.fact_name(own[0].key, own[0].label)}: {self.changed(own[0])}"]
            told = tuple(sentence for sentence in told if sentence.key.endswith(".secret"))
        lines = [text for sentence in told if (text := self.tell(sentence))]
        return [line[:1].upper() + line[1:] for line in lines]

    # ---- for templates

    def me(self, look: Look) -> Seat | None:
        """Return the seat that this look belongs to."""
        return next((s for s in look.seats if s.id == look.seat), None)

    def for_templates(self) -> dict[str, Any]:
        """Return what every template may use."""
        return {
            "tell": self.tell,
            "ui": self.ui,
            "say": say,
            "shown": self.shown,
            "named": self.named,
            "named_in": self.named_in,
            "rule_name": self.rule_name,
            "knows": self.knows,
            "fact_name": self.fact_name,
            "fact_value": self.fact_value,
            "changed": self.changed,
            "lines_of": self.lines_of,
            "seat_name": self.seat_name,
            "seat_names": self.seat_names,
            "person_name": self.person_name,
            "language": self.language,
            "phone": self.phone,
            "form_token": session.get("form", ""),
            "path": request.path,
            "back": _page_below(),
        }


def _page_below() -> str:
    """Return the page to go back to: the one on which a sheet was opened, else this one."""
    from_sheet = request.headers.get("HX-Current-URL", "")
    if from_sheet and request.path.startswith(("/fact/", "/step/")):
        path = "/" + from_sheet.split("//", 1)[-1].partition("/")[2]
        return path.partition("?")[0] or "/now"
    if request.path.startswith("/fact/") or request.method == "POST":
        return "/now"
    return request.path
