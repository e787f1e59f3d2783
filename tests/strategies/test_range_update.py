"""The range of a player that acted: by Bayes' rule, also after bets off the tree."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from acpcbot.poker.actions import CALLING, FOLDING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.range_update import action_likelihood, update_range
from tests.support.games import NOLIMIT_2P, definition_of

HALF_POT, POT = raising(200), raising(300)
# [hand, action]: three hands that call, bet half the pot, and bet the pot.
TABLE = ActionTable(
    (CALLING, HALF_POT, POT), np.array([[0.7, 0.3, 0.0], [0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
)


@pytest.fixture(scope="module")
def flop() -> BettingState:
    """A pot of 200 chips that nobody has bet at."""
    return BettingRules(definition_of(NOLIMIT_2P)).parse("cc/")


def test_a_known_action_has_its_own_probabilities(flop: BettingState) -> None:
    """Catches the probabilities of a neighbouring action."""
    likelihood = action_likelihood(flop, TABLE, HALF_POT)
    assert likelihood is not None
    assert likelihood.tolist() == [0.3, 0.0, 0.0]
    after = update_range(np.array([0.5, 0.25, 1.0]), likelihood)
    assert after.tolist() == pytest.approx([0.15, 0.0, 0.0])


def test_a_bet_between_two_is_mixed_of_them(flop: BettingState) -> None:
    """Catches weights that are linear in chips, and neighbours that are exchanged."""
    between = Fraction(3, 4)
    # The pseudo-harmonic mapping of Ganzfried & Sandholm (2013), in shares of the pot.
    lower = (1 - between) * (1 + Fraction(1, 2)) / ((1 - Fraction(1, 2)) * (1 + between))
    assert lower == Fraction(3, 7)
    likelihood = action_likelihood(flop, TABLE, raising(250))
    assert likelihood is not None
    assert likelihood.tolist() == pytest.approx([0.3 * 3 / 7, 0.8 * 4 / 7, 0.0])


@pytest.mark.parametrize(("size", "like"), [(201, HALF_POT), (299, POT), (900, POT), (20_000, POT)])
def test_a_bet_near_or_beyond_the_last_ones_is_like_them(
    flop: BettingState, size: int, like: Action
) -> None:
    """Catches a bet larger than all known ones that is looked up behind the last column."""
    likelihood = action_likelihood(flop, TABLE, raising(size))
    assert likelihood is not None
    wanted = TABLE.probabilities[:, TABLE.actions.index(like)]
    assert likelihood.tolist() == pytest.approx(wanted.tolist(), abs=0.02)


def test_a_bet_below_the_smallest_lies_between_it_and_a_check(flop: BettingState) -> None:
    """Catches a bet of a chip that tells as much as one of the pot."""
    large = ActionTable((CALLING, POT), TABLE.probabilities[:, [0, 2]])
    likelihood = action_likelihood(flop, large, HALF_POT)
    assert likelihood is not None
    # Of a pot and nothing half a pot is nothing in one case of three.
    assert likelihood.tolist() == pytest.approx([0.7 / 3, (0.2 + 2 * 0.8) / 3, 1 / 3])


def test_an_action_unlike_all_known_ones_leaves_the_range(flop: BettingState) -> None:
    """Catches a range that is multiplied by nothing."""
    passive = ActionTable((CALLING,), np.ones((3, 1)))
    reach = np.array([0.5, 0.25, 1.0])
    assert action_likelihood(flop, passive, POT) is None
    assert action_likelihood(flop, TABLE, FOLDING) is None
    assert update_range(reach, None).tolist() == reach.tolist()


def test_an_action_that_no_held_hand_takes_leaves_the_range(flop: BettingState) -> None:
    """Catches an empty range, with which nothing can be solved: only hands that the player cannot
    hold any more take the action.
    """
    reach = np.array([0.0, 0.0, 1.0])
    likelihood = action_likelihood(flop, TABLE, POT)
    assert likelihood is not None
    assert likelihood.any()
    assert update_range(reach, likelihood).tolist() == [0.0, 0.0, 1.0]
    assert update_range(np.array([0.0, 0.5, 1.0]), likelihood).tolist() == [0.0, 0.4, 0.0]
