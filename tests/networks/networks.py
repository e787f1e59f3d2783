"""Networks, interfaces and examples for tests."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.networks.fitting import Examples, empty_examples
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.networks.shape import Feature, NetworkInterface, NetworkShape

INTERFACE = NetworkInterface(
    game="kuhn.limit.2p",
    game_fingerprint="abc",
    rows="private cards from J to K",
    num_rows=(3, 3),
    features=(Feature("betting", 4), Feature("pot", 1)),
    actions=("fold", "call", "raise"),
)
UNEVEN = NetworkShape(num_rows=(1, 4), num_features=2, num_actions=3, hidden=(7, 5, 6))
FLAT = NetworkShape(num_rows=(2, 2), num_features=0, num_actions=1, hidden=(3,))
VALUES_ALONE = NetworkShape(num_rows=(2, 3), num_features=1, num_actions=0, hidden=(4,))


def random_network(shape: NetworkShape, seed: int = 1) -> Network:
    """A network whose biases and last weights are no smaller than the others."""
    network = initial_network(shape, seed)
    generator = np.random.default_rng(seed)
    noise = generator.standard_normal(len(network.parameters)) * 0.5
    return Network(shape, (network.parameters + noise).astype(np.float32))


def random_inputs(shape: NetworkShape, count: int, seed: int = 2) -> Floats32:
    """Queries in which a third of the inputs are zero and some are negative."""
    generator = np.random.default_rng(seed)
    inputs = generator.standard_normal((count, shape.num_inputs))
    sparse: Floats32 = (inputs * (generator.random(inputs.shape) > 0.3)).astype(np.float32)
    return sparse


def random_examples(shape: NetworkShape, *counts: int, seed: int = 3) -> Examples:
    """Examples with missing targets and illegal actions."""
    generator, examples = np.random.default_rng(seed), empty_examples(shape, *counts)
    examples.inputs[:] = generator.standard_normal(examples.inputs.shape)
    # Some errors exceed the delta of the Huber loss.
    examples.values[:] = generator.standard_normal(examples.values.shape) * 2
    examples.value_weights[:] = generator.random(examples.values.shape) > 0.3
    examples.legal[:] = generator.random(examples.legal.shape) > 0.3
    examples.legal[..., :1] = True
    weights = generator.random(examples.legal.shape) * examples.legal
    examples.policies[:] = weights / weights.sum(axis=-1, keepdims=True)
    examples.policy_weights[:] = generator.random(examples.policy_weights.shape) > 0.3
    return examples
