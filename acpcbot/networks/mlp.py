"""Multilayer perceptrons with ReLU, evaluated in batches by numpy.

All weights are one float32 array, layer by layer: the weights [input, output] in row order, then
the biases. Layers are views of it. That is the form in which a network is stored, and in which
kernels read it (``small.py``). ReLU follows every layer but the last; nothing is normalised, as the
paper has it in poker and Scotland Yard.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.networks.shape import NetworkShape

OUTPUT_SCALE = 0.01
"""Standard deviation of the last layer's weights at the start."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network: *parameters* float32 [parameter] in the order that the module tells."""

    shape: NetworkShape
    parameters: Floats32

    def __post_init__(self) -> None:
        found = f"{self.parameters.dtype} {list(self.parameters.shape)}"
        if self.parameters.dtype != np.float32 or self.parameters.ndim != 1:
            raise ValueError(f"parameters: expected one row of float32, found {found}")
        if len(self.parameters) != self.shape.num_parameters:
            expected = f"float32 [{self.shape.num_parameters}]"
            raise ValueError(f"parameters: expected {expected}, found {found}")
        if not np.isfinite(self.parameters).all():
            raise ValueError("parameters: expected finite numbers, found nan or inf")

    def layers(self) -> list[tuple[Floats32, Floats32]]:
        """Return weights [input, output] and biases [output] by layer, as views."""
        found, start = [], 0
        for num_inputs, num_outputs in pairwise(self.shape.layer_sizes):
            middle = start + num_inputs * num_outputs
            end = middle + num_outputs
            weights = self.parameters[start:middle].reshape(num_inputs, num_outputs)
            found.append((weights, self.parameters[middle:end]))
            start = end
        return found

    def outputs(self, inputs: Floats32, *, values_only: bool = False) -> Floats32:
        """Return the outputs [query, output] for *inputs* [query, input].

        With *values_only* they end before the policy logits. In hold'em those are three fifths of
        the outputs, and searches need them only for the states that they expand.
        """
        *hidden, (last_weights, last_biases) = self.layers()
        if values_only:
            wanted = self.shape.num_values
            last_weights, last_biases = last_weights[:, :wanted], last_biases[:wanted]
        activations = inputs
        for weights, biases in hidden:
            activations = activations @ weights
            activations += biases
            np.maximum(activations, 0, out=activations)
        answers: Floats32 = activations @ last_weights
        answers += last_biases
        return answers

    def values(self, outputs: Floats32) -> tuple[Floats32, Floats32]:
        """Return the values [query, row] of seat 0 and of seat 1, as views of *outputs*."""
        first, num_values = self.shape.num_rows[0], self.shape.num_values
        return outputs[:, :first], outputs[:, first:num_values]

    def logits(self, outputs: Floats32) -> Floats32:
        """Return the policy logits [query, row, action], as a view of *outputs*."""
        shape = (len(outputs), self.shape.policy_rows, self.shape.num_actions)
        return outputs[:, self.shape.num_values :].reshape(shape)


def initial_network(shape: NetworkShape, seed: int) -> Network:
    """Return an untrained network; equal seeds give equal ones.

    Weights of hidden layers are normal with variance 2 / inputs (He et al. 2015), those of the
    last layer small, biases zero: values begin near zero, policies near uniform.
    """
    network = Network(shape, np.zeros(shape.num_parameters, np.float32))
    generator, layers = np.random.default_rng(seed), network.layers()
    for number, (weights, _) in enumerate(layers, start=1):
        scale = OUTPUT_SCALE if number == len(layers) else np.sqrt(2 / len(weights))
        weights[:] = generator.standard_normal(weights.shape) * scale
    return network
