"""Who may import whom is checked by contracts; here: no module escapes them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_module_of_the_companion_stands_in_the_layers() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(c["layers"] for c in contracts["contracts"] if c["type"] == "layers")
    listed = {name.strip() for layer in layers for name in layer.split("|")}
    modules = {
        f"companion.{path.stem}"
        for path in (ROOT / "companion").iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
    }
    assert modules <= listed


def test_games_import_nothing_that_ticks_rolls_or_stores() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    pure = next(c for c in contracts["contracts"] if c["name"] == "Games are pure")
    assert set(pure["forbidden_modules"]) >= {"time", "random", "threading", "sqlite3"}


def test_everybody_takes_the_words_of_the_table_from_one_place() -> None:
    """No file but the terms' own names a file inside `companion.terms`."""
    sources = [
        path
        for part in ("companion", "web", "tests")
        for path in (ROOT / part).rglob("*.py")
        if ROOT / "companion" / "terms" not in path.parents
    ]
    inside = re.compile(r"^(from|import) companion\.terms\.", re.MULTILINE)
    assert [str(p) for p in sources if inside.search(p.read_text("utf-8"))] == []
    door = (ROOT / "companion" / "terms" / "__init__.py").read_text("utf-8")
    assert inside.search(door), "the pattern finds what it looks for"
