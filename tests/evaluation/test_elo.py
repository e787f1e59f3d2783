"""Elo ratings: the closed form of two players, known gaps, and coverage of the intervals."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.elo import Games, elo_ratings


def test_two_players_have_the_closed_form() -> None:
    """75 of 99 and a drawn game added: 400 log10(75.5 / 24.5)."""
    found = elo_ratings(2, [Games(1, 0, 75.0, 99)])
    assert found.ratings.tolist() == pytest.approx([0, 400 * log10(75.5 / 24.5)])
    assert elo_ratings(2, [Games(0, 1, 50.0, 100)]).ratings[1] == pytest.approx(0)


def test_games_with_the_expected_scores_give_the_ratings_back() -> None:
    """A thousand games of each pair of four players, whose scores are exactly as expected."""
    true, samples = np.array([0.0, 100.0, -250.0, 400.0]), []
    for one in range(4):
        for two in range(one):
            expected = 1 / (1 + 10 ** ((true[two] - true[one]) / 400))
            samples.append(Games(one, two, 1e6 * expected, 1_000_000))
    assert elo_ratings(4, samples).ratings == pytest.approx(true, abs=0.01)


def test_a_player_that_won_all_is_rated() -> None:
    found = elo_ratings(2, [Games(1, 0, 1.0, 1) for _ in range(30)])
    assert found.ratings[1] == pytest.approx(400 * log10(30.5 / 0.5))


def test_intervals_cover_the_true_ratings() -> None:
    """Three players, 200 games a pair, 300 times: 95 % within four standard errors of it."""
    generator, true, covered = np.random.default_rng(1), np.array([0.0, 120.0, -80.0]), 0
    for _ in range(300):
        samples = []
        for one, two in ((0, 1), (0, 2), (1, 2)):
            expected = 1 / (1 + 10 ** ((true[two] - true[one]) / 400))
            wins = generator.random(200) < expected
            samples += [Games(one, two, float(won), 1) for won in wins]
        found = elo_ratings(3, samples)
        covered += int((np.abs(found.ratings - true) <= found.half_widths)[1:].sum())
    assert covered / 600 == pytest.approx(0.95, abs=0.036)


def test_games_of_a_sample_that_cancel_out_have_no_spread() -> None:
    """Two games from one opening, each won by the first seat, say nothing but one a half."""
    apart = [Games(0, 1, float(number % 2), 1) for number in range(100)]
    together = [Games(0, 1, 1.0, 2) for _ in range(50)]
    assert elo_ratings(2, apart).half_widths[1] == pytest.approx(68, rel=0.05)
    assert elo_ratings(2, together).half_widths[1] == pytest.approx(0, abs=1e-9)


def test_games_that_cannot_be_rated_are_refused() -> None:
    with pytest.raises(UsageError, match="players 2: no games connect"):
        elo_ratings(3, [Games(0, 1, 1.0, 2)])
    for bad in (Games(0, 1, 3.0, 2), Games(1, 1, 1.0, 2)):
        with pytest.raises(UsageError, match="out of range, or a player against itself"):
            elo_ratings(2, [Games(0, 1, 1.0, 2), bad])
