"""A model of the opponent in CFR: it plays by the model in part, and as well as it can otherwise.

At each decision of a seat with a model, the model acts with some probability, its *share*. The other
seat's strategy is then good against the model, and loses little to an opponent that knows better:
the larger the share, the more of both. That is a restricted Nash response (Johanson, Zinkevich &
Bowling 2007, Computing robust counter-strategies). Departure: there one draw before the hand
decides whether the model plays, here one draw at each decision does, so that regrets stay those of
one strategy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats32, Ints32
from acpcbot.jit import kernel
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_NUM_ACTIONS, NODE_SEAT, NODE_SLOT


class OpponentModel(NamedTuple):
    """The play of a model in a game with one board.

    ``shares``  float32 [seat]: the probability that the model acts; 0 for a seat without one
    ``play``    float32 [slot, hand of the board]: its probabilities, read where its seat acts
    """

    shares: Floats32
    play: Floats32


def no_model() -> OpponentModel:
    """Return a model of neither seat."""
    return OpponentModel(np.zeros(2, np.float32), np.zeros((1, 1), np.float32))


@kernel
def mix_model(nodes: Ints32, first: int, strategy: Floats32, model: OpponentModel) -> None:
    """Mix the model's play into the *strategy* [slot of the block, hand] of the block of *first*."""
    for node in range(first, nodes[first, NODE_BLOCK_END]):
        share = model.shares[nodes[node, NODE_SEAT]]
        if share > 0:
            slot = nodes[node, NODE_SLOT]
            for choice in range(slot, slot + nodes[node, NODE_NUM_ACTIONS]):
                own, other = strategy[choice - nodes[first, NODE_SLOT]], model.play[choice]
                for hand in range(len(own)):
                    own[hand] += share * (other[hand] - own[hand])


@kernel
def without_model(
    nodes: Ints32, node: int, action_values: Floats32, node_values: Floats32, model: OpponentModel
) -> None:
    """Turn *node_values* [hand] with the model's play into those of the strategy without it."""
    # With share p, the model's play m and the strategy s a node is worth p m.v + (1 - p) s.v, of
    # which s.v is wanted.
    share, slot = model.shares[nodes[node, NODE_SEAT]], nodes[node, NODE_SLOT]
    kept = node_values.dtype.type(1) - share
    for choice in range(len(action_values)):
        action_value, other = action_values[choice], model.play[slot + choice]
        for hand in range(len(node_values)):
            node_values[hand] -= share * other[hand] * action_value[hand]
    for hand in range(len(node_values)):
        node_values[hand] /= kept
