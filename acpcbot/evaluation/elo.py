"""Elo ratings from games between several players, with 95 % intervals.

The expected score of a player that is rated d points above another is 1 / (1 + 10^(-d / 400)); a
win counts 1, a draw a half. Ratings are those of greatest likelihood, with a drawn game added
between every two players that met, so that one that won all is still rated. The first player is 0
and the others are relative to it, as are their intervals.

Games of one *sample*, as two from the same opening with seats exchanged, may depend on each other:
intervals take their sum (the sandwich estimate of the covariance).

Sources: Bradley & Terry (1952), Rank analysis of incomplete block designs; Elo (1978), The rating
of chessplayers; Huber (1967), The behavior of maximum likelihood estimates under nonstandard
conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.matches.intervals import NORMAL_95

POINTS = 400 / log(10)
"""Of Elo for one unit of log odds."""
ADDED_GAMES = 1
MOST_STEPS = 100
LONGEST_STEP = 2.0
"""In log odds: Newton's method overshoots where nearly all games are won."""


class Games(NamedTuple):
    """*num_games* of one sample between players of these numbers, and the *score* of the first."""

    first: int
    second: int
    score: float
    num_games: int


@dataclass(frozen=True, slots=True)
class EloRatings:
    """Ratings by player, and half the widths of their 95 % intervals; 0 and 0 for the first."""

    ratings: Floats
    half_widths: Floats


def elo_ratings(num_players: int, samples: Sequence[Games]) -> EloRatings:
    """Return the ratings of *num_players* players from *samples*.

    Raises UsageError for players that no chain of games connects, and for scores out of range.
    """
    firsts, seconds = (np.array([sample[side] for sample in samples], np.int64) for side in (0, 1))
    scores, counts = (np.array([s[field] for s in samples], np.float64) for field in (2, 3))
    if not ((scores >= 0) & (scores <= counts)).all() or (firsts == seconds).any():
        raise UsageError(
            "games: a score out of range, or a player against itself", "mend the games"
        )
    _verify_connected(num_players, samples)
    pairs = np.unique(np.sort(np.stack([firsts, seconds]), axis=0), axis=1)
    added = np.full(pairs.shape[1], float(ADDED_GAMES))
    ones, others = np.concatenate([firsts, pairs[0]]), np.concatenate([seconds, pairs[1]])
    won = np.concatenate([scores, added / 2])
    played = np.concatenate([counts, added])
    strengths = np.zeros(num_players)
    for _ in range(MOST_STEPS):
        residuals, information = _slopes(strengths, ones, others, won, played)
        gradient = np.zeros(num_players)
        np.add.at(gradient, ones, residuals)
        np.add.at(gradient, others, -residuals)
        # The first player stays at 0.
        step = np.linalg.solve(information[1:, 1:], gradient[1:])
        strengths[1:] += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    residuals, information = _slopes(strengths, ones, others, won, played)
    by_sample = np.zeros((len(samples), num_players))
    rows = np.arange(len(samples))
    by_sample[rows, firsts] = residuals[: len(samples)]
    by_sample[rows, seconds] = -residuals[: len(samples)]
    inverse = np.linalg.inv(information[1:, 1:])
    covariance = inverse @ (by_sample.T @ by_sample)[1:, 1:] @ inverse
    half_widths = np.zeros(num_players)
    half_widths[1:] = NORMAL_95 * POINTS * np.sqrt(np.diag(covariance))
    return EloRatings(POINTS * strengths, half_widths)


def _slopes(
    strengths: Floats, ones: Ints, others: Ints, won: Floats, played: Floats
) -> tuple[Floats, Floats]:
    """Return won less expected [sample], and the information matrix of the strengths."""
    expected = 1 / (1 + np.exp(strengths[others] - strengths[ones]))
    weights = played * expected * (1 - expected)
    information = np.zeros((len(strengths), len(strengths)))
    np.add.at(information, (ones, ones), weights)
    np.add.at(information, (others, others), weights)
    np.add.at(information, (ones, others), -weights)
    np.add.at(information, (others, ones), -weights)
    return won - played * expected, information


def _verify_connected(num_players: int, samples: Sequence[Games]) -> None:
    reached, before = {0}, 0
    while len(reached) > before:
        before = len(reached)
        for game in samples:
            if game.first in reached or game.second in reached:
                reached |= {game.first, game.second}
    if reached != set(range(num_players)):
        missing = ", ".join(map(str, sorted(set(range(num_players)) ^ reached)))
        raise UsageError(f"players {missing}: no games connect them with player 0", "play some")
