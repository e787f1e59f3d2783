"""The decision of a betting tree that is most like a state of the betting which the tree lacks.

A tree for more than two players, or with an end of raises, lacks much that can be played: a raise
beyond the last, a call that lets in too many, a player that is all-in where the tree has it act. The
hand then goes on from the decision of the tree at which the same seat acts on the same street, and
which differs least: first in the seats that have folded, then in whether there is a bet to call, then
in a sum of the call's share of the pot, the size of the pot and the number of raises on the street.

Source of the idea: Schnizlein, Bowling & Szafron (2009), Probabilistic state translation in
extensive games with large action sets. Theirs is a distribution; here the nearest state is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from acpcbot.arrays import Floats, Ints, KernelArray
from acpcbot.jit import kernel
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    ACTION_KIND,
    ACTION_RAISE_TO,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_STREET,
    BettingTree,
    Records,
)

FOLDED_WEIGHT, FACING_WEIGHT, SHARE_WEIGHT, POT_WEIGHT, RAISES_WEIGHT = 200.0, 50.0, 4.0, 1.0, 0.25
"""Weights of a seat, of facing a bet, of a share, of a factor of e in the pot, and of a raise.

The first two outweigh all that comes behind them; the pot's size and the raises trade off.
"""
MAX_RAISES_APART = 4
"""Difference in raises from which on states are equally unlike."""
MAX_KEPT = 1 << 14
NO_PARENT = -1


@dataclass(frozen=True, slots=True)
class _Features:
    """Features by which decisions are compared: *folded* [decision, seat], others [decision]."""

    folded: Ints
    share: Floats
    log_pot: Floats
    num_raises: Ints


@dataclass(frozen=True, eq=False)
class NearestDecisions:
    """Finder of the decisions of *tree* that are most like a state of the betting."""

    tree: BettingTree
    _known: dict[str, BettingState | None] = field(default_factory=dict)

    def nearest(self, betting: BettingState) -> BettingState | None:
        """Return the tree's betting most like *betting*, in which a seat acts.

        None if that seat acts nowhere on that street of the tree. Of equally near decisions the
        first is taken.
        """
        assert not betting.is_over, betting
        if betting.text not in self._known:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            self._known[betting.text] = self._find(betting)
        return self._known[betting.text]

    def _find(self, betting: BettingState) -> BettingState | None:
        nodes = self.tree.nodes
        same = (nodes[:, NODE_STREET] == betting.street) & (nodes[:, NODE_SEAT] == betting.actor)
        candidates = np.flatnonzero(same)
        if not len(candidates):
            return None
        wanted = _features(np.array([betting.vector], np.int64), self._num_players)
        own = _features(self._states[candidates], self._num_players)
        distances = (
            FOLDED_WEIGHT * (own.folded != wanted.folded).sum(axis=1)
            + FACING_WEIGHT * ((own.share > 0) != (wanted.share > 0))
            + SHARE_WEIGHT * np.abs(own.share - wanted.share)
            + POT_WEIGHT * np.abs(own.log_pot - wanted.log_pot)
            + RAISES_WEIGHT
            * np.minimum(np.abs(own.num_raises - wanted.num_raises), MAX_RAISES_APART)
        )
        return self._betting(int(candidates[np.argmin(distances)]))

    @property
    def _num_players(self) -> int:
        return self.tree.definition.num_players

    @cached_property
    def _states(self) -> KernelArray:
        """The state vector of every node, int64 [node, state]."""
        root = self.tree.root
        states = np.zeros((len(self.tree.nodes), rules.STATE_LENGTH), np.int64)
        states[0] = root.vector
        game = np.array(root.game.vector, np.int64)
        fill_states(game, self.tree.nodes, self.tree.actions, states)
        return states

    @cached_property
    def _parent_actions(self) -> Ints:
        """The row of the action that leads to each node, [node]; NO_PARENT for the root."""
        rows = np.full(len(self.tree.nodes), NO_PARENT, np.int64)
        children = self.tree.actions[:, ACTION_CHILD]
        rows[children[children >= 0]] = np.flatnonzero(children >= 0)
        return rows

    @cached_property
    def _owners(self) -> Ints:
        """The node of each row of the actions, [action]."""
        owners = np.empty(len(self.tree.actions), np.int64)
        starts = self.tree.nodes[:, NODE_FIRST_ACTION].astype(np.int64)
        counts = self.tree.nodes[:, NODE_NUM_ACTIONS].astype(np.int64)
        order = np.argsort(starts)
        owners[:] = np.repeat(order, counts[order])
        return owners

    def _betting(self, node: int) -> BettingState:
        """Return the betting that leads to *node*."""
        path = []
        while self._parent_actions[node] != NO_PARENT:
            row = int(self._parent_actions[node])
            record = self.tree.actions[row]
            path.append(Action(int(record[ACTION_KIND]), int(record[ACTION_RAISE_TO])))
            node = int(self._owners[row])
        state = self.tree.root
        for action in reversed(path):
            state = state.apply(action)
        return state


def _features(states: KernelArray, num_players: int) -> _Features:
    """Return the features of *states* [decision, state]."""
    spent = states[:, rules.SPENT : rules.SPENT + num_players]
    own = np.take_along_axis(spent, states[:, [rules.ACTOR]], axis=1)[:, 0]
    pot, to_call = spent.sum(axis=1), states[:, rules.MAX_SPENT] - own
    return _Features(
        folded=states[:, rules.FOLDED : rules.FOLDED + num_players],
        share=to_call / np.maximum(pot + to_call, 1),
        log_pot=np.log(np.maximum(pot, 1)),
        num_raises=states[:, rules.NUM_RAISES],
    )


@kernel
def fill_states(game: KernelArray, nodes: Records, actions: Records, states: KernelArray) -> None:
    """Write the state vector of every node into *states* [node, state], of which row 0 is given."""
    # Parents have lower numbers than their children, so their states are written when needed.
    for node in range(len(nodes)):
        first = nodes[node, NODE_FIRST_ACTION]
        for action in range(first, first + nodes[node, NODE_NUM_ACTIONS]):
            child = actions[action, ACTION_CHILD]
            if child >= 0:
                for place in range(rules.STATE_LENGTH):
                    states[child, place] = states[node, place]
                rules.apply_action(
                    game,
                    states[child],
                    actions[action, ACTION_KIND],
                    actions[action, ACTION_RAISE_TO],
                )
