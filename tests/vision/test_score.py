"""Measuring the reader: what counts as right, as exact, as a certain error."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.score import Score, TrueDie, Truth, TruthError, add, score_rolls
from vision.seen import SeenDie, TrayReading

RED = TrueDie("red", "helmet", 50, 50)
WHITE = TrueDie("white", "shield", 120, 80)


def seen(die: TrueDie, confidence: float = 0.95, dx: float = 0.0, face: str = "") -> SeenDie:
    return SeenDie(die.colour, face or die.face, die.x + dx, die.y, confidence)


def counted(true: tuple[TrueDie, ...], dice: tuple[SeenDie, ...]) -> Score:
    score = Score()
    add(score, "00", Truth(true, difficulty="easy"), TrayReading(dice))
    return score


def test_all_right_is_exact_whatever_is_claimed() -> None:
    tally = counted((RED, WHITE), (seen(RED, 0.2), seen(WHITE))).tallies["easy"]
    assert (tally.right, tally.dice, tally.exact) == (2, 2, 1)


def test_further_than_six_millimetres_is_another_die() -> None:
    assert counted((RED,), (seen(RED, dx=5.9),)).total.right == 1
    total = counted((RED,), (seen(RED, dx=6.1),)).total
    assert (total.right, total.invented, total.exact) == (0, 1, 0)


def test_a_wrong_face_counts_against_only_if_certain() -> None:
    assert counted((RED,), (seen(RED, 0.95, face="shield"),)).total.wrong_certain == 1
    unsure = counted((RED,), (seen(RED, 0.5, face="shield"),)).total
    assert (unsure.wrong_certain, unsure.right, unsure.exact) == (0, 0, 0)


def test_leaning_rim_and_moving_dice_are_not_asked_for() -> None:
    for name in ("cocked", "on_rim", "moving"):
        odd = TrueDie("red", "helmet", 20, 20, **{name: True})
        total = counted((WHITE, odd), (seen(WHITE),)).total
        assert (total.dice, total.exact) == (1, 1)
        certain = counted((WHITE, odd), (seen(WHITE), seen(odd))).total
        assert certain.exact == 0


def test_an_unsure_extra_die_spoils_nothing() -> None:
    extra = SeenDie("black", None, 10, 10, 0.1)
    total = counted((RED,), (seen(RED), extra)).total
    assert (total.exact, total.invented) == (1, 0)


def test_calibration_sets_claims_against_truth() -> None:
    score = Score(claims=[(0.95, True)] * 9 + [(0.95, False)] + [(0.05, False)] * 10)
    rows = {low: right for low, _, _, _, right in score.calibration()}
    assert rows[0.95] == pytest.approx(0.9)
    assert score.calibration_error() == pytest.approx(0.05)
    assert "expected calibration error 0.050" in score.table()


def test_folders_without_truth_say_so(tmp_path: Path) -> None:
    def read(_: object) -> TrayReading:
        return TrayReading(())

    with pytest.raises(TruthError, match="no folder"):
        score_rolls(tmp_path / "none", read)
    with pytest.raises(TruthError, match="no truth files numbered 20 to 39"):
        score_rolls(tmp_path, read, range(20, 40))
    (tmp_path / "01.json").write_text('{"dice": [{"colour": "red"}]}')
    with pytest.raises(TruthError, match=r"01\.json is no truth of a roll"):
        score_rolls(tmp_path, read)
    (tmp_path / "01.json").write_text('{"dice": []}')
    with pytest.raises(TruthError, match=r"01\.jpg: not a picture"):
        score_rolls(tmp_path, read)


def test_tallies_of_several_boxes_add_up() -> None:
    whole = Score()
    for die in (RED, WHITE):
        whole.add_tally("unseen easy", counted((die,), (seen(die),)).total)
    assert whole.tallies["unseen easy"].right == 2
    assert whole.total.frames == 2
