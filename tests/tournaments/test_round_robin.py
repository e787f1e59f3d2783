"""Rows, cross tables, averages and their intervals, from results worked out by hand and by
simulation.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from acpcbot.matches.score import summarise
from acpcbot.tournaments.round_robin import (
    MAX_BLOCKS,
    MatchResult,
    RoundRobin,
    averages,
    cross_table,
    stack_results,
)

NUM_TOURNAMENTS = 2000

Deals = list[list[float]]


def result(entrants: tuple[int, ...], deals: Deals) -> MatchResult:
    return MatchResult.from_hands(
        entrants, np.array(deals, np.float64).reshape(-1, 1, len(entrants))
    )


def test_rows_hold_each_entrants_own_results_and_who_sat_with_him() -> None:
    robin = RoundRobin(np.array([(0, 1), (0, 2), (1, 2)]))
    won = np.array([[1.0, -1.0], [2.0, -2.0], [4.0, -4.0]])
    assert robin.rows(won).tolist() == [[1.0, 2.0], [-1.0, 4.0], [-2.0, -4.0]]
    assert robin.mates[..., 0].tolist() == [[1, 2], [0, 2], [0, 1]]


def test_rows_of_three_player_matches_name_both_mates() -> None:
    robin = RoundRobin(np.array(list(combinations(range(4), 3))))
    for entrant, mates in enumerate(robin.mates.tolist()):
        others = [number for number in range(4) if number != entrant]
        assert sorted(map(sorted, mates)) == [list(pair) for pair in combinations(others, 2)]


def test_a_match_is_summed_up_by_mean_and_interval() -> None:
    deals = [[10.0, -10.0], [20.0, -20.0], [60.0, -60.0]]
    found = result((0, 1), deals)
    assert found.mean_mbb.tolist() == [30.0, -30.0]
    assert found.half_width_mbb == pytest.approx(
        [summarise("", np.array(deals)[:, :1], 1000).half_width_mbb] * 2
    )
    assert found.block_sums_mbb.tolist() == [[10.0, -10.0], [20.0, -20.0], [60.0, -60.0]]


def test_one_deal_has_no_interval_and_none_is_not_a_number() -> None:
    assert np.isinf(result((0, 1), [[10.0, -10.0]]).half_width_mbb).all()
    assert np.isnan(result((0, 1), []).mean_mbb).all()


@pytest.mark.parametrize("num_deals", [1, 2, MAX_BLOCKS - 1, MAX_BLOCKS, MAX_BLOCKS + 1, 1000])
def test_blocks_hold_every_deal_once(num_deals: int) -> None:
    deals = np.arange(2.0 * num_deals).reshape(num_deals, 2)
    found = MatchResult.from_hands((0, 1), deals[:, None])
    assert found.block_sizes.sum() == num_deals
    assert found.block_sums_mbb.sum(axis=0).tolist() == deals.sum(axis=0).tolist()
    assert len(found.block_sizes) == min(num_deals, MAX_BLOCKS)
    assert found.block_sizes.max() - found.block_sizes.min() <= 1


def test_the_cross_table_of_pairs_is_antisymmetric_with_nothing_on_its_diagonal() -> None:
    results = [
        result((0, 1), [[10.0, -10.0], [30.0, -30.0]]),
        result((0, 2), [[5.0, -5.0], [5.0, -5.0]]),
        result((1, 2), [[0.0, 0.0], [8.0, -8.0]]),
    ]
    cross = cross_table(*stack_results(results))
    assert np.array_equal(
        cross.mean_mbb, [[np.nan, 20, 5], [-20, np.nan, 4], [-5, -4, np.nan]], equal_nan=True
    )
    halves = [match.half_width_mbb[0] for match in results]
    assert cross.half_width_mbb[0, 1] == cross.half_width_mbb[1, 0] == pytest.approx(halves[0])
    mean = averages(*stack_results(results)[1:])
    assert mean.mean_mbb.tolist() == [12.5, -8.0, -4.5]
    assert mean.half_width_mbb[0] == pytest.approx(np.hypot(halves[0], halves[1]) / 2)
    assert mean.half_width_mbb[1] == pytest.approx(np.hypot(halves[0], halves[2]) / 2)


def test_a_cell_of_a_three_player_tournament_is_the_mean_over_the_matches_of_both() -> None:
    """Of 0, 1, 2, 3 the entrants 0 and 1 meet with 2 and with 3."""
    won = {
        (0, 1, 2): (6.0, -2.0, -4.0),
        (0, 1, 3): (2.0, 1.0, -3.0),
        (0, 2, 3): (9.0, 0.0, -9.0),
        (1, 2, 3): (0, 0, 0),
    }
    results = [result(entrants, [list(values)] * 2) for entrants, values in won.items()]
    cross = cross_table(*stack_results(results)).mean_mbb
    assert (cross[0, 1], cross[1, 0]) == (4.0, -0.5)
    assert (cross[0, 2], cross[3, 0]) == (7.5, -6.0)
    mean = averages(*stack_results(results)[1:]).mean_mbb
    assert mean[0] == pytest.approx((6 + 2 + 9) / 3)
    assert np.nanmean(cross, axis=1) == pytest.approx(mean)
    assert mean.sum() == pytest.approx(0.0)


def test_matches_that_have_not_begun_are_left_out() -> None:
    results = [result((0, 1), [[10.0, -10.0]] * 2), result((0, 2), []), result((1, 2), [])]
    cross = cross_table(*stack_results(results)).mean_mbb
    assert np.isnan(cross[0, 2])
    assert np.isnan(cross[1, 2])
    assert cross[0, 1] == 10.0
    mean = averages(*stack_results(results)[1:]).mean_mbb
    assert mean[:2].tolist() == [10.0, -10.0]
    assert np.isnan(mean[2])


def test_naming_the_entrants_in_another_order_changes_nothing_else() -> None:
    random = np.random.default_rng(3)
    deals = {
        pair: random.normal(size=(20, 1)) @ np.array([[1.0, -1.0]])
        for pair in combinations(range(4), 2)
    }
    order = [2, 0, 3, 1]  # the new number of each
    moved = {}
    for (one, other), won in deals.items():
        first, second = order[one], order[other]
        moved[min(first, second), max(first, second)] = won if first < second else -won
    cross = [
        cross_table(
            *stack_results(
                [MatchResult.from_hands(pair, won[:, None]) for pair, won in sorted(given.items())]
            )
        )
        for given in (deals, moved)
    ]
    for one, other in combinations(range(4), 2):
        assert cross[1].mean_mbb[order[one], order[other]] == pytest.approx(
            cross[0].mean_mbb[one, other]
        )
        assert cross[1].half_width_mbb[order[one], order[other]] == pytest.approx(
            cross[0].half_width_mbb[one, other]
        )


@pytest.mark.slow
@pytest.mark.parametrize("num_seats", [2, 3])
def test_intervals_hold_the_truth_nineteen_times_in_twenty(num_seats: int) -> None:
    """Skewed deals around known means: of 2,000 tournaments 1,900 should hold the truth, give
    or take 10.
    """
    random = np.random.default_rng(11)
    matches = list(combinations(range(4), num_seats))
    skill = np.array([30.0, 10.0, -5.0, -35.0])
    truth = np.stack([skill[list(match)] - skill[list(match)].mean() for match in matches])
    robin = RoundRobin(np.array(matches))
    cross_truth = cross_table(robin, robin.rows(truth), robin.rows(np.zeros_like(truth))).mean_mbb[
        0, 1
    ]
    average_truth = robin.rows(truth)[0].mean()
    hits = np.zeros(2)
    for _ in range(NUM_TOURNAMENTS):
        luck = random.exponential(200.0, size=(len(matches), 200, num_seats))
        luck -= luck.mean(axis=2, keepdims=True)
        deals = truth[:, None] + luck
        results = [
            MatchResult.from_hands(match, won[:, None])
            for match, won in zip(matches, deals, strict=True)
        ]
        _, won, errors = stack_results(results)
        cross, mean = cross_table(robin, won, errors), averages(won, errors)
        hits[0] += abs(cross.mean_mbb[0, 1] - cross_truth) < cross.half_width_mbb[0, 1]
        hits[1] += abs(mean.mean_mbb[0] - average_truth) < mean.half_width_mbb[0]
    assert (hits >= 0.93 * NUM_TOURNAMENTS).all()
    assert (hits <= 0.97 * NUM_TOURNAMENTS).all()
