"""A house rule told as a story: one position, played the same way in every house.

A story sets the table, plays, and returns what a player would point at afterwards. Beside it stand
the values of the house rule, each with what comes of it there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.vikingjarl.at_the_table import Table

Play = Callable[[Table], Any]


@dataclass(frozen=True)
class Story:
    """A house rule with its story; `outcomes` tells by value what comes of it."""

    rule: str
    outcomes: Mapping[str, Any]
    play: Play
    choices: Mapping[str, Any]

    def told_in(self, house: str) -> Any:
        """Play the story in a house with this value and return what came of it."""
        choices = dict(self.choices)
        if self.rule == "target_vp":
            choices["target_vp"] = int(house)
        else:
            choices[f"switch.{self.rule}"] = house
        return self.play(Table(choices))


STORIES: list[Story] = []


def house_rule(
    rule: str, outcomes: Mapping[str, Any], choices: Mapping[str, Any] | None = None
) -> Callable[[Play], Play]:
    """Mark a story of a house rule; `choices` are set-up choices of the whole story."""

    def keep(play: Play) -> Play:
        STORIES.append(Story(rule, outcomes, play, choices or {}))
        return play

    return keep
