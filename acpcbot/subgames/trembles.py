"""Trembling hands: CFR in which every action is taken with some probability at least.

Where a seat never takes an action, regret matching leaves a range behind it that says nothing: the
few hands of the first iterations. What is solved from this range later, as by a search at the next
street, is a best response to noise. With *trembles* each seat errs with a small probability, and
then takes any action; equilibria of that game have sensible ranges everywhere, and hands which
would gain by coming there do come (Selten 1975, Reexamination of the perfectness concept).
"""

from __future__ import annotations

from acpcbot.arrays import Floats32, Ints32, Number
from acpcbot.jit import kernel
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_NUM_ACTIONS, NODE_SLOT


@kernel
def mix_errors(nodes: Ints32, first: int, strategy: Floats32, tremble: Number) -> None:
    """Mix errors into the *strategy* [slot of the block, hand] of the block of node *first*."""
    for node in range(first, nodes[first, NODE_BLOCK_END]):
        slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
        count = nodes[node, NODE_NUM_ACTIONS]
        for choice in range(slot, slot + count):
            mix_error(strategy[choice], tremble, count)


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
