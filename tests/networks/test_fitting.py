"""Fitting: steps against gradients by differences, Adam and decay against numpy, resumption."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.decoding import BadValue, decode
from acpcbot.errors import UsageError
from acpcbot.networks.fitting import Examples, Fitter, FittingSettings, draw_batches
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkShape
from tests.networks.networks import (
    INTERFACE,
    UNEVEN,
    VALUES_ALONE,
    random_examples,
    random_network,
)
from tests.support.fresh_programs import run_python

SETTINGS = FittingSettings(
    optimizer="sgd",
    learning_rate=1.0,
    decay_rate=1.0,
    value_weight=0.7,
    policy_weight=0.3,
    huber_delta=0.8,
)


def plain_losses(network: Network, parameters: Floats, batch: Examples) -> tuple[float, float]:
    """Mean Huber loss and KL divergence of a batch, in double precision, query by query."""
    shape, place, numbers = network.shape, 0, batch.inputs.astype(np.float64)
    sizes = shape.layer_sizes
    for layer, (num_inputs, num_outputs) in enumerate(itertools.pairwise(sizes)):
        numbers = np.maximum(numbers, 0) if layer else numbers
        weights = parameters[place : place + num_inputs * num_outputs]
        place += num_inputs * num_outputs
        biases = parameters[place : place + num_outputs]
        numbers = numbers @ weights.reshape(num_inputs, num_outputs) + biases
        place += num_outputs
    value_loss = policy_loss = 0.0
    for query, outputs in enumerate(numbers):
        for value in range(shape.num_values):
            error = abs(outputs[value] - batch.values[query, value])
            small, delta = min(error, SETTINGS.huber_delta), SETTINGS.huber_delta
            huber = 0.5 * small**2 + delta * (error - small)
            value_loss += huber * batch.value_weights[query, value]
        logits = outputs[shape.num_values :].reshape(shape.policy_rows, shape.num_actions)
        for row, weight in enumerate(batch.policy_weights[query]):
            legal = batch.legal[query, row]
            target = batch.policies[query, row][legal].astype(np.float64)
            policy = np.exp(logits[row][legal]) / np.exp(logits[row][legal]).sum()
            policy_loss += weight * (target * np.log(target / policy)).sum()
    return value_loss / len(numbers), policy_loss / len(numbers)


def plain_total(network: Network, parameters: Floats, batch: Examples) -> float:
    values, policies = plain_losses(network, parameters, batch)
    return SETTINGS.value_weight * values + SETTINGS.policy_weight * policies


def plain_gradient(network: Network, batch: Examples) -> Floats:
    """The gradient of the total loss, by central differences."""
    parameters, step = network.parameters.astype(np.float64), 1e-6
    gradient = np.zeros(len(parameters))
    for place in range(len(parameters)):
        ends = []
        for sign in (1, -1):
            moved = parameters.copy()
            moved[place] += sign * step
            ends.append(plain_total(network, moved, batch))
        gradient[place] = (ends[0] - ends[1]) / (2 * step)
    return gradient


@pytest.mark.parametrize("shape", [UNEVEN, VALUES_ALONE])
def test_a_step_goes_down_the_gradient_by_differences(shape: NetworkShape) -> None:
    """Catches a wrong loss, masks that leak, and layers in another order than numpy's."""
    network, batches = random_network(shape), random_examples(shape, 1, 8)
    fitter = Fitter(network, SETTINGS)
    losses = fitter.fit(batches)
    gradient = plain_gradient(network, batches.part(0))
    expected = plain_losses(network, network.parameters.astype(np.float64), batches.part(0))
    assert (losses.values[0], losses.policies[0]) == pytest.approx(expected, rel=1e-4)
    assert np.abs(gradient).max() > 0.1
    step = network.parameters - fitter.network().parameters
    assert step == pytest.approx(gradient, abs=1e-4 * np.abs(gradient).max())


def test_targets_of_weight_zero_and_illegal_actions_change_nothing() -> None:
    network, batches = random_network(UNEVEN), random_examples(UNEVEN, 1, 8)
    blind = Examples(
        batches.inputs,
        np.where(batches.value_weights > 0, batches.values, 99).astype(np.float32),
        batches.value_weights,
        batches.policies,
        batches.policy_weights,
        batches.legal | (batches.policy_weights == 0)[..., None],
    )
    results = []
    for examples in (batches, blind):
        fitter = Fitter(network, SETTINGS)
        fitter.fit(examples)
        results.append(fitter.network().parameters)
    assert np.array_equal(results[0], results[1])


def test_adam_and_its_decaying_rate_are_those_of_the_papers() -> None:
    """Catches a rate that decays in stairs or by calls, and a missing correction of the bias."""
    settings = FittingSettings(
        learning_rate=0.01,
        decay_rate=0.5,
        decay_steps=2,
        value_weight=0.7,
        policy_weight=0.3,
        huber_delta=0.8,
    )
    network, batches = random_network(UNEVEN), random_examples(UNEVEN, 3, 8)
    fitter = Fitter(network, settings)
    for step in range(3):
        fitter.fit(batches.part(slice(step, step + 1)))
    parameters = network.parameters.astype(np.float64)
    first, second = np.zeros(len(parameters)), np.zeros(len(parameters))
    for step in range(3):
        now = Network(UNEVEN, parameters.astype(np.float32))
        gradient = plain_gradient(now, batches.part(step))
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = 0.01 * 0.5 ** (step / 2)
        mean, square = first / (1 - 0.9 ** (step + 1)), second / (1 - 0.999 ** (step + 1))
        parameters -= rate * mean / (np.sqrt(square) + 1e-8)
    moved = fitter.network().parameters - network.parameters
    assert np.abs(moved).max() > 0.01
    assert fitter.network().parameters == pytest.approx(parameters, abs=1e-4)


