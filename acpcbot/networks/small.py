"""Networks evaluated within kernels, several queries in one batch.

A search that queries a network of 64 x 64 inside a kernel saves the way out of it: the call of
numpy alone takes longer than a query. Products are those of the linear algebra library (BLAS),
which kernels call directly. ``NetworkScratch`` is memory for one batch; each thread brings its own.

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
BATCH = 64
"""The most queries of one batch."""


class NetworkScratch(NamedTuple):
    """Memory for the hidden layers of one batch: float32 [BATCH * widest], of two that take turns."""

    front: Floats32
    back: Floats32


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
        fill_layers(self.parameters, self.layer_sizes, inputs, scratch, outputs)


def small_network(network: Network) -> SmallNetwork:
    """Return *network* as kernels take it."""
    return SmallNetwork(network.parameters, np.array(network.shape.layer_sizes, np.int64))


def network_scratch(network: Network) -> NetworkScratch:
    """Return scratch for queries of *network*, by one thread."""
    size = BATCH * max(network.shape.layer_sizes)
    return NetworkScratch(np.zeros(size, np.float32), np.zeros(size, np.float32))


@kernel
def fill_layers(
    parameters: Floats32,
    layer_sizes: Ints,
    inputs: Floats32,
    scratch: NetworkScratch,
    outputs: Floats32,
) -> None:
    """Fill *outputs* [query, output] with those of the network for *inputs* [query, input]."""
    # Queries of a batch share the loads of weights, and the library keeps sums in registers. Loops
    # of our own over one query at a time, which skipped inputs of 0 and added four rows of weights
    # in a pass, took eight times as long as a batch of 22: the compiler tests before each pass
    # whether rows overlap.
    num_queries, last = len(inputs), len(layer_sizes) - 2
    front, back = scratch.front, scratch.back
    num_outputs = layer_sizes[1]
    hidden = front[: num_queries * num_outputs].reshape((num_queries, num_outputs))
    start = fill_layer(parameters, 0, inputs, hidden)
    for layer in range(1, last):
        take_positive(hidden)
        num_outputs = layer_sizes[layer + 1]
        above = back[: num_queries * num_outputs].reshape((num_queries, num_outputs))
        start = fill_layer(parameters, start, hidden, above)
        hidden, front, back = above, back, front
    take_positive(hidden)
    fill_layer(parameters, start, hidden, outputs)


@kernel
def fill_layer(parameters: Floats32, start: int, source: Floats32, sums: Floats32) -> int:
    """Fill *sums* [query, output] with a layer's outputs for *source* [query, input].

    The layer's weights begin at *start* in *parameters*; return the place of the next layer.
    """
    num_inputs, num_outputs = source.shape[1], sums.shape[1]
    middle = start + num_inputs * num_outputs
    weights = parameters[start:middle].reshape((num_inputs, num_outputs))
    np.dot(source, weights, sums)
    for query in range(len(sums)):
        for place in range(num_outputs):
            sums[query, place] += parameters[middle + place]
    return int(middle + num_outputs)


@kernel
def take_positive(sums: Floats32) -> None:
    """Put 0 in the place of what is below 0 in *sums* [query, output] (ReLU)."""
    for query in range(len(sums)):
        for place in range(sums.shape[1]):
            sums[query, place] = max(sums[query, place], ZERO)


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
