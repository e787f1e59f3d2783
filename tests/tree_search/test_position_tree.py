"""Trees of positions against public trees from the same rules, and searches in both."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import Game, new_state, states_after
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.public_tree import ROOT, PublicTree

SMALL = ConnectFour(3, 3, 3)


def test_records_are_those_of_a_public_tree() -> None:
    """Node by node, row by row, move by move, in the whole game of Connect Three."""
    tree, expected = PositionTree(SMALL), PublicTree(SMALL)
    for made in (tree, expected):
        made.grow_all()
    assert tree.sizes.tolist() == expected.sizes.tolist()
    assert tree.num_nodes > 1000
    for own, other in zip(tree.arrays, expected.arrays, strict=True):
        for name in other.dtype.names or ():
            count = tree.num_rows if own is tree.arrays.rows else tree.num_nodes
            count -= own is tree.arrays.moves
            assert own[name][:count].tolist() == other[name][:count].tolist(), name
    assert tree.states[: tree.num_nodes].tolist() == expected.states[: tree.num_nodes].tolist()


@pytest.mark.parametrize("adds_one_child", [True, False])
@pytest.mark.parametrize("per_update", [1.0, 10.0])
def test_searches_are_those_in_a_public_tree(adds_one_child: bool, per_update: float) -> None:
    """From several positions in the same memory, which has to be enlarged on the way."""
    game = ConnectFour()
    settings = GrowingCFRSettings(
        simulations=200, simulations_per_update=per_update, adds_one_child=adds_one_child
    )
    search = PositionSearch(game, settings)
    for seed, moves in enumerate(([], [0, 1, 0, 1, 0], [3, 3, 3], [0, 1, 0, 1, 0, 1])):
        start = states_after(game, moves)[-1]
        found = search.search(start, seed)
        tree = PublicTree(game, greatest_payoff=1.0, start=start)
        expected = GrowingCFR(tree, settings).search(ROOT, ROOT, np.ones(2), seed)
        assert found.policy.tolist() == expected.policy[:7].tolist()
        assert found.value == expected.values[game.actor(start)]
        assert found.num_states == expected.num_states
        assert found.num_queries == expected.num_queries


@pytest.mark.parametrize("game", [LEDUC, Goofspiel(3)], ids=str)
def test_games_that_hide_something_are_refused(game: Game) -> None:
    with pytest.raises(UsageError, match="several histories") as caught:
        PositionTree(game).grow_all()
    assert "re-solving" in caught.value.hint


def test_a_tree_tells_when_it_would_be_too_large() -> None:
    tree = PositionTree(TicTacToe(), memory_bytes=100_000)
    with pytest.raises(UsageError, match="allowed"):
        tree.grow_all()


def test_the_end_of_a_game_is_not_searched() -> None:
    end = states_after(SMALL, [0, 1, 0, 1, 0])[-1]
    search = PositionSearch(SMALL, GrowingCFRSettings(adds_one_child=True))
    with pytest.raises(UsageError, match="game is over"):
        search.search(end, 1)
    assert search.search(new_state(SMALL), 1).policy.sum() == pytest.approx(1)


def test_a_search_of_one_update_prefers_nothing() -> None:
    settings = GrowingCFRSettings(simulations=10, simulations_per_update=10, adds_one_child=True)
    found = PositionSearch(SMALL, settings).search(new_state(SMALL), 1)
    assert found.policy.tolist() == pytest.approx([1 / 3] * 3)
