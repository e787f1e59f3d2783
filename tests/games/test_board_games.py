"""Tic-tac-toe and Connect Four: known counts, OpenSpiel's rules, and the play of kernels."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import OVER, Game, State, new_state, play_out
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, seed_state
from tests.support.research_games import form_of, respond, uniform

BOARD_GAMES: dict[str, Game] = {
    "tic_tac_toe": TicTacToe(),
    "connect_four": ConnectFour(),
    "connect_four(columns=4,rows=5,x_in_row=3)": ConnectFour(4, 5, 3),
    "connect_four(columns=8,rows=6,x_in_row=5)": ConnectFour(8, 6, 5),
}


def test_tic_tac_toe_has_the_known_courses() -> None:
    """Schaefer (2002): 131,184 won by the first seat, 77,904 by the second, 46,080 by nobody."""
    payoffs = form_of(TicTacToe()).end_payoffs
    assert payoffs.shape == (255_168, 2)
    assert [int((payoffs[:, 0] == won).sum()) for won in (1, -1, 0)] == [131_184, 77_904, 46_080]


def test_random_play_of_tic_tac_toe_has_its_known_value() -> None:
    """The first seat wins 737 of 1,260, the second 363 of 1,260."""
    response = respond(TicTacToe(), uniform(form_of(TicTacToe())))
    assert response.policy_values == pytest.approx([374 / 1260, -374 / 1260], abs=1e-12)


def positions_by_ply(game: Game, num_plies: int) -> list[int]:
    """The numbers of positions after each number of moves, whatever order led to them."""
    words, counts = slice(3, None), []
    level = [new_state(game)]
    for _ in range(num_plies + 1):
        counts.append(len(level))
        found: dict[bytes, State] = {}
        for state in level:
            for action in range(0 if game.actor(state) == OVER else game.num_actions(state)):
                after = state.copy()
                game.apply(after, action)
                found.setdefault(after[words].tobytes(), after)
        level = list(found.values())
    return counts


def test_tic_tac_toe_has_the_known_positions() -> None:
    """5,478 in all; after each ply 1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78."""
    counts = positions_by_ply(TicTacToe(), 9)
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(counts) == 5478


def test_connect_four_has_the_known_positions() -> None:
    """Tromp's counts (OEIS A212693), ply by ply."""
    assert positions_by_ply(ConnectFour(), 5) == [1, 7, 49, 238, 1120, 4263]


@pytest.mark.slow
def test_connect_four_has_the_known_positions_of_later_plies() -> None:
    """Seven plies are the first after which a game can be over."""
    assert positions_by_ply(ConnectFour(), 8)[6:] == [16422, 54859, 184275]


@pytest.mark.parametrize("spiel_name", BOARD_GAMES)
def test_random_courses_are_those_of_openspiel(spiel_name: str) -> None:
    """Catches lines that are missed or that go round an edge of the board, and full columns."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    game, spiel, random = BOARD_GAMES[spiel_name], pyspiel.load_game(spiel_name), Random(3)
    assert game.max_moves() == spiel.max_game_length()
    seen: dict[str, tuple[int, int]] = {}
    for _ in range(300):
        ours, theirs = new_state(game), spiel.new_initial_state()
        while not theirs.is_terminal():
            assert game.actor(ours) == theirs.current_player()
            actions = theirs.legal_actions()
            assert game.num_actions(ours) == len(actions)
            keys = int(ours[game.actor(ours)]), int(ours[2])
            assert seen.setdefault(theirs.history_str(), keys) == keys
            index = random.randrange(len(actions))
            game.apply(ours, index)
            theirs.apply_action(actions[index])
        assert game.actor(ours) == OVER
        assert [game.payoff(ours, seat) for seat in range(2)] == theirs.returns()
    assert len(set(seen.values())) == len(seen)


@kernel
def results_of_playouts(game: Game, random_state: RandomState, results: State) -> None:
    state = np.zeros(game.state_length(), np.int64)
    for number in range(len(results)):
        game.start(state)
        play_out(game, state, random_state)
        results[number] = game.payoff(state, 0)


def test_kernels_play_connect_four_by_the_same_rules() -> None:
    """Catches 49-bit boards that kernels cut off or shift otherwise than Python does."""
    game, random = ConnectFour(), Random(8)
    results = np.zeros(100_000, np.int64)
    results_of_playouts(game, seed_state(1), results)
    plain = []
    for _ in range(4000):
        state = new_state(game)
        while game.actor(state) != OVER:
            game.apply(state, random.randrange(game.num_actions(state)))
        plain.append(game.payoff(state, 0))
    # Shares of wins, losses and draws; a share of 4,000 has a standard error below 0.008.
    for won in (1, -1, 0):
        assert (results == won).mean() == pytest.approx(plain.count(won) / 4000, abs=0.032)
    assert 0 < (results == 0).mean() < 0.01
