"""Players that search positions, and matches that begin with drawn moves."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import MoveBudget, RandomPlayer
from acpcbot.evaluation.searches.position_players import PositionPlayer
from acpcbot.evaluation.searches.search_matches import Pairing, play_games, score_pairing
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.drawn_openings import DrawnOpenings
from acpcbot.games.game import CHANCE, OVER, new_state, play_out, states_after
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.random_kernels import seed_state
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.visit_search import VisitSettings

FOUR = ConnectFour()
GROWING = GrowingCFRSettings(adds_one_child=True)


def test_chance_makes_the_first_moves_and_nothing_else_changes() -> None:
    opened, moves = DrawnOpenings(FOUR, 3), [3, 3, 2, 4, 3]
    expected = states_after(FOUR, moves)
    for number, state in enumerate(states_after(opened, moves)):
        assert state[:-1].tolist() == expected[number].tolist()
        assert opened.actor(state) == (CHANCE if number < 3 else number % 2)
        assert opened.num_actions(state) == 7
        assert opened.chance(state, 0) == (1 / 7 if number < 3 else 0.0)
    for seed in range(20):
        state = new_state(opened)
        play_out(opened, state, seed_state(seed))
        assert opened.actor(state) == OVER
        assert opened.payoff(state, 0) == FOUR.payoff(state, 0)


@pytest.mark.parametrize("settings", [GROWING, VisitSettings()], ids=["SoG", "MCTS"])
def test_a_search_beats_random_moves(settings: GrowingCFRSettings | VisitSettings) -> None:
    pairing = Pairing(
        "search - random",
        DrawnOpenings(FOUR, 2),
        (PositionPlayer(FOUR, settings), RandomPlayer(DrawnOpenings(FOUR, 2))),
        MoveBudget(simulations=100),
    )
    results = list(play_games(pairing, range(10), seed=1))
    assert score_pairing(pairing, results).win_share >= 0.9
    assert [result.payoff for result in play_games(pairing, range(10), seed=1)] == [
        result.payoff for result in results
    ]
    assert results[0].simulations == 100


def test_the_preferred_move_is_taken_and_time_is_counted() -> None:
    player = PositionPlayer(TicTacToe(), GROWING)
    player.begin(0, 1)
    # Crosses on two squares of the first row; the third is the first that is free.
    assert player.choose([0, 3, 0, 2], MoveBudget(simulations=200)) == 0
    assert player.num_moves == 1
    assert player.seconds > 0
    assert np.isclose(player.strategy([], MoveBudget(simulations=5)).sum(), 1)
    with pytest.raises(UsageError, match="1 s a move") as caught:
        player.choose([], MoveBudget(seconds=1.0))
    assert "number of simulations" in caught.value.hint
