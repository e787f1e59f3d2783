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

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import Floats32, Ints, KernelArray
from acpcbot.jit import kernel, shared_methods
from acpcbot.networks.mlp import Network
from acpcbot.wide_lanes import (
    WIDTH,
    larger,
    load_wide,
    multiply_add,
    spread,
    store_wide,
    wide_zeros,
)

# Single precision: a Python float would make numba compute in double precision.
ZERO = np.float32(0)
# Rows of weights that are added in one pass over a layer's outputs.
ROWS_AT_ONCE = 4
BATCH = 64
"""The most queries of one call."""
# Fewer queries are evaluated one by one.
LEAST_BATCH = 5
# Outputs whose sums are in registers at once.
OUTPUTS_AT_ONCE = 4
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)


class NetworkScratch(NamedTuple):
    """Memory for the queries of one call.

    ``activations``  float32 [2, widest]: inputs of a layer, and its outputs, of one query
    ``active``       int64 [widest]: the inputs that are not zero
    ``fronts``       float32 [widest * BATCH]: inputs of a layer, the queries of each side by side
    ``backs``        float32 [widest * BATCH]: its outputs
    """

    activations: Floats32
    active: Ints
    fronts: Floats32
    backs: Floats32


@shared_methods
class NetworkEvaluator(Protocol):
    """A network that kernels can ask."""

    def fill_outputs(self, inputs: Floats32, scratch: NetworkScratch, outputs: Floats32) -> None:
        """Fill *outputs* [query, output] for *inputs* [query, input], BATCH queries at most.

        Where *outputs* has fewer columns than the network has outputs, it gets the first of them.
        """
        ...


class SmallNetwork(NamedTuple):
    """A network in the form of kernels: its parameters, and the sizes of its layers."""

    parameters: Floats32
    layer_sizes: Ints

    def fill_outputs(self, inputs: Floats32, scratch: NetworkScratch, outputs: Floats32) -> None:
        if len(inputs) >= LEAST_BATCH:
            fill_batch(self.parameters, self.layer_sizes, inputs, scratch, outputs)
            return
        for query in range(len(inputs)):
            fill_layers(self.parameters, self.layer_sizes, inputs[query], scratch, outputs[query])


def small_network(network: Network) -> SmallNetwork:
    """Return *network* as kernels take it."""
    return SmallNetwork(network.parameters, np.array(network.shape.layer_sizes, np.int64))


def network_scratch(network: Network) -> NetworkScratch:
    """Return scratch for queries of *network*, by one thread."""
    widest = max(network.shape.layer_sizes)
    fronts, backs = (aligned_zeros(widest * BATCH, np.float32) for _ in range(2))
    return NetworkScratch(
        np.zeros((2, widest), np.float32), np.zeros(widest, np.int64), fronts, backs
    )


