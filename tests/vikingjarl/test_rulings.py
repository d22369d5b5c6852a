"""A fresh reader with a ruling's number finds its place in the rules of the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import vikingjarl
from companion.games.vikingjarl.printed import SWITCHES

RULINGS = 89
ABOUT_EXAMPLES = {78}  # how to read printed examples whose dice are pictures: a matter of tests
FOLDER = Path(vikingjarl.__file__).parent


def cited(text: str) -> set[int]:
    """Return the rulings that a text names: `R7`, and all of `R13 to R16`."""
    found = {int(number) for number in re.findall(r"\bR(\d+)\b", text)}
    for first, last in re.findall(r"\bR(\d+) to R(\d+)\b", text):
        found |= set(range(int(first), int(last) + 1))
    return found


@pytest.fixture(scope="module")
def places() -> dict[int, list[str]]:
    files = [*FOLDER.glob("*.py"), FOLDER / "printed.toml"]
    by_ruling: dict[int, list[str]] = {}
    for file in sorted(files):
        for number in cited(file.read_text("utf-8")):
            by_ruling.setdefault(number, []).append(file.name)
    return by_ruling


def test_every_ruling_has_its_place(places: dict[int, list[str]]) -> None:
    assert set(range(1, RULINGS + 1)) - set(places) == ABOUT_EXAMPLES


def test_no_ruling_is_named_that_is_none(places: dict[int, list[str]]) -> None:
    assert max(places) == RULINGS


@pytest.mark.parametrize(
    ("ruling", "file"),
    [
        (8, "settling.py"),
        (12, "settling.py"),
        (18, "attack.py"),
        (39, "saga_moments.py"),
        (43, "saga_moments.py"),
        (45, "attack.py"),
        (75, "preparations.py"),
        (82, "phases.py"),
        (85, "cargo.py"),
        (87, "battle_questions.py"),
    ],
)
def test_a_ruling_stands_in_the_file_of_its_chapter(
    places: dict[int, list[str]], ruling: int, file: str
) -> None:
    assert file in places[ruling]


def test_the_list_of_rulings_is_whole_and_true(places: dict[int, list[str]]) -> None:
    listed = re.findall(r"^\| R(\d+) \|.*$", (FOLDER / "RULINGS.md").read_text("utf-8"), re.M)
    assert [int(number) for number in listed] == list(range(1, RULINGS + 1))

    for line in (FOLDER / "RULINGS.md").read_text("utf-8").splitlines():
        if found := re.match(r"\| R(\d+) \|", line):
            files = re.findall(r"`(\w+\.(?:py|toml))`", line)
            strange = [file for file in files if file not in places.get(int(found[1]), [])]
            assert strange == [], line


def test_the_house_rules_are_listed_as_they_are() -> None:
    page = (FOLDER / "README.md").read_text("utf-8")
    rows = dict(
        re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", page.partition("## House rules")[2], re.M)
    )

    assert rows.pop("target_vp") == "10, 1 to 27"
    assert rows == {name: ", ".join(switch.values) for name, switch in SWITCHES.items()}
