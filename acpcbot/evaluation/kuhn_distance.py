"""How far a policy is from equilibrium in Kuhn poker, whose equilibria are all known.

Cards are J, Q, K (bucket 0, 1, 2; the shipped game deals Q, K, A). At each of its four
decision nodes a player either bets or calls, or does not; the probabilities that he does,
for J, Q and K, are in equilibrium

    first player, first to act              alpha, 0,             3 alpha
    first player, after his check and a bet 0,     alpha + 1/3,   1
    second player, after a check            1/3,   0,             1
    second player, after a bet              0,     1/3,           1

for one alpha from 0 to 1/3. All of these are equilibria, and there are no others.

Sources: Kuhn (1950), A simplified two-person poker; as a measure: Heinrich & Silver (2015),
Smooth UCT search in computer poker, figure 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.shipped import shipped_definition
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.node_record import FOLD_BIT, INFO, SLOT, info_kinds, info_seat

KUHN = "kuhn.limit.2p"
LARGEST_ALPHA = 1 / 3

# [seat, facing a bet, card]: the probabilities for alpha = 0, and what they gain with alpha.
_AT_ZERO = np.array([[[0, 0, 0], [0, 1 / 3, 1]], [[1 / 3, 0, 1], [0, 1 / 3, 1]]])
_SLOPES = np.array([[[1.0, 0, 3], [0, 1, 0]], [[0, 0, 0], [0, 0, 0]]])


def mean_squared_distance(game: AbstractGame, policy: Floats) -> float:
    """The mean squared error of *policy* [slot] to the equilibrium closest to it.

    The mean is over the probabilities to bet or call of all twelve information sets, which
    weigh the same however often they are reached (the paper does not say how it weighs
    them). Raises UsageError for another game than Kuhn poker for two.
    """
    played = _played(game, policy)
    errors = played - _family(_closest_alpha(played))
    return float(np.mean(errors**2))


def closest_alpha(game: AbstractGame, policy: Floats) -> float:
    """The alpha of the equilibrium closest to *policy* [slot]."""
    return _closest_alpha(_played(game, policy))


def equilibrium(game: AbstractGame, alpha: float) -> Floats:
    """The equilibrium with *alpha*, as a policy [slot]."""
    assert 0 <= alpha <= LARGEST_ALPHA, alpha
    policy = np.empty(game.layout.num_slots)
    slots = _slots(game)
    policy[slots] = _family(alpha)
    policy[slots - 1] = 1 - _family(alpha)
    return policy


def _family(alpha: float) -> Floats:
    probabilities: Floats = _AT_ZERO + alpha * _SLOPES
    return probabilities


def _closest_alpha(played: Floats) -> float:
    """The least squares are a parabola in alpha: its lowest point, or the nearer end of the range."""
    alpha = ((played - _AT_ZERO) * _SLOPES).sum() / (_SLOPES**2).sum()
    return float(np.clip(alpha, 0, LARGEST_ALPHA))


def _played(game: AbstractGame, policy: Floats) -> Floats:
    """The probabilities to bet or call, [seat, facing a bet, card]."""
    return policy[_slots(game)]


def _slots(game: AbstractGame) -> NDArray[np.int64]:
    """Where the probabilities to bet or call are, [seat, facing a bet, card]; those not to are one place before."""
    if game.tree.definition != shipped_definition(KUHN) or game.num_buckets != (3,):
        raise UsageError("the equilibria are known of Kuhn poker for two alone", f"play {KUHN} with exact cards")
    slots = np.empty((2, 2, 3), np.int64)
    for record in game.tree.nodes.tolist():
        faces_bet = info_kinds(record[INFO]) & FOLD_BIT
        slots[info_seat(record[INFO]), faces_bet] = record[SLOT] + 1 + game.layout.row_widths[0] * np.arange(3)
    return slots
