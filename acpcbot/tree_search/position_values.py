"""A value-and-policy network at the leaves of searches in games that hide nothing.

A position is a query, made within the kernel that searches. The network answers with the values of
both seats, the first that of the seat to move, and with policy logits. Half of their difference is
the value, so that both seats' add up to 0, at most the greatest payoff. The prior, a softmax of the
logits with a temperature, is kept until the position is expanded: so each is asked about once.

Source: Schmid et al. (2023), Student of Games, "Growing-tree CFR" (what k = 1 makes simple).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.networks.mlp import Network
from acpcbot.networks.small import SmallNetwork, fill_prior
from acpcbot.tree_search.board_encodings import BoardEncoding, PositionFeatures
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator
from acpcbot.tree_search.network_values import LEAST_PRIOR, QueriedNetwork, QueryMemory
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.public_tree import PublicArrays, PublicTree


class PositionEvaluator(NamedTuple):
    """Values and priors of positions by *network*.

    ``states``  int64 [history, word]
    ``marks``   int64 [node], 1 where the prior is kept
    ``priors``  float64 [slot]
    """

    network: SmallNetwork
    features: PositionFeatures
    memory: QueryMemory
    states: Ints
    marks: Ints
    priors: Floats
    temperature: float
    scale: float

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        for place in range(num_leaves):
            ask_position(self, tree, leaves[place], reach, values)

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        write_position_priors(self, tree, node, priors)


class PositionValues(QueriedNetwork[BoardEncoding]):
    """Leaf values of *network* in position trees; see ``QueriedNetwork``."""

    def __init__(self, network: Network, encoding: BoardEncoding, temperature: float = 1.0) -> None:
        super().__init__(network, encoding, temperature)
        self._priors: Floats = np.zeros(0)

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator for *tree*; raises UsageError for a tree of another game or kind."""
        expected, found = repr(self.encoding.game), repr(tree.game)
        if expected != found or not isinstance(tree, PositionTree):
            raise UsageError(
                f"a network for positions of {expected}: found a {type(tree).__name__} of {found}",
                "search a PositionTree of the game that the network was trained for",
            )
        if len(self._priors) < tree.slot_room:
            self._priors = np.zeros(tree.slot_room)
        # What is kept may be of another search, tree or network.
        tree.marks[: tree.num_nodes] = 0
        return PositionEvaluator(
            self.small,
            self.encoding.features,
            self.memory,
            tree.states,
            tree.marks,
            self._priors,
            float(self.temperature),
            float(tree.greatest_payoff),
        )


@kernel
def ask_position(
    evaluator: PositionEvaluator, tree: PublicArrays, node: int, reach: Floats, values: Floats
) -> None:
    """Write the *values* [row] of *node*, and keep its prior."""
    record = tree.nodes[node]
    outputs = answer_of(evaluator, tree, node)
    value = 0.5 * (outputs[0] - outputs[1])
    value = evaluator.scale * min(1.0, max(-1.0, value))
    first = record["first_row"]
    mover, other = first + record["actor"], first + 1 - record["actor"]
    chance = tree.histories[record["first_history"]]["chance"]
    values[mover] = chance * reach[other] * value
    values[other] = -chance * reach[mover] * value


@kernel
def answer_of(evaluator: PositionEvaluator, tree: PublicArrays, node: int) -> Floats32:
    """Return the network's outputs for *node*, valid until the next query, and keep its prior."""
    record, memory = tree.nodes[node], evaluator.memory
    state = evaluator.states[record["first_history"]]
    inputs: Floats32 = memory.inputs[0]
    outputs: Floats32 = memory.outputs[0]
    inputs[0] = inputs[1] = 1.0
    evaluator.features.fill_features(state, inputs)
    evaluator.network.fill_outputs(memory.inputs[:1], memory.scratch, memory.outputs)
    first, count = record["first_slot"], record["end_slot"] - record["first_slot"]
    for action in range(count):
        column = evaluator.features.policy_column(state, action)
        memory.logits[action] = outputs[2 + column]
    fill_prior(memory.logits[:count], evaluator.temperature, memory.prior[:count])
    for action in range(count):
        evaluator.priors[first + action] = max(memory.prior[action], LEAST_PRIOR)
    evaluator.marks[node] = 1
    return outputs


@kernel
def write_position_priors(
    evaluator: PositionEvaluator, tree: PublicArrays, node: int, priors: Floats
) -> None:
    """Write the *priors* [slot] of *node*, asking the network unless it was asked before."""
    if evaluator.marks[node] == 0:
        answer_of(evaluator, tree, node)
    for slot in range(tree.nodes[node]["first_slot"], tree.nodes[node]["end_slot"]):
        priors[slot] = evaluator.priors[slot]
