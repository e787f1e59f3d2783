"""Positions as queries of a network: what is seen, from either side and by either seat."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games import connect_four, tic_tac_toe
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import OVER, State, new_state, states_after
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.networks.mlp import initial_network
from acpcbot.networks.stored import StoredNetwork, save_network
from acpcbot.tree_search.board_encodings import (
    FIRST_FEATURE,
    BoardEncoding,
    connect_four_encoding,
    tic_tac_toe_encoding,
)
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.public_tree import ROOT, PublicTree

ENCODINGS = {"tic-tac-toe": tic_tac_toe_encoding(), "Connect Four": connect_four_encoding()}


def drawn(encoding: BoardEncoding, num_moves: int, random: Random) -> State:
    """A random position in which the game goes on."""
    while True:
        state = new_state(encoding.game)
        for _ in range(num_moves):
            if encoding.game.actor(state) != OVER:
                encoding.game.apply(state, random.randrange(encoding.game.num_actions(state)))
        if encoding.game.actor(state) != OVER:
            return state


def values_of(encoding: BoardEncoding, seed: int = 1) -> PositionValues:
    return PositionValues(initial_network(encoding.interface.shape((16,)), seed), encoding)


def test_connect_four_shows_own_marks_by_column_and_then_the_other_s() -> None:
    encoding = ENCODINGS["Connect Four"]
    seen = encoding.inputs(states_after(ConnectFour(), [3, 3, 0])[-1])
    # Seat 1 is to move: its mark is on the first of two in the middle.
    assert np.flatnonzero(seen[FIRST_FEATURE:]).tolist() == [3 * 6 + 1, 42 + 0, 42 + 3 * 6]
    assert seen[:FIRST_FEATURE].tolist() == [1, 1]
    # Seat 0 has three on the bottom and its fourth on either side; seat 1, to move, three upright.
    seen = encoding.inputs(states_after(ConnectFour(), [2, 6, 3, 6, 4, 6, 0])[-1])
    assert np.flatnonzero(seen[FIRST_FEATURE + 84 :]).tolist() == [6 * 6 + 3, 42 + 6, 42 + 5 * 6]


def test_tic_tac_toe_shows_own_squares_and_then_the_other_s() -> None:
    seen = ENCODINGS["tic-tac-toe"].inputs(states_after(TicTacToe(), [4, 0, 6])[-1])
    assert np.flatnonzero(seen[FIRST_FEATURE:]).tolist() == [0, 9 + 4, 9 + 8]


@pytest.mark.parametrize("name", ENCODINGS)
def test_seats_exchanged_are_one_to_a_network(name: str) -> None:
    encoding, random = ENCODINGS[name], Random(1)
    rules = tic_tac_toe if name == "tic-tac-toe" else connect_four
    for _ in range(20):
        state = drawn(encoding, random.randrange(7), random)
        other = state.copy()
        other[rules.MARKS : rules.MARKS + 2] = state[rules.MARKS : rules.MARKS + 2][::-1]
        other[rules.ACTOR] = 1 - state[rules.ACTOR]
        assert encoding.inputs(state).tolist() == encoding.inputs(other).tolist()


def test_connect_four_from_behind_is_the_symmetry_s_look() -> None:
    """Moves in mirrored columns give mirrored inputs, and columns of the policy are exchanged."""
    encoding, random = ENCODINGS["Connect Four"], Random(2)
    look = encoding.symmetries[1]
    assert look.columns.tolist() == [6, 5, 4, 3, 2, 1, 0]
    for _ in range(20):
        moves = [random.randrange(7) for _ in range(5)]
        state = states_after(ConnectFour(), moves)[-1]
        mirrored = states_after(ConnectFour(), [6 - move for move in moves])[-1]
        assert encoding.inputs(mirrored).tolist() == encoding.inputs(state)[look.inputs].tolist()


def test_tic_tac_toe_has_eight_looks_that_keep_lines() -> None:
    encoding = ENCODINGS["tic-tac-toe"]
    lines = {frozenset(k for k in range(9) if line >> k & 1) for line in tic_tac_toe.LINES}
    assert len({tuple(look.columns.tolist()) for look in encoding.symmetries}) == 8
    for look in encoding.symmetries:
        squares = look.inputs[FIRST_FEATURE : FIRST_FEATURE + 9] - FIRST_FEATURE
        assert squares.tolist() == look.columns.tolist()
        assert {frozenset(squares[list(line)].tolist()) for line in lines} == lines
        assert (look.inputs[FIRST_FEATURE + 9 :] - FIRST_FEATURE - 9).tolist() == squares.tolist()


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_search_has_the_network_s_value_and_prior(name: str) -> None:
    """Against numpy: half of the difference of both values, and a softmax of the legal columns."""
    encoding, random = ENCODINGS[name], Random(3)
    values = values_of(encoding)
    for _ in range(10):
        state = drawn(encoding, random.randrange(7), random)
        tree = PositionTree(encoding.game, state)
        outputs = values.network.outputs(encoding.inputs(state)[None])[0].astype(np.float64)
        evaluator = values.on(tree)
        found, priors = np.zeros(2), np.zeros(9)
        evaluator.leaf_values(tree.arrays, np.array([ROOT]), 1, np.array([0.5, 0.25]), found)
        value, seat = 0.5 * (outputs[0] - outputs[1]), encoding.game.actor(state)
        expected = [0.25 * value, -0.5 * value] if seat == 0 else [-0.25 * value, 0.5 * value]
        assert found == pytest.approx(np.array(expected), abs=1e-6)
        evaluator.write_priors(tree.arrays, ROOT, np.ones(2), priors)
        count = encoding.game.num_actions(state)
        columns = [encoding.features.policy_column(state, action) for action in range(count)]
        weights = np.exp(outputs[2:][columns])
        assert priors[:count] == pytest.approx(weights / weights.sum(), abs=1e-6)


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    own, other = ENCODINGS.values()
    network = initial_network(own.interface.shape((4,)), 1)
    save_network(tmp_path / "network", StoredNetwork(own.interface, network, {}))
    with pytest.raises(UsageError, match=r"game: expected 'ConnectFour.*found 'TicTacToe") as hint:
        PositionValues.load(tmp_path / "network", other)
    assert "trained for this search" in hint.value.hint
    settings = GrowingCFRSettings(simulations=5, adds_one_child=True)
    with pytest.raises(UsageError, match="a network for positions of TicTacToe"):
        PositionSearch(other.game, settings, values_of(own)).search(new_state(other.game), 1)
    with pytest.raises(UsageError, match="found a PublicTree"):
        values_of(own).on(PublicTree(own.game))


def test_priors_are_not_kept_from_another_search_or_network() -> None:
    """A tree that is searched twice, the second time with other weights, equals a new one."""
    encoding = ENCODINGS["Connect Four"]
    values, other = values_of(encoding), values_of(encoding, seed=2)
    for adds_one_child in (True, False):
        settings = GrowingCFRSettings(simulations=30, adds_one_child=adds_one_child)
        tree = PositionTree(encoding.game)
        search = GrowingCFR(tree, settings, values)
        search.search(ROOT, ROOT, np.ones(2), seed=1)
        values.set_network(other.network)
        found = search.search(ROOT, ROOT, np.ones(2), seed=1)
        fresh = GrowingCFR(PositionTree(encoding.game), settings, other)
        expected = fresh.search(ROOT, ROOT, np.ones(2), seed=1)
        assert found.policy[:7].tolist() == expected.policy[:7].tolist()
        assert found.num_queries == expected.num_queries
        values.set_network(values_of(encoding).network)
