"""Positions that the solver has decided: what is right keeps their value."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.decided_positions import draw_positions, is_right_move
from acpcbot.games.connect_four import MARKS, ConnectFour
from acpcbot.games.game import OVER
from acpcbot.games.solvers.connect_four_solver import ConnectFourSolver


def test_right_moves_keep_the_value() -> None:
    game, solver = ConnectFour(), ConnectFourSolver()
    positions = draw_positions(10, seed=4)
    for position in positions:
        marks = int(position.state[MARKS] | position.state[MARKS + 1]).bit_count()
        assert 14 <= marks <= 24
        assert solver.value(position.state) == position.value
        assert len(position.is_right) == game.num_actions(position.state)
        assert position.is_right.any()
        assert not position.is_right.all()
        for action, is_right in enumerate(position.is_right):
            after = position.state.copy()
            game.apply(after, action)
            seat = game.actor(position.state)
            value = game.payoff(after, seat)
            if game.actor(after) != OVER:
                value = -solver.value(after)
            assert (value == position.value) == is_right
            policy = np.zeros(len(position.is_right))
            policy[action] = 1
            assert is_right_move(position, policy) == is_right


def test_equal_seeds_give_equal_positions_and_more_of_them_the_same_first() -> None:
    first, more, other = (draw_positions(count, seed) for count, seed in ((3, 1), (5, 1), (3, 2)))
    assert [p.state.tolist() for p in first] == [p.state.tolist() for p in more[:3]]
    assert [p.state.tolist() for p in first] != [p.state.tolist() for p in other]


def test_a_board_that_is_full_before_is_told() -> None:
    with pytest.raises(UsageError, match="0 of 1 positions"):
        draw_positions(1, 1, ConnectFour(3, 3, 3))
