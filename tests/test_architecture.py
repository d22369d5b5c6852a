"""Who may import whom is checked by contracts; here: no module escapes them."""

from __future__ import annotations

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
