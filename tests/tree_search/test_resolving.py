"""Chains of re-solving searches: where they begin, what binds them, and what they play."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.kuhn import Kuhn
from acpcbot.tree_search.growing_cfr import Gadget, GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.public_tree import ROOT, PublicTree
from acpcbot.tree_search.resolving import SeatChain, closest_state, first_search, resolve


def searcher(simulations: int = 60) -> GrowingCFR:
    return GrowingCFR(PublicTree(LEDUC), GrowingCFRSettings(simulations=simulations))


def test_a_chain_follows_its_seat_through_a_match() -> None:
    """Seat 0 checks and calls; its range on the next street is that of what it played."""
    own = searcher()
    chain = SeatChain(own, seat=0, seed=4).after(ROOT)
    opening = chain.policy()
    assert chain.num_searches == 2
    assert opening.shape == (3, 2)
    assert opening.sum(axis=1) == pytest.approx(1)
    # Check, bet: seat 0 faces a bet.
    node = own.tree.children(own.tree.children(ROOT)[0])[1]
    facing = chain.after(node)
    assert facing.policy().shape == (3, 3)
    assert facing.own_reach is not None
    assert np.sort(facing.own_reach) == pytest.approx(np.sort(opening[:, 0]))
    # Call, a board card: seat 0 opens the second street.
    street = own.tree.children(own.tree.children(node)[1])[2]
    later = facing.after(street)
    assert later.own_reach is not None
    assert (later.own_reach <= facing.own_reach + 1e-15).all()
    assert later.policy().sum(axis=1) == pytest.approx(1)


def test_chains_with_equal_seeds_play_alike() -> None:
    first, second = (SeatChain(searcher(), 1, seed) for seed in (3, 3))
    other = SeatChain(searcher(), 1, 4)
    node = first.searcher.tree.children(ROOT)[1]
    second.searcher.tree.children(ROOT)
    other.searcher.tree.children(ROOT)
    assert first.after(node).policy().tolist() == second.after(node).policy().tolist()
    assert first.after(node).policy().tolist() != other.after(node).policy().tolist()


def test_the_root_is_the_closest_state_that_has_values() -> None:
    """Catches roots among the states that the last simulations added, which have no values."""
    own = searcher(1)
    last = first_search(own, ROOT, seed=1)
    own.tree.grow_all()
    for node in range(own.tree.num_nodes):
        root = closest_state(own, last, node)
        assert own.arrays.weights[root] > 0
        assert len(own.tree.path_to(root)) <= 2


def test_an_alternative_above_all_values_keeps_the_opponent_out() -> None:
    """With the gadget alone (alpha 1) the opponent's range goes to the rows that may gain."""
    tree = PublicTree(Kuhn())
    own = GrowingCFR(tree, GrowingCFRSettings(simulations=50, alpha=1.0))
    node = tree.children(ROOT)[0]
    last = own.search(ROOT, ROOT, np.ones(6), seed=1)
    rows = tree.rows_of(node, 0)
    first = int(tree.arrays.nodes["first_row"][node])
    ranges = last.reach[first : first + 6]
    alternatives = np.full(6, 10.0)
    alternatives[1] = -10.0
    own.search(node, node, ranges, 1, Gadget(0, alternatives))
    reach = own.arrays.reach[rows]
    assert reach[1] == pytest.approx(1, abs=1e-6)
    assert reach[[0, 2]] == pytest.approx(0, abs=1e-6)


def test_a_range_that_never_comes_here_is_refused() -> None:
    own = searcher()
    last = first_search(own, ROOT, seed=1)
    node = own.tree.children(ROOT)[1]
    with pytest.raises(UsageError, match="cannot be reached with these ranges"):
        resolve(own, last, node, np.zeros(3), seed=1)


def test_states_elsewhere_and_other_seats_are_refused() -> None:
    own = searcher()
    passed, bet = own.tree.children(ROOT)
    last = own.search(bet, bet, np.ones(6), seed=1)
    with pytest.raises(UsageError, match=f"{passed} does not lie behind the last search"):
        closest_state(own, last, passed)
    with pytest.raises(UsageError, match="seat 0 is not to move"):
        SeatChain(own, 0, 1).after(bet)
    with pytest.raises(UsageError, match="no search yet"):
        SeatChain(own, 0, 1).policy()