def test_several_batches_of_one_call_are_as_many_calls() -> None:
    network, batches = random_network(UNEVEN), random_examples(UNEVEN, 4, 8)
    together, alone = Fitter(network, SETTINGS), Fitter(network, SETTINGS)
    losses = together.fit(batches)
    single = [alone.fit(batches.part(slice(step, step + 1))) for step in range(4)]
    assert losses.values == pytest.approx([found.values[0] for found in single], rel=1e-4)
    assert together.network().parameters == pytest.approx(alone.network().parameters, rel=1e-3)


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_a_network_learns_what_another_one_says(optimizer: str) -> None:
    shape = INTERFACE.shape((16, 16))
    teacher, examples = random_network(shape, 5), random_examples(shape, 512)
    outputs = teacher.outputs(examples.inputs)
    examples.values[:] = outputs[:, : shape.num_values] / np.abs(outputs).max()
    examples.value_weights[:] = 1
    examples.legal[:] = True
    powers = np.exp(teacher.logits(outputs) / np.abs(outputs).max())
    examples.policies[:] = powers / powers.sum(axis=2, keepdims=True)
    examples.policy_weights[:] = 1
    settings = decode(FittingSettings, {"optimizer": optimizer, "learning_rate": 0.02})
    fitter, generator = Fitter(random_network(shape, 6), settings), np.random.default_rng(1)
    losses = [
        fitter.fit(draw_batches(examples, 20, settings.batch_size, generator)) for _ in range(20)
    ]
    assert losses[-1].values.mean() < 0.1 * losses[0].values[0]
    assert losses[-1].policies.mean() < 0.5 * losses[0].policies[0]
    assert losses[-1].policies.min() >= 0


def test_training_that_was_saved_goes_on_as_if_nothing_had_happened() -> None:
    """Catches moments or a count of steps that are lost."""
    settings = FittingSettings(decay_steps=2)
    batches = random_examples(UNEVEN, 4, 8)
    whole = Fitter(random_network(UNEVEN), settings)
    halves = [batches.part(slice(2)), batches.part(slice(2, 4))]
    whole.fit(halves[0])
    saved = whole.arrays()
    whole.fit(halves[1])
    resumed = Fitter(random_network(UNEVEN, 9), settings)
    resumed.restore(saved)
    resumed.fit(halves[1])
    assert np.array_equal(resumed.network().parameters, whole.network().parameters)
    with pytest.raises(ValueError, match="arrays of training"):
        resumed.restore({name: array for name, array in saved.items() if name != "fitting.0"})


@pytest.mark.parametrize(
    ("field", "reason"),
    [("values", "values: expected finite"), ("policies", "policies: expected finite")],
)
def test_targets_that_are_no_numbers_are_refused(field: str, reason: str) -> None:
    batches = random_examples(UNEVEN, 1, 4)
    getattr(batches, field)[0, 2, 1] = np.nan
    with pytest.raises(ValueError, match=reason):
        Fitter(random_network(UNEVEN), SETTINGS).fit(batches)


def test_arrays_of_another_shape_are_refused() -> None:
    batches = random_examples(UNEVEN, 1, 4)._replace(values=np.zeros((1, 4, 2), np.float32))
    with pytest.raises(ValueError, match=r"values: expected float32 \[1, 4, 5\]"):
        Fitter(random_network(UNEVEN), SETTINGS).fit(batches)


def test_a_rate_that_bursts_the_parameters_is_named() -> None:
    settings = FittingSettings(optimizer="sgd", learning_rate=1e30)
    fitter = Fitter(random_network(UNEVEN), settings)
    with pytest.raises(UsageError, match="no longer finite") as caught:
        fitter.fit(random_examples(UNEVEN, 8, 4))
    assert caught.value.hint == "choose a learning rate below 1e+30"


@pytest.mark.parametrize("name", ["jax", "optax"])
def test_without_its_libraries_fitting_names_the_extra(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError) as caught:
        Fitter(random_network(UNEVEN), SETTINGS)
    assert str(caught.value) == (
        f"fitting a network needs JAX and optax, and {name} is not installed"
    )
    assert caught.value.hint == "install the extra: pip install 'acpcbot[networks]'"


def test_evaluating_a_network_loads_neither_jax_nor_optax(tmp_path: Path) -> None:
    program = """
import sys
import numpy as np
from acpcbot.networks import Fitter, NetworkShape, initial_network
from acpcbot.networks.small import fill_belief
network = initial_network(
    NetworkShape(num_rows=(1, 1), num_features=1, num_actions=1, hidden=(2,)), 1
)
network.outputs(np.zeros((1, 3), np.float32))
print([name for name in ("jax", "optax") if name in sys.modules])
"""
    assert run_python("-c", program, folder=tmp_path).stdout == "[]\n"


@pytest.mark.parametrize("table", [{"optimizer": "rmsprop"}, {"learning_rate": 0}])
def test_settings_out_of_range_are_refused(table: dict[str, object]) -> None:
    with pytest.raises(BadValue, match="expected"):
        decode(FittingSettings, table)
