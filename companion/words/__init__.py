"""Player sentences: word files in both languages, and how a `Say` becomes text.

A template is a Python format string. A field may name a family after a colon: `{town:place}`
looks up the word `place.<value>` and shows an unknown label readably (the word may speak of the
other fields of its sentence); `{jarl:seat}` is the seat's
displayed name; `{n:count.viking}` picks from a pair `[one, many]`; `{n:signed}` shows +2 or −2.
A value that is a `Say` is told
itself; a sequence becomes "a, b and c", an empty one the family's word `none`, where it has one.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, cast

from companion.terms import Say

LANGUAGES = ("en", "de")
_AND = {"en": " and ", "de": " und "}


class Words:
    """All word files, merged per language and game. A game's own words come before the shared."""

    def __init__(self, shared: Mapping[str, Mapping[str, Any]]) -> None:
        self._shared = {language: dict(words) for language, words in shared.items()}
        self._games: dict[str, dict[str, dict[str, Any]]] = {}

    @classmethod
    def load(cls) -> Words:
        """Read every shipped `companion/words/*.LANG.toml`."""
        return cls({lang: _read_folder("companion.words", lang) for lang in LANGUAGES})

    def add_game(self, game: str, words: Mapping[str, Mapping[str, Any]]) -> None:
        """Give the words of a game that does not ship its own folder."""
        self._games[game] = {language: dict(words.get(language, {})) for language in LANGUAGES}

    def has(self, key: str, language: str = "en", game: str | None = None) -> bool:
        """True where this key has a word."""
        return self._find(key, language, game) is not None

    def template(
        self, key: str, language: str = "en", game: str | None = None
    ) -> str | list[str] | None:
        """Return the word as it stands in its file: a text, a pair [one, many], or None."""
        return self._find(key, language, game)

    def keys(self, prefix: str, language: str = "en", game: str | None = None) -> list[str]:
        """Return all keys that begin so, in the order of the files, the game's first."""
        own = self._of_game(game).get(language, {})
        found = [key for key in own if key.startswith(prefix)]
        shared = self._shared.get(language, {})
        return found + [key for key in shared if key.startswith(prefix) and key not in own]

    def tell(
        self,
        sentence: Say,
        language: str = "en",
        game: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> str:
        """Return the sentence as text; a missing word shows its key, never an exception."""
        return self._told(sentence, language, game, names or {}, sentence.values)

    def _told(
        self,
        sentence: Say,
        language: str,
        game: str | None,
        names: Mapping[str, str],
        spoken_of: Mapping[str, Any],
    ) -> str:
        """Tell a sentence; the words of its families may use the values it speaks of."""
        template = self._find(sentence.key, language, game)
        if template is None:
            return sentence.key
        teller = _Teller(self, language, game, names, spoken_of)
        if isinstance(template, list):
            template = template[0] if sentence.values.get("n") == 1 else template[1]
        try:
            return teller.vformat(str(template), (), sentence.values).strip()
        except (KeyError, IndexError, ValueError):
            return sentence.key

    def name(
        self,
        family: str,
        value: str,
        language: str = "en",
        game: str | None = None,
        names: Mapping[str, str] | None = None,
        spoken_of: Mapping[str, Any] | None = None,
    ) -> str:
        """Return the word `FAMILY.VALUE`; a label that people made up is shown readably.

        The label `sea_b` is worded by `FAMILY.sea_` where there is such a word, as its `{label}`;
        whatever else has no word, by `FAMILY._`. Both may word the whole `{value}` by another
        family. `spoken_of` are the fields that the word itself may use.
        """
        kind, _, label = value.partition("_")
        fields = {**(spoken_of or {}), "value": value, "label": label.replace("_", " ")}
        for word in (value, f"{kind}_" if label else "_", "_"):
            if self.has(f"{family}.{word}", language, game):
                return self._told(Say(f"{family}.{word}", fields), language, game, names or {}, {})
        return value.replace("_", " ")

    def _of_game(self, game: str | None) -> dict[str, dict[str, Any]]:
        if game is None:
            return {}
        if game not in self._games:
            package = f"companion.games.{game}.words"
            self._games[game] = {lang: _read_folder(package, lang) for lang in LANGUAGES}
        return self._games[game]

    def _find(self, key: str, language: str, game: str | None) -> str | list[str] | None:
        for words in (self._of_game(game).get(language, {}), self._shared.get(language, {})):
            if key in words:
                return words[key]
        return None


class _Teller(string.Formatter):
    """A formatter whose format specs are word families."""

    def __init__(
        self,
        words: Words,
        language: str,
        game: str | None,
        names: Mapping[str, str],
        spoken_of: Mapping[str, Any],
    ) -> None:
        super().__init__()
        self._words, self._language, self._game, self._names = words, language, game, names
        self._spoken_of = spoken_of

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Say):
            return self._words.tell(value, self._language, self._game, self._names)
        if isinstance(value, Sequence) and not isinstance(value, str):
            parts = [self.format_field(part, format_spec) for part in cast("list[Any]", value)]
            if not parts and self._words.has(f"{format_spec}.none", self._language, self._game):
                return self._family(format_spec, "none")
            return _joined(parts, _AND[self._language])
        if not format_spec:
            return str(value)
        if format_spec == "seat":
            return self._names.get(str(value)) or self._family("seat", value)
        if format_spec == "signed":
            return f"{int(value):+d}".replace("-", "\u2212")
        if format_spec.startswith("count"):
            return self._words.tell(Say(format_spec, {"n": value}), self._language, self._game)
        return self._family(format_spec, value)

    def _family(self, family: str, value: Any) -> str:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return self._words.name(
            family, text, self._language, self._game, self._names, self._spoken_of
        )


def _joined(parts: Sequence[str], last: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + last + parts[-1]


def _read_folder(package: str, language: str) -> dict[str, Any]:
    """Merge the word files of one language in a package; raises `ValueError` on a doubled key."""
    merged: dict[str, Any] = {}
    try:
        folder = resources.files(package)
    except ModuleNotFoundError:
        return merged
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name == f"{language}.toml" or file.name.endswith(f".{language}.toml"):
            for key, text in _flat(tomllib.loads(file.read_text("utf-8"))).items():
                if key in merged:
                    raise ValueError(f"{package}/{file.name}: {key!r} stands in two word files")
                merged[key] = text
    return merged


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flat.update(_flat(cast("Mapping[str, Any]", value), f"{name}."))
        else:
            flat[name] = value
    return flat
