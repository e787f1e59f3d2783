"""Means and intervals against textbook formulas, and against the score of a match."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.matches.score import summarise
from acpcbot.reports.summary import MAX_POINTS, bankroll_curve, grouped_winnings, winnings

CHIPS = np.random.default_rng(1).normal(3, 20, 240)
STUDENT_95 = 1.9699
"""With 239 degrees of freedom."""


def test_hands_of_their_own_deals_have_the_textbook_interval() -> None:
    """Catches a variance with the wrong denominator."""
    found = winnings(CHIPS, np.arange(240), 10, CHIPS)
    assert found.mean_mbb == pytest.approx(CHIPS.mean() * 100)
    assert found.half_width_mbb == pytest.approx(
        STUDENT_95 * CHIPS.std(ddof=1) / np.sqrt(240) * 100, rel=0.01
    )
    assert found.num_hands == 240
    assert found.chips == pytest.approx(CHIPS.sum())


@pytest.mark.parametrize("num_seatings", [2, 6])
def test_a_duplicate_match_has_the_interval_of_its_score(num_seatings: int) -> None:
    """Catches hands taken for independent that share their cards."""
    deals = np.arange(240) % (240 // num_seatings)
    by_deal = CHIPS.reshape(num_seatings, -1).T
    score = summarise("x", by_deal, 10)
    found = winnings(CHIPS, deals, 10, CHIPS)
    assert (found.mean_mbb, found.half_width_mbb) == pytest.approx(
        (score.mean_mbb, score.half_width_mbb)
    )


def test_a_mirrored_deal_leaves_nothing_to_chance() -> None:
    """Catches luck counted that a deal took out again."""
    mirrored = np.tile([5.0, -5.0, 7.0, -7.0], 50)
    found, mixed = (
        winnings(mirrored, deal, 1, mirrored) for deal in (np.arange(200) // 2, np.arange(200))
    )
    assert found.mean_mbb == mixed.mean_mbb == 0
    assert 0 < found.half_width_mbb < mixed.half_width_mbb / 5


def test_rows_without_a_value_do_not_count_and_one_deal_says_nothing() -> None:
    """Catches NaN in a mean, and certainty from a single hand."""
    found = winnings(np.array([2.0, np.nan]), np.array([0, 1]), 2, np.array([2.0, 3.0]))
    assert (found.num_hands, found.mean_mbb, found.half_width_mbb) == (1, 1000, np.inf)
    assert winnings(np.array([np.nan]), np.array([0]), 1, np.array([1.0])).num_hands == 0


def test_groups_are_what_each_would_be_alone() -> None:
    """Catches rows sorted into the wrong group."""
    group, deal = np.random.default_rng(2).integers(0, 7, 240) * 3, np.arange(240) // 2
    found = grouped_winnings(CHIPS, deal, group, 1, CHIPS)
    assert list(found) == sorted(set(group.tolist()))
    for number, one in found.items():
        assert one == winnings(
            CHIPS[group == number], deal[group == number], 1, CHIPS[group == number]
        )


def test_the_curve_ends_with_the_result_and_its_interval() -> None:
    """Catches a curve of other hands, or a band that is not that of the mean."""
    deal = np.arange(240) % 120
    curve, found = bankroll_curve(CHIPS, deal, CHIPS), winnings(CHIPS, deal, 1000, CHIPS)
    assert (curve.num_hands[0], curve.chips[0], curve.half_width_chips[0]) == (0, 0, 0)
    assert curve.num_hands[-1] == 240
    assert curve.chips[-1] == pytest.approx(found.chips)
    assert curve.half_width_chips[-1] == pytest.approx(found.half_width_mbb * 240)


def test_a_long_curve_is_thinned() -> None:
    """Catches a page with a point for each of a million hands."""
    curve = bankroll_curve(np.ones(10_000), np.arange(10_000), np.ones(10_000))
    assert len(curve.num_hands) == MAX_POINTS
    assert curve.chips == pytest.approx(curve.num_hands)


def test_rows_that_nobody_has_a_value_for_have_an_empty_curve() -> None:
    """Catches a report that fails where an estimator says nothing of a player."""
    curve = bankroll_curve(np.full(3, np.nan), np.arange(3), np.ones(3))
    assert (curve.num_hands, curve.chips, curve.half_width_chips) == ((0,), (0,), (0,))
