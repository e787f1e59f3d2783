"""Searches composed position by position: NashConv over all courses falls with simulations."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.composed_positions import ComposedPositions, greedy_policy
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings

SMALL = ConnectFour(3, 3, 3)


@pytest.mark.parametrize("adds_one_child", [True, False])
def test_nash_conv_falls_to_0_in_a_small_game(adds_one_child: bool) -> None:
    form = sequence_form(SMALL)
    composed = ComposedPositions(SMALL, form)
    found, greedy = [], []
    for simulations in (10, 100, 1000):
        settings = GrowingCFRSettings(simulations=simulations, adds_one_child=adds_one_child)
        policy = composed.compose(settings, seed=1).policy
        found.append(sequence_best_response(form, policy).nash_conv)
        greedy.append(sequence_best_response(form, greedy_policy(form, policy)).nash_conv)
    assert found == sorted(found, reverse=True)
    assert found[0] > 1
    assert found[2] < 0.2
    assert greedy[2] == 0


@pytest.mark.slow
def test_nash_conv_of_tic_tac_toe_falls() -> None:
    """Over all of its 255,168 courses."""
    form = sequence_form(TicTacToe())
    composed, found = ComposedPositions(TicTacToe(), form), []
    for simulations in (10, 100, 400):
        settings = GrowingCFRSettings(simulations=simulations, adds_one_child=True)
        found.append(composed.compose(settings, seed=0).best_response(form).nash_conv)
    assert found == sorted(found, reverse=True)
    assert found[2] < 1.2 < 1.7 < found[0]


def test_equal_positions_share_a_search() -> None:
    """Catches policies at another course's actions; 4,520 positions of tic-tac-toe go on."""
    form = sequence_form(TicTacToe())
    assert len(ComposedPositions(TicTacToe(), form).positions) == 4520
    small = sequence_form(SMALL)
    composed = ComposedPositions(SMALL, small)
    settings = GrowingCFRSettings(simulations=20, adds_one_child=True)
    first, second, other = (composed.compose(settings, seed) for seed in (1, 1, 2))
    assert first.policy.tolist() == second.policy.tolist()
    assert first.policy.tolist() != other.policy.tolist()
    assert first.num_searches < len(composed.positions) < len(small.infoset_keys)
    rows = [
        first.policy[a:b] for a, b in zip(small.first_slots, small.first_slots[1:], strict=False)
    ]
    assert [row.sum() for row in rows] == pytest.approx(np.ones(len(rows)))
    assert len({row.tobytes() for row in rows}) <= len(composed.positions)


def test_greedy_play_takes_the_first_of_the_most_probable() -> None:
    form = sequence_form(Kuhn())
    weights = np.tile([0.5, 0.5, 0.3, 0.7], form.num_slots)[: form.num_slots]
    greedy = greedy_policy(form, form.normalised(weights))
    for first, end in zip(form.first_slots, form.first_slots[1:], strict=False):
        expected = np.zeros(end - first)
        expected[form.normalised(weights)[first:end].argmax()] = 1
        assert greedy[first:end].tolist() == expected.tolist()


def test_games_that_hide_something_are_refused() -> None:
    with pytest.raises(UsageError, match="several positions") as caught:
        ComposedPositions(LEDUC, sequence_form(LEDUC))
    assert "re-solving" in caught.value.hint
