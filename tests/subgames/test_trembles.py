"""Trembling hands: no action is ever left out, and the rest of the strategy is an equilibrium."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.poker.betting import BettingRules
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solver import RangeCFR
from tests.support.games import KUHN, definition_of

GAME = make_range_game(BettingRules(definition_of(KUHN)).start)


def solved(trembles: float, num_iterations: int = 400) -> RangeCFR:
    solver = RangeCFR(GAME, trembles=trembles)
    solver.step(num_iterations)
    return solver


@pytest.mark.parametrize("trembles", [0.01, 0.2])
def test_every_action_is_taken_as_often_as_seats_err(trembles: float) -> None:
    """Nodes of Kuhn have two actions, so that half of all errors are each of them."""
    strategy = solved(trembles).average_strategy(0)
    assert strategy.min() == pytest.approx(trembles / 2, rel=1e-3)
    assert strategy.sum(axis=0) == pytest.approx(len(strategy) / 2, rel=1e-5)


def test_errors_are_all_that_is_lost() -> None:
    """A seat errs once or twice a hand and loses 3 chips at most by that."""
    values = [solved(trembles).exploitability() for trembles in (0.0, 0.02)]
    assert values[0] < 2e-3
    assert values[0] < values[1] < 0.02 * 2 * 3


def test_without_errors_nothing_is_other_than_before() -> None:
    plain = RangeCFR(GAME)
    plain.step(50)
    assert np.array_equal(plain.average_strategy(0), solved(0.0, 50).average_strategy(0))


def test_regrets_are_those_of_choices_and_not_of_errors() -> None:
    """The king calls a bet whenever it may choose, with errors in half of all play, too."""
    solver = solved(0.5)
    strategy = solver.average_strategy(0)
    king = GAME.boards.arrays.hands[GAME.boards.rows(0)].tolist().index(2)
    # The best response of a king with a bet before it is to call, whatever the bet stands for.
    called = strategy[:, king].reshape(-1, 2)[:, 1]
    assert called.max() == pytest.approx(0.75, abs=1e-3)
