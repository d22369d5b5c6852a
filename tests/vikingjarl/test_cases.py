"""The worked cases of Vikingjarl, each played through facts and answers alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.vikingjarl.cases import Case, read_case, shipped_cases
from tests.vikingjarl.over_http import OverHttp
from tests.vikingjarl.playing import start_in_process
from tests.vikingjarl.running_a_case import run_case

ORIGINAL = Path(__file__).parents[3] / "shared" / "rules" / "vikingjarl_cases.md"
WORKED = shipped_cases("[0-9]_*.toml")
MORE = shipped_cases("more_*.toml")

both_ways = pytest.mark.parametrize("eager", [False, True], ids=["windows-first", "eager"])


def by_id(case: Case) -> str:
    return case.id


@both_ways
@pytest.mark.parametrize("case", WORKED, ids=by_id)
def test_worked_case(case: Case, eager: bool) -> None:
    run_case(case, start_in_process, eager)


@pytest.fixture
def over_http(tmp_path: Path) -> Iterator[OverHttp]:
    table = OverHttp(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize("case", WORKED, ids=by_id)
def test_worked_case_over_http(case: Case, over_http: OverHttp) -> None:
    run_case(case, over_http.start)


@both_ways
@pytest.mark.parametrize("case", MORE, ids=by_id)
def test_more_cases(case: Case, eager: bool) -> None:
    run_case(case, start_in_process, eager)


def test_no_case_is_missing_or_twice() -> None:
    expected = {f"C{number:02}" for number in range(1, 59)} | {"C05b"}

    assert {case.id for case in WORKED} == expected
    assert len({case.id for case in WORKED + MORE}) == len(WORKED) + len(MORE)


def original_blocks() -> list[dict[str, Any]]:
    if not ORIGINAL.is_file():
        return []
    yaml = pytest.importorskip("yaml", reason="PyYAML reads the original case file")
    blocks = re.findall(r"```yaml\n(.*?)```", ORIGINAL.read_text("utf-8"), re.DOTALL)
    return [yaml.safe_load(block) for block in blocks]


def test_original_cases_hold_as_they_are_written() -> None:
    """The lines with all their remarks, as people write them, are understood too."""
    blocks = original_blocks()
    if not blocks:
        pytest.skip(f"the original case file is not at {ORIGINAL}")
    failed: list[str] = []
    for block in blocks:
        try:
            run_case(read_case(block), start_in_process)
        except AssertionError as error:
            failed.append(str(error))

    assert not failed, "\n".join(failed)
