"""A public state as the network sees it and as the search does: beliefs, values, policies by hand.

The beliefs are those with which the search of the seat to move sees the state: the reaches of its
average policies. The network is asked with the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.agents.tree_search.sog_strategy import SearchedState, SoGStrategy
from acpcbot.arrays import Floats
from acpcbot.games.game import OVER
from acpcbot.tree_search.growing_cfr import GrowingCFR, SearchResult
from acpcbot.tree_search.leaf_evaluators import NoValues
from acpcbot.tree_search.public_encodings import write_masses

NUM_SEATS = 2


@dataclass(frozen=True, slots=True, eq=False)
class StateView:
    """Answers of network and search about a public state.

    ``beliefs``         [seat, hand], the reach of each hand; the mean of those that differ in more
                        than suits is 1
    ``search_values``   [seat, hand], chips that a hand wins over the whole course of play by the
                        average policies of the search, leaf values at the edge of its tree; NaN
                        where the other seat never gets there
    ``network_values``  the same by the network asked about this very state, None without one
    ``network_policy``  [hand, action] of the seat to move, None without a network
    """

    beliefs: Floats
    search_values: Floats
    network_values: Floats | None
    network_policy: Floats | None


def view_state(strategy: SoGStrategy, found: SearchedState) -> StateView:
    """Return the view of the state *found*, which *strategy* has searched."""
    last = found.chain.last
    assert last is not None, "a seat that is to move has searched"
    reach = _scaled_reach(strategy, found.node, last)
    beliefs = _by_hand(strategy, found.node, reach)
    values = AverageValues(strategy.searcher, last).at(found.node, reach)
    search_values = _in_chips(strategy, found.node, reach, values)
    if isinstance(strategy.searcher.leaf_values, NoValues):
        return StateView(beliefs, search_values, None, None)
    tree = strategy.searcher.tree
    evaluator, priors = strategy.searcher.leaf_values.on(tree), np.zeros(tree.num_slots)
    evaluator.leaf_values(tree.arrays, np.array([found.node]), 1, reach, values)
    evaluator.write_priors(tree.arrays, found.node, reach, priors)
    network_values = _in_chips(strategy, found.node, reach, values)
    return StateView(beliefs, search_values, network_values, _policy(strategy, found, priors))


class AverageValues:
    """Counterfactual values of the average policies of the search *found*, in its own tree.

    The values that a search with a gadget keeps are means over updates in which the opponent enters
    with ever other ranges; these here are those of one range.
    """

    def __init__(self, searcher: GrowingCFR, found: SearchResult) -> None:
        self._tree, self._found = searcher.tree, found
        self._leaf_values = searcher.leaf_values

    def at(self, node: int, reach: Floats) -> Floats:
        """Return the values [row] of the rows at *node*, reached by *reach* [row], and behind it."""
        self._values, self._reach = np.zeros((2, self._tree.num_rows))
        self._reach[: len(reach)] = reach
        self._fill(node)
        return self._values

    def _fill(self, node: int) -> None:
        tree, values = self._tree, self._values
        if tree.arrays.nodes["actor"][node] == OVER:
            self._fill_end(node)
        elif not self._is_inner(node):
            evaluator = self._leaf_values.on(tree)
            evaluator.leaf_values(tree.arrays, np.array([node]), 1, self._reach, values)
        else:
            for child in tree.children(node):
                record = tree.arrays.nodes[child]
                own = slice(int(record["first_row"]), int(record["end_row"]))
                rows = tree.arrays.rows[own]
                is_moved = rows["parent_slot"] >= 0
                played = np.where(is_moved, self._found.policy[rows["parent_slot"]], 1.0)
                self._reach[own] = self._reach[rows["parent_row"]] * played
                self._fill(child)
                np.add.at(values, rows["parent_row"], values[own] * played)

    def _fill_end(self, node: int) -> None:
        record, arrays = self._tree.arrays.nodes[node], self._tree.arrays
        for history in arrays.histories[record["first_history"] : record["end_history"]]:
            share, row0, row1 = (
                history["chance"] * history["payoff"],
                history["row0"],
                history["row1"],
            )
            self._values[row0] += share * self._reach[row1]
            self._values[row1] -= share * self._reach[row0]

    def _is_inner(self, node: int) -> bool:
        """Return whether the search has gone behind *node*."""
        is_grown = bool(self._tree.arrays.nodes["is_grown"][node])
        return is_grown and any(map(self._found.knows, self._tree.children(node)))


def _scaled_reach(strategy: SoGStrategy, node: int, last: SearchResult) -> Floats:
    """Return the reach [row] of the search *last*, at *node* scaled to a mean of 1 by seat."""
    tree = strategy.searcher.tree
    reach = np.zeros(tree.num_rows)
    # Later searches may have enlarged the tree.
    reach[: len(last.reach)] = last.reach
    for seat in range(NUM_SEATS):
        own = tree.rows_of(node, seat)
        mean = reach[own].mean()
        reach[own] = reach[own] / mean if mean > 0 else 1.0
    return reach


def _in_chips(strategy: SoGStrategy, node: int, reach: Floats, values: Floats) -> Floats:
    """Return counterfactual *values* [row] per unit of what chance and *reach* give a row."""
    masses = np.zeros(len(values))
    write_masses(strategy.searcher.tree.arrays, node, reach, masses)
    found = np.full(len(values), np.nan)
    np.divide(strategy.game.unit_chips * values, masses, out=found, where=masses > 0)
    return _by_hand(strategy, node, found)


def _by_hand(strategy: SoGStrategy, node: int, values: Floats) -> Floats:
    """Return *values* [row] of both seats at *node* by [seat, hand]."""
    by_seat = []
    for seat in range(NUM_SEATS):
        own = values[strategy.searcher.tree.rows_of(node, seat)]
        by_seat.append(strategy.by_hand(own[:, None], strategy.places(node, seat))[:, 0])
    return np.stack(by_seat)


def _policy(strategy: SoGStrategy, found: SearchedState, priors: Floats) -> Floats:
    """Return the *priors* [slot] of the seat to move as a policy by [hand, action]."""
    tree = strategy.searcher.tree
    record = tree.arrays.nodes[found.node]
    rows = priors[int(record["first_slot"]) : int(record["end_slot"])].reshape(found.policy.shape)
    return strategy.by_hand(rows / rows.sum(axis=1, keepdims=True), found.places)