@kernel
def fill_layers(
    parameters: Floats32,
    layer_sizes: Ints,
    inputs: Floats32,
    scratch: NetworkScratch,
    outputs: Floats32,
) -> None:
    """Fill *outputs* with those of the network for *inputs*."""
    # Layers take turns with two rows of scratch; the first reads the query, the last writes the
    # answer.
    active, front, back = scratch.active, scratch.activations[0], scratch.activations[1]
    last = len(layer_sizes) - 2
    start, sizes = 0, layer_sizes
    start = fill_layer(parameters, start, sizes[0], sizes[1], inputs, active, front[: sizes[1]])
    for layer in range(1, last):
        num_inputs, num_outputs = sizes[layer], sizes[layer + 1]
        sums = back[:num_outputs]
        start = fill_layer(parameters, start, num_inputs, num_outputs, front, active, sums)
        front, back = back, front
    fill_layer(parameters, start, sizes[last], sizes[last + 1], front, active, outputs)


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

    There are as many sums as outputs wanted, at most *num_outputs*. Return the place of the next
    layer in *parameters*.
    """
    middle = start + num_inputs * num_outputs
    weights = parameters[start:middle].reshape((num_inputs, num_outputs))
    for place in range(len(sums)):
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
        for place in range(len(sums)):
            sums[place] += (
                value0 * row0[place]
                + value1 * row1[place]
                + value2 * row2[place]
                + value3 * row3[place]
            )
    for number in range(num_fours * ROWS_AT_ONCE, num_active):
        value, row = source[active[number]], weights[active[number]]
        for place in range(len(sums)):
            sums[place] += value * row[place]
    return middle + num_outputs


@kernel
def fill_batch(
    parameters: Floats32,
    layer_sizes: Ints,
    inputs: Floats32,
    scratch: NetworkScratch,
    outputs: Floats32,
) -> None:
    """Fill *outputs* [query, output] for *inputs* [query, input], at least LEAST_BATCH queries."""
    # The linear algebra library is no faster for these sizes, and kernels can call only that of
    # scipy, which playing does not need otherwise.
    front, back = scratch.fronts, scratch.backs
    for query in range(len(inputs)):
        for place in range(layer_sizes[0]):
            front[place * BATCH + query] = inputs[query, place]
    start, last = 0, len(layer_sizes) - 2
    for layer in range(last + 1):
        num_inputs, num_outputs = layer_sizes[layer], layer_sizes[layer + 1]
        num_wanted = num_outputs if layer < last else outputs.shape[1]
        fill_layer_of_batch(
            parameters, start, num_inputs, num_outputs, num_wanted, front, len(inputs), back
        )
        if layer < last:
            for output in range(num_outputs):
                for query in range(output * BATCH, output * BATCH + len(inputs), WIDTH):
                    positive = larger(load_wide(back, query), wide_zeros(back))
                    store_wide(back, query, positive)
        start += (num_inputs + 1) * num_outputs
        front, back = back, front
    for query in range(len(inputs)):
        for place in range(outputs.shape[1]):
            outputs[query, place] = front[place * BATCH + query]


@kernel
def fill_layer_of_batch(
    parameters: Floats32,
    start: int,
    num_inputs: int,
    num_outputs: int,
    num_wanted: int,
    source: Floats32,
    num_queries: int,
    sums: Floats32,
) -> None:
    """Fill *sums* [output * BATCH + query] with outputs of a layer for *source*, laid out alike.

    The first *num_wanted* of the outputs are computed.
    """
    # Sums of four outputs for sixteen queries stay in registers while all inputs go by: for each
    # input one vector of queries is read, and four weights that lie side by side. A sum over eight
    # inputs at a time, left to the compiler, read and wrote the sums once for eight inputs and took
    # twice as long. Queries are whole vectors; those beyond the last are garbage.
    biases, step = start + num_inputs * num_outputs, np.uint64(num_outputs)
    num_whole = num_wanted - num_wanted % OUTPUTS_AT_ONCE
    for query in range(0, num_queries, WIDTH):
        for output in range(0, num_whole, OUTPUTS_AT_ONCE):
            bias = biases + output
            sum0, sum1 = spread(sums, parameters[bias]), spread(sums, parameters[bias + 1])
            sum2, sum3 = spread(sums, parameters[bias + 2]), spread(sums, parameters[bias + 3])
            place, at = np.uint64(start + output), query
            for _ in range(num_inputs):
                values = load_wide(source, at)
                sum0 = multiply_add(values, spread(sums, parameters[place]), sum0)
                sum1 = multiply_add(values, spread(sums, parameters[place + ONE]), sum1)
                sum2 = multiply_add(values, spread(sums, parameters[place + TWO]), sum2)
                sum3 = multiply_add(values, spread(sums, parameters[place + THREE]), sum3)
                place += step
                at += BATCH
            own = output * BATCH + query
            store_wide(sums, own, sum0)
            store_wide(sums, own + BATCH, sum1)
            store_wide(sums, own + 2 * BATCH, sum2)
            store_wide(sums, own + 3 * BATCH, sum3)
        for output in range(num_whole, num_wanted):
            single = spread(sums, parameters[biases + output])
            place, at = np.uint64(start + output), query
            for _ in range(num_inputs):
                values = load_wide(source, at)
                single = multiply_add(values, spread(sums, parameters[place]), single)
                place += step
                at += BATCH
            store_wide(sums, output * BATCH + query, single)


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
