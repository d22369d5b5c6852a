"""What is claimed of a die: less where a cue speaks against it, never certain of what may lean."""

from __future__ import annotations

import numpy as np
import pytest

from vision.certainty import Cues, chance, is_ghost, leans
from vision.seen import CERTAIN
from vision.weigh import fit_claims, fit_weights

CLEAR = Cues(
    alike=0.99,
    match=0.9,
    ahead=0.8,
    tone_ahead=0.4,
    tone_off=0.1,
    edges=0.85,
    weakest=0.8,
    beside=0.0,
    room=30.0,
    parallel=0.0,
    burnt=0.0,
    narrow=0.0,
    covered=1.0,
    kept=0.0,
    telling=0.8,
)


def test_a_clear_die_is_certain() -> None:
    assert chance(CLEAR) > 0.99
    assert not leans(CLEAR)
    assert not is_ghost(CLEAR)


@pytest.mark.parametrize(
    ("cue", "value"),
    [("match", 0.3), ("ahead", 0.0), ("tone_off", 0.9), ("alike", 0.7), ("weakest", 0.2)],
)
def test_every_cue_that_speaks_against_it_lowers_the_claim(cue: str, value: float) -> None:
    assert chance(CLEAR._replace(**{cue: value})) < chance(CLEAR)


def test_what_lies_as_a_leaning_die_does_is_asked_about() -> None:
    along_the_wall = CLEAR._replace(parallel=1.0, room=4.0)
    assert chance(along_the_wall) < CERTAIN
    assert leans(along_the_wall._replace(beside=0.6))


def test_an_unknown_drawing_is_not_certain() -> None:
    assert chance(CLEAR._replace(match=0.4, alike=0.85, ahead=0.2)) < CERTAIN


def test_a_shadow_through_which_the_felt_is_seen_is_no_die() -> None:
    shadow = CLEAR._replace(alike=0.72, match=0.3, edges=0.5, weakest=0.3, covered=0.4, kept=0.6)
    assert is_ghost(shadow)
    assert not is_ghost(shadow._replace(covered=1.0, kept=0.0))


def test_weights_are_never_negative_and_tell_what_counts() -> None:
    rng = np.random.default_rng(1)
    told = rng.uniform(0, 1, (400, 2))  # the first cue decides, the second speaks against itself
    right = (told[:, 0] - 0.3 * told[:, 1] + rng.normal(0, 0.1, 400) > 0.4).astype(float)
    weights, base = fit_weights(told, right)
    assert weights[0] > 5
    assert weights[1] == 0
    assert base < 0


def test_claims_follow_what_was_true_and_never_cross_the_line_of_certainty() -> None:
    rng = np.random.default_rng(2)
    said = rng.uniform(-4, 4, 3000)
    right = (rng.uniform(0, 1, 3000) < 1 / (1 + np.exp(-2 * said))).astype(float)
    true = fit_claims(said, right)
    assert (np.diff(true) >= 0).all()
    assert true[2] < -4  # said -2.94, true about -5.9
    assert 1 / (1 + np.exp(-true[7])) < CERTAIN
