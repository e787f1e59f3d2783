"""Small networks evaluated within kernels, several queries in one call.

A search that queries a network of 64 x 64 inside a kernel saves the way out of it: the call of
numpy alone takes longer than the query. ``SmallNetwork`` allocates nothing; each thread brings
``NetworkScratch`` of its own.

``fill_belief`` and ``fill_prior`` are the two ends of a query: from reach probabilities to inputs,
and from logits to a prior.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import Floats32, Ints, KernelArray
from acpcbot.jit import kernel, shared_methods
from acpcbot.networks.mlp import Network

# Single precision: a Python float would make numba compute in double precision.
ZERO = np.float32(0)
# Rows of weights that are added in one pass over a layer's outputs.
ROWS_AT_ONCE = 4
BATCH = 64
"""The most queries of one call."""


class NetworkScratch(NamedTuple):
    """Memory for one query at a time.

    ``activations``  float32 [2, widest]: inputs of a layer, and its outputs
    ``active``       int64 [widest]: the inputs that are not zero
    """

    activations: Floats32
    active: Ints


@shared_methods
class NetworkEvaluator(Protocol):
    """A network that kernels can ask."""

    def fill_outputs(self, inputs: Floats32, scratch: NetworkScratch, outputs: Floats32) -> None:
        """Fill *outputs* [query, output] for *inputs* [query, input], BATCH queries at most."""
        ...


class SmallNetwork(NamedTuple):
    """A network in the form of kernels: its parameters, and the sizes of its layers."""

    parameters: Floats32
    layer_sizes: Ints

    def fill_outputs(self, inputs: Floats32, scratch: NetworkScratch, outputs: Floats32) -> None:
        for query in range(len(inputs)):
            fill_layers(self.parameters, self.layer_sizes, inputs[query], scratch, outputs[query])


def small_network(network: Network) -> SmallNetwork:
    """Return *network* as kernels take it."""
    return SmallNetwork(network.parameters, np.array(network.shape.layer_sizes, np.int64))


def network_scratch(network: Network) -> NetworkScratch:
    """Return scratch for queries of *network*, by one thread."""
    widest = max(network.shape.layer_sizes)
    return NetworkScratch(np.zeros((2, widest), np.float32), np.zeros(widest, np.int64))


@kernel
def fill_layers(
    parameters: Floats32,
    layer_sizes: Ints,
    inputs: Floats32,
    scratch: NetworkScratch,
    outputs: Floats32,
) -> None:
    """Fill *outputs* with those of the network for *inputs*."""
    # The product of a whole batch by the linear algebra library takes a fifth of the time for batches
    # of 20, but kernels can call only the one of scipy, which playing does not need otherwise.
    # Layers take turns with two rows of scratch; the first reads the query, the last writes the
    # answer.
    active, front, back = scratch.active, scratch.activations[0], scratch.activations[1]
    last = len(layer_sizes) - 2
    start = fill_layer(parameters, 0, layer_sizes[0], layer_sizes[1], inputs, active, front)
    for layer in range(1, last):
        num_inputs, num_outputs = layer_sizes[layer], layer_sizes[layer + 1]
        start = fill_layer(parameters, start, num_inputs, num_outputs, front, active, back)
        front, back = back, front
    num_inputs, num_outputs = layer_sizes[last], layer_sizes[last + 1]
    fill_layer(parameters, start, num_inputs, num_outputs, front, active, outputs)


@kernel
def fill_layer(
    parameters: Floats32,
    start: int,
    num_inputs: int,
    num_outputs: int,
    source: Floats32,
    active: Ints,
    sums: Floats32,
) -> int:
    """Fill *sums* [output] with a layer's outputs for *source* [input], whose ReLU is taken here.

    Return the place of the next layer in *parameters*.
    """
    middle = start + num_inputs * num_outputs
    weights = parameters[start:middle].reshape((num_inputs, num_outputs))
    for place in range(num_outputs):
        sums[place] = parameters[middle + place]
    # One-hot features and ReLU leave half of the inputs zero or more: their rows are skipped. The
    # count moves on without a branch, which would be mispredicted every other time.
    num_active = 0
    for place in range(num_inputs):
        active[num_active] = place
        num_active += (source[place] > ZERO) | ((start == 0) & (source[place] < ZERO))
    # Weights lie in rows by input, so that the inner loop runs over outputs: consecutive in memory,
    # and without a sum across a vector register. Four rows a pass read and write the sums once
    # instead of four times.
    num_fours = num_active // ROWS_AT_ONCE
    for four in range(num_fours):
        first = four * ROWS_AT_ONCE
        place0, place1 = active[first], active[first + 1]
        place2, place3 = active[first + 2], active[first + 3]
        value0, value1 = source[place0], source[place1]
        value2, value3 = source[place2], source[place3]
        row0, row1, row2, row3 = weights[place0], weights[place1], weights[place2], weights[place3]
        for place in range(num_outputs):
            sums[place] += (
                value0 * row0[place]
                + value1 * row1[place]
                + value2 * row2[place]
                + value3 * row3[place]
            )
    for number in range(num_fours * ROWS_AT_ONCE, num_active):
        value, row = source[active[number]], weights[active[number]]
        for place in range(num_outputs):
            sums[place] += value * row[place]
    return middle + num_outputs


@kernel
def fill_belief(reach: KernelArray, belief: Floats32) -> None:
    """Fill *belief* [row] in proportion to *reach* [row]; uniformly where all are zero."""
    total = 0.0
    for row in range(len(reach)):
        total += reach[row]
    for row in range(len(reach)):
        belief[row] = reach[row] / total if total > 0 else 1 / len(reach)


@kernel
def fill_prior(logits: Floats32, temperature: float, prior: KernelArray) -> None:
    """Fill *prior* [action] with the softmax of *logits* [action] at *temperature*.

    Pass the legal actions alone. A temperature above 1 gives the prior less weight.
    """
    highest = logits[0]
    for action in range(1, len(logits)):
        highest = max(highest, logits[action])
    # Differences to the highest logit cannot overflow.
    total = 0.0
    for action in range(len(logits)):
        prior[action] = np.exp((logits[action] - highest) / temperature)
        total += prior[action]
    for action in range(len(logits)):
        prior[action] /= total
