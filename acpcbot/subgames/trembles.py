"""CFR in which every action is taken with some probability at least: trembling hands.

Where a seat never takes an action, regret matching leaves a range behind it that says nothing: the
few hands of the first iterations. What is solved from this range later, as by a search at the next
street, is a best response to noise. With *trembles* each seat errs with a small probability, and
then takes any action; equilibria of that game have sensible ranges everywhere, and hands which
would gain by coming there do come (Selten 1975, Reexamination of the perfectness concept).
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.arrays import Floats32, Number
from acpcbot.jit import kernel
from acpcbot.subgames.accumulators import Accumulators
from acpcbot.subgames.game import Betting
from acpcbot.subgames.traversal import mean_values
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_NUM_ACTIONS, NODE_SLOT
from acpcbot.trees.board_tree import BoardArrays


class TremblingTraversal(NamedTuple):
    """A ``TraversalPolicy`` as ``RegretTraversal``, in which both seats err.

    With probability ``tremble`` a seat takes an action at random. The average strategy is what is
    played, errors and all.
    """

    accumulators: Accumulators
    traverser: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number
    tremble: Number

    def own_seat(self) -> int:
        """Return the traverser."""
        return self.traverser

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: Floats32,
        strategy: Floats32,
    ) -> None:
        """Fill in the current strategy with its errors."""
        self.accumulators.regrets.fill_normalised(betting, first, board, hand_scratch, strategy)
        nodes = betting.nodes
        for node in range(first, nodes[first, NODE_BLOCK_END]):
            slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
            count = nodes[node, NODE_NUM_ACTIONS]
            for choice in range(slot, slot + count):
                mix_error(strategy[choice], self.tremble, count)

    def fill_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats32,
        action_values: Floats32,
        strategy: Floats32,
        node_values: Floats32,
    ) -> None:
        """Update regrets and strategy sums with the action values."""
        # Errors are not chosen, so regrets are against the strategy without them, as regret
        # matching needs them. What the node is worth to those above it is with errors.
        mean_values(action_values, strategy, node_values)
        without_errors(action_values, node_values, self.tremble)
        self.accumulators.regrets.add_regrets(
            betting,
            node,
            board,
            action_values,
            node_values,
            self.keeps_positive,
            self.keeps_negative,
        )
        mean_values(action_values, strategy, node_values)
        self.accumulators.strategies.add_strategy(
            betting, node, board, reach, strategy, self.keeps_average
        )

    def record_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Do nothing: all that is learnt is in the accumulators."""


@kernel
def mix_error(strategy: Floats32, tremble: Number, num_actions: int) -> None:
    """Mix an action's share of errors into its *strategy* [hand]."""
    one = strategy.dtype.type(1)
    share = tremble / strategy.dtype.type(num_actions)
    for hand in range(len(strategy)):
        strategy[hand] = (one - tremble) * strategy[hand] + share


@kernel
def without_errors(action_values: Floats32, node_values: Floats32, tremble: Number) -> None:
    """Turn *node_values* [hand] with errors into those of the strategy without them."""
    one, count = node_values.dtype.type(1), node_values.dtype.type(len(action_values))
    for hand in range(len(node_values)):
        error = node_values.dtype.type(0)
        for choice in range(len(action_values)):
            error += action_values[choice, hand]
        node_values[hand] = (node_values[hand] - tremble * error / count) / (one - tremble)
