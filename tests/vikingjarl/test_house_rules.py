"""Every value of every house rule has its story, and comes out otherwise than the usual one."""

from __future__ import annotations

import pytest

from companion.games.vikingjarl.printed import SWITCHES
from tests.vikingjarl import (
    houses_in_battle,
    houses_in_towns,
    houses_of_sagas,
    houses_of_sides,
)
from tests.vikingjarl.house_rule import STORIES, Story

HOUSES = (houses_in_battle, houses_in_towns, houses_of_sagas, houses_of_sides)
TOLD = [(story, value) for story in STORIES for value in story.outcomes]
USUAL = {**{name: switch.values[0] for name, switch in SWITCHES.items()}, "target_vp": "10"}


def name_of(part: Story | str) -> str:
    return part if isinstance(part, str) else part.play.__name__


@pytest.mark.parametrize(("story", "house"), TOLD, ids=name_of)
def test_the_story_comes_out_as_the_house_plays(story: Story, house: str) -> None:
    assert story.told_in(house) == story.outcomes[house]


def test_every_value_of_every_house_rule_has_a_story() -> None:
    told = {(story.rule, value) for story, value in TOLD}
    wanted = {(name, value) for name, switch in SWITCHES.items() for value in switch.values}

    assert sorted(wanted - told) == []
    assert {rule for rule, _ in told - wanted} == {"target_vp"}, "agreed as a number, 1 to 27"


@pytest.mark.parametrize("story", STORIES, ids=name_of)
def test_no_other_value_comes_out_as_the_usual_one(story: Story) -> None:
    usual = USUAL[story.rule]
    same = [value for value in story.outcomes if value != usual and _same(story, value, usual)]

    assert usual in story.outcomes, "the usual value is told too"
    assert len(story.outcomes) > 1
    assert same == []


def _same(story: Story, value: str, usual: str) -> bool:
    return story.outcomes[value] == story.outcomes[usual]
