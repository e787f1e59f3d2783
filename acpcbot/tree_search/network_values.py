"""A counterfactual value-and-policy network at the leaves of a growing tree.

A query is made of the beliefs of both seats, which are their reaches at the state scaled to 1, and
of the public features. The network answers with a value for each row, in the state's unit and given
that the row is reached. Counterfactual values are these times chance and the other seat's reach, so
they scale with it. A network's values need not add up to 0 over the histories of a state; half of
the excess is taken from either seat, as DeepStack does. The policy logits, by a softmax with a
temperature, are the prior of the simulations.

Sources: Schmid et al. (2023), Student of Games, "Counterfactual Value-and-Policy Networks" and
"Network architecture and optimization"; Moravcik et al. (2017), DeepStack (values that add to 0).
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from acpcbot.arrays import Floats, Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkInterface
from acpcbot.networks.small import (
    BATCH,
    NetworkScratch,
    SmallNetwork,
    fill_prior,
    network_scratch,
    small_network,
)
from acpcbot.networks.stored import UNFIT, load_network
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator
from acpcbot.tree_search.public_encodings import (
    EncodedTree,
    PublicEncoding,
    TreeEncoder,
    fill_query,
    write_masses,
)
from acpcbot.tree_search.public_tree import PublicArrays, PublicTree

LEAST_PRIOR = 1e-12
"""Priors must be above 0: simulations divide by their sum."""


class QueryMemory(NamedTuple):
    """Memory for the queries of one batch.

    ``inputs``   float32 [query, input]
    ``values``   float32 [query, value], the first outputs
    ``outputs``  float32 [1, output]
    ``logits``   float32 [action], of the legal actions
    ``prior``    float64 [action], of the legal actions
    ``scratch``  of the network
    """

    inputs: Floats32
    values: Floats32
    outputs: Floats32
    logits: Floats32
    prior: Floats
    scratch: NetworkScratch


class NetworkEvaluator(NamedTuple):
    """Values and priors by *network*, with *num_rows0* rows of seat 0 in its layout.

    Its policy has *num_columns* columns. (Kernels would take the name of a field that is one of a
    protocol's methods, such as ``num_actions``, for the method.)
    """

    network: SmallNetwork
    encoded: EncodedTree
    memory: QueryMemory
    num_rows0: int
    num_values: int
    num_columns: int
    temperature: float

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        ask_leaves(self, tree, leaves, num_leaves, reach, values)

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        ask_policy(self, tree, node, reach, priors)


class Encoding(Protocol):
    """The inputs and outputs of networks for a game."""

    @property
    def interface(self) -> NetworkInterface:
        """The inputs and outputs of a network for it."""
        ...


AnyEncoding = TypeVar("AnyEncoding", bound=Encoding)


class QueriedNetwork(Generic[AnyEncoding]):
    """A *network* that kernels ask, whose queries *encoding* makes.

    *temperature* is that of the softmax of the prior; the paper has 1 in poker and 1.5 in chess.
    Raises UsageError for a network of other sizes than those of the encoding, and for temperatures
    that are not above 0. Not for several threads: they would share the memory of a query.
    """

    def __init__(self, network: Network, encoding: AnyEncoding, temperature: float = 1.0) -> None:
        verify_sizes(network, encoding.interface)
        if not (temperature > 0 and isfinite(temperature)):
            raise UsageError(
                f"temperature = {temperature} is out of range", "use a number above 0, such as 1"
            )
        self.encoding, self.temperature = encoding, temperature
        # A copy: set_network overwrites it, and evaluators that were made before see the new one.
        self._network = Network(network.shape, network.parameters.copy())
        self.small = small_network(self._network)
        shape = network.shape
        self.memory = QueryMemory(
            np.zeros((BATCH, shape.num_inputs), np.float32),
            np.zeros((BATCH, shape.num_values), np.float32),
            np.zeros((1, shape.num_outputs), np.float32),
            np.zeros(shape.num_actions, np.float32),
            np.zeros(shape.num_actions),
            network_scratch(network),
        )

    @classmethod
    def load(cls, folder: Path, encoding: AnyEncoding, temperature: float = 1.0) -> Self:
        """Return the leaf values of the network stored in *folder*.

        Raises UsageError if it is damaged, or made for another game, layout or set of features.
        """
        return cls(load_network(folder, encoding.interface).network, encoding, temperature)

    @property
    def network(self) -> Network:
        """The network as it is now."""
        return Network(self._network.shape, self._network.parameters.copy())

    def set_network(self, network: Network) -> None:
        """Go on with *network*, of the same sizes; raises UsageError for others."""
        verify_sizes(network, self.encoding.interface)
        if network.shape != self._network.shape:
            raise UsageError(
                f"hidden layers: expected {self._network.shape.hidden}, found"
                f" {network.shape.hidden}",
                "make new leaf values for a network of other layers",
            )
        self._network.parameters[:] = network.parameters


class NetworkValues(QueriedNetwork[PublicEncoding]):
    """Leaf values of *network* in public trees; see ``QueriedNetwork``."""

    def __init__(
        self, network: Network, encoding: PublicEncoding, temperature: float = 1.0
    ) -> None:
        super().__init__(network, encoding, temperature)
        self.encoder = TreeEncoder(encoding)

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator for *tree*; raises UsageError for a tree of another game."""
        shape = self._network.shape
        return NetworkEvaluator(
            self.small,
            self.encoder.encoded(tree),
            self.memory,
            shape.num_rows[0],
            shape.num_values,
            shape.num_actions,
            float(self.temperature),
        )


def verify_sizes(network: Network, interface: NetworkInterface) -> None:
    """Raise UsageError unless *network* has the inputs and outputs of *interface*."""
    found, expected = network.shape, interface.shape(network.shape.hidden)
    for name in ("num_rows", "num_features", "num_actions"):
        own, wanted = getattr(found, name), getattr(expected, name)
        if own != wanted:
            raise UsageError(
                f"network for {interface.game}, {name}: expected {wanted}, found {own}", UNFIT
            )


@kernel
def ask_leaves(
    evaluator: NetworkEvaluator,
    tree: PublicArrays,
    leaves: Ints,
    num_leaves: int,
    reach: Floats,
    values: Floats,
) -> None:
    """Write the *values* [row] of the first *num_leaves* of *leaves*, batch by batch."""
    memory = evaluator.memory
    for first in range(0, num_leaves, BATCH):
        count = min(BATCH, num_leaves - first)
        for place in range(count):
            node, inputs = leaves[first + place], memory.inputs[place]
            fill_query(tree, evaluator.encoded, node, reach, evaluator.num_values, inputs)
        evaluator.network.fill_outputs(memory.inputs[:count], memory.scratch, memory.values[:count])
        for place in range(count):
            node = leaves[first + place]
            write_masses(tree, node, reach, values)
            scale_values(evaluator, memory.values[place], tree, node, reach, values)


@kernel
def ask_policy(
    evaluator: NetworkEvaluator, tree: PublicArrays, node: int, reach: Floats, priors: Floats
) -> None:
    """Write the *priors* [slot] of *node* under *reach* [row]."""
    memory = evaluator.memory
    fill_query(tree, evaluator.encoded, node, reach, evaluator.num_values, memory.inputs[0])
    evaluator.network.fill_outputs(memory.inputs[:1], memory.scratch, memory.outputs)
    fill_priors(evaluator, memory.outputs[0], tree, node, priors)


@kernel
def scale_values(
    evaluator: NetworkEvaluator,
    outputs: Floats32,
    tree: PublicArrays,
    node: int,
    reach: Floats,
    values: Floats,
) -> None:
    """Make counterfactual *values* [row] of the masses in them and of *outputs* [value]."""
    # v(row) = mass(row) (scale y(row) - excess), where the excess is half of what both seats'
    # values add up to over the histories, per unit of their probability. The mass of a history is
    # counted by seat 0's rows.
    record, places = tree.nodes[node], evaluator.encoded.places
    scale = evaluator.encoded.scales[node]
    total, probability = 0.0, 0.0
    for row in range(record["first_row"], record["end_row"]):
        weight = reach[row] * values[row]
        total += weight * scale * outputs[places[row]]
        probability += weight if row < record["middle_row"] else 0.0
    excess = 0.5 * total / probability if probability > 0 else 0.0
    for row in range(record["first_row"], record["end_row"]):
        values[row] *= scale * outputs[places[row]] - excess


@kernel
def fill_priors(
    evaluator: NetworkEvaluator, outputs: Floats32, tree: PublicArrays, node: int, priors: Floats
) -> None:
    """Fill *priors* [slot] of the seat to move at *node* by the policy in *outputs* [output]."""
    record, rows, memory = tree.nodes[node], tree.rows, evaluator.memory
    columns, num_columns = evaluator.encoded.columns, evaluator.num_columns
    for row in range(record["first_row"], record["end_row"]):
        first, count = rows[row]["first_slot"], rows[row]["count"]
        if count == 0:
            continue
        place = evaluator.encoded.places[row]
        if row >= record["middle_row"]:
            place -= evaluator.num_rows0
        begin = evaluator.num_values + place * num_columns
        for action in range(count):
            memory.logits[action] = outputs[begin + columns[first + action]]
        fill_prior(memory.logits[:count], evaluator.temperature, memory.prior[:count])
        for action in range(count):
            priors[first + action] = max(memory.prior[action], LEAST_PRIOR)
