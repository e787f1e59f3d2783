"""Evaluation of networks: numpy's batches and the kernels' queries against plain Python."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from acpcbot.arrays import Floats, Floats32
from acpcbot.jit import kernel
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.networks.shape import NetworkShape
from acpcbot.networks.small import (
    BATCH,
    LEAST_BATCH,
    NetworkEvaluator,
    NetworkScratch,
    fill_belief,
    fill_prior,
    network_scratch,
    small_network,
)
from tests.networks.networks import (
    FLAT,
    INTERFACE,
    UNEVEN,
    VALUES_ALONE,
    random_inputs,
    random_network,
)

SHAPES = [UNEVEN, FLAT, VALUES_ALONE, INTERFACE.shape((64, 64))]


def plain_outputs(network: Network, inputs: list[float]) -> list[float]:
    """The outputs for one query, number by number in double precision."""
    place, numbers, sizes = 0, inputs, network.shape.layer_sizes
    parameters = network.parameters.tolist()
    for layer, (num_inputs, num_outputs) in enumerate(itertools.pairwise(sizes)):
        if layer:
            numbers = [max(0.0, number) for number in numbers]
        biases = place + num_inputs * num_outputs
        numbers = [
            parameters[biases + output]
            + math.fsum(
                numbers[entry] * parameters[place + entry * num_outputs + output]
                for entry in range(num_inputs)
            )
            for output in range(num_outputs)
        ]
        place = biases + num_outputs
    return numbers


@kernel
def ask_all(
    evaluator: NetworkEvaluator, scratch: NetworkScratch, inputs: Floats32, outputs: Floats32
) -> None:
    evaluator.fill_outputs(inputs, scratch, outputs)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_batches_and_kernels_agree_with_plain_python(shape: NetworkShape) -> None:
    """Catches wrong order of layers, ReLU of inputs or outputs, and lost rows of a remainder."""
    network, inputs = random_network(shape), random_inputs(shape, 20)
    expected = np.array([plain_outputs(network, query) for query in inputs.tolist()])
    scale = np.abs(expected).max()
    by_kernel = np.full(expected.shape, np.nan, np.float32)
    ask_all(small_network(network), network_scratch(network), inputs, by_kernel)
    assert expected.shape == (20, shape.num_outputs)
    assert scale > 1
    assert network.outputs(inputs) == pytest.approx(expected, abs=1e-5 * scale)
    assert by_kernel == pytest.approx(expected, abs=1e-5 * scale)


@pytest.mark.parametrize(
    "count", [1, LEAST_BATCH - 1, LEAST_BATCH, LEAST_BATCH + 1, BATCH - 1, BATCH]
)
def test_batches_of_any_size_agree_with_plain_python(count: int) -> None:
    """Catches queries that a batch leaves out or mixes up at its end, and stale scratch."""
    network, inputs = random_network(UNEVEN), random_inputs(UNEVEN, count)
    small, scratch = small_network(network), network_scratch(network)
    scratch.fronts[:], scratch.backs[:], scratch.activations[:] = np.nan, np.nan, np.nan
    found = np.full((count, UNEVEN.num_outputs), np.nan, np.float32)
    ask_all(small, scratch, inputs, found)
    expected = np.array([plain_outputs(network, query) for query in inputs.tolist()])
    assert found == pytest.approx(expected, abs=1e-5 * np.abs(expected).max())
    # Where fewer are asked for, the first are the same to the last bit.
    first = np.full((count, UNEVEN.num_values), np.nan, np.float32)
    ask_all(small, scratch, inputs, first)
    assert np.array_equal(first, found[:, : UNEVEN.num_values])
    values = network.outputs(inputs, values_only=True)
    assert values == pytest.approx(first, abs=1e-5 * np.abs(expected).max())


def test_the_inputs_are_left_alone() -> None:
    network, inputs = random_network(UNEVEN), random_inputs(UNEVEN, 3)
    before = inputs.copy()
    network.outputs(inputs)
    assert np.array_equal(inputs, before)


def test_outputs_are_cut_into_values_of_both_seats_and_logits() -> None:
    network = random_network(UNEVEN)
    outputs = np.arange(2 * UNEVEN.num_outputs, dtype=np.float32).reshape(2, -1)
    first, second = network.values(outputs)
    assert first.tolist() == [[0], [17]]
    assert second.tolist() == [[1, 2, 3, 4], [18, 19, 20, 21]]
    assert network.logits(outputs)[1].tolist() == [
        [22, 23, 24],
        [25, 26, 27],
        [28, 29, 30],
        [31, 32, 33],
    ]


def test_an_untrained_network_has_small_values_and_repeats_by_seed() -> None:
    shape, inputs = INTERFACE.shape((64, 64)), random_inputs(INTERFACE.shape((64, 64)), 50)
    network = initial_network(shape, 7)
    assert np.abs(network.outputs(inputs)).max() < 0.5
    assert np.array_equal(network.parameters, initial_network(shape, 7).parameters)
    assert not np.array_equal(network.parameters, initial_network(shape, 8).parameters)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        (np.zeros(FLAT.num_parameters), "expected one row of float32, found float64"),
        (np.zeros(3, np.float32), "expected float32 [39], found float32 [3]"),
        (np.full(FLAT.num_parameters, np.nan, np.float32), "expected finite numbers"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(parameters: Floats32, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        Network(FLAT, parameters)
    assert reason in str(caught.value)


@pytest.mark.parametrize("sizes", [{"hidden": ()}, {"hidden": (0,)}, {"num_rows": (0, 1)}])
def test_sizes_below_one_are_refused(sizes: dict[str, tuple[int, ...]]) -> None:
    good = {"num_rows": (1, 1), "num_features": 0, "num_actions": 1, "hidden": (1,)}
    with pytest.raises(ValueError, match="at least"):
        NetworkShape(**(good | sizes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reach", "expected"), [([1, 3], [0.25, 0.75]), ([0, 0, 0], [1 / 3] * 3), ([0, 2], [0, 1])]
)
def test_beliefs_are_reach_probabilities_that_sum_to_one(
    reach: list[float], expected: list[float]
) -> None:
    belief = np.full(len(reach), np.nan, np.float32)
    fill_belief(np.array(reach, np.float64), belief)
    assert belief == pytest.approx(expected)


@pytest.mark.parametrize(
    ("logits", "temperature", "expected"),
    [
        ([0, math.log(3)], 1.0, [0.25, 0.75]),
        ([0, math.log(9)], 2.0, [0.25, 0.75]),
        ([1e4, 1e4, -1e4], 1.0, [0.5, 0.5, 0]),
        ([5], 1.5, [1]),
    ],
)
def test_a_prior_is_a_softmax_with_a_temperature(
    logits: list[float], temperature: float, expected: list[float]
) -> None:
    prior: Floats = np.full(len(logits), np.nan)
    fill_prior(np.array(logits, np.float32), temperature, prior)
    assert prior == pytest.approx(expected, abs=1e-6)
