"""ARCHITECTURE.md is true to the code: every file and function it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
PARTS = [part for part in re.split(r"\n(?=\d+\. |#|\n)", PAGE) if "`" in part]
"""List items and paragraphs: a function stands in one of the files of its own part."""


def test_every_file_exists() -> None:
    files = re.findall(r"`([\w/]+\.(?:py|js|toml))`", PAGE)

    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.strip()[:24])
def test_every_function_stands_in_a_file_that_is_named_beside_it(part: str) -> None:
    known: set[str] = set()
    for file in re.findall(r"`([\w/]+\.py)`", part):
        known |= defined_in(ROOT / file)

    assert [name for name in re.findall(r"`([\w.]+)\(\)`", part) if name not in known] == []


def defined_in(file: Path) -> set[str]:
    """Return the functions of a file, methods as `Class.method`."""
    names: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{d.name}" for d in node.body if isinstance(d, ast.FunctionDef)}
    return names


def test_the_mapping_of_vikingjarl_names_each_of_its_files_and_no_other() -> None:
    folder = ROOT / "companion" / "games" / "vikingjarl"
    page = (folder / "README.md").read_text("utf-8").partition("## How an answer travels")[0]
    named = set(re.findall(r"`(\w+\.py)`", page))
    there = {file.name for file in folder.glob("*.py")} - {"__init__.py"}
    twins = {f"applying_{part}.py" for part in ("cards", "pieces", "battle")}  # "the same three"

    assert named == there - twins
